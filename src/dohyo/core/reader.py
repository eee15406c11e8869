"""From the lines that a seat is sent to observations, prompt by prompt.

Theory of operation
-------------------
How a prompt is read, is found in this order:

* `reading.py` has `is_whole` and `read`: it reads the lines by itself (`core.observation.Reading`).
* `starter.py` describes what is sent: it is read by that, line by line (`core/described.py`). Where `reading.py` has
  `observation_of(sent, before, answered)`, that makes the game's own observation of the one by the description;
  without it, bots are given that one.
* With neither, an observation has the lines as they came, and a prompt has as many lines as the first one of a match
  with the usual setup.

A `reading.py` may have `under(setup)`, which returns an object with these functions for a setup of which bots are
told this (`Option.told`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dohyo.core.described import Described, Taking, description_of
from dohyo.core.game import Game
from dohyo.core.observation import Observation, Reading, next_turn, prompt_lines
from dohyo.core.options import resolve, told


class Reader:
    """Reads the prompts of one match for one seat, line by line.

    Of the match's `setup` only the options that bots are told are used; what is not in it counts as usual.
    """

    def __init__(self, game: Game, setup: Mapping[str, Any] | None = None) -> None:
        self._reading = reading_of(game, setup or {})
        self._lines: list[str] = []
        self._before: Observation | None = None
        self._answered = ""
        self._begin()

    def _begin(self) -> None:
        """Make ready for the next prompt."""
        taking = self._reading.taking(self._lines, self._before)
        next(taking)
        self._send = taking.send

    def take(self, line: str) -> Observation | None:
        """One line without its newline; returns the observation if the prompt is whole by that.

        Raises `ValueError` for a line that is not as the game describes it.
        """
        lines = self._lines
        lines.append(line)
        try:
            self._send(line)
        except StopIteration:
            found = self._reading.read(lines, self._before, self._answered)
            self._lines = []
            if found is not None:
                self._before = found
            self._begin()
            return found
        except ValueError as error:
            told = f"line {len(lines)} of what was sent, {line!r}, is not as the game describes it: {error}"
            raise ValueError(told) from error
        return None

    def answered(self, reply: str) -> None:
        """Note what the bot has answered."""
        self._answered = reply

    @property
    def is_between(self) -> bool:
        """Whether no part of a prompt was read yet."""
        return not self._lines


class ByLines:
    """Takes the lines of prompts for a reading that reads them by itself."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.read = reading.read

    def taking(self, lines: Sequence[str], before: Observation | None) -> Taking:
        """Ends when the `lines`, to which each is added before it is sent, are a whole prompt."""
        is_whole = self._reading.is_whole
        while not lines or not is_whole(lines, before):
            yield


class PlainReading:
    """The reading of a game that says nothing of its prompts."""

    def __init__(self, game: Game) -> None:
        self._count = lines_of_first_prompt(game)

    def is_whole(self, lines: Sequence[str], before: Any) -> bool:
        """Whether these lines are a whole prompt: as many as the first one has."""
        return len(lines) >= self._count

    def read(self, lines: Sequence[str], before: Any, answered: str) -> Observation | None:
        """An observation that has nothing but the lines."""
        return Observation(lines=tuple(lines), own_turn=next_turn(before))


def reading_of(game: Game, setup: Mapping[str, Any]) -> Described | ByLines:
    """How the prompts of one match are read. Raises `TypeError` for a `reading.py` that lacks what it needs."""
    known = told(game.options, setup)
    own: Any = game.reading
    if hasattr(own, "under"):
        own = own.under(known)
    if hasattr(own, "read"):
        return ByLines(own)
    if game.starter is not None:
        return Described(description_of(game, known), getattr(own, "observation_of", None))
    if own is not None:
        raise TypeError(f"the reading of the game {game.name} has no `read`, and no `starter` describes what is sent")
    return ByLines(PlainReading(game))


def lines_of_first_prompt(game: Game) -> int:
    """How many lines the first prompt of a match with the usual setup has."""
    seats = min(game.seats[1], max(2, game.seats[0]))
    state = game.new_state(resolve(game.options, {}, game.catalogue), seats)
    rules = game.rules
    if rules.needs_dice(state):
        dice = [0] * rules.DICE
        rules.roll(state, game.source(0), dice)
        rules.deal(state, dice, None)
    seat = next(iter(game.acting(state, seats)), 0)
    return max(1, len(prompt_lines(game, game.prompt(state, seat))))
