"""What holds for every format, whoever plays and whatever comes of it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, count

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st

from dohyo import i18n
from dohyo.core.contest import Entrant, Fixture
from dohyo.core.errors import OperatorError
from dohyo.series.formats import all_formats
from tests.series.formats.contests import ENDLESS, Case, batches, bots, entrant, play, result

SEATS = [(2, 2), (3, 3), (4, 4), (2, 5), (1, 100)]
OPTIONS = {"league": {"bosses": (0, 1), "margin": 2}, "ladder": {"batch": 5}}
ABSENCE = st.tuples(st.integers(0, 4), st.none() | st.integers(0, 6))


@st.composite
def entrants(draw: st.DrawFn, coming_and_going: bool) -> tuple[Entrant, ...]:
    """Bots, numbered in the order of entering; some of them leave, pause, or follow another."""
    field = list(bots(draw(st.integers(2, 11))))
    if coming_and_going:
        for at in draw(st.sets(st.sampled_from(range(len(field))))):
            until, absence = draw(st.none() | st.integers(1, 5)), draw(ABSENCE)
            field[at] = msgspec.structs.replace(field[at], until=until, absences=(absence,))
        for since in sorted(draw(st.lists(st.integers(1, 4), max_size=3))):
            follows = draw(st.none() | st.sampled_from(range(len(field))))
            field.append(entrant(len(field), f"late{len(field)}", since=since, follows=follows))
    return tuple(field)


@st.composite
def cases(draw: st.DrawFn, *formats: str, coming_and_going: bool = True) -> Case:
    """A contest of one of these formats (none: of any) that its game can seat."""
    name = draw(st.sampled_from(formats or sorted(all_formats())))
    case = Case(
        name,
        draw(st.sampled_from(SEATS)),
        draw(st.integers(1, 4)),
        draw(entrants(coming_and_going)),
        OPTIONS.get(name, {}),
        seed=draw(st.integers(0, 2**63 - 1)),
        salt=draw(st.integers(0, 2**16)),
        upsets=draw(st.integers(0, 16)),
    )
    try:
        case.make()
    except OperatorError:
        assume(False)
    return case


def all_of(case: Case) -> list[Fixture]:
    """Every fixture of the contest."""
    return [fixture for batch in batches(case) for fixture in batch]


@given(cases())
def test_fixtures_are_numbered_and_no_match_comes_twice(case: Case) -> None:
    """Fixtures count on from 0, batches too; a fixture's seats and seed together are its own."""
    numbers = count()
    keys = set()
    for at, batch in enumerate(batches(case)):
        for fixture in batch:
            assert (fixture.batch, fixture.number) == (at, next(numbers))
            assert 0 <= fixture.seed < 2**63
            assert (fixture.seats, fixture.seed) not in keys
            keys.add((fixture.seats, fixture.seed))


@given(cases())
def test_seats_are_legal(case: Case) -> None:
    """A match seats as many bots as the game does, none of them twice, and only who takes part in the batch.

    In a comparison a baseline may have all the seats that the candidate leaves.
    """
    here = {entrant.number: entrant for entrant in case.entrants}
    for fixture in all_of(case):
        assert case.seats[0] <= len(fixture.seats) <= case.seats[1]
        again = Counter(fixture.seats).most_common(1)[0]
        assert again[1] == 1 or (all_formats()[case.format].info.streams and again[0] > 0)
        assert all(here[bot].plays_in(fixture.batch) for bot in fixture.seats)


