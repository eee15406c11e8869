"""Where two bots first disagree that played the same seed on changed seats: the first turn that is not the same.

Up to that turn every seat was sent the same in both matches, so there two bots answered one question differently.
"""

from __future__ import annotations

import msgspec

from dohyo.bench.rerun import Compared, said
from dohyo.core.replay import Replay, Turn

LONGEST = 400  # characters of an answer that are kept


class Disagreement(msgspec.Struct, frozen=True):
    """In `turn` the candidate and a baseline were asked the same on `seat`, and answered `new` and `old`.

    An answer is none where none counted. `is_own` says that `new` is in the match that was kept, `old` in the other
    one of its round; otherwise it is the other way round.
    """

    turn: int
    seat: int
    new: str | None
    old: str | None
    is_own: bool


def first_disagreement(kept: Replay, other: Replay, own: int | None, others: int | None) -> Disagreement | None:
    """Where a match differs first from another one of its seed, if there the candidate and the baseline differ.

    `own` is the candidate's seat if the baseline has it in the other match; `others` is its seat in the other match
    if the baseline has that in this one; otherwise they are None.

    None if the matches are the same, or part for another reason: other dice, or other bots.
    """
    for mine, theirs in zip(kept.turns, other.turns, strict=False):
        if mine.dice != theirs.dice or mine.turn != theirs.turn:
            return None
        parted = _parted(mine, theirs)
        for seat in (own, others):
            if seat is not None and seat in parted:
                ours, foreign = parted[seat]
                new, old = (ours, foreign) if seat == own else (foreign, ours)
                return Disagreement(mine.turn, seat, new, old, seat == own)
        if parted or mine.digest != theirs.digest:
            return None
    return None


def _parted(mine: Turn, theirs: Turn) -> dict[int, tuple[str | None, str | None]]:
    """The seats that acted differently in a turn, with what they answered in either match."""
    moves = {move.seat: move for move in theirs.moves}
    found = {}
    for move in mine.moves:
        twin = moves.get(move.seat)
        if twin is not None and Compared(mine.turn, b"", move, twin).differs:
            found[move.seat] = (_cut(said(move)), _cut(said(twin)))
    return found


def _cut(answer: str | None) -> str | None:
    return answer if answer is None else answer[:LONGEST]
