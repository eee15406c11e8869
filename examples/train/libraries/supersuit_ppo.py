"""SuperSuit and Stable-Baselines3: every seat of aBOTcalypse learns with the same network.

pip install 'dohyo[rl]' stable-baselines3 supersuit
python supersuit_ppo.py
"""

from __future__ import annotations

import numpy
import supersuit
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor

from dohyo.rl import parallel_env


def learn(decisions: int = 4_000, seed: int = 1) -> PPO:
    """A policy that all seats share. Masks stay in the infos: SuperSuit takes plain arrays."""
    torch.set_num_threads(1)
    env = parallel_env("abotcalypse", seats=4, setup={"turns": 30}, scaled=True, masks="info")
    env = supersuit.black_death_v3(env)
    envs = supersuit.concat_vec_envs_v1(
        supersuit.pettingzoo_env_to_vec_env_v1(env), 2, base_class="stable_baselines3"
    )
    envs.seed = lambda seed=None: None  # it has none of Stable-Baselines3's own
    policy = PPO("MlpPolicy", VecMonitor(envs), n_steps=64, batch_size=256, n_epochs=2, seed=seed, device="cpu")
    return policy.learn(decisions)


if __name__ == "__main__":
    lengths = [episode["l"] for episode in learn().ep_info_buffer]
    print(f"{len(lengths)} matches, {numpy.mean(lengths):.0f} turns each")
