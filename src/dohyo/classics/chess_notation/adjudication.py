"""Matches of chess that end by what the engines say of their position: the options `draw` and `resign`.

    --setup draw=34/8/20      from move 34 on, when both sides have said at most 20 centipawns for 8 moves each,
                              without a capture or a pawn's move
    --setup resign=3/400      when a side has said at least 400 centipawns against itself for 3 moves
    --setup resign=3/400/both ... and the other side has said the same of it for 3 moves

They count as fastchess's `-draw movenumber=34 movecount=8 score=20` and `-resign movecount=3 score=400
[twosided=true]`. A score is the last one that an engine told before its move. Who tells none ends no match by it: a
bot of another kind never resigns, and with it no match is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dohyo.core.adjudication import DRAW, RESIGN, Verdict
from dohyo.core.options import Option, Value
from dohyo.core.replay import Turn

NEVER = "never"
BOTH = "both"
MATE = 1_000_000  # centipawns that a mate counts, for whoever is to give it
_DRAW = re.compile(r"(\d{1,4})/(\d{1,4})/(\d{1,5})", re.ASCII)
_RESIGN = re.compile(r"(\d{1,4})/(\d{1,5})(/both)?", re.ASCII)
_SCORE = re.compile(r"^info (?!string\b).*?\bscore (cp|mate) (-?\d{1,6})\b", re.MULTILINE | re.ASCII)


def options() -> tuple[Option, Option]:
    """The options `draw` and `resign`."""
    return (
        Option(
            "draw",
            NEVER,
            "never, or MOVE/MOVES/CENTIPAWNS as 34/8/20",
            "a draw from that move on, when both engines have said no more for so many moves each",
            _reader(_DRAW),
            left_out=True,
        ),
        Option(
            "resign",
            NEVER,
            "never, or MOVES/CENTIPAWNS as 3/400, or 3/400/both where both engines must say so",
            "a side that has said as much against itself for so many moves has lost",
            _reader(_RESIGN),
            left_out=True,
        ),
    )


def _reader(form: re.Pattern[str]) -> Any:
    def read(value: Value) -> str:
        found = form.fullmatch(value) if isinstance(value, str) else None
        if value != NEVER and (found is None or not int(found[2 if form is _DRAW else 1])):
            raise ValueError
        return str(value)

    return read


def of_setup(setup: Mapping[str, Value]) -> ByScores | None:
    """What judges a match of this setup; none where it is played to its end."""
    draw, resign = str(setup.get("draw", NEVER)), str(setup.get("resign", NEVER))
    return None if draw == resign == NEVER else ByScores(_DRAW.fullmatch(draw), _RESIGN.fullmatch(resign))


def score_of(comments: str) -> int | None:
    """The centipawns that an engine told last, for itself; none if it told none."""
    told = _SCORE.findall(comments)
    if not told:
        return None
    unit, value = told[-1][0], int(told[-1][1])
    return value if unit == "cp" else MATE if value > 0 else -MATE


class ByScores:
    """Counts the moves for which the scores of a match have been as a rule says."""

    def __init__(self, draw: re.Match[str] | None, resign: re.Match[str] | None) -> None:
        self._draw = tuple(map(int, draw.groups())) if draw else None
        self._resign = (int(resign[1]), int(resign[2])) if resign else None
        self._is_twosided = resign is not None and resign[3] is not None
        self._level = 0  # plies in a row with a score near 0
        self._lost = [0, 0]  # by seat: plies in a row that say that it has lost; of its own, or of both sides

    def after(self, state: Any, turn: Turn) -> Verdict | None:
        """The verdict after a turn; see `core.adjudication.Adjudicator`."""
        for move in turn.moves[:1]:
            score = score_of(move.comments)
            if self._resign is not None and (verdict := self._resigned(move.seat, score)) is not None:
                return verdict
            if self._draw is not None and self._is_drawn(state, score):
                return Verdict(DRAW, None)
        return None

    def _resigned(self, seat: int, score: int | None) -> Verdict | None:
        """Whether the seat that moved has lost by what was said; only it can, as with whoever gives up."""
        assert self._resign is not None
        moves, least = self._resign
        is_far = score is not None and abs(score) >= max(least, 1)
        loser = -1 if not is_far or score is None else seat if score < 0 else 1 - seat
        for each in range(2):
            if self._is_twosided or each == seat:
                self._lost[each] = self._lost[each] + 1 if each == loser else 0
        if loser == seat and self._lost[seat] >= moves * (2 if self._is_twosided else 1):
            return Verdict(RESIGN, 1 - seat)
        return None

    def _is_drawn(self, state: Any, score: int | None) -> bool:
        """Whether both sides have said for long enough that it is level."""
        assert self._draw is not None
        first, moves, most = self._draw
        if state.halfmove_clock == 0:
            self._level = 0
        self._level = self._level + 1 if score is not None and abs(score) <= most else 0
        return bool(state.turn // 2 >= first) and self._level >= 2 * moves
