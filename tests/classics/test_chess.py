"""Chess: perft of positions that every chess program is tried with, and how a game ends."""

from __future__ import annotations

from typing import Any

import pytest

from dohyo.classics.chess_notation import fen
from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
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
    (
        "3k4/3p4/8/K1P4r/8/8/8/8 b - -",
        [18, 92, 1670, 10138, 185429],
        3,
    ),  # and where captures en passant are not legal
    ("8/8/4k3/8/2p5/8/B2P2K1/8 w - -", [13, 102, 1266, 10276, 135655], 3),
    ("8/8/8/8/k2Pp2Q/8/8/3K4 b - -", [6, 136, 863, 20471, 117741], 3),
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
    state.halfmove_clock = 98
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


PASSING = {  # white to move, black's answer e4xd3 to d2-d4, or c4xd3, and whether that is legal
    "nobody stands beside": ("4k3/8/8/8/5p2/8/3P4/K7 w - -", False),
    "nothing hinders it": ("4k3/8/8/8/4p3/8/3P4/K7 w - -", True),
    "both pawns leave the king's row": ("8/8/8/8/k3p2Q/8/3P4/3K4 w - -", False),
    "one more stands in that row": ("8/8/8/8/kp2p2Q/8/3P4/3K4 w - -", True),
    "pinned in its column": ("4k3/8/8/8/4p3/8/3P4/K3R3 w - -", False),
    "the other pawn is not": ("4k3/8/8/8/2p1p3/8/3P4/K3R3 w - -", True),
    "pinned in a diagonal": ("8/1k6/8/8/4p3/8/3P2B1/K7 w - -", False),
    "pinned in the diagonal in which it takes": ("8/7k/8/8/4p3/8/2BP4/K7 w - -", True),
    "the jump uncovers a check": ("8/8/7k/8/4p3/8/3P4/K1B5 w - -", False),
    "the pawn that jumps gives check": ("8/8/8/4k3/4p3/8/3P4/K7 w - -", True),
    "it gives check, and the answer is pinned": ("8/8/8/4k3/4p3/8/3P4/K3R3 w - -", False),
}


def turned(text: str) -> str:
    """The same position with the colours changed."""
    board, mover, rest = text.split(" ", 2)
    return f"{'/'.join(reversed(board.swapcase().split('/')))} {'wb'['bw'.index(mover)]} {rest}"


@pytest.mark.parametrize("mover", ["white", "black"])
@pytest.mark.parametrize("case", PASSING)
def test_the_square_that_a_pawn_jumped_over_is_kept_where_it_may_be_taken(case: str, mover: str) -> None:
    """In the state, in FEN and in what is legal alike; a state or a FEN that says otherwise is not believed."""
    game = classic("chess")
    text, may = PASSING[case]
    state = play(position(text if mover == "white" else turned(text)), "d2d4" if mover == "white" else "d7d5")
    square = "d3" if mover == "white" else "d6"
    legal = {game.protocol.text(action) for action in game.legal_actions(state, state.turn % 2)}
    taking = {word for word in legal if word[2:] == square and word[0] in "ce"}
    assert bool(taking) == may
    assert (state.en_passant != 0) == may
    written = fen.fen(state)
    assert written.split()[3] == (square if may else "-")
    claimed = " ".join([*written.split()[:3], square, *written.split()[4:]])
    assert fen.fen(game.new_state({"opening": claimed}, 2)) == written
    assert game.possible(state)
    state.en_passant = 0 if may else fen.square(square)
    assert not game.possible(state)


@pytest.mark.parametrize(
    ("text", "round_", "turns"),
    [
        ("8/8/8/8/k3p2Q/8/3P4/3K4 w - -", "a4a3 h4h5 a3a4 h5h4", 8),
        ("8/8/8/k7/4p2Q/8/3P4/3K4 w - -", "a5a6 h4h3 a6a5 h3h4", 9),
    ],
)
def test_positions_are_the_same_where_the_same_moves_are_legal(text: str, round_: str, turns: int) -> None:
    """The one behind a double push counts with those that follow only where no capture en passant is legal."""
    words = (round_.split() * 3)[:turns]
    state = play(position(text), " ".join(["d2d4", *words[:-1]]))
    assert not classic("chess").rules.over(state)
    assert play(state, words[-1]).ended == 3


@pytest.mark.parametrize(
    ("board", "over"),
    [
        ("k7/8/8/8/8/8/8/K7", True),
        ("k7/8/8/8/8/8/8/KN6", True),
        ("k6b/8/8/8/8/8/8/K7", True),
        ("k4b2/8/8/8/8/8/8/K1B5", True),
        ("k3b3/8/8/8/8/8/8/K1B5", False),
        ("k7/8/8/8/8/8/8/KNN5", False),
        ("kn6/8/8/8/8/8/8/KN6", False),
        ("kn6/8/8/8/8/8/8/K1B5", False),
        ("k7/8/8/8/8/7P/8/K7", False),
    ],
)
def test_a_start_without_enough_to_mate_is_over(board: str, over: bool) -> None:
    """At once; and no match may be begun there, as none may be begun with a mate."""
    game = classic("chess")
    state = game.new_state({"opening": f"{board} w - - 7 30"}, 2)
    assert game.possible(state)
    assert game.rules.over(state) == over
    assert state.ended == (5 if over else 0)
    if over:
        with pytest.raises(OperatorError, match="a position in FEN that is not over"):
            resolve(game.options, {"opening": f"{board} w - - 7 30"})
        state.ended = 0
        assert not game.possible(state)
