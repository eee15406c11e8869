"""Functions of an observation as bots, and what they are given: dictionaries whose keys are attributes too."""

from __future__ import annotations

import inspect
import operator
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from dohyo.core.observation import Observation
from dohyo.match.python_bot import Bot, is_bot

Agent = Callable[..., Any]
MAX_ARGUMENTS = 2  # the observation and the configuration


class Struct(dict[str, Any]):
    """A dictionary: `seen["board"]` and `seen.board` are the same. `AttributeError` where there is no such key."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def record(fields: Mapping[str, Any]) -> Struct:
    """These fields, their values as `as_struct` makes them."""
    return Struct({name: as_struct(value) for name, value in fields.items()})


def as_struct(value: Any) -> Any:
    """The value as plain ones that JSON holds: each dictionary or record in it, however deep, a `Struct`."""
    if isinstance(value, str):
        return str(value)  # not the kind of text that also knows a number
    if isinstance(value, msgspec.Struct):
        return Struct({name: as_struct(getattr(value, name)) for name in value.__struct_fields__})
    if isinstance(value, dict):
        return Struct({key: as_struct(each) for key, each in value.items()})
    if isinstance(value, list | tuple | range):
        return [as_struct(each) for each in value]
    return value


class _AgentBot(Bot):
    """A function that plays. `player` is its seat, where the match is in this process."""

    agent: Any = None
    configuration: Mapping[str, Any] | None = None
    player: int | None = None
    reserve: float = 0.0  # seconds of the match beyond the limits of its turns

    def begin(self) -> None:
        """A match begins."""
        self._left = self.reserve

    def act(self, observation: Any) -> Any:
        """What the function returns; its first argument is what the seat is sent, as a `Struct`."""
        seen = struct_of(self.game, observation, observation.own_turn, self.player, self._left)
        given = (seen, self._configuration())[: _arguments(type(self).agent)]
        before = time.monotonic()
        action = type(self).agent(*given)
        self._left = max(0.0, self._left - max(0.0, time.monotonic() - before - self.limit))
        return _plain(action)

    def _configuration(self) -> Struct:
        """What `make` was told; of a program, what it is told of its match."""
        if self.configuration is not None:
            return record(self.configuration)
        return record({"actTimeout": self.limit, **self.setup})


def bot_of(agent: Agent) -> type[Bot]:
    """A class of bots that play as the function does; `bot_of(agent).run()` ends a file that is handed in.

    The function takes an observation, or an observation and a configuration, or nothing. Raises `TypeError` for what
    cannot be called so.
    """
    if not callable(agent):
        raise TypeError(f"an agent is a function of an observation, not {agent!r}")
    if _arguments(agent) < 0:
        raise TypeError("an agent has at most two arguments: observation and configuration")
    name = getattr(agent, "__name__", "agent")
    home = getattr(agent, "__module__", __name__)
    return type(name, (_AgentBot,), {"agent": staticmethod(agent), "__module__": home, "__doc__": agent.__doc__})


def seated(agent: Any, configuration: Mapping[str, Any], player: int, reserve: float) -> Any:
    """What plays on this seat for `dohyo.play`: bots stay as they are, a number is an action that never changes."""
    if is_bot(agent) or not (callable(agent) or isinstance(agent, int)):
        return agent
    bot = bot_of(agent if callable(agent) else _always(agent))()
    assert isinstance(bot, _AgentBot)
    bot.configuration, bot.player, bot.reserve = configuration, player, reserve
    return bot


def struct_of(game: str, seen: Observation | None, step: int, player: int | None, reserve: float) -> Struct:
    """What an agent is given: the fields of the game's observation, and Kaggle's own; `game` is the game's name.

    `step` is the number of the agent's turn in what it is given, and of the match's step in `env.steps`; `player` the
    seat, left out where nobody knows it. `remainingOverageTime`: the rest of the reserve, in seconds.
    """
    fields = Struct() if seen is None else as_struct(seen)
    fields.update(fields.pop("named", ()))  # of a game in one file: its fields, by their names
    own = {"remainingOverageTime": reserve, "step": step, **({} if player is None else {"player": player})}
    given = Struct({**own, **fields})
    return _connectx(given, player) if game == "connectx" else given


def _connectx(seen: Struct, player: int | None) -> Struct:
    """A game that Kaggle has too, as there: `board` is one list, row after row from the top, 0 nobody, 1
    and 2 the players; `mark` is the agent's own, and `step` counts the turns of both.
    """
    seat = seen.get("seat", player)
    seen = seen if seat is None else Struct({**seen, "mark": seat + 1})
    if "board" not in seen:  # nothing was sent yet
        return seen
    board = [cell for row in seen.board[: seen.rows] for cell in row[: seen.columns]]
    return Struct({**seen, "board": board, "step": seen.turn})


def _always(action: int) -> Agent:
    def always() -> int:
        return action

    return always


def _arguments(agent: Agent) -> int:
    """How many of observation and configuration it takes; -1 if it needs more."""
    try:
        taken = inspect.signature(agent).parameters.values()
    except (TypeError, ValueError):  # of a function that is not Python's own
        return 1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    named = [one for one in taken if one.kind in kinds]
    if sum(one.default is inspect.Parameter.empty for one in named) > MAX_ARGUMENTS:
        return -1
    if any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in taken):
        return MAX_ARGUMENTS
    return min(MAX_ARGUMENTS, len(named))


def _plain(action: Any) -> Any:
    """The action as a bot returns it: agents also return whole numbers of other kinds, and lists of one."""
    if isinstance(action, list | tuple) and len(action) == 1:
        action = action[0]
    if action is None or isinstance(action, str):
        return action
    with suppress(TypeError):
        return operator.index(action)
    return str(action)
