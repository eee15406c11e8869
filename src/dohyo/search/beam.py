"""Beam search, in the rules' common language: one seat's plan over several of its own turns.

A layer holds the `width` best states that so many own turns can lead to, and for each the plan's first action. The
next one is made from it: every option of every state, answered by the others as their policy has it, on dice of the
search's own. What others would rather do is not asked: for that there is `dohyo.search.tree`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dohyo.core.flat import flat
from dohyo.search.playing import AHEAD, Desk, How, go_on, worth

acts: Any = None
legal: Any = None
over: Any = None
policy: Any = None
put: Any = None

NONE = -1
PATIENCE = 64  # turns of others between two own ones, at most: who never acts again would wait for ever


class Layer(NamedTuple):
    """The states of one layer: lists, or arrays of NumPy's, `width` long. The worst stands at `worst[0]`."""

    count: Any  # how many there are, alone
    worst: Any  # the place of the worst, alone
    states: Any
    first: Any  # the action that the plan begins with
    value: Any  # doubles


@flat
def begin(worlds: Any, at: int, layer: Layer) -> None:
    """Make a layer of one world alone, before the plan's first action."""
    layer.count[0] = 0
    layer.worst[0] = 0
    put(layer.states, 0, worlds, at)
    layer.first[0] = NONE
    layer.value[0] = 0.0
    layer.count[0] = 1


@flat
def clear(layer: Layer) -> None:
    """Empty a layer."""
    layer.count[0] = 0
    layer.worst[0] = 0


@flat
def widen(before: Layer, at: int, after: Layer, desk: Desk, how: How, seat: int) -> None:
    """Put what can follow on one state of a layer into the next layer."""
    count = 0
    if not over(before.states[at]) and acts(before.states[at], seat):
        count = legal(before.states[at], seat, desk.own)
    for i in range(count):
        put(desk.states, AHEAD, before.states, at)
        s = desk.states[AHEAD]
        play_own_turn(s, desk, how, seat, desk.own[i])
        first = before.first[at]
        if first == NONE:
            first = desk.own[i]
        keep(after, desk, first, worth(s, seat, desk, how))
    if count == 0 and before.first[at] != NONE:  # the plan ends here, and is as good as it is
        put(desk.states, AHEAD, before.states, at)
        keep(after, desk, before.first[at], before.value[at])


@flat
def play_own_turn(s: Any, desk: Desk, how: How, seat: int, action: int) -> None:
    """Play the seat's action, and what others do until it acts again."""
    answer(s, desk, how, seat)
    desk.actions[seat] = action
    go_on(s, desk)
    for _ in range(PATIENCE):
        if over(s) or acts(s, seat):
            break
        answer(s, desk, how, seat)
        go_on(s, desk)


@flat
def answer(s: Any, desk: Desk, how: How, seat: int) -> None:
    """Lay down the others' actions, by their policy."""
    for other in range(how.seats):
        if other != seat and acts(s, other):
            count = legal(s, other, desk.options)
            desk.actions[other] = policy(s, other, desk.options, count, desk.luck)


@flat
def keep(layer: Layer, desk: Desk, first: int, worth_it: float) -> None:
    """Take the state that lies ahead into a layer, if there is room, or it is better than the worst there."""
    at = layer.count[0]
    if at < len(layer.value):
        layer.count[0] = at + 1
    elif worth_it > layer.value[layer.worst[0]]:
        at = layer.worst[0]
    else:
        return
    put(layer.states, at, desk.states, AHEAD)
    layer.first[at] = first
    layer.value[at] = worth_it
    worst = 0
    for i in range(layer.count[0]):
        if layer.value[i] < layer.value[worst]:
            worst = i
    layer.worst[0] = worst
