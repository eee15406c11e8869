"""What cost one's own bot the most points: faults, an opponent, a seat; only what the counts are enough to say.

Points of a match are the share of opponents that the bot stood before, a tie half. Each group of matches (with a
time-out, against an opponent, on a seat) is compared with all others of the bot, and, of an opponent and a seat, with
what these cost other bots lately, if they played enough. `dohyo.series.costs` does the reckoning, for all groups at
once; `dohyo coach` asks more, of replays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

import msgspec

from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError
from dohyo.core.replay_format import decode
from dohyo.guests.site.arena.replays import MAX_REPLAY
from dohyo.series.costs import Choice, Group, Own, Usual, groups, points_of, usual_of
from dohyo.series.fault_reasons import FaultReason, reasons_in
from dohyo.series.store import Store
from dohyo.series.store.records import Seated

MOST = 1000  # the last matches, which are looked at; and as many of all bots
SHOWN = 12  # groups
READ = 8  # replays, of the last matches with a fault, in which turns are looked up
MAX_OPPONENTS = 200  # that are compared


class Losses(msgspec.Struct, frozen=True):
    """What is known of a bot: its mean points in so many matches, what cost points for sure, and what is unclear."""

    matches: int = 0
    points: float = 0.0
    clear: tuple[Group, ...] = ()
    unclear: tuple[Group, ...] = ()
    faulty: int = 0  # of these matches, how many had a fault
    faults: tuple[FaultReason, ...] = ()  # the last ones, the newest first


def losses(store: Store, slug: str, bot: str, digest: str = "") -> Losses:
    """What cost a bot the most, all its versions together or the one of this digest.

    Read from the results of its last matches, by an index, and from the replays of a few.
    """
    try:
        contest = store.contest(slug)
    except OperatorError as error:
        if error.key in ("store-no-contest", "store-empty"):
            return Losses()
        raise
    entrants = store.entrants(contest.id)
    names = {each.number: each.name for each in entrants}
    mine = [each.number for each in entrants if each.name == bot and digest in ("", each.version.digest)]
    own = _own(store.seated(contest.id, mine, MOST), {*mine}, names) if mine else []
    if not own:
        return Losses()
    found = compared(own, others_of(store.last_played(contest.id, MOST), {*mine}, names))
    clear = sorted((one for one in found if one.is_clear), key=lambda one: -one.cost)
    unclear = sorted((one for one in found if not one.is_clear and one.cost > 0), key=lambda one: -one.cost)
    faulty = [one for one in own if one.faults]
    faults = tuple(_faults(store, contest.id, faulty[-READ:]))
    mean = sum(one.points for one in own) / len(own)
    return Losses(len(own), mean, tuple(clear[:SHOWN]), tuple(unclear[:SHOWN]), len(faulty), faults)


def _own(rows: Iterable[Seated], mine: set[int], names: dict[int, str]) -> list[Own]:
    """The matches of some entrants; one in which they met themselves is one for each of their seats."""
    found = []
    for match, seated in groupby(rows, key=attrgetter("match")):
        seats = list(seated)
        for one in (each for each in seats if each.entrant in mine):
            others = [each for each in seats if each.seat != one.seat]
            whom = tuple(dict.fromkeys(names[each.entrant] for each in others))
            points = points_of(one.place, [each.place for each in others])
            found.append(Own(match, one.seat, points, one.faults, whom))
    return found


def others_of(results: Iterable[Result], mine: set[int], names: dict[int, str]) -> list[list[tuple[str, Own]]]:
    """The matches among which the bot is not: of each its seats, with the name of who sat there."""
    found = []
    for one in results:
        if {*one.fixture.seats} & mine or not one.places:
            continue
        sat = [names[each] for each in one.fixture.seats]
        rows = []
        for seat, name in enumerate(sat):
            rest = [at for at in range(len(sat)) if at != seat]
            points = points_of(one.places[seat], [one.places[at] for at in rest])
            rows.append((name, Own(one.fixture.number, seat, points, (), tuple(sat[at] for at in rest))))
        found.append(rows)
    return found


def compared(own: Sequence[Own], others: Sequence[Sequence[tuple[str, Own]]] = ()) -> list[Group]:
    """Every group that has enough matches, and as many beside it; `others` are matches of other bots."""
    faults = {kind for one in own for kind in one.faults}
    opponents = {name for one in own for name in one.others}
    seats = {one.seat for one in own}
    choices: list[tuple[str, str, Choice, Choice, Usual | None]] = []
    for kind in sorted(faults):
        choices.append(("fault", kind, _fails(kind), lambda one: not one.faults, None))
    for name in sorted(opponents)[:MAX_OPPONENTS]:
        choices.append(("opponent", name, *_parted(_meets(name)), _usual(others, _meets(name), without=name)))
    for seat in sorted(seats) if len(seats) > 1 else ():
        choices.append(("seat", str(seat), *_parted(_sits(seat)), _usual(others, _sits(seat))))
    return groups(own, choices)


def _fails(kind: str) -> Choice:
    return lambda one: kind in one.faults


def _meets(name: str) -> Choice:
    return lambda one: name in one.others


def _sits(seat: int) -> Choice:
    return lambda one: one.seat == seat


def _parted(is_in: Choice) -> tuple[Choice, Choice]:
    return is_in, lambda one: not is_in(one)


def _usual(others: Sequence[Sequence[tuple[str, Own]]], is_in: Choice, without: str = "") -> Usual | None:
    """What a group costs other bots, `without` the one of this name."""
    inside: dict[int, list[float]] = defaultdict(list)
    beside: dict[int, list[float]] = defaultdict(list)
    for rows in others:
        for name, own in rows:
            if name != without:
                (inside if is_in(own) else beside)[own.match].append(own.points)
    return usual_of(inside, beside)


def _faults(store: Store, contest: int, faulty: Sequence[Own]) -> Iterator[FaultReason]:
    """What was wrong in each of these matches, by its replay, the newest first."""
    for one in reversed(faulty):
        result = next(store.played(contest, number=one.match), None)
        if result is None or result.replay is None:
            continue
        replay = decode(store.files.get(result.replay, MAX_REPLAY))
        yield from reasons_in(replay, [one.seat], one.match, result.fixture.seats[one.seat])[:1]
