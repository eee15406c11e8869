"""A site on several servers: pages by some processes, judging by others, one database in PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import postgres, skips
from tests.guests.site.conftest import GOOD, RunningSite, Visitor, new_ladder

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
