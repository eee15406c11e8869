"""Train a policy for Shoot-Em-Up against weaker, then stronger forms of `gunner`:

    python train_duelist.py [--steps 12000000] [--seed 0] [--out duelist.zip]

At first the opponent plays as `gunner` in 20 of 100 decisions, and at random in the others; whenever the learner
wins more than it loses, in 20 more, up to all. Against `gunner` itself nothing could be learned at first: random play
loses every match to it. Writes the policy, beside it a `.csv` (decisions, processor seconds, share, score), and the
weights of the bot in `duelist/`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy
import torch
from adapter import Games
from duels import duels
from export import write_weights
from stable_baselines3 import PPO

SHARES = (20, 60, 90, 100)  # of 100 decisions, in which the opponent plays as gunner
ENOUGH = 0.2  # the mean score, between -1 and 1, at which the next one comes
GAMES = 512  # at once
DISCOUNT = 0.99
DRAW = 0.6  # what a match without a winner costs: to hide is easily learned, and wins nothing
HIT = 0.25  # what a hit is worth while a match lasts; `Hits` says why that changes nothing of what is best
PAIRS = 60  # of actions in a training match; in one of the usual 500 a robot that hides is paid too late
DECISIONS = 64  # in each of them between two updates of the policy
ROUND = 8 * GAMES * DECISIONS  # decisions between two looks at the score


class Hits(Games):
    """Games that also pay for hits when they are made: the learner sees its own alone, and would wait for the end.

    It is a potential (Ng, Harada and Russell 1999): a match pays in the whole what it did without. A draw costs.
    """

    def reset(self) -> Any:
        """Begin all games anew."""
        found = super().reset()
        self._before = self._lead()
        return found

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """A step, paid for the lead in hits that it has brought."""
        seen, rewards, done, told = super().step_wait()
        now = self._lead()
        rewards[done & (rewards == 0)] = -DRAW
        rewards += HIT * (DISCOUNT * numpy.where(done, 0, now) - self._before)
        self._before = now
        return seen, rewards, done, told

    def _lead(self) -> Any:
        batch = self.envs._batch
        hits, own = batch.games.states["hits"], batch.learners
        slots = numpy.arange(len(own))
        return hits[slots, 1 - own].astype(numpy.float32) - hits[slots, own]


def learner(games: Games, seed: int) -> PPO:
    """A policy that knows nothing yet."""
    torch.set_num_threads(1)  # for so small a network, a second thread costs more than it brings
    return PPO(
        "MlpPolicy",
        games,
        n_steps=DECISIONS,
        batch_size=4096,
        n_epochs=4,
        learning_rate=lambda left: 1e-3 * max(left, 0.1),  # left: from 1 at the beginning of a round down to 0
        gamma=DISCOUNT,
        gae_lambda=0.95,
        ent_coef=0.03,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.Tanh},
        seed=seed,
        device="cpu",
    )


def train(steps: int, seed: int, curve: Path, begin: Path | None) -> PPO:
    """A policy after about `steps` decisions; one that is trained already, `begin`, goes on against gunner itself."""
    level, done = 0 if begin is None else len(SHARES) - 1, 0
    games = Hits(duels(GAMES, f"gunner@{SHARES[level]}", PAIRS), seed)
    policy = learner(games, seed)
    if begin is not None:
        policy.set_parameters(begin)
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
            games = Hits(duels(GAMES, f"gunner@{SHARES[level]}", PAIRS), seed + level)
            policy.set_env(games)
    return policy


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--steps", type=int, default=12_000_000, help="decisions, over all games")
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--begin", type=Path, help="a policy to go on from")
    words.add_argument("--out", type=Path, default=Path("duelist.zip"))
    given = words.parse_args()
    policy = train(given.steps, given.seed, given.out.with_suffix(".csv"), given.begin)
    policy.save(given.out)
    write_weights(policy, Path(__file__).parent / "duelist")
    print(f"{given.out} took {time.process_time():.0f} s of processor time")


if __name__ == "__main__":
    main()
