"""Positions, moves and games of chess as others write them, and the openings from which engines play."""

from __future__ import annotations

from typing import Any

import pytest

import dohyo
from dohyo.classics.chess_notation import fen, openings, san
from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from tests.classics.games import classic
from tests.classics.test_chess import KIWIPETE, KNOWN
from tests.games.perft import after

GAME = classic("chess")


def begun(position: str = fen.USUAL) -> Any:
    """The state that a match from there begins with."""
    return GAME.new_state(resolve(GAME.options, {"opening": position}), 2)


def played(state: Any, words: str) -> tuple[Any, list[str]]:
    """The state after these moves, and how they are written."""
    found = []
    for word in words.split():
        action = GAME.protocol.read(word)
        assert action is not None
        following = after(GAME, state, state.turn % 2, action)
        found.append(san.san(GAME, state, action, following))
        state = following
    return state, found


@pytest.mark.parametrize("text", [text for text, _, _ in KNOWN])
def test_a_position_is_read_and_written(text: str) -> None:
    """The same text comes back, and the rules take the state for a possible one."""
    state = begun(f"{text} 3 17")
    assert fen.fen(state) == f"{text} 3 17"
    assert GAME.possible(state)


def test_a_pawn_that_nobody_can_take_leaves_no_square() -> None:
    """As the rules have it: e3 is told only where a pawn may go there."""
    state, _ = played(begun(), "e2e4")
    assert fen.fen(state) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert fen.for_engines(begun()) == "startpos"
    state, _ = played(begun(), "e2e4 a7a6 e4e5 d7d5")
    assert " w KQkq d6 0 3" in fen.fen(state)
    assert fen.fen(begun(fen.fen(state))) == fen.fen(state)


