"""Chess: whether a match can come to a state."""

# mypy: disable-error-code="no-untyped-call"
# (the functions of a file of rules have no types)

from __future__ import annotations

from typing import Any

from dohyo.classics.chess import (
    FIFTY_MOVES,
    KING,
    LAYOUT,
    MATE,
    MATERIAL,
    MAX_HALFMOVES,
    PAWN,
    REPETITION,
    ROOK,
    STALEMATE,
    generate_moves,
    insufficient_material,
    position_key,
    rook_file,
    settle,
)
from dohyo.classics.chess_notation.chess960 import IS_CHESS960

State = Any

# The rights of chess to castle, and who stands where for them.
HOMES = ((3, 60, KING), (12, 4, KING + 6), (1, 63, ROOK), (2, 56, ROOK), (4, 7, ROOK + 6), (8, 0, ROOK + 6))


def possible(s: State) -> bool:
    """Whether a king stands for each seat, and all else is what follows from the board; the last mover's is safe."""
    if any(s.board.count(KING + 6 * seat) != 1 for seat in range(2)) or {PAWN, PAWN + 6} & {
        *s.board[:8],
        *s.board[56:],
    }:
        return False
    if not _may_castle(s):
        return False
    if s.en_passant:
        back = 8 if s.turn % 2 == 0 else -8
        around = [s.board[s.en_passant + by] for by in (0, -back, back)] if 16 <= s.en_passant < 48 else []
        rank = 2 if s.turn % 2 == 0 else 5
        if s.en_passant // 8 != rank or around != [0, 0, PAWN + 6 * (1 - s.turn % 2)]:
            return False
    same, last = LAYOUT.new(), LAYOUT.new()
    for other, turn in ((last, s.turn + 1), (same, s.turn)):
        other.board[:] = s.board
        other.turn, other.castling = turn, s.castling
        settle(other)
    if generate_moves(last):  # with whoever moved last to move
        return False
    same.en_passant = s.en_passant
    is_check = generate_moves(same)
    derived = ("key", "sides", "pieces", "moves", "count", "kings", "en_passant")
    if any(getattr(same, name) != getattr(s, name) for name in derived):
        return False
    if position_key(same) != s.keys[s.halfmove_clock]:
        return False
    if same.count == 0:
        return bool(s.ended == (MATE if is_check else STALEMATE))
    if s.halfmove_clock == MAX_HALFMOVES or insufficient_material(s):
        return bool(s.ended == (FIFTY_MOVES if s.halfmove_clock == MAX_HALFMOVES else MATERIAL))
    return s.ended in (0, REPETITION)


def _may_castle(s: State) -> bool:
    """Whether kings and rooks stand where they have to for the rights to castle."""
    if not s.castling & IS_CHESS960:
        if s.castling > IS_CHESS960:  # files of rooks, without the bit for Chess960
            return False
        return not any(s.castling & rights and s.board[at] != piece for rights, at, piece in HOMES)
    for right in range(4):
        if s.castling >> right & 1:
            seat, home = right // 2, 56 * (1 - right // 2)
            king, rook = s.board.index(KING + 6 * seat), home + rook_file(s, right)
            is_beside = rook > king if right % 2 == 0 else rook < king
            if not home <= king < home + 8 or s.board[rook] != ROOK + 6 * seat or not is_beside:
                return False
    return True
