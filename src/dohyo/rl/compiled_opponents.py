"""What the environments of compiled games are given: opponents inside their loops, limits, seeds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy
from gymnasium import vector
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from dohyo.core.game import Game, usual_seats
from dohyo.core.spelling import closest
from dohyo.games.policies import find_policy, policy_names
from dohyo.rl.observer import Observer
from dohyo.rl.opponents import RANDOM, Opponent, read_opponents
from dohyo.sim.loops import Policy
from dohyo.sim.turns import uniform_legal

MAX_SEED = 1 << 63


def checked_limit(steps: int | None) -> int | None:
    """The number of decisions after which an episode is truncated; none for none, and Gymnasium's -1.

    Raises `ValueError` for another number.
    """
    if steps is None or steps == -1:
        return None
    if steps < 1:
        raise ValueError(f"max_episode_steps is at least 1 (or -1 for no limit), not {steps}")
    return steps


def _mode_of(mode: str | AutoresetMode) -> AutoresetMode:
    """When games begin anew, by Gymnasium's word for it. Raises `ValueError` for a word that is none of them."""
    try:
        return AutoresetMode(mode)
    except ValueError as error:
        words = ", ".join(repr(each.value) for each in AutoresetMode)
        raise ValueError(f"autoreset_mode must be one of {words}, not {mode!r}") from error


class CompiledGames(vector.VectorEnv[Any, Any, Any]):
    """What vector environments of compiled games have, wherever these are played: spaces and seeds."""

    def _describe(
        self,
        observer: Observer,
        num_envs: int,
        with_mask: bool,
        mode: str | AutoresetMode,
        render_modes: Sequence[str],
    ) -> None:
        """Say how many games there are, what is seen and done in them, and when they begin anew (`mode`)."""
        self._observer, self.num_envs = observer, num_envs
        self.autoreset_mode = _mode_of(mode)
        self.metadata = {"render_modes": list(render_modes), "render_fps": 4, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observer.seen_space(with_mask)
        self.single_action_space = observer.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._is_seeded = False

    def _begin_again(
        self, seed: int | Sequence[int | None] | None, options: dict[str, Any] | None
    ) -> tuple[Any, Any]:
        """The seed, or one for each game, that `reset` gives the batch (none: it goes on), and which games begin.

        Raises `ValueError` for some games and a new seed.
        """
        each: list[Any] | None = None if seed is None or numpy.ndim(seed) == 0 else list(seed)  # type: ignore[arg-type]
        if each is not None and all(one is None for one in each) and len(each) == self.num_envs:
            seed = each = None  # as Gymnasium's own vectors take it
        which = (options or {}).get("reset_mask")
        if which is not None and (seed is not None or not self._is_seeded):
            raise ValueError("a new seed, or the first reset, is for all games: leave reset_mask out")
        super().reset(seed=None if each is not None else seed)  # type: ignore[arg-type]
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(MAX_SEED))
        self._is_seeded = True
        return seed, which


def compiled_opponents(
    game: Game, given: Opponent | Sequence[Opponent], seats: int | None
) -> tuple[int, list[Policy]]:
    """The number of players, and the policies of all but the learner: a single one if all play alike."""
    if seats is None:
        is_list = isinstance(given, Sequence) and not isinstance(given, str)
        seats = len(given) + 1 if is_list else usual_seats(game)  # type: ignore[arg-type]
    policies = [_flat(game, one) for one in read_opponents(given, seats - 1)] or [uniform_legal]
    return seats, policies[:1] if len(set(policies)) == 1 else policies


def compiled(game: Game, opponent: object) -> Any:
    """The flat policy that this opponent is, or that a sample bot of this name plays by; none of any other.

    What is there under exactly this name, a file or a folder, is meant rather than a sample bot, as everywhere.
    """
    if opponent == RANDOM:
        return uniform_legal
    if isinstance(opponent, str):
        return None if os.path.lexists(opponent) else find_policy(game, opponent)
    return opponent if getattr(opponent, "__flat__", False) else None


def _flat(game: Game, opponent: Opponent) -> Any:
    """The policy that the compiled loop runs."""
    found = compiled(game, opponent)
    if found is None:
        known = ", ".join(map(repr, (RANDOM, *policy_names(game))))
        is_here = isinstance(opponent, str) and os.path.lexists(opponent)
        there = ", which is a file or a folder here," if is_here else ""
        if isinstance(opponent, str) and not is_here and (close := closest(opponent, policy_names(game))):
            there = f" (did you mean {close!r}?)"
        raise TypeError(
            f"{opponent!r}{there} cannot be compiled: in a VectorEnv of {game.name} opponents are {known} or flat"
            " functions, or with programs=Programs() one bot, or a League that has bots; dohyo.rl.vectorize"
            " without it takes all"
        )
    return found
