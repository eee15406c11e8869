"""Wondev Woman in the bronze league: what a player does not see, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.games.wondev_woman import GAME, rules
from dohyo.games.wondev_woman.board import cell_of, leave, place
from tests.games.wondev_woman.boards import board, height, listed, play, prompt, where, with_fog


def test_player_sees_enemies_beside_its_units_only() -> None:
    """An enemy is seen at Chebyshev distance 1 from any own unit, at 2 it is sent as -1 -1."""
    s = with_fog(units="0,0/4,2/2,0/3,3")
    assert prompt(s, 0)[-len(listed(s)) - 3 :][:2] == ["-1 -1", "3 3"]
    assert prompt(s, 1)[-len(listed(s, 1)) - 3 :][:2] == ["-1 -1", "4 2"]
    assert prompt(board(units="0,0/4,2/2,0/3,3", league="wood1"))[9:11] == ["2 0", "3 3"]


def test_building_on_an_unseen_enemy_is_cancelled() -> None:
    """It is legal; the unit moves and scores, and nothing is built."""
    s = with_fog("23000/00000/00000/00000/00000", "0,0/0,4/2,0/4,4")
    assert "MOVE&BUILD 0 E E" in listed(s)
    play(s, "MOVE&BUILD 0 E E")
    assert where(s, 0) == (1, 0)
    assert height(s, 2, 0) == 0
    assert list(s.points) == [1, 0]
    assert list(s.out) == [0, 0]


def test_building_on_an_enemy_that_is_seen_is_not_legal() -> None:
    """It is enough that any own unit sees the enemy; in the leagues without fog all are seen."""
    s = with_fog(units="0,0/3,1/2,0/4,4")
    assert "MOVE&BUILD 0 E E" not in listed(s)
    play(s, "MOVE&BUILD 0 E E")
    assert s.out[0] == 1
    assert "MOVE&BUILD 0 E E" not in listed(board(units="0,0/0,4/2,0/4,4", league="wood1"))


def test_pushing_onto_an_unseen_enemy_does_nothing() -> None:
    """It is legal; the pushed enemy stays and nothing is built, but the turn is over."""
    s = with_fog(units="0,0/0,4/1,0/2,0")
    assert "PUSH&BUILD 0 E E" in listed(s)
    before = (list(s.height), list(s.at))
    play(s, "PUSH&BUILD 0 E E")
    assert (list(s.height), list(s.at)) == before
    assert list(s.out) == [0, 0]
    assert s.mover == 1


def test_pushing_onto_a_unit_that_is_seen_is_not_legal() -> None:
    """An own unit behind the enemy is always seen, an enemy where one's other unit sees it."""
    assert "PUSH&BUILD 0 E E" not in listed(with_fog(units="0,0/2,0/1,0/4,4"))
    assert "PUSH&BUILD 0 E E" not in listed(with_fog(units="0,0/3,1/1,0/2,0"))


def test_own_units_are_always_seen_and_never_built_on() -> None:
    """However far the player's other unit is from the one that moves, it is never built on."""
    s = with_fog(units="0,0/2,0/4,4/0,4")
    assert "MOVE&BUILD 0 E E" not in listed(s)


@st.composite
def moved_unseen(draw: st.DrawFn) -> tuple[Any, Any, int]:
    """A state, the same with an enemy elsewhere, where a seat sees it as little; and the seat."""
    seat = draw(st.integers(0, 1))
    first, second, *others = draw(st.permutations([(x, y) for x in range(5) for y in range(5)]))
    unseen = [at for at in others if not (beside(at, first) or beside(at, second))]
    here, there = unseen[:2]
    other = draw(st.sampled_from([at for at in others if at not in (here, there)]))
    mine, theirs = [first, second], draw(st.permutations([here, other]))
    rows = [draw(st.text("00123.", min_size=5, max_size=5)) for _ in range(5)]
    for x, y in (*mine, *theirs, there):
        rows[y] = rows[y][:x] + draw(st.sampled_from("0123")) + rows[y][x + 1 :]
    units = [*mine, *theirs] if seat == 0 else [*theirs, *mine]
    s = with_fog("/".join(rows), "/".join(f"{x},{y}" for x, y in units))
    s.mover = seat
    twin = rules.LAYOUT.copy(s)
    slot = twin.at.index(cell_of(*here))
    leave(twin, slot)
    place(twin, slot, cell_of(*there))
    return s, twin, seat


def beside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two cells are one, or neighbours."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= 1


@given(moved_unseen())
def test_unseen_enemies_change_neither_prompt_nor_list_nor_frame(drawn: tuple[Any, Any, int]) -> None:
    """Wherever an enemy stands unseen, the seat is sent the same, may do the same, and is shown the same."""
    s, twin, seat = drawn
    assert rules.LAYOUT.digest(s) != rules.LAYOUT.digest(twin)
    assert GAME.prompt(s, seat) == GAME.prompt(twin, seat)
    assert listed(s, seat) == listed(twin, seat)
    assert GAME.frame(s, [None, None], [], s, seat) == GAME.frame(twin, [None, None], [], twin, seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_enemies_of_a_player_that_is_out_are_seen_as_before(seat: int) -> None:
    """Going out changes nothing in what can be seen."""
    s = with_fog(units="1,1/0,4/2,1/4,4")
    s.out[1 - seat] = 1
    assert ["2 1", "1 1"][seat] in prompt(s, seat)
    assert "-1 -1" in prompt(s, seat)
