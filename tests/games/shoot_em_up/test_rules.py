"""The rule text's sentences on the duel, one test each."""

from __future__ import annotations

from itertools import product

import pytest

from dohyo.games.shoot_em_up import GAME, rules
from tests.games.shoot_em_up.combats import STAY, ask, combat, last_words, places, play

DIRECTIONS = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy]


@pytest.mark.parametrize(("dx", "dy"), list(product((-1, 0, 1), repeat=2)))
def test_move_goes_one_square_in_any_direction_or_stays(dx: int, dy: int) -> None:
    """Moving one square in any of the 8 directions, or staying put."""
    s = combat(5, 5, 0, 0)
    play(s, f"M {dx} {dy}")
    assert (s.x[0], s.y[0]) == (5 + dx, 5 + dy)


def test_origin_is_the_upper_left() -> None:
    """Squares are numbered (0,0) at the upper left to (9,9) at the lower right: y grows downward."""
    s = combat(0, 0, 9, 9)
    play(s, "M 0 1")
    assert (s.x[0], s.y[0]) == (0, 1)


def test_robots_take_turns_and_the_first_seat_begins() -> None:
    """They alternate in the order of the seats."""
    s = combat(0, 0, 9, 9)
    movers = []
    for _ in range(4):
        movers.append(GAME.acting(s, 2))
        play(s, STAY)
    assert movers == [[0], [1], [0], [1]]


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
def test_who_moves_off_the_edge_dies(dx: int, dy: int) -> None:
    """If you move off the edge of the board you die; the opponent has won and does not act."""
    x, y = {-1: 0, 0: 5, 1: 9}[dx], {-1: 0, 0: 5, 1: 9}[dy]
    s = combat(x, y, 4, 4)
    play(s, f"M {dx} {dy}")
    assert places(s) == ([2, 1], "shoot-em-up.left-board")
    assert GAME.rules.winner(s) == 1


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
@pytest.mark.parametrize("distance", range(1, 5))
def test_shot_hits_at_any_distance_in_its_direction(dx: int, dy: int, distance: int) -> None:
    """A shot hits what is in its path, and only there."""
    for ax, ay in DIRECTIONS:
        s = combat(4, 4, 4 + distance * dx, 4 + distance * dy)
        play(s, f"S {ax} {ay}")
        assert s.hits == [0, int((ax, ay) == (dx, dy))]


@pytest.mark.parametrize(("x", "y"), [(5, 6), (6, 8), (3, 6), (2, 3), (9, 0)])
def test_shot_misses_what_is_beside_its_path(x: int, y: int) -> None:
    """A square that is in none of the eight lines is hit by no shot."""
    for dx, dy in DIRECTIONS:
        s = combat(4, 4, x, y)
        play(s, f"S {dx} {dy}")
        assert s.hits == [0, 0]


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
def test_robots_on_one_square_never_hit_each_other(dx: int, dy: int) -> None:
    """Both can occupy the same square; a shot then never hits the other robot."""
    s = combat(3, 3, 3, 3)
    play(s, f"S {dx} {dy}", f"S {dx} {dy}")
    assert s.hits == [0, 0]


def test_robots_may_meet_and_pass() -> None:
    """A robot moves onto the other's square, and off again."""
    s = combat(3, 3, 4, 3)
    play(s, "M 1 0", STAY, "M 1 0")
    assert (s.x, s.y) == ([5, 4], [3, 3])


def test_shooter_stays_where_it_is() -> None:
    """Shooting happens while staying put."""
    s = combat(3, 3, 4, 3)
    play(s, "S 1 0")
    assert (s.x[0], s.y[0]) == (3, 3)


def test_gun_is_charged_at_the_start() -> None:
    """Already the first shot of each robot has power."""
    s = combat(0, 0, 5, 0)
    play(s, "S 1 0", "S -1 0")
    assert s.hits == [1, 1]


def test_gun_takes_one_move_to_recharge() -> None:
    """A shot right after a shot has too little power; after a move or a stay it has power again."""
    s = combat(0, 0, 5, 0)
    play(s, "S 1 0", STAY, "S 1 0", STAY)
    assert s.hits[1] == 1
    play(s, STAY, STAY, "S 1 0")
    assert s.hits[1] == 2


