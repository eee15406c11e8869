"""Rewards by points, margins or functions of one's own: the same whoever plays a match, and what the points say."""

from __future__ import annotations

import random
from typing import Any

import numpy
import pytest

import dohyo.rl
from dohyo.core.flat import flat
from dohyo.core.game import Game
from dohyo.games import all_games, find
from dohyo.rl import Reward
from dohyo.sim import BatchMatch

MATCHES, DECISIONS = 2, 400
DISCOUNT = 0.9
# Compiling is nearly all that this takes. The usual ones have points and none, luck, hidden cards, and seats that are
# out; the others have larger rules, and are in a run with `--full`.
USUAL = ("drop-block", "shoot-em-up", "connect-four", "kuhn-poker")
GAMES = [
    pytest.param(name, marks=() if name in USUAL else pytest.mark.full)
    for name in (*all_games(), "kuhn-poker", "backgammon")
]


@flat
def lowest(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """The legal action with the lowest number."""
    found = options[0]
    for k in range(1, count):
        found = min(found, options[k])
    return found  # type: ignore[no-any-return]


def lowest_seen(seen: Any, mask: Any) -> int:
    """The same, of what an environment shows."""
    return int(mask.argmax())


@flat
def by_seat(s: Any, seat: int) -> float:
    """A reward that differs from seat to seat, of any game."""
    return 0.5 + seat


def wanted(game: Game) -> Reward:
    """What the matches of this game are to be worth here."""
    return Reward("margin", "score", DISCOUNT) if game.rules.scores else Reward(by_seat, by_seat, DISCOUNT)


def by_hand(game: Game, before: Any, after: Any, seats: int) -> list[float]:
    """What all seats should get between two states, from what the game counts."""

    def points(state: Any) -> tuple[float, ...]:
        return game.score(state, seats) or tuple(0.5 + seat for seat in range(seats))

    over = game.rules.over(after)
    found = [(0.0 if over else DISCOUNT * new) - old for new, old in zip(points(after), points(before), strict=True)]
    for seat, own in enumerate(points(after) if over else ()):
        others = [each for other, each in enumerate(points(after)) if other != seat]
        found[seat] += own - (sum(others) / max(1, len(others)) if game.rules.scores else 0.0)
    return found


def copied(env: dohyo.rl.Env) -> Any:
    """The state of an environment's match, as it is now."""
    match = env.unwrapped._match
    return match.game.rules.LAYOUT.copy(match.state)


@pytest.mark.parametrize("name", GAMES)
def test_whoever_plays_a_match_pays_the_same(name: str) -> None:
    """`Env`, `VectorEnv` and `BatchMatch` pay what follows from the points of the states, at each step of a match."""
    game = find(name)
    chooser = random.Random(5)
    reward, setup = wanted(game), dict(game.demo)
    many = dohyo.rl.VectorEnv(
        game, MATCHES, opponents=lowest, seat=None, setup=setup, reward=reward, threads=1, autoreset_mode="Disabled"
    )
    seeds = [chooser.randrange(1 << 40) for _ in range(MATCHES)]
    _, told = many.reset(seed=seeds)
    singles = [
        dohyo.rl.Env(game, opponents=lowest_seen, seat=int(many.learners[i]), setup=setup, reward=reward)
        for i in range(MATCHES)
    ]
    for env, seed in zip(singles, seeds, strict=True):
        env.reset(seed=seed)
    over = [False] * MATCHES
    for _ in range(DECISIONS):
        masks = told["action_mask"]
        actions = [chooser.choice(mask.nonzero()[0].tolist()) if mask.any() else 0 for mask in masks]
        _, paid, ended, _, told = many.step(numpy.array(actions))
        for i, env in enumerate(singles):
            if over[i]:
                continue
            before, seat = copied(env), int(many.learners[i])
            _, single, over[i], _, said = env.step(actions[i])
            assert single == pytest.approx(by_hand(game, before, copied(env), many._batch.seats)[seat])
            assert paid[i] == pytest.approx(single, abs=1e-4)
            assert bool(ended[i]) == over[i]
            if over[i] and game.rules.scores:
                assert said["scores"] == tuple(told["scores"][i].tolist())
        if all(over):
            break
    assert all(over)
    for env, seed in zip(singles, seeds, strict=True):
        turn_by_turn(game, reward, env, seed)


def turn_by_turn(game: Game, reward: Reward, env: Any, seed: int) -> None:
    """Play the turns of an environment's match again in a batch, and look at what each of them pays."""
    match = env.unwrapped._match
    given: dict[str, Any] = {"seats": match.seats, "threads": 1, "reward": reward, "renew": False}
    batch = BatchMatch(game, 1, [seed], match.referee.setup, **given)
    for turn in match.referee.turns:
        before, actions = batch.unpack(0), numpy.zeros((1, match.seats), int)
        for move in turn.moves:
            actions[0, move.seat] = game.protocol.parse(move.action, before, move.seat)
        batch.step(actions)
        assert batch.rewards()[0] == pytest.approx(by_hand(game, before, batch.unpack(0), match.seats), abs=1e-4)
    assert batch.done[0]


def test_every_seat_gets_its_chips() -> None:
    """In PettingZoo's environments each agent's rewards, discounted by its own decisions, come to its chips."""
    game = find("kuhn-poker")
    reward = Reward("score", "score", DISCOUNT)
    for seed in range(8):
        plain, shaped = dohyo.rl.AEC(game, reward="score"), dohyo.rl.AEC(game, reward=reward)
        for env in (plain, shaped):
            env.reset(seed=seed)
        taken = {agent: list[float]() for agent in plain.agents}
        chooser = random.Random(seed)
        for agent in plain.agent_iter():
            observation, _, over, _, info = plain.last()
            taken[agent].append(shaped.last()[1])
            action = None if over else chooser.choice(observation["action_mask"].nonzero()[0].tolist())
            if over:
                points = info["scores"][plain.possible_agents.index(agent)]
                begun = -1.0  # the ante, which is the potential of an agent's first decision
                assert sum(paid * DISCOUNT**at for at, paid in enumerate(taken[agent][1:])) == pytest.approx(
                    points * DISCOUNT ** (len(taken[agent]) - 2) - begun
                )
            plain.step(action)
            shaped.step(action)


def test_at_once_every_turn_is_paid() -> None:
    """Where all act at once, a match's rewards without discount come to its margin less that of the beginning."""
    env = dohyo.rl.Parallel("abotcalypse", seats=3, setup={"turns": 5}, reward=Reward("margin", "margin"))
    env.reset(seed=3)
    began = env.match.reward.potentials_of(env.match.state, False)
    sums = numpy.zeros(3)
    while env.agents:
        actions = {agent: int(env.match.mask(seat).argmax()) for seat, agent in enumerate(env.agents)}
        _, paid, _, _, infos = env.step(actions)
        sums += list(paid.values())
    points = infos["player_0"]["scores"]
    assert sums == pytest.approx(
        [own - (sum(points) - own) / 2 - old for own, old in zip(points, began, strict=True)]
    )


def test_a_league_pays_the_same() -> None:
    """Games with a league's members pay the rewards of those with the same opponents inside the loop."""
    options: dict[str, Any] = {"seat": None, "reward": Reward("score", "margin", DISCOUNT), "threads": 1}
    inside = dohyo.rl.VectorEnv("kuhn-poker", 6, opponents=lowest, **options)
    league = dohyo.rl.VectorEnv("kuhn-poker", 6, opponents=dohyo.rl.League({"lowest": lowest}), **options)
    told = [env.reset(seed=5)[1] for env in (inside, league)]
    chance = numpy.random.default_rng(2)
    for _ in range(12):
        masks = told[0]["action_mask"]
        actions = (chance.random(masks.shape) * masks).argmax(axis=1)
        found = [env.step(actions) for env in (inside, league)]
        assert found[0][1] == pytest.approx(found[1][1], abs=1e-6)
        told = [each[4] for each in found]
        assert ("scores" in told[0]) == ("scores" in told[1])
        if "scores" in told[0]:
            assert told[0]["scores"].tolist() == told[1]["scores"].tolist()
