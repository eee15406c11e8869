"""How a match ended, in words: who won and why, and what each bot did wrong in which turn."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from dohyo import games
from dohyo.core.replay import Replay
from dohyo.i18n import Message, Speaker
from dohyo.series.fault_reasons import FaultReason, reasons_in

FAULTS = 3  # of a seat that are told, the first ones


class SeatTold(msgspec.Struct, frozen=True):
    """A seat: who sat there, and the place (none where the match was not played to its end).

    `faults` are the first ones, beside `more`. `is_own`: it is one of whoever looks.
    """

    seat: int
    name: str
    place: int | None
    faults: tuple[FaultReason, ...] = ()
    more: int = 0
    is_own: bool = False


class MatchTold(msgspec.Struct, frozen=True):
    """How it ended, in a sentence, and its seats, the best first."""

    said: str
    seats: list[SeatTold]


def match_told(replay: Replay, speaker: Speaker, own: Collection[int] = ()) -> MatchTold:
    """How a match ended; the seats `own` are those of whoever looks.

    What bots wrote is told as far as the replay has it.
    """
    places = replay.result.places
    seats = []
    for seat, who in enumerate(replay.header.seats):
        found = reasons_in(replay, [seat])
        place = places[seat] if places else None
        more = max(0, len(found) - FAULTS)
        seats.append(SeatTold(seat, who.name, place, tuple(found[:FAULTS]), more, seat in own))
    return MatchTold(_said(replay, speaker), sorted(seats, key=lambda one: (one.place or 0, one.seat)))


def _said(replay: Replay, speaker: Speaker) -> str:
    names, places = [one.name for one in replay.header.seats], replay.result.places
    if replay.result.unfinished or not places:
        return speaker.say("serve.match-unfinished", turns=replay.played)
    knowing = speaker.knowing(games.find(replay.header.game).catalogue)
    why = {"reason": knowing.say_any(Message(replay.result.reason_key)), "turns": replay.played}
    first = [name for name, place in zip(names, places, strict=True) if place == 1]
    if len(first) == 1:
        return speaker.say("serve.match-won", bot=first[0], **why)
    if len(first) == len(names):
        return speaker.say("serve.match-drawn", **why)
    return speaker.say("serve.match-shared", bots=speaker.listed(first), **why)
