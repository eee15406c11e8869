"""How strong the network is: matches against `dohyo.search.Search` (UCT), both with a fixed number of playouts.

    python measure.py zero/weights.npz --playouts 800 --uct 10000 --matches 100

Half of the matches are begun by each side. They begin on the empty board; `--drawn N` plays N random turns before.
Nothing depends on how busy the machine is.
"""

# ruff: noqa: E402  (what NumPy reads at its import is set before)

from __future__ import annotations

import argparse
import os
import sys
import time
from math import log10, sqrt
from pathlib import Path
from random import Random
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
sys.path.insert(0, str(Path(__file__).parent / "zero"))

from network import Network, load

from dohyo import games
from dohyo.core.options import resolve
from dohyo.search import PUCT, Search


def openings(game: Any, matches: int, drawn: int, seed: int) -> list[Any]:
    """The positions that matches begin with: each twice, for both sides."""
    chance, rules, found = Random(seed), game.rules, []
    options = [0] * rules.ACTIONS
    while len(found) < matches:
        state = game.new_state(resolve(game.options, {}), 2)
        for _ in range(drawn):
            seat = state.turn & 1
            actions = [0, 0]
            actions[seat] = options[chance.randrange(rules.legal(state, seat, options))]
            rules.step(state, actions, None)
        if not rules.over(state):
            found += [state, rules.LAYOUT.copy(state)]
    return found[:matches]


def measure(network: Network, playouts: int, uct: int, matches: int, drawn: int = 0, seed: int = 0) -> list[float]:
    """The network's result of each match: 1 won, 0.5 drawn, 0 lost. It has the seats 0, 1, 0, 1, ..."""
    game = games.find("connect-four")
    rules = game.rules
    states = openings(game, matches, drawn, seed)
    ours = PUCT(game, 2, network, compiled=True, positions=matches, leaves=4, nodes=4 * playouts + 64, seed=seed)
    theirs = Search(game, 2, compiled=True, seed=seed)
    while any(not rules.over(state) for state in states):
        chosen: dict[int, int] = {}
        asked = [at for at, state in enumerate(states) if not rules.over(state) and state.turn & 1 == at & 1]
        if asked:
            thought = ours.think([states[at] for at in asked], playouts=playouts)
            chosen = {at: int(thought.visits[i, at & 1].argmax()) for i, at in enumerate(asked)}
        for at, state in enumerate(states):
            if rules.over(state):
                continue
            seat = state.turn & 1
            actions = [0, 0]
            actions[seat] = chosen[at] if at in chosen else theirs.choose(state, seat, playouts=uct).action
            rules.step(state, actions, None)
    winners = [rules.winner(state) for state in states]
    return [0.5 if winner < 0 else float(winner == at & 1) for at, winner in enumerate(winners)]


def interval(score: float, count: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share."""
    z = 1.96
    middle = (score + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * sqrt(score * (1 - score) / count + z * z / (4 * count * count))
    return middle - half, middle + half


def main() -> None:
    """Read the command line, play, print a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--playouts", type=int, default=800, help="of the network's search, in each turn")
    parser.add_argument("--uct", type=int, default=10_000, help="playouts of UCT, in each turn")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--drawn", type=int, default=0, help="random turns at the start")
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    begin = time.process_time()
    results = measure(load(told.weights), told.playouts, told.uct, told.matches, told.drawn, told.seed)
    score = sum(results) / len(results)
    low, high = interval(score, len(results))
    elo = 400 * log10(max(score, 0.001) / max(1 - score, 0.001))
    counts = "-".join(str(results.count(each)) for each in (1.0, 0.0, 0.5))
    print(f"{told.playouts} playouts against UCT {told.uct}: {counts} (won, lost, drawn)", end="  ")
    print(f"{score:.1%} ({low:.1%} to {high:.1%}), Elo {elo:+.0f}; {time.process_time() - begin:.0f} s of processor")


if __name__ == "__main__":
    main()
