"""Chess960 (Fischer random): the 960 starts by their numbers, and castling rights that name their rooks.

A state keeps in `castling` which rights there are, in four bits as in chess; in Chess960 also that it is Chess960,
and the file of each right's rook: it may be any file, and another one for each side (as in positions where both were
drawn).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

State = Any

NAME = "chess960"  # of the variant, as the setup has it
TAG = "Chess960"  # as PGN has it
XBOARD = "fischerandom"  # as XBoard's protocol has it
STARTS = 960
IS_CHESS960 = 16  # the bit of `castling` that says so
ROOK_FILES = 5  # from this bit on: three for the file of each right's rook; white's short and long, black's
MAX_CASTLING = (1 << ROOK_FILES + 12) - 1
EMPTY, ROOK, KING = 0, 4, 6
# Where the two knights stand on the five squares that bishops and queen have left.
_KNIGHTS = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))


def start(number: int) -> str:
    """The position in FEN with this number, 0 to 959, as Reinhard Scharnagl has numbered them: 518 is that of chess.

    Raises `ValueError` for another number.
    """
    if not 0 <= number < STARTS:
        raise ValueError("a number from 0 to 959")
    rank = [""] * 8
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank[2 * light + 1] = rank[2 * dark] = "B"
    rank[_free(rank)[queen]] = "Q"
    free = _free(rank)
    for at in _KNIGHTS[knights]:
        rank[free[at]] = "N"
    for at, piece in zip(_free(rank), "RKR", strict=True):
        rank[at] = piece
    back = "".join(rank)
    rights = "".join("ABCDEFGH"[at] for at in range(7, -1, -1) if rank[at] == "R")
    return f"{back.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{back} w {rights}{rights.lower()} - 0 1"


def _free(rank: Sequence[str]) -> list[int]:
    return [at for at, piece in enumerate(rank) if not piece]


def rights_of(board: Sequence[int], word: str) -> int:
    """What `castling` is for the rights that a FEN names on this board.

    Each is a rook by its file (HAha, Shredder-FEN), or the outermost one on its side of the king (KQkq, X-FEN).
    Raises `ValueError` for one that no rook of the right side can have, and for one that comes twice.
    """
    found = IS_CHESS960
    for letter in word.replace("-", ""):
        seat = 0 if letter.isupper() else 1
        home = [piece - 6 * seat for piece in board[56 * (1 - seat) : 56 * (1 - seat) + 8]]
        if KING not in home:
            raise ValueError("a king that has not moved")
        king = home.index(KING)
        file = _rook_file(home, king, letter.upper())
        right = 2 * seat + (file < king)
        if home[file] != ROOK or found >> right & 1:
            raise ValueError("a rook for each right")
        found |= 1 << right | file << ROOK_FILES + 3 * right
    return found


def _rook_file(home: Sequence[int], king: int, letter: str) -> int:
    """The file of a right's rook. Raises `ValueError` if there is no rook there."""
    rooks = [at for at, piece in enumerate(home) if piece == ROOK]
    if letter == "K":
        return max(at for at in rooks if at > king)
    return min(at for at in rooks if at < king) if letter == "Q" else "ABCDEFGH".index(letter)


def rights(castling: int) -> str:
    """The rights as Shredder-FEN names them: HAha; empty if there are none."""
    files = (castling >> ROOK_FILES + 3 * right & 7 for right in range(4))
    return "".join(
        ("ABCDEFGH" if right < 2 else "abcdefgh")[file] for right, file in enumerate(files) if castling >> right & 1
    )
