"""Shoot-Em-Up as the policy sees it, many games at once: the environment of dohyo.rl with eyes of our own."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
from duelist import features

from dohyo import games
from dohyo.core.game import Plane
from dohyo.rl import VectorEnv

PLANES = [Plane(f"feature-{i}", 0, 1, "see duelist/features.py") for i in range(features.SIZE)]
OBSERVATION = SimpleNamespace(KIND="f4", SHAPE=(), PLANES=PLANES, observe=features.observe)
GAME = msgspec.structs.replace(games.find("shoot-em-up"), observation=OBSERVATION)


def duels(n: int, opponent: str, pairs: int = 500) -> VectorEnv:
    """`n` games against the sample bot that this word names, inside the compiled loop; the learner takes both seats.

    A match lasts `pairs` pairs of actions at most. A game that ends gives way to the next in the same step.
    """
    return VectorEnv(
        GAME, n, opponents=opponent, seat=None, autoreset_mode="SameStep", setup={"pairs": pairs}, threads=1
    )
