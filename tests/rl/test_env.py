"""The Gymnasium environment of one learner."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import gymnasium
import numpy
import pytest
from gymnasium.utils.env_checker import check_env

from dohyo import classics
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.referee import Referee
from dohyo.games import find
from dohyo.i18n import ENGLISH
from dohyo.rl import AEC, Env, Parallel, require
from dohyo.rl.registration import id_of
from tests.rl.small import any_legal, every_game, short


@every_game
def test_gymnasiums_checker_has_nothing_to_say(game: Game) -> None:
    """`check_env` finds no fault, and warns of nothing, in the registered environment."""
    env = gymnasium.make(id_of(game), **short(game))
    check_env(env.unwrapped)
    env.close()


@every_game
@pytest.mark.parametrize("scaled", [False, True])
def test_a_whole_match_stays_within_its_spaces(game: Game, scaled: bool) -> None:
    """Every observation is in its space, masks are the legal actions, and only the last reward counts."""
    env, chance = Env(game, seat=None, scaled=scaled, **short(game)), numpy.random.default_rng(1)
    seen, info = env.reset(seed=8)
    is_over, rewards = False, []
    while not is_over and len(rewards) < 150:
        assert seen in env.observation_space
        assert set(numpy.flatnonzero(info["action_mask"])) == set(game.legal_actions(env._match.state, info["seat"]))
        assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
        seen, reward, is_over, truncated, info = env.step(any_legal(info["action_mask"], chance))
        assert not truncated
        rewards.append(reward)
    if is_over:
        assert seen in env.observation_space
        assert not info["action_mask"].any()
        assert len(info["places"]) == env._match.seats
        assert info["reason_key"] in game.rules.REASONS.values()
        assert info["reason"] == ENGLISH.knowing(game.catalogue).say(info["reason_key"])
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)
    assert not any(rewards[:-1])


@every_game
def test_a_seed_is_the_matchs_own(game: Game) -> None:
    """The dice of a match are those that the referee has for the same seed; without one they are told, and repeat."""
    env = Env(game, **short(game))
    _, info = env.reset(seed=42)
    assert info["seed"] == 42
    assert env._match.referee._rolled == Referee(game, env._match.setup, env._match.seats, 42)._rolled
    _, drawn = env.reset()
    env.reset(seed=42)
    _, again = env.reset()
    assert drawn["seed"] == again["seed"] != 42


@every_game
def test_the_same_seed_and_actions_make_the_same_episode(game: Game) -> None:
    """Observations, rewards and masks repeat, the opponents' luck included."""
    told: list[list[Any]] = []
    for _ in range(2):
        env, chance = Env(game, seat=None, **short(game)), numpy.random.default_rng(6)
        seen, info = env.reset(seed=9)
        episode, is_over = [seen.tolist()], False
        while not is_over and len(episode) < 30:
            seen, reward, is_over, _, info = env.step(any_legal(info["action_mask"], chance))
            episode.append([seen.tolist(), reward, info["action_mask"].tolist()])
        told.append(episode)
    assert told[0] == told[1]


def test_a_function_plays_against_the_learner() -> None:
    """An opponent that is a function is asked with what its own seat sees and may do."""
    asked: list[tuple[Any, Any]] = []

    def stay(observation: Any, mask: Any) -> int:
        asked.append((observation, mask))
        return 4

    env = Env("shoot-em-up", opponents=stay, setup={"places": [2, 3, 7, 8], "pairs": 3})
    env.reset(seed=1)
    for _ in range(3):
        *_, is_over, _, info = env.step(4)
    assert is_over
    assert len(asked) == 3
    assert all(observation[:2].tolist() == [7, 8] and mask.all() for observation, mask in asked)
    assert info["places"] == (1, 1)


def test_the_learner_sits_where_it_is_told_or_anywhere() -> None:
    """A seat is kept; with none, every seat comes up, and opponents sit behind the learner in their order."""
    env = Env("drop-block", seat=2, setup={"turns": 8})
    assert env.reset(seed=1)[1]["seat"] == 2
    anywhere = Env("drop-block", seat=None, setup={"turns": 8})
    anywhere.reset(seed=1)
    assert {anywhere.reset()[1]["seat"] for _ in range(40)} == {0, 1, 2, 3}
    seen: list[int] = []

    def policy(number: int) -> Any:
        return lambda observation, mask: seen.append(number) or 5

    placed = Env("drop-block", opponents=[policy(1), policy(2), policy(3)], seat=1, setup={"turns": 8})
    placed.reset(seed=1)
    placed.step(5)
    assert seen == [3, 1, 2, 3]  # seat 0 before the learner's first turn; then those behind it, round the table


