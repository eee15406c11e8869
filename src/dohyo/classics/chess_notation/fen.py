"""Positions in Forsyth-Edwards notation: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"."""

from __future__ import annotations

import re
from typing import Any

State = Any

USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PIECES = ".PNBRQKpnbrqk"
RIGHTS = "KQkq"
LONGEST = 100  # characters
MOST_QUIET, MOST_TURNS = 99, 5000
_FORM = re.compile(
    r"((?:[1-8PNBRQKpnbrqk]{1,8}/){7}[1-8PNBRQKpnbrqk]{1,8}) ([wb]) (-|K?Q?k?q?) (-|[a-h][36])"
    r"(?: (\d{1,4}) (\d{1,4}))?"
)


def is_fen(text: str) -> bool:
    """Whether a text has the form of a position; whether a match can come to it is another question."""
    return len(text) <= LONGEST and _FORM.fullmatch(text) is not None


def square(name: str) -> int:
    """A square by its name: a8 is 0, h1 is 63."""
    return "abcdefgh".index(name[0]) + 8 * (8 - int(name[1]))


def _name(at: int) -> str:
    return f"{'abcdefgh'[at % 8]}{8 - at // 8}"


def place(state: State, text: str) -> None:
    """Write a position into a new state; what follows from it is for the rules to fill in.

    So it is they that forget a square behind a pawn that has just jumped, if nobody may take it there. Raises
    `ValueError` for a text of another form.
    """
    found = _FORM.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        raise ValueError("a position in Forsyth-Edwards notation")
    rows = [re.sub(r"\d", lambda count: "." * int(count[0]), row) for row in found[1].split("/")]
    if any(len(row) != 8 for row in rows):
        raise ValueError("eight squares in each row")
    state.board[:] = [PIECES.index(sign) for row in rows for sign in row]
    mover = "wb".index(found[2])
    quiet, number = int(found[5] or 0), int(found[6] or 1)
    if quiet > MOST_QUIET or not number <= MOST_TURNS:
        raise ValueError("a game that goes on")
    state.quiet, state.turn = quiet, 2 * (max(number, 1) - 1) + mover
    state.castling = sum(1 << at for at, right in enumerate(RIGHTS) if right in found[3])
    state.en_passant = 0 if found[4] == "-" else square(found[4])


def fen(state: State) -> str:
    """The position of a state."""
    rows = ["".join(PIECES[piece] for piece in state.board[8 * row : 8 * row + 8]) for row in range(8)]
    board = re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(rows))
    rights = "".join(right for at, right in enumerate(RIGHTS) if state.castling >> at & 1)
    passing = _name(state.en_passant) if state.en_passant else "-"
    return f"{board} {'wb'[state.turn % 2]} {rights or '-'} {passing} {state.quiet} {state.turn // 2 + 1}"


def for_engines(state: State) -> str:
    """How a UCI engine is told a position: the words behind `position`."""
    found = fen(state)
    return "startpos" if found == USUAL else f"fen {found}"
