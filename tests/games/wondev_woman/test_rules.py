"""Wondev Woman: moving, building, pushing and scoring, on boards small enough to see."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.flat import row_of
from dohyo.games.wondev_woman import GAME, rules
from dohyo.games.wondev_woman.board import cell_of
from dohyo.games.wondev_woman.legality import ACTIONS, GIVE_UP, NO_MOVE, OUT, can_act, is_legal, is_listed
from dohyo.games.wondev_woman.protocol import NAMES
from tests.games.wondev_woman.boards import FLAT, action, board, height, leave, listed, play, where

COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
STEPS = {
    "E": (1, 0),
    "N": (0, -1),
    "NE": (1, -1),
    "NW": (-1, -1),
    "S": (0, 1),
    "SE": (1, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
}


def moves(s: Any, unit: int = 0) -> set[str]:
    """The directions in which a unit may move."""
    return {text.split()[2] for text in listed(s) if text.startswith(f"MOVE&BUILD {unit}")}


# --- MOVE&BUILD


@pytest.mark.parametrize("direction", NAMES)
def test_unit_moves_and_builds_in_every_direction(direction: str) -> None:
    """North is up (y - 1), east is right (x + 1), diagonals too; the building is a step on in its own direction."""
    x, y = STEPS[direction]
    s = board(units="2,2/4,4")
    play(s, f"MOVE&BUILD 0 {direction} {NAMES[7 - NAMES.index(direction)]}")
    assert where(s, 0) == (2 + x, 2 + y)
    bx, by = STEPS[NAMES[7 - NAMES.index(direction)]]
    assert height(s, 2 + x + bx, 2 + y + by) == 1
    assert sum(height(s, x, y) for x in range(5) for y in range(5)) == 1


def test_unit_climbs_one_level_and_jumps_down_any() -> None:
    """A cell one level higher may be entered, two levels higher not; lower ones always."""
    s = board("01200/10000/20000/00000/00000", "0,0/4,4")
    assert moves(s) == {"E", "S", "SE"}
    s = board("02200/20000/20000/00000/00000", "0,0/4,4")
    assert moves(s) == {"SE"}
    s = board("30000/30000/10000/00000/00000", "0,0/4,4")
    assert moves(s) == {"E", "S", "SE"}


def test_units_holes_and_removed_cells_are_in_the_way() -> None:
    """Nobody moves onto a unit, its own or an enemy's, into a hole, onto a cell of height 4, or off the board."""
    s = board("30.00/31400/00000/00000/00000", "1,0/0,0/0,1/4,4", "wood1")
    assert moves(s) == {"S"}


def test_builder_may_use_the_cell_it_left_and_a_third_level() -> None:
    """Its old cell is free for building; a cell of height 3 rises to 4 and is out of play."""
    s = board("30000/30000/00000/00000/00000", "0,0/4,4")
    assert {"MOVE&BUILD 0 E W", "MOVE&BUILD 0 E SW"} <= set(listed(s))
    play(s, "MOVE&BUILD 0 E W")
    assert height(s, 0, 0) == 4
    assert "MOVE&BUILD 0 S NW" not in listed(s)
    assert not [text for text in listed(s) if text.startswith("MOVE&BUILD 0 W")]


def test_nobody_builds_on_units_holes_or_removed_cells() -> None:
    """Building asks for a cell in play with nobody on it: neither an enemy, nor the player's other unit."""
    s = board("0.000/04000/00000/00000/00000", "1,2/0,1/0,2/4,4", "wood1")
    assert {text.split()[3] for text in listed(s) if text.startswith("MOVE&BUILD 0 S ")} == {
        "E",
        "N",
        "NE",
        "S",
        "SE",
        "SW",
        "W",
    }
    assert {text.split()[3] for text in listed(s) if text.startswith("MOVE&BUILD 1 N ")} == {"S"}


def test_unit_that_moves_onto_level_3_scores_from_any_level_each_time() -> None:
    """A point for each move onto a cell of height 3, up to it or along; none for standing there, none below."""
    s = board("23300/00000/00000/00000/00000", "0,0/4,4")
    play(s, "MOVE&BUILD 0 E S")
    assert list(s.points) == [1, 0]
    play(s, "MOVE&BUILD 0 W N")
    assert list(s.points) == [1, 0]
    play(s, "MOVE&BUILD 0 E S", "MOVE&BUILD 0 E N", "MOVE&BUILD 0 W S")
    assert list(s.points) == [3, 0]
    play(s, "MOVE&BUILD 0 W N", "MOVE&BUILD 0 W S")
    assert list(s.points) == [3, 0]


# --- PUSH&BUILD


