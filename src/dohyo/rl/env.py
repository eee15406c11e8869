"""Gymnasium: one seat of a match learns, others play on the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium

from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.rewards import PLACE, Payoff
from dohyo.rl.agent_match import RENDER_MODES, AgentMatch, Illegal, checked_mode
from dohyo.rl.league import League, scores_by
from dohyo.rl.observer import checked_masks, find
from dohyo.rl.opponents import RANDOM, Opponent, Opponents
from dohyo.sandbox import Sandbox

MATCH_SEEDS = 1 << 63
MAX_IDLE = 100  # matches in a row in which the learner has nothing to decide


class Env(gymnasium.Env[Any, Any]):
    """One match after the other, seen from one seat; a step is one decision of the learner.

    The reward is 0 until the match is over, then 1 for the best place down to -1 for the last, or what `reward` says.
    What is legal now is in `info["action_mask"]` (int8), and in `action_masks()` (bool). An episode ends by the rules
    alone, and is never truncated.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012 - Gymnasium's own declaration

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: Opponent | Sequence[Opponent] | League = RANDOM,
        seat: int | None = 0,
        seats: int | None = None,
        setup: Mapping[str, object] | None = None,
        illegal: Illegal = "fault",
        scaled: bool = False,
        masks: str = "info",
        reward: Payoff = PLACE,
        clock: str | float | Clock | None = None,
        sandbox: str | Sandbox = "auto",
        python: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        """A match of `game`, named or the game itself, with its options in `setup`.

        `opponents` play on the other seats, see `dohyo.rl.opponents`: one for all, or a list with one for each seat,
        beginning with the seat after the learner; or a `League` draws them. `seat` is the learner's; none: a random
        one in each match. `seats` is the number of players, by default the fewest that make a match, or the number
        that fits the list.
        `illegal`: an action against the rules is a "fault", as for a bot, or with "raise" a `ValueError`. With
        `scaled`, observations are float32 within -1 .. 1. With `masks` "observation", an observation is a dictionary
        of `observation` and `action_mask`. `reward` is "place", "score", "margin", a flat function of a match that is
        over, or a `dohyo.rl.Reward`, which may pay steps: see `dohyo.core.rewards`. `clock`, `sandbox` and `python`
        are for bots, as in `dohyo.play`.

        Raises `OperatorError` for what `dohyo.play` would refuse, `ValueError` for another seat, list or word.
        """
        chosen = find(game)
        if isinstance(opponents, Sequence) and not isinstance(opponents, str):
            _check_list(chosen, len(opponents))
            seats = len(opponents) + 1 if seats is None else seats
        self._match = AgentMatch(chosen, seats, setup, illegal, scaled, reward)
        if seat is not None and not 0 <= seat < self._match.seats:
            raise ValueError(f"the learner's seat is one of 0 .. {self._match.seats - 1}, not {seat}")
        self.render_mode = checked_mode(render_mode)
        self._opponents = Opponents(self._match, opponents, clock, sandbox, python)
        self._given_seat = seat
        self._seat = seat or 0
        self._with_mask = checked_masks(masks)
        self.observation_space = self._match.observer.seen_space(self._with_mask)
        self.action_space = self._match.observer.action_space()
        self._is_over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a match; `options` are ignored.

        Its dice are those of `dohyo play --seed`; without a seed, one is drawn, and is in `info["seed"]`. A match
        that is over before the learner can move is left out, and one with a drawn seed takes its place (another one
        than a `VectorEnv` of the same seed takes): compare `info["seed"]` with yours.

        Raises `ValueError` for a seed that is not from 0 to 2**63 - 1, and `OperatorError` where a hundred matches in
        a row are left out.
        """
        super().reset(seed=seed)
        match = self._match
        for _ in range(MAX_IDLE):
            match.begin(int(self.np_random.integers(MATCH_SEEDS)) if seed is None else seed)
            drawn = self._given_seat is None
            self._seat = int(self.np_random.integers(match.seats)) if drawn else self._given_seat or 0
            self._opponents.begin(self._seat, self.np_random)
            self._opponents.play_until_asked(self._seat, None)
            if not match.referee.over:
                self._is_over = False
                return self._told()
            seed = None  # it was over before the learner could act: take the next one
        self._opponents.close()
        raise OperatorError("rl-never-asked", game=match.game.name, matches=MAX_IDLE)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and the others' until the learner is asked again or the match is over.

        Raises `TypeError` or `ValueError` for what is not an action; the match does not change.
        """
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the match is over: begin another one with reset()")
        match = self._match
        answer = match.answer(self._seat, action)
        match.promise([self._seat])
        self._opponents.play_until_asked(self._seat, answer)
        self._is_over = match.referee.over
        if self._is_over:
            self._opponents.close()
            if self._opponents.league is not None:
                scores = scores_by(match.ending()["places"], self._seat)
                self._opponents.league.record(self._opponents.drawn, scores)
        seen, info = self._told()
        return seen, match.rewards([self._seat])[self._seat], self._is_over, False, info

    def action_masks(self) -> Any:
        """What the learner may do now, as an array of bool."""
        return self._match.mask(self._seat).astype(bool)

    def render(self) -> Any:
        """The match as text ("ansi"), or as a picture, (height, width, 3) of uint8 ("rgb_array")."""
        return self._match.draw(self.render_mode)

    def close(self) -> None:
        """End the programs of the opponents."""
        self._opponents.close()
        self._is_over = True

    def _told(self) -> tuple[Any, dict[str, Any]]:
        """The learner's observation and information."""
        match, mask = self._match, self._match.mask(self._seat)
        info = {"action_mask": mask, "seed": match.seed, "seat": self._seat}
        seen = match.observe(self._seat)
        if self._with_mask:
            seen = {"observation": seen, "action_mask": mask.copy()}
        return seen, {**info, **match.ending()} if match.referee.over else info


def _check_list(game: Game, count: int) -> None:
    """Raise `OperatorError` for a list of so many opponents as no match of the game has beside the learner."""
    fewest, most = game.seats[0] - 1, game.seats[1] - 1
    if not fewest <= count <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} - {most}"
        raise OperatorError("rl-opponents", game=game.name, wanted=wanted, given=count)
