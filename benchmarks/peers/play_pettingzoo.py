"""PettingZoo's connect four: an environment in Python."""

from __future__ import annotations

import random

import numpy
from pettingzoo.classic import connect_four_v3
from playing import Way, serve, timed

GAMES = 10  # in one go

environment = connect_four_v3.env(render_mode=None)
chooser = random.Random(4)


def for_learning() -> int:
    """The loop of its documentation: who moves, what it sees and may do, a step."""
    steps = 0
    for _ in range(GAMES):
        environment.reset()
        for _agent in environment.agent_iter():
            seen, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                environment.step(None)
            else:
                environment.step(int(chooser.choice(numpy.flatnonzero(seen["action_mask"]))))
                steps += 1
    return steps


bare = environment.unwrapped


def bare_steps() -> int:
    """The environment below its wrappers, without observations: what is legal is read from its board."""
    steps = 0
    for _ in range(GAMES):
        bare.reset()
        while not any(bare.terminations.values()):
            bare.step(chooser.choice([column for column in range(7) if bare.board[column] == 0]))
            steps += 1
    return steps


serve(
    ["pettingzoo", "numpy"],
    [
        Way("rollout", "steps below its wrappers, without observations", 1, timed(bare_steps)),
        Way("step", "agent_iter, last and step", 1, timed(for_learning)),
    ],
)
