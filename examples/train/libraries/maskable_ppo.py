"""sb3-contrib's MaskablePPO on compiled games: connect four against random play, in half a minute.

pip install 'dohyo[rl]' stable-baselines3 sb3-contrib
python maskable_ppo.py
"""

from __future__ import annotations

import numpy
import torch
from sb3_contrib import MaskablePPO

from dohyo import games
from dohyo.rl.sb3 import Games

CONNECT_FOUR = games.find("connect-four")


def learn(decisions: int = 60_000, seed: int = 1) -> float:
    """The mean score of the last hundred matches: -1 all lost, 0 as good as random play, 1 all won."""
    torch.set_num_threads(1)  # for so small a network, a second thread costs more than it brings
    envs = Games(CONNECT_FOUR, 64, seed=seed, seat=None, scaled=True, threads=1)
    policy = MaskablePPO(
        "MlpPolicy", envs, n_steps=32, batch_size=512, n_epochs=4, learning_rate=1e-3, seed=seed, device="cpu"
    )
    policy.learn(decisions)
    return float(numpy.mean([episode["r"] for episode in policy.ep_info_buffer]))


if __name__ == "__main__":
    print(f"mean score {learn():+.2f}; random play has 0")
