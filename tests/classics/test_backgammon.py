"""Backgammon: plays found in another way, and chances that books have: hitting, entering, bearing off."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from dohyo.core.options import resolve
from tests.classics.games import classic
from tests.games.perft import after

CHECKERS, BAR, PASS = 15, 25, 150
Half = tuple[int, ...]  # checkers of a seat by its own points: off, 1 to 24, the bar
Play = tuple[tuple[int, int], ...]  # moves: from which point, by which die
ROLLS = list(itertools.product(range(1, 7), repeat=2))


def first() -> Any:
    """The state before the opening roll."""
    game = classic("backgammon")
    return game.new_state(resolve(game.options, {}), 2)


def position(own: dict[int, int], other: dict[int, int] | None = None, dice: tuple[int, int] = (0, 0)) -> Any:
    """A state with seat 0 to move: checkers by each seat's own points, all further ones off."""
    game = classic("backgammon")
    state = game.rules.LAYOUT.new()
    state.gammons = state.turn = 1
    put = game.rules.step.__globals__["own_step"].__globals__["put_checkers"]
    for seat, men in enumerate((own, other or {})):
        for point, count in men.items():
            put(state, seat, point, count)
        state.off[seat] = CHECKERS - sum(men.values())
    if dice[0]:
        game.rules.deal(state, list(dice), None)
    return state


def halves(state: Any) -> tuple[Half, Half]:
    """Both seats' checkers, by their own points."""
    flat = [*state.board[:12][::-1], *state.board[12:]]  # seat 0's points 24 to 1
    first = (state.off[0], *(max(0, men) for men in flat[23:11:-1]), *(max(0, men) for men in flat[11::-1]))
    second = (state.off[1], *(max(0, -men) for men in flat[:12]), *(max(0, -men) for men in flat[12:]))
    return (*first, state.bar[0]), (*second, state.bar[1])


def single_moves(own: Half, other: Half, die: int) -> list[tuple[int, Half, Half]]:
    """All moves of one checker by one die, and what they lead to."""
    found = []
    for point in range(1, BAR + 1):
        if own[point] == 0 or (own[BAR] and point != BAR):
            continue
        target = point - die
        if target < 1:
            if any(own[7:]) or (target < 0 and any(own[point + 1 :])):
                continue
            target = 0
        elif other[25 - target] > 1:
            continue
        new, hit = list(own), list(other)
        new[point] -= 1
        new[target] += 1
        if target and hit[25 - target]:
            hit[25 - target], hit[BAR] = 0, hit[BAR] + 1
        found.append((point, tuple(new), tuple(hit)))
    return found


def lines(own: Half, other: Half, dice: tuple[int, ...]) -> list[Play]:
    """All ways to play dice in this order, as far as that goes."""
    found: list[Play] = []
    if dice and own[0] < CHECKERS:
        for point, new, hit in single_moves(own, other, dice[0]):
            found += [((point, dice[0]), *rest) for rest in lines(new, hit, dice[1:])]
    return found or [()]


def plays(own: Half, other: Half, dice: tuple[int, int]) -> set[Play]:
    """All plays of a roll: as many moves as can be made, and if that is a single one, by the higher die if it can."""
    orders = [dice * 2] if dice[0] == dice[1] else [dice, dice[::-1]]
    found = {play for order in orders for play in lines(own, other, order)}
    most = max(map(len, found))
    found = {play for play in found if len(play) == most}
    if most == 1 and dice[0] != dice[1]:
        highest = max(play[0][1] for play in found)
        found = {play for play in found if play[0][1] == highest}
    return found


