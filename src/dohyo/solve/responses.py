"""What policies are worth, what is best against them, and how far they are from an equilibrium; all exactly.

A policy may be given for all seats at once, or one for each seat. Source of the measures: Lanctot et al., A unified
game-theoretic approach to multiagent reinforcement learning (NIPS 2017), and OpenSpiel, whose numbers these are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from dohyo.core.errors import OperatorError
from dohyo.solve.passes import reach_of, shares_of, values_of, weights_of
from dohyo.solve.policy import Policy
from dohyo.solve.tree import Tree


class BestResponse(NamedTuple):
    """What a seat gains at most against the others' policies, and all seats' policies in which it does gain that."""

    value: float
    policy: Policy


def expected_value(tree: Tree, policies: Policy | Sequence[Policy]) -> list[float]:
    """What a match is worth to each seat, on average, if they play so; in the reward of the tree."""
    values = values_of(tree, weights_of(tree, shares_of(tree, policies)), tree.payoff)
    return [float(each) for each in values[0]]


def best_response(tree: Tree, policies: Policy | Sequence[Policy], seat: int) -> BestResponse:
    """The best that a seat can do if it knew the others' policies; defined for any number of seats and any rewards.

    Of equally good actions it takes the first. Raises `ValueError` for a seat that there is not.
    """
    if not 0 <= seat < tree.seats:
        raise ValueError(f"there are seats 0 to {tree.seats - 1}, and no seat {seat}")
    shares = shares_of(tree, policies)
    weights = weights_of(tree, shares)
    own = numpy.flatnonzero(tree.mover == seat)
    slots, parents = tree.slot[own], tree.parent[own]
    others = weights.copy()
    others[own] = 1.0
    reach = reach_of(tree, others)[parents]
    # Latest decisions first: when those below are made, a pass over the tree says what each action is worth.
    mine = [each for each in tree.information_states if each.seat == seat]
    for depth in range(max((each.depth for each in mine), default=-1), -1, -1):
        values = values_of(tree, weights, tree.payoff[:, seat])
        worth = numpy.bincount(slots, reach * values[own], tree.slots)
        for knows in mine:
            if knows.depth == depth:
                at = slice(knows.first, knows.first + len(knows.actions))
                shares[at] = 0.0
                shares[knows.first + int(worth[at].argmax())] = 1.0
        weights[own] = shares[slots]
    value = values_of(tree, weights, tree.payoff[:, seat])[0]
    return BestResponse(float(value), Policy(tree, shares))


def nash_conv(tree: Tree, policies: Policy | Sequence[Policy]) -> float:
    """What all seats together could gain, each by a best response alone; 0 in a Nash equilibrium, and above 0 else.

    Defined for any number of seats and any rewards.
    """
    values = expected_value(tree, policies)
    return sum(best_response(tree, policies, seat).value - values[seat] for seat in range(tree.seats))


def exploitability(tree: Tree, policies: Policy | Sequence[Policy]) -> float:
    """What an opponent who knows the policy gains on average over both seats: half of `nash_conv`.

    Defined only for two seats of which one wins what the other loses; raises `OperatorError` elsewhere.
    """
    if not tree.is_zero_sum:
        raise OperatorError("solve-not-zero-sum", game=tree.game.name)
    return nash_conv(tree, policies) / 2
