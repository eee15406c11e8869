"""Positions in Forsyth-Edwards notation: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".

Of Chess960, castling rights are read as the rook's file (HAha) and as KQkq, and written as the file.
"""

from __future__ import annotations

import re
from typing import Any

from dohyo.classics.chess_notation import chess960

State = Any

USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PIECES = ".PNBRQKpnbrqk"
RIGHTS = "KQkq"
LONGEST = 100  # characters
MAX_HALFMOVES, MAX_MOVES = 99, 5000
_BOARD, _COUNTS = r"((?:[1-8PNBRQKpnbrqk]{1,8}/){7}[1-8PNBRQKpnbrqk]{1,8}) ([wb])", r"(?: (\d{1,4}) (\d{1,4}))?"
_FORM = re.compile(rf"{_BOARD} (-|K?Q?k?q?) (-|[a-h][36]){_COUNTS}")
_FORM_960 = re.compile(rf"{_BOARD} (-|[KQA-H]{{0,2}}[kqa-h]{{0,2}}) (-|[a-h][36]){_COUNTS}")


def is_fen(text: str, is_chess960: bool = False) -> bool:
    """Whether a text has the form of a position; whether a match can come to it is another question."""
    return _parts(text, is_chess960) is not None


def _parts(text: str, is_chess960: bool) -> re.Match[str] | None:
    return (_FORM_960 if is_chess960 else _FORM).fullmatch(text) if len(text) <= LONGEST else None


def square(name: str) -> int:
    """A square by its name: a8 is 0, h1 is 63."""
    return "abcdefgh".index(name[0]) + 8 * (8 - int(name[1]))


def _name(at: int) -> str:
    return f"{'abcdefgh'[at % 8]}{8 - at // 8}"


def place(state: State, text: str, is_chess960: bool = False) -> None:
    """Write a position, of Chess960 or of chess, into a new state; what follows from it is for the rules to fill in.

    So it is they that forget an en passant square where no capture is legal. Raises `ValueError` for a text of
    another form.
    """
    found = _parts(text, is_chess960)
    if found is None:
        raise ValueError("a position in Forsyth-Edwards notation")
    ranks = [re.sub(r"\d", lambda count: "." * int(count[0]), rank) for rank in found[1].split("/")]
    if any(len(rank) != 8 for rank in ranks):
        raise ValueError("eight squares in each rank")
    state.board[:] = [PIECES.index(sign) for rank in ranks for sign in rank]
    mover = "wb".index(found[2])
    halfmoves, number = int(found[5] or 0), int(found[6] or 1)
    if halfmoves > MAX_HALFMOVES or not number <= MAX_MOVES:
        raise ValueError("a game that goes on")
    state.halfmove_clock, state.turn = halfmoves, 2 * (max(number, 1) - 1) + mover
    if is_chess960:
        state.castling = chess960.rights_of(state.board, found[3])
    else:
        state.castling = sum(1 << at for at, right in enumerate(RIGHTS) if right in found[3])
    state.en_passant = 0 if found[4] == "-" else square(found[4])


def fen(state: State) -> str:
    """The position of a state."""
    ranks = ["".join(PIECES[piece] for piece in state.board[8 * at : 8 * at + 8]) for at in range(8)]
    board = re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(ranks))
    if state.castling & chess960.IS_CHESS960:
        rights = chess960.rights(state.castling)
    else:
        rights = "".join(right for at, right in enumerate(RIGHTS) if state.castling >> at & 1)
    en_passant = _name(state.en_passant) if state.en_passant else "-"
    return f"{board} {'wb'[state.turn % 2]} {rights or '-'} {en_passant} {state.halfmove_clock} {state.turn // 2 + 1}"


def for_engines(state: State) -> str:
    """How a UCI engine is told a position: the words behind `position`."""
    found = fen(state)
    return "startpos" if found == USUAL else f"fen {found}"
