"""One seat of an environment that is played by whoever trains: `reset` and `step`, as in Gym's first interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dohyo.core.errors import OperatorError
from dohyo.core.referee import Answer
from dohyo.kaggle.agents import seated
from dohyo.kaggle.steps import Telling
from dohyo.kaggle.values import Struct
from dohyo.match.python_bot import as_text

if TYPE_CHECKING:
    from dohyo.kaggle.environment import Environment


class Trainer:
    """Matches against the other agents, one after the other. Needs the extra `rl`."""

    def __init__(self, env: Environment, agents: Sequence[Any], sandbox: str, python: str | None) -> None:
        """`agents` has None for the seat that learns. Raises `OperatorError` if not exactly one is None."""
        import numpy  # which `dohyo.rl` has asked for in a sentence

        from dohyo.rl.agent_match import AgentMatch
        from dohyo.rl.opponents import Opponents

        learners = [seat for seat, one in enumerate(agents) if one is None]
        if len(learners) != 1:
            raise OperatorError("kaggle-learner", given=len(learners))
        self._env, self._seat = env, learners[0]
        reserve, count = env._clock.bank, len(agents)
        order = [(self._seat + 1 + k) % count for k in range(count - 1)]
        given = [seated(agents[seat], env.configuration, seat, reserve) for seat in order]
        self._match = AgentMatch(env.game, count, env._setup, "fault", False)
        self._opponents = Opponents(self._match, given, env._clock, sandbox, python)
        self._chance = numpy.random.default_rng(env._seed)

    def reset(self) -> Struct:
        """Begin a match, and play until the learner is asked; its observation."""
        match, env = self._match, self._env
        match.begin(env._match_seed())
        env._referee, env.replay = match.referee, None
        env._telling = Telling(env.game, env._setup, match.seats, env._clock.bank, match.referee.state)
        self._opponents.begin(self._seat, self._chance)
        self._play(None)
        return env.state[self._seat].observation  # type: ignore[no-any-return]

    def step(self, action: Any) -> tuple[Struct, float, bool, Struct]:
        """Play the learner's action and the others' until it is asked again: observation, reward, done, info.

        Raises `OperatorError` if the match is over.
        """
        if self._match.referee.over:
            raise OperatorError("kaggle-over")
        self._play(Answer(as_text(action, self._env.game)))
        mine = self._env.state[self._seat]
        done = self._match.referee.over or mine.status not in ("ACTIVE", "INACTIVE")
        if done:
            self._opponents.close()
        return mine.observation, mine.reward, done, mine.info

    def _play(self, mine: Answer | None) -> None:
        """Play turns until the learner is asked, or can do nothing more and the match is over."""
        referee, telling = self._match.referee, self._env._telling
        self._opponents.play_until_asked(self._seat, mine, lambda turn: telling.add(turn, referee.state))
