"""Learn connect four from nothing: self-play by PUCT in many games at once, and a network in NumPy.

    python train.py mine.npz --seconds 480

`--seconds` are of processor time. Weights are written every few minutes, and at the end.
"""

# ruff: noqa: E402  (what NumPy reads at its import is set before)

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # threads of a small network only wait for each other
sys.path.insert(0, str(Path(__file__).parent / "zero"))

import numpy
from network import ACTIONS, COLUMNS, Network, blank, features, load

from dohyo import games
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.search.puct import PUCT

Array = numpy.ndarray[Any, Any]
GAMES = 128  # at once
KEPT = 150_000  # positions that are learned from
ROWS = 512  # of a step
REUSED = 6  # how often a position is learned from
OPENING = 14  # turns in which actions are drawn by their visits
NOISE = (1.0, 0.25)  # alpha, and its part of the priors
LEAST = 4_000  # positions before the first step
MIRRORED = [*reversed(range(COLUMNS)), COLUMNS]


class SelfPlay:
    """Games of the network against itself, all searched together; a game that ends gives way to a new one."""

    def __init__(
        self, game: Game, network: Network, playouts: int, count: int = GAMES, seed: int = 0, root: str = "puct"
    ) -> None:
        self.game, self.playouts, self.finished = game, playouts, 0
        room = 4 * playouts + 64
        told: dict[str, Any] = {"leaves": 1, "noise": NOISE, "seed": seed, "nodes": room, "root": root}
        self.search = PUCT(game, 2, network, compiled=True, positions=count, explore=2.0, **told)
        self.chance = numpy.random.default_rng(seed)
        self.setup = resolve(game.options, {})
        self.states = [game.new_state(self.setup, 2) for _ in range(count)]
        self.told: list[list[tuple[Array, Array, float, int]]] = [[] for _ in range(count)]
        self._row = [0] * (2 * 6 * COLUMNS)

    def turn(self) -> list[tuple[Array, Array, float]]:
        """Play a turn of every game; returns positions of games that have ended: board, policy, value."""
        thought = self.search.think(self.states, playouts=self.playouts)
        movers = numpy.array([state.turn & 1 for state in self.states])
        index = numpy.arange(len(movers))
        policies = thought.policy()[index, movers]
        done: list[tuple[Array, Array, float]] = []
        for at, state in enumerate(self.states):
            seat = int(movers[at])
            self.game.observation.observe(state, seat, self._row)  # type: ignore[union-attr]
            board = numpy.array(self._row, numpy.int8)
            self.told[at].append((board, policies[at].astype(numpy.float32), float(thought.values[at, seat]), seat))
            sharp = policies[at] ** (1.0 if len(self.told[at]) <= OPENING else 4.0)
            actions = [0, 0]
            actions[seat] = int(self.chance.choice(ACTIONS, p=sharp / sharp.sum()))
            if thought.improved is not None:  # Gumbel's root has drawn it
                actions[seat] = int(thought.actions[at, seat])
            self.game.rules.step(state, actions, None)
            if self.game.rules.over(state):
                done += self._ended(at)
        return done

    def _ended(self, at: int) -> list[tuple[Array, Array, float]]:
        """The positions of a game, each with half its result and half what the search thought of it."""
        winner = self.game.rules.winner(self.states[at])
        result = [0.0 if winner < 0 else 1.0 if seat == winner else -1.0 for seat in range(2)]
        told = [(board, policy, (result[seat] + value) / 2) for board, policy, value, seat in self.told[at]]
        self.states[at], self.told[at] = self.game.new_state(self.setup, 2), []
        self.finished += 1
        return told


class Learner:
    """Adam over the network's weights; the network in use changes with every step."""

    def __init__(self, network: Network, seed: int = 0) -> None:
        self.network, self.steps = network, 0
        self.chance = numpy.random.default_rng(seed)
        self.first = {name: numpy.zeros_like(array) for name, array in network.weights.items()}
        self.second = {name: numpy.zeros_like(array) for name, array in network.weights.items()}

    def step(self, boards: Array, policies: Array, values: Array, rate: float) -> tuple[float, float]:
        """One step; half of the boards are mirrored. Returns the losses of policy and value."""
        boards = boards.reshape(-1, 2, 6, COLUMNS)
        turned = self.chance.random(len(boards)) < 0.5
        boards = numpy.where(turned[:, None, None, None], boards[..., ::-1], boards)
        policies = numpy.where(turned[:, None], policies[:, MIRRORED], policies)
        gradients, losses = gradients_of(self.network.weights, features(boards), policies, values)
        self.steps += 1
        for name in self.network.weights:
            array = self.network.weights[name]
            gradient = gradients[name] + 1e-4 * array
            self.first[name] += 0.1 * (gradient - self.first[name])
            self.second[name] += 0.001 * (gradient * gradient - self.second[name])
            first = self.first[name] / (1 - 0.9**self.steps)
            second = self.second[name] / (1 - 0.999**self.steps)
            self.network.weights[name] = array - (rate * first / (numpy.sqrt(second) + 1e-8)).astype(numpy.float32)
        return losses


