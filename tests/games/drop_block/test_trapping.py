"""Drop-Block's trapper: the freedom that it counts is what the rules leave, and it closes a cage that is open."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dohyo.core.flat import Layout
from dohyo.games.drop_block import rules
from dohyo.games.drop_block.protocol import LETTERS
from dohyo.games.drop_block.trapping import FIELDS, ROUNDS, freedom, mark_space, trap
from tests.games.drop_block.board import board

MIND = Layout("Mind", *FIELDS)
WALK = (*range(4), rules.NOTHING)


def by_the_rules(s: Any, who: int, turns: int) -> int:
    """On how many squares a player can be after so many turns, played out; everybody else stands still."""
    states = {(s.row[who], s.column[who]): s}
    for _ in range(turns):
        following = {}
        for state in states.values():
            free = state.turn % rules.SEATS == who and state.stun[who] == 0
            for letter in WALK if free else (rules.NOTHING,):
                after = rules.LAYOUT.copy(state)
                rules.step(after, [letter] * rules.SEATS, None)
                if after.row[who] >= 0:
                    following[after.row[who], after.column[who]] = after
        states = following
    return len(states)


@pytest.mark.parametrize("seed", range(12))
def test_freedom_is_what_the_rules_leave(seed: int) -> None:
    """Among loose and missing blocks, beside others and stunned: as many squares as walks by the rules lead to."""
    draw, mind = random.Random(seed), MIND.new()
    s = board("4,7,R/8,9,U/9,1,L/14,12,D")
    s.turn, who = draw.randrange(rules.SEATS), draw.randrange(rules.SEATS)
    s.block[:] = [draw.choice([0, 0, 0, 7, 12, -3, -10, -19]) for _ in s.block]
    for p in range(rules.SEATS):
        s.block[rules.block_at(s.row[p], s.column[p])] = draw.choice([3, 5, 9, 0]) if p == who else 0
        mark_space(s, p, mind)
    s.stun[who] = draw.randrange(3)
    first = (who - s.turn) % rules.SEATS + rules.SEATS * s.stun[who]
    rounds = max(ROUNDS, -(-(max(s.block) - first) // rules.SEATS))
    found = freedom(s, who, first, mind.kept, mind)
    assert found == by_the_rules(s, who, first + rules.SEATS * rounds)


def test_it_strikes_whom_nothing_saves() -> None:
    """Who stands stunned in the middle of the block ahead is attacked; the letters that were tried are taken back."""
    s = board("1,1,R/1,5,U/-/-")
    s.stun[1] = 2
    before = rules.LAYOUT.as_dict(s)
    assert LETTERS[trap(s, 0, MIND.new())] == "A"
    assert rules.LAYOUT.as_dict(s) == before


def test_it_steps_out_of_the_way_of_an_attack() -> None:
    """On the edge of a loose block it goes to where nothing falls."""
    s = board("3,7,U/17,7,U/-/-")
    s.block[rules.block_at(3, 7)] = 3
    assert LETTERS[trap(s, 0, MIND.new())] == "U"
