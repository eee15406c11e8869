"""Matches that another program referees: which program, by the operator's word, and the kinds that guests bring.

What program that is, how it is started and what its records say, only such a kind knows. Only an operator's own word
becomes a referee that plays: for a game's name from a replay or a store, which a stranger may have written, there is
`dohyo.games.find`, and for what a store says of a referee `ExternalReferee.of_stored`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

import msgspec

from dohyo import clean, doors
from dohyo.core.errors import OperatorError
from dohyo.core.external_referee import USUAL, ExternalReferee, game_of
from dohyo.core.game import Game
from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.match import own_games
from dohyo.sandbox import Sandbox


class RecordedOutcome(msgspec.Struct, frozen=True):
    """What came of a match, by seat, as its record says it: as in a `MatchReport`."""

    places: tuple[int, ...]
    scores: tuple[int | float, ...] = ()
    faults: tuple[tuple[str, ...], ...] = ()


class RecordedBot(msgspec.Struct, frozen=True):
    """A bot of a recorded match."""

    name: str
    digest: str


class Record(Protocol):
    """What a referee told of a match, read from the bytes that are kept in the place of a replay.

    It is a value that msgspec encodes: all of it is what `--json` shows.
    """

    @property
    def seed(self) -> int:
        """The match's."""

    @property
    def bots(self) -> Sequence[RecordedBot]:
        """By seat."""

    @property
    def texts(self) -> Sequence[str]:
        """What the program wrote, for people."""

    def outcome(self) -> RecordedOutcome:
        """What came of the match, read once more. Raises `OperatorError` if the record does not say it."""


class RefereeKind(ABC):
    """How a guest's programs referee matches. A word for one ends in `.` and the kind's name."""

    @abstractmethod
    def read(self, word: str) -> ExternalReferee:
        """The referee that the operator's own word names. Raises `OperatorError` for a word that names none."""

    @abstractmethod
    def check(self, referee: ExternalReferee, sandbox: Sandbox) -> None:
        """Raise `OperatorError` for what would be wrong in every match, such as a program that is not there."""

    @abstractmethod
    def play(self, order: MatchOrder, referee: ExternalReferee, sandbox: Sandbox, worker: str) -> MatchReport:
        """Have a match refereed. What goes wrong in this one alone is the report's `error`, and may be tried again.

        The report's `replay` are any bytes that `record` reads; without any, nothing can be checked later. Raises
        `OperatorError` for what would be wrong in every match.
        """

    @abstractmethod
    def record(self, content: bytes) -> Record:
        """A match's record, which anybody may have written. Raises `ValueError`, or as msgspec, for what is none."""


@cache
def kind_of(name: str) -> RefereeKind:
    """The kind of this name. Raises `OperatorError` if no guest brings it, or it cannot be imported."""
    named = doors.find("referees", name)
    found = doors.load(named)
    if not isinstance(found, RefereeKind):
        raise OperatorError("guest-broken", name=named, error="it is no kind of referee")
    return found


def kind_named_in(word: str) -> str:
    """The kind that the operator's word for a game names; empty where it is a game's name."""
    _, dot, ending = word.rpartition(".")
    return ending if dot and (ending == USUAL or ending in doors.brought("referees")) else ""


def game_of_word(word: str) -> Game:
    """The game that the operator's word means: the one of this name, or one that another program referees.

    Raises `OperatorError` when there is none, or for what is wrong with what the word names.
    """
    kind = kind_named_in(word)
    if not kind:
        return own_games.find(word)
    file = str(Path(word).absolute())
    return game_of(msgspec.structs.replace(kind_of(kind).read(word), kind=kind, file=file))


def check_referee(referee: ExternalReferee, sandbox: Sandbox) -> None:
    """Raise `OperatorError` for what would be wrong in every match that it referees."""
    _refuse_of_store(referee)
    kind_of(referee.kind).check(referee, sandbox)


def play_refereed(order: MatchOrder, referee: ExternalReferee, sandbox: Sandbox, worker: str) -> MatchReport:
    """Have a match refereed. Raises `OperatorError` for what would be wrong in every match."""
    _refuse_of_store(referee)
    return kind_of(referee.kind).play(order, referee, sandbox, worker)


def read_record(kind: RefereeKind, content: bytes) -> Record:
    """The record of a match. Raises `OperatorError` for what is none: anybody may have written it."""
    try:
        return kind.record(content)
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise OperatorError("referee-record-unreadable", reason=clean.line(str(error))) from error


def _refuse_of_store(referee: ExternalReferee) -> None:
    """Raise `OperatorError` for a referee that only a store names: only the operator's word starts a program."""
    if not referee.file:
        raise OperatorError("referee-file-needed", game=referee.name)
