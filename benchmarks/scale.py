"""The site at the rate of ten million matches a day: 116 results a second are stored, and people look at pages.

    python benchmarks/scale.py [--full] [--seconds N] [--rate N] [--bots N] [--results N] [--postgres] [--kept FOLDER]

Workers only pretend to play: another process draws matches, stores their results and replays by the functions that a
judge uses, a fifth of a second's at a time, and publishes ratings once a minute. Meanwhile `--visitors` ask the real
command for pages, each one after another: first page, standings, a bot. It begins with `--bots` and `--results`.

`stored_per_s` is what was stored, `behind_s` how late the last result was, `transaction_...` what it took to draw and
store a fifth of a second's; `writer_cpu` and `web_cpu` are processors in use. `page_...` is what the server says of
its pages, `asked_...` what passed for who asked. `bytes_a_match` is by how much database and replays have grown.

Without options it takes some seconds; quoted figures come from `--full`, which takes ten minutes and what it takes to
fill the store. `--kept` keeps a site in SQLite for the next time, and uses it then.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, perf_counter, process_time, sleep, time
from typing import Any

import httpx
from msgspec.structs import replace
from sqlalchemy import text

import full_site
import web
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.tables import open_site

REPLAY = 2_000  # bytes, which nothing makes smaller: what a match of Wondev Woman has
HOLD = 0.2  # seconds for which a result waits for others, as in `Store.hold`
PUBLISHED = 60.0  # seconds between two times that ratings are published
SCHEDULED = 8 * full_site.BATCH  # matches that are drawn at once


@contextmanager
def site_in(folder: Path, asked: argparse.Namespace) -> Iterator[SiteFolder]:
    """The site's folder; with `--postgres` its tables are in a server of its own."""
    if not asked.postgres:
        yield SiteFolder(Path(asked.kept) if asked.kept else folder / "site")
        return
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tests import needs, postgres

    program = needs.path_of("postgres")
    if program is None:
        sys.exit("# No PostgreSQL on this machine.")
    postgres.HASTE = ("shared_buffers=256MB", "max_connections=60")  # type: ignore[assignment]  # what it has written, stays
    with postgres.running(program) as server, server.database() as url:
        yield SiteFolder(folder / "site", url)


def filled(site: SiteFolder, asked: argparse.Namespace) -> tuple[str, int, int]:
    """The name of its ladder, how many bots it has, and how many matches were drawn."""
    if (site.home / "site.db").exists():
        database = open_site(site.site)
        database.close()
    else:
        site, database = full_site.site_of(site.home, site.store)
        full_site.full_ladder(site, database, asked.bots, asked.results)
        database.close()
    with full_site.opened(site) as store:
        (contest,) = store.contests()
        return contest.name, len(store.entrants(contest.id)), sum(each.size for each in store.progress(contest.id))


