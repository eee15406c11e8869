"""A real site: the command `dohyo serve` in a folder of its own, with its judge, and people who use it over HTTP."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any

import httpx
import pytest

from tests.guests.site import light

PATIENCE = 600.0  # seconds for what takes a few on an idle machine
GOOD = Path(__file__).parents[3] / "src/dohyo/games/shoot_em_up/bots/random.py"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one running site share it, on one worker: the judges of several would take the processors from others.

    Tests that start a site of their own, or need none, run wherever there is room.
    """
    for item in items:
        is_ours = item.path.is_relative_to(Path(__file__).parent) and "site" in getattr(item, "fixturenames", ())
        if is_ours and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group("site"))


class RunningSite:
    """A site that runs: its folder, its address, and the link that it printed for its organiser.

    With `is_light` it takes little of the machine: `light.py`.
    """

    def __init__(self, folder: Path, is_light: bool = False) -> None:
        self.folder = folder
        self._program = ["-P", os.fspath(Path(light.__file__))] if is_light else ["-m", "dohyo"]
        self.process: subprocess.Popen[str] | None = None
        self.url = self.link = ""
        self.environment = {"DOHYO_LANG": "en"}  # beside that of the tests
        self.errors: IO[str] | None = None  # where its standard error goes, if not to ours

    def begin(self, *words: str) -> None:
        """Start it, and wait for nothing."""
        quiet = () if "--puzzles" in words else ("--no-puzzles",)  # they take all the time that is left
        command = [sys.executable, *self._program, "serve", os.fspath(self.folder), *quiet, *words]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env={**os.environ, **self.environment},
        )

    def start(self, *words: str) -> None:
        """Start it, or start it again, and wait until it listens."""
        self.begin("--port", "0", *words)
        assert self.process is not None
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"https?://\S+[^\s.]", line)
            if found is not None and "/organise/" in line:
                self.link = found[0]
            elif found is not None:
                self.url = found[0]
                FOLDERS[self.url.rstrip("/")] = self.folder
                return
        raise AssertionError(f"it ended with {self.process.wait()}")

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send it a signal, and wait for its end; its exit status."""
        assert self.process is not None
        self.process.send_signal(number)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return self.process.wait(PATIENCE)


def written(folder: Path | None) -> list[tuple[int, int]]:
    """When what a site keeps in its folder was last written, and how much there is; empty where it is elsewhere."""
    found = []
    if folder is not None:
        for name in KEPT:
            with suppress(OSError):
                about = (folder / name).stat()
                found.append((about.st_mtime_ns, about.st_size))
    return found


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory, full: bool) -> Iterator[RunningSite]:
    """A site for all these tests of a worker, and gone after them: each has people and ladders of its own."""
    running = RunningSite(tmp_path_factory.mktemp("site") / "arena", is_light=not full)
    running.start("--workers", "1")
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module", autouse=True)
def _few_sign_ups() -> None:
    """A site bounds how many accounts an hour are made from one address, and all tests are at the same one."""
    for folder in FOLDERS.values():
        path = folder / "site.db"
        if path.is_file():
            with closing(sqlite3.connect(path, timeout=PATIENCE)) as database, database:
                database.execute("DELETE FROM attempts WHERE what LIKE 'sign-up-from %'")


OPEN: list[Visitor] = []  # to be closed at the end of a test
FOLDERS: dict[str, Path] = {}  # of sites that ran here, by their addresses
KEPT = ("site.db", "site.db-wal", "arena.db", "arena.db-wal")
MOMENT, SHORT, LONG = 0.02, 0.2, 1.0  # seconds
SLOWER = 1.25  # a page costs as much as what it waits for


@cache
def certificates() -> ssl.SSLContext:
    """What a browser trusts, read once: it takes longer than most pages do."""
    return ssl.create_default_context()


class Visitor:
    """Somebody's browser without a window: keeps cookies, sends forms with the mark that pages give them."""

    def __init__(self, url: str, **more: Any) -> None:
        self._folder = FOLDERS.get(url.rstrip("/"))
        more.setdefault("verify", certificates())
        self.http = httpx.Client(base_url=url, follow_redirects=False, timeout=60.0, **more)
        OPEN.append(self)

    def get(self, path: str, **params: str) -> httpx.Response:
        """A page."""
        return self.http.get(path, params=params or None)

    def post(self, path: str, fields: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
        """Send a form, as the page that has it would."""
        if "dohyo_form" not in self.http.cookies:
            self.http.get("/sign-in")
        mark = self.http.cookies.get("dohyo_form")
        return self.http.post(path, data={**(fields or {}), "_csrf_token": mark}, **more)

    def sign_up(self, name: str, password: str = "correct horse", **more: str) -> Visitor:
        """Make an account."""
        answer = self.post("/sign-up", {"name": name, "password": password, **more})
        assert answer.status_code == 303, answer.text
        return self

    def hand_in(self, slug: str, bot: str, filename: str, content: bytes) -> str:
        """Hand in a file; where it can be followed."""
        answer = self.post(f"/ladders/{slug}/hand-in", {"bot": bot}, files={"file": (filename, content)})
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    def await_text(self, path: str, *wanted: str) -> str:
        """A page's text, once one of these is in it: asked for again when its site has written something.

        The longer it takes, the less often: a page costs its server more than a look at a match does.
        """
        end, rest = monotonic() + PATIENCE, SHORT
        while monotonic() < end:
            before, begun = written(self._folder), monotonic()
            text = self.get(path).text
            if any(each in text for each in wanted):
                return text
            while monotonic() - begun < LONG:
                sleep(MOMENT)
                if monotonic() - begun > rest and (not before or written(self._folder) != before):
                    break
            rest = min(rest * SLOWER, LONG)
        raise AssertionError(text)


@pytest.fixture(scope="package")
def organiser(site: RunningSite) -> Iterator[Visitor]:
    """Whoever opened the link that the site printed."""
    found = Visitor(site.url).sign_up("Ms Sato", invitation=site.link.rpartition("/")[2])
    OPEN.remove(found)
    yield found
    found.http.close()


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Whoever visits during a test has gone after it."""
    yield
    while OPEN:
        OPEN.pop().http.close()


@pytest.fixture
def visitor(site: RunningSite) -> Visitor:
    """Somebody without an account."""
    return Visitor(site.url)


MADE: list[tuple[Visitor, str]] = []  # ladders, with who made them


def new_ladder(organiser: Visitor, game: str, title: str) -> str:
    """Make a ladder; its name in addresses. It is played until the end of its module."""
    answer = organiser.post("/ladders/new", {"game": game, "title": title})
    assert answer.status_code == 303, answer.text
    slug = str(answer.headers["location"]).rpartition("/")[2]
    MADE.append((organiser, slug))
    return slug


@pytest.fixture(scope="module", autouse=True)
def retired() -> Iterator[None]:
    """No ladder is played any more when the tests that it is for are over: the next ones wait for the judge."""
    yield
    while MADE:
        organiser, slug = MADE.pop()
        if not organiser.http.is_closed:
            with suppress(httpx.HTTPError):  # its site may be gone
                organiser.post(f"/ladders/{slug}/organise", {"do": "retire"})
