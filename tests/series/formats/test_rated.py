"""Ladder and league: bots that come, climb, pause and go."""

from __future__ import annotations

from collections import Counter
from statistics import correlation

import msgspec

from dohyo.core.contest import Result
from dohyo.series.formats import Format, make
from dohyo.series.formats.matchmaking import Matchmaking
from dohyo.series.formats.seeds import Lots
from dohyo.series.ratings.ladder_ratings import LadderRating
from tests.series.formats.contests import Case, batches, bots, entrant, result


def league(count: int, rounds: int = 50, **options: object) -> Format:
    """A league of so many bots in matches of two."""
    return make("league", seats=(2, 2), rounds=rounds, seed=1, entrants=count, options=options)


def test_a_batch_has_the_size_that_the_contest_fixed() -> None:
    """Seven tables of two are fourteen matches, whoever is there."""
    for count in (2, 3, 20):
        case = Case("ladder", (2, 2), 1, bots(count), {"batch": 7})
        assert [len(batch) for batch in batches(case)] == [14] * 5


def test_a_ladder_finds_the_order() -> None:
    """After thirty batches the standing of twenty bots is nearly the true order, and everybody played alike."""
    contest = make("ladder", seats=(4, 4), rounds=1, seed=1, entrants=20, options={"batch": 10})
    case = Case("ladder", (4, 4), 1, bots(20), upsets=4)
    for _ in range(30):
        contest.take([result(one, case.salt, case.upsets) for one in contest.next(bots(20))])
    places = {row.entrant: row.place for row in contest.standing(bots(20))}
    assert correlation(range(20), [places[bot] for bot in range(20)]) > 0.9
    matches = [row.matches for row in contest.standing(bots(20))]
    assert max(matches) < 1.5 * min(matches)


def test_near_ratings_meet() -> None:
    """When ratings have settled, a bot meets its neighbours more often than those far from it."""
    contest = make("ladder", seats=(2, 2), rounds=1, seed=1, entrants=24, options={"batch": 48})
    distances: list[list[int]] = []
    for _ in range(20):
        batch = contest.next(bots(24))
        distances.append([abs(fixture.seats[0] - fixture.seats[1]) for fixture in batch])
        contest.take([result(fixture) for fixture in batch])
    first, last = (sum(batch) / len(batch) for batch in (distances[0], distances[-1]))
    assert last < 5 < 7 < first


def test_new_versions_play_more_and_start_from_their_predecessor() -> None:
    """A version that enters plays up to four times as often; until it played, its mean is its predecessor's."""
    entrants = (*bots(12), entrant(12, "b0", since=10, follows=0))
    contest = make("ladder", seats=(2, 2), rounds=1, seed=1, entrants=12, options={"batch": 24})
    for _ in range(10):
        batch = contest.next(entrants)
        assert all(12 not in fixture.seats for fixture in batch)
        contest.take([result(fixture) for fixture in batch])
    rows = {row.entrant: row for row in contest.standing(entrants)}
    assert rows[12].tiebreaks == rows[0].tiebreaks  # the means
    assert rows[12].points < rows[0].points  # the lower ends
    sat = Counter(bot for fixture in contest.next(entrants) for bot in fixture.seats)
    assert sat[12] > 1.5 * max(times for bot, times in sat.items() if bot != 12)


def test_a_ladder_waits_for_bots() -> None:
    """While too few take part nothing is played; when one is back it goes on."""
    paused = (bots(2)[0], msgspec.structs.replace(bots(2)[1], absences=((0, None),)))
    contest = make("ladder", seats=(2, 2), rounds=1, seed=1, entrants=2)
    assert contest.next(paused) == []
    assert contest.next(bots(2)) != []


def test_matches_set_aside_leave_ratings_alone() -> None:
    """A batch of which nothing could be played changes nobody's rating."""
    contest = make("ladder", seats=(2, 2), rounds=1, seed=1, entrants=3)
    before = contest.standing(bots(3))
    contest.take([Result(fixture, ()) for fixture in contest.next(bots(3))])
    assert contest.standing(bots(3)) == before


