"""What tests of contests share: bots, and the path of a store that does not exist yet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.match.conftest import bot, cache, new_process, nobody_left, read_here
from tests.series.contests import Course, asked, course, play, write_bots

__all__ = ["bot", "cache", "new_process", "nobody_left", "read_here"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of bots."""
    write_bots(tmp_path / "bots")
    return tmp_path / "bots"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where a contest can be kept."""
    return tmp_path / "c.db"


@pytest.fixture(scope="session")
def courses() -> dict[str, Course]:
    """What came of contests that nobody disturbed, by format: wherever their bots lie, it is the same."""
    return {}


@pytest.fixture
def undisturbed(folder: Path, tmp_path: Path, courses: dict[str, Course]) -> Callable[[str], Course]:
    """What comes of a contest of this format when nobody disturbs it."""

    def of(format_: str) -> Course:
        if format_ not in courses:
            wanted = asked(tmp_path / "undisturbed.db", folder, format_)
            play(wanted)
            courses[format_] = course(wanted)
        return courses[format_]

    return of
