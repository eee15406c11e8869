"""What travels: the lines of the text, to the byte."""

from __future__ import annotations

from itertools import product

import pytest

from dohyo.core.faults import Fault, FaultKind
from dohyo.games.shoot_em_up import GAME, protocol, rules
from tests.games.shoot_em_up.combats import STAY, ask, combat, last_words, play

DIRECTIONS = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy]
LINES = [f"M {dx} {dy}" for dx, dy in [(0, 0), *DIRECTIONS]] + [f"S {dx} {dy}" for dx, dy in DIRECTIONS]


def test_both_are_told_where_they_start() -> None:
    """P x y, each with its own square."""
    s = combat(5, 6, 8, 0)
    assert ask(s, 0) == "P 5 6\n"
    play(s, STAY)
    assert ask(s, 1) == "P 8 0\n"


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
def test_hit_points_at_the_shooter(dx: int, dy: int) -> None:
    """H dx dy: the shot passed through (x+dx, y+dy) on its way."""
    s = combat(4, 4, 4 + 3 * dx, 4 + 3 * dy)
    play(s, STAY, f"S {-dx} {-dy}")
    assert ask(s, 0) == f"H {dx} {dy}\n"


def test_nothing_is_told_of_a_miss() -> None:
    """N says that no shot hit, whether one was shot or not."""
    s = combat(4, 4, 0, 1)
    play(s, STAY, "S 1 0")
    assert ask(s, 0) == "N\n"


def test_who_wins_and_who_loses_is_told() -> None:
    """W and L, to the mover and to the other, however it ended."""
    s = combat(0, 0, 5, 0)
    play(s, STAY, STAY, "M -1 0")
    assert last_words(s) == ["L\n", "W\n"]
    s = combat(0, 0, 9, 5)
    play(s, STAY, "M 1 0")
    assert last_words(s) == ["W\n", "L\n"]
    s = combat(0, 0, 5, 0)
    play(s, STAY, "ERROR")
    assert last_words(s) == ["W\n", "L\n"]


def test_draw_has_no_line_of_its_own() -> None:
    """Both are told that they lost."""
    s = combat(0, 0, 9, 5, pairs=1)
    play(s, STAY, STAY)
    assert last_words(s) == ["L\n", "L\n"]


def test_opening_action_that_ends_the_combat() -> None:
    """The second robot is told where it starts, and that it has won."""
    s = combat(0, 0, 9, 5)
    play(s, "M -1 0")
    assert last_words(s) == ["L\n", "P 9 5\nW\n"]


@pytest.mark.parametrize("line", LINES)
def test_action_text_round_trips(line: str) -> None:
    """Each of the 17 actions is read from its line and written as that line."""
    action = protocol.parse(line, None, 0)
    assert isinstance(action, int)
    assert protocol.text(action) == line
    assert GAME.protocol.read(line) == action
    assert len({protocol.parse(other, None, 0) for other in LINES}) == rules.ACTIONS == len(LINES)


def test_moves_and_shots_are_numbered_as_the_text_s_opponent_draws_them() -> None:
    """0..8 moves, 9..16 shots, each in lexicographic order of (dx, dy)."""
    moves = [protocol.text(action) for action in range(9)]
    shots = [protocol.text(action) for action in range(9, 17)]
    assert moves == [f"M {dx} {dy}" for dx, dy in product((-1, 0, 1), repeat=2)]
    assert shots == [f"S {dx} {dy}" for dx, dy in DIRECTIONS]


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "M", "M 0", "M 0 0 ", " M 0 0", "M  0 0", "M 0  0", "M\t0\t0", "M 0 0\r", "M 0 0 0", "m 0 0",
        "M 0 -2", "M +1 0", "M 01 0", "M 1.0 0", "M 0,0", "S 0 0", "S 1", "s 1 0", "S -1 -1\x00", "X 1 0", "N",
        "M 2 0", "ERROR",
        "M \uff11 0", "\u00a0M 0 0", "M -0 0", "M 0 \N{MINUS SIGN}1", "S 1 0\n", "/ M 0 0",
    ],
)  # fmt: skip
def test_anything_else_is_malformed(line: str) -> None:
    """Exactly one space between fields, values -1, 0 and 1, no shot at one's own square."""
    fault = protocol.parse(line, None, 0)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.MALFORMED
    assert fault.code


def test_failure_is_recorded_as_a_word() -> None:
    """What the rules put in the place of a fault has a text of its own, which no program can send."""
    assert protocol.text(rules.ERROR) == "ERROR"
    assert GAME.protocol.read("ERROR") == rules.ERROR
    assert GAME.protocol.read("nonsense") is None


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_ends_the_combat(kind: FaultKind) -> None:
    """The rules' answer to any fault is to lose, and the program is stopped."""
    fault = Fault(kind)
    assert GAME.protocol.answer(combat(0, 0, 1, 1), 0, fault) == rules.ERROR
    assert GAME.protocol.stops(fault)


def test_lines_with_a_slash_are_comments() -> None:
    """The game says so, and that nobody has to say that it is ready."""
    assert (GAME.comment, GAME.protocol.READY) == ("/", "")