WRITTEN = [
    (fen.USUAL, "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1", "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O"),
    (fen.USUAL, "f2f3 e7e5 g2g4 d8h4", "f3 e5 g4 Qh4#"),
    (KIWIPETE, "e1c1 e8c8 e5f7", "O-O-O O-O-O Nxf7"),
    ("k7/7P/8/8/8/8/8/K7 w - -", "h7h8q a8b7", "h8=Q+ Kb7"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", "exd6"),
    ("R6R/8/8/8/3k4/8/8/R6K w - -", "a1d1", "Rd1+"),
    ("R6R/8/8/3k4/8/8/8/7K w - -", "a8d8", "Rad8+"),
    ("3k4/8/8/R7/8/8/8/R6K w - -", "a1a3", "R1a3"),
    ("2k5/8/8/8/4Q2Q/8/8/K6Q w - -", "h4e1", "Qh4e1"),
]


@pytest.mark.parametrize(("position", "moves", "written"), WRITTEN)
def test_moves_are_written(position: str, moves: str, written: str) -> None:
    """As players write them, with what tells two pieces apart, and read back."""
    state = begun(position)
    assert played(state, moves)[1] == written.split()
    for word, said in zip(moves.split(), written.split(), strict=True):
        assert san.read(GAME, state, said) == san.read(GAME, state, word) == GAME.protocol.read(word)
        state, _ = played(state, word)


# --- openings


def test_own_openings_are_legal_and_differ() -> None:
    """Each line is one of legal moves, to a place of its own, with the same number of moves for both."""
    book = openings.own(GAME)
    assert len(set(book)) == len(book) == 60
    assert all(openings.checked(GAME, each) == each for each in book)
    lines = [line for line in openings.FILE.read_text().splitlines() if not line.startswith("#")]
    assert all(4 <= len(line.split()) <= 8 for line in lines)


def test_a_match_draws_one_and_its_replay_has_it() -> None:
    """By its seed: the same seed, the same opening; the replay stands alone, and is continued from."""
    setups = []
    for seed in (1, 1, 2, 3):
        replay = dohyo.play("chess", [Quick(), Quick()], seed=seed, setup={"opening": "random"})
        setups.append(replay.header.setup["opening"])
        assert replay.header.setup["opening"] in openings.own(GAME)
    assert setups[0] == setups[1]
    assert len(set(setups)) > 1
    book = [KIWIPETE + " 0 1", KNOWN[2][0] + " 0 1"]
    drawn = {GAME.draw_setup({"opening": book}, seed)["opening"] for seed in range(20)}
    assert drawn == set(book)


class Quick(dohyo.Bot):
    """The first legal action, which soon repeats positions."""

    def act(self, observation: Any) -> Any:
        """Take it."""
        return observation.legal_actions[0]


BOOKS = {
    "a position": (KIWIPETE, [KIWIPETE + " 0 1"]),
    "EPD": (f'{KIWIPETE} bm Nf7; id "one";\n{KNOWN[2][0]} c0 "x";\n', [KIWIPETE + " 0 1", KNOWN[2][0] + " 0 1"]),
    "moves": ("e2e4 e7e5\n# a remark\nd2d4 d7d5\n", ["4p3/4P3", "3p4/3P4"]),
    "PGN": (
        '[Event "a"]\n[Result "1-0"]\n\n1. e4 {best [%eval 0.2]} e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 $1 1-0\n\n'
        f'[Event "b"]\n[FEN "{KNOWN[2][0]} 0 1"]\n\n1. e3 Kg3 *\n',
        ["rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b", "8/2p5/3p4/KP5r/1R3p2/4P1k1/6P1/8 w"],
    ),
}


@pytest.mark.parametrize("kind", BOOKS)
def test_books(kind: str) -> None:
    """Positions and games from elsewhere become positions, one or a list."""
    text, wanted = BOOKS[kind]
    value = resolve(GAME.options, {"opening": text})["opening"]
    found = value if isinstance(value, list) else [value]
    assert len(found) == len(wanted)
    for each, part in zip(found, wanted, strict=True):
        assert part in each
    assert resolve(GAME.options, {"opening": value})["opening"] == value  # as a contest's workers read it


@pytest.mark.parametrize(
    "wrong",
    [
        *("", "0", "61", "usual random", "e2e5", "1. e4 Ke2", "x" * 2_000_000, 1.5, True, [], ["x"]),
        "g1f3 g8f6 f3g1 f6g8 " * 9000,  # more moves than anybody waits for
        "8/8/8/8/8/8/8/8 w - - 0 1",  # no kings
        "k7/8/8/8/8/8/8/R6K w - - 0 1".replace("w", "b").replace("k7", "k1K5"),  # two white kings
        "k7/8/8/8/8/8/8/R6K w - - 0 1",  # black, who has moved, is still attacked
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  # nothing to move
        "k7/8/8/8/8/8/8/7K w - - 0 1",  # nothing to mate with
        "8/8/8/4k3/8/8/8/4K3 w K - 0 1",  # rights without a rook
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 100 80",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ],
)
def test_what_is_no_opening(wrong: object) -> None:
    """It is refused in one sentence."""
    with pytest.raises(OperatorError) as error:
        resolve(GAME.options, {"opening": wrong}, GAME.catalogue)
    assert error.value.key == "bad-setup-value"


def test_a_book_is_read_in_one_pass() -> None:
    """A value in a replay may be a stranger's: comments that never end, a million times, take no time."""
    value = resolve(GAME.options, {"opening": "1. e4 " + "{" * 1_000_000})["opening"]
    assert value == resolve(GAME.options, {"opening": "e2e4"})["opening"]


def test_a_file_of_a_stranger_is_never_opened(tmp_path: Any) -> None:
    """A value in a replay that names a file is no opening."""
    book = tmp_path / "book.epd"
    book.write_text(KIWIPETE)
    for word in (str(book), f"@{book}"):
        with pytest.raises(OperatorError):
            resolve(GAME.options, {"opening": word}, GAME.catalogue)


# --- PGN


def test_a_match_in_pgn() -> None:
    """Tags, moves and the end; from another start with the position in it."""
    replay = dohyo.play("chess", [Quick(), Quick()], seed=1, setup={"opening": "k7/8/8/8/8/8/r6p/7K b - - 97 60"})
    text = (GAME.pgn or str)(replay)
    head, _, moves = text.partition("\n\n")
    assert '[Result "' in head
    assert '[FEN "k7/8/8/8/8/8/r6p/7K b - - 97 60"]' in head
    assert '[Termination "normal"]' in head
    assert '[TimeControl "1/1"]' in head
    assert moves.startswith("60... ")
    assert moves.split()[-1] in ("1-0", "0-1", "1/2-1/2")
    assert all(len(line) < 80 for line in text.splitlines())


def test_a_name_cannot_leave_its_tag() -> None:
    """Quotes, backslashes and line ends in a bot's name are made harmless."""
    replay = dohyo.play("chess", [Quick(), Quick()], seed=1)
    seat = replay.header.seats[0]
    import msgspec

    forged = msgspec.structs.replace(seat, name='a"]\n[Result "1-0\\')
    replay.header = msgspec.structs.replace(replay.header, seats=(forged, replay.header.seats[1]))
    line = next(line for line in (GAME.pgn or str)(replay).splitlines() if line.startswith("[White"))
    assert line.endswith('\\\\"]')
    assert '\\"]' in line[:20]
