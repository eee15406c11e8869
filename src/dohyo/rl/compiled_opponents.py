"""What the environments of compiled games are given: opponents inside their loops, and limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.game import Game, usual_seats
from dohyo.rl.opponents import RANDOM, Opponent, read_opponents
from dohyo.sim.loops import Policy
from dohyo.sim.turns import uniform_legal


def checked_limit(steps: int | None) -> int | None:
    """The number of decisions after which an episode is truncated; none for none, and Gymnasium's -1.

    Raises `ValueError` for another number.
    """
    if steps is None or steps == -1:
        return None
    if steps < 1:
        raise ValueError(f"max_episode_steps is at least 1 (or -1 for no limit), not {steps}")
    return steps


def compiled_opponents(
    game: Game, given: Opponent | Sequence[Opponent], seats: int | None
) -> tuple[int, list[Policy]]:
    """The number of players, and the policies of all but the learner: a single one if all play alike."""
    if seats is None:
        is_list = isinstance(given, Sequence) and not isinstance(given, str)
        seats = len(given) + 1 if is_list else usual_seats(game)  # type: ignore[arg-type]
    policies = [_flat(one) for one in read_opponents(given, seats - 1)] or [uniform_legal]
    return seats, policies[:1] if len(set(policies)) == 1 else policies


def _flat(opponent: Opponent) -> Any:
    """The policy that the compiled loop runs."""
    if opponent == RANDOM:
        return uniform_legal
    if not getattr(opponent, "__flat__", False):
        raise TypeError(
            f"{opponent!r} cannot be compiled: in a VectorEnv opponents are 'random' or flat functions, or"
            " with programs=Programs() one bot, or a League that has bots; dohyo.rl.vectorize without it takes all"
        )
    return opponent
