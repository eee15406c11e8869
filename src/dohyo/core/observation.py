"""What a bot in Python sees of its turn: the text that its seat is sent, read into named fields.

Theory of operation
-------------------
A bot that is a class (`dohyo.Bot`) plays as a program, which is sent text, and in the caller's own process, where the
whole state is at hand. Both are given the same observation, because it is made from the text alone: what a seat is
not sent cannot be in it, hidden or not, and a bot answers the same in both.

How a game's text is read, follows from the description of it in `starter.py` (`core/described.py`); what the game's
`reading.py` adds, and what is done without a description, says `core/reader.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

if TYPE_CHECKING:
    from dohyo.core.game import Game


class Action(str):
    """An action as its text, which is what a program prints; `number` is the same in the rules."""

    number: int

    def __new__(cls, text: str, number: int) -> Action:
        """The action of this text and number."""
        made = super().__new__(cls, text)
        made.number = number
        return made

    def __getnewargs__(self) -> tuple[str, int]:  # type: ignore[override]
        """For copies and pickles."""
        return str(self), self.number


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat was sent in one of its turns.

    `lines` are the prompt's lines as they came, `own_turn` counts the seat's own turns from 0, `legal_actions` are
    the actions that it may choose from; empty where the text does not say it. A game's own class has more fields.
    """

    lines: tuple[str, ...]
    own_turn: int
    legal_actions: tuple[Action, ...] = ()

    if TYPE_CHECKING:  # the fields of a game's own class, which is made from its description when it is used

        def __getattr__(self, name: str) -> Any: ...

    def state(self) -> Any:
        """A state of the game's rules that looks like this, for a search of one's own.

        In a game in one file it takes the fields that are hidden, as the bot guesses them. Raises
        `NotImplementedError` where a prompt does not say enough for a state.
        """
        raise NotImplementedError(
            f"{type(self).__module__} makes no state of what a seat is sent: write a method"
            " `def state(self)` in the observation of the game's reading.py, or make one in the bot,"
            " from GAME.rules.LAYOUT.new()"
        )


class Reading(Protocol):
    """From lines to an observation: what a `reading.py` has that reads the lines by itself.

    `before` is the observation of the seat's turn before, and none in its first one; `answered` what the bot answered
    there. Where the text is written by some options of the game (`Option.told`), the file also has `under(setup)`:
    the reading for their values.
    """

    def is_whole(self, lines: Sequence[str], before: Any) -> bool:
        """Whether these lines, at least one, are a whole prompt."""

    def read(self, lines: Sequence[str], before: Any, answered: str) -> Observation | None:
        """The observation of a whole prompt; none for a line that only says that the match is over."""


def next_turn(before: Observation | None) -> int:
    """The number of an own turn that follows on another one."""
    return 0 if before is None else before.own_turn + 1


def prompt_lines(game: Game, prompt: bytes) -> list[str]:
    """The lines as which a program that lives for a match reads a prompt, with what follows it there."""
    text = (prompt + game.protocol.CLOSING).decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


@cache
def all_actions(texts: tuple[str, ...]) -> tuple[Action, ...]:
    """The actions of these texts, numbered from 0."""
    return tuple(Action(text, number) for number, text in enumerate(texts))
