"""Beam search, in the rules' common language: one seat's plan over several of its own turns.

A layer holds the `width` best states after a number of own turns, and for each the first action of its plan. The next
layer is made from it: for every option of every state, the others act by their policy, with dice of the search's own.
The search does not look for the others' best actions: `dohyo.search.tree` does that.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, flat
from dohyo.search.playout import AHEAD, go_on, worth

acts: Any = None
legal: Any = None
over: Any = None
policy: Any = None
candidates: Any = None
taken: Any = None
put: Any = None

NONE = -1
PATIENCE = 64  # turns of others between two own ones, at most: a seat that never acts again would wait for ever


def layer_layout(width: int) -> Layout:
    """The fields of a layer; its states are a row beside it."""
    return Layout(
        "Layer",
        ("count", "i8", 0),  # how many states there are
        ("worst", "i8", 0),  # the place of the worst
        ("first", "i8", width),  # by state: the action that the plan begins with
        ("value", "f8", width),  # by state: how good it is for the seat
    )


@flat
def begin(worlds: Any, at: int, layer: Any, own: Any) -> None:
    """Make a layer of one world alone, before the plan's first action."""
    layer.count = 0
    layer.worst = 0
    put(own, 0, worlds, at)
    layer.first[0] = NONE
    layer.value[0] = 0.0
    layer.count = 1


@flat
def widen(
    before: Any, befores: Any, at: int, after: Any, afters: Any, states: Any, source: Any, scratch: Any, seat: int
) -> None:
    """Put what can follow on one state of a layer into the next layer; `befores` and `afters` are their states."""
    if at >= before.count:
        return
    count = 0
    if not over(befores[at]) and acts(befores[at], seat):
        count = legal(befores[at], seat, scratch.own)
    for i in range(count):
        put(states, AHEAD, befores, at)
        s = states[AHEAD]
        play_own_turn(s, source, scratch, seat, scratch.own[i])
        first = before.first[at]
        if first == NONE:
            first = scratch.own[i]
        keep(after, afters, states, first, worth(s, seat, scratch))
    if count == 0 and before.first[at] != NONE:  # the plan ends here, and is as good as it is
        put(states, AHEAD, befores, at)
        keep(after, afters, states, before.first[at], before.value[at])


@flat
def play_own_turn(s: Any, source: Any, scratch: Any, seat: int, action: int) -> None:
    """Play the seat's action, and what others do until it acts again."""
    answer(s, scratch, seat)
    scratch.actions[seat] = action
    go_on(s, source, scratch)
    for _ in range(PATIENCE):
        if over(s) or acts(s, seat):
            break
        answer(s, scratch, seat)
        go_on(s, source, scratch)


@flat
def answer(s: Any, scratch: Any, seat: int) -> None:
    """Lay down the others' actions, by their policy."""
    for other in range(scratch.seats):
        if other != seat and acts(s, other):
            count = candidates(s, other, scratch.options)
            said = policy(s, other, scratch.options, count, scratch)
            scratch.actions[other] = taken(s, other, said, scratch.options)


@flat
def keep(layer: Any, own: Any, states: Any, first: int, worth_it: float) -> None:
    """Take the state that lies ahead into a layer, if there is room, or it is better than the worst there."""
    at = layer.count
    if at == 0:
        layer.worst = 0
    if at < len(layer.value):
        layer.count = at + 1
    elif worth_it > layer.value[layer.worst]:
        at = layer.worst
    else:
        return
    put(own, at, states, AHEAD)
    layer.first[at] = first
    layer.value[at] = worth_it
    worst = 0
    for i in range(layer.count):
        if layer.value[i] < layer.value[worst]:
            worst = i
    layer.worst = worst
