"""How strong a bot is: seeded matches against others, the share of wins, and its interval.

    python benchmarks/strength.py drop-block hunter random random random --matches 200 --seed 1

The first bot is the candidate. It gets every seat in turn, the others fill the rest in their order; match number i
has the seed SEED + i, so that any of them can be played again by `dohyo play`. All cores play, each one match at a
time. Each match is a real one: processes, pipes, clocks, the game's usual referee. Only the limits of the clock are
ten times the game's, because a machine with busy cores is slow, and this measures strength, not speed: the slowest
turn is printed, and `--patience 1` keeps the game's own limits.

A win is a match whose winner is the candidate; a draw one without a winner. Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from statistics import median
from typing import NamedTuple

from msgspec.structs import replace

from dohyo import bots, games
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.match.clocks import read_clock
from dohyo.match.play import Interrupted, play_match

NORMAL_95 = 1.959964  # standard errors on either side that hold 95 % of a normal distribution


class Task(NamedTuple):
    """One match to play."""

    game: str
    bots: tuple[str, ...]  # by seat
    seat: int  # the candidate's
    seed: int
    setup: Mapping[str, str]
    clock: Clock


class Played(NamedTuple):
    """What one match says about the candidate."""

    seat: int
    outcome: str  # "win", "draw" or "loss"
    turns: int
    faults: Counter[tuple[str, str]]  # by bot and kind, everybody's
    slowest: float  # seconds, the candidate's longest turn


class Interval(NamedTuple):
    """A share, and the bounds between which the true one lies with 95 % confidence."""

    share: float
    low: float
    high: float


def wilson(wins: int, matches: int) -> Interval:
    """The share of wins with its interval.

    Source: Wilson, Probable inference, the law of succession, and statistical inference (JASA 22, 1927).
    """
    share, square = wins / matches, NORMAL_95**2
    middle = (share + square / (2 * matches)) / (1 + square / matches)
    reach = NORMAL_95 * sqrt(share * (1 - share) / matches + square / (4 * matches**2)) / (1 + square / matches)
    return Interval(share, max(0.0, middle - reach), min(1.0, middle + reach))


def tasks(words: argparse.Namespace, setup: Mapping[str, str], clock: Clock) -> Iterator[Task]:
    """The matches, in order."""
    candidate, *others = words.bots
    for number in range(words.matches):
        seat = number % len(words.bots)
        seated = (*others[:seat], candidate, *others[seat:])
        yield Task(words.game, seated, seat, words.seed + number, setup, clock)


def play(task: Task) -> Played | None:
    """Play one match; none when it was interrupted."""
    try:
        replay = play_match(task.game, task.bots, seed=task.seed, setup=task.setup, clock=task.clock, sandbox="none")
    except Interrupted:
        return None
    moves = [move for turn in replay.turns for move in turn.moves] + list(replay.result.last)
    faults = Counter((task.bots[move.seat], str(fault.kind)) for move in moves for fault in move.faults)
    slowest = max((move.seconds or 0 for move in moves if move.seat == task.seat), default=0)
    winner = replay.result.winner
    outcome = "draw" if winner is None else "win" if winner == task.seat else "loss"
    return Played(task.seat, outcome, len(replay.turns), faults, slowest)


def play_all(words: argparse.Namespace, setup: Mapping[str, str], clock: Clock) -> list[Played]:
    """Play all matches on all cores."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    played = []
    with ProcessPoolExecutor(words.workers or cores) as pool:
        try:
            for one in pool.map(play, tasks(words, setup, clock)):
                if one is None:
                    raise KeyboardInterrupt
                played.append(one)
                if sys.stderr.isatty():
                    print(f"\r{len(played)} of {words.matches}", end="", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    return played


def line(name: str, played: Sequence[Played]) -> str:
    """Wins, draws and losses of some matches, with the share of wins."""
    count = Counter(one.outcome for one in played)
    found = wilson(count["win"], len(played))
    return (
        f"{name:<8} {len(played):>7} {count['win']:>6} {count['draw']:>6} {count['loss']:>7}"
        f"   {found.share:6.1%}   {found.low:.1%} .. {found.high:.1%}"
    )


def show(words: argparse.Namespace, played: Sequence[Played]) -> None:
    """Print the table, the faults and the closing line."""
    candidate, *others = words.bots
    last = words.seed + words.matches - 1
    print(f"{words.game}: {candidate} against {', '.join(others)}; seeds {words.seed} .. {last}")
    print(f"{'':<8} matches   wins  draws  losses    wins   95 % interval")
    for seat in sorted({one.seat for one in played}):
        print(line(f"seat {seat}", [one for one in played if one.seat == seat]))
    print(line("all", played))
    print(f"turns of a match, median: {median(one.turns for one in played):g}")
    print(f"slowest turn of {candidate}: {max(one.slowest for one in played) * 1000:.1f} ms")
    faults = sum((one.faults for one in played), Counter[tuple[str, str]]())
    said = (f"{bot} {kind} {count}" for (bot, kind), count in sorted(faults.items()))
    print(f"faults: {', '.join(said) or 'none'}")
    found = wilson(sum(one.outcome == "win" for one in played), len(played))
    print(
        f"wins={sum(one.outcome == 'win' for one in played)} share={found.share:.3f}"
        f" low={found.low:.3f} high={found.high:.3f}"
    )


def examine(words: argparse.Namespace, setup: Mapping[str, str]) -> Clock:
    """Refuse what cannot be played before any match is started, and build the bots once; the clock to play by.

    Raises `OperatorError` for what the operator got wrong.
    """
    game = games.find(words.game)
    resolve(game.options, setup)
    clock = read_clock(game, words.clock)
    fewest, most = game.seats
    if not fewest <= len(words.bots) <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} - {most}"
        raise OperatorError("wrong-number-of-bots", game=game.name, wanted=wanted, given=len(words.bots))
    bots.resolve(words.bots, bots.samples(Path(game.folder) / "bots"))
    first = clock.first and clock.first * words.patience
    return replace(
        clock, turn=clock.turn * words.patience, first=first, ready=clock.ready * words.patience, preset=""
    )


def main() -> int:
    """Read the words, play, print; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("bots", nargs="+", help="the candidate, then the others: as `dohyo play` takes them")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of the first match")
    parser.add_argument("--setup", nargs="+", default=[], metavar="KEY=VALUE")
    parser.add_argument("--clock", help="a preset of the game, or seconds a turn")
    parser.add_argument("--patience", type=float, default=10.0, help="times the clock's limits; 10 by default")
    parser.add_argument("--workers", type=int, help="matches at a time; by default one a core")
    words = parser.parse_args()
    if words.matches < 1 or words.patience <= 0:
        parser.error("--matches: at least 1; --patience: above 0")
    if any("=" not in pair for pair in words.setup):
        parser.error("--setup: KEY=VALUE")
    setup = dict(pair.split("=", 1) for pair in words.setup)
    try:
        played = play_all(words, setup, examine(words, setup))
    except OperatorError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    show(words, played)
    return 0


if __name__ == "__main__":
    sys.exit(main())
