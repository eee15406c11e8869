"""What the site costs: its pages at full size, many who watch one match, hand-ins a minute, bytes of the first page.

    python benchmarks/web.py [--only PART ...] [--bots N] [--results N] [--rounds N] [--watchers N] [--hand-ins N]

`ladder`: the pages of a ladder with `--bots` and `--results`, asked of the real command with a web server alone.
Results are stored before each request, so that nothing of the answer was kept. `..._ms` is the median of what the
server says of itself (`Server-Timing`), `..._most_ms` the most, `..._anew_ms` after ratings were published and
everything is read anew, `..._again_ms` where nothing has changed. `..._bytes` is what travels.

`watchers`: so many event streams of one match that is written as the judge does; `delay_p95_ms` is from a turn's
writing to its arrival at a watcher. The watchers are in this process, on the same processors.

`hand_ins`: bots in Python and C++ are handed in to the real command, with its judge and a ladder that plays;
`hand_ins_per_minute` from the first hand-in to the last one that stands on the ladder.

`judge`: what a step of the judge costs besides its matches, in a ladder of that size: their reports are made up.

`weight`: bytes of the first page with all that it loads.

Without options it is small, to see that it runs: quoted figures come from `--full`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, perf_counter, process_time, sleep, time

import httpx
import msgspec

import full_site
from contest import MadeUp
from dohyo.bots import resolve, samples_of
from dohyo.core.bot_spec import Sample
from dohyo.core.replay import Replay
from dohyo.games import all_games
from dohyo.guests.site import tables
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging.judge import rests
from dohyo.guests.site.people import accounts
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import inserted
from dohyo.match.play import play_match
from dohyo.match.replays.turn_file import TurnFile
from dohyo.series.results import Silent
from dohyo.series.session import go_on
from dohyo.series.store.database import Database

PARTS = ("ladder", "watchers", "hand_ins", "judge", "weight")
PATIENCE = 600.0  # seconds for the slowest thing
EACH = 8  # streams of one person
PAUSE = 0.1  # seconds from turn to turn of the match that is watched


@contextmanager
def serving(site: SiteFolder, *words: str) -> Iterator[str]:
    """The real command in a site's folder; its address."""
    with serving_process(site, *words) as (url, _):
        yield url


