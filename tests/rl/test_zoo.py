"""PettingZoo's own checkers over all games, and what the checkers do not look at."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import numpy
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from dohyo.core.game import Game, Turns
from dohyo.rl import AEC, Parallel, parallel_env
from tests.rl.small import any_legal, every_game, short

# The checkers know by name which environments have masks, and warn about all others.
pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{words}")
    for words in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "Action mask numpy array is all zeros",  # of agents that are told the end
        "Observation numpy array is all zeros",  # of a board with nothing on it
    )
]


@every_game
def test_agents_in_turn_pass_the_api_test(game: Game) -> None:
    """PettingZoo's `api_test` has nothing to say against the AEC environment."""
    api_test(AEC(game, **short(game), render_mode="ansi"), num_cycles=40)


@every_game
def test_agents_in_turn_pass_the_seed_test(game: Game) -> None:
    """Two AEC environments with one seed are the same, step by step."""
    seed_test(partial(AEC, game, **short(game)), num_cycles=20)


@every_game
def test_agents_at_once_pass_the_api_test(game: Game) -> None:
    """PettingZoo's `parallel_api_test` has nothing to say against the parallel environment."""
    parallel_api_test(Parallel(game, **short(game), render_mode="ansi"), num_cycles=80)


@every_game
def test_agents_at_once_pass_the_seed_test(game: Game) -> None:
    """Two parallel environments with one seed are the same, step by step, whatever is done in them."""
    parallel_seed_test(partial(Parallel, game, **short(game)), num_cycles=20)


@every_game
def test_masks_are_the_legal_actions(game: Game) -> None:
    """The mask of whoever is asked holds the legal actions and no other; that of everybody else is all zeros."""
    env, chance = Parallel(game, **short(game)), numpy.random.default_rng(3)
    seen, _ = env.reset(seed=11)
    turns = 0
    while env.agents and turns < 40:
        asked = game.acting(env.match.state, env.match.seats)
        actions: dict[str, Any] = {}
        for seat, agent in enumerate(env.possible_agents):
            allowed = set(game.legal_actions(env.match.state, seat)) if seat in asked else set()
            mask = seen[agent]["action_mask"]
            assert set(numpy.flatnonzero(mask)) == allowed
            actions[agent] = any_legal(mask, chance) if seat in asked else -1  # not looked at
        seen, *_ = env.step(actions)
        turns += 1
    assert turns > 1


@every_game
def test_a_whole_match_ends_for_all_at_once_with_the_rewards_of_its_places(game: Game) -> None:
    """In the last step every agent is told the end; rewards are 1 down to -1 by places, and sum to nothing."""
    env, chance = AEC(game, **short(game)), numpy.random.default_rng(4)
    env.reset(seed=5)
    acted: Counter[str] = Counter()
    total = dict.fromkeys(env.possible_agents, 0.0)
    places: tuple[int, ...] = ()
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        assert not truncated
        if terminated:
            places = info["places"]
        else:
            acted[agent] += 1
            assert set(env.agents) == set(env.possible_agents)
        env.step(None if terminated else any_legal(seen["action_mask"], chance))
    others = len(places) - 1
    expected = [(sum(p > mine for p in places) - sum(p < mine for p in places)) / others for mine in places]
    assert list(total.values()) == pytest.approx(expected)
    assert sum(acted.values()) > 0


def test_where_all_decide_at_once_the_turn_waits_for_the_last() -> None:
    """In a game of simultaneous turns the AEC environment asks each agent, and then plays the turn."""
    from dohyo.games import find

    game = find("abotcalypse")
    assert game.turns is Turns.SIMULTANEOUS
    env = AEC(game, seats=3)
    env.reset(seed=1)
    order = []
    for _ in range(3):
        assert env.match.referee.turn == 0
        order.append(env.agent_selection)
        env.step(0)
    assert order == env.possible_agents
    assert env.match.referee.turn == 1
    assert env.agent_selection == "player_0"


def test_an_action_against_the_rules_is_a_fault_or_an_error() -> None:
    """By default the rules answer it, as a bot's (in Wondev Woman: out); with "raise" nothing has happened."""
    env = AEC("wondev-woman", setup={"map": "square"})
    env.reset(seed=2)
    wrong = int(numpy.flatnonzero(env.observe("player_0")["action_mask"] == 0)[0])
    env.step(wrong)
    assert env.match.state.out[0] == 1
    strict = AEC("wondev-woman", setup={"map": "square"}, illegal="raise")
    strict.reset(seed=2)
    with pytest.raises(ValueError, match="not legal for seat 0"):
        strict.step(wrong)
    assert strict.match.referee.turn == 0
    assert strict.agent_selection == "player_0"


def test_at_once_a_wrong_action_moves_nothing_and_after_the_end_nothing_happens() -> None:
    """What is missing or no action is an error, and the match stays; without agents a step returns nothing."""
    env = Parallel("shoot-em-up", setup={"pairs": 1})
    env.reset(seed=1)
    with pytest.raises(KeyError):
        env.step({"player_1": 4})
    with pytest.raises(ValueError, match="no action"):
        env.step({"player_0": 17, "player_1": 4})
    assert env.match.referee.turn == 0
    for _ in range(2):
        *_, terminations, _, _ = env.step({"player_0": 4, "player_1": 4})
    assert all(terminations.values())
    assert env.agents == []
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_only_games_of_simultaneous_turns_are_parallel() -> None:
    """`parallel_env` and the metadata say so where PettingZoo's meaning is met, and nowhere else."""
    assert isinstance(parallel_env("abotcalypse"), Parallel)
    assert AEC("abotcalypse").metadata["is_parallelizable"] is True
    assert AEC("drop-block").metadata["is_parallelizable"] is False
    with pytest.raises(ValueError, match="AEC"):
        parallel_env("drop-block")


def test_masks_can_be_in_the_infos_and_observations_plain_arrays() -> None:
    """As wrappers want it that know no dictionaries: the same numbers in other places."""
    for kind in (AEC, Parallel):
        usual, plain = kind("drop-block", setup={"turns": 8}), kind("drop-block", setup={"turns": 8}, masks="info")
        first, second = usual.reset(seed=1), plain.reset(seed=1)
        for agent in usual.possible_agents:
            both = usual._see(agent)
            seen = plain.observe(agent) if kind is AEC else second[0][agent]
            told = plain.infos[agent] if kind is AEC else second[1][agent]
            assert seen in plain.observation_space(agent)
            assert (seen == both["observation"]).all()
            assert (told["action_mask"] == both["action_mask"]).all()
        assert (first is None) == (kind is AEC)
    api_test(AEC("drop-block", setup={"turns": 8}, masks="info"), num_cycles=20)
    parallel_api_test(Parallel("drop-block", setup={"turns": 8}, masks="info"), num_cycles=20)
    with pytest.raises(ValueError, match="'observation' or 'info'"):
        AEC("drop-block", masks="none")
