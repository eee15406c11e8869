"""What a turn costs the referee, beside the bare exchange of the same bytes with the same bots.

    python benchmarks/match_overhead.py [GAME] [--rounds 15]

The same C bots, on the same core, in the same run: a bare loop in C (`c/pipe_floor.c`: blocking writes and reads, no
rules, no clocks, no replay) is the floor that the operating system sets; beside it our whole match. Rounds of both
alternate, because a machine's speed drifts. The bytes are those of our own match: it is played once before, and its
prompts are recorded.

Both are timed from the end of the first turn to the end of the last: starting the programs, READY and the first turn
are in neither. `ratio` is the median of the rounds' ratios, `turn_ratio` the same of each round's median turn, which
other work on the machine disturbs less. `pause_us` is what a turn takes longer when bots that are not to move are
paused (`--no-pondering`): the median of the rounds' differences between median turns; no ratio has it in it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from time import monotonic_ns
from typing import Any, NamedTuple

from dohyo import games
from dohyo.core import playback
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.run.table import play_match

SOURCES = Path(__file__).parent / "c"
RECORD = struct.Struct("=II")  # seat, length of what follows

Turns = list[int]  # nanoseconds that each turn took


class Case(NamedTuple):
    """A match to measure: the bot on every seat (a source under `c/`), and the setup."""

    bot: str
    seats: int
    setup: Mapping[str, Any]


CASES = {"drop-block": Case("echo_bot.c", 4, {"turns": 1000})}


def compile_c(source: str, folder: Path) -> Path:
    """Build a program of `c/` with the machine's compiler."""
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    if compiler is None:
        sys.exit("A C compiler is needed (in Debian: apt install gcc libc6-dev).")
    program = folder / Path(source).stem
    subprocess.run([compiler, "-O2", "-o", program, SOURCES / source], check=True)
    return program


def pin() -> str:
    """Keep this process, and so all programs that it starts, on one core; says which."""
    if not hasattr(os, "sched_setaffinity"):
        return "not pinned to a core"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"core {core}"


def between(ends: Sequence[int]) -> Turns:
    """The turns between moments."""
    return [end - start for start, end in pairwise(ends)]


def play(game: Game, case: Case, bot: Path, pondering: bool = True) -> tuple[Turns, Replay]:
    """Play our match."""
    ends: list[int] = []
    words = [str(bot)] * case.seats
    options: dict[str, Any] = {"setup": case.setup, "pondering": pondering, "sandbox": "none"}
    replay = play_match(game, words, on_turn=lambda _: ends.append(monotonic_ns()), **options)
    if any(move.faults for turn in replay.turns for move in turn.moves):
        sys.exit("A bot misbehaved: this run measures nothing.")
    return between(ends), replay


def exchange(floor: Path, recording: Path, game: Game, case: Case, bot: Path) -> Turns:
    """Exchange the recorded bytes, and nothing else."""
    words = [str(floor), str(recording), str(case.seats), game.wire.READY, str(bot)]
    return between([int(end) for end in subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout.split()])


def record(game: Game, replay: Replay, target: Path) -> None:
    """Write every prompt of a match, in order, as `pipe_floor` reads them."""
    with target.open("wb") as file:
        for moment in playback.moments(game, replay):
            for move in moment.turn.moves:
                prompt = game.prompt(moment.before, move.seat)
                file.write(RECORD.pack(move.seat, len(prompt)) + prompt)


def measure(game: Game, case: Case, rounds: int, folder: Path) -> tuple[list[Turns], list[Turns], list[Turns]]:
    """Alternate the floor, our match, and our match with pauses; the turns of each round of each."""
    bot, floor = compile_c(case.bot, folder), compile_c("pipe_floor.c", folder)
    recording = folder / "prompts"
    record(game, play(game, case, bot)[1], recording)
    bare, ours, paused = [], [], []
    for _ in range(rounds):
        bare.append(exchange(floor, recording, game, case, bot))
        ours.append(play(game, case, bot)[0])
        paused.append(play(game, case, bot, pondering=False)[0])
    return bare, ours, paused


def show(name: str, rounds: Sequence[Turns]) -> None:
    """One line for a way to play."""
    means = [fmean(turns) / 1000 for turns in rounds]
    middle = median(means)
    print(
        f"{name}  turns/s={1e6 / middle:.0f}  us={middle:.2f} (rounds {min(means):.2f} .. {max(means):.2f})"
        f"  median_turn_us={median(median(turns) for turns in rounds) / 1000:.2f}"
    )


def ratio(bare: Sequence[Turns], ours: Sequence[Turns], of: Callable[[Turns], float]) -> float:
    """How many times the floor our match takes: the median over the rounds."""
    return median(of(mine) / of(floor) for floor, mine in zip(bare, ours, strict=True))


def main() -> None:
    """Read the words, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="drop-block", choices=sorted(CASES), metavar="GAME")
    parser.add_argument("--rounds", type=int, default=15)
    words = parser.parse_args()
    game, case = games.find(words.game), CASES[words.game]
    place = pin()
    with tempfile.TemporaryDirectory() as folder:
        bare, ours, paused = measure(game, case, words.rounds, Path(folder))
    print(f"{game.name}: {case.seats} C bots x {len(ours[0]) + 1} turns, {words.rounds} rounds of each, {place}")
    show("floor", bare)
    show("ours ", ours)
    pause = median(median(slow) - median(usual) for slow, usual in zip(paused, ours, strict=True))
    print(f"pause_us={pause / 1000:.2f}")
    print(f"turn_ratio={ratio(bare, ours, median):.2f}")
    print(f"ratio={ratio(bare, ours, fmean):.2f}")


if __name__ == "__main__":
    main()
