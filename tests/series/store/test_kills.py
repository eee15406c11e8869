"""Killed at any moment, a store has all of what was being written, or nothing; and goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from tests.series.store.conftest import Open
from tests.series.store.dying import deaths
from tests.series.store.played import begun, duels, result


def test_killed_while_a_store_is_made(where: str, opened: Open, tmp_path: Path, root: Path, full: bool) -> None:
    """A store whose making was killed, at whatever statement, is made by whoever comes next."""
    assert deaths(root, "opens", where, tmp_path / "files", step=1 if full else 5) > 2
    with opened(create=False) as store:
        assert store.contests() == []


def test_killed_while_results_are_inserted(where: str, opened: Open, tmp_path: Path, root: Path, full: bool) -> None:
    """Results, tallies and kept folders are inserted together; in the end every match counts once."""
    assert deaths(root, "records", where, tmp_path / "files", step=1 if full else 4) > 1
    store, games = opened(create=False), duels()
    contest = store.contest()
    assert list(store.played(contest.id)) == [result(match) for match in games]
    assert store.record(contest.id, [result(match) for match in games]) == []
    assert sum(tally.matches for tally in store.tallies(contest.id)) == 2 * len(games)
    assert sum(pair.matches for pair in store.pairs(contest.id)) == len(games)


def test_killed_while_a_batch_is_scheduled(where: str, opened: Open, tmp_path: Path, root: Path, full: bool) -> None:
    """A schedule is written down whole or not at all."""
    assert deaths(root, "schedules", where, tmp_path / "files", step=1 if full else 2) > 1
    store = opened(create=False)
    assert store.unplayed(store.contest().id) == duels()


def test_an_exception_leaves_nothing_half(opened: Open) -> None:
    """What ends in the middle of a transaction by an exception did not happen."""
    store = opened()
    contest = begun(store)
    store.schedule(contest.id, duels())
    broken = [result(duels()[0]), result(duels()[1], at=None)]
    with pytest.raises(IntegrityError):
        store.record(contest.id, broken)
    assert list(store.played(contest.id)) == []
    assert store.tallies(contest.id) == []
