"""Drop-Block's protocol: what is sent, byte for byte, and what a reply means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.faults import Fault, FaultKind
from dohyo.games.drop_block import protocol, rules
from dohyo.games.drop_block.protocol import LETTERS, parse
from tests.conformance.recordings import SLICES, recorded_games
from tests.games.drop_block.board import GAME, board, play

# Every kind of reply that the recordings hold, and some that they do not.
REPLIES = {
    "U": "U",
    "D": "D",
    "L": "L",
    "R": "R",
    "A": "A",
    "N": "N",
    "  A  ": "A",
    "A\r": "A",
    "\tU": "U",
    "U R": "U",
    "D D": "D",
    "U  ": "U",
    "U R nonsense": "U",
    "\x00\x1fL\x07": "L",
    "N\n": "N",
    "A \t": "A",
    "R\tL": None,
    "u": None,
    "AA": None,
    "UU": None,
    "L,": None,
    "0": None,
    "X": None,
    "none": None,
    "READY": None,
    "\uff35": None,  # a full-width U
    "": None,
    "  ": None,
    "\u00a0U": None,
    "U\u3000": None,
    "U\u00a0R": None,
    "URDLAN": None,
    "U\x0bR": None,
    "\ufeffU": None,
}


@pytest.mark.parametrize(("reply", "letter"), REPLIES.items(), ids=map(repr, REPLIES))
def test_a_reply_means_what_the_contest_took_it_for(reply: str, letter: str | None) -> None:
    """Trimmed of characters up to U+0020, split at U+0020, the first word is exactly a letter, or it is malformed."""
    read = parse(reply, board(), 0)
    if letter is None:
        assert isinstance(read, Fault)
        assert read.kind is FaultKind.MALFORMED
        assert read.code
    else:
        assert read == LETTERS.index(letter)


def test_every_reply_of_the_recordings_is_in_the_table() -> None:
    """The table above holds every reply that the recorded games know."""
    replies = {reply for game in recorded_games(SLICES / "drop-block.jsonl.gz") for reply in game["replies"]}
    assert replies - {None} <= set(REPLIES)
    assert len(replies) > 20


def test_letters_are_read_from_replays_exactly() -> None:
    """A replay's action is a letter and nothing else."""
    assert [GAME.protocol.read(letter) for letter in LETTERS] == list(range(rules.ACTIONS))
    assert [protocol.text(action) for action in range(rules.ACTIONS)] == list(LETTERS)
    for word in ("", " U", "u", "UU", "X"):
        assert GAME.protocol.read(word) is None


def test_the_input_is_thirteen_lines() -> None:
    """Seat, turn, six rows of blocks, four players, EOD: single spaces, each line ended by one newline."""
    state = board("1,2,U/-/14,15,L/17,0,D", b00=4, b13=-19, b55=20)
    play(state, "NNA")
    assert GAME.prompt(state, 3).decode() == (
        "3\n3\n"
        "1 0 0 0 0 0\n"
        "0 0 0 -16 0 0\n"
        "0 0 0 0 0 0\n"
        "0 0 0 0 0 0\n"
        "19 15 11 7 3 0\n"
        "0 0 0 0 0 17\n"
        "1 2 U 0\n"
        "-1 -1 U 0\n"
        "14 15 L 2\n"
        "17 0 D 0\n"
        "EOD\n"
    )


@pytest.mark.parametrize(("order", "line"), [("row-column", "1 16 U 0"), ("column-row", "16 1 U 0")])
def test_positions_are_told_in_the_order_of_the_setup(order: str, line: str) -> None:
    """The rule texts say row first (the default), the contest's referee told the column first."""
    assert GAME.prompt(board("1,16,U/-/-/9,9,R", position_order=order), 0).decode().splitlines()[8] == line
    assert GAME.prompt(board("1,16,U/-/-/9,9,R"), 0).decode().splitlines()[8] == "1 16 U 0"


def test_everybody_is_told_the_same_but_for_the_seat() -> None:
    """Only the first line differs between seats."""
    state = board()
    tails = {GAME.prompt(state, seat).split(b"\n", 1)[1] for seat in range(rules.SEATS)}
    heads = [GAME.prompt(state, seat).split(b"\n", 1)[0] for seat in range(rules.SEATS)]
    assert len(tails) == 1
    assert heads == [b"0", b"1", b"2", b"3"]


def test_the_longest_input_fits() -> None:
    """With every number as long as it can be there is room to spare."""
    state = board(turns=1_000_000)
    state.turn = 1_000_000
    state.block = [-99] * 36
    state.row = state.column = [17] * 4
    state.stun = [3] * 4
    assert len(GAME.prompt(state, 0)) < protocol.PROMPT_BYTES


@pytest.mark.parametrize("kind", list(FaultKind))
def test_a_fault_is_answered_by_doing_nothing(kind: FaultKind) -> None:
    """The player stays and plays N; only an unreadable line does not stop the program."""
    fault = Fault(kind)
    assert protocol.answer(board(), 2, fault) == rules.NOTHING
    assert protocol.stops(fault) == (kind not in (FaultKind.MALFORMED, FaultKind.ILLEGAL))


def test_programs_say_ready() -> None:
    """The line that a program prints before its first turn."""
    assert protocol.READY == "READY"


@given(
    *[st.lists(st.integers(-1, 17), min_size=4, max_size=4)] * 2,
    *[st.lists(st.integers(0, 3), min_size=4, max_size=4)] * 2,
)
def test_players_are_told_alike_in_both_forms(
    first: list[int], second: list[int], facing: list[int], stun: list[int]
) -> None:
    """The lines that plain Python remembers are those that the compiled form writes."""
    written = []
    for put in (protocol.put_players, protocol.put_players_by_loop):
        buffer = bytearray(80)
        end = put(buffer, 3, first, second, facing, stun)
        written.append((end, bytes(buffer[:end])))
        assert not any(buffer[end:])
    assert written[0] == written[1]
    assert vars(protocol.put_players)["__twin__"] is protocol.put_players_by_loop
