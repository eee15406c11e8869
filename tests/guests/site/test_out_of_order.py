"""The disk is full, the database is gone: the server says so, and goes on by itself when it is there again."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest

from tests import postgres, skips
from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder

SHOWN, REFUSED = "plays</span>", "refused</span>"
ROOM = "290m"  # more than a site leaves free


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk that is quickly full."""
    folder = tmp_path / "disk"
    folder.mkdir()
    order = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", os.fspath(folder)]
    if os.geteuid() != 0 or shutil.which("mount") is None or subprocess.run(order, check=False).returncode != 0:
        skips.skip_for(skips.Reason.KERNEL, "no small disk can be made here")
    yield folder
    subprocess.run(["umount", "--lazy", os.fspath(folder)], check=True)


def fill(path: Path) -> None:
    """Write to a file until its disk is full."""
    for size in (1 << 20, 4096):
        with suppress(OSError), path.open("ab", buffering=0) as file:
            while True:
                file.write(bytes(size))


def hand_in(author: Visitor, slug: str, name: str) -> httpx.Response:
    """Hand in a good bot."""
    return author.post(f"/ladders/{slug}/hand-in", {"bot": name}, files={"file": ("robot.py", GOOD.read_bytes())})


def until(answers: Callable[[], httpx.Response], status: int) -> httpx.Response:
    """The answer, once it has this status."""
    end = monotonic() + PATIENCE
    while (answer := answers()).status_code != status:
        assert monotonic() < end, answer.text
        sleep(0.2)
    return answer


def begun(site: RunningSite, *words: str) -> tuple[Visitor, str]:
    """Start it; its organiser, and a ladder."""
    site.start("--workers", "1", *words)
    organiser = Visitor(site.url).sign_up("Ms Sato", invitation=site.link.rpartition("/")[2])
    return organiser, new_ladder(organiser, "shoot-em-up", "Robots")


def test_a_full_disk(small_disk: Path) -> None:
    """Nothing is accepted for which there is no room, and pages are still shown; with room it goes on by itself."""
    site = RunningSite(small_disk / "site")
    organiser, slug = begun(site)
    try:
        before = hand_in(organiser, slug, "Before").headers["location"]
        ballast = small_disk / "ballast"
        fill(ballast)
        answer = hand_in(organiser, slug, "Full")
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "10"
        assert organiser.get(f"/ladders/{slug}").status_code == 200
        ballast.unlink()
        after = until(lambda: hand_in(organiser, slug, "After"), 303).headers["location"]
        for place in (before, after):
            assert SHOWN in organiser.await_text(place, SHOWN, REFUSED)
    finally:
        site.stop()


def test_a_database_that_is_moved_away(tmp_path: Path) -> None:
    """Nothing is written to a file that has no name any more, nor to a new and empty one."""
    site = RunningSite(tmp_path / "site")
    organiser, slug = begun(site, "--only", "web")
    try:
        database = tmp_path / "site" / "site.db"
        database.rename(tmp_path / "away.db")
        answer = organiser.get("/health")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
        assert hand_in(organiser, slug, "Nowhere").status_code == 503
        assert not database.exists()
        (tmp_path / "away.db").rename(database)
        assert organiser.get("/health").status_code == 200
        assert hand_in(organiser, slug, "There").status_code == 303
    finally:
        site.stop()


@pytest.mark.xdist_group("postgres")
def test_a_database_server_that_ends(tmp_path: Path) -> None:
    """While PostgreSQL is gone the server asks to come again; afterwards it goes on, and so does the judge."""
    with postgres.running(skips.program("postgres"), postgres.LASTING) as server, server.database() as url:
        site = RunningSite(tmp_path / "site")
        organiser, slug = begun(site, "--store", url)
        try:
            before = hand_in(organiser, slug, "Before").headers["location"]
            server.kill()
            for path in ("/health", "/", f"/ladders/{slug}"):
                answer = organiser.get(path)
                assert (answer.status_code, answer.headers["retry-after"]) == (503, "10"), path
            assert hand_in(organiser, slug, "Nowhere").status_code == 503
            server.start()
            after = until(lambda: hand_in(organiser, slug, "After"), 303).headers["location"]
            for place in (before, after):
                assert SHOWN in organiser.await_text(place, SHOWN, REFUSED)
        finally:
            site.stop()
