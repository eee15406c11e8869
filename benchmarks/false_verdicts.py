"""Whether a busy machine makes quick bots late, and whether bots that are late are told so: the clock of contests.

    python benchmarks/false_verdicts.py [--layer 1 --layer turn ...] [--load quiet --load busy-20 ...]
        [--matches 100] [--late 4] [--limit 0.1] [--workers 2] [--full] [--show]

Quick: matches of Drop-Block between four C bots that answer at once (`c/told_bot.c`), by `mode=fair`, paused while
they are not to move, as in contests; in layer `turn`, of aBOTcalypse, where each bot is started for each turn. Every
fault is a false verdict. It is printed with the referee's proof, and with the bot's own clock: when it had read and
when it had written. A match that is set aside as disturbed is no verdict, and is counted beside.

Late: the same, and the first bot is late in one of its turns in one of ten ways: it sleeps, sleeps in small pieces,
computes, awaits a child, computes in two threads by turns, reads a disk, reads pages of a file in its memory, waits
until its file is on the disk, starts processes, writes without the end of the line. `told` is how many of them were
called late; `after_ms` the median of how long after its limit, by the clock that counts, that was said.

Loads, besides `quiet`: `busy-N` loops; `wakes`, 16 processes that sleep and compute by turns, for a few milliseconds
each; `memory`, processes that fill memory and touch it; `disk`, writing, and reading what was removed from the
system's cache; `starts`, many processes that begin and end; `compilers`, C that is generated and compiled;
`mixed`, all of these at once. For each layer and load there is one line; the last line is the sum. With --full there
are 20,000 matches and 1,000 late bots, in all layers and under all loads.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from busy_cores import BUSY
from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.replay import Move, Replay
from dohyo.match.play import play_match
from dohyo.sandbox import at_layer

SOURCE = Path(__file__).parent / "c" / "told_bot.c"
KINDS = ("sleeps", "naps", "spins", "child", "threads", "reads", "faults", "syncs", "starts", "no-line")
LAYERS = ("1", "2", "3", "none", "turn")
LOADS = (
    "quiet",
    "busy-5",
    "busy-20",
    "busy-60",
    "busy-120",
    "wakes",
    "memory",
    "disk",
    "starts",
    "compilers",
    "mixed",
)
MIXED = ("busy-5", "wakes", "memory", "disk", "starts", "compilers")
SEATS, TURNS = 4, 40
LATE_IN = 5  # the turn, of its own, in which a bot is late
PATIENT = 8  # times its limit that a late bot takes
LATE = (FaultKind.TIMEOUT, FaultKind.NOT_READY)
FULL = (20_000, 1_000)

WAKES = """
import random, time
while True:
    time.sleep(random.random() * 0.004)
    end = time.monotonic() + random.random() * 0.008
    while time.monotonic() < end: pass
"""
MEMORY = """
import os, sys
size = int(sys.argv[1]) << 20
while True:
    store = bytearray(size)
    for _ in range(3):
        for at in range(0, size, 4096): store[at] = 1
"""
DISK = """
import os, sys
name, block = sys.argv[1], os.urandom(1 << 20)
while True:
    file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    for _ in range(int(sys.argv[2])): os.write(file, block)
    os.fsync(file)
    for _ in range(3):
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.lseek(file, 0, 0)
        while os.read(file, 1 << 16): pass
    os.close(file)
"""
STARTS = "while :; do for i in 1 2 3 4 5 6 7 8; do /bin/true & done; wait; done"
COMPILERS = """
import subprocess, sys
number = 0
while True:
    number += 1
    lines = "".join(f"int f{i}(int x) {{ return x * {i + number} + (x >> {i % 7}); }}\\n" for i in range(400))
    command = ["cc", "-O2", "-x", "c", "-c", "-o", f"{sys.argv[1]}.o", "-"]
    subprocess.run(command, input=lines.encode(), check=False, stderr=subprocess.DEVNULL)
"""


class Task(NamedTuple):
    """One worker's share: so many matches of bots that are started like this."""

    bot: str
    kind: str  # of the first seat; `quick` where none is late
    layer: str
    limit: float
    matches: int
    seed: int


