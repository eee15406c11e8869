"""The table: what the store counted, ratings beside it, and what there is without NumPy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from dohyo.core.contest import Result
from dohyo.executors.in_process import InProcess
from dohyo.series import from_python, taking_part
from dohyo.series.exports.export import standings_as_csv
from dohyo.series.ratings import ratings
from dohyo.series.ratings.meetings import matches_of
from dohyo.series.results import Publisher
from dohyo.series.session import ContestView, look
from dohyo.series.standings import TOLD, Row, Standings, _place, _place_last, standings_of
from dohyo.series.standings import matches_of as matches_in_all
from dohyo.series.store import open_store
from tests.series.contests import ContestListener, asked, opened, play


def results(view: ContestView) -> list[Result]:
    """All results, one by one."""
    return list(view.store.played(view.contest.id))


def test_ratings_are_those_of_all_results(folder: Path, store: Path) -> None:
    """Places, points and ratings are what format and fit make of the results; tallies agree with them."""
    play(asked(store, folder))
    with open_store(str(store)) as there:
        view = look(there, None)
        standings = view.standings()
        fitted = ratings.rate(matches_of(results(view)), 5)
        played = results(view)
    assert from_python.standings(store) == standings
    expected = {rating.number: rating for rating in fitted.ratings}
    ends = [(expected[number].low, expected[number].high) for number in range(5)]
    ranges = ratings.places(*zip(*ends, strict=True), fitted.groups)
    assert standings.rated
    assert standings.groups == []
    for row in standings.rows:
        own = expected[row.entrant]
        assert (row.elo, row.low, row.high) == pytest.approx((own.rating, own.low, own.high))
        assert ((row.first, row.last), row.matches) == (ranges[row.entrant], own.matches)
        assert row.won + row.drawn + row.lost == 3 * row.matches
    steady = next(row for row in standings.rows if row.bot == "steady")
    exits = sum(kinds.count("exited") for one in played for kinds in one.faults)
    assert steady.faults == ({"exited": exits} if exits else {})


def test_an_unfinished_batch_counts_where_nothing_hangs_on_it(folder: Path, store: Path) -> None:
    """A round-robin's points grow with each match, though its batch is not over."""

    def stop(number: int) -> None:
        if number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(asked(store, folder), ContestListener(stop))
    with open_store(str(store)) as there:
        view = look(there, None)
        standings = view.standings()
        assert sum(row.points for row in standings.rows) == pytest.approx(3 * 4 / 2)
        assert sum(standing.points for standing in view.format.standing([])) == 0
        assert matches_in_all(view.format, view.progress) == 5


def test_points_are_told_without_what_adding_them_left_over(folder: Path, store: Path) -> None:
    """Sums of thirds are 24 in tables for programs too, not 23.999999999999996."""
    play(asked(store, folder))
    with open_store(str(store)) as there:
        view = look(there, None)
        odd = (23.999999999999996, 17.000000000000004, 8 / 3, 0.1 + 0.2, 0)
        found = zip(view.format.standing(view.entrants), odd, strict=True)
        exact = [replace(standing, points=points) for standing, points in found]
        view.format.standing = lambda *_: exact  # type: ignore[method-assign]
        assert [row.points for row in view.standings().rows] == [24, 17, 2.666667, 0.3, 0]
        first, second, *_ = list(standings_as_csv(view.standings()))[1:]
    assert (first.split(",")[2], second.split(",")[2]) == ("24.0", "17.0")


def test_a_contest_that_was_killed_does_not_run(folder: Path, store: Path) -> None:
    """What it wrote down last is that it runs; whether somebody has its lease decides."""
    with opened(asked(store, folder)) as contest:
        contest.store.set_state(contest.contest.id, "running")
        with open_store(str(store)) as there:
            assert look(there, None).contest.state == "running"
    with open_store(str(store)) as there:
        assert there.contest(None).state == "running"
        assert look(there, None).contest.state == "stopped"


