"""Going over a tree as arrays: from the first node down, and from the ends up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from dohyo.solve.information import Array
from dohyo.solve.policy import Policy
from dohyo.solve.tree import Tree


def shares_of(tree: Tree, policies: Policy | Sequence[Policy]) -> Array:
    """The probabilities of all actions, one for each slot: of one policy, or of one for each seat.

    Raises `ValueError` for policies of another tree, and for another number of them than there are seats.
    """
    each = [policies] * tree.seats if isinstance(policies, Policy) else list(policies)
    if len(each) != tree.seats:
        raise ValueError(f"give one policy for all seats, or one for each of the {tree.seats} seats, not {len(each)}")
    if any(policy.tree is not tree for policy in each):
        raise ValueError("the policy is of another tree")
    shares = each[0].shares.copy()
    for knows in tree.information_states:
        at = slice(knows.first, knows.first + len(knows.actions))
        shares[at] = each[knows.seat].shares[at]
    return shares


def weights_of(tree: Tree, shares: Array) -> Array:
    """How probable each edge is at its parent: the dice's probabilities, and these of the slots."""
    weights = tree.chance.copy()
    acted = tree.slot >= 0
    weights[acted] = shares[tree.slot[acted]]
    return weights


def reach_of(tree: Tree, weights: Array) -> Array:
    """By node the product of the weights on the way there."""
    reach = numpy.ones(tree.nodes)
    for first, end, _, _ in tree.levels:
        reach[first:end] = reach[tree.parent[first:end]] * weights[first:end]
    return reach


def values_of(tree: Tree, weights: Array, payoff: Array) -> Array:
    """By node what it is worth: an end its payoff, (nodes,) or (nodes, seats); others the weighted sum below."""
    values = payoff.copy()
    weights = weights if values.ndim == 1 else weights[:, None]
    for first, end, parents, starts in reversed(tree.levels):
        values[parents] = numpy.add.reduceat(weights[first:end] * values[first:end], starts)
    return values
