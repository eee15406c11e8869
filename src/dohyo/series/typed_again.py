"""What to type so that a contest goes on: its store, and the bots that this holds only as words."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.bots import archive
from dohyo.core.bot_spec import BotSpec, Elsewhere, HandIn, text_of
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest, some_of
from dohyo.core.request_fields import STRICT
from dohyo.i18n.messages import LONGEST
from dohyo.series.spec import Spec

if TYPE_CHECKING:
    from dohyo.series.store import Store
    from dohyo.series.store.records import Contest

LONGEST_OPTION = 1 << 17  # characters: one that was cut would name another bot


def named_again(word: str, known: Collection[str]) -> tuple[str, str]:
    """A bot's name in the contest, and the word for it, from NAME=BOT: a name may hold an `=` itself."""
    for name in sorted(known, key=len, reverse=True):
        if word.startswith(f"{name}="):
            return name, word.removeprefix(f"{name}=")
    name, equals, _ = word.partition("=")
    if not equals:
        raise OperatorError("contest-typed-nameless", typed=word)
    raise OperatorError(
        "contest-typed-nobody", bot=name, nearest=nearest(name, list(known)), known=some_of(list(known)) or "-"
    )


def meant_by(name: str, found: archive.ArchivedBot, spec: Spec) -> BotSpec:
    """What is typed for an archived bot that a store alone does not start; to be shown.

    An archive does not know where a hand-in was; the contest's beginning does, unless the bot has joined later.
    """
    if not found.name:
        return archive.words_in(found)
    known = next((each.bot for each in spec.bots if each.name == name), None)
    return known if isinstance(known, HandIn) and known.arguments == found.words else HandIn(found.name, found.words)


def option_for(name: str, spec: BotSpec) -> str:
    """What is typed, after a command, for a bot that a store holds only as words; harmless on a terminal."""
    return clean.line(shlex.join(["--bot", f"{name}={text_of(spec)}"]), LONGEST_OPTION)


def to_be_typed(found: Mapping[str, BotSpec]) -> OperatorError:
    """The error for bots that a store holds only as words, or without the files that their arguments name.

    It says what has to be typed if the operator trusts them. They are of one kind. Of many only so many are named
    that no option is cut in the middle.
    """
    options: list[str] = []
    for name, spec in found.items():
        options.append(option_for(name, spec))
        if len(" ".join(options)) > LONGEST and len(options) > 1:
            options.pop()
            break
    kind = {Elsewhere: "-server", HandIn: "-files"}.get(type(next(iter(found.values()))), "")
    names = [clean.line(name) for name in list(found)[: len(options)]]
    return OperatorError(f"contest-type-again{kind}", bot=", ".join(names), option=" ".join(options))


def words_again(store: Store, where: str, contest: Contest, spec: Spec, referee: str = "FILE.toml") -> str:
    """The words after `dohyo contest run` that resume a contest in the store that the operator calls `where`.

    They name the sandbox, the interpreter and the `referee`'s file, which are never taken from a store; they never
    contain a password.
    """
    words = [where if store.database.is_sqlite else store.database.address.shown]
    if spec.sandbox != STRICT:
        words += ["--sandbox", spec.sandbox]
    if spec.python is not None:
        words += ["--python", spec.python]
    if spec.referee is not None:
        words += ["--referee", referee]
    if len(store.contests()) > 1:
        words += ["--name", contest.name]
    return " ".join([shlex.join(words), *_typed_again(store, contest, spec)])


def _typed_again(store: Store, contest: Contest, spec: Spec) -> list[str]:
    """The options for the bots that the store holds as words alone, or without files that their arguments name."""
    options = []
    for entrant in store.entrants(contest.id):
        with suppress(OperatorError):
            content = b"" if entrant.version.archive is None else store.files.get(entrant.version.archive)
            found = archive.read(content) if content else None
            if found is not None and (not found.name or any(map(os.path.isfile, found.words))):
                name = entrant.version.name
                options.append(option_for(name, meant_by(name, found, spec)))
    return list(dict.fromkeys(options))
