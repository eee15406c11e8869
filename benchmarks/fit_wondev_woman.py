"""The weights of Wondev Woman's sensei, fitted to matches that it plays against itself.

    python benchmarks/fit_wondev_woman.py --matches 400 --seed 1

Both seats search `--positions` positions a turn, of a board without fog, and now and then play something else, so
that matches differ. Then each position after the eighth turn, with who has won in the end, is one line of a logistic
regression: the chance to win by the evaluation, which is linear in its weights. Prints weights that can stand in
`evaluation.py`, and how much they explain of matches that they were not fitted to, beside the ones that stand there.
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
OPENING = 4  # turns of any actions
WILD, CARELESS = 0.04, 0.08  # how likely an action is any one, or one of the four that look best
FIRST = 8  # the first turn that counts
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


def play(search: AlphaBeta, seed: int, positions: int) -> tuple[list[Any], int]:
    """The states of a match, each before a turn, and who has won; -1 for nobody."""
    rules, lots = GAME.rules, random.Random(seed)
    s = GAME.new_state(resolve(GAME.options, {"league": "wood1"}), 2)
    dice = [0] * rules.DICE
    rules.roll(s, GAME.source(seed), dice)
    rules.deal(s, dice, None)
    states = []
    while not rules.over(s):
        states.append(LAYOUT.copy(s))
        options = sorted(search.values(s), key=lambda option: -option[1])
        drawn = lots.random()
        if s.turn < OPENING or drawn < WILD:
            action = lots.choice(options)[0]
        elif drawn < WILD + CARELESS:
            action = lots.choice(options[:4])[0]
        else:
            action = search.choose(s, s.mover, playouts=positions).action
        rules.step(s, [action, action], None)
    return states, rules.winner(s)


def lines_of(states: list[Any], winner: int, count: Any, backend: Any, room: Any) -> tuple[list[Any], list[float]]:
    """What the positions of a match count, each for the seat that has just moved, and what that seat got."""
    row = backend.worlds(LAYOUT, states)
    found, results = [], []
    for at in range(FIRST, len(states)):
        seat = 1 - states[at].mover
        count(row, at, seat, room)
        found.append(np.array(room["found"]))
        results.append(0.5 if winner < 0 else float(winner == seat))
    return found, results


def fit(lines: Any, results: Any) -> Any:
    """The weights of the logistic regression, by Newton's method."""
    weights = np.zeros(lines.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(lines @ weights, -30, 30)))
        slope = lines.T @ (chance - results) + PENALTY * weights
        bend = (lines * (chance * (1 - chance))[:, None]).T @ lines + PENALTY * np.eye(len(weights))
        change = np.linalg.solve(bend, slope)
        weights -= change
        if abs(change).max() < 1e-6:
            break
    return weights


def surprise(lines: Any, results: Any, weights: Any) -> float:
    """The mean surprise by the results (cross entropy); 0.693 is a coin's."""
    chance = np.clip(1 / (1 + np.exp(-lines @ weights)), 1e-9, 1 - 1e-9)
    return float(-(results * np.log(chance) + (1 - results) * np.log(1 - chance)).mean())


def main() -> int:
    """Play, fit, print; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1, help="of the first match")
    parser.add_argument("--positions", type=int, default=3000, help="that are searched in a turn")
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
    table, goals, aside = np.array(lines), np.array(results), np.array(kept)
    weights = fit(table[~aside], goals[~aside])
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
