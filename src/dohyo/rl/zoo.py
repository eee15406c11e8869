"""PettingZoo: every seat of a match is an agent, called `player_0`, `player_1` and so on.

An agent's observation is a dictionary of `observation` and `action_mask` (int8), or with `masks="info"` an array.
All agents stay until the match is over, and end together. An agent that has nothing to decide any more is not asked
(`AEC`), or its action is ignored (`Parallel`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped]

from dohyo.core.game import Game, Turns
from dohyo.core.referee import Answer
from dohyo.core.rewards import PLACE, Payoff
from dohyo.rl.agent_match import RENDER_MODES, AgentMatch, Illegal, checked_mode
from dohyo.rl.observer import checked_masks, find

MATCH_SEEDS = 1 << 63


class _Agents:
    """What both kinds of environment have: agents, their spaces, seeds, and the match."""

    def __init__(
        self,
        game: str | Game,
        *,
        seats: int | None = None,
        setup: Mapping[str, object] | None = None,
        illegal: Illegal = "fault",
        scaled: bool = False,
        render_mode: str | None = None,
        masks: str = "observation",
        reward: Payoff = PLACE,
    ) -> None:
        """A match of `game`, named or the game itself, with its options in `setup`.

        `seats` is the number of players, by default 2 if the game allows it. An action against the rules is a fault,
        as for a bot, or with `illegal` "raise" a `ValueError`. With `scaled`, observations are float32 within
        -1 .. 1. `render_mode` is "ansi", "rgb_array" or none.

        `masks` are in the "observation", a dictionary; or in the "info", and then observations are plain arrays, as
        wrappers such as SuperSuit's want them. `reward` is as for `dohyo.rl.Env`.

        Raises `OperatorError` for an unknown game, option or number of seats, `ValueError` for another mode.
        """
        self._masks_in_info = not checked_masks(masks)
        self.match = AgentMatch(find(game), seats, setup, illegal, scaled, reward)
        self.render_mode = checked_mode(render_mode)
        name = self.match.game.name.replace("-", "_")
        self.metadata = {
            "name": f"{name}_v{self.match.game.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 4,
            "is_parallelizable": self.match.game.turns is Turns.SIMULTANEOUS,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.match.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: self.match.observer.action_space() for agent in self.possible_agents}
        self.observation_spaces = {
            agent: self.match.observer.seen_space(not self._masks_in_info) for agent in self.possible_agents
        }
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def render(self) -> Any:
        """The match as text ("ansi"), or as a picture, (height, width, 3) of uint8 ("rgb_array")."""
        return self.match.draw(self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""

    def state(self) -> Any:
        """What all seats see, one after the other."""
        import numpy

        return numpy.stack([self.match.observe(seat) for seat in range(self.match.seats)])

    def _begin(self, seed: int | None) -> None:
        """Begin a match with this seed; without one, with the next that follows from the last given seed.

        Raises what `AgentMatch.begin` raises for a seed.
        """
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.match.begin(int(self._random.integers(MATCH_SEEDS)) if seed is None else seed)
        self.agents = list(self.possible_agents)

    def _see(self, agent: str) -> Any:
        seat = self._seat_of[agent]
        if self._masks_in_info:
            return self.match.observe(seat)
        return {"observation": self.match.observe(seat), "action_mask": self.match.mask(seat)}

    def _rewarded(self, asked: Iterable[int] = ()) -> dict[str, float]:
        """What comes to each agent now; `asked` are the seats that are to decide again."""
        return dict(zip(self.possible_agents, self.match.rewards(asked), strict=True))

    def _told(self, agent: str) -> dict[str, Any]:
        """What an agent is told beside its observation: masks, if they are not in it, and how a match has ended."""
        told = {"action_mask": self.match.mask(self._seat_of[agent])} if self._masks_in_info else {}
        return {**told, **self.match.ending()} if self.match.referee.over else told


class AEC(_Agents, AECEnv):  # type: ignore[misc]
    """Agents act one after the other; where all decide at once, the turn is played after the last decision."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; `options` are ignored. Raises `ValueError` for a seed that is not from 0 to 2**63 - 1."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}  # `_go_on` fills them
        self._answers: dict[int, Answer] = {}
        self._skip_agent_selection = None
        self._go_on()

    def observe(self, agent: str) -> Any:
        """What the agent sees now, and may do."""
        return self._see(agent)

    def step(self, action: Any) -> None:
        """Take the selected agent's action; None after the agent has seen that the match is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seat_of[agent]
        self._answers[seat] = self.match.answer(seat, action)
        self.match.promise([seat])
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Play the turn if everybody has decided; select who is asked next."""
        referee = self.match.referee
        while not referee.over:
            waiting = [seat for seat in referee.pending() if seat not in self._answers]
            if waiting:
                self.agent_selection = self.possible_agents[waiting[0]]
                self.rewards = self._rewarded(waiting)
                if self._masks_in_info:
                    self.infos = {agent: self._told(agent) for agent in self.agents}
                return
            answers, self._answers = self._answers, {}
            referee.submit(answers)
        self.rewards = self._rewarded()
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: self._told(agent) for agent in self.agents}
        self.agent_selection = self.agents[0]


class Parallel(_Agents, ParallelEnv):  # type: ignore[misc]
    """All agents act in every step, which is one turn; actions of agents that the turn does not ask are ignored.

    The masks show who is asked: all other masks are zeros.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a match; `options` are ignored. Returns each agent's observation and information."""
        self._begin(seed)
        while not self.match.referee.over and not self.match.referee.pending():
            self.match.referee.submit({})
        return {agent: self._see(agent) for agent in self.agents}, {agent: self._told(agent) for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Play a turn. Returns observations, rewards, terminations, truncations and infos, by agent.

        After the end there are no agents, and so nothing to return. Raises `KeyError` if the action of an asked agent
        is missing, `TypeError` or `ValueError` for an invalid one; the match does not change then.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        match, agents = self.match, self.agents
        answers = {seat: match.answer(seat, actions[self.possible_agents[seat]]) for seat in match.referee.pending()}
        match.promise(range(match.seats))
        match.referee.submit(answers)
        while not match.referee.over and not match.referee.pending():  # the rules decide for a stopped player
            match.referee.submit({})
        is_over = match.referee.over
        rewards = self._rewarded(range(match.seats))
        if is_over:
            self.agents = []
        return (
            {agent: self._see(agent) for agent in agents},
            rewards,
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, False),
            {agent: self._told(agent) for agent in agents},
        )


def parallel_env(game: str | Game, **options: Any) -> Parallel:
    """`Parallel`, only for games in which all seats decide at once, as PettingZoo means it; options are the same.

    Raises `ValueError` for a game in which one moves at a time.
    """
    found = find(game)
    if found.turns is not Turns.SIMULTANEOUS:
        raise ValueError(
            f"in {found.name} one moves at a time, so it is no parallel environment: take dohyo.rl.AEC"
            " (or dohyo.rl.Parallel, in which the masks say who is asked)"
        )
    return Parallel(found, **options)
