"""`make` and the environment that it returns."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dohyo import __version__, bots, clean, games
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, usual_seats
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import FORMAT, INTERRUPTED, Header, Replay, Result, Seat
from dohyo.core.rewards import PLACE, Payoff
from dohyo.i18n import ENGLISH
from dohyo.kaggle.agents import Struct, record, seated
from dohyo.kaggle.steps import ACTIVE, INACTIVE, Telling, told_of
from dohyo.match.play import check_seed, match_clock, new_seed, play_match
from dohyo.match.python_bot import as_text
from dohyo.match.telling.words import text_board

# Kaggle's names, and what they are here: fields of the clock, or an option of the setup.
TURN, READY, RESERVE, LENGTH, SEED = "actTimeout", "agentTimeout", "remainingOverageTime", "episodeSteps", "seed"
OF_CLOCK = {TURN: "turn", READY: "ready", RESERVE: "bank"}
MAX_SECONDS = 1e9
TURNS = "turns"  # the option that bounds a match, in games that have one
TYPES = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"))
MODES = ("json", "ansi", "human", "html", "ipython")


class Environment:
    """A game, with one match in it: run whole by `run`, or turn by turn by `reset` and `step`.

    `steps` has a list for the beginning and for each turn: for each seat a `Struct` of `action`, `reward` (0 until
    the end; then 1 for the best place down to -1 for the last, or what the environment's reward says), `observation`
    (what the seat was sent), `status` (ACTIVE, INACTIVE, DONE; TIMEOUT, INVALID or ERROR of one whose part in the
    match ended by that) and `info`. `state` is the last of them, `logs` what each seat took and printed, `replay` the
    match as Dohyo's replay.
    """

    def __init__(
        self,
        game: str | Game,
        configuration: Mapping[str, Any] | None = None,
        debug: bool = False,
        *,
        reward: Payoff = PLACE,
        sandbox: str = "auto",
        python: str | None = None,
    ) -> None:
        """See `make`."""
        self._reward = reward
        self.id = str(uuid.uuid4())
        self.debug = debug
        self.info: Struct = Struct()
        self.game = games.find(game) if isinstance(game, str) else game
        self.name = self.game.name
        self.version = str(self.game.version)
        self._sandbox, self._python = sandbox, python
        self._clock, self._setup, self._seed = _read(self.game, configuration or {})
        self.configuration = _told(self._clock, self._setup)
        self.replay: Replay | None = None
        self._referee: Referee | None = None
        self.reset()

    @property
    def agents(self) -> list[str]:
        """The names of the game's sample bots, which may stand in the place of an agent."""
        return [name for name in bots.samples_of(self.game) if "." not in name]

    @property
    def specification(self) -> Struct:
        """Which numbers of agents play, what may be configured, what an agent sees first, and how many actions the
        rules have."""
        seen = next((one.observation for one in self._telling.steps[0] if one.status == ACTIVE), Struct())
        fewest, most = self.game.seats
        bounds = {"minimum": -1, "maximum": 1} if self._telling.rewards.by_place else {}
        options = {one.name: {"default": one.default, "description": one.about} for one in self.game.options}
        return record(
            {
                "name": self.name,
                "version": self.version,
                "agents": list(range(fewest, most + 1)),
                "configuration": options,
                "observation": {name: {"type": _type_of(value)} for name, value in seen.items()},
                "action": {"type": ["string", "integer"], "actions": self.game.rules.ACTIONS},
                "reward": {"type": "number", **bounds},
            }
        )

    @property
    def steps(self) -> list[list[Struct]]:
        """All steps so far."""
        return self._telling.steps

    @property
    def logs(self) -> list[list[Struct]]:
        """For each turn and seat: `duration` in seconds, `stdout` (comments, where a game has them), `stderr`."""
        return self._telling.logs

    @property
    def state(self) -> list[Struct]:
        """The last step."""
        return self._telling.steps[-1]

    @property
    def done(self) -> bool:
        """Whether the match is over."""
        return self._referee.over if self._referee is not None else True

    def reset(self, num_agents: int | None = None) -> list[Struct]:
        """Begin a match to be stepped, for so many seats (by default the game's usual number); its first state."""
        seats = usual_seats(self.game) if num_agents is None else num_agents
        fewest, most = self.game.seats
        if not fewest <= seats <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} - {most}"
            raise OperatorError("wrong-number-of-bots", game=self.name, wanted=wanted, given=seats)
        seed = self._match_seed()
        referee = Referee(self.game, self.game.draw_setup(self._setup, seed), seats, seed)
        self._telling = Telling(self.game, referee.setup, seats, self._clock.bank, referee.state, self._reward)
        self._referee, self.replay = referee, None
        return self.state

    def step(self, actions: Sequence[Any]) -> list[Struct]:
        """Play one turn with an action for each seat, text or number; those of seats that do not act are ignored.

        Nobody is timed here. Returns the new state. Raises `OperatorError` if the match is over, or was played by
        `run`, or for another number of actions.
        """
        referee = self._referee
        if referee is None or referee.over:
            raise OperatorError("kaggle-over")
        if len(actions) != referee.seats:
            raise OperatorError("kaggle-actions", wanted=referee.seats, given=len(actions))
        turn = referee.submit({seat: Answer(as_text(actions[seat], self.game)) for seat in referee.pending()})
        while not referee.over and not referee.pending():  # the rules decide for those that were stopped
            self._telling.add(turn, referee.state)
            turn = referee.submit({})
        self._telling.add(turn, referee.state)
        return self.state

    def run(self, agents: Sequence[Any]) -> list[list[Struct]]:
        """Play a whole match between agents, one for each seat; all its steps.

        Functions are called in this process; names and paths are programs, in the sandbox, as `dohyo.play` has them.
        """
        reserve = self._clock.bank
        specs = [seated(one, self.configuration, seat, reserve) for seat, one in enumerate(agents)]
        self.replay = play_match(
            self.game,
            specs,
            seed=self._match_seed(),
            setup=self._setup,
            clock=self._clock,
            sandbox=self._sandbox,
            python=self._python,
        )
        self._referee, self._telling = None, told_of(self.game, self.replay, self._reward)
        if self.debug:
            self._print_faults(self.replay)
        return self.steps

    def train(self, agents: Sequence[Any]) -> Trainer:
        """A `Trainer` for the seat whose agent is None: `reset()`, and `step(action)` as in Gym's first interface."""
        return Trainer(self, agents, self._sandbox, self._python)

    def render(self, mode: str = "human", width: int | None = None, height: int | None = None, **ignored: Any) -> Any:
        """The match: "json" and "html" return a text, "ansi" the board as text, "human" prints it, "ipython" shows
        Dohyo's viewer in a notebook (without IPython it returns the replay). Raises `ValueError` for another mode."""
        if mode == "json":
            return json.dumps(self.toJSON())
        if mode in ("ansi", "human"):
            text = self._board()
            return text if mode == "ansi" else print(text)
        if mode not in MODES:
            raise ValueError(f"mode is one of {', '.join(MODES)}, not {mode!r}")
        replay = self._so_far()
        if mode == "html":
            from dohyo.web.page import html

            return html(replay, game=self.game)
        try:
            from IPython.display import HTML, display  # type: ignore[import-not-found]
        except ImportError:
            return replay
        from dohyo.web.page import replay_html

        display(HTML(replay_html(replay)))
        return None

    def toJSON(self) -> dict[str, Any]:  # noqa: N802 - Kaggle's name
        """Everything as plain values: the configuration, all steps, rewards and statuses."""
        return {
            "id": self.id,
            "name": self.name,
            "title": self.name,
            "version": self.version,
            "module_version": __version__,
            "configuration": dict(self.configuration),
            "specification": self.specification,
            "steps": self.steps,
            "rewards": [one.reward for one in self.state],
            "statuses": [one.status for one in self.state],
            "schema_version": 1,
            "info": self.info,
        }

    def _match_seed(self) -> int:
        """The seed of the next match: the one that was given, or a new one each time, which `info.seed` tells."""
        self.info.seed = new_seed() if self._seed is None else self._seed
        return int(self.info.seed)

    def _so_far(self) -> Replay:
        """The match as a replay, also while it is stepped."""
        if self.replay is not None:
            return self.replay
        referee = self._referee
        assert referee is not None
        seats = tuple(Seat(f"player {seat}") for seat in range(referee.seats))
        head = Header(
            dohyo=FORMAT,
            game=self.name,
            rules=self.game.version,
            setup=dict(referee.setup),
            seats=seats,
            seed=referee.seed,
            software=f"dohyo {__version__}",
        )
        result = referee.result() if referee.over else Result((), None, INTERRUPTED, unfinished=True)
        return Replay(head, list(referee.turns), result)

    def _board(self) -> str:
        """The state that the players see now, drawn."""
        if self._referee is not None:
            return text_board(self.game, self._referee.state, self._referee.seats)
        from dohyo.core import playback

        assert self.replay is not None
        state = playback.beginning(self.game, self.replay)
        for moment in playback.moments(self.game, self.replay):
            state = moment.after
        return text_board(self.game, state, len(self.replay.header.seats))

    def _print_faults(self, replay: Replay) -> None:
        """What agents did wrong, a line for each time."""
        english = ENGLISH.knowing(self.game.catalogue)
        for seat, one in enumerate(replay.header.seats):
            for turn in replay.turns:
                for move in turn.moves:
                    for fault in move.faults if move.seat == seat else ():
                        wrong = f"{fault.kind.value}: {english.say_any(fault.told)}".rstrip(": ")
                        print(clean.line(f"turn {turn.turn}, player {seat} ({one.name}): {wrong}"))
                        if move.stderr:
                            print(clean.block(move.stderr.rstrip()))


