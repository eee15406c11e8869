"""Compiled games for PufferLib: its interface, with a stand-in for its base class where it is missing."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy
import pytest
from gymnasium import spaces

from dohyo.rl import VectorEnv

HERE = find_spec("pufferlib") is not None
RETURNED = ("observations", "rewards", "terminals", "truncations")
SHORT: dict[str, Any] = {"setup": {"pairs": 3}, "seat": None}

pytestmark = pytest.mark.filterwarnings("ignore")  # of PufferLib


def buffers(env: Any, count: int) -> dict[str, Any]:
    """What PufferLib hands to `count` environments such as this one: a piece of memory for all of them."""
    seen, rows = env.single_observation_space, count * env.num_agents
    kinds: dict[str, Any] = {"rewards": "f4", "terminals": "?", "truncations": "?", "masks": "?", "actions": "i4"}
    made = {name: numpy.zeros(rows, kind) for name, kind in kinds.items()}
    return {**made, "observations": numpy.zeros((rows, *seen.shape), seen.dtype)}


class StandIn:
    """What PufferLib 3.0's `PufferEnv` asks of an environment when it is made, and gives to it."""

    def __init__(self, buf: Any = None) -> None:
        given: Any = self
        assert given.num_agents >= 1
        assert isinstance(given.single_observation_space, spaces.Box)
        assert isinstance(given.single_action_space, spaces.Discrete)
        assert not hasattr(self, "observation_space")
        assert not hasattr(self, "action_space")
        for name, array in (buffers(self, 1) if buf is None else buf).items():
            setattr(self, name, array)


@pytest.fixture(scope="module")
def puffer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The module `dohyo.rl.puffer`; PufferLib leaves a link where it is imported."""
    patch = pytest.MonkeyPatch()
    patch.chdir(tmp_path_factory.mktemp("puffer"))
    if not HERE:
        module = ModuleType("pufferlib")
        module.PufferEnv = StandIn  # type: ignore[attr-defined]
        patch.setitem(sys.modules, "pufferlib", module)
    yield importlib.import_module("dohyo.rl.puffer")
    patch.undo()
    sys.modules.pop("dohyo.rl.puffer", None)


def test_what_is_seen_is_written_into_the_buffers_that_are_given(puffer: Any) -> None:
    """Two environments side by side in one memory: each writes its rows, and what is returned is that memory."""
    driver = puffer.Games("shoot-em-up", 3, **SHORT)
    whole = buffers(driver, 2)
    seen = driver.envs.single_observation_space
    assert driver.single_observation_space.shape == (seen.shape[0] + 17,)
    assert driver.single_observation_space.dtype == seen.dtype
    for k in range(2):
        rows = slice(k * 3, k * 3 + 3)
        env = puffer.Games("shoot-em-up", 3, buf={name: a[rows] for name, a in whole.items()}, seed=k, **SHORT)
        seen, told = env.reset(seed=5 + k)
        assert told == []
        assert (seen == whole["observations"][rows]).all()
        masks = env.observations[:, -env.action_mask_size :]
        assert masks.any(axis=1).all()
        results = env.step(masks.argmax(axis=1).astype(numpy.int32))
        for name, given in zip(RETURNED, results, strict=False):
            assert numpy.shares_memory(given, whole[name])
        assert isinstance(results[4], list)
        assert all(row in env.single_observation_space for row in env.observations)
        env.close()
    assert not (whole["observations"][:3] == whole["observations"][3:]).all()


def test_matches_follow_each_other_and_their_ends_are_told(puffer: Any) -> None:
    """Observations, masks, rewards and ends are those of the vector environment within; so are returns and places."""
    games = puffer.Games("shoot-em-up", 5, seed=3, **SHORT)
    beside = VectorEnv("shoot-em-up", 5, autoreset_mode="SameStep", threads=1, **SHORT)
    seen, info = beside.reset(seed=3)
    games.reset()
    ended, lengths = 0, numpy.zeros(5, int)
    for _ in range(9):
        assert (games.observations[:, :9] == seen).all()
        assert (games.observations[:, 9:] == info["action_mask"]).all()
        seen, rewards, done, _, info = beside.step(numpy.full(5, 12))
        *_, told = games.step(numpy.full(5, 12, numpy.int32))
        assert (games.rewards == rewards).all()
        assert (games.terminals == done).all()
        assert not games.truncations.any()
        lengths += 1
        assert len(told) == done.any()
        if told:
            ended += int(done.sum())
            places = info["final_info"]["places"][done, beside.learners[done]]
            wanted = [rewards[done].tolist(), lengths[done].tolist(), places.tolist()]
            assert [told[0][name] for name in ("episode_return", "episode_length", "place")] == wanted
        lengths[done] = 0
    assert ended > 5


def test_what_is_cut_is_truncated_and_without_masks_what_is_seen_keeps_its_shape(puffer: Any) -> None:
    """A limit of steps shows in its own buffer, and has no places."""
    games = puffer.Games("shoot-em-up", 2, masks=False, scaled=True, max_episode_steps=1, **SHORT)
    assert games.single_observation_space == games.envs.single_observation_space
    games.reset(seed=1)  # in which nobody has won after a turn
    *_, told = games.step(numpy.array([4, 4], numpy.int32))
    assert games.truncations.all()
    assert not games.terminals.any()
    assert told == [{"episode_return": [0.0, 0.0], "episode_length": [1, 1]}]


if HERE:  # nobody needs it to work on Dohyo: where it is not, there is nothing to skip

    @pytest.mark.parametrize("backend", ["Serial", "Multiprocessing"])
    def test_its_own_vectors_take_the_games(puffer: Any, backend: str) -> None:
        """In this process, and in a worker of PufferLib's, which is given memory that both share."""
        import pufferlib.vector  # type: ignore[import-not-found,import-untyped,unused-ignore]

        vector = pufferlib.vector
        envs = vector.make(
            puffer.Games, env_args=["shoot-em-up", 3], env_kwargs=SHORT, backend=getattr(vector, backend), num_envs=1
        )
        seen, _ = envs.reset(seed=5)
        assert (seen == puffer.Games("shoot-em-up", 3, **SHORT).reset(seed=5)[0]).all()
        assert envs.step(numpy.full(3, 12, numpy.int32))[0].shape == (3, 26)
        envs.close()
