"""What cost one's own bot the most points: faults, an opponent, a seat; only what the counts are enough to say.

Points of a match are the share of opponents that the bot stood before, a tie half. Each group of matches (with a
time-out, against an opponent, on a seat) is compared with all others of the bot. The interval is that of Agresti and
Caffo for two shares; it is widened, by Bonferroni, for the number of groups that were compared. A group is said to
cost points if the whole interval is on one side; otherwise it is unclear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import sqrt
from operator import attrgetter
from statistics import NormalDist

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.core.replay_format import decode
from dohyo.guests.site.arena.replays import MAX_REPLAY
from dohyo.series.fault_reasons import FaultReason, reasons_in
from dohyo.series.store import Store
from dohyo.series.store.records import Seated

MOST = 1000  # the last matches, which are looked at
FEW = 10  # matches in a group, and beside it: of fewer nothing is said
LEVEL = 0.05
SHOWN = 12  # groups
READ = 8  # replays, of the last matches with a fault, in which turns are looked up
MAX_OPPONENTS = 200  # that are compared


class Own(msgspec.Struct, frozen=True):
    """One match of a bot: its points from 0 to 1, its seat, its faults, and whom it met."""

    match: int
    seat: int
    points: float
    faults: tuple[str, ...]
    others: tuple[str, ...]


class Group(msgspec.Struct, frozen=True):
    """Matches that have something in common: `kind` is fault, opponent or seat, `name` which one.

    `cost` are the points that all of them lost against the mean of the others, from `low` to `high`; `match` is the
    last one of them that was not won.
    """

    kind: str
    name: str
    matches: int
    points: float
    others: float
    cost: float
    low: float
    high: float
    match: int
    seat: int

    @property
    def is_clear(self) -> bool:
        """Whether it is sure that these matches cost points."""
        return self.low > 0


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
    groups = _compared(own)
    clear = sorted((one for one in groups if one.is_clear), key=lambda one: -one.cost)
    unclear = sorted((one for one in groups if not one.is_clear and one.cost > 0), key=lambda one: -one.cost)
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
            beaten = (
                sum(one.place < each.place for each in others) + sum(one.place == each.place for each in others) / 2
            )
            whom = tuple(dict.fromkeys(names[each.entrant] for each in others))
            found.append(Own(match, one.seat, beaten / max(1, len(others)), one.faults, whom))
    return found


def _compared(own: Sequence[Own]) -> list[Group]:
    """Every group that has enough matches, and as many beside it."""
    faults = {kind for one in own for kind in one.faults}
    opponents = {name for one in own for name in one.others}
    seats = {one.seat for one in own}
    clean = [one for one in own if not one.faults]
    parts: list[tuple[str, str, list[Own], list[Own]]] = []
    parts += [("fault", kind, [one for one in own if kind in one.faults], clean) for kind in sorted(faults)]
    for name in sorted(opponents)[:MAX_OPPONENTS]:
        parts.append(("opponent", name, *_parted(own, [name in one.others for one in own])))
    for seat in sorted(seats) if len(seats) > 1 else ():
        parts.append(("seat", str(seat), *_parted(own, [one.seat == seat for one in own])))
    enough = [part for part in parts if len(part[2]) >= FEW and len(part[3]) >= FEW]
    width = NormalDist().inv_cdf(1 - LEVEL / 2 / max(1, len(enough)))
    return [_group(*part, width) for part in enough]


def _parted(own: Sequence[Own], inside: Sequence[bool]) -> tuple[list[Own], list[Own]]:
    both = list(zip(own, inside, strict=True))
    return [one for one, is_in in both if is_in], [one for one, is_in in both if not is_in]


def _group(kind: str, name: str, inside: list[Own], beside: list[Own], width: float) -> Group:
    here, there = (sum(one.points for one in part) for part in (inside, beside))
    shares = [(points + 1) / (len(part) + 2) for points, part in ((here, inside), (there, beside))]
    spread = sqrt(
        sum(share * (1 - share) / (len(part) + 2) for share, part in zip(shares, (inside, beside), strict=True))
    )
    lost = shares[1] - shares[0]
    low, high = ((lost + side * width * spread) * len(inside) for side in (-1, 1))
    worst = [one for one in inside if one.points < 1] or inside
    mean, other = here / len(inside), there / len(beside)
    cost = (other - mean) * len(inside)
    return Group(kind, name, len(inside), mean, other, cost, low, high, worst[-1].match, worst[-1].seat)


def _faults(store: Store, contest: int, faulty: Sequence[Own]) -> Iterator[FaultReason]:
    """What was wrong in each of these matches, by its replay, the newest first."""
    for one in reversed(faulty):
        result = next(store.played(contest, number=one.match), None)
        if result is None or result.replay is None:
            continue
        replay = decode(store.files.get(result.replay, MAX_REPLAY))
        yield from reasons_in(replay, [one.seat], one.match, result.fixture.seats[one.seat])[:1]
