"""The weights of Wondev Woman's sensei, fitted to matches that it plays against itself.

    python benchmarks/fit_wondev_woman.py --matches 560 --seed 500000

Both seats search a quarter of `--positions` positions a turn, of a board without fog, and now and then play something
else, so that matches differ. In each turn `--positions` are searched from there, or from where one or two drawn
actions lead: a search mostly judges what nobody would play. Each of these boards is one line of a logistic
regression: the chance to win by the evaluation, which is linear in its weights. It is fitted to a mean of who has won
in the end (`RESULT` of it), which says little of an early board, and of the chance by what the search has found
there. Prints weights that can stand in `evaluation.py`, and how much they explain of matches that they were not
fitted to, beside the ones that stand there. These are from 131,655 boards of 1,500 such matches, of a search in C++
over 2,500 positions a board, with the weights that 560 matches of this command had led to and a PENALTY of 3.
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
from dohyo.core.flat import Layout, flat, popcount
from dohyo.core.options import resolve
from dohyo.search import AlphaBeta
from dohyo.search.backend import backend_of

GAME = games.find("wondev-woman")
LAYOUT = GAME.rules.LAYOUT
sys.path.insert(0, str(Path(GAME.folder) / "bots" / "sensei"))
import evaluation  # noqa: E402  (the bot's own modules, found in its folder)
import sensei  # noqa: E402

OPENINGS = 0, 1, 2, 4  # turns of any actions
WILD, CARELESS = 0.02, 0.04  # how likely an action is any one, or one of the four that look best
FIRST = 2  # the first turn that counts
ASIDE = 0, 1, 1, 2  # drawn actions before a board counts
LIKELY = 0.7  # how often they are of the better third
RESULT = 0.3  # how much of a line is who has won
CLEAR = 8.0  # log odds that count as a won match
PENALTY = 5.0  # on the weights' squares
ROOM = Layout("Room", ("unit", "i8", evaluation.FEATURES), ("found", "f8", evaluation.FEATURES))
worth: Any = None


@flat
def features(states: Any, at: int, seat: int, room: Any) -> None:
    """Fill `found` with what each weight counts on a board."""
    for i in range(len(room.unit)):
        room.unit[i] = 1
        room.found[i] = worth(states[at], seat, room.unit, 0)
        room.unit[i] = 0


def chance(worth: Any) -> Any:
    """The chance to win, by its log odds."""
    return 1 / (1 + np.exp(-np.clip(worth, -30, 30)))


def play(search: AlphaBeta, seed: int, positions: int) -> tuple[list[tuple[Any, float]], int]:
    """Boards of a match, and beside it, with what the search has found there; and who has won, or -1."""
    rules, lots = GAME.rules, random.Random(seed)
    s = GAME.new_state(resolve(GAME.options, {"league": "wood1"}), 2)
    dice = [0] * rules.DICE
    rules.roll(s, GAME.source(seed), dice)
    rules.deal(s, dice, None)
    opening = lots.choice(OPENINGS)
    searched = []
    while not rules.over(s):
        drawn = lots.random()
        if s.turn < opening or drawn < WILD:
            action = lots.choice(search.values(s))[0]
        elif drawn < WILD + CARELESS:
            action = lots.choice(best_first(search, s)[:4])[0]
        else:
            action = search.choose(s, s.mover, playouts=positions // 4).action
        if s.turn >= FIRST:
            other = beside(search, s, lots)
            choice = None if rules.over(other) else search.choose(other, other.mover, playouts=positions)
            if choice and choice.playouts:
                searched.append((other, choice.value))
        rules.step(s, [action, action], None)
    return searched, rules.winner(s)


def best_first(search: AlphaBeta, s: Any) -> list[tuple[int, float]]:
    """What may be done, with the value right after it, the best first."""
    return sorted(search.values(s), key=lambda option: -option[1])


def beside(search: AlphaBeta, s: Any, lots: random.Random) -> Any:
    """A board to which a few drawn actions lead, perhaps none."""
    other = LAYOUT.copy(s)
    for _ in range(lots.choice(ASIDE)):
        if not GAME.rules.over(other):
            options = best_first(search, other)
            some = options[: max(2, len(options) // 3)] if lots.random() < LIKELY else options
            action = lots.choice(some)[0]
            GAME.rules.step(other, [action, action], None)
    return other


def lines_of(searched: list[Any], winner: int, count: Any, backend: Any, room: Any) -> tuple[list[Any], list[Any]]:
    """What the boards of a match count, for whose turn it is, and by line who has won and what was found."""
    if not searched:
        return [], []
    row = backend.worlds(LAYOUT, [s for s, _ in searched])
    found, results = [], []
    for at, (s, value) in enumerate(searched):
        count(row, at, s.mover, room)
        before, part = evaluation.place(popcount(s.low[evaluation.TOP]))
        line = np.zeros((len(evaluation.PHASES), evaluation.FEATURES))
        line[before], line[before + 1] = (1 - part) * room["found"], part * room["found"]
        found.append(line.ravel())
        results.append((0.5 if winner < 0 else float(winner == s.mover), chance(np.clip(value, -CLEAR, CLEAR))))
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
    parser.add_argument("--matches", type=int, default=560)
    parser.add_argument("--seed", type=int, default=1, help="of the first match")
    parser.add_argument("--positions", type=int, default=12000, help="that are searched for a board")
    words = parser.parse_args()
    if words.matches < 2 or words.positions < 4:
        parser.error("--matches: at least 2; --positions: at least 4")
    search = sensei.make(True)
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
    known = np.array(evaluation.WEIGHTS) / evaluation.UNIT
    for i in range(0, len(weights), 14):
        print("    " + ", ".join(f"{weight * evaluation.UNIT:.0f}" for weight in weights[i : i + 14]) + ",")
    print(
        f"positions={len(goals)} surprise={surprise(table[aside], goals[aside], weights):.4f}"
        f" known={surprise(table[aside], goals[aside], known):.4f}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
