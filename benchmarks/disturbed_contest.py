"""Whether a contest on a bad machine gives false verdicts: its whole process tree is stopped, or the machine is busy.

    python benchmarks/disturbed_contest.py [--game NAME] [--rounds N] [--mode fair|wall] [--stops N] [--seconds S]
                                           [--busy N] [--workers N] [--seed N]

Runs `dohyo contest run` with the game's own quick sample bots, which make no mistakes, by the game's usual clock.
While
it runs, the tree is stopped `--stops` times (SIGSTOP) for `--seconds` each and goes on (SIGCONT); `--busy` loops keep
the processor busy meanwhile. Prints

    matches=...     results, and the number of all matches; open ones are printed beside
    stopped=...     how often the tree was stopped
    false=...       seats with a fault, by kind; there should be none
    whole=...       whether `dohyo contest verify --again` finds all as it was played

and ends with status 1 if a verdict is false, a match is missing or the store is damaged. After `--limit` seconds the
contest is interrupted, and the matches so far are counted.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from busy_cores import busy
from dohyo.series.store import open_store

BOTS = {"drop-block": ("hunter", "random"), "wondev-woman": ("climber", "random")}
PROC = Path("/proc")


def tree(root: int) -> list[int]:
    """A process and all that descend from it."""
    parents = {}
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def stop(root: int) -> list[int]:
    """Stop the whole tree, also what was started meanwhile; who was stopped."""
    stopped: list[int] = []
    while new := [pid for pid in tree(root) if pid not in stopped]:
        for pid in new:
            send(pid, signal.SIGSTOP)
        stopped += new
    return stopped


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process that may be gone."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def run(words: argparse.Namespace, folder: Path) -> tuple[int, int]:
    """Run the contest; how often it was stopped, and its status."""
    bots = [f"b{number}={BOTS[words.game][number % 2]}" for number in range(words.bots)]
    command = [sys.executable, "-m", "dohyo", "contest", "run", "--game", words.game, *bots]
    command += ["--rounds", str(words.rounds), "--seed", str(words.seed), "--workers", str(words.workers)]
    command += ["--sandbox", words.sandbox, "--store", str(folder / "contest.db"), "--json"]
    if words.mode == "wall":
        command += ["--clock", "online,mode=wall"]
    times = 0
    with busy(words.busy), (folder / "told").open("wb") as told:
        contest = subprocess.Popen(command, stdout=told, stderr=subprocess.STDOUT)
        try:
            end = time.monotonic() + words.limit
            while contest.poll() is None:
                if time.monotonic() > end:
                    send(contest.pid, signal.SIGINT)
                    end += words.limit
                try:
                    contest.wait(words.every)
                except subprocess.TimeoutExpired:
                    if times < words.stops:
                        stopped = stop(contest.pid)
                        time.sleep(words.seconds)
                        for pid in reversed(stopped):
                            send(pid, signal.SIGCONT)
                        times += 1
        finally:
            for pid in tree(contest.pid) if contest.poll() is None else []:
                send(pid, signal.SIGKILL)
    return times, contest.wait()


def main() -> None:
    """Run one contest and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", choices=sorted(BOTS), default="drop-block")
    parser.add_argument("--mode", choices=("fair", "wall"), default="fair")
    parser.add_argument("--sandbox", choices=("auto", "require", "none"), default="auto")
    for name, usual in (("bots", 4), ("rounds", 10), ("seed", 7), ("workers", 2), ("stops", 3), ("busy", 0)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--every", type=float, default=3.0)
    parser.add_argument("--limit", type=float, default=3600.0)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        times, status = run(words, folder)
        if status not in (0, 128 + signal.SIGINT):
            sys.exit((folder / "told").read_text())
        with open_store(str(folder / "contest.db")) as store:
            contest = store.contest()
            progress = store.progress(contest.id)
            results = list(store.played(contest.id))
        verified = subprocess.run(
            [sys.executable, "-m", "dohyo", "contest", "verify", "--again", str(folder / "contest.db")],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    faults = Counter(kind for result in results for seat in result.faults for kind in seat)
    size, aside = sum(batch.size for batch in progress), sum(batch.set_aside for batch in progress)
    print(f"matches={len(results)}/{size} open={aside} seats={sum(len(result.places) for result in results)}")
    print(f"stopped={times} seconds={words.seconds:g} busy={words.busy} mode={words.mode}")
    print(f"false={sum(faults.values())} {dict(faults)}")
    print(f"whole={verified.returncode == 0} {verified.stdout.strip()[-300:]}")
    sys.exit(bool(faults) or (len(results) != size and not status) or verified.returncode != 0)


if __name__ == "__main__":
    main()
