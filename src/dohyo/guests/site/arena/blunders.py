"""Which decisions cost one's own bot the most, and when in a match: of all matches that were analysed for its author.

An analysis is of one match, and takes the judge minutes: what is told here is of those that the author has asked for.
What was read of one is kept, as it never changes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Any

import msgspec
from sqlalchemy import select

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import analyses
from dohyo.guests.site.arena.analyses import MAX_FOUND, MAX_WAITING
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.people.accounts import Person
from dohyo.series.store import Store
from dohyo.series.store.database import Database
from dohyo.series.store.files import AnyFiles

LOOKED_AT = 100  # of the newest analyses
SHOWN = 10  # decisions
PARTS = 3  # of a match: its beginning, its middle, its end
LAST = 200  # matches, among which those are looked for that it lost
REMEMBERED = 2000  # analyses


class Decision(msgspec.Struct, frozen=True):
    """A decision of a `seat` in a turn that was a mistake, in a sentence.

    `lost` is the share of its chance that it cost, from 0 to 1; none where the analysis counts in another unit. It is
    in this `part` of the match, of `PARTS`, from 0 on.
    """

    turn: int
    seat: int
    text: str
    lost: float | None
    part: int


class Part(msgspec.Struct, frozen=True):
    """How many mistakes there were in a part of the matches, and what they cost together, if that is known."""

    count: int = 0
    lost: float | None = 0.0


class Blunders(msgspec.Struct, frozen=True):
    """Of so many `matches` that were analysed: the worst decisions with their matches, and what each part cost.

    So many more are `waiting`; `next` are matches that the bot lost, of which none was asked for yet.
    """

    matches: int
    waiting: int
    worst: tuple[tuple[int, Decision], ...]
    parts: tuple[Part, ...]
    next: tuple[int, ...]


def blunders(
    database: Database, files: AnyFiles, store: Store, ladder: Ladder, person: Person, bot: str, digest: str = ""
) -> Blunders:
    """What is known of a person's bot, in all its versions or in that of this digest."""
    contest = next((each for each in store.contests() if each.name == ladder.slug), None)
    if contest is None:
        return Blunders(0, 0, (), (), ())
    entrants = store.entrants(contest.id)
    mine = {each.number for each in entrants if each.name == bot and digest in ("", each.version.digest)}
    asked = _asked(database, ladder, person)
    seated = {
        one.fixture.number: tuple(at for at, who in enumerate(one.fixture.seats) if who in mine)
        for one in store.results_of(contest.id, [*asked])
    }
    own = {match: asked[match] for match, seats in seated.items() if seats}
    waiting = sum(state == "waiting" for state, _ in own.values())
    found = [
        (match, one)
        for match, (state, file) in own.items()
        if state == "done"
        for one in decisions(files, file)
        if one.seat in seated[match]
    ]
    found.sort(key=lambda each: -(each[1].lost or 0.0))
    parts = [[one for _, one in found if one.part == part] for part in range(PARTS)]
    told = tuple(Part(len(part), _sum(one.lost for one in part)) for part in parts)
    return Blunders(
        sum(state == "done" for state, _ in own.values()),
        waiting,
        tuple(found[:SHOWN]),
        told,
        tuple(_lost(store, contest.id, mine, {*asked})),
    )


def ask_for_more(database: Database, person: Person, ladder: Ladder, found: Blunders, language: str) -> None:
    """Let the judge analyse the last matches that the bot lost, as many as may wait.

    Raises `OperatorError` where too many wait already, or too many were asked for.
    """
    for match in found.next[:MAX_WAITING]:
        try:
            analyses.ask(database, person, ladder, 0, match, language)
        except OperatorError as error:
            if error.key != "serve-analyses-wait" or match == found.next[0]:
                raise
            return


def _sum(costs: Iterable[float | None]) -> float | None:
    known = [*costs]
    return None if None in known else sum(cost or 0.0 for cost in known)


def _asked(database: Database, ladder: Ladder, person: Person) -> dict[int, tuple[str, str]]:
    """The newest analyses of matches of a ladder that a person has asked for: state and file, by match."""
    of = tables.analyses.c
    asked = select(of.match, of.state, of.found).where(
        of.person == person.id, of.ladder == ladder.id, of.request == 0
    )
    asked = asked.order_by(of.id.desc()).limit(LOOKED_AT)
    rows = database.read(lambda connection: connection.execute(asked).all())
    return {row.match: (row.state, row.found) for row in rows}


def _lost(store: Store, contest: int, mine: set[int], without: set[int]) -> list[int]:
    """The last matches in which some of these entrants had no first place, but for those `without`; newest first."""
    if not mine:
        return []
    rows = [row for row in store.seated(contest, sorted(mine), LAST) if row.entrant in mine]
    won = {row.match for row in rows if row.place == 1}
    return sorted({row.match for row in rows} - won - without, reverse=True)[:MAX_WAITING]


def decisions(files: AnyFiles, digest: str) -> tuple[Decision, ...]:
    """The mistakes that an analysis has found, by its file; none of one that is gone, or was made in another form."""
    with _LOCK:
        if digest in _READ:
            return _READ[digest]
    try:
        told = msgspec.json.decode(files.get(digest, MAX_FOUND))
        found = tuple(_decisions(told))
    except (OperatorError, msgspec.DecodeError, KeyError, TypeError):
        found = ()
    with _LOCK:
        _READ[digest] = found
        while len(_READ) > REMEMBERED:
            _READ.popitem(last=False)
    return found


def _decisions(told: list[dict[str, Any]]) -> list[Decision]:
    whole = next((one for one in told if one.get("seat") is None), {})
    turns = max(1, len(whole.get("chances", ())) - 1)
    return [
        Decision(
            one["turn"],
            one["seat"],
            one["text"],
            one.get("lost"),
            min(PARTS - 1, PARTS * one["turn"] // turns),
        )
        for one in whole.get("points", ())
    ]


_READ: OrderedDict[str, tuple[Decision, ...]] = OrderedDict()
_LOCK = Lock()
