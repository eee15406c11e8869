"""Kinds of players that guests bring: what the operator's word for one means, and which bot that is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Protocol

from dohyo import doors
from dohyo.core import notices
from dohyo.core.bot_spec import BotSpec, CommandLine, Elsewhere, HandIn, Sample
from dohyo.core.errors import OperatorError

if TYPE_CHECKING:
    from dohyo.bots.bot import Bot


class ReadProgram(Protocol):
    """Reads words of a command that are parted already, by the rules for every program."""

    def __call__(self, words: Sequence[str]) -> HandIn | Sample | CommandLine:
        """The program. Raises `OperatorError` for words that mean none."""


class Kind(ABC):
    """What a kind of player has to say of the operator's words. All words here are the operator's own."""

    title = ""  # what people call it

    @abstractmethod
    def read(self, word: str, program: ReadProgram) -> BotSpec | None:
        """The bot that a word means which begins with the kind's name and `:`; none if it is no such word after all.

        Raises `OperatorError` for one that is wrong.
        """

    def bot(self, spec: Elsewhere) -> Bot:
        """The player at an address. Raises `OperatorError` for one that is none."""
        from dohyo.bots.content import printable

        raise OperatorError("bot-address", bot=printable(spec.address))

    def meant(self, word: str) -> str | None:
        """What may have been meant by a word that means nothing: a word for a bot of this kind; none if nothing."""
        return None


@cache
def kind_of(name: str) -> Kind:
    """The kind of player of this name. Raises `OperatorError` if no guest brings it, or it cannot be imported."""
    named = doors.find("players", name).kind
    found = doors.load(named)
    if not isinstance(found, Kind):
        raise OperatorError("guest-broken", name=named, error="it is no kind of player")
    return found


def all_kinds() -> Iterator[tuple[str, Kind]]:
    """Those that can be imported, with their names; a notice tells of the others."""
    for name in doors.brought("players"):
        try:
            yield name, kind_of(name)
        except OperatorError as error:
            notices.tell(error.key, **error.message.values)
