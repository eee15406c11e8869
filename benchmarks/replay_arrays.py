"""How many times as quick replays become arrays by `dohyo.data` as by stepping in Python; the goal is 10.

    python benchmarks/replay_arrays.py [GAME ...] [--decisions 10000] [--files FOLDER] [--small]

Of each game (by default the four contests' and connect four) replays of random play with so many decisions are made,
and encoded as they are kept. Then both ways are timed in turn, nine times, by processor time: `dohyo.data.load` on
the files, and `playback.moments` with a plain observation and mask for each move, and the result's worth at the end.
Both decode the files and give the same arrays, which is checked. With `--files FOLDER` they are the replays in a
folder, of one game. --small: a look at whether it runs. Extra `fast`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy

import dohyo.data
from dohyo import games
from dohyo.core import playback
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode, encode
from dohyo.core.rewards import rewards_of
from dohyo.data.again import Again
from dohyo.data.wish import Wish
from dohyo.laws.matches import play

GAMES = ("drop-block", "shoot-em-up", "abotcalypse", "wondev-woman", "connect-four")
GOAL = 10


def stepped(game: Game, files: Sequence[Path]) -> tuple[Any, Any, Any, Any]:
    """Observations, masks, actions and returns, state by state in Python."""
    assert game.observation is not None
    shape = (len(game.observation.PLANES), *game.observation.SHAPE)
    kind, row, options = game.observation.KIND, [0.0] * prod(shape), [0] * game.rules.ACTIONS
    seen: list[Any] = []
    masks: list[Any] = []
    actions: list[Any] = []
    returns: list[float] = []
    for file in files:
        replay = decode(file.read_bytes())
        worth = rewards_of(game, len(replay.header.seats))
        of_seat: dict[int, list[tuple[Any, Any, int]]] = {}
        for moment in playback.moments(game, replay):
            for move in moment.turn.moves:
                game.observation.observe(moment.before, move.seat, row)
                mask = numpy.zeros(game.rules.ACTIONS, numpy.int8)
                mask[options[: game.rules.legal(moment.before, move.seat, options)]] = 1
                action = moment.actions[move.seat]
                assert action is not None
                decision = (numpy.array(row, kind).reshape(shape), mask, action)
                of_seat.setdefault(move.seat, []).append(decision)
            last = moment.after
        payoffs = worth.payoffs_of(last)
        for seat in sorted(of_seat):
            for decision in of_seat[seat]:
                seen.append(decision[0])
                masks.append(decision[1])
                actions.append(decision[2])
                returns.append(payoffs[seat])
    return numpy.array(seen), numpy.array(masks), numpy.array(actions), numpy.array(returns, numpy.float32)


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds, and what came back."""
    begun = time.process_time()
    found = call()
    return time.process_time() - begun, found


def measure(game: Game, files: Sequence[Path], times: int) -> str:
    """A line about a game's replays."""
    begun = time.process_time()
    Again(game, Wish()).ready()  # also what is compiled after 16,384 replays only, unless it ships
    dohyo.data.load(files, game=game)
    first = time.process_time() - begun
    quick, slow = [], []
    for _ in range(times):
        spent, found = timed(lambda: dohyo.data.load(files, game=game))
        quick.append(spent)
        spent, wanted = timed(lambda: stepped(game, files))
        slow.append(spent)
        assert (found.observations == wanted[0]).all()
        assert (found.masks == wanted[1]).all()
        assert (found.actions == wanted[2]).all()
        assert (found.returns == wanted[3]).all()
    ratio = min(slow) / min(quick)
    each = [1000 * min(spent) / len(files) for spent in (quick, slow)]
    return (
        f"{game.name:13} ratio={ratio:.1f} goal {GOAL}: {'reached' if ratio >= GOAL else 'not reached'}"
        f"  ({len(files)} files, {1000 / each[0]:.0f} a second;"
        f" {each[0]:.2f} and {each[1]:.1f} ms a replay of {len(found) / len(files):.0f} decisions,"
        f" ready after {first:.1f} s)"
    )


def written(game: Game, folder: Path, decisions: int) -> list[Path]:
    """Files of matches of random play with so many decisions together."""
    found: list[Path] = []
    while decisions > 0:
        replay: Replay = play(game, len(found)).replay
        decisions -= sum(len(turn.moves) for turn in replay.turns)
        found.append(folder / f"{len(found)}.replay.zst")
        found[-1].write_bytes(encode(replay, compressed=True))
    return found


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--decisions", type=int, default=10_000)
    parser.add_argument("--files", type=Path)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    decisions, times = (50, 1) if options.small else (options.decisions, 9)
    if options.files is not None:
        files = sorted(options.files.glob("*.replay*"))
        print(measure(games.find(decode(files[0].read_bytes()).header.game), files, times), flush=True)
        return
    for name in options.games:
        game = games.find(name)
        with tempfile.TemporaryDirectory() as folder:
            print(measure(game, written(game, Path(folder), decisions), times), flush=True)


if __name__ == "__main__":
    main()
