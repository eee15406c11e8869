"""OpenSpiel's connect four: a game in C++, and three ways to play it at random."""

from __future__ import annotations

import random
from itertools import count

import pyspiel
from playing import Way, serve, timed

GAMES = 300  # in one go
ROLLOUTS = 10_000

game = pyspiel.load_game("connect_four")
chooser = random.Random(4)
seeds = count(1)


def by_python() -> int:
    """The loop of its documentation: legal actions, one of them at random, until the game is over."""
    steps = 0
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chooser.choice(state.legal_actions()))
        steps += state.move_number()
    return steps


bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(2)]


def by_bots() -> int:
    """Its random bots, which play a whole game in C++."""
    steps = 0
    for _ in range(GAMES):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        steps += state.move_number()
    return steps


def mean_length() -> float:
    """Steps of a random game, over 20,000 of them: its rollouts do not tell theirs."""
    return sum(by_bots() for _ in range(67)) / (67 * GAMES)


evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=3)
# One simulation of the search: it evaluates the root, by so many random games in C++, and does nothing besides.
search = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 5, False)
ROLLOUT_STEPS = round(ROLLOUTS * mean_length())


def by_rollouts() -> int:
    """The rollouts of its search, which are random games in C++ from the first to the last."""
    search.mcts_search(game.new_initial_state())
    return ROLLOUT_STEPS


def for_learning() -> int:
    """A step, the observation of who moves next, and the mask of what is legal for it."""
    steps = 0
    for _ in range(GAMES // 10):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(chooser.random() * len(legal))])
            steps += 1
            if not state.is_terminal():
                state.observation_tensor(state.current_player())
                state.legal_actions_mask()
    return steps


serve(
    ["open_spiel"],
    [
        Way("rollout", "the rollouts of its search, in C++", 1, timed(by_rollouts)),
        Way("rollout", "its random bots, in C++", 1, timed(by_bots)),
        Way("rollout", "a loop in Python", 1, timed(by_python)),
        Way("step", "step, observation and mask, from Python", 1, timed(for_learning)),
    ],
)
