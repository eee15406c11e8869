"""Counterfactual regret minimisation over a whole tree: CFR and CFR+, exact, as arrays.

In a game of two seats where one wins what the other loses, the average policy comes to a Nash equilibrium. With more
seats, or other rewards, both run, and often find good policies; nothing is promised there: look at `nash_conv`.

Sources: Zinkevich, Johanson, Bowling and Piccione, Regret minimization in games with incomplete information (NIPS
2007); Tammelin, Burch, Johanson and Bowling, Solving heads-up limit Texas hold'em (IJCAI 2015).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy

from dohyo.solve.information import Array
from dohyo.solve.passes import reach_of, values_of, weights_of
from dohyo.solve.policy import Policy
from dohyo.solve.tree import Tree


class _Own(NamedTuple):
    """The edges of a seat's actions: which they are, their slots, the nodes above them."""

    edges: Array
    slots: Array
    parents: Array


class CFR:
    """Vanilla CFR: in each iteration one seat after the other updates its regrets (alternating updates).

    `run(iterations)` goes on from where it is; `average()` is the policy that has been learned, `current()` the one
    that is played in the next iteration. `iterations` counts them. The same tree gives the same numbers each time on
    one machine; where two regrets are the same, rounding may decide, and other programs' numbers part from these in
    the end.
    """

    plus = False  # CFR+: regrets do not fall below 0, and an iteration counts by its number in the average

    def __init__(self, tree: Tree) -> None:
        self.tree, self.iterations = tree, 0
        self.regrets, self.sums = numpy.zeros(tree.slots), numpy.zeros(tree.slots)
        self._own = []
        for seat in range(tree.seats):
            edges = numpy.flatnonzero(tree.mover == seat)
            self._own.append(_Own(edges, tree.slot[edges], tree.parent[edges]))

    def run(self, iterations: int) -> None:
        """So many iterations more, at least one. Raises `ValueError` for fewer."""
        if iterations < 1:
            raise ValueError(f"iterations must be at least 1, not {iterations}")
        for _ in range(iterations):
            self.iterations += 1
            for seat in range(self.tree.seats):
                self._update(seat)

    def current(self) -> Policy:
        """What regrets say now: an action that is regretted more is done more often."""
        return Policy(self.tree, self._matched(numpy.maximum(self.regrets, 0.0)))

    def average(self) -> Policy:
        """The average of all policies so far, each weighted by how probably its seat came there.

        Raises `ValueError` before the first iteration, as nothing has been learned.
        """
        if not self.iterations:
            raise ValueError("nothing has been learned: call run(iterations) before average()")
        return Policy(self.tree, self._matched(self.sums))

    def _matched(self, sums: Array) -> Array:
        """Shares in proportion to what is not negative; all the same where everything is 0."""
        tree = self.tree
        totals = numpy.repeat(numpy.add.reduceat(sums, tree.firsts), tree.counts) if tree.slots else sums
        evenly = 1 / numpy.repeat(tree.counts, tree.counts)
        return numpy.divide(sums, totals, out=evenly, where=totals > 0)

    def _update(self, seat: int) -> None:
        """One seat's part of an iteration."""
        tree, (edges, slots, parents) = self.tree, self._own[seat]
        weights = weights_of(tree, self._matched(numpy.maximum(self.regrets, 0.0)))
        mine = numpy.ones(tree.nodes)
        mine[edges] = weights[edges]
        others = weights.copy()
        others[edges] = 1.0
        values = values_of(tree, weights, tree.payoff[:, seat])
        better = reach_of(tree, others)[parents] * (values[edges] - values[parents])
        self.regrets += numpy.bincount(slots, better, tree.slots)
        if self.plus:
            numpy.maximum(self.regrets, 0.0, out=self.regrets)
        done = reach_of(tree, mine)[parents] * weights[edges]
        self.sums += numpy.bincount(slots, done, tree.slots) * (self.iterations if self.plus else 1)


class CFRPlus(CFR):
    """CFR+: regrets are cut off at 0, updates alternate, and iteration t counts t times in the average.

    It needs far fewer iterations than `CFR`, whose members it has.
    """

    plus = True
