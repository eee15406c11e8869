"""Gymnasium's vector environment on compiled rules: thousands of games, one seat of each learns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from gymnasium import vector
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import TimeLimit

from dohyo.core.game import Game, usual_seats
from dohyo.core.given import draws_start
from dohyo.core.options import resolve
from dohyo.core.rewards import PLACE, Payoff
from dohyo.match.telling.words import reason as sentence_of
from dohyo.rl.agent_match import RENDER_MODES, Illegal, checked_mode, drawn
from dohyo.rl.compiled_opponents import CompiledGames, checked_limit, compiled, compiled_opponents
from dohyo.rl.env import Env
from dohyo.rl.league import League
from dohyo.rl.league_games import LeagueGames, is_quick
from dohyo.rl.league_programs import Programs
from dohyo.rl.observer import Observer, checked_masks, find
from dohyo.rl.opponents import RANDOM, Opponent, can_play
from dohyo.sim import records
from dohyo.sim.one_seat import OneSeat

OF_PROGRAMS = ("clock", "sandbox", "python")  # options of `Env` by which somebody asks for processes


class VectorEnv(CompiledGames):
    """`num_envs` games at once; otherwise as `Env`. What is legal is in `info["action_mask"]`, (num_envs, actions).

    Opponents are "random", sample bots with a policy (`dohyo.games.policies`) by name, or flat functions as
    `BatchMatch.rollout` takes them: they run inside the compiled loop, without a process. Or a `League` of these and
    of functions in Python, networks say, which are asked turn by turn.

    With `device="cuda"` or `"cuda:1"` games are played on a graphics card, and so is all that is returned:
    `dohyo.rl.card_vector.CardVectorEnv`, which takes `stream`, too.
    """

    def __new__(cls, *given: Any, device: str = "cpu", **named: Any) -> Any:
        """Another class where another device is wanted."""
        if device == "cpu":
            return super().__new__(cls)
        from dohyo.rl.card_vector import CardVectorEnv

        named.pop("copy", None)
        for name in ("masks", "programs", "render_mode"):
            if named.pop(name, None) not in (None, "info"):
                raise TypeError(f"{name} is for device='cpu': a VectorEnv on a graphics card has no such option")
        return CardVectorEnv(*given, device=device, **named)

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        opponents: Opponent | Sequence[Opponent] | League = RANDOM,
        seat: int | None = 0,
        seats: int | None = None,
        setup: Mapping[str, object] | None = None,
        illegal: Illegal = "fault",
        scaled: bool = False,
        masks: str = "info",
        reward: Payoff = PLACE,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int | None = None,
        max_episode_steps: int | None = None,
        device: str = "cpu",
        programs: Programs | None = None,
        render_mode: str | None = None,
    ) -> None:
        """As `Env`, for `num_envs` games on `threads` threads (all cores).

        With `seat` none, the learner's seat differs between games, but does not change within one environment.
        `autoreset_mode` is Gymnasium's. Without `copy`, the next step overwrites the returned arrays. After
        `max_episode_steps` decisions of the learner's, an episode is truncated. With `programs`, opponents may be
        bots, at the cost that `Programs` says; `close` ends them.

        Raises `TypeError` for an opponent that cannot be compiled, and what `BatchMatch` raises: `OperatorError` for
        a setup that draws starts by the seed, as chess960, too.
        """
        found = find(game)
        self._with_mask = checked_masks(masks)
        self._describe(Observer(found, scaled), num_envs, self._with_mask, autoreset_mode, RENDER_MODES)
        options: dict[str, Any] = {"setup": setup, "seat": seat, "threads": threads, "illegal": illegal}
        options["reward"] = reward
        self._batch = _batch(self._observer, num_envs, opponents, seats, options, programs)
        self.render_mode = checked_mode(render_mode)
        self._picture_size: tuple[int, int] | None = None
        self._copy = copy
        self._make_arrays(scaled)
        self._most_steps = checked_limit(max_episode_steps)

    def _make_arrays(self, scaled: bool) -> None:
        """The arrays that each step fills; with `scaled` also those that are shown."""
        self._seen = records.zeros((self.num_envs, *self._observer.shape), self._observer.kind)
        self._masks = records.zeros((self.num_envs, self._observer.actions), numpy.int8)
        self._shown = records.zeros(self._seen.shape, numpy.float32) if scaled else None
        self._cut_masks = numpy.zeros_like(self._masks)  # what was legal where a game was truncated
        self._slots = numpy.arange(self.num_envs)
        self._ended = numpy.zeros(self.num_envs, numpy.bool_)
        self._seeds = numpy.zeros(self.num_envs, numpy.int64)
        self._steps = numpy.zeros(self.num_envs, numpy.int64)

    @property
    def learners(self) -> Any:
        """The learner's seat in each game."""
        return self._batch.learners

    def seed_of(self, i: int) -> int:
        """The seed of the match that is played in game `i`: `dohyo play --seed` has the same dice."""
        return self._batch.seed_of(i)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games again, or those that `options["reset_mask"]` (bool) names.

        A list has a seed for the first match of each game, as `Env.reset` takes it; later ones follow from the list.
        A match that is over before its learner can move is left out, and the game's next one, of another seed, begins
        in its place; `info["seed"]` says which it is.

        Raises `TypeError` or `ValueError` for seeds that are no numbers or not as many as games, or another mask.
        """
        seed, which = self._begin_again(seed, options)
        self._batch.reset(which, seed)  # type: ignore[arg-type]
        self._begun(numpy.ones(self.num_envs, numpy.bool_) if which is None else numpy.asarray(which))
        self._batch.look(self._seen)
        return self._told({})

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play the learners' actions, and the others' until the learners are asked again.

        Raises `TypeError` or `ValueError` for invalid actions; no game has moved then.
        """
        batch, before = self._batch, self._ended
        batch.move(self._checked(actions))
        rewards = batch.rewards()[self._slots, batch.learners].astype(numpy.float64)
        terminated = batch.done.copy()
        self._steps += ~before
        truncated = self._cut(before | terminated)
        done = terminated | truncated
        self._ended = before | done
        batch.look(self._seen)
        more = self._ending(terminated)
        if self.autoreset_mode is AutoresetMode.NEXT_STEP and before.any():
            self._renew(before)
        elif self.autoreset_mode is AutoresetMode.SAME_STEP and done.any():
            more = self._final(done, more)
            self._renew(done)
        seen, info = self._told(more)
        return seen, rewards, terminated, truncated, info

    def close_extras(self, **options: Any) -> None:
        """End the programs, if there are any; Gymnasium's `close` calls this."""
        batch = getattr(self, "_batch", None)  # there is none if making this has failed
        if isinstance(batch, LeagueGames):
            batch.close()

    def render(self) -> Any:
        """All games, each as text ("ansi") or as a picture, all of one size; none without a `render_mode`."""
        if self.render_mode is None:
            return None
        batch, mode = self._batch, self.render_mode
        states = [batch.unpack(i) for i in range(self.num_envs)]
        while True:
            found = tuple(drawn(batch.game, state, batch.seats, mode, self._picture_size) for state in states)
            if mode == "ansi" or len({one.shape for one in found}) == 1:
                return found
            self._picture_size = max(one.shape[0] for one in found), max(one.shape[1] for one in found)

    def action_masks(self) -> Any:
        """What the learners may do now, (num_envs, actions) of bool."""
        self._look_at_masks()
        return self._masks.astype(numpy.bool_)

    def _look_at_masks(self) -> None:
        self._batch.mask(self._masks)
        if self._most_steps is not None:
            self._masks |= self._cut_masks

    def _checked(self, actions: Any) -> Any:
        """The actions, checked; those of games that wait for their beginning are ignored."""
        given = numpy.asarray(actions)
        if given.shape == (self.num_envs,) and given.dtype.kind in "iu":  # otherwise the batch raises the error
            wrong = ((given < 0) | (given >= self._observer.actions)) & ~self._ended
            if wrong.any():
                at = int(wrong.argmax())
                last = self._observer.actions - 1
                raise ValueError(f"{given[at]} is no action (in game {at}): they are 0 .. {last}; no game has moved")
        return given

    def _cut(self, over: Any) -> Any:
        """Stop games that are not over after the greatest number of decisions; which these are."""
        if self._most_steps is None:
            return numpy.zeros(self.num_envs, numpy.bool_)
        cut = ~over & (self._steps >= self._most_steps)
        if cut.any():
            self._batch.mask(self._masks)
            self._cut_masks[cut] = self._masks[cut]
            self._batch.stop(cut)
        return cut

    def _renew(self, which: Any) -> None:
        """Begin new games in these slots, and observe them."""
        self._batch.reset(which)
        self._batch.look(self._seen, which)
        self._begun(which)

    def _begun(self, which: Any) -> None:
        """Games have begun in these slots."""
        self._ended = self._ended & ~which
        self._steps[which] = 0
        self._cut_masks[which] = 0
        self._seeds = self._seeds.copy()  # the last one has been given away
        for i in which.nonzero()[0].tolist():
            self._seeds[i] = self._batch.seed_of(i)

    def _ending(self, terminated: Any) -> dict[str, Any]:
        """How the games ended that this step has ended: each seat's place, the reason, and the points, if any."""
        if not terminated.any():
            return {}
        places = numpy.where(terminated[:, None], self._batch.endings[:, :-1], 0)
        reasons, keys = (numpy.full(self.num_envs, None, object) for _ in range(2))
        game, sentences = self._observer.game, dict[str, str]()
        for i in terminated.nonzero()[0].tolist():
            keys[i] = key = game.rules.REASONS[int(self._batch.endings[i, -1])]
            if key not in sentences:
                sentences[key] = sentence_of(key, game.name, game.catalogue)
            reasons[i] = sentences[key]
        told = {"places": places, "reason": reasons, "reason_key": keys}
        if game.rules.scores is not None:
            told["scores"] = numpy.where(terminated[:, None], self._batch.points, 0.0)
        return {**told, **{f"_{name}": terminated.copy() for name in told}}

    def _final(self, done: Any, ending: Mapping[str, Any]) -> dict[str, Any]:
        """What Gymnasium requires for games that end and begin again in the same step."""
        last = numpy.full(self.num_envs, None, object)
        for i in done.nonzero()[0]:
            seen = self._observer.scaled(self._seen[i].copy())
            last[i] = {"observation": seen, "action_mask": self._cut_masks[i].copy()} if self._with_mask else seen
        info = {
            "action_mask": self._cut_masks.copy(),
            "_action_mask": done.copy(),
            "seed": self._seeds,
            "_seed": done.copy(),
            **ending,
        }
        return {"final_obs": last, "_final_obs": done.copy(), "final_info": info, "_final_info": done.copy()}

    def _given(self, seen: Any) -> Any:
        """Observations as they are returned."""
        if self._shown is None:
            return records.copy(seen) if self._copy else seen
        shown = records.zeros(seen.shape, numpy.float32) if self._copy else self._shown
        assert self._observer.scale is not None
        return numpy.multiply(seen, self._observer.scale, out=shown)

    def _told(self, more: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The observations, and the information with `more`."""
        self._look_at_masks()
        masks = records.copy(self._masks) if self._copy else self._masks
        all_of_them = numpy.ones(self.num_envs, numpy.bool_)
        told = {"action_mask": masks, "_action_mask": all_of_them, "seed": self._seeds, "_seed": all_of_them}
        told |= {"seat": self._batch.learners.copy(), "_seat": all_of_them}
        seen = self._given(self._seen)
        if self._with_mask:
            seen = {"observation": seen, "action_mask": records.copy(masks) if self._copy else masks}
        return seen, {**told, **more}


def _all_quick(game: Game, opponents: Any) -> bool:
    """Whether all of them can play in compiled games."""
    if isinstance(opponents, League):
        return all(is_quick(player) or compiled(game, player) is not None for player in opponents.players.values())
    each = [opponents] if isinstance(opponents, str) or not isinstance(opponents, Sequence) else opponents
    return all(compiled(game, one) is not None for one in each)


def _batch(
    observer: Observer,
    count: int,
    opponents: Any,
    seats: int | None,
    options: dict[str, Any],
    programs: Programs | None,
) -> OneSeat:
    """The games, with whoever plays in them."""
    if programs is not None and not isinstance(programs, Programs):
        raise TypeError(f"programs is a dohyo.rl.Programs(clock=...), not {programs!r}")
    if programs is not None and can_play(opponents) and not is_quick(opponents):
        opponents = League({str(opponents): opponents}, "even")
    if isinstance(opponents, League):
        seats = usual_seats(observer.game) if seats is None else seats
        return LeagueGames(observer.game, count, opponents, observer, seats=seats, programs=programs, **options)
    seats, policies = compiled_opponents(observer.game, opponents, seats)
    return OneSeat(observer.game, count, seats=seats, policies=policies, **options)


def vectorize(
    game: str | Game,
    num_envs: int = 1,
    *,
    opponents: Opponent | Sequence[Opponent] | League = RANDOM,
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    max_episode_steps: int | None = None,
    **options: Any,
) -> vector.VectorEnv[Any, Any, Any]:
    """`num_envs` games against any opponents: a `VectorEnv` if all can be compiled, otherwise as many `Env`.

    Where the setup draws each start by the seed (chess960), they are `Env`, too.

    With bots there is then one process for each game and opponent; `options` are those of the class that is used,
    with `programs` among them always a `VectorEnv`'s, with `clock`, `sandbox` or `python` always those of an `Env`.
    """
    found = find(game)
    is_quick_enough = not any(name in options for name in OF_PROGRAMS) and _all_quick(found, opponents)
    if draws_start(found, resolve(found.options, options.get("setup") or {}, found.catalogue)):
        is_quick_enough = False
    if is_quick_enough or options.get("programs") is not None or options.get("device", "cpu") != "cpu":
        more = {"autoreset_mode": autoreset_mode, "max_episode_steps": max_episode_steps, **options}
        return VectorEnv(game, num_envs, opponents=opponents, **more)
    limit = checked_limit(max_episode_steps)

    def make() -> Any:
        env = Env(game, opponents=opponents, **options)
        return env if limit is None else TimeLimit(env, limit)

    return vector.SyncVectorEnv([make] * num_envs, autoreset_mode=autoreset_mode)
