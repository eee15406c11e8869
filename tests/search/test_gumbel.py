"""Gumbel's root: what it tries, completes and chooses by the paper's formulas, and that it improves the policy."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar

import numpy
import pytest
from msgspec.structs import replace

from dohyo.core.flat import Layout, flat
from dohyo.core.game import Chance, Plane
from dohyo.search import PUCT
from dohyo.search.puct_gumbel import complete, considered_visits, improve, improved_edge
from tests.search import piles
from tests.search.piles import pile
from tests.search.test_puct import GAME, Network

ARMS = 8


class Sight:
    """What the player of the bandit sees: which arm was pulled, from 1; 0 before."""

    KIND, SHAPE = "i1", (1,)
    PLANES = (Plane("arm", 0, ARMS, ""),)

    @staticmethod
    @flat
    def observe(s: Any, seat: int, out: Any) -> None:
        """The arm."""
        out[0] = s.arm


class Bandit:
    """A game of one player: one arm is pulled, and then nothing can be chosen for a long time."""

    SEATS = 1
    ACTIONS = ARMS
    DICE = 1
    EVENTS_A_TURN = 1
    CONCESSIONS = ()
    REASONS: ClassVar = {1: "piles.won"}
    LAYOUT = Layout("Bandit", ("turn", "i4", 0), ("arm", "i1", 0))
    SOURCE, reseed = piles.game().rules.SOURCE, staticmethod(piles.game().rules.reseed)

    @staticmethod
    @flat
    def acts(s: Any, seat: int) -> bool:
        """Always."""
        return True

    @staticmethod
    @flat
    def legal(s: Any, seat: int, out: Any) -> int:
        """Any arm, then the first one."""
        count = 1 if s.arm > 0 else 8
        for i in range(count):
            out[i] = i
        return count

    @staticmethod
    @flat
    def is_legal(s: Any, seat: int, action: int) -> bool:
        """See `legal`."""
        return action == 0 or (s.arm == 0 and 0 < action < 8)

    @staticmethod
    @flat
    def step(s: Any, actions: Any, events: Any) -> None:
        """Pull an arm."""
        s.turn += 1
        if s.arm == 0:
            s.arm = actions[0] + 1

    @staticmethod
    @flat
    def over(s: Any) -> bool:
        """After a long time."""
        return bool(s.turn >= 100000)

    @staticmethod
    @flat
    def winner(s: Any) -> int:
        """Nobody."""
        return -1

    @staticmethod
    @flat
    def places(s: Any, out: Any) -> int:
        """One place."""
        out[0] = 1
        return 1


BANDIT = replace(piles.game(), name="bandit", seats=(1, 1), rules=Bandit, observation=Sight, chance=Chance.NEVER)


def searched(logits: Any, raw: float, worth: Any, playouts: int, seed: int, **given: Any) -> tuple[Any, PUCT]:
    """What Gumbel's root finds out about the bandit, by a network that knows what each arm is worth."""

    def knows(observations: Any, masks: Any) -> tuple[Any, Any]:
        arms = observations.reshape(-1).astype(int)
        policy = numpy.where((arms == 0)[:, None], logits, 0.0)
        return policy, numpy.where(arms == 0, raw, numpy.append(worth, 0)[arms - 1])

    search = PUCT(BANDIT, 1, knows, root="gumbel", leaves=1, seed=seed, nodes=300, **given)
    return search.think([Bandit.LAYOUT.new()], playouts=playouts), search


# --- the paper's formulas, by NumPy and over all actions at once ---------------------------------------------------


