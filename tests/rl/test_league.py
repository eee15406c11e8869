"""Leagues: opponents of every kind drawn by rating, in single environments and in compiled ones."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import numpy
import pytest

from dohyo.core.clock import Clock
from dohyo.core.flat import flat
from dohyo.rl import Batched, Env, League, Programs, VectorEnv, vectorize
from dohyo.rl.league_programs import ProgramMatches
from tests import processes

SHORT: dict[str, Any] = {"setup": {"pairs": 3}}


@flat
def last_listed(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    return options[count - 1]  # type: ignore[no-any-return]


def lowest(observation: Any, mask: Any) -> int:
    """The first legal action, for one game."""
    return int(mask.argmax())


def stay(observations: Any, masks: Any) -> Any:
    """Action 4 in every game: who plays it stays where it is."""
    assert observations.shape[0] == masks.shape[0]
    return numpy.full(len(observations), 4)


def mixed(draw: str = "even") -> League:
    return League({"any": "random", "last": last_listed, "low": lowest, "stay": Batched(stay)}, draw)


def test_who_is_drawn_follows_the_ratings() -> None:
    """Close: equals most; hard: the strongest most; even: all alike. A new member begins as strong as the learner."""
    odds = {}
    for draw in ("close", "hard", "even"):
        league = mixed(draw)
        league.ratings.update(any=600, last=1000, low=1400, stay=1400)
        odds[draw] = league.odds()
        assert sum(odds[draw].values()) == pytest.approx(1)
    assert odds["close"]["last"] > 2 * odds["close"]["any"]
    assert odds["close"]["any"] == pytest.approx(odds["close"]["low"])
    assert odds["hard"]["low"] > odds["hard"]["last"] > 5 * odds["hard"]["any"]
    assert set(odds["even"].values()) == {0.25}
    league.learner = 1234
    league.add("copy", Batched(stay))
    assert league.ratings["copy"] == 1234
    assert league.expected("copy") == 0.5
    drawn = Counter(league.draw(4000, numpy.random.default_rng(1)))
    assert all(600 < drawn[name] < 1000 for name in league.players)


def test_results_move_ratings_and_nothing_is_lost() -> None:
    """Who wins rises by what the others fall; a result that was expected moves little."""
    league = mixed()
    league.record(["any", "last"], [1, 0.5])
    assert league.learner == 1000 + 16 * 0.5 / 2
    assert league.ratings["any"] == 1000 - 16 * 0.5 / 2
    assert league.ratings["last"] == 1000
    league.ratings["low"] = 200
    before = league.learner
    league.record(["low"], [1])
    assert 0 < league.learner - before < 1
    assert sum(league.ratings.values()) + league.learner == pytest.approx(4000 - 800 + 1000)
    assert league.matches == {"any": 1, "last": 1, "low": 1, "stay": 0}


def test_what_is_no_league_is_refused() -> None:
    """In a sentence."""
    for make in (lambda: League({}), lambda: mixed("nearest"), lambda: mixed().add("any", lowest)):
        with pytest.raises(ValueError, match=r"\w+ \w+"):
            make()
    with pytest.raises(TypeError, match="an opponent is"):
        League({"seven": 7})  # type: ignore[dict-item]


def test_compiled_games_with_a_league_are_the_same_as_single_ones() -> None:
    """Each match with its drawn opponents is the one that they play outside: what is seen, legal and won."""
    league = League({"last": last_listed, "low": lowest, "stay": Batched(stay)}, "even")
    plain = {"last": lambda _, mask: len(mask) - 1 - int(mask[::-1].argmax()), "low": lowest, "stay": Batched(stay)}
    many = VectorEnv("drop-block", 6, opponents=league, seat=None, setup={"turns": 24}, threads=1)
    seen, info = many.reset(seed=5)
    lone = []
    for i in range(6):
        names = many._batch.members[i]  # type: ignore[attr-defined]
        opponents = [plain[name] for name in names]
        lone.append(Env("drop-block", opponents=opponents, seat=int(many.learners[i]), setup={"turns": 24}))
        assert (lone[i].reset(seed=many.seed_of(i))[0] == seen[i]).all()
    chance, going = numpy.random.default_rng(2), numpy.ones(6, bool)
    while going.any():
        actions = (chance.random(info["action_mask"].shape) * info["action_mask"]).argmax(axis=1)
        seen, rewards, done, _, info = many.step(actions)
        for i in going.nonzero()[0]:
            last, reward, over, _, told = lone[i].step(actions[i])
            assert (last == seen[i]).all()
            assert (told["action_mask"] == info["action_mask"][i]).all()
            assert (reward, over) == (pytest.approx(rewards[i]), done[i])
            if over:
                assert told["places"] == tuple(info["places"][i])
        going &= ~done
    assert sum(league.matches.values()) == 18
    assert league.learner != 1000


def test_a_network_decides_for_many_games_in_one_call() -> None:
    """A batched opponent is asked with all games in which it is to move."""
    sizes = []

    def network(observations: Any, masks: Any) -> Any:
        sizes.append(len(observations))
        assert observations.dtype == numpy.float32
        return masks.argmax(axis=1)

    env = VectorEnv("shoot-em-up", 40, opponents=League({"net": Batched(network)}), scaled=True, threads=1, **SHORT)
    env.reset(seed=1)
    env.step(numpy.full(40, 4))
    assert sizes == [40]


def test_a_seed_repeats_who_is_drawn_and_a_pickle_goes_on() -> None:
    """The same seed and the same ratings give the same matches."""
    told = []
    for _ in range(2):
        env = VectorEnv("shoot-em-up", 9, opponents=mixed("close"), threads=1, autoreset_mode="SameStep", **SHORT)
        env.reset(seed=3)
        told.append([env.step(numpy.full(9, 12))[0].tobytes() for _ in range(9)])
    assert told[0] == told[1]
    twin = pickle.loads(pickle.dumps(env))
    assert [env.step(numpy.full(9, 4))[0].tobytes() for _ in range(6)] == [
        twin.step(numpy.full(9, 4))[0].tobytes() for _ in range(6)
    ]


def test_one_game_alone_meets_all_members() -> None:
    """A match that begins by itself draws anew, also where all games begin together; the same seed draws the same."""
    league, met = League({"low": lowest, "stay": Batched(stay)}, "even"), []
    env = VectorEnv("shoot-em-up", 1, opponents=league, threads=1, autoreset_mode="SameStep", **SHORT)
    for _ in range(2):
        env.reset(seed=5)
        drawn = [env._batch.members[0][0]]
        while len(drawn) < 30:
            if (played := env.step(numpy.array([12])))[2].any() or played[3].any():
                drawn.append(env._batch.members[0][0])
        met.append(drawn)
    assert set(met[0]) == {"low", "stay"}
    assert met[0] == met[1]


def test_programs_play_in_a_league_of_single_environments() -> None:
    """With a bot among the members `vectorize` gives single environments, which share the league and its ratings."""
    league = League({"program": "random.py", "stay": Batched(stay)}, "even")
    with pytest.raises(TypeError, match=r"program.*programs.*vectorize"):
        VectorEnv("shoot-em-up", 2, opponents=league, threads=1)
    env = vectorize("shoot-em-up", 2, opponents=league, setup={"pairs": 1}, clock=60.0)
    env.reset(seed=1)
    league.add("low", lowest)
    for _ in range(12):
        env.step(numpy.array([4, 4]))
    env.close()
    assert sum(league.matches.values()) >= 8
    assert league.matches["program"] > 0
    assert league.matches["low"] > 0


@pytest.mark.parametrize("sandbox", ["none", "auto"])
def test_programs_play_inside_compiled_games_the_match_that_they_play_outside(sandbox: str) -> None:
    """With `programs`, a bot's matches are those of single environments, in what is seen and won; nothing is left."""
    before = set(processes.children())
    patient = Programs(clock=Clock(turn=60.0, ready=60.0), sandbox=sandbox)
    league = League({"gunner": "gunner", "last": last_listed}, "even")
    many = VectorEnv(
        "shoot-em-up", 4, opponents=league, seat=None, threads=1, autoreset_mode="Disabled", programs=patient, **SHORT
    )
    seen, _ = many.reset(seed=2)
    names = many._batch.members[:, 0].tolist()  # type: ignore[attr-defined]
    assert set(names) == {"gunner", "last"}
    assert len(set(processes.children()) - before) >= names.count("gunner")
    lone = [Env("shoot-em-up", opponents="gunner", seat=int(seat), clock=60.0, **SHORT) for seat in many.learners]
    bots = [i for i, name in enumerate(names) if name == "gunner"]
    for i in bots:
        assert (lone[i].reset(seed=many.seed_of(i))[0] == seen[i]).all()
    going = numpy.ones(4, bool)
    while going.any():
        seen, rewards, done, *_ = many.step(numpy.full(4, 12))
        for i in bots:
            if going[i]:
                last, reward, over, *_ = lone[i].step(12)
                assert (last == seen[i]).all()
                assert (reward, over) == (rewards[i], done[i])
        going &= ~done
    assert league.matches["gunner"] == len(bots)
    pickle.loads(pickle.dumps(many)).close()
    assert set(processes.children()) <= before
    many.reset()
    many.close()
    assert set(processes.children()) <= before


def test_what_fails_or_is_cut_leaves_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in a step ends them all, and so does a limit of decisions; one cannot go on without them."""
    before = set(processes.children())
    programs = Programs(clock=60.0, sandbox="none")
    env = VectorEnv("shoot-em-up", 2, opponents="gunner", threads=1, programs=programs, max_episode_steps=1, **SHORT)
    env.reset(seed=1)
    *_, truncated, _ = env.step(numpy.array([4, 4]))
    assert truncated.all()
    assert set(processes.children()) <= before
    env.step(numpy.array([4, 4]))
    with pytest.raises(TypeError, match="between matches"):
        pickle.dumps(env)

    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(ProgramMatches, "decide", fail)
    with pytest.raises(ZeroDivisionError):
        env.step(numpy.array([4, 4]))
    assert set(processes.children()) <= before
    with pytest.raises(ValueError, match="reset"):
        env.step(numpy.array([4, 4]))
    env.close()