@pytest.mark.parametrize("direction", COMPASS)
def test_enemy_is_pushed_on_or_to_one_of_two_neighbours(direction: str) -> None:
    """The second direction of a push is the first or one of its two neighbours on the compass, for all eight."""
    x, y = STEPS[direction]
    s = board(
        units=f"2,2/0,4/{2 + x},{2 + y}/4,0" if direction not in ("NE", "SW") else f"2,2/0,0/{2 + x},{2 + y}/4,4",
        league="wood1",
    )
    at = COMPASS.index(direction)
    wanted = {COMPASS[(at + turn) % 8] for turn in (-1, 0, 1)}
    pushes = [text.split()[2:] for text in listed(s) if text.startswith("PUSH&BUILD 0 ")]
    assert {first for first, _ in pushes} == {direction}
    assert {second for _, second in pushes} == wanted


def test_push_moves_the_enemy_and_raises_its_cell() -> None:
    """The pusher stays, the enemy goes on, the cell it stood on rises by one; nobody scores, even on level 3."""
    s = board("00230/00000/00000/00000/00000", "1,0/0,4/2,0/4,4", "wood1")
    play(s, "PUSH&BUILD 0 E E")
    assert (where(s, 0), where(s, 1)) == ((1, 0), (3, 0))
    assert (height(s, 2, 0), height(s, 3, 0)) == (3, 3)
    assert list(s.points) == [0, 0]


def test_pushed_enemy_leaves_level_3_for_good() -> None:
    """The cell of a pushed enemy rises to 4 as well, and is then out of play."""
    s = board("00300/00000/00000/00000/00000", "1,0/0,4/2,0/4,4", "wood1")
    play(s, "PUSH&BUILD 0 E SE")
    assert (where(s, 1), height(s, 2, 0)) == ((3, 1), 4)


def test_enemy_is_pushed_up_one_level_at_most() -> None:
    """Where it is pushed, the enemy could have moved: at most one level up, in play, and nobody there."""
    s = board("00020/00010/00040/00000/00000", "1,1/0,4/2,1/4,4", "wood1")
    assert [text for text in listed(s) if text.startswith("PUSH&BUILD 0 E")] == ["PUSH&BUILD 0 E E"]
    s = board("00000/000.0/00010/00000/00000", "1,1/3,0/2,1/3,2", "wood1")
    assert [text for text in listed(s) if text.startswith("PUSH&BUILD 0 E")] == []


def test_only_enemies_are_pushed() -> None:
    """A unit pushes neither its own player's other unit nor the empty air."""
    s = board(units="1,1/2,1/4,4/0,4", league="wood1")
    assert [text for text in listed(s) if text.startswith("PUSH")] == []


@pytest.mark.parametrize("league", ["wood3", "wood2"])
def test_first_leagues_do_not_push(league: str) -> None:
    """With one unit a player there is no pushing: it is never listed, and who tries is out."""
    s = board(units="1,1/2,1", league=league)
    assert not [text for text in listed(s) if text.startswith("PUSH")]
    play(s, "PUSH&BUILD 0 E E")
    assert s.out[0] == 1


def test_units_of_a_player_that_is_out_are_pushed_on() -> None:
    """Units of a player that is out stay, are in the way, and can be pushed."""
    s = board(units="1,1/0,4/2,1/4,4", league="wood1")
    play(s, "MOVE&BUILD 1 E E")
    leave(s)
    assert not rules.over(s)
    play(s, "PUSH&BUILD 0 E E")
    assert where(s, 1) == (3, 1)


# --- the list


def random_state(league: str, seed: int, turns: int) -> Any:
    """A state after some random turns."""
    from dohyo.core.flat import source, uniform
    from dohyo.core.options import resolve

    s = GAME.new_state(resolve(GAME.options, {"league": league}), 2)
    draw, dice = source(seed), row_of(rules.DICE)
    rules.roll(s, draw, dice)
    rules.deal(s, dice, None)
    for _ in range(turns):
        choices = GAME.legal_actions(s, s.mover)
        if rules.over(s) or choices[0] == NO_MOVE:
            break
        rules.step(s, [choices[uniform(draw, len(choices))]] * 2, None)
    return s


states = st.builds(
    random_state, st.sampled_from(["wood3", "wood2", "wood1", "bronze"]), st.integers(0, 2**31), st.integers(0, 120)
)


@given(states, st.integers(0, 1))
def test_list_is_sorted_and_complete(s: Any, seat: int) -> None:
    """The list is sorted as texts, and holds just the numbers that are legal; none outside the range is."""
    texts = listed(s, seat)
    numbers = [number for number in range(-300, ACTIONS + 300) if is_listed(s, seat, number)]
    assert texts == sorted(texts) == [GAME.protocol.text(number) for number in numbers]
    assert list(GAME.legal_actions(s, seat)) == (numbers or [NO_MOVE])
    assert is_legal(s, seat, NO_MOVE) == (not numbers)
    assert can_act(s, seat) == bool(numbers)