def sequence(considered: int, playouts: int) -> list[int]:
    """The visits of the action that is tried next, playout by playout, as the paper's figure 1 tells it."""
    phases = int(numpy.ceil(numpy.log2(considered))) if considered > 1 else 1
    visits, found, left = [0] * considered, [], considered
    while len(found) < playouts:
        for _ in range(max(1, int(playouts / (phases * left)))):
            found += visits[:left]
            visits[:left] = [each + 1 for each in visits[:left]]
        left = max(2, left // 2) if considered > 1 else 1
    return found[:playouts]


def sigma_of_completed(logits: Any, raw: float, visits: Any, q: Any) -> Any:
    """Equations 7, 8 (sigma, with 50 and 0.1) and 12 (the mixed value), with Q stretched to 0..1 as in mctx."""
    prior = numpy.exp(logits - logits.max()) / numpy.exp(logits - logits.max()).sum()
    tried = visits > 0
    weighted = (prior * q)[tried].sum() / prior[tried].sum() if tried.any() else 0.0
    mixed = (raw + visits.sum() * weighted) / (1 + visits.sum())
    completed = numpy.where(tried, q, mixed)
    stretched = (completed - completed.min()) / max(completed.max() - completed.min(), 1e-8)
    return (50 + visits.max()) * 0.1 * stretched


def by_the_paper(logits: Any, raw: float, worth: Any, playouts: int, gumbel: Any, considered: int) -> Any:
    """Visits, chosen action and improved policy of a root whose actions have these exact values."""
    visits = numpy.zeros(ARMS, int)
    for wanted in sequence(min(considered, ARMS), playouts):
        score = gumbel + logits + sigma_of_completed(logits, raw, visits, worth)
        visits[numpy.where(visits == wanted, score, -numpy.inf).argmax()] += 1
    sigma = sigma_of_completed(logits, raw, visits, worth)
    chosen = numpy.where(visits == visits.max(), gumbel + logits + sigma, -numpy.inf).argmax()
    raised = numpy.exp(logits + sigma - (logits + sigma).max())
    return visits, int(chosen), raised / raised.sum()


# --- the laws ------------------------------------------------------------------------------------------------------


def test_halving_is_as_published() -> None:
    """By hand: 4 actions in 8 playouts, 16 in 32, 3 in 5; then all small numbers as the paper's figure tells it."""
    assert [considered_visits(4, 8, at) for at in range(8)] == [0, 0, 0, 0, 1, 1, 2, 2]
    assert [considered_visits(16, 32, at) for at in range(32)] == [0] * 16 + [1] * 8 + [2] * 4 + [3] * 4
    assert [considered_visits(3, 5, at) for at in range(5)] == [0, 0, 0, 1, 1]
    for considered in range(1, 18):
        for playouts in range(1, 70):
            found = [considered_visits(considered, playouts, at) for at in range(playouts)]
            assert found == sequence(considered, playouts), (considered, playouts)


def test_q_is_completed_by_the_mixed_value() -> None:
    """Of four actions two were tried: the others count as the mix of the network's value and those two's."""
    prior = numpy.exp([-1.0, 2.0, 0.5, 0.0])
    prior = prior / prior.sum()
    q, visits, raw = [0.3, -0.1], [4, 2, 0, 0], -0.8
    tree = SimpleNamespace(
        first=[0],
        count=[4],
        prior=list(prior),
        visits=visits,
        raw=[raw],
        total=[4 * q[0], 2 * q[1], 0.0, 0.0],
    )
    scratch = SimpleNamespace(worth=[0.0] * 4)
    assert complete(tree, 0, scratch) == 4
    mixed = (raw + 6 * (prior[0] * q[0] + prior[1] * q[1]) / (prior[0] + prior[1])) / 7
    completed = numpy.array([*q, mixed, mixed])
    low, high = completed.min(), completed.max()
    assert scratch.worth == pytest.approx((50 + 4) * 0.1 * (completed - low) / (high - low))
    expected = numpy.log(prior) + scratch.worth
    improve(tree, 0, scratch)
    assert scratch.worth == pytest.approx(numpy.exp(expected) / numpy.exp(expected).sum())


@pytest.mark.parametrize("playouts", [1, 4, 16, 50])
@pytest.mark.parametrize("considered", [1, 3, 4, 16])
def test_the_search_does_what_the_paper_says(playouts: int, considered: int) -> None:
    """Visits, action and improved policy are those of the formulas, for any logits, values and chance."""
    drawn = numpy.random.default_rng(playouts * 100 + considered)
    for seed in range(5):
        logits, worth, raw = drawn.normal(size=ARMS) * 2, drawn.uniform(-1, 1, ARMS), drawn.uniform(-1, 1)
        thought, search = searched(logits, raw, worth, playouts, seed, considered=considered)
        gumbel = numpy.array(search._trees[0].gumbel)
        visits, chosen, improved = by_the_paper(logits, raw, worth, playouts, gumbel, considered)
        assert thought.visits[0, 0].tolist() == visits.tolist()
        assert thought.actions.tolist() == [[chosen]]
        assert thought.improved[0, 0] == pytest.approx(improved, abs=1e-9)
        assert thought.policy()[0, 0] == pytest.approx(improved, abs=1e-9)


def test_with_exact_values_the_policy_improves() -> None:
    """The law that it was made for: neither the improved policy nor the chosen action is worth less than the policy.

    The first in each case, the second on average over its chance.
    """
    drawn = numpy.random.default_rng(1)
    gained = []
    for case in range(60):
        logits, worth = drawn.normal(size=ARMS) * 2, drawn.uniform(-1, 1, ARMS)
        policy = numpy.exp(logits) / numpy.exp(logits).sum()
        before = float(policy @ worth)
        playouts = int(drawn.integers(1, 24))
        thought, _ = searched(logits, before, worth, playouts, case, considered=int(drawn.integers(1, 9)))
        assert float(thought.improved[0, 0] @ worth) >= before - 1e-9
        gained.append(worth[thought.actions[0, 0]] - before)
    assert numpy.mean(gained) > 4 * numpy.std(gained) / 60**0.5  # far more than chance


def test_below_the_root_visits_become_the_improved_policy() -> None:
    """Without chance: each visit goes where it lags most behind, so that visits stay within one of their shares."""
    prior = [0.5, 0.3, 0.15, 0.05]
    tree = SimpleNamespace(
        first=[0], count=[4], prior=prior, visits=[0] * 4, raw=[0.2], total=[0.0] * 4, seen=[0], gumbel=[9.0, 0, 0, 9]
    )
    scratch = SimpleNamespace(worth=[0.0] * 4, seats=1)
    for done in range(1, 101):
        edge = improved_edge(tree, 0, scratch)
        tree.visits[edge] += 1
        tree.total[edge] += 0.2  # all are worth the same: the improved policy is the network's
        tree.seen[0] += 1
        assert all(abs(visits - share * done) < 1.5 for visits, share in zip(tree.visits, prior, strict=True))
    assert tree.visits == [50, 30, 15, 5]


@pytest.mark.parametrize("stones", [5, 6, 7, 9])
def test_a_network_that_knows_nothing_finds_the_winning_action(stones: int) -> None:
    """By the ends of matches alone, with a limit of playouts, with one node or several at a time, and over worlds."""
    for given in ({"leaves": 1}, {"leaves": 8}, {"positions": 3}):
        search = PUCT(GAME, 2, Network(), root="gumbel", gumbel_scale=0.0, **given)
        worlds = [pile(stones)] * given.get("positions", 1)
        choice = search.choose(pile(stones), 0, playouts=300, worlds=worlds)
        assert choice.action == stones % 4
        assert choice.value > 0.2


def test_without_chance_it_is_the_same_each_time_and_with_it_another() -> None:
    """`gumbel_scale=0` leaves nothing to the seed; else other actions are considered, and a seed repeats them."""
    still = [PUCT(GAME, 2, Network(1), root="gumbel", gumbel_scale=0, seed=seed) for seed in (1, 2)]
    assert still[0].choose(pile(40), 0, playouts=30) == still[1].choose(pile(40), 0, playouts=30)
    by_seed = [PUCT(GAME, 2, Network(), root="gumbel", considered=2, seed=seed) for seed in (*range(8), 7)]
    found = [search.think([pile(40)], playouts=8).visits.tolist() for search in by_seed]
    assert found[-1] == found[-2]
    assert any(one != found[0] for one in found)


@pytest.mark.parametrize("given", [{"leaves": 1}, {"positions": 3, "batch": 5, "considered": 3}])
def test_plain_and_compiled_choose_the_same(given: dict[str, Any], cache: Any) -> None:
    """With the same seed every visit, every action and the improved policy are the same, with dice too."""
    one, other = (
        PUCT(GAME, 2, Network(taste=1), root="gumbel", seed=3, nodes=300, compiled=compiled, **given)
        for compiled in (False, True)
    )
    for stones in ([30, 12, 9], [12, 9, 30]):
        states = [pile(number, dice=1) for number in stones][: given.get("positions", 1)]
        first, second = one.think(states, playouts=50), other.think(states, playouts=50)
        assert (first.visits == second.visits).all()
        assert (first.actions == second.actions).all()
        assert (first.values == second.values).all()
        assert first.improved == pytest.approx(second.improved, abs=1e-12)
    assert one.choose(pile(9), 0, playouts=90) == other.choose(pile(9), 0, playouts=90)


def test_by_time_alone_it_plans_for_what_the_search_before_has_made() -> None:
    """Also then an action comes out; what is wrong is said."""
    search = PUCT(GAME, 2, Network(), root="gumbel")
    for _ in range(2):
        assert search.choose(pile(9), 0, seconds=0.0).action in (1, 2, 3)
    for wrong in ({"root": "uct"}, {"considered": 0}, {"gumbel_scale": -1.0}):
        with pytest.raises(ValueError, match="`root` is one of puct, gumbel"):
            PUCT(GAME, 2, Network(), **{"root": "gumbel", **wrong})