def write(home: Path, url: str, bots: int, drawn: int, rate: float, seconds: float, queue: Any) -> None:
    """Draw matches and store results at this rate, in a process of its own."""
    took: list[float] = []
    late = published = 0.0
    stored = 0
    draw = random.Random(time())
    with full_site.opened(SiteFolder(home, url)) as store:
        (contest,) = (each.id for each in store.contests())
        waiting: list[Any] = []
        begun, used = monotonic(), process_time()
        while (now := monotonic() - begun) < seconds:
            due = min(int(rate * now), int(rate * seconds))
            start = perf_counter()
            while len(waiting) < due - stored:
                fixtures = [*full_site.drawn(bots, drawn, SCHEDULED)]
                store.schedule(contest, fixtures)
                drawn += SCHEDULED
                waiting += fixtures
            some, waiting = waiting[: due - stored], waiting[due - stored :]
            if some:
                results = [
                    replace(
                        full_site.result(each, time()), replay=store.files.put(draw.randbytes(REPLAY), sync=False)
                    )
                    for each in some
                ]
                store.record(contest, results)
                stored += len(some)
                took.append(perf_counter() - start)
                late = monotonic() - begun - stored / rate
            if now - published > PUBLISHED:
                published = now
                full_site.publish(store, contest, bots, drawn // full_site.BATCH - 1)
            sleep(max(0.0, HOLD - (monotonic() - begun - now)))
        whole = monotonic() - begun
        queue.put((stored, whole, late, took, (process_time() - used) / whole))


async def visit(url: str, slug: str, bots: int, visitors: int, until: float) -> list[tuple[str, float, float]]:
    """Let so many visitors ask for pages until then: of each page its kind, the server's milliseconds and theirs."""
    found: list[tuple[str, float, float]] = []

    async def one(number: int) -> None:
        draw = random.Random(number)
        async with httpx.AsyncClient(base_url=url, timeout=60.0) as client:
            while monotonic() < until:
                page, bot = draw.randrange(1, 1 + -(-bots // 100)), draw.randrange(bots)
                paths = {
                    "front": "/",
                    "ladder": f"/ladders/{slug}?page={draw.choice((1, 1, page))}",
                    "bot": f"/ladders/{slug}/bots/bot%20{bot}",
                }
                kind = draw.choice([*paths])
                start = perf_counter()
                answer = await client.get(paths[kind])
                passed = 1000 * (perf_counter() - start)
                if answer.status_code != 200:
                    found.append(("failed", 0.0, passed))
                    continue
                found.append((kind, web.taken(answer), passed))
                await asyncio.sleep(draw.random())  # they read

    await asyncio.gather(*map(one, range(visitors)))
    return found


def size_of(site: SiteFolder) -> int:
    """Bytes of the database and of what lies beside it, without the log of what is still to be put into it."""
    there = (each for each in site.home.rglob("*") if each.is_file() and not each.name.endswith("-wal"))
    files = sum(each.stat().st_size for each in there)
    if not site.store:
        return files
    asked = text("SELECT pg_database_size(current_database())")
    with full_site.opened(site) as store:
        return files + int(store.database.read(lambda connection: connection.execute(asked).scalar_one()))


def processors(pid: int) -> float:
    """Seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """MiB of a process in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def figures(folder: Path, asked: argparse.Namespace) -> Iterator[tuple[str, float]]:
    """Run it; the figures."""
    with site_in(folder, asked) as site:
        start = perf_counter()
        slug, bots, drawn = filled(site, asked)
        print(f"# {bots} bots, {drawn} matches, after {perf_counter() - start:.0f} s", flush=True)
        before = size_of(site)
        context = multiprocessing.get_context("spawn")
        queue = context.Queue()
        words = ["--only", "web", *(["--store", site.store] if site.store else [])]
        with web.serving_process(site, *words) as (url, pid):
            used, until = processors(pid), monotonic() + asked.seconds
            given = (site.home, site.store, bots, drawn, asked.rate, asked.seconds, queue)
            writer = context.Process(target=write, args=given)
            writer.start()
            pages = asyncio.run(visit(url, slug, bots, asked.visitors, until))
            stored, whole, late, took, writer_cpu = queue.get(timeout=600)
            writer.join()
            yield "web_cpu", (processors(pid) - used) / whole
            yield "web_memory_mib", memory(pid)
        yield "stored", stored
        yield "stored_per_s", stored / whole
        yield "behind_s", late
        yield from spread("transaction", [1000 * each for each in took])
        yield "writer_cpu", writer_cpu
        yield "bytes_a_match", (size_of(site) - before) / max(1, stored)
        yield "pages_per_s", len(pages) / whole
        yield "failed", sum(kind == "failed" for kind, *_ in pages)
        for kind in ("front", "ladder", "bot"):
            yield from spread(f"page_{kind}", [server for each, server, _ in pages if each == kind])
        yield from spread("asked", [passed for *_, passed in pages])


def spread(name: str, values: list[float]) -> Iterator[tuple[str, float]]:
    """Median, 95th percentile and most of some milliseconds."""
    if len(values) > 1:
        yield f"{name}_ms", median(values)
        yield f"{name}_p95_ms", quantiles(values, n=20)[-1]
        yield f"{name}_most_ms", max(values)


def main() -> None:
    """Print the figures, one a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="ten minutes, 10,000 bots and 1,000,000 results before")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rate", type=float, default=116.0, help="results a second")
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--results", type=int, default=2_000, help="before it begins")
    parser.add_argument("--visitors", type=int, default=5)
    parser.add_argument("--postgres", action="store_true", help="in PostgreSQL, which is started for it")
    parser.add_argument("--kept", help="a site's folder, in SQLite: made there, or used again")
    asked = parser.parse_args()
    if asked.full:
        asked.seconds, asked.bots, asked.results, asked.visitors = 600.0, 10_000, 1_000_000, 10
    with tempfile.TemporaryDirectory(prefix="dohyo-benchmark-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for figure, value in figures(folder, asked):
            print(f"{figure}={value:.2f}", flush=True)


if __name__ == "__main__":
    main()
