"""Kuhn and Leduc poker agree with OpenSpiel 1.5.

The numbers were made with it (`pip install open_spiel==1.5`): `pyspiel.CFRSolver` and `pyspiel.CFRPlusSolver` with
`pyspiel.nash_conv`, `exploitability.nash_conv(..., return_only_nash_conv=False)` and
`expected_game_score.policy_value` from `open_spiel.python.algorithms`. Its Leduc poker tells six cards apart, which
changes no number here; with `suit_isomorphism=True` it has as many information states as ours.
"""

from __future__ import annotations

import pickle
import random

import pytest

from dohyo.core.referee import Answer, Referee
from dohyo.games import find
from dohyo.solve import CFR, CFRPlus, InformationState, Tree, best_response, expected_value, exploitability, nash_conv

NAMES = ("kuhn-poker", "leduc-poker")
STATES = {"kuhn-poker": 12, "leduc-poker": 288}
# By game and policy: the first seat's value, what each seat gains by a best response, NashConv.
POLICIES = {
    ("kuhn-poker", "uniform"): (0.125, 0.375, 0.5416666666666666, 0.9166666666666666),
    ("kuhn-poker", "fixed"): (-0.0588667285095858, 0.2738739435168007, 0.25606833642547905, 0.5299422799422797),
    ("leduc-poker", "uniform"): (-0.078125, 2.165625, 2.5815972222222223, 4.747222222222222),
    ("leduc-poker", "fixed"): (-0.055450010333579214, 2.580822450727597, 2.332061235100045, 4.912883685827643),
}
# By game and algorithm: NashConv of the average policy after so many iterations.
LEARNED = {
    ("kuhn-poker", CFR): {
        1: 0.9166666666666666,
        2: 0.5416666666666667,
        5: 0.24277777777777781,
        10: 0.1373975876343151,
        100: 0.016451954631830412,
    },
    ("kuhn-poker", CFRPlus): {
        1: 0.9166666666666666,
        2: 0.5277777777777777,
        5: 0.14668905899189577,
        10: 0.06537418133668965,
        100: 0.002388808202223369,
    },
    ("leduc-poker", CFR): {
        1: 4.747222222222222,
        2: 4.122638888888889,
        5: 2.9426491193731366,
        10: 1.777157966337538,
        100: 0.19143270600919524,
    },
    ("leduc-poker", CFRPlus): {
        1: 4.747222222222222,
        2: 4.115833333333334,
        5: 2.74246474085599,
        10: 1.2208778031808132,
        100: 0.02683198994179567,
    },
}
TREES = {name: Tree(find(name), 2, reward="score") for name in NAMES}


def fixed(knows: InformationState) -> list[float]:
    """Some policy that any program can follow: weights by seat, own card, open card and moves so far."""
    state = knows.state
    moves = "".join(str(move) for move in state.moves if move)
    number = 7
    for sign in f"{knows.seat}{state.card[knows.seat]}{getattr(state, 'open', 0)}{moves}":
        number = (number * 31 + ord(sign)) % 1009
    weights = []
    for action in range(len(knows.actions)):
        number = (number * 37 + 11 * action + 5) % 1009
        weights.append(1 + number % 10)
    return [weight / sum(weights) for weight in weights]


@pytest.mark.parametrize("name", NAMES)
def test_there_are_as_many_information_states(name: str) -> None:
    """12 in Kuhn poker, 288 in Leduc poker where cards of a rank are the same."""
    assert len(TREES[name].information_states) == STATES[name]


@pytest.mark.parametrize(("name", "kind"), POLICIES)
def test_values_and_best_responses_agree(name: str, kind: str) -> None:
    """Value, each seat's gain by a best response, NashConv and exploitability, to 1e-9."""
    tree = TREES[name]
    policy = tree.uniform() if kind == "uniform" else tree.policy(fixed)
    value, first, second, conv = POLICIES[name, kind]
    values = expected_value(tree, policy)
    assert values == pytest.approx([value, -value], abs=1e-9)
    for seat, gain in enumerate((first, second)):
        found = best_response(tree, policy, seat)
        assert found.value - values[seat] == pytest.approx(gain, abs=1e-9)
        assert expected_value(tree, found.policy)[seat] == pytest.approx(found.value, abs=1e-12)
    assert nash_conv(tree, policy) == pytest.approx(conv, abs=1e-9)
    assert exploitability(tree, policy) == pytest.approx(conv / 2, abs=1e-9)


@pytest.mark.parametrize(("name", "solver"), LEARNED)
def test_what_is_learned_agrees(name: str, solver: type[CFR]) -> None:
    """NashConv after 1, 2, 5, 10 and 100 iterations of CFR and CFR+, to 1e-9."""
    learning = solver(TREES[name])
    for iterations, conv in LEARNED[name, solver].items():
        learning.run(iterations - learning.iterations)
        assert nash_conv(TREES[name], learning.average()) == pytest.approx(conv, abs=1e-9)


def test_kuhn_poker_is_worth_what_is_known() -> None:
    """The first seat loses 1/18 in equilibrium; a king calls always, a jack never, against a bet."""
    tree = TREES["kuhn-poker"]
    learning = CFRPlus(tree)
    learning.run(2000)
    policy = learning.average()
    assert expected_value(tree, policy)[0] == pytest.approx(-1 / 18, abs=1e-4)
    for knows in tree.information_states:
        called = policy.of(knows)[1]
        if knows.seat == 1 and "moves b" in knows.prompt:
            card = knows.prompt.partition("card ")[2][0]
            assert called == pytest.approx({"J": 0, "Q": 1 / 3, "K": 1}[card], abs=0.02)


def test_what_is_learned_can_be_kept_and_goes_on() -> None:
    """A solver that was pickled and read again goes on as it would have."""
    learning = CFRPlus(TREES["kuhn-poker"])
    learning.run(5)
    other = pickle.loads(pickle.dumps(learning))
    learning.run(5)
    other.run(5)
    assert other.average().table(0) == learning.average().table(0)


@pytest.mark.parametrize("name", NAMES)
def test_a_program_finds_its_information_state(name: str) -> None:
    """What a seat was sent and has answered in a match, in order, is a text of the policy's table."""
    game, tables = find(name), [TREES[name].uniform().table(seat) for seat in range(2)]
    assert sum(map(len, tables)) == STATES[name]
    chooser, asked = random.Random(1), 0
    for seed in range(20):
        referee, texts = Referee(game, {}, 2, seed), ["", ""]
        while not referee.over:
            (seat,) = referee.pending()
            texts[seat] += referee.prompt(seat).decode()
            word = chooser.choice(list(tables[seat][texts[seat]]))
            texts[seat] += f"{word}\n"
            referee.submit({seat: Answer(word)})
            asked += 1
    assert asked > 40


@pytest.mark.parametrize("name", NAMES)
def test_tensors_are_what_a_learner_sees(name: str) -> None:
    """The tensor is the game's observation; in these two games it tells each information state from the others."""
    tree = TREES[name]
    observation = find(name).observation
    assert observation is not None
    assert tree.information_states[0].tensor().shape == (len(observation.PLANES), *observation.SHAPE)
    assert tree.tensors_differ()
