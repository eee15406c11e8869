"""Games of dohyo.rl for stable-baselines3, which has an interface of its own for many environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from stable_baselines3.common.vec_env import VecEnv

from dohyo.rl import VectorEnv


class Games(VecEnv):
    """A `VectorEnv` that begins anew in the step in which a match ends, as stable-baselines3 expects.

    `scores` collects the rewards of matches that have ended, until somebody empties it.
    """

    def __init__(self, envs: VectorEnv, seed: int) -> None:
        self.envs = envs
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)
        self.scores: list[float] = []
        self._seed: int | None = seed
        self._nothing: list[dict[str, Any]] = [{} for _ in range(envs.num_envs)]

    def reset(self) -> Any:
        """Begin all games anew; the first time from the seed."""
        observations, _ = self.envs.reset(seed=self._seed)
        self._seed = None
        return observations

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        observations, rewards, done, _, _ = self.envs.step(self._actions)
        self.scores += rewards[done].tolist()
        return observations, rewards.astype(numpy.float32), done, self._nothing

    def close(self) -> None:
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.envs, attr_name, None)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError("the games are one environment: set it there")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **options: Any) -> list[Any]:
        raise NotImplementedError("the games are one environment: call it there")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> Sequence[bool]:
        return [False] * len(list(self._get_indices(indices)))
