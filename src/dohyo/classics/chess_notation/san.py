"""Moves in standard algebraic notation: Nf3, exd5, O-O, e8=Q+, R1a3#."""

from __future__ import annotations

import re
from typing import Any

from dohyo.classics.chess_bitboards import knight_attacks, pawn_attacks, slide
from dohyo.classics.chess_notation.fen import square
from dohyo.core.flat import bit
from dohyo.core.game import Game

State = Any

LETTERS = ".PNBRQK"
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
_SQUARE = re.compile(r"[a-h][1-8]")
_BEHIND = re.compile(r"[+#!?]+$")


def san(game: Game, before: State, action: int, after: State) -> str:
    """The notation of a move from one state to the next."""
    word = game.protocol.text(action)
    return _moved(game, before, action) + _end(game, after) if square_pair(word) else word


def square_pair(word: str) -> bool:
    """Whether an action's text is a move, and not the giving up of a match."""
    return re.fullmatch(r"([a-h][1-8]){2}[qrbn]?", word) is not None


def _moved(game: Game, state: State, action: int) -> str:
    """The move without what it does to the other king."""
    word = game.protocol.text(action)
    origin, target = square(word[:2]), square(word[2:4])
    piece = (state.board[origin] - 1) % 6 + 1
    is_capture = state.board[target] != 0 or (piece == PAWN and origin % 8 != target % 8)
    if is_castling(state, origin, target):
        return "O-O" if target > origin else "O-O-O"
    if piece == PAWN:
        before = f"{word[0]}x" if is_capture else ""
        return before + word[2:4] + (f"={word[4].upper()}" if len(word) > 4 else "")
    return LETTERS[piece] + _from(game, state, action, word) + ("x" if is_capture else "") + word[2:4]


def is_castling(state: State, origin: int, target: int) -> bool:
    """Whether a legal move from one square to another is castling: the king goes far, or takes its own rook."""
    piece, taken = state.board[origin], state.board[target]
    own_rook = taken and (taken > KING) == (piece > KING)
    return (piece - 1) % 6 + 1 == KING and bool(own_rook or abs(target - origin) == 2)


def for_xboard(state: State, word: str) -> str:
    """How an XBoard engine that plays Chess960 is told a legal move: castling as O-O or O-O-O."""
    if not square_pair(word) or not is_castling(state, origin := square(word[:2]), target := square(word[2:4])):
        return word
    return "O-O" if target > origin else "O-O-O"


def _from(game: Game, state: State, action: int, word: str) -> str:
    """What tells the piece from others of its type that may go to the same square: file, rank, or both."""
    seat, piece = state.turn % 2, state.board[square(word[:2])]
    texts = (game.protocol.text(other) for other in game.legal_actions(state, seat) if other != action)
    others = [text[:2] for text in texts if text[2:4] == word[2:4] and state.board[square(text[:2])] == piece]
    if not others:
        return ""
    if all(other[0] != word[0] for other in others):
        return word[0]
    return word[1] if all(other[1] != word[1] for other in others) else word[:2]


def _end(game: Game, after: State) -> str:
    """What stands behind a move that gives check or mate."""
    if not is_check(after):
        return ""
    return "+" if game.rules.count_legal(after, after.turn % 2, [0] * game.rules.ACTIONS) else "#"


def is_check(state: State) -> bool:
    """Whether the king of the side to move is attacked."""
    seat = state.turn % 2
    king, pieces = bit(state.kings[seat]), state.pieces
    empty = ~(state.sides[0] | state.sides[1])
    checkers = knight_attacks(king) & pieces[KNIGHT - 1] | pawn_attacks(king, seat) & pieces[PAWN - 1]
    for direction in range(8):
        sliders = pieces[QUEEN - 1] | pieces[(ROOK if direction < 4 else BISHOP) - 1]
        checkers |= slide(king, empty, direction) & sliders
    return bool(checkers & state.sides[1 - seat])


def read(game: Game, state: State, word: str) -> int | None:
    """The legal action that a word of a game means, in this notation or as e2e4; none if it is none."""
    seat, wanted = state.turn % 2, _BEHIND.sub("", word).replace("0-0-0", "O-O-O").replace("0-0", "O-O")
    if square_pair(wanted):
        plain = game.protocol.read(wanted)
        return plain if plain is not None and game.rules.is_legal(state, seat, plain) else None
    goal = found[-1] if (found := _SQUARE.findall(wanted)) else ""
    for action in game.legal_actions(state, seat):
        if goal in game.protocol.text(action)[2:]:
            move = _moved(game, state, action)
            if wanted in (move, move.replace("=", "")):  # e8Q for e8=Q, as some write it
                return action
    return None
