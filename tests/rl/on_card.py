"""Vector environments on a graphics card, held against those of a processor: python -m tests.rl.on_card GAMES STEPS

On a card, or with NUMBA_ENABLE_CUDASIM=1 in numba-cuda's simulator.
"""

from __future__ import annotations

import copy
import importlib.util
import pickle
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import numpy
import pytest

from dohyo import games
from dohyo.core.flat import flat
from dohyo.core.game import Turns
from dohyo.rl import Batched, Reward, VectorEnv
from dohyo.sim import BatchMatch, IllegalActionError
from dohyo.sim.cuda import is_simulated
from tests import cuda_library
from tests.rl.heaps import SEEN_HEAP
from tests.rl.small import SEEN
from tests.sim import on_card
from tests.sim.card_steps import nothing_but_kernels


@flat
def lowest(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """The legal action with the lowest number."""
    best = options[0]
    for k in range(1, count):
        if options[k] < best:
            best = options[k]
    return best


def lowest_of_all(observations: Any, masks: Any) -> Any:
    """The same as a network does it: for all games, with arrays of the card."""
    if is_simulated():
        assert masks._ary.any(axis=1).all()  # a network that draws an action never has none
        return type(masks)(masks._ary.argmax(axis=1))
    from numba import cuda

    return cuda.to_device(masks.copy_to_host().argmax(axis=1))


def fetched(value: Any) -> Any:
    """Infos and arrays with NumPy's arrays."""
    if isinstance(value, dict):
        return {name: fetched(each) for name, each in value.items()}
    return value.copy_to_host() if hasattr(value, "copy_to_host") else value


def both(game: Any, count: int, opponents: Any, here: Any = None, **options: Any) -> tuple[Any, Any]:
    """The same games on a card, and on a processor (against `here`, if given)."""
    there = VectorEnv(game, count, opponents=opponents, seat=None, device="cuda", **options)
    plain = opponents if here is None else here
    return there, VectorEnv(game, count, opponents=plain, seat=None, threads=1, **options)


def check_same(there: Any, here: Any, steps: int, seed: Any = 7) -> int:
    """Step both by the same random actions, and compare all that they return; how many matches ended."""
    chance = numpy.random.default_rng(3)
    seen, info = here.reset(seed=seed)
    found = there.reset(seed=seed)
    ended = 0
    for _ in range(steps):
        mine, told = fetched(found[0]), fetched(found[-1])
        assert mine.dtype == seen.dtype
        assert mine.tobytes() == numpy.ascontiguousarray(seen).tobytes()
        for name in ("action_mask", "seed"):
            assert (told[name] == info[name]).all(), name
        masks = info["action_mask"]
        actions = (chance.random(masks.shape) * masks).argmax(axis=1)
        seen, rewards, terminated, truncated, info = here.step(actions)
        found = there.step(actions)
        assert numpy.allclose(fetched(found[1]), rewards)
        assert fetched(found[2]).tolist() == terminated.tolist()
        assert fetched(found[3]).tolist() == truncated.tolist()
        check_ends(here, terminated | truncated, fetched(found[-1]), info)
        ended += int(terminated.sum() + truncated.sum())
        if here.autoreset_mode.value == "Disabled" and here._ended.any():
            check_reset(there, here, here._ended.copy())
            seen, info = here._told({})
            found = (there._games.seen, there._info())
    return ended


def check_ends(here: Any, done: Any, told: dict[str, Any], info: dict[str, Any]) -> None:
    """What both tell of matches that have ended."""
    final, its = told.get("final_info", told), info.get("final_info", info)
    for i in its.get("_reason", numpy.zeros(0)).nonzero()[0]:
        assert final["_reason"][i]
        assert final["places"][i].tolist() == its["places"][i].tolist()
        if "scores" in its:
            assert final["scores"][i].tolist() == its["scores"][i].tolist()
        assert here._observer.game.rules.REASONS[int(final["reason"][i])] == its["reason_key"][i]
    if "final_obs" in info:
        assert told["_final_obs"].tolist() == done.tolist()
        for i in done.nonzero()[0]:
            assert told["final_obs"][i].tobytes() == info["final_obs"][i].tobytes()
            if "_action_mask" in its:
                assert (final["action_mask"][i] == its["action_mask"][i]).all()


def check_reset(there: Any, here: Any, mask: Any) -> None:
    """Both begin these matches again."""
    here.reset(options={"reset_mask": mask})
    there.reset(options={"reset_mask": mask})


def check_all(count: int, steps: int) -> None:
    """All ways to begin anew, with opponents inside; scaled, cut short, with seeds for each game."""
    heap = SEEN_HEAP
    assert check_same(*both(heap, count, lowest, autoreset_mode="SameStep"), steps) > 0
    check_same(*both(heap, 1, lowest, scaled=True), 2)
    assert check_same(*both(heap, count, "random", scaled=True), steps, list(range(count))) > 0
    together = {"together": True, "windy": True}
    assert check_same(*both(heap, count, lowest, setup=together, autoreset_mode="Disabled"), steps) > 0
    for mode in ("SameStep", "NextStep", "Disabled"):
        assert check_same(*both(heap, count, "random", max_episode_steps=2, autoreset_mode=mode), steps) > 0
    print("opponents inside agree")


def check_rewards(count: int, steps: int) -> None:
    """Points at the end, and pay for each step; where matches end, are cut short, and in a batch of all seats."""
    game = games.find("kuhn-poker")
    reward = Reward("score", "margin", 0.9)
    for opponents, plain in ((lowest, lowest), (Batched(lowest_of_all), lowest)):
        for limit in (None, 1):
            options = {"autoreset_mode": "SameStep", "reward": reward, "max_episode_steps": limit}
            assert check_same(*both(game, count, opponents, plain, **options), steps) > 0
    there, here = (BatchMatch(game, count, 3, reward=reward, device=where) for where in ("cuda", "cpu"))
    for _ in range(steps):
        actions = here.sample()
        there.step(actions)
        here.step(actions)
        assert numpy.allclose(fetched(there.rewards()), here.rewards())
    print("rewards agree")


def check_networks(count: int, steps: int) -> None:
    """Networks that play as policies do; in turns, all at once, scaled."""
    network = Batched(lowest_of_all)
    for mode in ("SameStep", "NextStep"):
        options = {"autoreset_mode": mode, "scaled": mode == "SameStep"}
        assert check_same(*both(SEEN_HEAP, count, network, lowest, **options), steps) > 0
    together = {"together": True, "windy": True}
    at_once = msgspec.structs.replace(SEEN_HEAP, turns=Turns.SIMULTANEOUS)
    assert check_same(*both(at_once, count, network, lowest, setup=together), steps) > 0
    options = {"autoreset_mode": "SameStep", "setup": {"turns": 20}}
    assert check_same(*both(SEEN["drop-block"], 2, [network] * 3, lowest, **options), 7) > 0
    with pytest.raises(ValueError, match="all opponents are networks, or none"):
        both(SEEN["drop-block"], 2, [network, "random", "random"])
    print("networks agree")


def check_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step copies nothing to the host, takes no memory and does not wait; also with networks."""
    for opponents in (lowest, Batched(lowest_of_all)) if is_simulated() else (lowest,):
        env = VectorEnv(SEEN_HEAP, 3, opponents=opponents, seat=None, autoreset_mode="SameStep", device="cuda")
        _, info = env.reset(seed=1)
        actions = env._games.batch.place.array(numpy.zeros(3, numpy.int64))
        env.step(actions)  # compiles
        with nothing_but_kernels(monkeypatch, [env._games._flag, env._games.batch.place._flag]):
            for _ in range(4):
                seen, *_, info = env.step(actions)
        assert hasattr(seen, "__cuda_ndarray__")
        assert hasattr(info["action_mask"], "__cuda_ndarray__")
    print("steps stay on the card")


def check_copies() -> None:
    """A pickled or copied environment goes on identically, and leaves the first one alone."""
    options = {"opponents": lowest, "autoreset_mode": "SameStep", "scaled": True, "device": "cuda"}
    env = VectorEnv(SEEN_HEAP, 3, seat=None, **options)
    env.reset(seed=[5, 6, 7])
    actions = numpy.ones(3, numpy.int64)
    env.step(actions)
    twins = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    for _ in range(8):
        wanted = fetched(list(env.step(actions)))
        for twin in twins:
            found = twin.step(actions)
            for mine, its in zip(found[:4], wanted[:4], strict=True):
                assert fetched(mine).tobytes() == fetched(its).tobytes()
            assert fetched(found[4]["seed"]).tolist() == fetched(wanted[4]["seed"]).tolist()
    print("copies agree")


def check_wrong_actions() -> None:
    """An illegal action is the game's to answer, or an error by then; no action at all stops its own game."""
    few = {"sticks": 3}
    there, here = both(SEEN_HEAP, 2, lowest, autoreset_mode="SameStep", setup=few)
    masks = here.reset(seed=1)[1]["action_mask"]
    assert (fetched(there.reset(seed=1)[1]["action_mask"]) == masks).all()
    wrong = numpy.array([masks[0].argmax(), numpy.flatnonzero(masks[1] == 0)[-1]])
    assert fetched(there.step(wrong)[2]).tolist() == here.step(wrong)[2].tolist() == [False, True]
    for illegal in ("raise", "fault"):
        env = VectorEnv(SEEN_HEAP, 2, illegal=illegal, device="cuda", setup={"sticks": 2})
        masks = fetched(env.reset(seed=1)[1]["action_mask"])
        action = int(numpy.flatnonzero(masks[1] == 0)[-1]) if illegal == "raise" else 99999
        before = fetched(env.action_masks())[1].tobytes()
        env.step(numpy.array([masks[0].argmax(), action]))
        with pytest.raises(IllegalActionError, match=r"in game 1, .*that game has moved") as found:
            env.check()
        assert (found.value.slot, found.value.action) == (1, action)
        assert fetched(env.action_masks())[1].tobytes() == before
        env.step(fetched(env.action_masks()).argmax(axis=1))
        env.check()
    print("wrong actions agree")


def check_ppo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The example's learning, from what is seen to the next policy, with nothing copied from the card."""
    import torch  # type: ignore[import-not-found,unused-ignore]

    path = Path(__file__).parents[2] / "examples" / "train" / "card_ppo.py"
    spec = importlib.util.spec_from_file_location("card_ppo", path)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    sys.modules["card_ppo"] = example
    spec.loader.exec_module(example)
    monkeypatch.setattr(example, "STEPS", 4)
    device = "cpu" if is_simulated() else "cuda"
    options = {"seat": None, "scaled": True, "autoreset_mode": "SameStep", "device": "cuda"}
    envs = VectorEnv(SEEN_HEAP, 8, **options, stream=None if is_simulated() else torch.cuda.current_stream)
    agent = example.Agent(3, envs.single_action_space.n).to(device)
    if is_simulated():
        collector = example.Collector(envs, agent, device, 1, lambda array: torch.from_numpy(array._ary))
        monkeypatch.setattr(collector, "given", lambda actions: type(envs.learners)(actions.numpy()))
    else:
        collector = example.Collector(envs, agent, device, 1, lambda array: torch.as_tensor(array, device=device))
    optimiser = torch.optim.Adam(agent.parameters(), 1e-3)
    collector.step()  # compiles
    before = [weights.clone() for weights in agent.parameters()]
    with nothing_but_kernels(monkeypatch, [envs._games._flag, envs._games.batch.place._flag]):
        for _ in range(2):
            example.improve(agent, optimiser, collector.rows, collector.collect(collector.step))
    assert not any(torch.equal(old, new) for old, new in zip(before, agent.parameters(), strict=True))
    assert collector.won[1] > 0
    if not is_simulated():
        assert collector.seen.data_ptr() == envs._games.seen.__cuda_array_interface__["data"][0]
        assert -1 <= example.learn(64, 2, graph=True, say=lambda line: None) <= 1
    print("PPO stays on the card")


if __name__ == "__main__":
    cuda_library.redirect()
    if is_simulated():
        on_card.simulate()
    matches, turns = map(int, sys.argv[1:])
    check_all(matches, turns)
    check_rewards(matches, turns)
    check_networks(matches, turns)
    with pytest.MonkeyPatch.context() as patch:
        check_steps(patch)
    check_wrong_actions()
    check_copies()
    if find_spec("torch"):
        with pytest.MonkeyPatch.context() as patch:
            check_ppo(patch)
