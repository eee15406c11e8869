"""Kinds of players that guests bring: what a word for one means, and what a word probably means that is none."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from dohyo import doors
from dohyo.bots.content import printable
from dohyo.core import notices
from dohyo.core.bot_spec import BotSpec, CommandLine, Elsewhere, HandIn, Sample
from dohyo.core.errors import OperatorError
from dohyo.i18n import Message

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


# --- a word that means nothing


def _is_near(spec: str, name: str) -> bool:
    """Whether a word may be a name, misspelt; what both end in makes no two names alike."""
    from dohyo.core.spelling import is_near

    (stem, ending), (other, same) = os.path.splitext(spec), os.path.splitext(name)
    return is_near(stem, other) if ending == same else is_near(spec, name) or is_near(stem, name)


def unknown(spec: str, samples: Mapping[str, Path]) -> OperatorError:
    """The error for a word that means nothing here, with what was probably meant."""
    import difflib

    path = Path(os.path.abspath(os.path.expanduser(spec)))
    typed, spec = spec, spec.rstrip("/") or spec  # 'bots/' is looked for where 'bots' would be
    beside = []
    if os.path.isdir(path.parent) and os.access(path.parent, os.R_OK | os.X_OK):
        given = os.path.dirname(spec)
        beside = [os.path.join(given, name) for name in os.listdir(path.parent) if not name.startswith(".")]
    stems = {os.path.splitext(name)[0]: name for name in sorted(beside)}
    plain = sorted(name for name in samples if "." not in name)
    near: list[str] = []
    for known in (samples if "." in spec else plain, stems, beside):
        near += [one for one in difflib.get_close_matches(spec, list(known), n=2, cutoff=0.6) if _is_near(spec, one)]
    near[:0] = [one for _, kind in all_kinds() if (one := kind.meant(spec)) is not None]
    meant = list(dict.fromkeys(stems.get(name, name) if name not in samples else name for name in near))
    return OperatorError(
        "bot-unknown",
        bot=printable(typed),
        nearest=Message("nearest-of", {"words": ", ".join(printable(name) for name in meant[:3])}) if meant else "",
        samples=", ".join(plain) or "-",
    )
