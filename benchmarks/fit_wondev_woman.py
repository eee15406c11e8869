"""The weights of Wondev Woman's sensei, fitted to matches that it plays against itself.

    python benchmarks/fit_wondev_woman.py --matches 1000 --seed 1

Both seats search `--positions` positions a turn, of a board without fog, and now and then play something else, so
that matches differ. Then each position after the sixth turn is one line of a logistic regression: the chance to win
by the evaluation, which is linear in its weights. It is fitted to a mean of who has won in the end (`RESULT` of it),
which says little of an early position, and of the chance by what the search has found there. Prints weights that can
stand in `evaluation.py`, and how much they explain of matches that they were not fitted to, beside the ones that
stand there.
Needs the extra `fast`.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

from dohyo import games
from dohyo.core.flat import Layout, flat
from dohyo.core.options import resolve
from dohyo.search import AlphaBeta
from dohyo.search.backend import backend_of

GAME = games.find("wondev-woman")
LAYOUT = GAME.rules.LAYOUT
sys.path.insert(0, str(Path(GAME.folder) / "bots" / "sensei"))
import evaluation  # noqa: E402  (the bot's own module, found in its folder)

COUNT = 2 * evaluation.FEATURES
OPENINGS = 2, 4, 6  # turns of any actions
WILD, CARELESS = 0.03, 0.07  # how likely an action is any one, or one of the four that look best
FIRST = 6  # the first turn that counts
RESULT = 0.35  # how much of a line is who has won
PENALTY = 2.0  # on the weights' squares
ROOM = Layout("Room", ("unit", "f8", COUNT), ("found", "f8", COUNT))
worth: Any = None


@flat
def features(states: Any, at: int, seat: int, room: Any) -> None:
    """Fill `found` with what each weight counts on a board."""
    for i in range(len(room.unit)):
        room.unit[i] = 1.0
        room.found[i] = worth(states[at], seat, room.unit)
        room.unit[i] = 0.0


def chance(worth: Any) -> Any:
    """The chance to win, by its log odds."""
    return 1 / (1 + np.exp(-np.clip(worth, -30, 30)))


def play(search: AlphaBeta, seed: int, positions: int) -> tuple[list[tuple[Any, float]], int]:
    """The states of a match in which the search has chosen, with what it has found there; and who has won, or -1."""
    rules, lots = GAME.rules, random.Random(seed)
    s = GAME.new_state(resolve(GAME.options, {"league": "wood1"}), 2)
    dice = [0] * rules.DICE
    rules.roll(s, GAME.source(seed), dice)
    rules.deal(s, dice, None)
    opening = lots.choice(OPENINGS)
    searched = []
    while not rules.over(s):
        options = sorted(search.values(s), key=lambda option: -option[1])
        drawn = lots.random()
        if s.turn < opening or drawn < WILD:
            action = lots.choice(options)[0]
        elif drawn < WILD + CARELESS:
            action = lots.choice(options[:4])[0]
        else:
            choice = search.choose(s, s.mover, playouts=positions)
            action = choice.action
            if choice.playouts and s.turn >= FIRST:
                searched.append((LAYOUT.copy(s), choice.value))
        rules.step(s, [action, action], None)
    return searched, rules.winner(s)


def lines_of(searched: list[Any], winner: int, count: Any, backend: Any, room: Any) -> tuple[list[Any], list[Any]]:
    """What the positions of a match count, for who has just moved, and by line who has won and what was found."""
    if not searched:
        return [], []
    row = backend.worlds(LAYOUT, [s for s, _ in searched])
    found, results = [], []
    for at, (s, worth) in enumerate(searched):
        seat = 1 - s.mover
        count(row, at, seat, room)
        found.append(np.array(room["found"]))
        results.append((0.5 if winner < 0 else float(winner == seat), chance(-worth)))
    return found, results


def fit(lines: Any, results: Any) -> Any:
    """The weights of the logistic regression, by Newton's method."""
    weights = np.zeros(lines.shape[1])
    for _ in range(30):
        likely = chance(lines @ weights)
        slope = lines.T @ (likely - results) + PENALTY * weights
        bend = (lines * (likely * (1 - likely))[:, None]).T @ lines + PENALTY * np.eye(len(weights))
        change = np.linalg.solve(bend, slope)
        weights -= change
        if abs(change).max() < 1e-6:
            break
    return weights


def surprise(lines: Any, results: Any, weights: Any) -> float:
    """The mean surprise by the results (cross entropy); 0.693 is a coin's."""
    likely = np.clip(chance(lines @ weights), 1e-9, 1 - 1e-9)
    return float(-(results * np.log(likely) + (1 - results) * np.log(1 - likely)).mean())


def main() -> int:
    """Play, fit, print; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="of the first match")
    parser.add_argument("--positions", type=int, default=5000, help="that are searched in a turn")
    words = parser.parse_args()
    if words.matches < 2 or words.positions < 1:
        parser.error("--matches: at least 2; --positions: at least 1")
    search = AlphaBeta(GAME, value=evaluation.value, compiled=True)
    backend = backend_of(True)
    room = backend.blank(ROOM, 1)[0]
    count = backend.over(LAYOUT, features, {"worth": evaluation.worth})
    lines, results, kept = [], [], []
    for number in range(words.matches):
        found, got = lines_of(*play(search, words.seed + number, words.positions), count, backend, room)
        lines += found
        results += got
        kept += [number % 5 == 0] * len(got)
    table, (goals, found_there), aside = np.array(lines), np.array(results).T, np.array(kept)
    weights = fit(table[~aside], (RESULT * goals + (1 - RESULT) * found_there)[~aside])
    known = np.array(evaluation.WEIGHTS)
    for i in range(0, COUNT, 12):
        print("    " + ", ".join(f"{weight:.3f}" for weight in weights[i : i + 12]) + ",")
    print(
        f"positions={len(goals)} surprise={surprise(table[aside], goals[aside], weights):.4f}"
        f" known={surprise(table[aside], goals[aside], known):.4f}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
