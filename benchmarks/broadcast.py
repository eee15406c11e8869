"""What it costs a contest to be watched: matches a minute, alone and with `dohyo watch` beside it, by turns.

    python benchmarks/broadcast.py [--full] [--pairs N]

Each run is a new contest of the same bots on all cores, by the command, in a folder of its own. Runs without and with
who watches follow each other, so that what else the machine does meets both; `ratio` is the median of the pairs.

`plain`: `dohyo watch` in a pipe; `page`: with `--browser`, and its events read as a browser does; `chances`: that,
with `--chances`.

Without options it is small, to see that it runs: quoted figures come from `--full`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import monotonic
from urllib.request import urlopen

WAYS: dict[str, list[str] | None] = {
    "alone": None,
    "plain": [],
    "page": ["--browser"],
    "chances": ["--browser", "--chances"],
}


def dohyo(*words: str, **more: object) -> subprocess.Popen[str]:
    """Start the command."""
    words = (sys.executable, "-m", "dohyo", *words)
    return subprocess.Popen(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **more)  # type: ignore[call-overload,no-any-return]


@contextmanager
def watched(folder: Path, way: list[str] | None) -> Iterator[None]:
    """Watch the contest in this folder, in this way."""
    if way is None:
        yield
        return
    command = dohyo("watch", "c.db", *way, cwd=folder)
    reading = threading.Thread(target=_read, args=(command, bool(way)), daemon=True)
    reading.start()
    try:
        yield
    finally:
        command.send_signal(signal.SIGINT)
        command.wait()
        reading.join(10)


def _read(command: subprocess.Popen[str], is_page: bool) -> None:
    """Read what is told: the output, or the events of the page."""
    assert command.stdout is not None
    for line in command.stdout:
        if is_page and (found := re.search(r"http://\S+", line)):
            try:
                with urlopen(found[0] + "/events") as stream:
                    while stream.read1(1 << 16):
                        pass
            except OSError:
                return


def run(asked: argparse.Namespace, way: str) -> dict[str, float]:
    """One contest; how many matches a minute it had."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bots = [f"{each}{number}={each}" for each in asked.bots for number in range(asked.each)]
        words = ["contest", "run", "--game", asked.game, *bots, "--rounds", "1", "--store", "c.db", "--name", "c"]
        words += ["--seed", "7", "--sandbox", asked.sandbox, *(["--trust"] if asked.sandbox == "none" else [])]
        contest = dohyo(*words, cwd=folder)
        assert contest.stdout is not None
        while "matches" not in contest.stdout.readline() and contest.poll() is None:
            pass  # it has begun
        begin = monotonic()
        with watched(folder, WAYS[way]):
            rest = contest.communicate()[0]
            seconds = monotonic() - begin
        matches = int(re.findall(r"(\d+) of \d+ matches", rest)[-1])
        return {"per_minute": 60 * matches / seconds}


def main() -> None:
    """Measure, and print what was found as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--game", default="drop-block")
    parser.add_argument("--bots", nargs="+", default=["hunter", "random"])
    parser.add_argument("--each", type=int)
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--only", nargs="+", default=[way for way in WAYS if way != "alone"])
    asked = parser.parse_args()
    asked.each = asked.each or (5 if asked.full else 2)
    pairs = asked.pairs or (7 if asked.full else 1)
    for way in asked.only:
        found = [(run(asked, "alone"), run(asked, way)) for _ in range(pairs)]
        alone, beside = ([one[at]["per_minute"] for one in found] for at in (0, 1))
        told = {
            "way": way,
            "alone_per_minute": round(median(alone), 1),
            "watched_per_minute": round(median(beside), 1),
            "ratio": round(median(second / first for first, second in zip(alone, beside, strict=True)), 3),
            "ratios": [round(second / first, 3) for first, second in zip(alone, beside, strict=True)],
            "load": os.getloadavg()[0],
        }
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
