"""A site whose processes are killed at random while authors hand in: what was accepted is there, and played once."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from uuid import uuid4

import httpx

from dohyo.guests.site.arena import hand_ins
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.tables import open_site
from dohyo.series.store import open_store
from dohyo.series.store.verify import verify_contest, verify_pages, verify_rows
from tests import postgres
from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder
from tests.processes import children_of, every_pid, marked

AUTHORS = 4
OPEN = 6  # hand-ins that wait or are examined, at most
# Seconds from one kill to the next: from within a start to within an examination, or long after one.
LEAST, MOST, LONGEST = 0.1, 4.0, 10.0
MARK = "DOHYO_TORMENT"


class Author(threading.Thread):
    """Hands in, one version after another, until told to stop; notes what was accepted: digests by addresses."""

    def __init__(
        self, url: Callable[[], str], slug: str, number: int, program: str, room: threading.Semaphore
    ) -> None:
        super().__init__(daemon=True)
        self._url, self._slug, self._name, self._program, self._room = url, slug, f"Author {number}", program, room
        self.ends = threading.Event()
        self.accepted: dict[str, str] = {}
        self.refused: Counter[str] = Counter()
        self._visitor = Visitor(url()).sign_up(self._name)

    def run(self) -> None:
        """Hand in."""
        version = 0
        while not self.ends.is_set():
            if not self._room.acquire(timeout=0.1):
                continue
            version += 1
            content = GOOD.read_bytes() + f"# {self._name} {version}\n".encode()
            if not self._tried(content):
                self._room.release()
                self.ends.wait(0.2)

    def _tried(self, content: bytes) -> bool:
        form = {"bot": self._name}
        try:
            answer = self._visitor.post(
                f"/ladders/{self._slug}/hand-in", form, files={"file": (self._program, content)}
            )
        except httpx.HTTPError as error:
            self.refused[type(error).__name__] += 1
            return False
        if answer.status_code != 303:
            self.refused[str(answer.status_code)] += 1
            return False
        self.accepted[answer.headers["location"]] = hashlib.sha256(content).hexdigest()
        return True


class Torment:
    """A site, and what is done to it; `server` and `database` where it is kept in PostgreSQL."""

    def __init__(self, folder: SiteFolder, seed: int, server: postgres.Server | None = None) -> None:
        self._folder, self._server = folder, server
        self._random = random.Random(seed)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._words = ["--workers", "1", "--port", str(free.getsockname()[1])]
        self._words += ["--store", folder.store] if folder.store else []
        self._site = RunningSite(folder.home)
        self._mark = uuid4().hex
        self._site.environment[MARK] = self._mark
        self._program = f"robot_{self._mark[:8]}.py"
        self.killed: Counter[str] = Counter()

    def run(self, kills: int, most: float = MOST) -> dict[str, object]:
        """Kill processes, up to `most` seconds apart; hold that nothing is lost; what there was, in figures."""
        self._site.start(*self._words)
        organiser = Visitor(self._site.url).sign_up("Ms Sato", invitation=self._site.link.rpartition("/")[2])
        slug = new_ladder(organiser, "shoot-em-up", "Robots")
        room = threading.Semaphore(OPEN)
        people = [Author(lambda: self._site.url, slug, n, self._program, room) for n in range(AUTHORS)]
        watch = threading.Thread(target=self._make_room, args=(people, room), daemon=True)
        for each in (*people, watch):
            each.start()
        for _ in range(kills):
            sleep(self._random.uniform(LEAST, most))
            self._kill()
        for person in people:
            person.ends.set()
        for each in (*people, watch):
            each.join(PATIENCE)
        accepted = {place: digest for person in people for place, digest in person.accepted.items()}
        self._await_all()
        self._site.stop()
        self._hold_that_nothing_runs()
        refused = sum((person.refused for person in people), Counter[str]())
        return {"killed": dict(self.killed), "refused": dict(refused), **self._held(slug, accepted)}

    # --- what is done to it

    def _kill(self) -> None:
        """Kill one of its processes, or two at once."""
        what = self._random.choice(["web", "judge", "judge", "both", *(["database"] * 2 if self._server else [])])
        self.killed[what] += 1
        if what == "database":
            assert self._server is not None
            self._server.kill()
            sleep(self._random.uniform(0.0, 2.0))
            self._server.start()
            return
        assert self._site.process is not None
        web = self._site.process
        victims = children_of(web.pid) if what != "web" else []
        victims += [web.pid] if what != "judge" else []
        for pid in victims:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if what != "judge":
            web.wait(PATIENCE)
            assert web.stdout is not None
            web.stdout.close()
            self._site.start(*self._words)

    def _make_room(self, people: list[Author], room: threading.Semaphore) -> None:
        """Let authors hand in as long as few hand-ins are open."""
        done = 0
        while any(person.is_alive() for person in people):
            with suppress(Exception):
                database = open_site(self._folder.site, 1.0)
                try:
                    waiting = _open(database)
                finally:
                    database.close()
                accepted = sum(len(person.accepted) for person in people)
                for _ in range(max(0, accepted - waiting - done)):
                    room.release()
                    done += 1
            sleep(0.3)

    # --- what must hold

    def _await_all(self) -> None:
        """Wait until every hand-in has been examined."""
        database, end = open_site(self._folder.site), monotonic() + PATIENCE
        try:
            while _open(database):
                assert monotonic() < end, "hand-ins wait for ever"
                sleep(0.2)
        finally:
            database.close()

    def _held(self, slug: str, accepted: dict[str, str]) -> dict[str, object]:
        """Hold that what was accepted is there, in one version each, and that no match counts twice."""
        database, files = open_site(self._folder.site), self._folder.files()
        try:
            rows = {place: hand_ins.find(database, int(place.rpartition("/")[2])) for place in accepted}
            versions: dict[str, list[int]] = {}
            for number in range(1, max((row.id for row in rows.values() if row), default=0) + 20):
                if (row := hand_ins.find(database, number)) is not None:
                    versions.setdefault(row.bot, []).append(row.version)
                    assert row.state == "entered", (row, row.found)
                    assert files.get(row.file)
        finally:
            database.close()
        for place, digest in accepted.items():
            row = rows[place]
            assert row is not None, f"{place} was accepted and is lost"
            assert row.file == digest, f"{place} holds something else"
        for bot, numbers in versions.items():
            assert sorted(numbers) == [*range(1, len(numbers) + 1)], (bot, numbers)
        with open_store(self._folder.arena, files=self._folder.arena_files()) as store:
            found = [*verify_pages(store.database), *verify_rows(store.database)]
            contest = store.contest(slug)
            found += verify_contest(store.database, contest.id)
            assert not found, found
            matches = [result.fixture.number for result in store.played(contest.id)]
            assert len(matches) == len({*matches})
            names = {entrant.version.name for entrant in store.entrants(contest.id) if not entrant.is_away}
            assert {*versions} <= names
        stored = sum(map(len, versions.values()))
        return {"accepted": len(accepted), "stored": stored, "matches": len(matches)}

    def _hold_that_nothing_runs(self) -> None:
        """Hold that no process of the site is left, nor a bot's."""
        end = monotonic() + PATIENCE
        while left := [*marked(MARK, self._mark), *_named(self._program)]:
            assert monotonic() < end, left
            sleep(0.1)


def _open(database: object) -> int:
    from sqlalchemy import func, select

    from dohyo.guests.site import tables
    from dohyo.series.store.database import Database

    assert isinstance(database, Database)
    asked = select(func.count()).where(tables.hand_ins.c.state.in_(("waiting", "examined")))
    # By a transaction that writes: one that reads leaves a cursor at the server, about which its driver complains.
    return int(database.write(lambda connection: connection.execute(asked).scalar_one()))


def _named(program: str) -> list[int]:
    """The processes that have this word among theirs."""
    found = []
    for pid in every_pid():
        with suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
            if program.encode() in file.read():
                found.append(pid)
    return found
