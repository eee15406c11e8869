"""Chess: perft of positions that every chess program is tried with, and how a game ends."""

from __future__ import annotations

from typing import Any

import pytest

from tests.classics.games import classic
from tests.games.perft import after, perft

PIECES = ".PNBRQKpnbrqk"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"
KNOWN = [  # a position, perft from depth 1 on, and how many of these are counted in a usual run
    (START, [20, 400, 8902, 197281, 4865609], 3),
    (KIWIPETE, [48, 2039, 97862, 4085603], 2),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", [14, 191, 2812, 43238, 674624], 3),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", [6, 264, 9467, 422333], 2),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", [44, 1486, 62379, 2103487], 2),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", [46, 2079, 89890, 3894594], 2),
]


def position(text: str) -> Any:
    """The state of a position in Forsyth-Edwards notation."""
    game = classic("chess")
    state = game.rules.LAYOUT.new()
    board, mover, castling, passing = text.split()[:4]
    squares = "".join("." * int(each) if each.isdigit() else each for each in board.replace("/", ""))
    state.board[:] = map(PIECES.index, squares)
    state.turn = "wb".index(mover)
    state.castling = sum(1 << at for at, right in enumerate("KQkq") if right in castling)
    state.en_passant = 0 if passing == "-" else "abcdefgh".index(passing[0]) + 8 * (8 - int(passing[1]))
    game.rules.step.__globals__["own_step"].__globals__["settle"](state)
    return state


@pytest.mark.parametrize(("text", "counts", "usual"), KNOWN)
def test_perft(text: str, counts: list[int], usual: int, full: bool) -> None:
    """So many ways lead from the position; deeper with `--full`."""
    for depth, count in enumerate(counts[: None if full else usual], 1):
        assert perft(classic("chess"), position(text), depth) == count


def play(state: Any, moves: str) -> Any:
    """The state after these moves."""
    game = classic("chess")
    for word in moves.split():
        seat = state.turn % 2
        action = game.protocol.read(word)
        assert game.rules.is_legal(state, seat, action), word
        state = after(game, state, seat, action)
    return state


@pytest.mark.parametrize(
    ("text", "moves", "reason", "winner"),
    [
        (START, "f2f3 e7e5 g2g4 d8h4", "checkmate", 1),
        ("7k/8/6K1/8/8/8/8/5Q2 w - -", "f1f7", "stalemate", -1),
        (START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "the same position for the third time", -1),
        ("7k/8/8/8/8/8/p7/K7 w - -", "a1a2", "neither side can mate", -1),
        ("4b2k/8/8/8/8/8/p7/K6B w - -", "a1a2", "neither side can mate", -1),
    ],
)
def test_a_game_ends(text: str, moves: str, reason: str, winner: int) -> None:
    """By mate, and by draws that nobody has to claim."""
    rules = classic("chess").rules
    state = play(position(text), moves)
    assert rules.over(state)
    assert rules.winner(state) == winner
    assert classic("chess").catalogue["en"][rules.REASONS[rules.places(state, [0, 0])]] == reason


def test_bishops_on_squares_of_both_colours_can_mate() -> None:
    """So the game goes on."""
    assert not classic("chess").rules.over(play(position("4b2k/8/8/8/8/8/p7/K5B1 w - -"), "a1a2"))


def test_fifty_moves_without_a_capture_draw() -> None:
    """The hundredth turn in a row without one ends it."""
    state = position("7k/8/8/8/8/8/1R6/K7 w - -")
    state.quiet = 98
    state = play(state, "b2b3")
    assert not classic("chess").rules.over(state)
    state = play(state, "h8g8")
    assert state.ended == 4


def test_a_pawn_is_passed_only_at_once() -> None:
    """En passant is one turn's right."""
    game = classic("chess")
    state = play(position(START), "e2e4 a7a6 e4e5 d7d5")
    assert game.rules.is_legal(state, 0, game.protocol.read("e5d6"))
    state = play(state, "a2a3 a6a5")
    assert not game.rules.is_legal(state, 0, game.protocol.read("e5d6"))


def test_a_pawn_taken_in_passing_may_not_uncover_the_king() -> None:
    """The pawn that disappears stood between a bishop and the king; the one that takes it stands elsewhere."""
    game = classic("chess")
    passing = game.protocol.read("e5d6")
    for bishop, may in (("b", False), ("1", True)):
        state = position(f"{bishop}6k/8/8/3pP3/8/8/8/7K w - d6")
        assert game.rules.is_legal(state, 0, passing) == may
        assert (passing in game.legal_actions(state, 0)) == may
