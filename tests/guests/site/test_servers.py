"""A site on several servers: pages by some processes, judging by others, one database in PostgreSQL."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import postgres, skips
from tests.guests.site.conftest import GOOD, MADE, RunningSite, Visitor, new_ladder

pytestmark = pytest.mark.xdist_group("postgres")

SHOWN, REFUSED = "plays</span>", "refused</span>"


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    """A PostgreSQL of our own."""
    with postgres.running(skips.program("postgres")) as running:
        yield running


def test_two_web_servers_and_two_judges_are_one_site(server: postgres.Server, tmp_path: Path) -> None:
    """What is handed in at one server is judged by any judge, shown by both servers, and stands on the ladder."""
    with server.database() as url, ExitStack() as stack:
        parts = []
        for name in ("left", "right"):
            one = RunningSite(tmp_path / name)
            one.start("--store", url, "--only", "web", "--files", str(tmp_path / "files"))
            stack.callback(one.stop)
            parts.append(one)
        for name in ("one", "two"):
            judge = RunningSite(tmp_path / name)
            judge.begin("--store", url, "--only", "judge", "--workers", "1", "--files", str(tmp_path / "files"))
            stack.callback(judge.stop)
        left, right = (Visitor(one.url) for one in parts)
        left.sign_up("Ms Sato", invitation=parts[0].link.rpartition("/")[2])
        right.post("/sign-in", {"name": "Ms Sato", "password": "correct horse", "next": "/"})
        slugs = [new_ladder(left, "shoot-em-up", title) for title in ("One", "Two")]
        for slug in slugs:
            place = right.hand_in(slug, "Robot", "robot.py", GOOD.read_bytes())
            assert SHOWN in left.await_text(place, SHOWN, REFUSED)
        for slug in slugs:
            left.await_text(f"/ladders/{slug}/bots/Robot", "/matches/")
            page = right.await_text(f"/ladders/{slug}", "/matches/")
            assert re.search(f'/ladders/{slug}/matches/[0-9]+"', page)


def test_a_site_in_postgresql_goes_on_from_a_copy(server: postgres.Server, tmp_path: Path) -> None:
    """pg_dump of the running site and then its files, brought back elsewhere: accounts, bots, matches, what waits."""
    with server.database() as url, server.database() as other, ExitStack() as stack:
        first = RunningSite(tmp_path / "first")
        first.start("--store", url, "--files", str(tmp_path / "files"), "--workers", "1")
        stack.callback(lambda: first.stop() if first.process is not None else None)
        organiser = Visitor(first.url).sign_up("Ms Sato", invitation=first.link.rpartition("/")[2])
        slug = new_ladder(organiser, "shoot-em-up", "Kept")
        place = organiser.hand_in(slug, "Robot", "robot.py", GOOD.read_bytes())
        assert SHOWN in organiser.await_text(place, SHOWN, REFUSED)
        organiser.await_text(f"/ladders/{slug}/bots/Robot", "/matches/")
        waits = organiser.hand_in(slug, "Second", "robot.py", GOOD.read_bytes() + b"# second\n")
        server.copy(url, other, tmp_path / "site.dump")
        shutil.copytree(tmp_path / "files", tmp_path / "files again")
        MADE.remove((organiser, slug))
        first.stop()
        first.process = None
        again = RunningSite(tmp_path / "again")
        again.start("--store", other, "--files", str(tmp_path / "files again"), "--workers", "1")
        stack.callback(again.stop)
        assert again.link == "", "its organiser has the account that she had"
        back = Visitor(again.url)
        assert back.post("/sign-in", {"name": "Ms Sato", "password": "correct horse"}).status_code == 303
        assert "Robot" in back.get(f"/ladders/{slug}").text
        assert SHOWN in back.await_text(waits, SHOWN, REFUSED)
        match = re.search(rf"/ladders/{slug}/matches/[0-9]+", back.get(f"/ladders/{slug}/bots/Robot").text)
        assert match is not None
        assert back.get(f"{match[0]}/board").status_code == 200, "its replay is there"
