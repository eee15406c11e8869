"""How exact each clock is on a busy machine: who is called late without being slow, and how soon a hang is ended.

    python benchmarks/clock_accuracy.py [CLOCK ...] [--turns 10000] [--hangs 100] [--limit 0.01] [--load 2]

Matches of Drop-Block between four C bots run in parallel in `load` times as many workers as there are cores, so that
every bot waits for a processor most of the time. `turns` turns are played for each clock by bots that use half of
their limit as processor time; each turn that is called late is the clock's mistake. Then a bot of each match sleeps
for ever in one of its turns, while the other workers' bots compute. The time that its turn took beyond what was
allowed, until the bot was ended and the match could go on, is printed as the median and the maximum of all hangs.

Allowed is the limit; with a time bank, also the rest of the bank; by processor time, the additional limit in wall
time, because a sleeping bot uses no processor time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median
from time import monotonic
from typing import NamedTuple, TypeVar

from dohyo import games
from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.replay import Move, Replay
from dohyo.match.play import play_match

SOURCE = Path(__file__).parent / "c" / "thinking_bot.c"
SEATS = 4
HANGS_IN = 10  # the turn, of its own, in which a bot hangs
BANK, SHORT_BANK = 30.0, 0.5  # seconds: where nobody is to be late, where somebody hangs
BEHIND = 0.2  # seconds by the watch behind processor time, where somebody hangs
ENOUGH = 100  # late turns of one worker's bots, after which the clock has shown what it is worth
LATE = (FaultKind.TIMEOUT, FaultKind.NOT_READY)


Found = TypeVar("Found")


class Task(NamedTuple):
    """One worker's share: so many turns, or so many hangs, of bots that are started like this."""

    bot: str
    think: int  # microseconds a turn
    clock: Clock
    amount: int
    seed: int


class Counted(NamedTuple):
    """Turns in which bots were asked, and how many were called late."""

    turns: int
    late: int


def clocks(limit: float, hanging: bool) -> dict[str, Clock]:
    """The clocks by name; READY has a limit of its own, and is judged by the same mode."""
    bank = SHORT_BANK if hanging else BANK
    behind = BEHIND if hanging else None
    return {
        "wall": Clock(turn=limit),
        "bank": Clock(turn=limit, bank=bank),
        "fair": Clock(turn=limit, mode="fair"),
        "cpu": Clock(turn=limit, mode="cpu", wall=behind),
    }


def compile_bot(folder: Path) -> str:
    """Build the bot with the machine's compiler."""
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    if compiler is None:
        sys.exit("A C compiler is needed (in Debian: apt install gcc libc6-dev).")
    program = folder / SOURCE.stem
    subprocess.run([compiler, "-O2", "-o", program, SOURCE], check=True)
    return str(program)


def moves(replay: Replay) -> Iterator[Move]:
    """Every seat's part of every turn, and what came afterwards."""
    for turn in replay.turns:
        yield from turn.moves
    yield from replay.result.last


def count_late(task: Task) -> Counted:
    """Play until so many turns were played, or enough were late, with bots that use half their limit."""
    turns = late = number = 0
    game = games.find("drop-block")
    while turns < task.amount and late < ENOUGH:
        number += 1
        setup = {"turns": max(SEATS, min(1000, task.amount - turns))}
        bots = [f"{task.bot} {task.think}"] * SEATS
        replay = play_match(game, bots, seed=task.seed + number, setup=setup, clock=task.clock)
        for move in moves(replay):
            turns += move.seconds is not None
            late += any(fault.kind in LATE for fault in move.faults)
    return Counted(turns, late)


def time_hangs(task: Task) -> list[float]:
    """Let the first seat's bot hang in so many matches; seconds that each hang took beyond what was allowed."""
    found: list[float] = []
    game = games.find("drop-block")
    for number in range(task.amount):
        ends: list[float] = []
        bots = [f"{task.bot} {task.think} {HANGS_IN}"] + [f"{task.bot} {task.think}"] * (SEATS - 1)
        replay = play_match(
            game,
            bots,
            seed=task.seed + number,
            setup={"turns": SEATS * HANGS_IN + 1},
            clock=task.clock,
            on_turn=lambda _, ends=ends: ends.append(monotonic()),  # type: ignore[misc]
        )
        if (over := overrun(replay, task.clock, ends)) is not None:
            found.append(over)
    return found


def overrun(replay: Replay, clock: Clock, ends: Sequence[float]) -> float | None:
    """What the turn in which the first seat hung took too long; none where it was called late before that."""
    bank, asked = clock.bank, 0
    for turn, end in enumerate(ends):
        for move in replay.turns[turn].moves:
            if move.seat or move.seconds is None:
                continue
            asked += 1
            if any(fault.kind is FaultKind.TIMEOUT for fault in move.faults):
                allowed = clock.behind(clock.turn) if clock.mode == "cpu" else clock.turn + bank
                return end - ends[turn - 1] - allowed if asked == HANGS_IN else None
            bank = move.bank or 0.0
    return None


def share(pool: ProcessPoolExecutor, workers: int, task: Task, play: Callable[[Task], Found]) -> list[Found]:
    """Give each worker its share of a task."""
    amount = -(-task.amount // workers)
    return list(pool.map(play, [task._replace(amount=amount, seed=worker * 1_000_000) for worker in range(workers)]))


def main() -> None:
    """Read the words, measure, print."""
    names = list(clocks(1.0, hanging=False))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clocks", nargs="*", metavar="CLOCK", help=f"any of {', '.join(names)}; all of them without")
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--hangs", type=int, default=100)
    parser.add_argument("--limit", type=float, default=0.01, help="seconds a turn")
    parser.add_argument("--load", type=int, default=2, help="workers for each core")
    words = parser.parse_args()
    if unknown := set(words.clocks) - set(names):
        parser.error(f"no clock {', '.join(sorted(unknown))}; take any of {', '.join(names)}")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    workers = cores * words.load
    print(f"drop-block: {SEATS} C bots that use half of {words.limit:g} s, {workers} workers on {cores} cores")
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(workers) as pool:
        bot = compile_bot(Path(folder))
        think = int(words.limit * 1_000_000 / 2)
        for name in words.clocks or names:
            usual, hanging = (clocks(words.limit, hanging)[name] for hanging in (False, True))
            counted = share(pool, workers, Task(bot, think, usual, words.turns, 0), count_late)
            shares = share(pool, workers, Task(bot, think, hanging, words.hangs, 0), time_hangs)
            hangs = [over for shared in shares for over in shared]
            turns, late = sum(one.turns for one in counted), sum(one.late for one in counted)
            told = f"median_ms={median(hangs) * 1000:.1f} worst_ms={max(hangs) * 1000:.1f}" if hangs else "none timed"
            print(f"{name:<4}  turns={turns} late={late}  hangs={len(hangs)} {told}", flush=True)


if __name__ == "__main__":
    main()
