"""Whether a long contest stays as it began: memory, file handles, temporary folders, speed.

    python benchmarks/long_contest.py [--matches N] [--sandbox require|none] [--workers N] [--every SECONDS]
        [--looks N] [--folder DIR] [--csv FILE]

Plays one contest by the real command, `dohyo contest run`, with eight cheap bots in C (`c/nth_action_bot.c`) in
Wondev Woman (league wood3; bots are not paused), a round-robin of N matches, and looks at it from outside: every so
many seconds the parent's and the workers' memory (RSS; PSS, in which shared pages are counted once), how many file
handles they hold, how many processes there are, how many entries the folder of temporary files has, how large the
database is; and N times, evenly, what `dohyo contest standings` takes (processor time of the whole command).

Each column's slope is the least-squares line over the samples after the first fifth of the matches, told for 100,000
matches, with twice its standard error; `flat=yes` where no count grows by one, and memory grows by less than a tenth
of what it is, each with its error; `unknown` where the error is too large to say so: play more matches. With --folder
the store stays there, and a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import csv
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic

BOTS = 8
A_ROUND = BOTS * (BOTS - 1)  # matches: every pair, both seatings
SETTLED = 0.2  # of the matches; samples before that are not judged
GROWTH = 0.1  # of what a quantity is, over 100,000 matches: less is flat
UNIT = 100_000  # matches that slopes are told for
MIB = 1 << 20
MEMORY = ("parent_rss", "parent_pss", "worker_rss", "worker_pss")
COUNTS = ("parent_files", "worker_files", "processes", "temporary")
COLUMNS = ("seconds", "matches", *MEMORY, *COUNTS, "database", "per_second", "standings")
SOURCE = Path(__file__).parent / "c" / "nth_action_bot.c"
Sample = dict[str, float]


def make_bots(folder: Path) -> list[str]:
    """The sources of bots that play differently."""
    source, words = SOURCE.read_text(), []
    for which in range(BOTS):
        path = folder / f"nth{which}.c"
        path.write_text(f"#define WHICH {which}\n{source}")
        words.append(str(path))
    return words


def tree(process: int) -> dict[int, str]:
    """The process and all that it started, by number: the words they were started by."""
    parents: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        with suppress(OSError, ValueError, IndexError):
            status = Path(f"/proc/{int(entry)}/stat").read_text()
            parents.setdefault(int(status.rpartition(")")[2].split()[1]), []).append(int(entry))
    found, waiting = {}, [process]
    while waiting:
        number = waiting.pop()
        with suppress(OSError):
            found[number] = Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        waiting += parents.get(number, [])
    return found


def memory(process: int) -> tuple[float, float]:
    """MiB of a process in memory: RSS, PSS."""
    values = {"Rss:": 0.0, "Pss:": 0.0}
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        name, *rest = line.split()
        if name in values:
            values[name] = int(rest[0]) / 1024
    return values["Rss:"], values["Pss:"]


def played(store: Path) -> int:
    """How many matches have a result, by the tallies; 0 before there are any."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=5)) as database:
        return int(database.execute("SELECT COALESCE(SUM(played), 0) FROM batches").fetchone()[0])
    return 0


def take_sample(process: int, store: Path, temporary: Path) -> Sample:
    """What is seen at this moment; memory and handles of workers are the largest of any of them."""
    sample = dict.fromkeys(COLUMNS, 0.0)
    sample["matches"] = played(store)
    processes = tree(process)
    ours = {number: words for number, words in processes.items() if "pool_worker" in words and "dohyo" in words}
    for number in [process, *ours]:
        role = "parent" if number == process else "worker"
        with suppress(OSError):
            rss, pss = memory(number)
            files = len(os.listdir(f"/proc/{number}/fd"))
            for name, value in ((f"{role}_rss", rss), (f"{role}_pss", pss), (f"{role}_files", files)):
                sample[name] = max(sample[name], value)
    sample["processes"] = len(processes)
    sample["temporary"] = len(os.listdir(temporary))
    sample["database"] = (
        sum(path.stat().st_size for path in store.parent.glob(f"{store.name}*") if path.is_file()) / MIB
    )
    return sample


def look(store: Path, environment: dict[str, str]) -> float:
    """Seconds of processor time of `dohyo contest standings`."""
    before = os.times()
    words = [sys.executable, "-m", "dohyo", "contest", "standings", str(store), "--json"]
    subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def slope(samples: Sequence[Sample], name: str) -> tuple[float, float]:
    """By how much a column grows for `UNIT` matches, and twice the standard error of that."""
    pairs = [(each["matches"] / UNIT, each[name]) for each in samples if each[name] or name not in ("standings",)]
    count = len(pairs)
    if count < 3:
        return 0.0, float("inf")
    middle, mean = (sum(values) / count for values in zip(*pairs, strict=True))
    square = sum((x - middle) ** 2 for x, _ in pairs)
    if square == 0:
        return 0.0, float("inf")
    grows = sum((x - middle) * (y - mean) for x, y in pairs) / square
    rest = sum((y - mean - grows * (x - middle)) ** 2 for x, y in pairs) / (count - 2)
    return grows, 2 * (rest / square) ** 0.5