@pytest.mark.parametrize("action", [17, -1, 1.5, None, "4"])
def test_what_is_no_action_is_refused_and_nothing_moves(action: Any) -> None:
    """A number out of range or no whole number is a `ValueError` or a `TypeError`; the match stays as it was."""
    env = Env("shoot-em-up")
    env.reset(seed=1)
    with pytest.raises((ValueError, TypeError)):
        env.step(action)
    assert env._match.referee.turn == 0


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"seat": 2}, ValueError),
        ({"opponents": ["random", "random"]}, OperatorError),  # three would play, and two can
        ({"opponents": 7}, TypeError),
        ({"illegal": "ignore"}, ValueError),
        ({"render_mode": "human"}, ValueError),
        ({"setup": {"pears": 3}}, OperatorError),
        ({"opponents": "no-such-bot"}, OperatorError),
    ],
)
def test_wrong_wishes_are_refused_in_a_sentence(options: dict[str, Any], error: type[Exception]) -> None:
    """What cannot be played is refused when the environment is made."""
    with pytest.raises(error, match=r"\w+ \w+"):
        Env("shoot-em-up", **options)


def test_a_match_that_never_asks_the_learner_is_an_error() -> None:
    """Where every match is over before the learner's turn, `reset` says so instead of going on for ever."""
    env = Env("shoot-em-up", seat=1, opponents=lambda observation, mask: 0, setup={"places": [0, 0, 5, 5]})
    with pytest.raises(OperatorError, match="never to move"):
        env.reset(seed=1)


@pytest.mark.parametrize("made", [Env, AEC, Parallel])
def test_a_setup_with_which_nothing_is_played_is_refused(made: Any) -> None:
    """No environment begins a match that is over before its first turn."""
    with pytest.raises(OperatorError, match="over before its first turn"):
        made("drop-block", setup={"turns": 0})


@pytest.mark.parametrize("made", [Env, AEC, Parallel])
def test_seeds_that_no_match_has_are_refused(made: Any) -> None:
    """None of them means the dice of another seed: the greatest is 2**63 - 1."""
    env = made("drop-block")
    env.reset(seed=2**63 - 1)
    for seed in (2**63, 2**64 + 7):
        with pytest.raises(ValueError, match="seed must be at least 0 and at most"):
            env.reset(seed=seed)


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing library is an operator's mistake with its remedy."""
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(OperatorError, match=r"pettingzoo.*dohyo\[rl\]"):
        require("numpy", "gymnasium", "pettingzoo")


def test_a_game_that_shows_learners_nothing_is_refused() -> None:
    """Without an observation there is no environment."""
    import msgspec

    blind = msgspec.structs.replace(find("shoot-em-up"), observation=None)
    with pytest.raises(OperatorError, match=r"observation_space\.py"):
        Env(blind)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"opponents": ["random", "random"]}, "has 3 opponents beside the learner, and 2 are listed"),
        ({"seats": 3}, "is played on 4 seats, not on 3"),
    ],
)
def test_seats_are_told_as_seats(given: dict[str, Any], told: str) -> None:
    """Who learns is no bot: a wrong number is told in seats, and of a list in opponents."""
    with pytest.raises(OperatorError, match=told):
        Env("drop-block", **given)


@pytest.mark.parametrize("name", classics.NAMES)
def test_every_classic_game_is_registered(name: str) -> None:
    """Under the version of its rules; and it has observations, which nobody looks at before it is made."""
    game = find(name)
    assert game.observation is not None
    env = gymnasium.make(id_of(game))
    _, info = env.reset(seed=1)
    assert info["action_mask"].any()
    env.close()


def test_no_classic_game_is_imported_by_registering() -> None:
    """Who imports the environments pays for no game that is not made."""
    asked = "import sys, dohyo.rl; print([name for name in sys.modules if name.startswith('dohyo.classics.')])"
    alone = {name: value for name, value in os.environ.items() if name != "DOHYO_GAMES"}
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, env=alone)
    assert told.stdout.strip() == "[]"
