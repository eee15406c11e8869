"""Compiled games for Stable-Baselines3: its interface, with a stand-in for its base class where it is missing."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy
import pytest

from dohyo.core.game import Game
from dohyo.rl import VectorEnv
from dohyo.rl.registration import id_of
from tests.rl.small import every_game

HERE = find_spec("stable_baselines3") is not None


class StandIn:
    """What `Games` takes from Stable-Baselines3's `VecEnv`."""

    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self._reset_seeds()
        assert self.get_attr("render_mode") == [None] * num_envs  # type: ignore[attr-defined]

    def _reset_seeds(self) -> None:
        self._seeds: list[int | None] = [None] * self.num_envs

    def _reset_options(self) -> None:
        pass

    def seed(self, seed: int) -> None:
        self._seeds = [seed + i for i in range(self.num_envs)]

    def step(self, actions: Any) -> Any:
        self.step_async(actions)  # type: ignore[attr-defined]
        return self.step_wait()  # type: ignore[attr-defined]

    def has_attr(self, name: str) -> bool:
        try:
            self.get_attr(name)  # type: ignore[attr-defined]
        except AttributeError:
            return False
        return True

    def _get_indices(self, indices: Any) -> Any:
        return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices


@pytest.fixture(scope="module")
def sb3() -> Iterator[Any]:
    """The module `dohyo.rl.sb3`."""
    patch = pytest.MonkeyPatch()
    if not HERE:
        name = ""
        for part in ("stable_baselines3", "common", "vec_env"):
            name = f"{name}.{part}".strip(".")
            patch.setitem(sys.modules, name, ModuleType(name))
        sys.modules[name].VecEnv = StandIn  # type: ignore[attr-defined]
    yield importlib.import_module("dohyo.rl.sb3")
    patch.undo()
    sys.modules.pop("dohyo.rl.sb3", None)


def test_matches_follow_each_other_and_their_ends_are_told(sb3: Any) -> None:
    """Episodes, last observations, masks and seeds are those of the vector environment within."""
    options: dict[str, Any] = {"setup": {"pairs": 3}, "threads": 1, "seat": None}
    games = sb3.Games("shoot-em-up", 5, seed=3, **options)
    beside = VectorEnv("shoot-em-up", 5, autoreset_mode="SameStep", **options)
    seen, info = beside.reset(seed=3)
    assert (games.reset() == seen).all()
    assert [one["seed"] for one in games.reset_infos] == info["seed"].tolist()
    ended, lengths = 0, numpy.zeros(5, int)
    for _ in range(9):
        assert (games.action_masks() == info["action_mask"]).all()
        assert (numpy.stack(games.env_method("action_masks")) == info["action_mask"]).all()
        actions = numpy.full(5, 12)
        seen, rewards, done, _, info = beside.step(actions)
        got, given, over, infos = games.step(actions)
        assert (got == seen).all()
        assert given.dtype == numpy.float32
        assert (given == rewards).all()
        assert (over == done).all()
        lengths += 1
        for i, told in enumerate(infos):
            assert bool(told) == bool(done[i])
            if told:
                ended += 1
                assert (told["terminal_observation"] == info["final_obs"][i]).all()
                assert told["episode"]["r"] == rewards[i]
                assert told["episode"]["l"] == lengths[i]
                lengths[i] = 0
                assert told["TimeLimit.truncated"] is False
                assert told["places"] == tuple(info["final_info"]["places"][i])
                assert told["seed"] == info["final_info"]["seed"][i]
    assert ended > 5
    games.seed(40)
    games.reset()
    assert [one["seed"] for one in games.reset_infos] == [40, 41, 42, 43, 44]


def test_what_masked_learners_look_for_is_there_and_the_rest_is_refused(sb3: Any) -> None:
    """`action_masks` is found; what one environment cannot do for each of its games says where it can be done."""
    games = sb3.Games("shoot-em-up", 2, setup={"pairs": 3}, threads=1, max_episode_steps=1)
    assert games.has_attr("action_masks")
    assert not games.has_attr("no_such_thing")
    assert games.env_method("action_masks", indices=[1])[0].shape == (17,)
    games.seed(1)  # in which nobody has won after a turn
    games.reset()
    *_, done, infos = games.step(numpy.array([4, 4]))
    assert done.all()
    assert all(told["TimeLimit.truncated"] and "places" not in told for told in infos)
    for refused in (lambda: games.set_attr("x", 1), lambda: games.env_method("render")):
        with pytest.raises(NotImplementedError, match="envs"):
            refused()
    with pytest.raises(ValueError, match="SameStep"):
        sb3.Games(VectorEnv("shoot-em-up", 2, threads=1))
    games.close()


if HERE:  # nobody needs it to work on Dohyo: where it is not, there is nothing to skip

    @pytest.mark.filterwarnings("ignore")
    @every_game
    def test_its_own_make_vec_env_takes_every_game(game: Game) -> None:
        """By the name in Gymnasium's registry, with pictures, seeds and its Monitor."""
        from stable_baselines3.common.env_util import make_vec_env  # type: ignore[import-not-found,unused-ignore]

        envs = make_vec_env(id_of(game), n_envs=2, seed=3)
        envs.reset()
        envs.step([envs.action_space.sample(mask.astype("i1")) for mask in envs.env_method("action_masks")])
        assert envs.render(mode="rgb_array").ndim == 3
        envs.close()
