"""Kuhn and Leduc poker: how many information sets they have, and what they are worth to who begins."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from dohyo.laws.matches import observed
from tests.classics.games import classic

Deals = list[tuple[list[int], float]]


class Node:
    """A decision (`key`: what the seat knows), a deal (`seat` -1), or an end (no children)."""

    def __init__(self, seat: int, key: Any, children: list[Node], weights: list[float], value: float) -> None:
        self.seat, self.key, self.children, self.weights, self.value = seat, key, children, weights, value


def tree(name: str, state: Any) -> Node:
    """All that can come of a state."""
    game = classic(name)
    rules = game.rules
    if rules.over(state):
        return Node(-1, None, [], [], rules.score(state, 0))
    if rules.needs_dice(state):
        children, weights = [], []
        for dice, weight in deals(name, state):
            twin = rules.LAYOUT.copy(state)
            rules.deal(twin, dice, None)
            children.append(tree(name, twin))
            weights.append(weight)
        return Node(-1, None, children, [each / sum(weights) for each in weights], 0)
    (seat,) = game.acting(state, 2)
    children = []
    for action in game.legal_actions(state, seat):
        twin = rules.LAYOUT.copy(state)
        actions = [0, 0]
        actions[seat] = action
        rules.step(twin, actions, None)
        children.append(tree(name, twin))
    return Node(seat, bytes(game.prompt(state, seat)), children, [], 0)


def deals(name: str, state: Any) -> Deals:
    """What the dice may be, and how often."""
    if name == "kuhn_poker":
        return [(list(each), 1) for each in itertools.permutations((1, 2, 3), 2)]
    deck = [1, 1, 2, 2, 3, 3]
    if state.card[0] == 0:
        return merged(deck)
    for card in state.card:
        deck.remove(card)
    return [([rank], deck.count(rank)) for rank in sorted(set(deck))]


def merged(deck: list[int]) -> Deals:
    """Pairs of ranks, each once, with how many pairs of cards it stands for."""
    pairs = list(itertools.permutations(deck, 2))
    return [(list(pair), pairs.count(pair)) for pair in sorted(set(pairs))]


class Regrets:
    """Counterfactual regret minimisation with positive regrets (CFR+), averaged by the number of the round."""

    def __init__(self) -> None:
        self.regrets: dict[Any, list[float]] = {}
        self.sums: dict[Any, list[float]] = {}

    def now(self, node: Node) -> list[float]:
        """The policy of this round."""
        regrets = self.regrets.setdefault(node.key, [0.0] * len(node.children))
        total = sum(regrets)
        return [each / total for each in regrets] if total else [1 / len(regrets)] * len(regrets)

    def walk(self, node: Node, learner: int, own: float, other: float, number: int) -> float:
        """The learner's value of a node, reached with these chances; what it regrets there is noted."""
        if not node.children:
            return node.value if learner == 0 else -node.value
        if node.seat < 0:
            pairs = zip(node.children, node.weights, strict=True)
            return sum(weight * self.walk(child, learner, own, other * weight, number) for child, weight in pairs)
        policy = self.now(node)
        if node.seat != learner:
            sums = self.sums.setdefault(node.key, [0.0] * len(policy))
            for at, share in enumerate(policy):
                sums[at] += number * other * share
            pairs = zip(node.children, policy, strict=True)
            return sum(
                share * self.walk(child, learner, own, other * share, number) for child, share in pairs if share
            )
        pairs = zip(node.children, policy, strict=True)
        values = [self.walk(child, learner, own * share, other, number) for child, share in pairs]
        value = sum(each * share for each, share in zip(values, policy, strict=True))
        regrets = self.regrets[node.key]
        for at, each in enumerate(values):
            regrets[at] = max(0.0, regrets[at] + other * (each - value))
        return value

    def average(self, node: Node) -> float:
        """What a node is worth to seat 0 by the average policy."""
        if not node.children:
            return node.value
        weights = node.weights
        if node.seat >= 0:
            sums = self.sums.get(node.key) or [1.0] * len(node.children)
            total = sum(sums)
            weights = [each / total if total else 1 / len(sums) for each in sums]
        return sum(weight * self.average(child) for child, weight in zip(node.children, weights, strict=True))


def keys(node: Node) -> set[Any]:
    """All information sets."""
    return {node.key}.union(*map(keys, node.children))


@pytest.mark.parametrize(
    ("name", "sets", "rounds", "value", "about"),
    [("kuhn_poker", 12, 400, -1 / 18, 0.002), ("leduc_poker", 288, 60, -0.0856, 0.01)],
)
def test_its_value_is_known(name: str, sets: int, rounds: int, value: float, about: float, full: bool) -> None:
    """As many information sets, and such a value between players without a mistake, as the literature has.

    With `--full` the value of Leduc poker is found to a thousandth.
    """
    rounds, about = (500, 0.001) if full else (rounds, about)
    root = tree(name, classic(name).new_state({}, 2))
    assert len(keys(root) - {None}) == sets
    learning = Regrets()
    for number in range(1, rounds + 1):
        for learner in range(2):
            learning.walk(root, learner, 1.0, 1.0, number)
    assert learning.average(root) == pytest.approx(value, abs=about)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_what_was_done_is_the_same_word_to_both_seats(name: str) -> None:
    """A learner sees what somebody did as the same number, whichever seat it looks from."""
    game = classic(name)
    sight: Any = game.observation
    planes = [at for at, plane in enumerate(sight.PLANES) if plane.name.startswith("moves")]
    size = math.prod(sight.SHAPE)
    state = game.new_state({}, 2)
    state.card[:] = [1, 2]
    for action in game.legal_actions(state, 0):
        after = game.rules.LAYOUT.copy(state)
        game.rules.step(after, [action, 0], None)
        for seat in (0, 1):
            seen = observed(game, after, seat)
            assert next(seen[at * size] for at in planes) == action + 1