@given(cases())
def test_one_seed_is_played_from_every_seat(case: Case) -> None:
    """Matches of one seed have the same bots, each equally often in each seat (not where all play in each match).

    In a comparison all opponents of the candidate play its seed, and `test_every_seating_of_a_round` says how.
    """
    info = all_formats()[case.format].info
    assume(not info.seats_all and not info.streams)
    sets: dict[int, list[tuple[int, ...]]] = {}
    for fixture in all_of(case):
        sets.setdefault(fixture.seed, []).append(fixture.seats)
    for seatings in sets.values():
        assert len({frozenset(seats) for seats in seatings}) == 1
        for column in zip(*seatings, strict=True):
            assert Counter(column) == Counter(list(seatings[0]) * (len(seatings) // len(seatings[0])))


@given(cases(), st.integers(0, 4), st.randoms(use_true_random=False))
def test_a_contest_goes_on_after_any_batch(case: Case, stop: int, random: object) -> None:
    """The same batches give the same next one and the same standing, in whatever order the entrants are told."""
    contest = case.make()
    again = case.make()
    again.enter(case.entrants)
    for at, batch in enumerate(batches(case, contest)):
        if at == stop:
            shuffled = list(case.entrants)
            random.shuffle(shuffled)  # type: ignore[attr-defined]
            assert again.next(shuffled) == batch == again.next(case.entrants) == contest.next(case.entrants)
            assert again.standing(case.entrants) == contest.standing(shuffled)
            return
        again.take(play(batch, case))


@given(cases())
def test_a_contest_ends(case: Case) -> None:
    """Every contest ends by itself, but the ladder; when it is over it stays so."""
    contest = case.make()
    for at, _ in enumerate(batches(case, contest)):
        assert at < 500
    if all_formats()[case.format].info.ends:
        assert contest.next(case.entrants) == []


@given(cases("ladder", coming_and_going=False))
def test_a_ladder_does_not_end(case: Case) -> None:
    """A ladder with bots enough always has a next batch."""
    assert len(list(batches(case))) == ENDLESS


@given(cases("round-robin", "king-of-the-hill", "swiss", coming_and_going=False))
def test_seats_are_even(case: Case) -> None:
    """In a whole contest each bot has each seat equally often, to within one."""
    sat = Counter((bot, seat) for fixture in all_of(case) for seat, bot in enumerate(fixture.seats))
    seats = 1 + max(seat for _, seat in sat)
    for bot in {bot for bot, _ in sat}:
        times = [sat[bot, seat] for seat in range(seats)]
        assert max(times) - min(times) <= 1


@given(cases("round-robin", "king-of-the-hill", "gauntlet", coming_and_going=False))
def test_pairs_meet_about_equally_often(case: Case) -> None:
    """Of two pairs (in a gauntlet: of the others) one has at most two tables more together than the other."""
    met = Counter(pair for fixture in all_of(case) for pair in combinations(sorted(fixture.seats), 2))
    field = range(1 if case.format == "gauntlet" else 0, len(case.entrants))
    times = [met[pair] for pair in combinations(field, 2)] or [0]
    size = max(len(fixture.seats) for fixture in all_of(case))
    assert max(times) - min(times) <= 2 * size


@given(cases("swiss", coming_and_going=False))
def test_byes_are_fair(case: Case) -> None:
    """In a round of Swiss as many rest as find no table, and nobody rests twice before all others did once."""
    rested: Counter[int] = Counter(dict.fromkeys(range(len(case.entrants)), 0))
    for batch in batches(case):
        seated = {bot for fixture in batch for bot in fixture.seats}
        rested.update(entrant.number for entrant in case.entrants if entrant.number not in seated)
        assert len(case.entrants) - len(seated) == len(case.entrants) % len(batch[0].seats)
        assert max(rested.values()) - min(rested.values()) <= 1


@given(cases())
def test_a_standing_has_everybody_once(case: Case) -> None:
    """At every moment each entrant has one place, counted from 1, as many above it as the place says."""
    contest = case.make()
    moments = [contest.standing(case.entrants)]
    moments += [contest.standing(case.entrants) for _ in batches(case, contest)]
    moments.append(contest.standing(case.entrants))
    for standing in moments:
        assert sorted(row.entrant for row in standing) == list(range(len(case.entrants)))
        places = [row.place for row in standing]
        assert all(place == 1 + sum(other < place for other in places) for place in places)
        assert all(not row.remark or i18n.has(row.remark) for row in standing)


@given(cases())
def test_matches_played_are_counted(case: Case) -> None:
    """A standing tells how many matches each bot has played."""
    contest = case.make()
    waits = all_formats()[case.format].info.waits
    sat = Counter(
        bot
        for batch in batches(case, contest)
        for fixture in batch
        for bot in fixture.seats
        if waits or result(fixture, case.salt, case.upsets).places  # one that is open counts for nobody
    )
    if case.format in ("ladder", "league"):  # a match without a result tells a rating nothing
        assert all(row.matches <= sat[row.entrant] for row in contest.standing(case.entrants))
    else:
        assert all(row.matches == sat[row.entrant] for row in contest.standing(case.entrants))
