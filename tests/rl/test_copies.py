"""Environments, games and states pickled and copied: what comes out goes on identically."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import msgspec
import numpy
import pytest

from dohyo.core.flat import Layout
from dohyo.core.game import Game
from dohyo.games import find
from dohyo.rl import AEC, Env, Parallel, VectorEnv
from tests.core.heap import HEAP
from tests.rl.heaps import SEEN_HEAP
from tests.rl.small import every_game, short

copies = pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy])


def played(env: Any) -> list[bytes]:
    """Thirty decisions, over the ends of matches; all that is seen of them."""
    told = []
    for _ in range(30):
        mask = env.action_masks()
        if mask.ndim == 1 and not mask.any():
            seen, info = env.reset()
            told.append(seen.tobytes() + str(info["seed"]).encode())
            continue
        seen, reward, done, *_ = env.step(mask.argmax(axis=-1))
        told.append(seen.tobytes() + numpy.asarray(reward).tobytes() + numpy.asarray(done).tobytes())
    return told


@copies
@every_game
def test_an_environment_goes_on_identically(game: Game, copied: Any) -> None:
    """In the middle of a match: dice, random opponents and the seeds of later matches included."""
    env = Env(game, seat=None, **short(game))
    env.reset(seed=4)
    env.step(int(env.action_masks().argmax()))
    twin = copied(env)
    assert played(env) == played(twin)


@copies
def test_a_vector_environment_goes_on_identically(copied: Any) -> None:
    """With what it keeps between steps."""
    env = VectorEnv("shoot-em-up", 7, setup={"pairs": 3}, threads=1, max_episode_steps=5, seat=None)
    env.reset(seed=[1, 2, 3, 4, 5, 6, 7])
    env.step(numpy.full(7, 12))
    twin = copied(env)
    assert played(env) == played(twin)


@copies
@pytest.mark.parametrize("kind", [AEC, Parallel])
def test_environments_of_all_seats_go_on_identically(kind: Any, copied: Any) -> None:
    """PettingZoo's, whose agents are strings and dictionaries."""
    env = kind("abotcalypse", seats=3)
    env.reset(seed=4)
    twin = copied(env)
    told = []
    for one in (env, twin):
        for _ in range(9):
            one.step(0 if kind is AEC else dict.fromkeys(one.agents, 0))
        told.append(one.state().tobytes())
    assert told[0] == told[1]


@copies
def test_a_game_is_itself_and_a_state_is_another(copied: Any) -> None:
    """Games come by their names, changed ones with what was changed, those of a module by its variable."""
    game = find("drop-block")
    assert copied(game) is game
    assert copied(HEAP) is HEAP
    assert copied(SEEN_HEAP) is SEEN_HEAP
    env = Env(game)
    env.reset(seed=1)
    state = env._match.state
    twin = copied(state)
    assert type(twin) is type(state)
    assert game.rules.LAYOUT.as_dict(twin) == game.rules.LAYOUT.as_dict(state)
    twin.row[0] += 1
    assert game.rules.LAYOUT.as_dict(twin) != game.rules.LAYOUT.as_dict(state)


def test_a_game_with_another_observation_is_pickled_with_it() -> None:
    """What `msgspec.structs.replace` changed is kept, and nothing else travels."""
    other = msgspec.structs.replace(find("drop-block"), observation=find("shoot-em-up").observation)
    packed = pickle.dumps(other)
    assert len(packed) < 2000
    found = pickle.loads(packed)
    assert found.observation.PLANES == find("shoot-em-up").observation.PLANES  # type: ignore[union-attr]
    assert found.name == "drop-block"
    nowhere = msgspec.structs.replace(HEAP, name="no-such-game")
    with pytest.raises(pickle.PicklingError, match="no-such-game"):
        pickle.dumps([nowhere])


def test_a_layout_that_nobody_has_declared_here_is_declared_again() -> None:
    """As in a process that has not imported the game."""
    layout = Layout("Unknown", ("a", "i2", (2, 3)), ("b", "f8", 0), ("c", "i8", 1))
    state = layout.new()
    state.a[4], state.b = 7, 0.5
    packed, values = pickle.dumps(state), layout.as_dict(state)
    del layout, state
    found = pickle.loads(packed)
    again = pickle.loads(pickle.dumps(Layout("Unknown", ("a", "i2", (2, 3)), ("b", "f8", 0), ("c", "i8", 1))))
    assert again.as_dict(found) == values
    assert again.shapes == {"a": (2, 3), "b": (), "c": (1,)}


def test_processes_of_a_running_match_cannot_be_copied() -> None:
    """An opponent that is a program: the environment can be copied between matches, and says so."""
    env = Env("shoot-em-up", opponents="gunner", setup={"pairs": 1})
    copy.deepcopy(env)
    env.reset(seed=1)
    with pytest.raises(TypeError, match="between matches"):
        pickle.dumps(env)
    env.close()
    pickle.loads(pickle.dumps(env)).close()
