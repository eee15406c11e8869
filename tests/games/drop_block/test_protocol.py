"""What a program of Drop-Block reads, and how its lines are understood."""

from __future__ import annotations

import pytest

from dohyo import games
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.options import resolve
from dohyo.games.drop_block import protocol, rules

GAME = games.find("drop-block")


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("U", "U"),
        ("N", "N"),
        ("U R", "U"),
        ("D D", "D"),
        ("A\r", "A"),
        ("  A  ", "A"),
        ("\tU", "U"),
        ("\x00L\x1f", "L"),
        ("R ", "R"),
    ],
)
def test_a_letter_is_read_with_what_the_contest_let_pass(reply: str, letter: str) -> None:
    """White space and control characters around the line, and words after the first, do no harm."""
    assert protocol.parse(reply, None, 0) == protocol.LETTERS.index(letter)


@pytest.mark.parametrize(
    "reply", ["", "  ", "u", "AA", "UU", "R\tL", "L,", "\uff35", "0", "X", "none", "READY", "\u00a0U", "U\u00a0"]
)
def test_anything_else_is_malformed(reply: str) -> None:
    """A tab inside does not end a word, lower case is not a letter, and only U+0000 to U+0020 are trimmed."""
    fault = protocol.parse(reply, None, 0)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.MALFORMED


def test_only_a_line_that_cannot_be_read_leaves_the_program_running() -> None:
    """Every fault but a malformed or illegal line stops the program for good."""
    going_on = {kind for kind in FaultKind if not protocol.stops(Fault(kind))}
    assert going_on == {FaultKind.MALFORMED, FaultKind.ILLEGAL}


def test_the_prompt_is_thirteen_lines() -> None:
    """Id, turn, six rows of blocks, four players, EOD, each line ended by a newline, single spaces."""
    setup = {"players": "3,9,R/0,17,D/-/17,0,U", "blocks": [0, 19, -19, 1, -1, 12] + [0] * 30}
    state = GAME.new_state(resolve(GAME.options, setup), 4)
    rules.step(state, [5] * 4, None)
    assert GAME.prompt(state, 1) == (
        b"1\n1\n0 18 -18 -19 0 11\n" + b"0 0 0 0 0 0\n" * 5 + b"3 9 R 0\n0 17 D 0\n-1 -1 U 0\n17 0 U 0\nEOD\n"
    )


def test_the_longest_prompt_fits_its_buffer() -> None:
    """The greatest turn and the longest values stay within PROMPT_BYTES."""
    state = rules.LAYOUT.new()
    state.turn = 1_000_000
    state.block[:] = [-99] * 36
    state.row[:] = state.column[:] = [17] * 4
    assert len(GAME.prompt(state, 3)) < protocol.PROMPT_BYTES
