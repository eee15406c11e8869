"""RLlib's PPO with its action masks, on compiled games: connect four against random play.

pip install 'dohyo[rl]' 'ray[rllib]' torch
python rllib_ppo.py
"""

from __future__ import annotations

from typing import Any

import ray
from gymnasium import VectorizeMode
from gymnasium.spaces import Dict, flatten_space
from gymnasium.vector import VectorObservationWrapper
from gymnasium.vector.utils import batch_space
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune import register_env

from dohyo import games
from dohyo.rl import VectorEnv

CONNECT_FOUR = games.find("connect-four")
GAMES, DECISIONS = 32, 2048  # at once, and in an update


class Flat(VectorObservationWrapper):
    """Observations in one row, under the name that RLlib's masking module knows: `observations`."""

    def __init__(self, env: VectorEnv) -> None:
        super().__init__(env)
        seen, mask = (env.single_observation_space[name] for name in ("observation", "action_mask"))
        self.single_observation_space = Dict(observations=flatten_space(seen), action_mask=mask)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def observations(self, observations: dict[str, Any]) -> dict[str, Any]:
        seen = observations["observation"]
        return {"observations": seen.reshape(len(seen), -1), "action_mask": observations["action_mask"]}


def make(config: dict[str, Any]) -> Flat:
    """The games of one of RLlib's workers."""
    options: dict[str, Any] = {"seat": None, "scaled": True, "masks": "observation", "threads": 1}
    return Flat(VectorEnv(CONNECT_FOUR, config["num_envs"], **options))


def learn(updates: int = 10, seed: int = 1) -> tuple[float, float]:
    """The mean scores of the matches of the first and of the last update: -1 all lost, 0 random play, 1 all won."""
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
    try:
        register_env("connect-four", make)
        config = (
            PPOConfig()
            .environment("connect-four")
            .env_runners(
                num_env_runners=0,
                num_envs_per_env_runner=GAMES,
                gym_env_vectorize_mode=VectorizeMode.VECTOR_ENTRY_POINT,
            )
            .rl_module(
                rl_module_spec=RLModuleSpec(
                    module_class=ActionMaskingTorchRLModule,
                    model_config={"fcnet_hiddens": [64], "head_fcnet_hiddens": []},
                )
            )
            .training(lr=3e-3, train_batch_size=DECISIONS, minibatch_size=512, num_epochs=6, entropy_coeff=0.01)
            .debugging(seed=seed)
        )
        config.metrics_num_episodes_for_smoothing = 200
        algorithm = config.build_algo()
        scores = [algorithm.train()["env_runners"]["episode_return_mean"] for _ in range(updates)]
        algorithm.stop()
    finally:
        ray.shutdown()
    return scores[0], scores[-1]


if __name__ == "__main__":
    print("mean scores, first and last update: {:+.2f} {:+.2f}".format(*learn()))
