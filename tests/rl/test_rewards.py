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
GAMES = [*all_games(), "kuhn-poker", "backgammon"]


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