def verdict(samples: Sequence[Sample], name: str) -> str:
    """Whether a column stays `flat` or `grows`; `unknown` where the noise of its samples leaves both possible."""
    grows, error = slope(samples, name)
    usual = sum(each[name] for each in samples) / max(1, len(samples))
    most = GROWTH * usual if name in MEMORY else 1.0
    return "flat" if grows + error <= most else "grows" if grows - error > most else "unknown"


def run(asked: argparse.Namespace, folder: Path) -> list[Sample]:
    """Play, and look at it; the samples."""
    temporary, store = folder / "temporary", folder / "long.db"
    temporary.mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(temporary)}
    rounds = max(1, asked.matches // A_ROUND)
    words = [sys.executable, "-m", "dohyo", "contest", "run", "--game", "wondev-woman", *make_bots(folder)]
    words += [
        "--setup",
        "league=wood3",
        "--pondering",
        "--rounds",
        str(rounds),
        "--store",
        str(store),
        "--seed",
        "1",
        "--workers",
        str(asked.workers),
    ]
    words += ["--sandbox", "require"] if asked.sandbox == "require" else ["--trust"]
    samples: list[Sample] = []
    with open(asked.csv or os.devnull, "a", newline="") as table, open(folder / "output.txt", "a") as output:
        writer = csv.DictWriter(table, COLUMNS)
        if not table.tell():  # a run that goes on adds to the file
            writer.writeheader()
        contest = subprocess.Popen(words, env=environment, stdout=output, stderr=output)
        start, next_look, before = monotonic(), 0.0, (0.0, 0.0)
        while contest.poll() is None:
            sample = take_sample(contest.pid, store, temporary)
            sample["seconds"] = monotonic() - start
            if before[0] and sample["matches"] > before[1]:
                sample["per_second"] = (sample["matches"] - before[1]) / (sample["seconds"] - before[0])
            before = sample["seconds"], sample["matches"]
            if asked.looks and sample["matches"] > next_look:
                sample["standings"] = look(store, environment)
                next_look = sample["matches"] + rounds * A_ROUND / asked.looks
            if sample["matches"] and sample["worker_rss"] and contest.poll() is None:
                samples.append(sample)
                writer.writerow({name: round(value, 3) for name, value in sample.items()})
                table.flush()
            with suppress(subprocess.TimeoutExpired):
                contest.wait(asked.every)
    if contest.returncode:
        sys.exit(f"This run measures nothing: see {folder / 'output.txt'}, status {contest.returncode}")
    print(f"left_in_temporary={len(os.listdir(temporary))}")
    return samples


def tell(samples: list[Sample]) -> None:
    """Ten of the samples as a table, the slopes, and whether it stayed flat."""
    print(" ".join(f"{name:>12}" for name in COLUMNS))
    for sample in samples[:: max(1, len(samples) // 12)]:
        print(" ".join(f"{sample[name]:12.1f}" for name in COLUMNS))
    if not samples:
        return
    settled = [each for each in samples if each["matches"] >= SETTLED * samples[-1]["matches"]]
    for name in COLUMNS[2:]:
        grows, error = slope(settled, name)
        print(f"{name}_slope={grows:.3f} twice_its_error={error:.3f}")
    verdicts = {name: verdict(settled, name) for name in (*MEMORY, *COUNTS)}
    print(f"matches={samples[-1]['matches']:.0f}")
    for told, kind in (("no", "grows"), ("unknown", "unknown"), ("yes", "flat")):
        if names := [name for name, each in verdicts.items() if each == kind]:
            print(f"flat={told}" if kind == "flat" else f"flat={told}: {' '.join(names)}")
            return


def main() -> None:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=560)
    parser.add_argument("--sandbox", choices=("require", "none"), default="require")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--every", type=float, default=5.0, help="seconds from sample to sample")
    parser.add_argument("--looks", type=int, default=5, help="how often standings are asked for")
    parser.add_argument("--folder", help="where store and bots are kept; without it, they are removed")
    parser.add_argument("--csv", help="a file for all samples")
    asked = parser.parse_args()
    if asked.folder:
        folder = Path(asked.folder).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        tell(run(asked, folder))
        return
    with tempfile.TemporaryDirectory(prefix="dohyo-benchmark-") as name:
        tell(run(asked, Path(name)))


if __name__ == "__main__":
    main()
