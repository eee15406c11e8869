"""Values, best responses and CFR on random trees, against what trying everything gives; seats that move together."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.games import find
from dohyo.solve import (
    CFR,
    CFRPlus,
    InformationState,
    Policy,
    Tree,
    best_response,
    expected_value,
    exploitability,
    nash_conv,
)
from tests.solve.games import LAYOUT, Nodes, random_game

MAX_TRIED = 6  # information states of a seat whose pure strategies are all tried: 64


def uneven(knows: InformationState) -> list[float]:
    """Some policy."""
    return [0.3, 0.7] if len(knows.text) % 3 else [0.8, 0.2]


def worth(nodes: Nodes, policy: Policy, node: int = 0, known: tuple[str, ...] | None = None) -> list[float]:
    """What a node is worth to each seat, by going through everything below it; `known` are the seats' texts."""
    known = known or ("",) * nodes.seats
    kind, children = nodes.kind[node], nodes.children[node]
    if kind == -2:
        return nodes.payoff[node]
    shares, below = [1 / len(children)] * len(children), [known] * len(children)
    if kind >= 0:
        text = f"{known[kind]}{nodes.label[node]}"
        shares = list(policy.table(kind)[text].values())
        below = [(*known[:kind], f"{text}{at}\n", *known[kind + 1 :]) for at in range(len(children))]
    each = [worth(nodes, policy, child, texts) for child, texts in zip(children, below, strict=True)]
    return [sum(s * one[seat] for s, one in zip(shares, each, strict=True)) for seat in range(nodes.seats)]


@settings(deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([2, 3]))
def test_a_policy_is_worth_what_going_through_everything_says(seed: int, seats: int) -> None:
    """On random trees of two and three seats, with dice and hidden moves."""
    game, nodes = random_game(seed, seats)
    tree = Tree(game, seats, reward="score")
    policy = tree.policy(uneven)
    assert expected_value(tree, policy) == pytest.approx(worth(nodes, policy), abs=1e-9)


@pytest.mark.parametrize("name", ["chess", "backgammon"])
def test_a_tree_that_is_far_too_large_is_told_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits until so many nodes have been built."""
    built: list[int] = []
    monkeypatch.setattr(Tree, "_grow", lambda *_: built.append(1))
    with pytest.raises(OperatorError) as told:
        Tree(find(name), 2)
    assert (told.value.key, built) == ("solve-large", [])


def test_what_cannot_be_solved_is_refused() -> None:
    """A name that is no game, iterations that are none, and what nobody has learned yet are told in a sentence."""
    with pytest.raises(TypeError, match="the first argument is a game"):
        Tree("kuhn-poker", 2)  # type: ignore[arg-type]
    tree = Tree(find("kuhn-poker"), 2)
    solver = CFRPlus(tree)
    with pytest.raises(ValueError, match="iterations must be at least 1, not -1"):
        solver.run(-1)
    with pytest.raises(ValueError, match="nothing has been learned"):
        solver.average()
    with pytest.raises(ValueError, match="one for each of the 2 seats, not 1"):
        expected_value(tree, [tree.uniform()])


@settings(deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([2, 3]))
def test_a_best_response_is_the_best_of_all_pure_strategies(seed: int, seats: int) -> None:
    """No strategy of a seat does better against the others, and the one that was found does as well as is said."""
    game, _ = random_game(seed, seats)
    tree = Tree(game, seats, reward="score")
    policy = tree.policy(uneven)
    for seat in range(seats):
        mine = [each for each in tree.information_states if each.seat == seat]
        found = best_response(tree, policy, seat)
        assert expected_value(tree, found.policy)[seat] == pytest.approx(found.value, abs=1e-9)
        if len(mine) <= MAX_TRIED:
            tried = []
            for pure in itertools.product((0, 1), repeat=len(mine)):
                shares = policy.shares.copy()
                for each, choice in zip(mine, pure, strict=True):
                    shares[each.first : each.first + 2] = 1 - choice, choice
                tried.append(expected_value(tree, Policy(tree, shares))[seat])
            assert found.value == pytest.approx(max(tried), abs=1e-9)


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 10**6))
def test_regrets_lead_to_an_equilibrium(seed: int) -> None:
    """On random trees of two seats where one wins what the other loses, nobody gains 0.2 after 500 iterations."""
    game, _ = random_game(seed, 2)
    tree = Tree(game, 2, reward="score")
    for solver in (CFR(tree), CFRPlus(tree)):
        solver.run(500)
        assert -1e-9 <= nash_conv(tree, solver.average()) < 0.4
        assert exploitability(tree, solver.average()) < 0.2


def test_seats_that_move_together_do_not_know_of_each_other(scissors: Game) -> None:
    """Rock-paper-scissors where a win by rock counts 2: each takes paper half of the time, rock and scissors 1/4."""
    tree = Tree(scissors, 2, reward="score")
    assert [each.seat for each in tree.information_states] == [0, 1]
    solver = CFRPlus(tree)
    solver.run(3000)
    for shares in (solver.average().shares[:3], solver.average().shares[3:]):
        assert shares.tolist() == pytest.approx([0.25, 0.5, 0.25], abs=0.01)
    assert expected_value(tree, solver.average()) == pytest.approx([0, 0], abs=1e-3)


# OpenSpiel 1.5: goofspiel(imp_info=False,num_cards=3,points_order=random,returns_type=win_loss) as turn-based, and
# with point_difference, which is half of our margin.
GOOFSPIEL = {
    (CFR, "place"): {1: 1.3333333333333333, 5: 0.439565527065527, 20: 0.1108129028379693},
    (CFRPlus, "place"): {1: 1.3333333333333333, 5: 0.24219782782962676, 20: 0.016848130700921067},
    (CFR, "margin"): {1: 2 * 1.3333333333333333, 5: 2 * 0.34598251474727465, 20: 2 * 0.08387696166733377},
    (CFRPlus, "margin"): {1: 2 * 1.3333333333333333, 5: 2 * 0.2178868330931734, 20: 2 * 0.013423922776606713},
}


@pytest.mark.parametrize(("solver", "reward"), GOOFSPIEL)
def test_goofspiel_agrees_with_openspiel(goofspiel: Game, solver: type[CFR], reward: str) -> None:
    """Bids at the same time, prizes in any order: NashConv after 1, 5 and 20 iterations, to 1e-9."""
    tree = Tree(goofspiel, 2, reward=reward)
    learning = solver(tree)
    for iterations, conv in GOOFSPIEL[solver, reward].items():
        learning.run(iterations - learning.iterations)
        assert nash_conv(tree, learning.average()) == pytest.approx(conv, abs=1e-9)


def test_what_was_sent_before_is_remembered(goofspiel: Game) -> None:
    """In Goofspiel a seat is sent the last bids alone: the text tells more apart than the tensor."""
    assert not Tree(goofspiel, 2).tensors_differ()


def test_three_seats_and_other_rewards(goofspiel: Game) -> None:
    """OpenSpiel's NashConv of any bid of three seats by points is 4/3; exploitability is not defined there."""
    tree = Tree(goofspiel, 3, reward="score")
    assert nash_conv(tree, tree.uniform()) == pytest.approx(4 / 3, abs=1e-9)
    assert expected_value(tree, tree.uniform()) == pytest.approx([10 / 9] * 3)
    with pytest.raises(OperatorError, match="use nash_conv"):
        exploitability(tree, tree.uniform())


