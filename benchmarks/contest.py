"""What a contest costs in addition to its matches: storing, sending orders, standings, ratings, memory.

    python benchmarks/contest.py [--full] [--matches N] [--standings N] [--journeys N] [--share S] [--only PART ...]

`stored_sqlite` and `stored_postgres` are matches per second of a whole contest (ten bots, round robin, a table of
results and a file with the replay for each match) whose matches take no time: their reports are generated in this
process. `memory_growth_mib` is the growth of its memory from the first tenth of such a contest to its end.

`pool_ms` and `cluster_ms` are how much longer a match of a few milliseconds takes than in a bare loop, with one
worker on one core: the fastest of alternating rounds. The cluster's scheduler and client are on this machine too.

`standings_ms` is the query for the standings, with `standings_results` results; the slowest of twenty. The fits are
those of `contest_ratings.py`. Quoted figures come from `--full`, with the sizes of the goals.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from time import perf_counter

import msgspec

import contest_ratings
from dohyo import bots
from dohyo.bots import archive
from dohyo.core.clock import Clock
from dohyo.core.contest import Entrant, Fixture, Result, Version
from dohyo.executors import Executor, MatchOrder, MatchReport
from dohyo.executors.pool import Pool
from dohyo.executors.scheduling import pin_to
from dohyo.guests.cluster.executor import Cluster
from dohyo.guests.cluster.keys import made_keys
from dohyo.guests.cluster.processes import ClusterProcesses
from dohyo.series.request import ContestRequest
from dohyo.series.session import begin
from dohyo.series.store import Store, open_store
from dohyo.series.store.records import Progress

BOTS = 10
A_ROUND = BOTS * (BOTS - 1)  # matches: every pair, both seatings
REPLAY = 2_000  # bytes, which nothing makes smaller
BULK = 10_000  # results in one transaction, where a store is filled
PARTS = ("stored", "journeys", "standings", "ratings")
ANSWERS = '#!/bin/sh\necho READY\nwhile read -r line; do [ "$line" = EOD ] && echo A; done\n'


# The bare loop, in a process as lean as a worker: the first line that it gets are orders, which it plays for each of
# the others.
LOOP = """
import sys
import time
import msgspec
from dohyo.executors.messages import MatchOrder
from dohyo.executors.one_match import play_order
orders = msgspec.msgpack.decode(bytes.fromhex(sys.stdin.readline()), type=list[MatchOrder])
for line in sys.stdin:
    start = time.perf_counter()
    for order in orders:
        play_order(order)
    print(time.perf_counter() - start, flush=True)
"""


class MadeUp:
    """An executor whose matches take no time."""

    workers = 1

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """A report for each order, which says who sat first has won."""
        draw = random.Random(1)
        for order in orders:
            seats = len(order.bots)
            yield MatchReport(
                order.key,
                draw.randbytes(REPLAY),
                places=tuple(range(1, seats + 1)),
                longest=(0.001,) * seats,
                turns=1,
                seconds=0.001,
                worker="here",
            )

    def close(self) -> None:
        """Nothing runs."""

    def __enter__(self) -> MadeUp:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Scales:
    """Somebody who watches a contest, and weighs this process after each result."""

    def __init__(self, matches: int) -> None:
        self._after = max(1, matches // 10)
        self._stored = 0
        self.early = 0.0

    def on_batch(self, batch: Progress) -> None:
        """Not looked at."""

    def on_result(self, result: Result) -> None:
        """Weigh after the first tenth."""
        self._stored += 1
        if self._stored == self._after:
            self.early = resident()

    def on_aside(self, fixture: Fixture, error: str) -> None:
        """A contest of made-up matches has none."""
        sys.exit(f"This run measures nothing: {error}")

    def on_batch_over(self, batch: int) -> None:
        """Not looked at."""


def resident() -> float:
    """MiB of this process in memory; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    except OSError:
        return 0.0


