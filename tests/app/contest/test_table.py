"""The table: what the store counted, ratings beside it, and what there is without the libraries for ratings."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dohyo.app.contest.extent import matches_of
from dohyo.app.contest.looking import Seen, look
from dohyo.app.contest.loop import as_played
from dohyo.app.contest.publishing import Publisher
from dohyo.app.contest.table import TOLD, Row, Table, _place, standing
from dohyo.app.executors.in_process import InProcess
from dohyo.contest import ratings
from dohyo.contest.fixtures import Played
from dohyo.store import open_store
from tests.app.contest.contests import Onlooker, asked, opened, play


def results(seen: Seen) -> list[Played]:
    """All results, one by one."""
    return [as_played(match, result) for match, result in seen.store.played(seen.contest.id)]


def test_ratings_are_those_of_all_results(folder: Path, store: Path) -> None:
    """Places, points and ratings are what format and fit make of the results; tallies agree with them."""
    play(asked(store, folder))
    with open_store(str(store)) as there:
        seen = look(there, None)
        table = seen.standing()
        fitted = ratings.rate(results(seen), 5)
        played = results(seen)
    expected = {rating.number: rating for rating in fitted.ratings}
    assert table.rated
    assert table.groups == []
    for row in table.rows:
        own = expected[row.entrant]
        assert (row.elo, row.low, row.high) == pytest.approx((own.rating, own.low, own.high))
        assert (row.first, row.last, row.matches) == (own.first, own.last, own.matches)
        assert row.won + row.drawn + row.lost == 3 * row.matches
    steady = next(row for row in table.rows if row.bot == "steady")
    exits = sum(kinds.count("exited") for one in played for kinds in one.faults)
    assert steady.faults == ({"exited": exits} if exits else {})


def test_an_unfinished_batch_counts_where_nothing_hangs_on_it(folder: Path, store: Path) -> None:
    """A round-robin's points grow with each match, though its batch is not over."""

    def stop(number: int) -> None:
        if number == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(asked(store, folder), Onlooker(stop))
    with open_store(str(store)) as there:
        seen = look(there, None)
        table = seen.standing()
        assert sum(row.points for row in table.rows) == pytest.approx(8 * 4 / 2)
        assert sum(standing.points for standing in seen.fold.standing([])) == 0
        assert matches_of(seen.fold, seen.progress) == 20


def test_a_contest_that_was_killed_does_not_run(folder: Path, store: Path) -> None:
    """What it wrote down last is that it runs; whether somebody has its lease decides."""
    with opened(asked(store, folder)) as contest:
        contest.store.set_state(contest.contest.id, "running")
        with open_store(str(store)) as there:
            assert look(there, None).contest.state == "running"
    with open_store(str(store)) as there:
        assert there.contest(None).state == "running"
        assert look(there, None).contest.state == "stopped"


def test_without_the_libraries_there_are_points(folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where NumPy and SciPy are missing the table has places and points, and says that it has no ratings."""
    play(asked(store, folder))
    for name in [name for name in sys.modules if name.startswith("dohyo.contest.") and "formats" not in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "scipy", None)
    with open_store(str(store)) as there:
        table = look(there, None).standing()
    assert not table.rated
    assert min(row.place for row in table.rows) == 1
    assert {row.elo for row in table.rows} == {None}


@pytest.mark.parametrize(("format_", "batches"), [("ladder", 2), ("league", 2)])
def test_ratings_are_fitted_in_every_format(folder: Path, store: Path, format_: str, batches: int) -> None:
    """A ladder's and a league's ratings are those of all results too; what matches are made by stands beside them."""
    options = {"options": {"bosses": ["early"], "table": 4}, "rounds": 4} if format_ == "league" else {}
    with opened(asked(store, folder, format_, **options)) as contest:
        publisher = Publisher(contest, Onlooker())
        contest.loop.run(InProcess(), publisher, batches)
        publisher.finish()
        fold = contest.loop.fold
        table = standing(contest.store, contest.contest, fold, contest.loop.field.entries)
        all_played = [as_played(match, result) for match, result in contest.store.played(contest.contest.id)]
        published = contest.store.ratings(contest.contest.id)[1]
    expected = {row.number: row for row in ratings.rate(all_played, 5, paired=True).ratings}
    for row in table.rows:
        own = expected[row.entrant]
        assert (row.elo, row.low, row.high) == pytest.approx((own.rating, own.low, own.high))
    assert [rating.rating for rating in published] == pytest.approx([expected[number].rating for number in range(5)])
    assert [rating.mu for rating in published] == [fold.ratings.of(number).mu for number in range(5)]  # type: ignore[attr-defined]
    keys = [(row.points if format_ == "league" else 0, max(row.low or 0, (row.elo or 0) - 800)) for row in table.rows]
    assert keys == sorted(keys, reverse=True)
    assert [row.place for row in table.rows] == [1 + keys.index(key) for key in keys]


@pytest.mark.parametrize("leagues", [False, True])
def test_a_ladder_s_places_take_no_end_further_than_that(leagues: bool) -> None:
    """By an end that is further below the rating than is told nobody loses: it counts as 800 Elo below."""
    table = Table(
        rows=[
            Row(place=1, entrant=0, bot="sure", digest="", points=0, elo=1500.0, low=1200.0),
            Row(place=2, entrant=1, bot="unsure", digest="", points=0, elo=2010.0, low=-500.0),
            Row(place=3, entrant=2, bot="as unsure", digest="", points=0, elo=1990.0, low=1990.0 - 5 * TOLD),
        ],
        rated=True,
    )
    _place(table, has_leagues=leagues)
    assert [(row.bot, row.place) for row in table.rows] == [("unsure", 1), ("sure", 2), ("as unsure", 3)]
    assert [row.points for row in table.rows] == ([0, 0, 0] if leagues else [1210.0, 1200.0, 1190.0])