def test_policies_of_seats_are_put_together() -> None:
    """A policy for each seat: the first's for seat 0, the second's for seat 1."""
    tree = Tree(random_game(7)[0], 2, reward="score")
    one, other = tree.policy(uneven), tree.uniform()
    (value, _) = expected_value(tree, [best_response(tree, other, 0).policy, other])
    assert value == pytest.approx(best_response(tree, [one, other], 0).value)


def test_what_is_no_policy_is_refused() -> None:
    """Probabilities that do not sum up, too few of them, and those of another tree."""
    tree, other = Tree(random_game(7)[0]), Tree(random_game(8)[0])
    with pytest.raises(ValueError, match="their sum is 1"):
        tree.policy(lambda knows: [0.5, 0.6])
    with pytest.raises(ValueError, match="1 probabilities for 2 actions"):
        tree.policy(lambda knows: [1.0])
    with pytest.raises(ValueError, match="another tree"):
        expected_value(tree, other.uniform())
    with pytest.raises(ValueError, match="seats, not 1"):
        expected_value(tree, [tree.uniform()])
    with pytest.raises(ValueError, match="no seat 2"):
        best_response(tree, tree.uniform(), 2)


def test_a_game_that_is_too_large_is_said_soon() -> None:
    """Neither a tree of many nodes nor one without an end is waited for."""
    with pytest.raises(OperatorError, match="more than 2000 nodes"):
        Tree(find("othello"), most=2000)
    with pytest.raises(OperatorError, match="too much to count"):
        Tree(find("abotcalypse"))


def test_an_input_that_does_not_tell_what_is_legal_is_said() -> None:
    """Where one input goes with different legal actions, no policy could be followed."""
    game, nodes = random_game(5)
    nodes.kind[:], nodes.label[:], nodes.payoff[:] = [-1, 0, 0, -2, -2], [0] * 5, [[0.0, 0.0]] * 5
    nodes.children[:] = [[1, 2], [3, 4], [3, 4], [], []]

    def legal(s: object, seat: int, out: list[int]) -> int:
        out[0] = s.node % 2  # type: ignore[attr-defined]
        return 1

    vars(game.rules)["legal"] = legal
    with pytest.raises(OperatorError, match="does not tell it what it may do"):
        Tree(game)


def test_a_tree_may_begin_anywhere() -> None:
    """From a later state on, which stays as it was."""
    game, nodes = random_game(11, depth=5)
    state = LAYOUT.new()
    state.node = nodes.children[0][-1]
    tree = Tree(game, 2, reward="score", state=state)
    assert expected_value(tree, tree.uniform()) == pytest.approx(worth(nodes, tree.uniform(), state.node))
    assert state.node == nodes.children[0][-1]
