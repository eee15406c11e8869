"""PufferLib on compiled games: thousands of them as one of its native environments (`PufferEnv`).

    import pufferlib.vector
    from dohyo.rl.puffer import Games

    envs = pufferlib.vector.make(Games, env_args=["drop-block", 512], env_kwargs={"scaled": True}, num_envs=2,
                                 num_workers=2, backend=pufferlib.vector.Multiprocessing)

Written after PufferLib 3.0. Raises `ImportError` where PufferLib is not installed.
"""

from __future__ import annotations

from typing import Any

import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from pufferlib import PufferEnv  # type: ignore[import-not-found,import-untyped,unused-ignore]

from dohyo.core.game import Game
from dohyo.rl.vector import VectorEnv


class Games(PufferEnv):  # type: ignore[misc,unused-ignore]
    """A `VectorEnv` that writes into PufferLib's buffers; each of its `num_agents` games has one learner.

    PufferLib knows no masks of actions: with `masks`, an observation is one row, what is seen and behind it the mask,
    `action_mask_size` numbers of 0 and 1, by which a policy can rule out what is not legal.

    A match that ends is followed by the next in the same step. The infos of a step in which matches have ended are
    one dictionary of lists, an item for each: `episode_return`, `episode_length`, and of those that the rules have
    ended `place`, and `score` in a game that has some.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        masks: bool = True,
        threads: int | None = 1,
        buf: Any = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        """`num_envs` games, with the options of `VectorEnv`; `threads` is 1, as PufferLib's workers are processes.

        `buf` and `seed` are given by PufferLib. Raises what `VectorEnv` raises.
        """
        mode = AutoresetMode.SAME_STEP
        self.envs = VectorEnv(game, num_envs, autoreset_mode=mode, copy=False, threads=threads, **options)
        self.num_agents = num_envs
        seen, actions = self.envs.single_observation_space, self.envs.single_action_space
        if not isinstance(seen, spaces.Box):
            raise TypeError("PufferLib takes observations of one array: leave masks='observation' out")
        assert isinstance(actions, spaces.Discrete)
        self.action_mask_size = int(actions.n) if masks else 0
        self.single_observation_space = _with_mask(seen, self.action_mask_size) if masks else seen
        self.single_action_space = actions
        self._first_seed = seed
        self._returns = numpy.zeros(num_envs)
        self._lengths = numpy.zeros(num_envs, numpy.int64)
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[Any, list[dict[str, Any]]]:
        """Begin all games anew; the first time without a seed, from the one that PufferLib gave."""
        seen, info = self.envs.reset(seed=self._first_seed if seed is None else seed)
        self._first_seed = None
        self._write(seen, info["action_mask"])
        self.rewards[:] = 0
        self.terminals[:] = False
        self.truncations[:] = False
        self._returns[:] = 0
        self._lengths[:] = 0
        return self.observations, []

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, list[dict[str, Any]]]:
        """Play the learners' actions, (num_agents,) whole numbers; what is returned are the buffers, and infos."""
        seen, rewards, terminated, truncated, info = self.envs.step(actions)
        self._write(seen, info["action_mask"])
        self.rewards[:] = rewards
        self.terminals[:] = terminated
        self.truncations[:] = truncated
        self._returns += rewards
        self._lengths += 1
        told = self._ended(terminated | truncated, terminated, info)
        return self.observations, self.rewards, self.terminals, self.truncations, told

    def close(self) -> None:
        """End the games."""
        self.envs.close()

    def _write(self, seen: Any, masks: Any) -> None:
        """What is seen, into the buffer."""
        if not self.action_mask_size:
            self.observations[:] = seen
            return
        self.observations[:, : -self.action_mask_size] = seen.reshape(self.num_agents, -1)
        self.observations[:, -self.action_mask_size :] = masks

    def _ended(self, done: Any, terminated: Any, info: dict[str, Any]) -> list[dict[str, Any]]:
        """What is told of the episodes that have ended, and begin their counts anew."""
        if not done.any():
            return []
        told = {"episode_return": self._returns[done].tolist(), "episode_length": self._lengths[done].tolist()}
        if terminated.any():
            places = info["final_info"]["places"][terminated, self.envs.learners[terminated]]
            told["place"] = places.tolist()
            if "scores" in info["final_info"]:
                points = info["final_info"]["scores"][terminated, self.envs.learners[terminated]]
                told["score"] = points.tolist()
        self._returns[done] = 0
        self._lengths[done] = 0
        return [told]


def _with_mask(seen: spaces.Box, actions: int) -> spaces.Box:
    """A row of what is seen, and a mask behind it."""
    kind: Any = seen.dtype
    low = numpy.concatenate([seen.low.reshape(-1), numpy.zeros(actions, kind)])
    high = numpy.concatenate([seen.high.reshape(-1), numpy.ones(actions, kind)])
    return spaces.Box(low, high, dtype=kind.type)