def test_who_beats_the_boss_is_promoted() -> None:
    """Three leagues, bosses 3 and 1: 2 ends in the second league, 0 in the third, 4 and 5 stay below."""
    contest = league(6, bosses="b3,b1")
    while batch := contest.next(bots(6)):
        contest.take([result(fixture) for fixture in batch])
    rows = [(row.entrant, row.place, row.points, row.remark) for row in contest.standing(bots(6))]
    assert rows == [
        (0, 1, 3, "format.league"),
        (1, 2, 2, "format.boss"),
        (2, 3, 2, "format.league"),
        (3, 4, 1, "format.boss"),
        (4, 5, 1, "format.league"),
        (5, 6, 1, "format.league"),
    ]


def test_promotion_takes_the_margin_and_no_more() -> None:
    """With one boss seed a batch, a bot that always wins is promoted by as many batches as the margin says."""
    for margin in (1, 4):
        contest = league(2, bosses=[1], margin=margin)
        played = 0
        while batch := contest.next(bots(2)):
            played += 1
            assert {row.entrant: row.points for row in contest.standing(bots(2))} == {0: 1, 1: 1}
            contest.take([result(fixture) for fixture in batch])
        assert played == margin
        assert contest.standing(bots(2))[0].points == 2


def test_what_was_lost_is_won_back_first() -> None:
    """A seed lost to the boss counts against one won, and a level one counts for nobody."""
    contest = league(2, bosses=[1], margin=2)
    for places in ((2, 1), (1, 1), (1, 2), (1, 2)):
        batch = contest.next(bots(2))
        contest.take([Result(one, tuple(places[bot] for bot in one.seats)) for one in batch])
        assert contest.standing(bots(2))[0].points == 1
    contest.take([result(fixture) for fixture in contest.next(bots(2))])
    assert contest.standing(bots(2))[0].points == 2


def test_a_new_version_stays_in_the_league() -> None:
    """A version that enters later starts where its predecessor is then, also after a restart."""
    entrants = (*bots(3), entrant(3, "b0", since=4, follows=0))
    contest, again = league(3, bosses=[1], margin=2), league(3, bosses=[1], margin=2)
    again.enter(entrants)
    for _ in range(4):
        results = [result(fixture) for fixture in contest.next(bots(3))]
        contest.take(results)
        again.take(results)
    assert again.next(entrants) == contest.next(entrants)
    assert {row.entrant: row.points for row in contest.standing(entrants)} == {0: 2, 1: 1, 2: 1, 3: 2}


def test_what_a_predecessor_does_later_does_not_count() -> None:
    """A version that entered before its predecessor was promoted starts in the lower league, also after a restart."""
    entrants = (*bots(3), entrant(3, "b0", since=1, follows=0))
    contest, again = league(3, bosses=[1], margin=2), league(3, bosses=[1], margin=2)
    again.enter(entrants)
    for _ in range(2):
        results = [result(fixture) for fixture in contest.next(entrants)]
        contest.take(results)
        again.take(results)
    assert {row.entrant: row.points for row in again.standing(entrants)} == {0: 2, 1: 1, 2: 1, 3: 1}
    assert again.standing(entrants) == contest.standing(entrants)


def test_a_league_at_tables_of_four() -> None:
    """Tables are filled up from the league and from those next to it; every challenger sits with its boss."""
    contest = make("league", seats=(4, 4), rounds=1, seed=1, entrants=8, options={"bosses": "b7,b6"})
    batch = contest.next(bots(8))
    tables = {frozenset(fixture.seats) for fixture in batch}
    assert all(any({bot, 7} <= table for table in tables) for bot in range(6))
    assert all(len(fixture.seats) == 4 for fixture in batch)


def test_who_cannot_be_told_apart_meets() -> None:
    """All whose difference may be chance are met, not only the nearest."""
    making = Matchmaking(range(60), lambda bot: LadderRating(25 + bot / 100, 1.0), Lots(1, 0))
    assert len({bot for table in making.tables(2400, 2) if 30 in table for bot in table} - {30}) == 59


def test_of_very_many_some_are_looked_at() -> None:
    """Among a thousand that nobody can tell apart, a batch is drawn, and everybody may meet everybody."""
    tables = Matchmaking(range(1000), lambda _: LadderRating(25.0, 8.0), Lots(1, 0)).tables(100, 4)
    assert all(len(set(table)) == 4 for table in tables)
    assert len({bot for table in tables for bot in table}) > 300
