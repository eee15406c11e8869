"""Why a bot of a contest fails: what the replay of one of its matches recorded, for the lines below a table.

Told are bots that were not ready, and bots that had a fault in most of their matches. Of each of them one match is
read, the last one with that fault among its last `LOOKED_AT`: so the time does not grow with the contest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game
from dohyo.core.replay import Move, Replay
from dohyo.core.replay_format import decode
from dohyo.i18n import Speaker
from dohyo.match.telling.fault_words import LONGEST_REASON, kind_and_detail, last_words, verdict
from dohyo.series.session import ContestView
from dohyo.series.standings import fails_in_most

LOOKED_AT = 20_000  # of a bot's matches
MAX_BOTS = 50  # of whom a match is read
MAX_REPLAY = 1 << 24  # bytes; a larger one is not read for this


class FaultReason(msgspec.Struct, frozen=True):
    """What an entrant did wrong in a match: the fault that is recorded there, and the last words of its program.

    `turn` is as the replay counts it, that of the end for what happened when the match was over.
    """

    entrant: int
    match: int
    fault: Fault
    said: str = ""
    turn: int = 0
    seat: int = 0

    def say(self, game: Game, speaker: Speaker) -> str:
        """The fault in words, cleaned and cut: its kind, what exactly happened, what the program said."""
        parts: tuple[str, ...] = (*kind_and_detail(self.fault, game, speaker), self.said)
        if self.said and self.fault.status is not None:
            parts = (verdict(self.fault, speaker), self.said)
        return clean.line(speaker.say("joined.colon").join(part for part in parts if part), LONGEST_REASON)


def fault_reasons(view: ContestView) -> list[FaultReason]:
    """The reasons that are known, by entrant; none of a contest that another program referees."""
    if view.game.referee is not None:
        return []
    store, contest = view.store, view.contest.id
    played: dict[int, int] = {}
    for tally in store.tallies(contest):
        played[tally.entrant] = played.get(tally.entrant, 0) + tally.matches
    faulty = store.faulty(contest)
    told = {
        entrant: _kind(kinds)
        for entrant, kinds in sorted(store.faults(contest).items())
        if FaultKind.NOT_READY in kinds or fails_in_most(faulty.get(entrant, 0), played.get(entrant, 0))
    }
    found = (_reason(view, entrant, kind) for entrant, kind in list(told.items())[:MAX_BOTS])
    return [reason for reason in found if reason is not None]


def reasons_by_kind(view: ContestView, entrant: int, kinds: Iterable[str]) -> dict[str, FaultReason]:
    """What a replay recorded for each kind of an entrant's faults; without those of which nothing is known."""
    if view.game.referee is not None:
        return {}
    found = {kind: _reason(view, entrant, kind) for kind in kinds}
    return {kind: reason for kind, reason in found.items() if reason is not None}


def _kind(kinds: Mapping[str, int]) -> str:
    """The kind of fault to tell of: that it was not ready, otherwise the most frequent one."""
    return FaultKind.NOT_READY if FaultKind.NOT_READY in kinds else max(kinds, key=lambda kind: kinds[kind])


def _reason(view: ContestView, entrant: int, kind: str) -> FaultReason | None:
    """What a replay says of it; none where there is no replay, or none that can be read."""
    number = view.store.last_with_fault(view.contest.id, entrant, kind, LOOKED_AT)
    if number is None:
        return None
    try:
        result = view.store.result(view.contest, number)
        if result.replay is None:
            return None
        replay = decode(view.store.files.get(result.replay, MAX_REPLAY))
    except OperatorError:  # a file is missing or damaged: 'contest verify' says so, and the table needs none of it
        return None
    seats = {seat for seat, who in enumerate(result.fixture.seats) if who == entrant}
    return next((one for one in reasons_in(replay, seats, number, entrant) if one.fault.kind == kind), None)


def reasons_in(replay: Replay, seats: Collection[int], match: int = 0, entrant: int = 0) -> list[FaultReason]:
    """Everything that the bots on these seats did wrong in a match, in its order; without what was only noted."""
    return [
        FaultReason(entrant, match, fault, _said(fault, move, replay), turn, move.seat)
        for turn, move in _moves(replay)
        if move.seat in seats
        for fault in move.faults
        if not fault.note
    ]


def _moves(replay: Replay) -> list[tuple[int, Move]]:
    """All moves with faults, in their order; the number of the turn of each."""
    found = [(turn.turn, move) for turn in replay.turns for move in turn.moves if move.faults]
    end = replay.turns[-1].turn if replay.turns else replay.header.first
    return [*found, *((end, move) for move in replay.result.last)]


def _said(fault: Fault, move: Move, replay: Replay) -> str:
    """Where and why the program failed, by its own words, if it has failed and wrote any."""
    seats = replay.header.seats
    return last_words(fault, move.stderr, seats[move.seat].language) if move.seat < len(seats) else ""
