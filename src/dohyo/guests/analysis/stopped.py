"""Where a bot was stopped in a match: then the rules acted for it, and nobody can play the match on as it was."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.faults import FaultKind
from dohyo.guests.analysis.kept import PlayedTurn
from dohyo.series.analysed import Stopped

ANSWERED = (FaultKind.MALFORMED.value, FaultKind.ILLEGAL.value)  # the bot still runs


def stopped_in(played: Sequence[PlayedTurn]) -> Stopped | None:
    """The first turn in which a bot was stopped: it had a fault then, and was not asked again; none if none was.

    After its last turn nobody knows whether it would have been asked: an answer that was no action is then no end.
    """
    faulty: dict[int, Stopped] = {}  # by seat, its latest fault, if it has not answered since
    for place, moment in enumerate(played):
        for move in moment.turn.moves:
            kinds = [fault.kind.value for fault in move.faults if not fault.note]
            if kinds:
                faulty[move.seat] = Stopped(place, moment.turn.turn, move.seat, kinds[-1])
            elif move.seconds is None and move.reply is None and move.seat in faulty:
                return faulty[move.seat]
            else:
                faulty.pop(move.seat, None)
    ended = [one for one in faulty.values() if one.fault not in ANSWERED]
    return min(ended, key=lambda one: one.place, default=None)
