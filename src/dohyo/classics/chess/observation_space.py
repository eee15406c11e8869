"""Chess, what a learner sees: the board from its own side."""

from __future__ import annotations

from typing import Any

from dohyo.classics.chess import MAX_HALFMOVES, rook_file
from dohyo.classics.chess_notation.chess960 import IS_CHESS960
from dohyo.core.game import Plane

KIND, SHAPE = "i1", (8, 8)
OF_CHESS960 = "(in Chess960 only the square of the rook with which it may)"
PLANES = (
    *(
        Plane(f"{whose}_{piece}", 0, 1, f"the {piece} squares of the {whose} side; black sees the board turned over")
        for whose in ("own", "other")
        for piece in ("pawn", "knight", "bishop", "rook", "queen", "king")
    ),
    *(
        Plane(f"{whose}_{side}", 0, 1, f"whether the {whose} king may still castle on the {side} side {OF_CHESS960}")
        for whose in ("own", "other")
        for side in ("short", "long")
    ),
    Plane("en_passant", 0, 1, "the square on which a pawn may be captured en passant"),
    Plane("halfmove_clock", 0, MAX_HALFMOVES, "plies without a capture or a pawn's move"),
    Plane("to_move", 0, 1, "whether the observing seat is to move"),
)


def observe(s: Any, seat: int, out: Any) -> None:
    """Pieces by type, rights and counts; black sees the board from its own side."""
    for at in range(64):
        seen = at if seat == 0 else at ^ 56
        piece = s.board[seen]
        for k in range(6):
            out[k * 64 + at] = piece == 1 + k + 6 * seat
            out[(6 + k) * 64 + at] = piece == 1 + k + 6 * (1 - seat)
        for k in range(4):
            right = k + 2 * seat & 3
            may = s.castling >> right & 1
            home = 56 if right < 2 else 0
            if s.castling & IS_CHESS960 and seen != home + rook_file(s, right):  # type: ignore[no-untyped-call]
                may = 0
            out[(12 + k) * 64 + at] = may
        out[16 * 64 + at] = s.en_passant == seen and seen != 0
        out[17 * 64 + at] = s.halfmove_clock
        out[18 * 64 + at] = s.turn % 2 == seat
