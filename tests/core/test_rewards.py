"""What a match is worth to each seat: places, points, margins, functions of one's own; and what steps pay."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.flat import flat
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.rewards import Reward, rewards_at_end, rewards_of
from dohyo.kaggle import make
from dohyo.search import PUCT, AlphaBeta, Beam, Search
from dohyo.solve import Expectimax, Tree

KUHN, BACKGAMMON = games.find("kuhn-poker"), games.find("backgammon")
PASS, BET = 0, 1
GAMMON = 2


@flat
def chips(s: Any, seat: int) -> float:
    """What a seat has put into the pot."""
    return s.paid[seat]  # type: ignore[no-any-return]


def kuhn(cards: tuple[int, int], *actions: int) -> Any:
    """A match of Kuhn poker with these cards, after these actions."""
    state = KUHN.new_state({}, 2)
    KUHN.rules.deal(state, cards, None)
    for action in actions:
        KUHN.rules.step(state, [action] * 2, None)
    return state


def ended(game: Game, seed: int, seats: int) -> Referee:
    """A match of random actions, played to its end."""
    referee, chooser = Referee(game, resolve(game.options, {}), seats, seed), random.Random(seed)
    while not referee.over:
        answers = {}
        for seat in referee.pending():
            legal = game.legal_actions(referee.state, seat) or game.rules.CONCESSIONS
            answers[seat] = Answer(game.protocol.text(chooser.choice(legal)), seconds=0.001)
        referee.submit(answers)
    return referee


@pytest.mark.parametrize(
    ("actions", "won"),
    [((PASS, PASS), 1), ((BET, BET), 2), ((BET, PASS), 1), ((PASS, BET, PASS), -1), ((PASS, BET, BET), 2)],
)
def test_poker_is_worth_its_chips(actions: tuple[int, ...], won: int) -> None:
    """By the score, a called bet with the king counts two chips, and an ante one; by places each of them counts 1."""
    over = kuhn((3, 1), *actions)
    assert rewards_of(KUHN, 2, "score").payoffs_of(over) == [won, -won]
    assert rewards_of(KUHN, 2, "margin").payoffs_of(over) == [2 * won, -2 * won]
    assert rewards_of(KUHN, 2).payoffs_of(over) == ([1, -1] if won > 0 else [-1, 1])


def test_a_gammon_counts_two() -> None:
    """In backgammon the score of a gammon is 2, of a backgammon 3; its place is that of any other win."""
    state = BACKGAMMON.new_state(resolve(BACKGAMMON.options, {}), 2)
    state.off[1], state.ended = 15, GAMMON
    assert rewards_of(BACKGAMMON, 2, "score").payoffs_of(state) == [-2, 2]
    assert rewards_of(BACKGAMMON, 2).payoffs_of(state) == [-1, 1]


def test_a_margin_is_to_the_mean_of_the_others() -> None:
    """With more than two seats a margin is the own points less the mean of the others', and all sum up to 0."""
    game = games.find("abotcalypse")
    referee = ended(game, 3, 4)
    points = game.score(referee.state, 4)
    found = rewards_of(game, 4, "margin").payoffs_of(referee.state)
    assert found == pytest.approx([own - (sum(points) - own) / 3 for own in points])
    assert len(set(points)) > 1
    assert sum(found) == pytest.approx(0)


def test_a_function_of_ones_own() -> None:
    """A flat function of the last state and a seat is a reward as any word is."""
    assert rewards_of(KUHN, 2, chips).payoffs_of(kuhn((3, 1), BET, PASS)) == [2, 1]


def test_a_referees_places_count() -> None:
    """Where a referee has placed the seats, by a rule of its operator's, those places are what is paid."""
    state = BACKGAMMON.new_state(resolve(BACKGAMMON.options, {}), 2)
    assert rewards_of(BACKGAMMON, 2).payoffs_of(state, (2, 1)) == [-1, 1]


@pytest.mark.parametrize("shaping", ["score", "margin", chips])
def test_what_is_promised_is_taken_back(shaping: Any) -> None:
    """All steps of a match pay, with its end, what the end alone does, less what the beginning has promised."""
    reward = rewards_of(KUHN, 2, Reward("score", shaping, discount=0.9))
    actions = (PASS, BET, BET)
    states = [kuhn((2, 3), *actions[:count]) for count in range(len(actions) + 1)]
    promised = [reward.potentials_of(state, state is states[-1]) for state in states]
    sums = [0.0, 0.0]
    for at in range(len(actions)):
        for seat in range(2):
            sums[seat] += 0.9**at * (0.9 * promised[at + 1][seat] - promised[at][seat])
    assert sums == pytest.approx([-each for each in promised[0]])
    assert promised[-1] == [0, 0]
    assert any(promised[2])


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("chips", "reward-unknown"),
        (Reward(shaping="place"), "reward-unknown"),
        (lambda s, seat: 1.0, "reward-not-flat"),
        (3, "reward-not-flat"),
        (Reward(discount=0), "reward-discount"),
        (Reward(discount=float("nan")), "reward-discount"),
        (Reward(discount=1.5), "reward-discount"),
    ],
)
def test_what_is_no_reward_is_refused(given: Any, key: str) -> None:
    """One sentence says what is wrong, and what could be taken."""
    with pytest.raises(OperatorError) as caught:
        rewards_of(KUHN, 2, given)
    assert caught.value.key == key


@pytest.mark.parametrize("given", ["score", "margin", Reward(shaping="score")])
def test_points_of_a_game_without_any_are_refused(given: Any) -> None:
    """A game that counts no points says so, whether they are wanted at the end or at each step."""
    with pytest.raises(OperatorError, match="hex has none") as caught:
        rewards_of(games.find("hex"), 2, given)
    assert caught.value.key == "reward-no-scores"


def test_the_default_is_known_however_it_is_said() -> None:
    """No reward, the word and a `Reward` without anything are the same one; no other is."""
    assert rewards_of(KUHN, 2).by_place
    assert all(rewards_of(KUHN, 2, given).by_place for given in ("place", Reward(), Reward("place", discount=0.9)))
    others = "score", "margin", chips, Reward("place", "score")
    assert not any(rewards_of(KUHN, 2, given).by_place for given in others)


def test_where_ends_alone_are_paid_steps_are_refused() -> None:
    """A search, a solver and Kaggle's environments do not pass over a shaping in silence: all say so."""
    shaped = Reward("score", "score")
    asked: list[Callable[[], Any]] = [
        lambda: rewards_at_end(KUHN, 2, shaped),
        lambda: Search(KUHN, 2, reward=shaped),
        lambda: Beam(KUHN, 2, reward=shaped),
        lambda: PUCT(KUHN, 2, lambda seen, masks: (masks, seen), reward=shaped),
        lambda: AlphaBeta(games.find("othello"), value=chips, reward=shaped),
        lambda: Tree(KUHN, 2, reward=shaped),
        lambda: Expectimax(BACKGAMMON, 2, reward=shaped),
        lambda: make("kuhn-poker", reward=shaped),
    ]
    for ask in asked:
        with pytest.raises(OperatorError) as caught:
            ask()
        assert caught.value.key == "reward-shaped"
    assert rewards_at_end(KUHN, 2, "margin").reward == Reward("margin")


def test_a_reward_goes_to_another_process() -> None:
    """What asks for a reward can be pickled, with a function of one's own, too."""
    given = Reward(chips, "score", 0.5)
    assert pickle.loads(pickle.dumps(given)) == given
