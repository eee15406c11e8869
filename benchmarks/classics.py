"""Random play of the classic games of `dohyo.classics` and two examples, beside OpenSpiel's in C++.

One thread each, alternating:

    python -m venv /tmp/peers && /tmp/peers/bin/pip install open_spiel==2.0.2
    python benchmarks/classics.py --open-spiel /tmp/peers/bin/python

For each game it prints the median of turns a second (ours in a batch, theirs by its random bots, which play a whole
game in C++, and by the rollouts of its search, of which the faster counts), and their ratio. Seconds are of processor
time, so that other work on the machine disturbs less. Turns are decisions of players; dice are none on either side.
In backgammon ours has two where theirs has one: there it is games that are compared, told in their turns.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "examples"
GAMES = {  # our file, and what OpenSpiel calls it
    "othello": "othello",
    "chess": "chess",
    "go": "go(board_size=9,komi=7.5)",
    "hex": "hex(board_size=11)",
    "backgammon": "backgammon",
    "kuhn_poker": "kuhn_poker",
    "leduc_poker": "leduc_poker",
    "goofspiel": "goofspiel(num_cards=6,players=2,imp_info=True)",
    "pig": "pig(players=2,winscore=50,horizon=100000)",
}
OTHER_TURNS = ("backgammon",)  # ours moves one checker in a turn, theirs two: the games count
SLOTS, TURNS, LENGTHS = 1024, 200, 300
THEIRS = """
import json, sys, time
import pyspiel
ways = {}
def by_bots(game, bots, seeds):
    turns = 0
    state = game.new_initial_state()
    pyspiel.evaluate_bots(state, bots, next(seeds))
    return state
for line in sys.stdin:
    name, seconds, lengths = json.loads(line)
    if name not in ways:
        import itertools
        game = pyspiel.load_game(name)
        bots = [pyspiel.make_uniform_random_bot(p, p + 1) for p in range(2)]
        seeds = itertools.count(1)
        simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        total = 0
        for _ in range(lengths):
            history = by_bots(game, bots, seeds).full_history()
            total += sum(p.player >= 0 for p in history) / (2 if simultaneous else 1)
        evaluator = None
        if not simultaneous and game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC:
            evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=20, seed=3)
            evaluator = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 5, False)
        ways[name] = game, bots, seeds, total / lengths, evaluator
    game, bots, seeds, length, search = ways[name]
    found = []
    start, games = time.process_time(), 0
    while time.process_time() - start < seconds:
        by_bots(game, bots, seeds); games += 1
    found.append(games * length / (time.process_time() - start))
    if search:
        start, games = time.process_time(), 0
        while time.process_time() - start < seconds:
            search.mcts_search(game.new_initial_state()); games += 20
        found.append(games * length / (time.process_time() - start))
    print(json.dumps([max(found), length]), flush=True)
"""


def main() -> None:
    """Measure all games, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(GAMES)}; all without one")
    parser.add_argument("--open-spiel", default=sys.executable, metavar="PYTHON", help="that has open_spiel")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure of a round")
    parser.add_argument("--rounds", type=int, default=3)
    words = parser.parse_args()
    theirs = subprocess.Popen(
        [words.open_spiel, "-c", THEIRS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    print(f"{'game':22}{'ours, M turns/s':>16}{'theirs':>9}{'ratio':>8}{'their turns a game':>20}", flush=True)
    for name in words.names or GAMES:
        measure(name, theirs, words.rounds, words.seconds)
    theirs.stdin.close()  # type: ignore[union-attr]
    theirs.wait()


def measure(name: str, theirs: subprocess.Popen[str], rounds: int, seconds: float) -> None:
    """One line of the table."""
    from dohyo.sim import BatchMatch

    batch = BatchMatch(_game(name), SLOTS, 1, threads=1)
    batch.rollout(TURNS)  # compiled here, and games of all ages
    found = []
    for _ in range(rounds):
        start, turns, ended = process_time(), 0, 0
        while process_time() - start < seconds:
            played = batch.rollout(TURNS)
            turns, ended = turns + played.turns, ended + played.games
        mine = turns / (process_time() - start)
        assert theirs.stdin is not None
        assert theirs.stdout is not None
        theirs.stdin.write(json.dumps([GAMES[name], seconds, LENGTHS]) + "\n")
        theirs.stdin.flush()
        other, length = json.loads(theirs.stdout.readline())
        found.append((mine * length * ended / turns if name in OTHER_TURNS else mine, other, length))
    mine, other = (median(each[at] for each in found) for at in (0, 1))
    ratio = median(each[0] / each[1] for each in found)
    print(f"{name:22}{mine / 1e6:16.3f}{other / 1e6:9.3f}{ratio:8.1f}{found[0][2]:20.1f}", flush=True)


def _game(name: str) -> Any:
    """A classic game by its name, or an example in one file."""
    from dohyo import games

    file = FOLDER / f"{name}.py"
    return games.load(file) if file.exists() else games.find(name)


if __name__ == "__main__":
    main()
