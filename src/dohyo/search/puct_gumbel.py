"""Choices of Gumbel AlphaZero in a tree of `puct_tree`, in the rules' common language, with the defaults of mctx.

At the root the actions with the highest sum of a Gumbel number and their logit are considered, and halved again and
again by what they turn out to be worth (sequential halving); below it the action is chosen that lags most behind the
improved policy. That policy is softmax(logits + sigma(completed Q)): what was never tried counts as the mixed value.

Source: Danihelka, Guez, Schrittwieser and Silver, Policy improvement by planning with Gumbel (ICLR 2022), equations 5
to 8 and 11 to 13, appendix D; the constants, and Q values stretched to 0..1, as in DeepMind's mctx.
"""

from __future__ import annotations

from math import exp, log
from typing import Any

from dohyo.core.flat import flat

VALUE_SCALE, MAX_VISIT_INIT = 0.1, 50.0  # sigma(q) = (50 + the most visits of an action) * 0.1 * q
EPSILON = 1e-8  # the least range of Q values that is stretched to 0..1
TINY = 2.2250738585072014e-308  # of a prior
LOWEST = -1e9  # of a score


@flat
def considered_visits(considered: int, planned: int, at: int) -> int:
    """How many visits the action has to have that is tried next, after `at` of the `planned` playouts."""
    if considered <= 1:
        return at
    rounds = 0
    width = 1
    while width < considered:
        width *= 2
        rounds += 1
    visits = 0
    while True:
        more = max(1, planned // (rounds * considered))
        if at < more * considered:
            return visits + at // considered
        at -= more * considered
        visits += more
        considered = max(2, considered // 2)


@flat
def complete(tree: Any, here: int, scratch: Any) -> int:
    """Fill `scratch.worth` with sigma of the completed Q of each edge of a seat; returns the most visits of one."""
    first = tree.first[here]
    count = tree.count[here]
    tried = 0.0
    weighted = 0.0
    total = 0
    most = 0
    for edge in range(first, first + count):
        visits = tree.visits[edge]
        if visits > 0:
            prior = max(tree.prior[edge], TINY)
            tried += prior
            weighted += prior * (tree.total[edge] / visits)
            total += visits
            most = max(most, visits)
    mixed = tree.raw[here]
    if total > 0:
        mixed = (tree.raw[here] + total * (weighted / tried)) / (1.0 + total)
    lowest = 0.0
    highest = 0.0
    for i in range(count):
        visits = tree.visits[first + i]
        worth = mixed
        if visits > 0:
            worth = tree.total[first + i] / visits
        scratch.worth[i] = worth
        if i == 0 or worth < lowest:
            lowest = worth
        if i == 0 or worth > highest:
            highest = worth
    scale = (MAX_VISIT_INIT + most) * VALUE_SCALE / max(highest - lowest, EPSILON)
    for i in range(count):
        scratch.worth[i] = (scratch.worth[i] - lowest) * scale
    return most


@flat
def highest_prior(tree: Any, here: int) -> float:
    """Of a seat's edges."""
    highest = TINY
    for edge in range(tree.first[here], tree.first[here] + tree.count[here]):
        highest = max(highest, tree.prior[edge])
    return highest


@flat
def score_at_root(tree: Any, seat: int, i: int, top: float, scratch: Any) -> float:
    """Gumbel number, logit and completed Q of a seat's edge `i` at the root; `complete` has been called for it."""
    edge = tree.first[seat] + i
    gumbel = tree.gumbel[seat * scratch.all_actions + tree.action[edge]]
    return max(LOWEST, gumbel + log(max(tree.prior[edge], TINY) / top) + scratch.worth[i])  # type: ignore[no-any-return]


@flat
def best_at_root(tree: Any, seat: int, wanted: int, scratch: Any) -> int:
    """A seat's edge of the highest score among those with so many visits, else among all; `complete` comes first."""
    first = tree.first[seat]
    top = highest_prior(tree, seat)
    best = first
    highest = 0.0
    fits = False
    for i in range(tree.count[seat]):
        score = score_at_root(tree, seat, i, top, scratch)
        same = tree.visits[first + i] == wanted
        if i == 0 or (same and not fits) or (same == fits and score > highest):
            best = first + i
            highest = score
            fits = same
    return best  # type: ignore[no-any-return]


@flat
def considered_edge(tree: Any, seat: int, scratch: Any) -> int:
    """The edge that a seat tries next at the root: sequential halving."""
    considered = min(scratch.considered, tree.count[seat])
    wanted = considered_visits(considered, scratch.planned, tree.seen[seat])
    complete(tree, seat, scratch)
    return best_at_root(tree, seat, wanted, scratch)


@flat
def improve(tree: Any, here: int, scratch: Any) -> None:
    """Put the improved policy of a seat's edges in the place of what `complete` has written for them."""
    first = tree.first[here]
    count = tree.count[here]
    top = highest_prior(tree, here)
    highest = LOWEST
    for i in range(count):
        scratch.worth[i] += log(max(tree.prior[first + i], TINY) / top)
        highest = max(highest, scratch.worth[i])
    total = 0.0
    for i in range(count):
        scratch.worth[i] = exp(scratch.worth[i] - highest)
        total += scratch.worth[i]
    for i in range(count):
        scratch.worth[i] /= total


@flat
def improved_edge(tree: Any, here: int, scratch: Any) -> int:
    """The edge that a seat tries next below the root: visits become the improved policy, without chance.

    Of equal ones it is the first for even seats, the last for odd ones, as in `puct_tree.most_promising`.
    """
    complete(tree, here, scratch)
    improve(tree, here, scratch)
    first = tree.first[here]
    last_of_equals = here % scratch.seats % 2 == 1
    best = first
    highest = 0.0
    for i in range(tree.count[here]):
        lag = scratch.worth[i] - tree.visits[first + i] / (1.0 + tree.seen[here])
        if i == 0 or lag > highest or (last_of_equals and lag == highest):
            best = first + i
            highest = lag
    return best  # type: ignore[no-any-return]


@flat
def conclude(trees: Any, count: int, scratch: Any, improved: Any, chosen: Any) -> None:
    """Write down the improved policy of each seat that acts at the root of the first `count` trees, and the action
    that it should take: the best of the most visited ones."""
    for at in range(count):
        tree = trees[at]
        for seat in range(scratch.seats):
            chosen[at, seat] = -1
            if tree.count[seat] > 0:
                first = tree.first[seat]
                most = complete(tree, seat, scratch)
                chosen[at, seat] = tree.action[best_at_root(tree, seat, most, scratch)]
                improve(tree, seat, scratch)
                for i in range(tree.count[seat]):
                    improved[at, seat, tree.action[first + i]] = scratch.worth[i]
