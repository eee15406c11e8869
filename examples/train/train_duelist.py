"""Train a policy for Shoot-Em-Up against weaker, then stronger forms of `gunner`:

    python train_duelist.py [--steps 12000000] [--seed 0] [--out duelist.zip]

At first the opponent plays as `gunner` in 20 of 100 decisions, and at random in the others; whenever the learner
wins more than it loses, in 20 more, up to all. Against `gunner` itself nothing could be learned at first: random play
loses every match to it. Writes the policy, and beside it a `.csv`: decisions, processor seconds, share, score.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch
from adapter import Games
from duels import duels
from stable_baselines3 import PPO

SHARES = (20, 40, 60, 80, 100)  # of 100 decisions, in which the opponent plays as gunner
ENOUGH = 0.2  # the mean score, between -1 and 1, at which the next one comes
GAMES = 512  # at once
DECISIONS = 64  # in each of them between two updates of the policy
ROUND = 8 * GAMES * DECISIONS  # decisions between two looks at the score


def learner(games: Games, seed: int, steps: int) -> PPO:
    """A policy that knows nothing yet."""
    torch.set_num_threads(1)  # for so small a network, a second thread costs more than it brings
    return PPO(
        "MlpPolicy",
        games,
        n_steps=DECISIONS,
        batch_size=4096,
        n_epochs=4,
        learning_rate=lambda left: 1e-3 * max(left, 0.1),  # left: from 1 at the beginning of a round down to 0
        gamma=0.995,
        gae_lambda=0.95,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.Tanh},
        seed=seed,
        device="cpu",
    )


def train(steps: int, seed: int, curve: Path) -> PPO:
    """A policy after about `steps` decisions."""
    level, done = 0, 0
    games = Games(duels(GAMES, f"gunner@{SHARES[level]}"), seed)
    policy = learner(games, seed, steps)
    curve.write_text("decisions,processor,share,score\n", encoding="utf-8")
    while done < steps:
        rate = 1e-3 * max(1 - done / steps, 0.05)
        policy.lr_schedule = lambda left, rate=rate: rate
        policy.learn(ROUND, reset_num_timesteps=done == 0)
        done += ROUND
        score = sum(games.scores) / len(games.scores) if games.scores else 0.0
        line = f"{done},{time.process_time():.0f},{SHARES[level]},{score:.4f}"
        with curve.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        print(line, len(games.scores), flush=True)
        games.scores.clear()
        policy.save(curve.with_suffix(".zip"))
        if score > ENOUGH and level + 1 < len(SHARES):
            level += 1
            games = Games(duels(GAMES, f"gunner@{SHARES[level]}"), seed + level)
            policy.set_env(games)
    return policy


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--steps", type=int, default=12_000_000, help="decisions, over all games")
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--out", type=Path, default=Path("duelist.zip"))
    given = words.parse_args()
    policy = train(given.steps, given.seed, given.out.with_suffix(".csv"))
    policy.save(given.out)
    print(f"{given.out} took {time.process_time():.0f} s of processor time")


if __name__ == "__main__":
    main()
