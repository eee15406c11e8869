"""Train a policy for Drop-Block with PPO: python train.py [--steps 4000000] [--seed 0] [--out policy.zip]

Writes the policy, and beside it `curve.csv`: decisions, seconds, processor seconds, share of matches won, mean score.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch
from adapter import Games
from evaluate import SCORE_OF_A_WIN
from matches import matches
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback

GAMES = 512  # at once
DECISIONS = 32  # in each of them between two updates of the policy


class Curve(BaseCallback):
    """Prints and keeps how the policy does in training, where it still draws lots."""

    def __init__(self, games: Games, path: Path) -> None:
        super().__init__()
        self.games, self.path = games, path
        self.begin = time.perf_counter()
        path.write_text("decisions,seconds,processor,won,score\n", encoding="utf-8")

    def _on_rollout_end(self) -> None:
        scores, done = self.games.scores, self.num_timesteps // (GAMES * DECISIONS)
        if done % 10 == 0 and scores:
            won = sum(score == SCORE_OF_A_WIN for score in scores) / len(scores)
            score = sum(scores) / len(scores)
            seconds = time.perf_counter() - self.begin
            line = f"{self.num_timesteps},{seconds:.0f},{time.process_time():.0f},{won:.4f},{score:.4f}"
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
            print(
                f"{self.num_timesteps:>9} decisions {seconds:5.0f} s   won {won:6.1%}   score {score:+.3f}",
                flush=True,
            )
            scores.clear()

    def _on_step(self) -> bool:
        return True


def train(steps: int, seed: int, curve: Path) -> PPO:
    """A policy after about `steps` decisions."""
    torch.set_num_threads(1)  # for so small a network, a second thread costs more than it brings
    games = Games(matches(GAMES), seed)
    policy = PPO(
        "MlpPolicy",
        games,
        n_steps=DECISIONS,
        batch_size=2048,
        n_epochs=4,
        learning_rate=lambda left: 1e-3 * left,  # left: from 1 at the beginning down to 0
        gamma=0.99,
        gae_lambda=0.95,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [64, 64], "activation_fn": torch.nn.Tanh},
        seed=seed,
        device="cpu",
    )
    return policy.learn(steps, callback=Curve(games, curve))


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--steps", type=int, default=4_000_000, help="decisions, over all games")
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--out", type=Path, default=Path("policy.zip"))
    given = words.parse_args()
    policy = train(given.steps, given.seed, given.out.with_name("curve.csv"))
    policy.save(given.out)
    print(f"{given.out} took {time.process_time():.0f} s of processor time")


if __name__ == "__main__":
    main()