class Found(NamedTuple):
    """What came of a match: its verdicts in words, whether it was set aside, how long after its limit it was told."""

    false: list[str]
    aside: bool
    told: bool
    after: float | None


# --- loads


def commands(load: str, folder: Path, memory: int) -> list[list[str]]:
    """What makes this load."""
    python, (name, _, number) = [sys.executable, "-I", "-S", "-c"], load.partition("-")
    if name == "busy":
        return [[*python, BUSY]] * int(number)
    return {
        "quiet": [],
        "wakes": [[*python, WAKES]] * 16,
        "memory": [[*python, MEMORY, str(memory // 4)]] * 4,
        "disk": [[*python, DISK, str(folder / f"block{which}"), "64"] for which in range(2)],
        "starts": [["sh", "-c", STARTS]] * 1,
        "compilers": [[*python, COMPILERS, str(folder / f"code{which}")] for which in range(2)],
        "mixed": [one for part in MIXED if load == "mixed" for one in commands(part, folder, memory)],
    }[name]


@contextmanager
def under(load: str, folder: Path, memory: int) -> Iterator[None]:
    """Inside, the machine has this load; each part of it in a session of its own, like other people's work."""
    running = [subprocess.Popen(words, start_new_session=True) for words in commands(load, folder, memory)]
    try:
        yield
    finally:
        for one in running:
            os.killpg(one.pid, 9)
        for one in running:
            one.wait()


# --- matches


def play(task: Task, seed: int) -> Replay:
    """One match."""
    words = [f"{task.bot} quick 0 0"] * SEATS
    words[0] = f"{task.bot} {task.kind} {int(task.limit * PATIENT * 1000)} {LATE_IN if task.kind != 'quick' else 0}"
    sandbox = at_layer(4 if task.layer == "none" else 1 if task.layer == "turn" else int(task.layer))
    if sandbox is None:
        raise SystemExit(f"This machine has no layer {task.layer}.")
    clock = Clock(turn=task.limit, ready=10.0, mode="fair")
    rest: dict[str, Any] = {"seed": seed, "sandbox": sandbox, "pondering": False, "clock": clock}
    if task.layer == "turn":
        columns = ",".join(str(5 + 25 * seat) for seat in range(SEATS))
        folders = [str(folder_of(task, word, seat)) for seat, word in enumerate(words)]
        return play_match("abotcalypse", folders, setup={"turns": LATE_IN + 1, "columns": columns}, **rest)
    return play_match("drop-block", words, setup={"turns": TURNS}, asks_where=True, **rest)


def folder_of(task: Task, words: str, seat: int) -> Path:
    """A hand-in that is started for each turn."""
    folder = Path(task.bot).parent / f"turn-{task.kind if not seat else 'quick'}"
    if not (folder / "command.txt").exists():
        folder.mkdir(exist_ok=True)
        shutil.copy(task.bot, folder)
        (folder / "command.txt").write_text(words.replace(task.bot, "./told_bot") + "\n")
    return folder


def judged(task: Task, replay: Replay) -> Found:
    """What came of a match."""
    false, told, after = [], False, None
    for turn in replay.turns:
        for move in turn.moves:
            for fault in move.faults:
                if task.kind != "quick" and not move.seat and fault.kind in LATE:
                    told, after = True, (move.seconds or 0.0) - task.limit
                elif not fault.note:
                    false.append(in_words(turn.turn, move, fault))
    return Found(false, bool(replay.disturbed), told, after)


def in_words(turn: int, move: Move, fault: Any) -> str:
    """A verdict with all that is known of it."""
    proof = getattr(fault, "proof", None)
    return (
        f"  turn {turn} seat {move.seat} {fault.kind.value} {fault.code}: charged {move.seconds}, "
        f"processor {move.cpu}, wall {move.wall}; proof {proof}; the bot says: {move.stderr.strip()!r} "
        f"{fault.values}"
    )


def share(task: Task) -> list[Found]:
    """One worker's matches."""
    return [judged(task, play(task, task.seed + number)) for number in range(task.matches)]


def run(pool: ProcessPoolExecutor, task: Task, workers: int) -> list[Found]:
    """Give each worker its share."""
    each = -(-task.matches // workers)
    shares = [task._replace(matches=each, seed=worker * 1_000_000) for worker in range(workers)]
    return [found for part in pool.map(share, shares) for found in part]


def measure(
    words: argparse.Namespace, bot: str, folder: Path, layer: str, load: str
) -> tuple[Counter[str], list[float]]:
    """Play under this load in this layer; print the line; the counts, and how long after its limit each was told."""
    counts: Counter[str] = Counter()
    quick = Task(bot, "quick", layer, words.limit, words.matches, 0)
    with ProcessPoolExecutor(words.workers) as pool, under(load, folder, words.memory):
        found = run(pool, quick, words.workers)
        late: dict[str, list[Found]] = {}
        for kind in KINDS if words.late else ():
            if layer == "turn" and kind == "no-line":  # all that it writes is its answer
                continue
            late[kind] = run(pool, quick._replace(kind=kind, matches=words.late), words.workers)
    counts.update(
        matches=len(found), false=sum(bool(one.false) for one in found), aside=sum(one.aside for one in found)
    )
    lates = [one for some in late.values() for one in some]
    counts.update(late=len(lates), told=sum(one.told and not one.aside for one in lates))
    afters = [1000 * one.after for one in lates if one.after is not None]
    told = " ".join(f"{name}={number}" for name, number in counts.items())
    print(f"layer={layer} load={load} {told} after_ms={median(afters) if afters else 0:.1f}", flush=True)
    for kind, some in late.items():
        if missed := len(some) - sum(one.told and not one.aside for one in some):
            print(
                f"  {kind}: {missed} of {len(some)} not told, {sum(one.aside for one in some)} set aside", flush=True
            )
    for one in [one for one in found if one.false and (words.show or not one.aside)]:
        print("\n".join(one.false), flush=True)
    return counts, afters


def main() -> None:
    """Read the words, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layer", action="append", choices=LAYERS, help="1 and turn without; may be repeated")
    parser.add_argument(
        "--load", action="append", choices=LOADS, help="quiet, busy-20, mixed without; may be repeated"
    )
    parser.add_argument("--matches", type=int, default=50, help="of quick bots, in each layer under each load")
    parser.add_argument("--late", type=int, default=1, help="matches of each kind of late bots, likewise")
    parser.add_argument("--limit", type=float, default=0.1, help="seconds a turn")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", type=int, default=2048, help="MiB that the load `memory` fills")
    parser.add_argument("--full", action="store_true", help="20,000 matches and 1,000 late bots")
    parser.add_argument("--show", action="store_true", help="tell of matches that were set aside, too")
    words = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no load stays behind
    layers, loads = words.layer or ["1", "turn"], words.load or ["quiet", "busy-20", "mixed"]
    if words.full:
        layers, loads = list(LAYERS), list(LOADS)
        words.matches, words.late = (-(-n // (len(layers) * len(loads))) for n in FULL)
        words.late = -(-words.late // len(KINDS))
    total: Counter[str] = Counter()
    afters: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        bot = Path(name) / "bots" / "told_bot"
        bot.parent.mkdir()
        compiler = next((found for word in ("cc", "gcc", "clang") if (found := shutil.which(word))), None)
        if compiler is None:
            sys.exit("A C compiler is needed (in Debian: apt install gcc libc6-dev).")
        subprocess.run([compiler, "-O2", "-pthread", "-o", bot, SOURCE], check=True)
        for layer in layers:
            for load in loads:
                counts, after = measure(words, str(bot), Path(name), layer, load)
                total.update(counts)
                afters += after
    told = " ".join(f"{name}={number}" for name, number in total.items())
    print(f"{told} after_ms={median(afters) if afters else 0:.1f}")
    sys.exit(bool(total["false"]) or total["told"] < total["late"])


if __name__ == "__main__":
    main()
