"""What others rely on is written down: nothing of it goes unseen."""

from __future__ import annotations

import json

import pytest

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