@contextmanager
def databases(folder: Path) -> Iterator[dict[str, str]]:
    """Addresses of new, empty stores; one in PostgreSQL only where that is installed."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tests import needs, postgres

    addresses = {"sqlite": str(folder / "results.db")}
    program = needs.path_of("postgres")
    if program is None:
        print("# No PostgreSQL on this machine: its figures are left out.", flush=True)
        yield addresses
        return
    os.environ["XDG_CONFIG_HOME"] = str(folder / "settings")  # nothing of these stores is remembered for later
    with postgres.running(program) as server, server.database() as url:
        yield {**addresses, "postgres": url}


def ten_bots(folder: Path) -> list[tuple[str, str]]:
    """Bots for a contest: names and paths."""
    found = []
    for number in range(BOTS):
        path = folder / f"bot{number}"
        path.write_text(f"{ANSWERS}# {number}\n")
        path.chmod(0o755)
        found.append((path.name, str(path)))
    return found


def stored(folder: Path, matches: int) -> Iterator[tuple[str, float]]:
    """Matches a second into each kind of store; the memory of the contest in SQLite."""
    players = ten_bots(folder)
    rounds = max(1, matches // A_ROUND)
    with databases(folder) as addresses:
        for name, address in addresses.items():
            asked = ContestRequest(name="c", store=address, game="shoot-em-up", rounds=rounds, seed=1, bots=players)
            asked.sandbox = "none"
            opened = begin(asked, frozen=False, leave_out=lambda name, error: None)
            scales = Scales(rounds * A_ROUND)
            with opened:
                start = perf_counter()
                opened.loop.run(MadeUp(), scales)
                seconds = perf_counter() - start
                played = sum(batch.played for batch in opened.store.progress(opened.contest.id))
            yield f"stored_{name}_matches", played
            yield f"stored_{name}_per_s", played / seconds
            if name == "sqlite":
                yield "memory_early_mib", scales.early
                yield "memory_growth_mib", resident() - scales.early


def journeys(folder: Path, matches: int, rounds: int) -> Iterator[tuple[str, float]]:
    """What a match takes longer in a pool and in a cluster than in a bare loop."""
    path = folder / "answers"
    path.write_text(ANSWERS)
    path.chmod(0o755)
    (bot,) = bots.resolve([str(path)])
    base = MatchOrder("", "drop-block", (bot,) * 4, 0, {"turns": 8}, Clock(turn=60.0, ready=60.0), "none")
    orders = [msgspec.structs.replace(base, key=str(seed), seed=seed) for seed in range(matches)]
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    taken: dict[str, list[float]] = {"loop": [], "pool": [], "cluster": []}
    pin_to(cores[:1])  # a loop plays on one core, and so do workers; who gives out has all of them
    words = [sys.executable, "-P", "-c", LOOP]
    with (
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as loop,
        ClusterProcesses() as processes,
        Pool(1, cores[:1]) as pool,
    ):
        assert loop.stdin is not None
        loop.stdin.write(msgspec.msgpack.encode(orders).hex() + "\n")
        access = processes.start_scheduler("127.0.0.1", 0, made_keys(str(folder / "keys")))
        processes.start_workers(access, 1, "127.0.0.1")
        pin_to(cores)
        with Cluster(access, lambda bot: archive.pack(bot, {})) as cluster:
            for number in range(rounds + 1):
                found = {"loop": told(loop), "pool": timed(pool, orders), "cluster": timed(cluster, orders)}
                for name in taken if number else ():  # in the first round everybody starts and builds
                    taken[name].append(found[name] / matches)
        loop.stdin.close()
    yield "loop_ms", 1000 * min(taken["loop"])
    for name in ("pool", "cluster"):
        yield f"{name}_ms", 1000 * (min(taken[name]) - min(taken["loop"]))


def told(loop: subprocess.Popen[str]) -> float:
    """Seconds for all orders, by the bare loop."""
    assert loop.stdin is not None
    assert loop.stdout is not None
    loop.stdin.write("go\n")
    loop.stdin.flush()
    return float(loop.stdout.readline())


def timed(executor: Executor, orders: list[MatchOrder]) -> float:
    """Seconds for all orders."""
    start = perf_counter()
    for report in executor.play(orders):
        if report.error:
            sys.exit(f"This run measures nothing: {report.error}")
    return perf_counter() - start


def standings(folder: Path, results: int) -> Iterator[tuple[str, float]]:
    """The query of standings in full stores."""
    with databases(folder) as addresses:
        for name, address in addresses.items():
            with open_store(address, create=True, files=folder / f"files of {name}") as store:
                contest = store.begin("full", "shoot-em-up", {}, 0.0).id
                store.enter(contest, [Entrant(n, Version(f"bot{n}", f"{n:064x}")) for n in range(BOTS)], 0.0)
                start = perf_counter()
                fill(store, contest, results)
                yield f"filled_{name}_per_s", results / (perf_counter() - start)
                slowest = 0.0
                for _ in range(20):
                    start = perf_counter()
                    found = sum(tally.matches for tally in store.tallies(contest))
                    slowest = max(slowest, perf_counter() - start)
                assert found == 2 * results
                yield f"standings_{name}_results", results
                yield f"standings_{name}_ms", 1000 * slowest


def fill(store: Store, contest: int, results: int) -> None:
    """Schedule and record so many duels."""
    for first in range(0, results, BULK):
        numbers = range(first, min(first + BULK, results))
        seats = [(n % BOTS, (n + 1 + n // BOTS % (BOTS - 1)) % BOTS) for n in numbers]
        fixtures = [Fixture(0, n, pair, n) for n, pair in zip(numbers, seats, strict=True)]
        store.schedule(contest, fixtures)
        usual = {"places": (1, 2), "scores": (1.0, 0.0), "longest": (0.1, 0.2), "seconds": 0.1}
        store.record(contest, [Result(each, at=each.number, **usual) for each in fixtures])


def main() -> None:
    """Print the figures, one a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="the sizes of the goals: minutes, and a GiB on the disk")
    parser.add_argument("--matches", type=int, default=1_000, help="of the contests into stores")
    parser.add_argument("--standings", type=int, default=20_000, help="results, when standings are asked for")
    parser.add_argument("--journeys", type=int, default=200, help="matches of each round in loop, pool and cluster")
    parser.add_argument("--rounds", type=int, default=3, help="of those")
    parser.add_argument("--share", type=float, default=0.01, help="of the bots and results that are rated")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=", ".join(PARTS))
    asked = parser.parse_args()
    if asked.full:
        asked.matches, asked.standings, asked.journeys, asked.rounds, asked.share = 10_000, 1_000_000, 400, 8, 1.0
    with tempfile.TemporaryDirectory(prefix="dohyo-benchmark-") as name:
        for part in asked.only:
            folder = Path(name) / part
            folder.mkdir()
            found = {
                "stored": lambda folder=folder: stored(folder, asked.matches),
                "journeys": lambda folder=folder: journeys(folder, asked.journeys, asked.rounds),
                "standings": lambda folder=folder: standings(folder, asked.standings),
                "ratings": lambda: contest_ratings.figures(3, share=asked.share),
            }[part]()
            with chdir(folder):  # a store in PostgreSQL has its files where it is begun
                for figure, value in found:
                    print(f"{figure}={value:.3f}", flush=True)


if __name__ == "__main__":
    main()
