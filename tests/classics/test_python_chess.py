"""Chess beside python-chess, move by move, where it is installed: what is legal and written, and when it ends."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dohyo.classics.chess_notation import fen, san
from tests.classics.games import classic
from tests.classics.test_chess import KNOWN, PASSING, play
from tests.games.perft import after, perft
from tests.skips import Reason, skip_for

Board = Any  # of theirs
GAME = classic("chess")
LONGEST = 60  # plies of a game from a made-up position
PIECES = "PPPPpppppQRBBNqrbbn"


@pytest.fixture(scope="module")
def chess() -> Any:
    """The library; without it, the tests are skipped."""
    try:
        import chess
    except ImportError:
        skip_for(Reason.PEER, "python-chess is not installed")
    return chess


def outcome(board: Board) -> int:
    """Why a game is over by their rules, by our number; 0 if it goes on."""
    if not any(board.legal_moves):
        return 1 if board.is_check() else 2
    if board.halfmove_clock >= 100:
        return 4
    if board.is_insufficient_material():
        return 5
    return 3 if board.is_repetition(3) else 0


def check(chess: Any, state: Any, board: Board) -> list[str]:
    """All that both know of a position is the same; the words of the legal moves."""
    assert fen.fen(state) == board.fen(en_passant="legal")
    assert (state.en_passant != 0) == board.has_legal_en_passant()
    assert state.ended == outcome(board), board.fen()
    words = sorted(GAME.protocol.text(action) for action in GAME.legal_actions(state, state.turn % 2))
    assert words == sorted(move.uci() for move in board.legal_moves)
    return words


def begun(chess: Any, draw: random.Random) -> Board:
    """A position of a few pieces, of which pawns stand where double pushes and captures en passant happen."""
    while True:
        board = chess.Board(None)
        free = draw.sample(range(64), 20)
        board.set_piece_at(free.pop(), chess.Piece.from_symbol("K"))
        board.set_piece_at(free.pop(), chess.Piece.from_symbol("k"))
        for sign in draw.sample(PIECES, draw.randint(0, 9)):
            rows = {"P": (1, 1, 4), "p": (6, 6, 3)}.get(sign)
            at = free.pop() if rows is None else chess.square(draw.randrange(8), draw.choice(rows))
            if board.piece_at(at) is None:
                board.set_piece_at(at, chess.Piece.from_symbol(sign))
        board.turn = draw.random() < 0.5
        board.halfmove_clock, board.fullmove_number = draw.choice((0, 0, 0, 80)), draw.randint(1, 60)
        if board.is_valid() and any(board.legal_moves):
            return board


def drawn(draw: random.Random, board: Board, words: list[str]) -> str:
    """A move: often a jump, or back to where the seat came from."""
    last = board.move_stack[-2].uci() if len(board.move_stack) > 1 else ""
    back = last[2:4] + last[:2]
    if back in words and draw.random() < 0.6:
        return back
    jumps = [
        word for word in words if abs(int(word[3]) - int(word[1])) == 2 and board.piece_type_at(square(word)) == 1
    ]
    return draw.choice(jumps) if jumps and draw.random() < 0.5 else draw.choice(words)


def square(word: str) -> int:
    """Their number of the square that a move leaves."""
    return "abcdefgh".index(word[0]) + 8 * (int(word[1]) - 1)


def test_games_from_made_up_positions(chess: Any, full: bool) -> None:
    """At each turn the same is legal, the same is written, and the game ends for the same reason."""
    draw, ends = random.Random(3), set()
    for _ in range(2000 if full else 60):
        board = begun(chess, draw)
        state = GAME.new_state({"opening": board.fen()}, 2)
        for _ in range(LONGEST):
            words = check(chess, state, board)
            if state.ended:
                break
            word = drawn(draw, board, words)
            board.push(chess.Move.from_uci(word))
            action = GAME.protocol.read(word)
            assert action is not None
            state = after(GAME, state, state.turn % 2, action)
            assert GAME.possible(state)
        ends.add(state.ended)
    assert ends >= {0, 3, 4, 5}


def test_games_from_the_usual_start(chess: Any, full: bool) -> None:
    """Random games: each position and move is written as that library writes it."""
    draw = random.Random(5)
    for _ in range(60 if full else 3):
        state, board = GAME.new_state({"opening": fen.USUAL}, 2), chess.Board()
        while words := [] if state.ended else check(chess, state, board):
            move = chess.Move.from_uci(draw.choice(words))
            action = GAME.protocol.read(move.uci())
            assert action is not None
            following = after(GAME, state, state.turn % 2, action)
            assert san.san(GAME, state, action, following) == board.san(move)
            board.push(move)
            state = following
        check(chess, state, board)


@pytest.mark.parametrize("case", PASSING)
def test_pawns_that_jump(chess: Any, case: str) -> None:
    """What the tests without this library say of captures en passant is what it says."""
    text, may = PASSING[case]
    board = chess.Board(f"{text} 0 1")
    board.push_uci("d2d4")
    check(chess, play(GAME.new_state({"opening": text}, 2), "d2d4"), board)
    assert board.has_legal_en_passant() == may


@pytest.mark.full
@pytest.mark.parametrize("text", [text for text, _, _ in KNOWN])
def test_perft(chess: Any, text: str) -> None:
    """As many ways lead from known positions, counted by both; theirs goes on where a game of ours is over."""

    def count(board: Board, depth: int) -> int:
        if depth == 1 or outcome(board):
            return 0 if outcome(board) else board.legal_moves.count()
        found = 0
        for move in list(board.legal_moves):
            board.push(move)
            found += count(board, depth - 1)
            board.pop()
        return found

    assert perft(GAME, GAME.new_state({"opening": text}, 2), 3) == count(chess.Board(f"{text} 0 1"), 3)
