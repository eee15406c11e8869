"""Who keeps a place at which people play, when all are taken."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dohyo.guests.site.arena import sittings
from dohyo.guests.site.arena.sittings import IDLE, Running, Sittings


@pytest.fixture
def places() -> Sittings:
    """Two matches: in one nobody has acted for a second less than a silent page is waited for."""
    found: Any = Sittings.__new__(Sittings)
    found._running = {
        person: Running(person, SimpleNamespace(untouched=seconds), (), (), 0.0, [])  # type: ignore[arg-type]
        for person, seconds in ((1, 5.0), (2, IDLE - 1))
    }
    return found  # type: ignore[no-any-return]


def test_a_page_that_is_only_open_does_not_keep_a_place_that_others_want(
    places: Sittings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match that was left alone for longest ends, and no other one; nobody's who has just acted."""
    assert places._left_alone() is None
    monkeypatch.setattr(sittings, "IDLE", IDLE - 2)
    ended = places._left_alone()
    assert ended is not None
    assert ended.number == 2
    assert list(places._running) == [1]
    assert places._left_alone() is None
