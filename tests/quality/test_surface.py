"""What others rely on is written down: nothing of it goes unseen, and what goes was deprecated before."""

from __future__ import annotations

import json

import pytest

from dohyo.core import deprecated
from tests import surface


@pytest.fixture(scope="module")
def recorded() -> set[str]:
    """The names of the file."""
    return set(surface.names(json.loads(surface.FILE.read_text(encoding="utf-8"))))


def test_the_public_surface_is_the_recorded_one(recorded: set[str]) -> None:
    """Commands, options, API, keys, variables, faults: as in the file, which a change here makes one look at."""
    found = set(surface.names(surface.surface()))
    gone, new = sorted(recorded - found), sorted(found - recorded)
    assert not gone, (
        f"others may use these: deprecate them first (docs/deprecation.md), then python -m tests.surface: {gone}"
    )
    assert not new, f"new, and from now on to be kept: python -m tests.surface writes them down: {new}"


def test_what_replaces_an_old_name_is_there(recorded: set[str]) -> None:
    """A row of the table leads to a name of today, and its old name is none any more."""
    last = {name.rpartition(": ")[2] for name in recorded}
    for row in deprecated.TABLE:
        new, old = (name.rpartition(" ")[2].rpartition(".")[2].partition("(")[0] for name in (row.new, row.old))
        assert not new or new in last, row
        assert row.kind == "option" or old not in last, row
