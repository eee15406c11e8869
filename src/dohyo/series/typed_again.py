"""Bots that a store holds only as words: what the operator has to type for them, and what was typed."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping

from dohyo import clean
from dohyo.bots import archive
from dohyo.core.bot_spec import BotSpec, Elsewhere, HandIn, text_of
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest, some_of
from dohyo.i18n.messages import LONGEST
from dohyo.series.spec import Spec

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
