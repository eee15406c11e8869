"""How often a trained bot wins against three random players: python evaluate.py [FOLDER] [--matches 2000]"""

from __future__ import annotations

import argparse
import json
from math import sqrt
from pathlib import Path
from typing import Any

import numpy
from matches import matches

SCORE_OF_A_WIN = 1.0  # the last one standing; second, third and fourth have 1/3, -1/3 and -1
MAX_DECISIONS = 250  # the learner's in a match of 1000 turns


def play(layers: list[tuple[Any, Any]], n: int, seed: int) -> list[float]:
    """The scores of `n` matches, each played to its end. `layers` are (weight, bias) arrays."""
    envs = matches(n)
    observations, _ = envs.reset(seed=seed)
    scores = numpy.full(n, numpy.nan)
    for _ in range(MAX_DECISIONS):
        values = observations
        for at, (weight, bias) in enumerate(layers):
            values = (numpy.tanh(values) if at else values) @ weight.T + bias
        observations, rewards, done, _, _ = envs.step(values.argmax(axis=1))
        first = done & numpy.isnan(scores)  # what begins in its place is not counted: it would favour short matches
        scores[first] = rewards[first]
        if not numpy.isnan(scores).any():
            break
    return scores.tolist()  # type: ignore[no-any-return]


def interval(won: int, played: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval of a share, by default at 95 %."""
    share, shrink = won / played, 1 + z * z / played
    middle = share + z * z / (2 * played)
    spread = z * sqrt(share * (1 - share) / played + z * z / (4 * played * played))
    return (middle - spread) / shrink, (middle + spread) / shrink


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent / "trained")
    words.add_argument("--matches", type=int, default=2000)
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    layers = json.loads((given.folder / "weights.json").read_text())
    arrays = [(numpy.array(layer["weight"], "f4"), numpy.array(layer["bias"], "f4")) for layer in layers]
    scores = play(arrays, given.matches, given.seed)
    won = sum(score == SCORE_OF_A_WIN for score in scores)
    low, high = interval(won, len(scores))
    print(f"won {won} of {len(scores)} matches against three random players, where 25 % would be even:")
    print(f"{won / len(scores):.1%}, 95 % interval {low:.1%} to {high:.1%}; mean score {numpy.mean(scores):+.3f}")


if __name__ == "__main__":
    main()