def test_of_too_many_bots_there_are_points(folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where NumPy is missing for so many bots, the table has places and points, and says that it has no ratings."""
    play(asked(store, folder))
    monkeypatch.setattr(ratings, "MAX_PLAIN", 4)
    monkeypatch.setattr(ratings.importlib.util, "find_spec", lambda _: None)
    with open_store(str(store)) as there:
        standings = look(there, None).standings()
    assert not standings.rated
    assert min(row.place for row in standings.rows) == 1
    assert {row.elo for row in standings.rows} == {None}


@pytest.mark.parametrize(("format_", "batches"), [("ladder", 2), ("league", 2)])
def test_ratings_are_fitted_in_every_format(folder: Path, store: Path, format_: str, batches: int) -> None:
    """A ladder's and a league's ratings are those of all results too; what matches are made by stands beside them."""
    options = {"options": {"bosses": ["early"], "table": 4}, "rounds": 4} if format_ == "league" else {}
    with opened(asked(store, folder, format_, **options)) as contest:
        made, roster = contest.loop.format, contest.loop.roster
        publisher = Publisher(contest.store, contest.contest, lambda: made, roster, ContestListener())
        contest.loop.run(InProcess(), publisher, batches)
        publisher.finish()
        standings = standings_of(contest.store, contest.contest, made, roster.entrants)
        all_played = list(contest.store.played(contest.contest.id))
        published = contest.store.ratings(contest.contest.id)[1]
    expected = {row.number: row for row in ratings.rate(matches_of(all_played), 5).ratings}
    for row in standings.rows:
        own = expected[row.entrant]
        assert (row.elo, row.low, row.high) == pytest.approx((own.rating, own.low, own.high))
    assert [rating.rating for rating in published] == pytest.approx([expected[number].rating for number in range(5)])
    assert [rating.mu for rating in published] == [made.ratings.of(number).mu for number in range(5)]  # type: ignore[attr-defined]
    keys = [
        (row.points if format_ == "league" else 0, max(row.low or 0, (row.elo or 0) - 800)) for row in standings.rows
    ]
    assert keys == sorted(keys, reverse=True)
    assert [row.place for row in standings.rows] == [1 + keys.index(key) for key in keys]


@pytest.mark.parametrize(("change", "state"), [(taking_part.pause, "pauses"), (taking_part.leave, "left")])
def test_who_is_away_without_a_match_holds_no_place(
    folder: Path, store: Path, change: Callable[..., int], state: str
) -> None:
    """Such a bot stands below those who hold one, and the places that are open are theirs alone."""
    with opened(asked(store, folder)) as contest:
        change(contest.store, contest.contest, "early")
        contest.loop.run(InProcess(), ContestListener())
        rows = ContestView.of(contest).standings().rows
    assert [(row.bot, row.place_told, row.state) for row in rows if row.place is None] == [("early", "-", state)]
    assert rows[-1].bot == "early"
    assert max(row.last or 0 for row in rows) == 4


def test_many_who_were_disqualified_are_placed_last() -> None:
    """Each of the others moves up by those who were ahead of it, ties stay ties, and no pair of rows is compared."""

    class Place(int):
        """A place that counts how often it is compared."""

        compared = 0

        def __lt__(self, other: int) -> bool:
            Place.compared += 1
            return int(self) < int(other)

    count = 400
    rows = [
        Row(place=Place(1 + at - at % 2), entrant=at, bot=str(at), digest="", points=0.0,
            state="disqualified" if at % 4 < 2 else "playing")
        for at in range(count)
    ]  # fmt: skip
    standings = Standings(rows=rows, rated=False)
    _place_last(standings)
    half = count // 2
    assert [row.place for row in standings.rows] == [1 + at - at % 2 for at in range(half)] + [None] * half
    assert {row.state for row in standings.rows[:half]} == {"playing"}
    assert Place.compared < 20 * count


@pytest.mark.parametrize("leagues", [False, True])
def test_a_ladder_s_places_take_no_end_further_than_that(leagues: bool) -> None:
    """By an end that is further below the rating than is told nobody loses: it counts as 800 Elo below."""
    standings = Standings(
        rows=[
            Row(place=1, entrant=0, bot="sure", digest="", points=0, elo=1500.0, low=1200.0),
            Row(place=2, entrant=1, bot="unsure", digest="", points=0, elo=2010.0, low=-500.0),
            Row(place=3, entrant=2, bot="as unsure", digest="", points=0, elo=1990.0, low=1990.0 - 5 * TOLD),
        ],
        rated=True,
    )
    _place(standings, has_leagues=leagues)
    assert [(row.bot, row.place) for row in standings.rows] == [("unsure", 1), ("sure", 2), ("as unsure", 3)]
    assert [row.points for row in standings.rows] == ([0, 0, 0] if leagues else [1210.0, 1200.0, 1190.0])
