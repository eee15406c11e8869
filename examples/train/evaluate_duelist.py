"""How a trained duelist fares against `gunner` itself: python evaluate_duelist.py [FOLDER] [--matches 2000]"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy
from duels import duels
from evaluate import interval

MAX_DECISIONS = 500  # the learner's in a match


def play(layers: list[tuple[Any, Any]], n: int, seed: int, opponent: str) -> list[float]:
    """The scores of `n` matches of the usual length. `layers` are (weight, bias); actions are drawn by them."""
    envs = duels(n, opponent)
    observations, _ = envs.reset(seed=seed)
    chance = numpy.random.default_rng(seed)
    scores = numpy.full(n, numpy.nan)
    for _ in range(MAX_DECISIONS + 1):
        values = observations
        for at, (weight, bias) in enumerate(layers):
            values = (numpy.tanh(values) if at else values) @ weight.T + bias
        lots = values + chance.gumbel(size=values.shape)  # the largest of these is drawn as often as softmax says
        observations, rewards, done, _, _ = envs.step(lots.argmax(axis=1))
        first = done & numpy.isnan(scores)
        scores[first] = rewards[first]
        if not numpy.isnan(scores).any():
            break
    return scores.tolist()  # type: ignore[no-any-return]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent / "duelist")
    words.add_argument("--matches", type=int, default=2000)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--opponent", default="gunner")
    given = words.parse_args()
    layers = json.loads((given.folder / "weights.json").read_text())
    arrays = [(numpy.array(layer["weight"], "f4"), numpy.array(layer["bias"], "f4")) for layer in layers]
    scores = play(arrays, given.matches, given.seed, given.opponent)
    won, lost = (sum(score == end for score in scores) for end in (1.0, -1.0))
    low, high = interval(won, won + lost) if won + lost else (0.0, 1.0)
    print(
        f"won {won}, drew {len(scores) - won - lost}, lost {lost} of {len(scores)} matches against {given.opponent};"
    )
    print(f"mean score {numpy.mean(scores):+.3f}; of those that were decided {low:.1%} to {high:.1%} won")


if __name__ == "__main__":
    main()
