"""A vector environment whose games are on a graphics card, and stay there: `VectorEnv(..., device="cuda")`.

What it returns are arrays of the card, its own memory that each step writes anew. PyTorch and CuPy take them without
a copy by `__cuda_array_interface__`, as it takes theirs: `torch.as_tensor(observations, device="cuda")`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium.vector import AutoresetMode

from dohyo.core.game import Game
from dohyo.core.rewards import PLACE, Payoff
from dohyo.rl.agent_match import Illegal
from dohyo.rl.compiled_opponents import CompiledGames, checked_limit, compiled_opponents
from dohyo.rl.league import Batched, League
from dohyo.rl.observer import Observer, find
from dohyo.rl.opponents import RANDOM, Opponent
from dohyo.sim.card_seat import CardSeat

LEFT_OUT = ("self", "__class__", "copy", "threads")  # of the options, by copies: they have no meaning


class CardVectorEnv(CompiledGames):
    """`num_envs` games on a card; otherwise as `VectorEnv` without copies. Actions may be on the card, too.

    Opponents are "random", flat functions, or networks as `Batched`, all of one kind. A network gets arrays of the
    card, of all games, and returns actions there; see `dohyo.sim.card_seat`.

    Differences: rewards are float32; `terminated`, `truncated` and the infos always hold an array for all games (with
    SameStep `final_obs`, too: rows count where `_final_obs` says so); `reason` is the reason's number, a key of
    `game.rules.REASONS`. An action that is none stops its own game, and the next call that knows it, or `check`,
    raises the error.
    """

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
        reward: Payoff = PLACE,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = False,
        threads: int | None = None,
        max_episode_steps: int | None = None,
        device: str = "cuda",
        stream: Any = None,
    ) -> None:
        """As `VectorEnv`; `stream` as in `BatchMatch`; `threads` has no meaning.

        Raises what `VectorEnv` raises, `ValueError` for a league, and for mixed kinds of opponents.
        """
        self._made_with = {name: value for name, value in locals().items() if name not in LEFT_OUT}
        self._made_with["stream"] = stream if callable(stream) else None
        if isinstance(opponents, League):
            raise ValueError("a league draws its members on the processor: device='cpu', or networks as opponents")
        found = find(game)
        self._describe(Observer(found, scaled), num_envs, False, autoreset_mode, ())
        self._games = CardSeat(
            found,
            num_envs,
            setup=setup,
            seat=seat,
            **_players(found, opponents, seats),
            way=self.autoreset_mode.value,
            faulty=illegal == "fault",
            most_steps=checked_limit(max_episode_steps) or 0,
            scale=self._observer.scale,
            reward=reward,
            device=device,
            stream=stream,
        )

    @property
    def learners(self) -> Any:
        """The learner's seat in each game, on the card."""
        return self._games.learners

    def seed_of(self, i: int) -> int:
        """The seed of the match that is played in game `i`, fetched from the card."""
        return self._games.batch.seed_of(i)

    def __reduce__(self) -> tuple[Any, ...]:
        """For copies and pickles; a stream that is no function stays behind."""
        return _again, (self._made_with, self._games.saved(), self._np_random, self._np_random_seed, self._is_seeded)

    def check(self) -> None:
        """Wait for the card. Raises what a step has found: `IllegalActionError`, a `ValueError`."""
        self._games.check()

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new matches: all, or those of the mask in `options`, which may be on the card."""
        seed, which = self._begin_again(seed, options)
        self._games.reset(which, seed)  # type: ignore[arg-type]
        return self._games.seen, self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play the learners' actions, and the others' until the learners are asked again, without waiting for it."""
        games = self._games
        games.move(actions)
        ending = {
            "places": games.ranks,
            "_places": games.terminated,
            "reason": games.reasons,
            "_reason": games.terminated,
        }
        if games.game.rules.scores is not None:
            ending |= {"scores": games.points, "_scores": games.terminated}
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            final = {"action_mask": games.last_mask, "_action_mask": games.ended, **ending}
            ending = {
                "final_obs": games.last_seen,
                "_final_obs": games.ended,
                "final_info": final,
                "_final_info": games.ended,
            }
        return games.seen, games.rewards, games.terminated, games.truncated, {**self._info(), **ending}

    def action_masks(self) -> Any:
        """What the learners may do now, (num_envs, actions) int8 on the card."""
        return self._games.mask

    def _info(self) -> dict[str, Any]:
        everywhere = self._games.all_games
        told = {"action_mask": self._games.mask, "seed": self._games.seeds}
        return {**told, "_action_mask": everywhere, "_seed": everywhere}


def _again(made_with: dict[str, Any], kept: dict[str, Any], chance: Any, seed: Any, is_seeded: bool) -> CardVectorEnv:
    """From a copy or a pickle."""
    env = CardVectorEnv(**made_with)
    env._games.load(kept)
    env._np_random, env._np_random_seed, env._is_seeded = chance, seed, is_seeded
    return env


def _players(game: Game, opponents: Any, seats: int | None) -> dict[str, Any]:
    """Who plays beside the learners, as `CardSeat` takes it. Raises `ValueError` for a mixture of kinds."""
    each = [opponents] if isinstance(opponents, str) or not isinstance(opponents, Sequence) else list(opponents)
    networks = [one for one in each if isinstance(one, Batched)]
    if not networks:
        seats, policies = compiled_opponents(game, opponents, seats)
        return {"seats": seats, "policies": policies}
    if len(networks) < len(each):
        raise ValueError("on a card all opponents are networks, or none: give 'random' and flat functions alone")
    seats, _ = compiled_opponents(game, [RANDOM] * len(each) if len(each) > 1 else RANDOM, seats)
    functions = [one.many for one in networks]
    return {"seats": seats, "networks": functions[:1] if len(set(functions)) == 1 else functions}
