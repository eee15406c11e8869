"""The starter of a game that describes no input: a bot that is a class, which gets what the game's reading gives.

It exists in Python alone. The other languages, and a program that reads for itself, need a description of the input
(`core/starter.py`).
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from dohyo.core.game import Game
from dohyo.core.observation import Observation, prompt_lines
from dohyo.core.reader import Reader
from dohyo.core.starter import Starter
from dohyo.guests.starters.language import language
from dohyo.guests.starters.recording import SEED
from dohyo.guests.starters.writer import Writer
from dohyo.match.python_bot import Conversation

SOURCE = '''\
"""A bot for {title}: `act` is yours. See README.md."""

import dohyo


class MyBot(dohyo.Bot):
    """Your bot: what it remembers from turn to turn are members of `self`."""

    game = "{name}"

    def begin(self):
        """A match begins."""

    def act(self, observation):
        """Return the answer: one of `observation.legal_actions`, or its text.

        The observation also has {fields}.
        """
        return self.random.choice(observation.legal_actions)


if __name__ == "__main__":
    MyBot.run()
'''
GENERAL = ("lines", "own_turn", "legal_actions")  # of every observation


class PythonClass(Writer):
    """A class with the method `act`."""

    def __init__(self, game: Game, seen: Observation) -> None:
        """`seen` is any observation of the game."""
        run = '"${PYTHON:-python3}" mybot.py'  # an interpreter that has dohyo
        facts = replace(language("python"), main="mybot.py", run=run, decide="act")
        super().__init__(facts, game, Starter(turn=(), help=("One of `observation.legal_actions`, or its text.",)))
        own = [name for name in type(seen).__struct_fields__ if name not in GENERAL]
        self._fields = ", ".join(f"`{name}`" for name in (*own, "own_turn", "lines"))

    def source(self) -> str:
        """The program."""
        return SOURCE.format(title=self.game.title, name=self.game.name, fields=self._fields)


class ClassPlayer:
    """The class, asked turn by turn in this process: its source is ours."""

    def __init__(self, writer: PythonClass, setup: Any) -> None:
        names: dict[str, Any] = {"__name__": "starter"}
        exec(compile(writer.source(), "starter", "exec", dont_inherit=True), names)
        self._game = writer.game
        self._talk = Conversation(names["MyBot"](), writer.game, SEED, 1.0, 1.0, setup)
        self._talk.begin()
        self._reply = ""

    def read(self, prompt: str) -> None:
        """Give it a prompt, with what follows it, which it answers."""
        for line in prompt.removesuffix("\n").split("\n"):
            self._reply = self._talk.take(line) or ""

    def decide(self) -> str:
        """Its answer."""
        return self._reply


def class_writer(game: Game, setup: Any) -> PythonClass | None:
    """The writer, if a bot's class is told in the first turn what it may do; none for another game."""
    from dohyo.core.referee import Referee

    referee = Referee(game, setup, max(2, game.seats[0]), 1)
    reader, seen = Reader(game, setup), None
    for line in prompt_lines(game, referee.prompt(referee.pending()[0])):
        seen = reader.take(line)
    return PythonClass(game, seen) if seen is not None and seen.legal_actions else None
