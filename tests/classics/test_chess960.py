"""Chess960: perft of known positions, castling from everywhere, its starts, and how others write it."""

from __future__ import annotations

import random
from typing import Any

import pytest

import dohyo
from dohyo import games
from dohyo.classics.chess_notation import chess960, fen, san
from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from tests.classics.games import classic
from tests.games.perft import after, perft
from tests.skips import Reason, skip_for

GAME = classic("chess")
KNOWN = [  # a position, perft from depth 1 on, and how many of these are counted in a usual run
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", [21, 528, 12189, 326672], 3),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [21, 807, 18002, 667366], 2),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", [20, 479, 10471, 273318], 3),
    ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", [22, 593, 13440, 382958], 3),
    ("1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", [28, 1120, 31058, 1171749], 2),
    ("1r1k2r1/pp1ppp1p/8/8/8/8/PP1PPP1P/1R1K2R1 w GBgb - 0 1", [28, 738, 19217, 491912], 3),
    ("rk5r/p6p/8/8/8/8/P6P/RK5R w HAha - 0 1", [14, 186, 3310, 56147], 3),
    ("qr2k1r1/8/8/8/8/8/8/QR2K1R1 w GBgb - 0 1", [38, 1172, 40992, 1342580], 2),
    ("1k1r4/3p4/8/8/8/8/3P4/q1RK1R2 w FC - 0 1", [18, 426, 8617, 222963], 3),
]


def setup(opening: object = "usual") -> dict[str, Any]:
    """The resolved setup of a match of Chess960."""
    return resolve(GAME.options, {"variant": "chess960", "opening": opening}, GAME.catalogue)


def begun(position: str) -> Any:
    """The state of a match of Chess960 that begins there."""
    return GAME.new_state(setup(position), 2)


def words(state: Any) -> set[str]:
    """All legal moves."""
    return {GAME.protocol.text(action) for action in GAME.legal_actions(state, state.turn % 2)}


def moved(state: Any, word: str) -> Any:
    """The state after a legal move."""
    action = GAME.protocol.read(word)
    assert action is not None
    assert GAME.rules.is_legal(state, state.turn % 2, action), word
    return after(GAME, state, state.turn % 2, action)


@pytest.mark.parametrize(("text", "counts", "usual"), KNOWN)
def test_perft(text: str, counts: list[int], usual: int, full: bool) -> None:
    """So many ways lead from the position; deeper with `--full`."""
    state = GAME.new_state({"variant": "chess960", "opening": text}, 2)
    for depth, count in enumerate(counts[: None if full else usual], 1):
        assert perft(GAME, state, depth) == count


CASTLING = {  # white to move; the move; where king and rook come to stand, or nothing if it is not legal
    "as in chess": ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1h1", "g1 f1"),
    "long, as in chess": ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1a1", "c1 d1"),
    "two squares, as chess writes it": ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1g1", ""),
    "the king stays": ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "g1 f1"),
    "the rook stays": ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", "g1 f1"),
    "they change places": ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "g1 f1"),
    "long, with the king beside": ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "c1 d1"),
    "long, with the king far away": ("4k3/8/8/8/8/8/8/R5K1 w A - 0 1", "g1a1", "c1 d1"),
    "the inner one of two rooks": ("4k3/8/8/8/8/8/8/4KR1R w F - 0 1", "e1f1", "g1 f1"),
    "the outer one behind it": ("4k3/8/8/8/8/8/8/4KR1R w H - 0 1", "e1h1", ""),
    "a piece between": ("4k3/8/8/8/8/8/8/R1N1K3 w A - 0 1", "e1a1", ""),
    "a piece where the king goes": ("4k3/8/8/8/8/8/8/R1B2K2 w A - 0 1", "f1a1", ""),
    "a piece where the rook goes": ("4k3/8/8/8/8/8/8/1RKN4 w B - 0 1", "c1b1", ""),
    "a piece beyond both": ("4k3/8/8/8/8/8/8/NR2K3 w B - 0 1", "e1b1", "c1 d1"),
    "in check": ("4k3/8/8/8/4r3/8/8/R3K3 w A - 0 1", "e1a1", ""),
    "through an attack": ("3rk3/8/8/8/8/8/8/R3K3 w A - 0 1", "e1a1", ""),
    "into an attack": ("2r1k3/8/8/8/8/8/8/R3K3 w A - 0 1", "e1a1", ""),
    "an attack on the rook alone": ("r3k3/8/8/8/8/8/8/R3K3 w A - 0 1", "e1a1", "c1 d1"),
    "an attack that the rook crosses": ("1r2k3/8/8/8/8/8/8/R3K3 w A - 0 1", "e1a1", "c1 d1"),
    "the rook uncovers an attack": ("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", "d1b1", ""),
    "it uncovers a piece that attacks otherwise": ("4k3/8/8/8/8/8/8/bR1K4 w B - 0 1", "d1b1", "c1 d1"),
    "without the right": ("4k3/8/8/8/8/8/8/R3K2R w A - 0 1", "e1h1", ""),
}