@contextmanager
def serving_process(site: SiteFolder, *words: str) -> Iterator[tuple[str, int]]:
    """The same; its address, and the number of its process."""
    command = [sys.executable, "-m", "dohyo", "serve", os.fspath(site.home), "--port", "0", *words]
    environment = {**os.environ, "DOHYO_LANG": "en"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            found = (re.search(r"http://\S+[^\s.]", line) for line in process.stdout if "/organise/" not in line)
            yield next(each[0] for each in found if each is not None), process.pid
        finally:
            process.terminate()
            process.wait(PATIENCE)


def taken(answer: httpx.Response) -> float:
    """Milliseconds that the server took for an answer, as it says."""
    assert answer.status_code == 200, answer.text
    return float(answer.headers["server-timing"].partition("dur=")[2])


def signed_in(database: Database, person: Person, url: str) -> httpx.Client:
    """A client with a session of this person."""
    client = httpx.Client(base_url=url, timeout=PATIENCE)
    client.cookies.set("dohyo_session", accounts.begin_session(database, person), domain=httpx.URL(url).host)
    return client


# --- pages


def ladder(folder: Path, asked: argparse.Namespace) -> Iterator[tuple[str, float]]:
    """The pages of a full ladder, while results come in."""
    site, database, slug = full(folder, asked)
    paths = {
        "ladder": f"/ladders/{slug}",
        "last_page": f"/ladders/{slug}?page=1000000",
        "part": f"/ladders/{slug}/standings",
        "bot": f"/ladders/{slug}/bots/bot%205",
        "front": "/",
    }
    with (
        full_site.opened(site) as store,
        serving(site, "--only", "web") as url,
        httpx.Client(base_url=url, timeout=PATIENCE) as client,
    ):
        (contest,) = (each.id for each in store.contests() if each.name == slug)
        batch = -(-asked.results // full_site.BATCH)
        for name, path in paths.items():
            yield f"{name}_bytes", weight(client, path)
            found = []
            for _ in range(asked.rounds):
                full_site.fill(store, contest, asked.bots, full_site.BATCH * batch, full_site.BATCH)
                batch += 1
                found.append(taken(client.get(path)))
            yield f"{name}_ms", median(found)
            yield f"{name}_most_ms", max(found)
            yield f"{name}_again_ms", median(taken(client.get(path)) for _ in range(asked.rounds))
            full_site.publish(store, contest, asked.bots, batch - 1)
            yield f"{name}_anew_ms", taken(client.get(path))
        author = database.read(lambda connection: connection.execute(tables.people.select()).mappings().all())[-1]
        with signed_in(database, Person(author["id"], author["name"], author["role"]), url) as own:
            yield "signed_in_ms", median(taken(own.get(paths["ladder"])) for _ in range(asked.rounds))
    database.close()


def full(folder: Path, asked: argparse.Namespace) -> tuple[SiteFolder, Database, str]:
    """The full site; one that `--kept` names is used again, and its results are counted on."""
    start = perf_counter()
    home = Path(asked.kept) if asked.kept else folder / "site"
    if (home / "site.db").exists():
        site, database = full_site.site_of(home)
        with full_site.opened(site) as store:
            (contest,) = store.contests()
            asked.results = sum(each.size for each in store.progress(contest.id))
            asked.bots = len(store.entrants(contest.id))
        return site, database, contest.name
    site, database = full_site.site_of(home)
    slug = full_site.full_ladder(site, database, asked.bots, asked.results)
    print(f"# filled in {perf_counter() - start:.0f} s", flush=True)
    return site, database, slug


def weight(client: httpx.Client, path: str) -> int:
    """Bytes of an answer as they travel."""
    with client.stream("GET", path) as answer:
        return sum(map(len, answer.iter_raw()))


def first_page(folder: Path, asked: argparse.Namespace) -> Iterator[tuple[str, float]]:
    """The first page of a site with ten ladders, and what it loads."""
    site, database = full_site.site_of(folder / "site")
    for _ in range(10):
        full_site.full_ladder(site, database, 20, 200)
    with serving(site, "--only", "web") as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        loads = {
            "/",
            *re.findall(r'<(?:link|script|img|iframe)\b[^>]*?(?:href|src)="(/[^"]*)"', client.get("/").text),
        }
        yield "first_page_bytes", sum(weight(client, path) for path in loads)
    database.close()


# --- watchers


def watchers(folder: Path, asked: argparse.Namespace) -> Iterator[tuple[str, float]]:
    """Many who watch one match."""
    site, database = full_site.site_of(folder / "site")
    slug = full_site.full_ladder(site, database, 10, 8)
    people = [full_site.organiser(database) for _ in range(-(-asked.watchers // EACH))]
    number = database.write(_examined)
    with serving(site, "--only", "web") as url:
        cookies = [accounts.begin_session(database, person) for person in people]
        written, delays = asyncio.run(_watch(site, url, number, cookies, asked.watchers, asked.turns, database))
    assert slug
    yield "watchers", asked.watchers
    yield "turns", written
    yield "delays", len(delays)
    yield "delay_median_ms", 1000 * median(delays)
    yield "delay_p95_ms", 1000 * quantiles(delays, n=20)[-1]
    yield "delay_most_ms", 1000 * max(delays)
    database.close()


def _examined(connection: object) -> int:
    """A hand-in that a judge examines now: nobody else takes it."""
    values = {"bot": 1, "version": 99, "filename": "a.py", "file": "0" * 64, "at": time(), "state": "examined"}
    return inserted(connection, tables.hand_ins, {**values, "found": "", "ticket": secrets.token_hex(8)})  # type: ignore[arg-type]


async def _watch(
    site: SiteFolder, url: str, number: int, cookies: list[str], count: int, turns: int, database: Database
) -> tuple[int, list[float]]:
    """Let so many watch; how many turns were written, and the delays of all of them at all watchers."""
    written: dict[int, float] = {}
    delays: list[float] = []
    ready = asyncio.Semaphore(0)
    limits = httpx.Limits(max_connections=count)
    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=PATIENCE) as client:
        told = [
            asyncio.create_task(_one(client, number, cookies[at // EACH], ready, written, delays))
            for at in range(count)
        ]
        for _ in range(count):
            await asyncio.wait_for(ready.acquire(), PATIENCE)
        await asyncio.to_thread(_play, site.live / str(number), turns, written)
        state = tables.hand_ins.update().where(tables.hand_ins.c.id == number).values(state="entered", found="{}")
        await asyncio.to_thread(database.write, lambda connection: connection.execute(state))
        seen = await asyncio.wait_for(asyncio.gather(*told), PATIENCE)
    assert {*seen} == {len(written)}, "somebody has missed turns"
    return len(written), delays


class Turn(msgspec.Struct):
    """What is looked at of a turn: its number, none of the frame before the first one."""

    turn: int | None = None


class Told(msgspec.Struct):
    """What is looked at of an event."""

    turns: list[Turn]


async def _one(
    client: httpx.AsyncClient,
    number: int,
    cookie: str,
    ready: asyncio.Semaphore,
    written: dict[int, float],
    delays: list[float],
) -> int:
    """One watcher; how many turns came, each in its order."""
    seen = -1
    headers = {"Cookie": f"dohyo_session={cookie}"}
    async with client.stream("GET", f"/hand-ins/{number}/events", headers=headers) as answer:
        assert answer.status_code == 200
        async for line in answer.aiter_lines():
            if line == "event: state" and seen < 0:
                ready.release()
            if line.startswith('data: {"names"'):
                now = monotonic()
                for each in msgspec.json.decode(line[6:], type=Told).turns:
                    if each.turn is not None:
                        assert each.turn == seen + 1, (each.turn, seen)
                        seen = each.turn
                        delays.append(now - written[seen])
    return seen + 1


class EnoughError(Exception):
    """So many turns were played."""


def _play(path: Path, turns: int, written: dict[int, float]) -> None:
    """Play a match as the judge does, slowly, and note when each turn was written."""

    with TurnFile(path) as live:

        def on_turn(replay: Replay) -> None:
            if len(replay.turns) > turns:
                raise EnoughError
            now = monotonic()
            for each in replay.turns:
                written.setdefault(each.turn, now)
            live.on_turn(replay)
            sleep(PAUSE)

        with suppress(EnoughError):
            play_match(all_games()[full_site.GAME], [Sample("random")] * 2, on_turn=on_turn, sandbox="none", seed=1)


# --- the judge


def hand_ins(folder: Path, asked: argparse.Namespace) -> Iterator[tuple[str, float]]:
    """Bots that are handed in while a ladder plays."""
    site, database = full_site.site_of(folder / "site")
    person = full_site.organiser(database)
    names = [f"author {at}" for at in range(-(-asked.hand_ins // 4))]
    authors = [accounts.sign_up(database, name, secrets.token_hex(8), "here") for name in names]
    sources = [sample("random.py"), sample("random.cpp")]
    with serving(site) as url:
        with signed_in(database, person, url) as client:
            client.get("/ladders/new")
            mark = client.cookies["dohyo_form"]
            slug = client.post("/ladders/new", data={"game": full_site.GAME, "title": "Busy", "_csrf_token": mark})
        path = slug.headers["location"]
        clients = [signed_in(database, author, url) for author in authors]
        begun = monotonic()
        places = [_send(clients[at // 4], path, at, *sources[at % 2]) for at in range(asked.hand_ins)]
        done = {}
        while len(done) < len(places) and monotonic() < begun + PATIENCE:
            rows = database.read(lambda connection: connection.execute(tables.hand_ins.select()).mappings().all())
            done = {row["id"]: row["state"] for row in rows if row["done"] is not None}
            sleep(0.1)
        seconds = monotonic() - begun
        with full_site.opened(site) as store:
            (contest,) = store.contests()
            yield "matches_meanwhile", store.count_played(contest.id)
    yield "hand_ins", len(done)
    yield "entered", sum(state == "entered" for state in done.values())
    yield "hand_ins_per_minute", 60 * len(done) / seconds
    database.close()


def sample(name: str) -> tuple[str, bytes]:
    """A sample bot's file: its name and its source."""
    path = dict(samples_of(all_games()[full_site.GAME]))[name]
    return path.name, path.read_bytes()


def _send(client: httpx.Client, path: str, number: int, filename: str, content: bytes) -> str:
    """Hand in; where it can be followed."""
    client.get(path)
    mark = client.cookies["dohyo_form"]
    comment = f"\n// {number}\n" if filename.endswith(".cpp") else f"\n# {number}\n"  # each its own build
    answer = client.post(
        f"{path}/hand-in",
        data={"bot": f"bot {number}", "_csrf_token": mark},
        files={"file": (filename, content + comment.encode())},
    )
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def judge(folder: Path, asked: argparse.Namespace) -> Iterator[tuple[str, float]]:
    """A judge's steps in a full ladder, of matches that take no time."""
    site, database, slug = full(folder, asked)
    database.close()
    start = perf_counter()
    with go_on(site.arena, slug, sandbox="none") as session:
        yield "begin_s", perf_counter() - start
        (bot,) = resolve(["true"])
        session.loop.roster.bot = lambda number: bot  # type: ignore[method-assign]
        session.loop.roster.starting = session.loop.roster.bot  # type: ignore[method-assign]
        steps, processor = [], []
        for _ in range(asked.rounds):
            start, used = perf_counter(), process_time()
            rests(session)
            session.loop.run(MadeUp(), Silent(), 1)
            steps.append(perf_counter() - start)
            processor.append(process_time() - used)
        yield "step_ms", 1000 * median(steps)
        yield "step_cpu_ms", 1000 * median(processor)


def main() -> None:
    """Print the figures, one a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="the sizes of the goals: some minutes, and a GiB")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--bots", type=int, default=300)
    parser.add_argument("--results", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=9, help="requests of each page, or steps of the judge")
    parser.add_argument("--watchers", type=int, default=20)
    parser.add_argument("--turns", type=int, default=30, help="of the match that is watched")
    parser.add_argument("--hand-ins", type=int, default=4)
    parser.add_argument("--kept", help="a folder for the full site: made there, or used again")
    asked = parser.parse_args()
    if asked.full:
        asked.bots, asked.results, asked.rounds, asked.watchers, asked.turns = 10_000, 1_000_000, 31, 200, 100
        asked.hand_ins = 40
    parts = {"ladder": ladder, "watchers": watchers, "hand_ins": hand_ins, "judge": judge, "weight": first_page}
    with tempfile.TemporaryDirectory(prefix="dohyo-benchmark-") as name:
        for part in asked.only:
            folder = Path(name) / part
            folder.mkdir()
            for figure, value in parts[part](folder, asked):
                print(f"{figure}={value:.1f}", flush=True)


if __name__ == "__main__":
    main()