def test_powerless_shot_counts_as_a_shot() -> None:
    """Shooting on and on, only the first has power: each is right after another."""
    s = combat(0, 0, 5, 0)
    for _ in range(6):
        play(s, "S 1 0", STAY)
    assert s.hits[1] == 1


def test_guns_do_not_share_their_charge() -> None:
    """The opponent's shot between two of ours does not matter."""
    s = combat(0, 0, 5, 0)
    play(s, STAY, "S -1 0", "S 1 0", "S -1 0")
    assert s.hits == [1, 1]


def test_third_hit_kills() -> None:
    """A robot absorbs 2 hits and dies with the third; the combat is over at once."""
    s = combat(0, 0, 5, 0)
    play(s, "S 1 0", STAY, STAY, STAY, "S 1 0", STAY, STAY, STAY)
    assert (s.hits[1], GAME.rules.over(s)) == (2, False)
    play(s, "S 1 0")
    assert places(s) == ([1, 2], "shoot-em-up.shot-down")
    assert s.turn == 9


def test_hits_are_not_healed() -> None:
    """Time does not undo a hit."""
    s = combat(0, 0, 5, 0)
    play(s, "S 1 0", *[STAY] * 21)
    assert s.hits[1] == 1


@pytest.mark.parametrize("seat", [0, 1])
def test_program_that_fails_loses(seat: int) -> None:
    """An unreadable line, a time-out or a crash loses the combat as an error."""
    s = combat(0, 0, 5, 0)
    play(s, *[STAY] * seat, "ERROR")
    assert places(s) == ([1 + (seat == 0), 1 + (seat == 1)], "shoot-em-up.program-error")


def test_limit_of_pairs_is_a_draw() -> None:
    """So many pairs without a death are a draw; the last action still counts."""
    s = combat(0, 0, 9, 5, pairs=2)
    play(s, STAY, STAY, STAY)
    assert not GAME.rules.over(s)
    play(s, STAY)
    assert (places(s), GAME.rules.winner(s)) == (([1, 1], "shoot-em-up.pair-limit"), -1)
    s = combat(0, 0, 9, 5, pairs=1)
    play(s, STAY, "M 1 0")
    assert places(s) == ([1, 2], "shoot-em-up.left-board")


def test_combat_of_no_pairs_is_a_draw() -> None:
    """With a limit of 0 nobody acts."""
    s = combat(0, 0, 9, 5, pairs=0)
    assert places(s) == ([1, 1], "shoot-em-up.pair-limit")


def test_every_action_is_legal_always() -> None:
    """Leaving the board, or shooting without power, is allowed; failing is never offered."""
    s = combat(0, 0, 0, 0)
    play(s, "S 1 0")
    assert list(GAME.legal_actions(s, 1)) == list(range(17))
    assert rules.ERROR not in GAME.legal_actions(s, 1)


def test_opening_hit_is_told_with_the_second_line() -> None:
    """The second robot moves right after its P; its next line reports a hit by either of two actions since then."""
    s = combat(0, 0, 5, 0)
    play(s, "S 1 0")
    assert ask(s, 1) == "P 5 0\n"
    play(s, STAY, STAY)
    assert ask(s, 1) == "H -1 0\n"
    play(s, STAY, STAY)
    assert ask(s, 1) == "N\n"


def test_second_action_of_the_first_is_told_as_well() -> None:
    """The same for a hit by the first robot's second action."""
    s = combat(0, 0, 5, 0)
    play(s, STAY, STAY, "S 1 0")
    assert ask(s, 1) == "H -1 0\n"


def test_death_is_told_without_a_hit() -> None:
    """The third hit brings L, and no H before it."""
    s = combat(0, 0, 5, 0)
    play(s, "S 1 0", *[STAY] * 3, "S 1 0", *[STAY] * 3, "S 1 0")
    assert last_words(s) == ["W\n", "L\n"]
