"""A contest as it was: a copy that ends at a moment shows what there was to see then, and nothing of later."""

from __future__ import annotations

from pathlib import Path
from time import time

import pytest

from dohyo.executors.in_process import InProcess
from dohyo.guests.site.arena import moments
from dohyo.guests.site.arena.opened import Arena
from dohyo.series import rulings
from dohyo.series.exports.export import as_csv, lines, standings_as_csv
from dohyo.series.request import ContestRequest
from dohyo.series.session import look
from dohyo.series.store import Store, open_store
from tests.series.contests import ContestListener, asked, opened, write_bots


def told(store: Store) -> tuple[str, str, object, object]:
    """Standings, matches, pairs and progress, whole."""
    view = look(store, None)
    contest = view.contest.id
    shown = "".join(standings_as_csv(view.standings())), "".join(as_csv(lines(view)))
    return *shown, store.pairs(contest), store.progress(contest)


@pytest.fixture
def wanted(tmp_path: Path) -> ContestRequest:
    """A contest of five bots, by rounds."""
    write_bots(tmp_path)
    return asked(tmp_path / "c.db", tmp_path, "swiss")


def play(wanted: ContestRequest, batches: int) -> None:
    """Play so many rounds."""
    with opened(wanted) as contest, InProcess() as players:
        contest.loop.run(players, ContestListener(), batches)


def test_a_copy_ends_at_its_moment(wanted: ContestRequest, tmp_path: Path) -> None:
    """After each round, a ruling and a match played again: the copy, made at the end, is as the store was then."""
    seen: list[tuple[float, object]] = []

    def note() -> None:
        with open_store(wanted.store) as store:
            seen.append((time(), told(store)))

    for _ in range(2):
        play(wanted, 1)
        note()
    with open_store(wanted.store) as store:
        rulings.ask_again(look(store, None), [1], "was late")
    note()
    play(wanted, 1)
    note()
    with open_store(wanted.store) as store:
        view = look(store, None)
        rulings.annul(view, [0], "unjust")
        rulings.disqualify(view, "late", "copied")
    note()
    play(wanted, 1)
    with open_store(wanted.store) as store:
        for at, (until, before) in enumerate(seen):
            path = tmp_path / f"{at}.db"
            moments.make_copy(store, "c", until, path)
            with moments.open_copy(store.files, path) as copy:
                assert told(copy) == before, at
                assert list(copy.verify()) == []
        assert told(store) != seen[-1][1]


def test_within_a_round_nothing_that_was_unplayed_is_known(wanted: ContestRequest, tmp_path: Path) -> None:
    """Between two results of a round, the first is there, and neither the second nor who meets whom afterwards."""
    play(wanted, 3)
    with open_store(wanted.store) as store:
        contest = store.contest()
        first, second = [each.at for each in store.played(contest.id, 1)][:2]
        moments.make_copy(store, "c", (first + second) / 2, tmp_path / "copy.db")
        with moments.open_copy(store.files, tmp_path / "copy.db") as copy:
            assert [each.fixture.batch for each in copy.played(1)] == [0, 0, 0, 0, 1]
            assert [each.batch for each in copy.progress(1)] == [0, 1]
            assert {each.batch for each in copy.scheduled(1)} == {0, 1}


def test_a_copy_is_made_once_and_forgotten(wanted: ContestRequest, tmp_path: Path) -> None:
    """It is kept open, made anew for another moment, and gone when nobody needs it any more."""
    frozen = tmp_path / "frozen"
    frozen.mkdir()
    arena = Arena(wanted.store, frozen)
    with arena.opened_at("c", 1.0) as store:
        assert store is None, "there is nothing yet"
    play(wanted, 1)
    try:
        for until, played in ((1.0, 0), (time(), 4), (1.0, 0)):
            with arena.opened_at("c", until) as store:
                assert store is not None
                assert sum(each.played for each in store.progress(1)) == played
        assert len(list(frozen.glob("*.db"))) == 2
        arena.forget("c")
        assert list(frozen.iterdir()) == []
    finally:
        arena.close()
