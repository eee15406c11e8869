"""What seats do in a tree: a probability for each action of each information state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from dohyo.solve.information import Array, InformationState

if TYPE_CHECKING:
    from dohyo.solve.tree import Tree

NEAR = 1e-6  # of 1, for a sum of probabilities


class Policy:
    """Probabilities of all actions of a `Tree`: `shares`, an array of one for each slot (see `Tree`), of every seat.

    `Tree.uniform` and `Tree.policy` make some; `CFR.average` gives what was learned. Raises `ValueError` for numbers
    that are no probabilities.
    """

    def __init__(self, tree: Tree, shares: Array) -> None:
        self.tree = tree
        self.shares = numpy.asarray(shares, float)
        if self.shares.shape != (tree.slots,):
            raise ValueError(f"there are {tree.slots} actions, and probabilities of the shape {self.shares.shape}")
        sums = numpy.add.reduceat(self.shares, tree.firsts) if tree.slots else numpy.ones(0)
        if not (self.shares >= 0).all() or not (abs(sums - 1) <= NEAR).all():
            raise ValueError("in each information state the probabilities are 0 or more, and their sum is 1")

    def of(self, knows: InformationState) -> dict[int, float]:
        """What is done in an information state: by the rules' number of each action, its probability."""
        shares = self.shares[knows.first : knows.first + len(knows.actions)]
        return dict(zip(knows.actions, shares.tolist(), strict=True))

    def table(self, seat: int) -> dict[str, dict[str, float]]:
        """By the text of each information state of a seat: by each action's text, its probability. JSON can hold it.

        A bot that keeps all that it was sent and has answered finds there what to do.
        """
        found: dict[str, dict[str, Any]] = {}
        for knows in self.tree.information_states:
            if knows.seat == seat:
                shares = self.of(knows).values()
                found[knows.text] = dict(zip(knows.words, shares, strict=True))
        return found
