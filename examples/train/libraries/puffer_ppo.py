"""PufferLib's own trainer on compiled games: connect four against random play.

pip install 'dohyo[rl]' pufferlib  # does not do it alone: see README.md here
python puffer_ppo.py
"""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory
from typing import Any

import numpy
import torch
from torch import nn

from dohyo import games

CONNECT_FOUR = games.find("connect-four")
GAMES, STEPS = 64, 32
CONFIG: dict[str, Any] = {  # the trainer asks for every one of these
    "name": "dohyo", "project": "dohyo", "seed": 1, "torch_deterministic": True, "cpu_offload": False,
    "device": "cpu", "optimizer": "adam", "anneal_lr": False, "precision": "float32", "total_timesteps": 60_000,
    "learning_rate": 0.002, "gamma": 0.99, "gae_lambda": 0.95, "update_epochs": 4, "clip_coef": 0.2, "vf_coef": 0.5,
    "vf_clip_coef": 0.2, "max_grad_norm": 0.5, "ent_coef": 0.01, "adam_beta1": 0.9, "adam_beta2": 0.999,
    "adam_eps": 1e-8, "data_dir": ".", "checkpoint_interval": 1_000_000, "batch_size": GAMES * STEPS,
    "minibatch_size": 512, "max_minibatch_size": 512, "bptt_horizon": STEPS, "compile": False,
    "compile_mode": "default", "compile_fullgraph": False, "vtrace_rho_clip": 1.0, "vtrace_c_clip": 1.0,
    "prio_alpha": 0.0, "prio_beta0": 1.0, "use_rnn": False, "env": "connect-four",
}  # fmt: skip


class Policy(nn.Module):
    """A policy and a value; the mask is the end of the observation, and what it forbids is never chosen."""

    def __init__(self, envs: Any) -> None:
        super().__init__()
        self.actions = envs.driver_env.action_mask_size
        size = envs.single_observation_space.shape[0] - self.actions
        self.actor = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, self.actions))
        self.critic = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 1))

    def forward(self, observations: torch.Tensor, state: Any = None) -> tuple[torch.Tensor, torch.Tensor]:
        seen, mask = observations[:, : -self.actions], observations[:, -self.actions :]
        return self.actor(seen).masked_fill(mask == 0, -1e9), self.critic(seen)

    forward_eval = forward


def learn(decisions: int = 60_000, seed: int = 1) -> float:
    """The mean score of the last quarter's matches: -1 all lost, 0 as good as random play, 1 all won."""
    import pufferlib.pufferl
    import pufferlib.vector

    from dohyo.rl.puffer import Games

    class Quiet(pufferlib.pufferl.PuffeRL):
        """Its trainer without the table that it draws on the terminal."""

        def print_dashboard(self, *words: Any, **options: Any) -> None:
            return

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    envs = pufferlib.vector.make(Games, env_args=[CONNECT_FOUR, GAMES], env_kwargs={"seat": None, "scaled": True})
    trainer = Quiet({**CONFIG, "total_timesteps": decisions, "seed": seed}, envs, Policy(envs))
    scores: list[float] = []
    while trainer.global_step < decisions:
        scores += list(trainer.evaluate()["episode_return"])
        trainer.stats.clear()
        trainer.train()
    trainer.utilization.stop()
    envs.close()
    return float(numpy.mean(scores[-len(scores) // 4 :]))


if __name__ == "__main__":
    with TemporaryDirectory() as folder:  # PufferLib leaves a link to its pictures where it is imported
        os.chdir(folder)
        print(f"mean score {learn():+.2f}; random play has 0")
