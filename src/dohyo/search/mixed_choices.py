"""Mixed choices where several seats act at once, in the rules' common language: regret matching and Exp3.

At such a node each seat has its own statistics and draws its action: by what it regrets not to have done, or by what
actions have brought (Exp3). What it draws on average is what it should do: in a game of two where one wins what the
other loses, nobody can do much better against it in the end. A part of the draws is by lot, so that nothing is
forgotten; it becomes less as the node is visited more, and does not count in the average.

What an action that was not drawn would have brought is what it brought before on average; the one that was drawn is
corrected by how likely the draw was. So the estimates are right on average, and vary little.

Source: Lisy, Kovarik, Lanctot and Bosansky, Convergence of Monte Carlo tree search in simultaneous move games (NIPS
2013); Lanctot, Lisy and Winands, Monte Carlo tree search in simultaneous move games with applications to Goofspiel
(CGW 2013); Exp3: Auer, Cesa-Bianchi, Freund and Schapire, The nonstochastic multiarmed bandit problem (2002).
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

from dohyo.core.cheap_random import draw
from dohyo.core.flat import flat
from dohyo.search.playout import half_range

NONE = -1
REGRET, EXP3 = 1, 2  # kinds, in `scratch.mixed`
WORDS = 4294967296.0  # how many different words a draw has
MOST_BY_LOT, BY_LOT = 0.5, 2.0  # this part of the draws, and later this by the square root of the visits


def edge_fields(edges: int) -> tuple[tuple[str, str, int], ...]:
    """The fields of a tree with mixed choices, by edge."""
    return (
        ("gain", "f8", edges),  # regret, or what the action has brought in all above the least result
        ("share", "f8", edges),  # the sum of its chances without lots
        ("now", "f8", edges),  # its chance in this playout, without lots
        ("when", "i8", edges),  # the last playout in which it could be drawn
    )


def scratch_fields(actions: int, path: int) -> tuple[tuple[str, str, int], ...]:
    """The fields of the scratch record of a tree search that mixed choices use; no game's own are called so."""
    return (
        ("mixed", "i8", 0),  # which kind; 0: none
        ("mixed_playout", "i8", 0),  # its number
        ("mixed_share", "f8", actions),  # by place among the options
        ("mixed_chance", "f8", path),  # of each edge of the path, to be drawn; 0 where none was drawn
    )


@flat
def average(tree: Any, edge: int) -> float:
    """What an action has brought on average; 0 if it was never tried."""
    return 0.0 if tree.visits[edge] == 0 else tree.total[edge] / tree.visits[edge]


@flat
def draw_edge(tree: Any, scratch: Any, at: int, count: int, length: int) -> int:
    """The edge that a seat draws among its options, which all have one; `length` is its place in the path."""
    mix(tree, scratch, at, count)
    by_lot = BY_LOT / sqrt(tree.seen[at] + 1.0)
    if by_lot > MOST_BY_LOT:  # no `min`, which Numba would compile as a piece of its own
        by_lot = MOST_BY_LOT
    mean = 0.0
    for i in range(count):
        mean += scratch.mixed_share[i] * average(tree, scratch.edge_of[scratch.options[i]])
    luck = draw(scratch) / WORDS
    drawn = NONE
    for i in range(count):
        edge = scratch.edge_of[scratch.options[i]]
        tree.share[edge] += scratch.mixed_share[i]
        tree.now[edge] = scratch.mixed_share[i]
        tree.when[edge] = scratch.mixed_playout
        if scratch.mixed == REGRET:
            tree.gain[edge] += average(tree, edge) - mean
        chance = (1.0 - by_lot) * scratch.mixed_share[i] + by_lot / count
        if drawn == NONE and (luck < chance or i == count - 1):
            drawn = edge
            scratch.mixed_chance[length] = chance
        luck -= chance
    return drawn


@flat
def mix(tree: Any, scratch: Any, at: int, count: int) -> None:
    """Fill `scratch.mixed_share` with the chances of the options, without lots."""
    highest = tree.gain[scratch.edge_of[scratch.options[0]]]
    for i in range(count):
        gain = tree.gain[scratch.edge_of[scratch.options[i]]]
        if gain > highest:
            highest = gain
    rate = sqrt(log(count) / (count * (tree.seen[at] + 1.0))) / (2.0 * half_range(scratch))
    total = 0.0
    for i in range(count):
        gain = tree.gain[scratch.edge_of[scratch.options[i]]]
        if scratch.mixed == EXP3:
            scratch.mixed_share[i] = exp(rate * (gain - highest))
        else:
            scratch.mixed_share[i] = (gain if gain > 0.0 else 0.0) if highest > 0.0 else 1.0
        total += scratch.mixed_share[i]
    for i in range(count):
        scratch.mixed_share[i] /= total


@flat
def learn(tree: Any, scratch: Any, at: int, drawn: int, chance: float, result: float) -> None:
    """A playout has ended with this result for the seat that has drawn an edge; its visit is not counted yet."""
    if scratch.mixed == EXP3:
        tree.gain[drawn] += (result - scratch.low) / chance
        return
    more = (result - average(tree, drawn)) / chance
    tree.gain[drawn] += more
    expected = more * tree.now[drawn]
    edge = tree.first[at]
    while edge != NONE:
        if tree.when[edge] == scratch.mixed_playout:
            tree.gain[edge] -= expected
        edge = tree.next[edge]
