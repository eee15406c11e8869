"""SuperSuit and Stable-Baselines3: both seats of Goofspiel learn with the same network, by playing each other.

pip install 'dohyo[rl]' stable-baselines3 supersuit
python supersuit_ppo.py
"""

from __future__ import annotations

from pathlib import Path

import supersuit
import torch
from stable_baselines3 import PPO

from dohyo import games
from dohyo.rl import Env, parallel_env

GOOFSPIEL = games.load(Path(__file__).parents[2] / "goofspiel.py")


def score(policy: PPO, matches: int = 200) -> float:
    """The mean score against random play, from both seats: -1 all lost, 0 as good as random play, 1 all won."""
    env = Env(GOOFSPIEL, seat=None, scaled=True)
    total = 0.0
    for match in range(matches):
        seen, _ = env.reset(seed=match)
        is_over = False
        while not is_over:
            action, _ = policy.predict(seen)
            seen, reward, is_over, _, _ = env.step(int(action))
        total += reward
    return total / matches


def learn(decisions: int = 40_000, seed: int = 1) -> tuple[float, float]:
    """The scores before and after. SuperSuit takes no masks, so to bid a card that is gone loses the match."""
    torch.set_num_threads(1)
    env = parallel_env(GOOFSPIEL, scaled=True, masks="info")
    env = supersuit.flatten_v0(env)
    envs = supersuit.concat_vec_envs_v1(
        supersuit.pettingzoo_env_to_vec_env_v1(env), 8, base_class="stable_baselines3"
    )
    envs.seed = lambda seed=None: None  # it has none of Stable-Baselines3's own
    policy = PPO(
        "MlpPolicy", envs, n_steps=64, batch_size=256, n_epochs=8, learning_rate=1e-3, seed=seed, device="cpu"
    )
    before = score(policy)
    policy.learn(decisions)
    return before, score(policy)


if __name__ == "__main__":
    print("mean score against random play, before and after: {:+.2f} {:+.2f}".format(*learn()))
