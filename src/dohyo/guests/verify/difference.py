"""Two recordings of one match compared: everything but times and what programs wrote beside their answers."""

from __future__ import annotations

from typing import Literal

import msgspec

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.replay import Header, Move, Replay, Result, Turn

LONGEST = 400  # characters of an answer that are kept


class Differs(msgspec.Struct, frozen=True):
    """The first turn in which two recordings are not the same.

    `by` is `bot` where a seat, asked the same, answered differently; `rules` where dice, states or the result differ
    although all answers are the same; `terms` where the matches are not of one kind (game, rules, setup, seed, bots,
    clock). `seat` is the first one that answered differently, -1 for rules and terms; `before` and `now` are what was
    in the recording and what is in the other, as texts; `turn` is -1 for terms.
    """

    by: Literal["bot", "rules", "terms"]
    turn: int
    seat: int
    before: str
    now: str


def first_difference(recorded: Replay, other: Replay) -> Differs | None:
    """Where another playing of a match first differs from the recorded one; None where nothing does."""
    if (found := _of_terms(recorded.header, other.header)) is not None:
        return found
    for mine, theirs in zip(recorded.turns, other.turns, strict=False):
        if (found := _of_turn(mine, theirs)) is not None:
            return found
    return _of_length(recorded, other) or _of_result(recorded, other)


def _of_terms(mine: Header, theirs: Header) -> Differs | None:
    for name in ("game", "rules", "setup", "seed", "clock", "start", "first", "pondering"):
        before, now = getattr(mine, name), getattr(theirs, name)
        if before != now:
            return Differs("terms", -1, -1, f"{name}: {before}"[:LONGEST], f"{name}: {now}"[:LONGEST])
    bots, others = ([(seat.digest, seat.build) for seat in header.seats] for header in (mine, theirs))
    return (
        Differs("terms", -1, -1, f"bots: {bots}"[:LONGEST], f"bots: {others}"[:LONGEST]) if bots != others else None
    )


def _of_turn(mine: Turn, theirs: Turn) -> Differs | None:
    """Dice come before answers, and the state after them."""
    if (mine.turn, mine.dice) != (theirs.turn, theirs.dice):
        return Differs("rules", mine.turn, -1, f"dice {mine.dice}"[:LONGEST], f"dice {theirs.dice}"[:LONGEST])
    seats = {move.seat: move for move in theirs.moves}
    for move in mine.moves:
        twin = seats.get(move.seat)
        if twin is None:
            break
        before, now = answer_of(move), answer_of(twin)
        if before != now:
            return Differs("bot", mine.turn, move.seat, before[:LONGEST], now[:LONGEST])
        if move.action != twin.action:
            return Differs("rules", mine.turn, move.seat, move.action[:LONGEST], twin.action[:LONGEST])
    acted, acts = ([move.seat for move in turn.moves] for turn in (mine, theirs))
    if acted != acts:
        return Differs("rules", mine.turn, -1, f"seats {acted}"[:LONGEST], f"seats {acts}"[:LONGEST])
    if mine.digest != theirs.digest:
        return Differs("rules", mine.turn, -1, mine.digest, theirs.digest)
    return None


def _of_length(mine: Replay, theirs: Replay) -> Differs | None:
    """Whether one of them goes on where the other, with the same turns so far, is over."""
    lengths = len(mine.turns), len(theirs.turns)
    if lengths[0] == lengths[1]:
        return None
    turn = mine.header.first + min(lengths)
    return Differs("rules", turn, -1, f"turns {lengths[0]}", f"turns {lengths[1]}")


def _of_result(mine: Replay, theirs: Replay) -> Differs | None:
    before, now = map(_result, (mine.result, theirs.result))
    return Differs("rules", mine.header.first + len(mine.turns), -1, before, now) if before != now else None


def _result(result: Result) -> str:
    return f"{result.reason_key}, places {result.places}, winner {result.winner}, scores {result.scores}"[:LONGEST]


def answer_of(move: Move) -> str:
    """A seat's part in a turn as a text: what it answered, and its faults by kind and code; no times.

    Whether a line too many was there before its bot was asked is a matter of time: that is no other answer.
    """
    faults = [fault for fault in move.faults if not fault.note and not _is_early(move, fault)]
    said = move.action if move.reply is None and not faults else move.reply or ""
    kinds = [f"[{' '.join(filter(None, (fault.kind.value, fault.code)))}]" for fault in faults]
    return " ".join(part for part in (said, *kinds) if part)


def _is_early(move: Move, fault: Fault) -> bool:
    """Whether it says that the answer was there too early, as the referee says that: no other fault is called so."""
    return fault.kind is FaultKind.MALFORMED and fault.code == FaultCode.EARLY and bool(move.reply)
