"""Why a bot of a contest fails: what the replay of one of its matches recorded, for the lines below a table.

Told are bots that were not ready, and bots that had a fault in most of their matches. Of each of them one match is
read, the last one with that fault among its last `LOOKED_AT`: so the time does not grow with the contest.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dohyo import clean
from dohyo.app.contest.session import ContestView
from dohyo.app.contest.standings import fails_in_most
from dohyo.app.fault_words import FAILURES, detail, verdict
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game
from dohyo.core.replay import Move, Replay
from dohyo.core.replay_format import decode

LOOKED_AT = 20_000  # of a bot's matches
MOST_BOTS = 50  # of whom a match is read
MOST_REPLAY = 1 << 24  # bytes; a larger one is not read for this
LONGEST = 120  # characters of a reason


class FaultReason(msgspec.Struct, frozen=True):
    """What an entrant did wrong in a match: the fault that is recorded there, and the last words of its program."""

    entrant: int
    match: int
    fault: Fault
    said: str = ""

    def say(self, game: Game, language: str) -> str:
        """The fault in words, cleaned and cut: its kind, what exactly happened, what the program said."""
        happened = "" if self.said and self.fault.status is not None else detail(self.fault, game, language)
        parts = (verdict(self.fault, language), happened, self.said)
        return clean.line(": ".join(part for part in parts if part), LONGEST)


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
    found = (_reason(view, entrant, kind) for entrant, kind in list(told.items())[:MOST_BOTS])
    return [reason for reason in found if reason is not None]


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
        replay = decode(view.store.files.get(result.replay, MOST_REPLAY))
    except OperatorError:  # a file is missing or damaged: 'contest verify' says so, and the table needs none of it
        return None
    seats = {seat for seat, who in enumerate(result.fixture.seats) if who == entrant}
    for seat, move in _moves(replay):
        fault = next((one for one in move.faults if one.kind == kind and not one.note), None)
        if seat in seats and fault is not None:
            return FaultReason(entrant, number, fault, _said(fault, move, replay, seat))
    return None


def _moves(replay: Replay) -> list[tuple[int, Move]]:
    """All moves with faults, in their order; the seat of each."""
    found = [move for turn in replay.turns for move in turn.moves if move.faults]
    return [(move.seat, move) for move in (*found, *replay.result.last)]


def _said(fault: Fault, move: Move, replay: Replay, seat: int) -> str:
    """Where and why the program failed, by its own words, if it has failed and wrote any."""
    if fault.kind not in FAILURES or not move.stderr or seat >= len(replay.header.seats):
        return ""
    from dohyo.app.check.diagnosis import crash_line

    return crash_line(move.stderr, replay.header.seats[seat].language)
