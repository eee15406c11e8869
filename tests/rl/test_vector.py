"""Gymnasium's vector environment on compiled rules, held against the single one."""

from __future__ import annotations

from typing import Any

import gymnasium
import msgspec
import numpy
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from dohyo.core.errors import OperatorError
from dohyo.core.flat import flat
from dohyo.core.game import Game
from dohyo.games import find
from dohyo.i18n import ENGLISH
from dohyo.rl import Env, VectorEnv, register, vectorize
from dohyo.sim import IllegalActionError
from tests.rl.heaps import SEEN_HEAP
from tests.rl.small import SEEN, any_legal, short

GAMES = 6
HEAPS: list[dict[str, Any]] = [{}, {"setup": {"together": True, "windy": True}}]


@flat
def lowest(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """The legal action with the lowest number."""
    best = options[0]
    for k in range(1, count):
        if options[k] < best:
            best = options[k]
    return best


@flat
def listed_last(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """The legal action that is listed last."""
    return options[count - 1]


def listed_last_of(observation: Any, mask: Any) -> int:
    """The same policy where actions are listed in order, as the single environment takes it."""
    return int(numpy.flatnonzero(mask)[-1])


def lowest_of(observation: Any, mask: Any) -> int:
    """The same policy, as the single environment takes it."""
    return int(numpy.flatnonzero(mask)[0])


def legal_actions(masks: Any, chance: numpy.random.Generator) -> Any:
    """An action for each game; 0 where nothing is allowed."""
    return numpy.array([any_legal(mask, chance) if mask.any() else 0 for mask in masks])


def test_every_game_is_the_one_that_is_played_alone(full: bool) -> None:
    """Game by game and step by step: observation, reward, end and mask are those of the single environment.

    Its match has the same seed, its opponents the same policy; also where a game ended and the next one follows.
    Without --full, not for games that take long to compile.
    """
    for options in HEAPS:
        assert play_beside(SEEN_HEAP, options, lowest, lowest_of) > 0
    compiled, plain = [lowest, listed_last, listed_last], [lowest_of, listed_last_of, listed_last_of]
    assert play_beside(SEEN["drop-block"], short(SEEN["drop-block"]), compiled, plain) > 0
    if full:
        assert play_beside(SEEN["shoot-em-up"], short(SEEN["shoot-em-up"]), lowest, lowest_of) > 0
        for game in SEEN.values():
            play_beside(game, short(game), lowest, lowest_of)


def play_beside(game: Game, options: dict[str, Any], compiled: Any, plain: Any) -> int:
    """Play a vector environment, and each of its games alone; how many games ended."""
    many = VectorEnv(game, GAMES, opponents=compiled, seat=None, autoreset_mode="SameStep", threads=1, **options)
    seen, info = many.reset(seed=7)
    lone = [Env(game, opponents=plain, seat=int(many.learners[i]), **options) for i in range(GAMES)]
    for i, env in enumerate(lone):
        assert (env.reset(seed=many.seed_of(i))[0] == seen[i]).all()
    chance = numpy.random.default_rng(3)
    ended = 0
    for _ in range(25):
        actions = legal_actions(info["action_mask"], chance)
        seen, rewards, done, truncated, info = many.step(actions)
        assert not truncated.any()
        for i, env in enumerate(lone):
            last, reward, is_over, _, told = env.step(actions[i])
            assert rewards[i] == pytest.approx(reward)
            assert bool(done[i]) == is_over
            if is_over:
                ended += 1
                assert (info["final_obs"][i] == last).all()
                last, told = env.reset(seed=many.seed_of(i))
            assert (seen[i] == last).all()
            assert (info["action_mask"][i] == told["action_mask"]).all()
    return ended


def small(**options: Any) -> VectorEnv:
    """Short games, of the game that compiles fastest."""
    return VectorEnv("shoot-em-up", 5, setup={"pairs": 3}, threads=1, **options)


def test_in_the_next_step_an_ended_game_begins_anew() -> None:
    """NEXT_STEP: the end shows with its last observation; the next step ignores the action, and begins."""
    env = small()
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    env.reset(seed=1)
    stay = numpy.full(5, 4)
    for _ in range(60):
        seen, rewards, done, _, info = env.step(stay)
        left = env.single_observation_space.high[7]
        if done.any():
            assert not info["action_mask"][done].any()
            assert {"final_obs", "final_info"}.isdisjoint(info)
            anything = numpy.where(done, 99, stay)  # no action at all, and not looked at
            seen, rewards, again, _, info = env.step(anything)
            assert not again[done].any()
            assert not rewards[done].any()
            assert (seen[done][:, 7] == left).all(), "a new game has all of its turns left"
            assert info["action_mask"][done].any(axis=1).all()
            return
    raise AssertionError("no game ended")


def test_in_the_same_step_the_last_observation_is_in_the_infos() -> None:
    """SAME_STEP: the observation is the next game's, the last one stands in `final_obs`, with `final_info`."""
    env = small(autoreset_mode="SameStep")
    env.reset(seed=1)
    for _ in range(60):
        seen, _, done, _, info = env.step(numpy.full(5, 4))
        assert info["action_mask"].any(axis=1).all()
        if done.any():
            assert info["_final_obs"].tolist() == info["_final_info"].tolist() == done.tolist()
            for i in range(5):
                assert (info["final_obs"][i] is not None) == bool(done[i])
            assert all(info["final_obs"][i][7] < 100 for i in done.nonzero()[0])
            assert (seen[done][:, 7] == 100).all()
            assert not info["final_info"]["action_mask"].any()
            return
    raise AssertionError("no game ended")


def test_infos_tell_seeds_places_and_reasons() -> None:
    """As those of single environments: each match's seed, and at its end each seat's place and the reason."""
    for mode in ("NextStep", "SameStep"):
        env = small(autoreset_mode=mode)
        _, info = env.reset(seed=3)
        assert info["seed"].tolist() == [env.seed_of(i) for i in range(5)]
        for _ in range(80):
            before = info["seed"]
            _, rewards, done, _, info = env.step(numpy.full(5, 12))
            told = info if mode == "NextStep" else info.get("final_info", {})
            assert ("places" in told) == done.any()
            if done.any():
                assert told["_places"].tolist() == told["_reason"].tolist() == done.tolist()
                for i in done.nonzero()[0]:
                    lone = Env("shoot-em-up", setup={"pairs": 3}, opponents="random")
                    assert told["reason_key"][i] in lone._match.game.rules.REASONS.values()
                    mine, other = told["places"][i].tolist()
                    assert rewards[i] == (mine < other) - (mine > other)
                    assert told["seed"][i] == before[i]
                    assert (info["seed"][i] != before[i]) == (mode == "SameStep")
                break
        else:
            raise AssertionError("no game ended")


def test_an_episode_is_truncated_after_so_many_decisions() -> None:
    """As `TimeLimit` does it: not terminated, with what was seen and legal; then the next game begins."""
    many = gymnasium.make_vec("dohyo/shoot-em-up-v1", num_envs=3, max_episode_steps=4, threads=1)
    _, info = many.reset(seed=2)
    lone = gymnasium.make("dohyo/shoot-em-up-v1", max_episode_steps=4)
    lone.reset(seed=int(info["seed"][0]))
    stay = numpy.full(3, 4)
    for step in range(1, 5):
        seen, _, done, truncated, info = many.step(stay)
        *_, told = lone.step(4)
        assert not done.any()
        assert truncated.all() == (step == 4)
        assert (info["action_mask"][0] == told["action_mask"]).all()
        assert info["action_mask"][0].any()
    first = info["seed"]
    seen, rewards, done, truncated, info = many.step(numpy.full(3, 999))  # not looked at
    assert (seen[:, 7] == 100).all()
    assert not truncated.any()
    assert not rewards.any()
    assert (info["seed"] != first).all()
    same = vectorize("shoot-em-up", 3, max_episode_steps=2, autoreset_mode="SameStep", threads=1)
    same.reset(seed=2)
    same.step(stay)
    seen, _, _, truncated, info = same.step(stay)
    assert truncated.all()
    assert info["final_info"]["action_mask"].all()
    assert all(last[7] < 100 for last in info["final_obs"])
    assert (seen[:, 7] == 100).all()
    plain = vectorize("shoot-em-up", 1, opponents=lowest_of, max_episode_steps=1)
    plain.reset(seed=1)
    assert plain.step(numpy.array([4]))[3].all()
    with pytest.raises(ValueError, match="max_episode_steps"):
        small(max_episode_steps=0)


def test_each_game_can_have_a_seed_of_its_own() -> None:
    """`reset(seed=[...])`: each first match has its seed's dice; the same list repeats everything that follows."""
    env = small(autoreset_mode="SameStep")
    told = []
    for _ in range(2):
        seen, info = env.reset(seed=[7, 8, 9, 7, (1 << 63) - 1])
        assert info["seed"].tolist() == [7, 8, 9, 7, (1 << 63) - 1] == [env.seed_of(i) for i in range(5)]
        assert (seen[0] == seen[3]).all()
        assert (seen[0] == Env("shoot-em-up", setup={"pairs": 3}).reset(seed=7)[0]).all()
        episode = [seen]
        for _ in range(9):
            seen, *_, info = env.step(numpy.full(5, 12))
            episode += [seen, info["seed"]]
        assert info["seed"].tolist() != [7, 8, 9, 7, (1 << 63) - 1], "a game ended, and the next began"
        told.append(episode)
    assert all((one == other).all() for one, other in zip(*told, strict=True))
    env.reset(seed=[None] * 5)
    for wrong in ([1, 2], [1, 2, 3, 4, -1], [1, 2, 3, 4, 5.5]):
        with pytest.raises((ValueError, TypeError)):
            env.reset(seed=wrong)


def test_without_autoreset_the_caller_names_the_games_to_begin() -> None:
    """DISABLED: what has ended waits, and `reset_mask` begins just that."""
    env = small(autoreset_mode=AutoresetMode.DISABLED)
    for turn in range(60 * 30):
        if turn % 60 == 0:
            env.reset(seed=turn)
        before, _, done, _, _ = env.step(numpy.full(5, 4))
        if done.any() and not done.all():
            seen, info = env.reset(options={"reset_mask": done})
            assert (seen[done][:, 7] == 100).all()
            assert (seen[~done] == before[~done]).all()
            assert info["action_mask"].any(axis=1).all()
            return
    raise AssertionError("no game ended alone")


def test_a_seed_repeats_everything() -> None:
    """The same seed and actions give the same observations, rewards and masks, on any number of threads."""
    told = []
    for threads in (1, 3):
        env = VectorEnv("shoot-em-up", 2000, setup={"pairs": 9}, seat=None, threads=threads)
        seen, _ = env.reset(seed=4)
        episode = [seen.copy()]
        for _ in range(8):
            seen, rewards, done, _, info = env.step(numpy.full(2000, 12))
            episode += [seen, rewards, done, info["action_mask"]]
        told.append(episode)
    assert all((one == other).all() for one, other in zip(*told, strict=True))
    seen, _ = env.reset(seed=5)
    assert (seen != told[0][0]).any()


def test_what_is_returned_belongs_to_the_caller() -> None:
    """Arrays are copies, unless the caller does without."""
    env = small()
    first, info = env.reset(seed=1)
    kept, mask = first.copy(), info["action_mask"]
    second, *_, told = env.step(numpy.full(5, 0))
    assert (first == kept).all()
    assert not numpy.shares_memory(first, second)
    assert not numpy.shares_memory(mask, told["action_mask"])
    sparing = small(copy=False)
    assert numpy.shares_memory(sparing.reset(seed=1)[0], sparing.step(numpy.full(5, 0))[0])


def test_actions_that_are_none_are_refused_and_nothing_moves() -> None:
    """Other shapes, kinds and numbers are errors; no game has moved."""
    env = small(scaled=True)
    before, _ = env.reset(seed=1)
    assert before in env.observation_space
    for wrong in (numpy.zeros(4, int), numpy.zeros(5), numpy.full(5, 17), numpy.full(5, -1)):
        with pytest.raises((ValueError, TypeError)):
            env.step(wrong)
    env._batch.look(env._seen)
    assert (env._given(env._seen) == before).all()


def test_an_action_against_the_rules_is_a_fault_or_an_error() -> None:
    """It is played as the game answers a bot's (here: given up); or with "raise" no game has moved."""
    options: dict[str, Any] = {"setup": {"sticks": 2}, "threads": 1, "opponents": lowest, "seat": None}
    strict = VectorEnv(SEEN_HEAP, 3, illegal="raise", **options)
    strict.reset(seed=1)
    states = strict._batch.states.tobytes()
    with pytest.raises(IllegalActionError):
        strict.step(numpy.array([1, 3, 1]))
    assert strict._batch.states.tobytes() == states
    env = VectorEnv(SEEN_HEAP, 3, **options)
    _, info = env.reset(seed=1)
    assert env.learners.tolist() == [0, 1, 0]
    assert info["action_mask"].tolist() == [[0, 1, 1, 0], [0, 1, 0, 0], [0, 1, 1, 0]]
    _, rewards, done, _, _ = env.step(numpy.array([3, 3, 2]))
    assert done.all()
    assert rewards.tolist() == [-1, -1, 1]


def test_gymnasium_makes_the_fast_one_where_it_can() -> None:
    """`make_vec` gives compiled games; with a function in Python it gives single environments in a row."""
    fast = gymnasium.make_vec("dohyo/shoot-em-up-v1", num_envs=4, threads=1)
    assert isinstance(fast.unwrapped, VectorEnv)
    assert fast.single_action_space == gymnasium.spaces.Discrete(find("shoot-em-up").rules.ACTIONS)
    plain = vectorize("shoot-em-up", 3, opponents=lowest_of, autoreset_mode="SameStep", seat=1)
    assert isinstance(plain, SyncVectorEnv)
    assert plain.reset(seed=1)[0].shape == (3, 9)
    with pytest.raises(TypeError, match="vectorize"):
        VectorEnv("shoot-em-up", 3, opponents=lowest_of)


@pytest.mark.parametrize(
    ("option", "value"), [("masks", "observation"), ("programs", object()), ("render_mode", "ansi")]
)
def test_what_a_card_does_not_offer_is_a_sentence(option: str, value: object) -> None:
    """Options of games on the processor are named, before a card is looked for."""
    with pytest.raises(TypeError, match=f"^{option} is for device='cpu'"):
        VectorEnv("drop-block", 2, device="cuda", **{option: value})


def test_games_that_end_before_the_learner_is_asked_are_an_error() -> None:
    """Where every game is over before, making the environment says so."""
    with pytest.raises(ValueError, match="never asked"):  # who plays 0 leaves the board there
        VectorEnv("shoot-em-up", 2, seat=1, opponents=lowest, setup={"places": [0, 0, 5, 5]}, threads=1)


def test_starts_are_drawn_by_each_games_seed_or_refused() -> None:
    """A setup that leaves the start to the seed gives the starts of single environments, and no compiled games."""
    options: dict[str, Any] = {"setup": {"variant": "chess960"}}
    envs = gymnasium.make_vec("dohyo/chess-v1", num_envs=3, **options)
    seen, _ = envs.reset(seed=[1, 2, 3])
    for row, seed in zip(seen, (1, 2, 3), strict=True):
        assert (row == Env("chess", **options).reset(seed=seed)[0]).all()
    assert len({row.tobytes() for row in seen}) == 3
    with pytest.raises(OperatorError, match="choose one start, or take"):
        VectorEnv("chess", 2, **options)


def test_masks_can_be_beside_the_observation() -> None:
    """A dictionary of both, the same numbers as in the infos; also where episodes end, and in one environment."""
    options: dict[str, Any] = {"autoreset_mode": "SameStep", "scaled": True}
    plain, both = small(**options), small(masks="observation", **options)
    env, space = gymnasium.make("dohyo/shoot-em-up-v1", masks="observation"), both.single_observation_space
    check_env(env.unwrapped)
    seen, told = env.reset(seed=1)
    assert (seen["action_mask"] == told["action_mask"]).all()
    seen, info = plain.reset(seed=2)
    got, told = both.reset(seed=2)
    ended = 0
    for _ in range(9):
        assert got in both.observation_space
        assert (got["observation"] == seen).all()
        assert (got["action_mask"] == info["action_mask"]).all()
        seen, _, done, _, info = plain.step(numpy.full(5, 12))
        got, _, _, _, told = both.step(numpy.full(5, 12))
        for i in done.nonzero()[0]:
            ended += 1
            assert told["final_obs"][i] in space
            assert (told["final_obs"][i]["observation"] == info["final_obs"][i]).all()
    assert ended
    with pytest.raises(ValueError, match="'observation' or 'info'"):
        small(masks="beside")


def test_arrays_begin_where_jax_can_share_them() -> None:
    """At a multiple of 64 bytes, those that are written anew and those that are copies."""
    for options in ({}, {"scaled": True}, {"copy": False}, {"copy": False, "scaled": True}):
        env = small(**options)
        first, info = env.reset(seed=1)
        second, *_ = env.step(numpy.full(5, 0))
        for array in (first, second, info["action_mask"]):
            assert array.ctypes.data % 64 == 0
        assert numpy.shares_memory(first, second) == ("copy" in options)


def test_all_games_are_drawn_and_told_as_single_ones_are() -> None:
    """Pictures of one size, or texts; seats, reasons and their keys in the infos; wrong words are refused."""
    many, env = small(render_mode="ansi"), Env("shoot-em-up", render_mode="ansi", setup={"pairs": 3})
    _, info = many.reset(seed=[3] * 5)
    env.reset(seed=3)
    assert many.render() == (env.render(),) * 5
    assert info["seat"].tolist() == [0] * 5
    done = numpy.zeros(5, bool)
    while not done.any():
        *_, done, _, info = many.step(numpy.full(5, 12))
    game = find("shoot-em-up")
    for reason, key in zip(info["reason"][done], info["reason_key"][done], strict=True):
        assert reason == ENGLISH.knowing(game.catalogue).say(key)
    assert small().render() is None
    drawn = gymnasium.make_vec("dohyo/shoot-em-up-v1", 3, render_mode="rgb_array", threads=1)
    drawn.reset(seed=1)
    assert numpy.stack(drawn.render()).ndim == 4
    with pytest.raises(ValueError, match="render_mode"):
        small(render_mode="human")


def test_a_game_of_ones_own_has_a_name_in_gymnasium() -> None:
    """`register` gives it; the name makes single and compiled environments."""
    name = register(SEEN_HEAP)
    try:
        assert gymnasium.make(name).reset(seed=1)[0].shape == (3,)
        assert isinstance(gymnasium.make_vec(name, 2, threads=1).unwrapped, VectorEnv)
        assert register(SEEN_HEAP) == name
    finally:
        gymnasium.registry.pop(name)
    with pytest.raises(OperatorError):
        register(msgspec.structs.replace(SEEN_HEAP, observation=None))