def ours(state: Any) -> dict[Play, Any]:
    """All plays that the rules allow until the turn is over, and the states after them."""
    rules = classic("backgammon").rules
    seat, found, todo = state.mover, {}, [((), state)]
    while todo:
        played, now = todo.pop()
        if played and (now.mover != seat or rules.over(now)):
            found[played] = now
            continue
        for action in classic("backgammon").legal_actions(now, seat):
            if action == PASS:
                found[()] = after(classic("backgammon"), now, seat, PASS)
            else:
                move = (action % BAR + 1, action // BAR + 1)
                todo.append(((*played, move), after(classic("backgammon"), now, seat, action)))
    return found


def rolled(state: Any, chooser: random.Random) -> None:
    """Roll."""
    dice = [chooser.randint(1, 6), chooser.randint(1, 6)]
    if state.turn == 0 and dice[0] == dice[1]:
        dice[1] = dice[0] % 6 + 1
    classic("backgammon").rules.deal(state, dice, None)


def test_the_plays_are_what_a_search_finds() -> None:
    """In random matches, at every roll, with bars and bearing off."""
    rules = classic("backgammon").rules
    bars = offs = 0
    for seed in range(3):
        state, chooser = first(), random.Random(seed)
        while not rules.over(state):
            rolled(state, chooser)
            seat = state.mover
            both = halves(state)
            own, other = both[seat], both[1 - seat]
            found = ours(state)
            assert set(found) == plays(own, other, tuple(state.dice))
            bars, offs = bars + (own[BAR] > 0), offs + (own[0] > 0)
            state = found[chooser.choice(sorted(found))]
            assert all(sum(half) == CHECKERS for half in halves(state))
        assert state.off[rules.winner(state)] == CHECKERS
    assert bars > 20
    assert offs > 20


# How many different positions a roll leads to from the start: (lower die, higher die) -> positions.
OPENING = {
    (1, 1): 42, (1, 2): 15, (1, 3): 16, (1, 4): 14, (1, 5): 8, (1, 6): 10, (2, 2): 75, (2, 3): 17, (2, 4): 18,
    (2, 5): 8, (2, 6): 14, (3, 3): 73, (3, 4): 17, (3, 5): 9, (3, 6): 14, (4, 4): 52, (4, 5): 9, (4, 6): 14,
    (5, 5): 4, (5, 6): 7, (6, 6): 11,
}  # fmt: skip


def test_the_opening_positions() -> None:
    """As many as the search above finds, and other programs."""
    for dice, count in OPENING.items():
        state = first()
        state.turn = 1  # a double too
        classic("backgammon").rules.deal(state, list(dice), None)
        assert len({halves(each) for each in ours(state).values()}) == count


@pytest.mark.parametrize(
    ("points", "rolls"),
    [
        ((1, 1), 36), ((2, 1), 36), ((3, 1), 34), ((4, 1), 29), ((5, 1), 23), ((6, 1), 15), ((2, 2), 26),
        ((3, 2), 25), ((4, 2), 23), ((5, 2), 19), ((6, 2), 13), ((3, 3), 17), ((4, 3), 17), ((5, 3), 14),
        ((6, 3), 10), ((4, 4), 11), ((5, 4), 10), ((6, 4), 8), ((5, 5), 6), ((6, 5), 6), ((6, 6), 4),
    ],
)  # fmt: skip
def test_so_many_rolls_bear_off_the_last_two(points: tuple[int, int], rolls: int) -> None:
    """The table that every book has, of 36 rolls."""
    own = {point: points.count(point) for point in points}
    won = [dice for dice in ROLLS if any(each.ended for each in ours(position(own, {1: 2}, dice)).values())]
    assert len(won) == rolls


@pytest.mark.parametrize(
    ("pips", "rolls"),
    [(1, 11), (2, 12), (3, 14), (4, 15), (5, 15), (6, 17), (7, 6), (8, 6), (9, 5), (10, 3), (11, 2), (12, 3), (15, 1),
     (16, 1), (18, 1), (20, 1)],
)  # fmt: skip
def test_so_many_rolls_hit(pips: int, rolls: int) -> None:
    """A blot so far away, with nothing in between."""
    own, other = {24: 1}, {1 + pips: 1}
    hits = [d for d in ROLLS if any(each.bar[1] for each in ours(position(own, other, d)).values())]
    assert len(hits) == rolls


@pytest.mark.parametrize("closed", range(7))
def test_so_many_rolls_enter(closed: int) -> None:
    """From the bar against so many closed points: all but the square of their part."""
    other = dict.fromkeys(range(1, closed + 1), 2)
    shut = [dice for dice in ROLLS if () in ours(position({25: 1, 6: 2}, other, dice))]
    assert len(shut) == closed**2


def test_both_dice_are_played_if_they_can_be_and_else_the_higher_one() -> None:
    """A checker that may go by either die but not by both takes the higher; one that blocks the second waits."""
    blocked = position({24: 1, 1: 2}, {10: 2, 2: 2}, (3, 6))  # by 3 and 6, or 6 and 3: the point behind is closed
    assert set(ours(blocked)) == {((24, 6),)}
    forced = position({6: 1}, {1: 2}, (6, 1))  # not 6/off at once: both dice can be played
    assert set(ours(forced)) == {((6, 1), (5, 6))}


@pytest.mark.parametrize(
    ("other", "gammons", "points"),
    [({6: 14}, 1, 1), ({7: 15}, 1, 2), ({20: 1, 3: 14}, 1, 3), ({25: 1, 3: 14}, 1, 3), ({25: 1, 3: 14}, 0, 1)],
)
def test_a_win_counts(other: dict[int, int], gammons: int, points: int) -> None:
    """A gammon while the other has borne off nothing, a backgammon with one of its checkers behind or on the bar."""
    state = position({1: 1}, other, (2, 1))
    state.gammons = gammons
    (last,) = [each for each in ours(state).values() if each.ended]
    rules = classic("backgammon").rules
    assert rules.winner(last) == 0
    assert [rules.score(last, seat) for seat in range(2)] == [points, -points]