@pytest.mark.parametrize("mover", ["white", "black"])
@pytest.mark.parametrize("case", CASTLING)
def test_castling(case: str, mover: str) -> None:
    """King and rook come to where they do in chess; what they cross is empty, what the king crosses not attacked."""
    text, word, squares = CASTLING[case]
    if mover == "black":
        board, _, rights, rest = text.split(" ", 3)
        text = f"{'/'.join(reversed(board.swapcase().split('/')))} b {rights.lower()} {rest}"
        word, squares = word.replace("1", "8"), squares.replace("1", "8")
    seat = "wb".index(text.split()[1])
    state = begun(text)
    assert GAME.possible(state)
    action = GAME.protocol.read(word)
    assert action is not None
    assert (word in words(state)) == bool(GAME.rules.is_legal(state, seat, action)) == bool(squares)
    if not squares:
        return
    following = moved(state, word)
    king, rook = (fen.square(square) for square in squares.split())
    assert (following.board[king], following.board[rook]) == (6 + 6 * seat, 4 + 6 * seat)
    assert sorted(following.board) == sorted(state.board)
    assert following.kings[seat] == king
    assert following.halfmove_clock == 1  # it is no capture
    assert following.castling >> 2 * seat & 3 == 0
    assert GAME.possible(following)


def test_rights_are_lost_by_each_side_alone() -> None:
    """By a king's move both, by a rook's move or its capture that one; positions are other ones by that."""
    text = "1r2k1r1/6p1/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"
    for line, rights in {
        "e1e2": "gb",
        "g1g2": "Bgb",
        "b1b8": "Gg",
        "g1g7 g8g7": "Bb",
        "e1b1": "gb",
        "e1b1 e8g8": "-",
        "b1a1 b8a8 a1b1 a8b8": "Gg",
    }.items():
        state = begun(text)
        for word in line.split():
            state = moved(state, word)
        assert fen.fen(state).split()[2] == rights, line
        assert fen.fen(begun(fen.fen(state))) == fen.fen(state)
    same = begun(text)
    for word in ["g1g2", "b8a8", "g2g1", "a8b8", "g1g2", "b8a8", "g2g1", "a8b8", "g1g2", "b8a8"]:
        assert not same.ended
        same = moved(same, word)
    assert same.ended == 3  # not one move before: after the first move, black could still castle on both sides


def test_a_state_that_cannot_be() -> None:
    """Rights without their rook or king, and files of rooks in chess, are not believed."""
    state = begun("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1")
    assert GAME.possible(state)
    for wrong in (
        state.castling | 4,
        state.castling ^ 1 << chess960.ROOK_FILES,
        state.castling - chess960.IS_CHESS960,
    ):
        other = GAME.rules.LAYOUT.copy(state)
        other.castling = wrong
        GAME.rules.step.__globals__["own_step"].__globals__["settle"](other)
        assert not GAME.possible(other)


# --- starts


def test_starts_by_their_numbers() -> None:
    """All 960 differ, as Scharnagl has numbered them, and 518 is that of chess."""
    every = [chess960.start(number) for number in range(960)]
    assert len(set(every)) == 960
    rows = {number: start.partition("/")[0] for number, start in enumerate(every)}
    assert (rows[0], rows[518], rows[959]) == ("bbqnnrkr", "rnbqkbnr", "rkrnnqbb")
    for row in rows.values():
        assert sorted(row) == sorted("rnbqkbnr")
        assert row.index("r") < row.index("k") < row.rindex("r")
        assert (row.index("b") - row.rindex("b")) % 2
    assert setup(518) == setup("518") == {"variant": "chess960", "opening": every[518]}
    assert every[518].split()[2] == "HAha"
    assert GAME.possible(begun(every[0]))


def test_the_seed_draws_a_start() -> None:
    """Of all, the same one for a seed; the replay has it and stands alone; a setup of chess says nothing of it."""
    drawn = [GAME.draw_setup(setup(), seed)["opening"] for seed in range(3000)]
    assert set(drawn) > {chess960.start(number) for number in range(0, 960, 97)}
    assert len(set(drawn)) > 850
    assert drawn[7] == GAME.draw_setup(setup("random"), 7)["opening"]
    replay = dohyo.play("chess", ["random", "random"], seed=7, setup={"variant": "chess960"}, clock=60)
    assert replay.header.setup == {"variant": "chess960", "opening": drawn[7]}
    assert dohyo.verify(replay) == len(replay.turns)
    assert resolve(GAME.options, {"variant": "standard"}) == {"opening": "usual"}


