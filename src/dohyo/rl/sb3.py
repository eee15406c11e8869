"""Stable-Baselines3 and sb3-contrib on compiled games: thousands of them as one of its `VecEnv`.

    from sb3_contrib import MaskablePPO
    from dohyo.rl.sb3 import Games

    policy = MaskablePPO("MlpPolicy", Games("wondev-woman", 256, seat=None, scaled=True), n_steps=64)
    policy.learn(200_000)

`stable_baselines3.common.env_util.make_vec_env("dohyo/drop-block-v1")` works too, with one game after the other.
Raises `ImportError` where Stable-Baselines3 is not installed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv  # type: ignore[import-not-found,import-untyped,unused-ignore]

from dohyo.core.game import Game
from dohyo.rl.vector import VectorEnv


class Games(VecEnv):  # type: ignore[misc,unused-ignore]
    """A `VectorEnv` as Stable-Baselines3 takes many environments; `action_masks()` is where MaskablePPO looks.

    A match that ends is followed by the next in the same step, and its `infos` have `episode` (what is logged as
    `ep_rew_mean`), `terminal_observation`, `TimeLimit.truncated`, `places`, `scores` (in a game that has some),
    `reason` and `seed`; those of a match that goes on are empty.
    """

    def __init__(
        self, game: str | Game | VectorEnv, n_envs: int = 1, seed: int | None = None, **options: Any
    ) -> None:
        """`n_envs` games with the options of `VectorEnv`; or one that begins anew in the same step.

        `seed` is that of the first reset. Raises what `VectorEnv` raises, and `ValueError` for another way to begin.
        """
        if isinstance(game, VectorEnv):
            if game.autoreset_mode is not AutoresetMode.SAME_STEP:
                raise ValueError("Stable-Baselines3 begins anew in the same step: autoreset_mode='SameStep'")
            self.envs = game
        else:
            self.envs = VectorEnv(game, n_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        self.render_mode = None
        count = self.envs.num_envs
        super().__init__(count, self.envs.single_observation_space, self.envs.single_action_space)
        self._first_seed: int | list[int] | None = seed
        self._nothing: list[dict[str, Any]] = [{}] * count
        self._returns = numpy.zeros(count)
        self._lengths = numpy.zeros(count, numpy.int64)
        self._masks = numpy.ones((count, self.action_space.n), bool)
        self._began = time.perf_counter()

    def reset(self) -> Any:
        """Begin all games anew: the first time, and after `seed`, from that seed. Returns what the learners see."""
        given: Any = self._first_seed
        if given is None and any(one is not None for one in self._seeds):
            given = list(self._seeds)
        observations, info = self.envs.reset(seed=given)
        self._first_seed = None
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0
        self._lengths[:] = 0
        self._masks = info["action_mask"].astype(bool)
        self.reset_infos = [{"seed": int(one)} for one in info["seed"]]
        return observations

    def step_async(self, actions: Any) -> None:
        """Take the learners' actions, (n_envs,) whole numbers."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Play them: observations, rewards (float32), which episodes ended, and an info for each game."""
        observations, rewards, terminated, truncated, info = self.envs.step(self._actions)
        done = terminated | truncated
        self._masks = info["action_mask"].astype(bool)
        self._returns += rewards
        self._lengths += 1
        infos = self._nothing.copy()
        for i in done.nonzero()[0].tolist():
            infos[i] = self._ended(i, info, bool(truncated[i]))
        self._returns[done] = 0
        self._lengths[done] = 0
        return observations, rewards.astype(numpy.float32), done, infos

    def _ended(self, i: int, info: dict[str, Any], truncated: bool) -> dict[str, Any]:
        """What is told of an episode that has ended."""
        final = info["final_info"]
        seconds = round(time.perf_counter() - self._began, 6)
        told = {
            "episode": {"r": float(self._returns[i]), "l": int(self._lengths[i]), "t": seconds},
            "terminal_observation": info["final_obs"][i],
            "TimeLimit.truncated": truncated,
            "seed": int(final["seed"][i]),
        }
        if not truncated:
            told["places"] = tuple(final["places"][i].tolist())
            told |= {name: final[name][i] for name in ("reason", "reason_key")}
            if "scores" in final:
                told["scores"] = tuple(final["scores"][i].tolist())
        return told

    def action_masks(self) -> Any:
        """What the learners may do now, (n_envs, actions) of bool."""
        return self._masks

    def close(self) -> None:
        """There is nothing to end; Stable-Baselines3 asks for it."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the games, which all have in common, as often as games are meant."""
        if attr_name == "action_masks":
            found: Any = self.action_masks
        elif attr_name == "render_mode":
            found = None
        else:
            found = getattr(self.envs, attr_name)
        return [found] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not here. Raises `NotImplementedError`."""
        raise NotImplementedError("the games are one environment: set it at `envs`")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **options: Any) -> list[Any]:
        """`action_masks` of the games meant. Raises `NotImplementedError` for another method."""
        if method_name != "action_masks":
            raise NotImplementedError("the games are one environment: call it at `envs`")
        return [self._masks[i] for i in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """None is. Stable-Baselines3 asks for its Monitor, whose `episode` is in the infos without it."""
        return [getattr(wrapper_class, "__name__", "") == "Monitor"] * len(self._chosen(indices))

    def _chosen(self, indices: Any) -> Sequence[int]:
        """The numbers of the games that are meant."""
        return list(self._get_indices(indices))