@given(states)
def test_every_legal_action_does_what_it_says(s: Any) -> None:
    """Nobody goes out by a legal action, and units, cells and heights stay in order."""
    for number in (action(text) for text in listed(s, s.mover)):
        twin = rules.LAYOUT.copy(s)
        rules.step(twin, [number] * 2, None)
        assert not any(twin.out) or list(twin.out) == list(s.out)
        slots = [slot for slot in (0, 1, 2, 3) if slot % 2 < twin.units]
        assert sum(1 << cell for cell in {twin.at[slot] for slot in slots}) == twin.taken
        assert bin(twin.taken).count("1") == len(slots)
        assert all(0 <= twin.height[twin.at[slot]] <= 3 for slot in slots)
        assert set(twin.height) <= {-1, 0, 1, 2, 3, 4}
        for level, cells in enumerate(twin.low):
            assert cells == sum(1 << cell for cell, height in enumerate(twin.height) if 0 <= height <= level)


@given(states, st.integers(-10, 10**6))
def test_any_other_number_takes_the_mover_out(s: Any, number: int) -> None:
    """A step takes every number: one that is not legal takes the mover out and changes nothing on the board."""
    mover = s.mover
    if rules.over(s) or is_listed(s, mover, number):
        number = OUT
    if rules.over(s):
        return
    twin = rules.LAYOUT.copy(s)
    rules.step(twin, [number] * 2, None)
    assert twin.out[mover] == 1
    assert (twin.height, twin.at, twin.points) == (s.height, s.at, s.points)


def test_actions_are_numbered_in_the_order_of_their_texts() -> None:
    """The numbers of the actions that can be offered are in the order in which they are sent."""
    texts = [GAME.protocol.text(number) for number in range(GIVE_UP)]
    assert texts == sorted(texts)
    assert action("MOVE&BUILD 0 E E") == 0
    assert action("PUSH&BUILD 1 W W") == GIVE_UP - 1


# --- the deal


@pytest.mark.parametrize("seed", range(40))
def test_deal_gives_every_unit_a_cell_of_its_own(seed: int) -> None:
    """A map is 5 x 5, a diamond of 25 cells, or 6 x 6 with 26 to 34 cells: its own mirror image, and in one piece."""
    s = random_state("bronze", seed, 0)
    cells = {(x, y) for x in range(7) for y in range(7) if s.height[cell_of(x, y)] == 0}
    size = s.size
    if size == 6:
        assert 26 <= len(cells) <= 34
        assert cells == {(5 - x, y) for x, y in cells}
    elif size == 7:
        assert cells == {(x, y) for x in range(7) for y in range(7) if abs(x - 3) + abs(y - 3) <= 3}
    else:
        assert cells == {(x, y) for x in range(5) for y in range(5)}
    reached, front = set(), {min(cells)}
    while front:
        reached |= front
        front = {(x + dx, y + dy) for x, y in front for dx, dy in STEPS.values()} & cells - reached
    assert reached == cells
    units = {where(s, p, unit) for p in (0, 1) for unit in (0, 1)}
    assert len(units) == 4
    assert units <= cells


@pytest.mark.parametrize(("name", "size"), [("square", 5), ("diamond", 7), ("random", 6)])
def test_map_can_be_chosen(name: str, size: int) -> None:
    """The setup may fix one of the three maps; otherwise each comes about as often as the others."""
    from dohyo.core.flat import source
    from dohyo.core.options import resolve

    dice = row_of(rules.DICE)
    s = GAME.new_state(resolve(GAME.options, {"map": name}), 2)
    for seed in range(20):
        rules.roll(s, source(seed), dice)
        assert dice[0] == size
    s = GAME.new_state(resolve(GAME.options, {}), 2)
    drawn = []
    for seed in range(300):
        rules.roll(s, source(seed), dice)
        drawn.append(dice[0])
    assert 70 <= drawn.count(size) <= 130


def test_units_are_dealt_onto_a_grid_of_ones_own() -> None:
    """With `grid` but without `units`, the dice put the units on its cells of heights 0 to 3, and draw no map."""
    from dohyo.core.flat import source
    from dohyo.core.options import resolve

    dice = row_of(rules.DICE)
    for seed in range(20):
        s = GAME.new_state(resolve(GAME.options, {"grid": "...../.444./.102./.3.../....."}), 2)
        assert rules.needs_dice(s)
        assert rules.roll(s, source(seed), dice) == 8
        rules.deal(s, dice, None)
        assert {where(s, p, unit) for p in (0, 1) for unit in (0, 1)} == {(1, 2), (2, 2), (3, 2), (1, 3)}
    assert not rules.needs_dice(board(FLAT))