class Trainer:
    """One seat of an environment, played by whoever trains: matches against the other agents, one after the other, by
    `reset` and `step` as in Gym's first interface. Needs the extra `rl`."""

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
        env._telling = Telling(env.game, env._setup, match.seats, env._clock.bank, match.referee.state, env._reward)
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
        done = self._match.referee.over or mine.status not in (ACTIVE, INACTIVE)
        if done:
            self._opponents.close()
        return mine.observation, mine.reward, done, mine.info

    def _play(self, mine: Answer | None) -> None:
        """Play turns until the learner is asked, or can do nothing more and the match is over."""
        referee, telling = self._match.referee, self._env._telling
        self._opponents.play_until_asked(self._seat, mine, lambda turn: telling.add(turn, referee.state))


def make(
    environment: str | Game,
    configuration: Mapping[str, Any] | None = None,
    debug: bool = False,
    *,
    steps: Sequence[Any] | None = None,
    reward: Payoff = PLACE,
    sandbox: str = "auto",
    python: str | None = None,
) -> Environment:
    """An environment for a game, by its name or the game itself.

    `configuration` has options of the game's setup by name, `actTimeout` (seconds a turn), `agentTimeout` (seconds
    until a program is ready), `remainingOverageTime` (a reserve for the match, in seconds), `episodeSteps` (where the
    game has an option `turns`) and `seed`. With `debug`, `run` prints what agents did wrong. `steps` are empty: no
    match is taken up here. `reward` is "place", "score", "margin" or a flat function (`dohyo.core.rewards`).
    `sandbox` and `python` are for bots, as in `dohyo.play`. Raises `OperatorError` for what the game does not have.
    """
    if steps:
        raise OperatorError("kaggle-steps")
    return Environment(environment, configuration, debug, reward=reward, sandbox=sandbox, python=python)