def gradients_of(
    w: dict[str, Array], seen: Array, policies: Array, values: Array
) -> tuple[dict[str, Array], tuple[float, float]]:
    """The gradients of cross-entropy of the policy and squared error of the value, and these two."""
    first = numpy.maximum(seen @ w["w1"] + w["b1"], 0)
    second = numpy.maximum(first @ w["w2"] + w["b2"], 0)
    logits = second @ w["wp"] + w["bp"]
    logits -= logits.max(axis=1, keepdims=True)
    chances = numpy.exp(logits)
    chances /= chances.sum(axis=1, keepdims=True)
    value = numpy.tanh(second @ w["wv"] + w["bv"])[:, 0]
    count = len(seen)
    to_policy = (chances - policies) / count
    to_value = (2 * (value - values) * (1 - value**2) / count)[:, None].astype(numpy.float32)
    to_second = (to_policy @ w["wp"].T + to_value @ w["wv"].T) * (second > 0)
    to_first = (to_second @ w["w2"].T) * (first > 0)
    gradients = {
        "wp": second.T @ to_policy,
        "bp": to_policy.sum(axis=0),
        "wv": second.T @ to_value,
        "bv": to_value.sum(axis=0),
        "w2": first.T @ to_second,
        "b2": to_second.sum(axis=0),
        "w1": seen.T @ to_first,
        "b1": to_first.sum(axis=0),
    }
    loss = float(-(policies * numpy.log(chances + 1e-9)).sum(axis=1).mean()), float(((value - values) ** 2).mean())
    return gradients, loss


class Memory:
    """The last positions that were played."""

    def __init__(self, room: int = KEPT) -> None:
        self.boards = numpy.zeros((room, 2 * 6 * COLUMNS), numpy.int8)
        self.policies = numpy.zeros((room, ACTIONS), numpy.float32)
        self.values = numpy.zeros(room, numpy.float32)
        self.seen = 0

    def add(self, told: list[tuple[Array, Array, float]]) -> None:
        """Keep them in the place of the oldest."""
        for board, policy, value in told:
            at = self.seen % len(self.values)
            self.boards[at], self.policies[at], self.values[at] = board, policy, value
            self.seen += 1

    def draw(self, chance: numpy.random.Generator, rows: int) -> tuple[Array, Array, Array]:
        """Some of them."""
        at = chance.integers(0, min(self.seen, len(self.values)), rows)
        return self.boards[at], self.policies[at], self.values[at]


def train(
    into: Path,
    seconds: float,
    playouts: int,
    seed: int = 0,
    every: float = 120.0,
    games_at_once: int = GAMES,
    root: str = "puct",
) -> Network:
    """Play and learn for so many seconds of processor time; the network is written every `every` of them."""
    network = load(into) if into.exists() else blank(seed=seed)
    play = SelfPlay(games.find("connect-four"), network, playouts, games_at_once, seed, root)
    learner, memory, owed, shown = Learner(network, seed), Memory(), 0.0, 0.0
    begin, clock, losses = time.process_time(), time.monotonic(), (0.0, 0.0)

    def keep(spent: float) -> None:
        network.save(into)
        print(
            f"{play.finished:7d} games {memory.seen:8d} positions {learner.steps:6d} steps"
            f"  {spent:6.0f} s of processor {time.monotonic() - clock:6.0f} s"
            f"  losses {losses[0]:.3f} {losses[1]:.3f}",
            flush=True,
        )

    while (spent := time.process_time() - begin) < seconds:
        told = play.turn()
        memory.add(told)
        owed += len(told) * REUSED / ROWS if memory.seen > LEAST else 0
        rate = 1e-3 * max(0.05, 1 - spent / seconds)
        while owed >= 1:
            losses = learner.step(*memory.draw(learner.chance, ROWS), rate)
            owed -= 1
        if spent - shown >= every:
            shown = spent
            keep(spent)
            network.save(into.with_name(f"{into.stem}-{spent:.0f}.npz"))
    keep(spent)
    return network


def main() -> None:
    """Read the command line, and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("into", type=Path, help="the file of weights; one that is there is learned on")
    parser.add_argument("--seconds", type=float, default=3600, help="of processor time")
    parser.add_argument("--playouts", type=int, default=64, help="in each turn of self-play")
    parser.add_argument("--root", choices=("puct", "gumbel"), default="puct", help="how self-play searches")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=float, default=120.0, help="seconds of processor time between two files")
    told = parser.parse_args()
    train(told.into, told.seconds, told.playouts, told.seed, told.every, root=told.root)


if __name__ == "__main__":
    main()