@pytest.mark.parametrize(
    ("given", "is_read"),
    [
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9", KNOWN[0][0]),
        ("4k3/8/8/8/8/8/8/R2RK1RR w KQ - 0 1", "4k3/8/8/8/8/8/8/R2RK1RR w HA - 0 1"),
        ("4k3/8/8/8/8/8/8/R2RK1RR w GD - 0 1", "4k3/8/8/8/8/8/8/R2RK1RR w GD - 0 1"),
        ("1r2k1r1/8/8/8/8/8/8/R2K3R w QKkq - 0 1", "1r2k1r1/8/8/8/8/8/8/R2K3R w HAgb - 0 1"),
    ],
)
def test_rights_in_both_notations(given: str, is_read: str) -> None:
    """A letter names the rook's column, or K and Q the outermost one; both sides may stand in different orders."""
    assert setup(given)["opening"] == is_read
    assert fen.fen(begun(given)) == is_read
    assert fen.for_engines(begun(given)) == f"fen {is_read}"


@pytest.mark.parametrize(
    "wrong",
    [
        "960",
        "1000",
        "4k3/8/8/8/8/8/8/R3K2R w HB - 0 1",  # no rook there
        "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",  # the king has moved
        "4k3/8/8/8/8/8/8/R2RK3 w DA - 0 1",  # two rooks of the same side
        "4k3/8/8/8/8/8/8/R3K2R w KH - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
        "8/8/8/8/8/8/8/R6R w HA - 0 1",
        ["4k3/8/8/8/8/8/8/R3K2R w X - 0 1"],
    ],
)
def test_what_is_no_start(wrong: object) -> None:
    """It is refused in one sentence; in chess, so are the letters of columns."""
    with pytest.raises(OperatorError) as error:
        setup(wrong)
    assert error.value.key == "bad-setup-value"
    with pytest.raises(OperatorError):
        resolve(GAME.options, {"opening": KNOWN[0][0]}, GAME.catalogue)
    with pytest.raises(OperatorError, match="chess960"):
        resolve(GAME.options, {"variant": "chess690"}, GAME.catalogue)


def test_books() -> None:
    """Positions and games of Chess960, from a book, of which each match draws one."""
    book = f"{KNOWN[0][0]}\n{' '.join(KNOWN[1][0].split()[:4])} bm a4;\n"
    value = setup(book)["opening"]
    assert value == [KNOWN[0][0], KNOWN[1][0].replace("- 1 9", "- 0 1")]
    assert setup(value)["opening"] == value
    assert {GAME.draw_setup(setup(book), seed)["opening"] for seed in range(20)} == set(value)
    game = f'[Event "a"]\n[Variant "Chess960"]\n[FEN "{CASTLING["the king stays"][0]}"]\n\n1. O-O+ Kd7 *\n'
    assert setup(game)["opening"] == "8/3k4/8/8/8/8/8/5RK1 w - - 2 2"


# --- how it is written


def test_castling_in_words() -> None:
    """As O-O and O-O-O, also where king and rook are neighbours; a king's step is none."""
    state = begun("5k2/8/8/8/8/8/7r/RK2R3 w EA - 0 1")
    for word, written in (("b1e1", "O-O+"), ("b1a1", "O-O-O"), ("b1c1", "Kc1"), ("e1e3", "Re3")):
        action = GAME.protocol.read(word)
        assert action is not None
        assert san.san(GAME, state, action, moved(state, word)) == written
        assert san.read(GAME, state, written) == action
        assert san.for_xboard(state, word) == (written.rstrip("+") if "O" in written else word)
    assert GAME.meant(state, "O-O-O") == "b1a1"
    assert san.read(GAME, moved(moved(state, "b1c1"), "h2h1"), "O-O") is None


def test_pgn() -> None:
    """The tags that others look for, and a start that they read."""

    class First(dohyo.Bot):
        """Castles if it can."""

        def act(self, observation: Any) -> Any:
            """The king takes its rook, or the first move."""
            castles = [each for each in observation.legal_actions if each == "g1h1"]
            return (castles or list(observation.legal_actions))[0]

    start = CASTLING["the king stays"][0].replace("- 0 1", "- 97 60")
    replay = dohyo.play("chess", [First(), First()], seed=0, setup={"variant": "chess960", "opening": start})
    text = (games.find("chess").pgn or str)(replay)
    assert '[Variant "Chess960"]\n[SetUp "1"]\n' in text
    assert f'[FEN "{start}"]' in text
    assert "\n60. O-O" in text
    plain = dohyo.play("chess", [First(), First()], seed=0, setup={"opening": start.replace(" H ", " - ")})
    assert "Variant" not in (games.find("chess").pgn or str)(plain)