def evaluate(
    environment: str | Game,
    agents: Sequence[Any],
    configuration: Mapping[str, Any] | None = None,
    steps: Sequence[Any] | None = None,
    num_episodes: int = 1,
    debug: bool = False,
    *,
    reward: Payoff = PLACE,
) -> list[list[float]]:
    """The rewards of so many matches, a list for each with a reward for each seat. `steps`, `reward` as for `make`.

    With a seed in the configuration, the matches have that one and those that follow it.
    """
    given = dict(configuration or {})
    rewards = []
    for number in range(num_episodes):
        own = {**given, SEED: given[SEED] + number} if given.get(SEED) is not None else given
        last = make(environment, own, debug, steps=steps, reward=reward).run(agents)[-1]
        rewards.append([one.reward for one in last])
    return rewards


def _read(game: Game, given: Mapping[str, Any]) -> tuple[Clock, dict[str, Any], int | None]:
    """The clock, the setup and the seed that a configuration asks for. Raises `OperatorError`."""
    seed = given.get(SEED)
    if seed is not None:
        check_seed(seed)
    times = {field: _seconds(name, given[name]) for name, field in OF_CLOCK.items() if name in given}
    usual = match_clock(game, None)
    if "turn" in times:
        times["first"] = None  # type: ignore[assignment]
    clock = msgspec.structs.replace(usual, preset="" if times else usual.preset, **times)
    setup = {name: value for name, value in given.items() if name not in (*OF_CLOCK, SEED, LENGTH)}
    if LENGTH in given:
        if TURNS not in {option.name for option in game.options}:
            raise OperatorError("kaggle-length", game=game.name)
        setup[TURNS] = given[LENGTH]
    return clock, resolve(game.options, setup, game.catalogue), seed


def _seconds(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_SECONDS:
        raise OperatorError("kaggle-time", name=name)
    return float(value)


def _told(clock: Clock, setup: Mapping[str, Any]) -> Struct:
    """The whole configuration, as agents are given it: without the seed, from which the dice come."""
    times = {name: getattr(clock, field) for name, field in OF_CLOCK.items()}
    length = {LENGTH: setup[TURNS]} if TURNS in setup else {}
    return record({**times, **length, **setup})


def _type_of(value: object) -> str:
    """What JSON calls the kind of a value."""
    return next((name for kind, name in TYPES if isinstance(value, kind)), "null")
