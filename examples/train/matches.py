"""Drop-Block as the policy sees it, many games at once: the environment of dohyo.rl with eyes of our own."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
from trained import features

from dohyo import games
from dohyo.core.game import Plane
from dohyo.rl import VectorEnv

PLANES = [Plane(f"feature-{i}", -1, 1, "see trained/features.py") for i in range(features.SIZE)]
OBSERVATION = SimpleNamespace(KIND="f4", SHAPE=(), PLANES=PLANES, observe=features.observe)
GAME = msgspec.structs.replace(games.find("drop-block"), observation=OBSERVATION)


def matches(n: int) -> VectorEnv:
    """`n` games against three random players; the learner sits on another seat from game to game.

    A game that ends gives way to the next in the same step. Random players run inside the compiled loop.
    """
    return VectorEnv(GAME, n, seat=None, autoreset_mode="SameStep")
