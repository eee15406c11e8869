"""The match whose input the test of a starter holds: played by the game's rules, without any process.

On the first seat plays the starter itself: what it answers is found by its program in Python, which is text of ours
and is run as it stands, with the random numbers of the language that is wanted. The others play any legal action.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from dohyo.core.game import Game
from dohyo.core.options import Value
from dohyo.core.referee import Answer, Referee
from dohyo.core.starter import Starter
from dohyo.guests.starters.language import language
from dohyo.guests.starters.skeleton import Skeleton
from dohyo.guests.starters.writer import FACTOR, MODULUS

SEED = 1  # DOHYO_SEED of the test


class Recording(NamedTuple):
    """All that the bot was sent, what it answered, and the input of its first turn alone."""

    input: str
    answers: tuple[str, ...]
    first: str


class Draws:
    """The random numbers of all starters but Python's, by the one method of `random.Random` that is used."""

    def __init__(self) -> None:
        self._state = SEED % (MODULUS - 1) + 1

    def choice(self, items: Sequence[Any]) -> Any:
        """Any of the items."""
        self._state = self._state * FACTOR % MODULUS
        return items[self._state % len(items)]


class FirstPlayer(Protocol):
    """What plays on the first seat."""

    def read(self, prompt: str) -> Any:
        """Take a prompt."""

    def decide(self) -> str:
        """The answer to the prompt that was read last."""


class StarterPlayer:
    """The starter's program in Python, asked turn by turn in this process."""

    def __init__(self, game: Game, starter: Starter, draws: Any) -> None:
        self._names: dict[str, Any] = {"__name__": "starter"}
        # Our own text, made of the game's description; nobody's program runs here.
        source = Skeleton(language("python"), game, starter).source()
        exec(compile(source, "starter", "exec", dont_inherit=True), self._names)
        self._names["RANDOM"] = draws
        self._names["read_line"] = lambda: next(self._lines)
        self._lines: Iterator[str] = iter(())
        self._starter = starter
        self._start: Any = None
        self._bot: Any = None
        self._turn: Any = None

    def read(self, prompt: str) -> Any:
        """What the program makes of a prompt; raises `ValueError` if it leaves lines of it unread."""
        self._lines = iter(prompt.removesuffix("\n").split("\n"))
        if self._bot is None:
            given = [self._names["read_start"]()] if self._starter.start else []
            self._start = given
            self._bot = self._names["Bot"](*given)
        counted = any(isinstance(getattr(part, "count", None), str) for part in self._starter.turn)
        self._turn = self._names["read_turn"](*(self._start if counted else ()))
        if left := list(self._lines):
            raise ValueError(f"the starter leaves {left[:3]} unread")
        return self._turn

    @property
    def start(self) -> Any:
        """What it read at the start; none in a game that sends nothing there."""
        return self._start[0] if self._start else None

    def decide(self) -> str:
        """Its answer to what it has read last."""
        return str(self._bot.decide(self._turn))


def record(game: Game, starter: Starter, setup: Mapping[str, Value], name: str) -> Recording:
    """Play a match with the starter of this language on the first seat, and random legal actions on the others."""
    player = StarterPlayer(game, starter, random.Random(SEED) if name == "python" else Draws())
    return record_of(player, game, starter, setup)


def record_of(player: FirstPlayer, game: Game, starter: Starter, setup: Mapping[str, Value]) -> Recording:
    """The same with this player; of the starter only the match is asked for, by its seed, seats and turns."""
    fewest, most = game.seats
    referee = Referee(game, setup, min(most, max(starter.seats, fewest)), starter.seed)
    others = random.Random(starter.seed)
    sent: list[str] = []
    answers: list[str] = []
    closing = game.protocol.CLOSING.decode()
    while not referee.over and len(answers) < starter.turns:
        given = {}
        for seat in referee.pending():
            if seat == 0:
                sent.append(referee.prompt(0).decode() + closing)
                player.read(sent[-1])
                answers.append(player.decide())
                given[seat] = Answer(answers[-1])
            else:
                legal = game.legal_actions(referee.state, seat) or game.rules.CONCESSIONS
                given[seat] = Answer(game.protocol.text(others.choice(legal)))
        referee.submit(given)
    farewell = referee.farewell(0).decode() if referee.over else ""
    return Recording("".join(sent) + farewell, tuple(answers), sent[0])
