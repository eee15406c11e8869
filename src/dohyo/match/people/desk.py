"""A desk: where the people of a match are asked. A terminal and a page are desks of different kinds.

Who starts a match with people in it places their desk (`at`), for the thread in which the match is played; the group
of these players finds it there (`here`). Without a desk nobody can be asked: so no contest waits for a person.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from dohyo import doors

if TYPE_CHECKING:
    from dohyo.core.game import Game
    from dohyo.core.referee import Referee
    from dohyo.core.replay import Turn
    from dohyo.i18n import Speaker


class Question(NamedTuple):
    """A person's turn: whose it is, and within how many seconds an answer counts; none: however long it takes.

    `names` are those of the players by seat, as far as they are known.
    """

    referee: Referee
    seat: int
    seconds: float | None = None
    names: Mapping[int, str] = {}


class ResignedError(Exception):
    """The person on the seat that was asked gives up."""


class LateError(Exception):
    """The person's time is over."""


class TakenBackError(Exception):
    """The match goes on from an earlier turn, by its number: what was played from there on does not count."""

    def __init__(self, turn: int) -> None:
        super().__init__(turn)
        self.turn = turn


class LeftError(Exception):
    """Nobody is at the desk any more: the match ends unfinished."""


class Desk(ABC):
    """Where people are asked. Called by the thread that plays the match."""

    # The turns that count from before the last time that somebody took one back: the referee begins anew behind them.
    kept: Sequence[Turn] = ()

    @abstractmethod
    def ask(self, question: Question) -> str:
        """The line that a person answers: one that the rules take.

        Raises `ResignedError`, `LateError`, `TakenBackError` or `LeftError`.
        """

    def ended(self) -> None:  # noqa: B027 - a page follows the match by itself
        """Show how the match ended, which is over."""


_HERE: ContextVar[Desk | None] = ContextVar("desk", default=None)


def here() -> Desk | None:
    """The desk of the match that this thread plays."""
    return _HERE.get()


@contextmanager
def at(desk: Desk) -> Iterator[None]:
    """Have the people of matches of this thread asked there."""
    token = _HERE.set(desk)
    try:
        yield
    finally:
        _HERE.reset(token)


def person_in(words: Sequence[object]) -> str:
    """The kind of person that is named among the operator's words for bots; empty where programs alone play."""
    from dohyo.bots.typed_words import Named, named

    for word in words:
        one = named(word) if isinstance(word, str) else word
        bot = one.bot if isinstance(one, Named) else one
        text = bot if isinstance(bot, str) else str(getattr(bot, "address", ""))
        if (kind := doors.named_in(text)) and doors.find("players", kind).desk:
            return kind
    return ""


def person_kind() -> str:
    """The kind of player that is a person, by which one sits down in a page; empty where no guest brings one."""
    return next((name for name, kind in doors.brought("players").items() if kind.desk), "")


def terminal_desk(kind: str, game: Game, speaker: Speaker) -> Desk:
    """The desk in the terminal for a kind of person. Raises `OperatorError` where that cannot be imported."""
    made: Desk = doors.load(doors.find("players", kind).desk)(game, speaker)
    return made


def earlier_turn(question: Question, kept: Sequence[Turn] = ()) -> int | None:
    """The number of the turn to which the person who is asked can go back: the last one of its own.

    `kept` are the turns before those that the referee knows, as `Desk.kept`.
    """
    for turn in chain(reversed(question.referee.turns), reversed(kept)):
        if any(move.seat == question.seat and not move.faults for move in turn.moves):
            return turn.turn
    return None
