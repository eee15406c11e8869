"""A site of its own for bots that stay at home: its judge has nothing else to do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.guests.site.conftest import OPEN, RunningSite, Visitor
from tests.guests.site.distant.homes import marked_ladder, token_to_play


@pytest.fixture(scope="package")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """The site."""
    running = RunningSite(tmp_path_factory.mktemp("distant") / "arena")
    running.start("--workers", "1")
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="package")
def teacher(arena: RunningSite) -> Iterator[Visitor]:
    """Its organiser."""
    found = Visitor(arena.url).sign_up("Ms Sato", invitation=arena.link.rpartition("/")[2])
    OPEN.remove(found)
    yield found
    found.http.close()


@pytest.fixture(scope="package")
def author(arena: RunningSite) -> Iterator[Visitor]:
    """Somebody whose bots stay at home."""
    found = Visitor(arena.url).sign_up("Ren")
    OPEN.remove(found)
    yield found
    found.http.close()


@pytest.fixture(scope="module")
def ladder(teacher: Visitor) -> str:
    """A ladder that takes such bots: one for all tests of a module, as the judge lets several take turns."""
    return marked_ladder(teacher)


@pytest.fixture(scope="package")
def token(author: Visitor) -> str:
    """A token that may play."""
    return token_to_play(author)