def test_what_a_learner_sees() -> None:
    """In chess a right fills its plane, in Chess960 the square of its rook; black sees its own side below."""
    numpy = pytest.importorskip("numpy")

    def planes(state: Any, seat: int) -> Any:
        out = [0] * (len(GAME.observation.PLANES) * 64)
        GAME.observation.observe(state, seat, out)
        return numpy.array(out).reshape(-1, 8, 8)[12:16]

    chess = GAME.new_state(resolve(GAME.options, {}), 2)
    assert planes(chess, 0).sum() == planes(chess, 1).sum() == 256
    state = begun("1r2k1r1/8/8/8/8/8/8/R2K3R w HAg - 0 1")
    for seat, own, other in ((0, [(7, 7), (7, 0)], [(0, 6)]), (1, [(7, 6)], [(0, 7), (0, 0)])):
        seen = [(int(row), int(column)) for _, row, column in zip(*numpy.nonzero(planes(state, seat)), strict=True)]
        assert seen == own + other


def test_each_episode_begins_with_the_start_of_its_seed() -> None:
    """As a match of `dohyo play` with that seed."""
    pytest.importorskip("numpy")
    from dohyo.rl.agent_match import AgentMatch

    match = AgentMatch(GAME, None, {"variant": "chess960"}, "raise", False)
    for seed in (1, 2, 3):
        match.begin(seed)
        assert fen.fen(match.state) == GAME.draw_setup(setup(), seed)["opening"]


# --- beside python-chess


@pytest.fixture(scope="module")
def library() -> Any:
    """The library; without it, the tests are skipped."""
    try:
        import chess
    except ImportError:
        skip_for(Reason.PEER, "python-chess is not installed")
    return chess


def made_up(library: Any, draw: random.Random) -> Any:
    """A position with kings and rooks on the outer rows, and rights; few pieces, so that there is castling."""
    while True:
        board = library.Board(None, chess960=True)
        for color, row in ((True, 0), (False, 7)):
            free = sorted(draw.sample(range(8), draw.randint(3, 5)))
            king = draw.randrange(len(free))
            for at, column in enumerate(free):
                kind = library.KING if at == king else draw.choice((library.ROOK, library.ROOK, library.KNIGHT))
                board.set_piece_at(library.square(column, row), library.Piece(kind, color))
        for sign in draw.sample("PPPpppQqBbNn", draw.randint(0, 6)):
            at = library.square(draw.randrange(8), draw.randint(1, 6))
            if board.piece_at(at) is None:
                board.set_piece_at(at, library.Piece.from_symbol(sign))
        board.turn = draw.random() < 0.5
        rooks = {
            color: [each for each in board.pieces(library.ROOK, color) if each // 8 == (0 if color else 7)]
            for color in (True, False)
        }
        for color, squares in rooks.items():
            king = board.king(color)
            for side in (
                [each for each in squares if each < king],
                [each for each in squares if each > king],
            ):
                if side and draw.random() < 0.9:
                    board.castling_rights |= library.BB_SQUARES[draw.choice(side)]
        if board.is_valid() and any(board.legal_moves):
            return board


def check(state: Any, board: Any) -> list[str]:
    """All that both know of a position is the same; the words of the legal moves."""
    assert fen.fen(state).split()[:2] == board.fen().split()[:2]
    assert fen.fen(state).split()[2] == board.castling_shredder_fen()
    found = sorted(words(state))
    assert found == sorted(move.uci() for move in board.legal_moves), board.fen()
    return found


@pytest.mark.parametrize("kind", ["starts", "made up"])
def test_games(library: Any, kind: str, full: bool) -> None:
    """Random games: the same is legal at each turn, and moves and rights are written as that library writes them."""
    draw, castled = random.Random(kind), 0
    for number in range(1000 if full else 8):
        board = library.Board.from_chess960_pos(draw.randrange(960)) if kind == "starts" else made_up(library, draw)
        state = begun(board.shredder_fen() if hasattr(board, "shredder_fen") else board.fen())
        assert fen.fen(state).split()[0] == board.fen().split()[0], number
        for _ in range(80):
            if state.ended:
                break
            found = check(state, board)
            castling = [board.uci(move) for move in board.legal_moves if board.is_castling(move)]
            word = draw.choice(castling) if castling and draw.random() < 0.7 else draw.choice(found)
            castled += word in castling
            move, action = library.Move.from_uci(word), GAME.protocol.read(word)
            assert action is not None
            following = moved(state, word)
            assert san.san(GAME, state, action, following) == board.san(move)
            assert san.read(GAME, state, board.san(move)) == action
            board.push(move)
            state = following
            assert GAME.possible(state)
    assert castled >= 2


def test_starts_are_those_of_the_library(library: Any) -> None:
    """By the same numbers."""
    for number in range(960):
        board = library.Board(chess960.start(number), chess960=True)
        assert board.chess960_pos() == number
        assert board.is_valid()
