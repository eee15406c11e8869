"""What a bot did wrong in its last matches, in words: said first, wherever its author looks for why it lost."""

from __future__ import annotations

from collections.abc import Collection
from threading import Lock

import msgspec

from dohyo import clean, games
from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.replay_format import decode
from dohyo.guests.site.arena.pausing import failing, pauses
from dohyo.i18n import Speaker
from dohyo.match.telling.fault_words import LONGEST_REASON
from dohyo.series.fault_reasons import MAX_REPLAY, FaultReason, reasons_in
from dohyo.series.store import Store
from dohyo.series.store.records import Contest

LOOKED_AT = 300  # matches of a bot, the last ones, among which those with a fault are looked for
TOLD = 3  # of these, the last ones, whose replays are read
REMEMBERED = 4096  # faults that were read
OFTEN = 4  # a fault in every so many matches is a reason to look at it first


class BotFaults(msgspec.Struct, frozen=True):
    """The faults of one version of a bot: in how many of its matches it had one, and those of the `last` of these.

    `paused` are the matches since which it pauses, none if it plays. A bot that an operator lets pause has none of
    these, and pauses all the same.
    """

    matches: int = 0
    faulty: int = 0
    last: tuple[FaultReason, ...] = ()
    paused: tuple[int, ...] | None = None

    @property
    def is_grave(self) -> bool:
        """Whether they are what to look at first."""
        return self.paused is not None or self.faulty * OFTEN >= max(1, self.matches)


def faults_of(store: Store | None, slug: str, names: Collection[str], *, whole: bool = True) -> dict[str, BotFaults]:
    """The faults of the bots of these names, each in the version that takes part, or did last.

    Without the `whole`, what its program wrote is left out: it is for its author alone. Bots that never took part
    are not there. Read by indices, and from the replays of a few matches of each.
    """
    if store is None or not names or slug not in {each.name for each in store.contests()}:
        return {}
    contest = store.contest(slug)
    found: dict[str, Entrant] = {}
    for entrant in store.entrants(contest.id):  # the one that takes part is the only one without an end
        if entrant.name in names and (entrant.name not in found or found[entrant.name].until is not None):
            found[entrant.name] = entrant
    return {name: _of_one(store, contest, entrant, whole) for name, entrant in found.items()}


def _of_one(store: Store, contest: Contest, entrant: Entrant, whole: bool) -> BotFaults:
    own = [entrant.number]
    matches = sum(tally.matches for tally in store.tallies(contest.id, own))
    faulty = store.faulty(contest.id, own).get(entrant.number, 0)
    paused = tuple(failing(store, contest, entrant)) if pauses(entrant) else None
    if not faulty:
        return BotFaults(matches, 0, (), paused)
    rows = store.seated(contest.id, own, LOOKED_AT)
    numbers = sorted({row.match for row in rows if row.entrant == entrant.number and row.faults})
    read = (_first_fault(store, contest, entrant, number) for number in reversed(numbers[-TOLD:]))
    last = tuple(one if whole else msgspec.structs.replace(one, said="") for one in read if one is not None)
    return BotFaults(matches, faulty, last, paused)


def _first_fault(store: Store, contest: Contest, entrant: Entrant, number: int) -> FaultReason | None:
    """The first fault of an entrant in a match; none where its replay is not there, or cannot be read."""
    try:
        result = store.result(contest, number)
        if result.replay is None:
            return None
        seats = frozenset(seat for seat, who in enumerate(result.fixture.seats) if who == entrant.number)
        key = result.replay, seats, number, entrant.number
        if key not in _READ:
            found = _read(store, result.replay, seats, number, entrant.number)
            with _WRITING:
                while len(_READ) >= REMEMBERED:
                    del _READ[next(iter(_READ))]
                _READ[key] = found
            return found
        return _READ.get(key)
    except OperatorError:
        return None


def _read(store: Store, digest: str, seats: frozenset[int], number: int, entrant: int) -> FaultReason | None:
    """The first fault by the replay of this digest."""
    try:
        replay = decode(store.files.get(digest, MAX_REPLAY))
    except ReplayError:
        return None
    return next(iter(reasons_in(replay, seats, number, entrant)), None)


# What was read stays: a replay of much text takes a tenth of a second, and one author may have a hundred of them.
_READ: dict[tuple[str, frozenset[int], int, int], FaultReason | None] = {}
_WRITING = Lock()


def told(reason: FaultReason, game: str, speaker: Speaker) -> str:
    """A fault in a sentence, with its turn, and of a program that crashed where and why."""
    if reason.said and is_crash(reason.fault):
        return speaker.say("serve.fault-crashed", turn=reason.turn, said=clean.line(reason.said, LONGEST_REASON))
    return speaker.say("serve.fault-told", turn=reason.turn, fault=reason.say(games.find(game), speaker))


def is_crash(fault: Fault) -> bool:
    """Whether a program ended by what it did wrong, and not by itself."""
    return fault.kind is FaultKind.KILLED or (fault.kind is FaultKind.EXITED and bool(fault.status))
