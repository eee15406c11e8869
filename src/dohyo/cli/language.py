"""The language of messages: what `--lang` says, else `DOHYO_LANG`, else the locale."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from dohyo.core.errors import OperatorError
from dohyo.i18n import LANGUAGES


def language_of(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language for a command line that may be wrong elsewhere, so that this can be said in it."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    for at, word in enumerate(own):
        asked = own[at + 1] if word == "--lang" and at + 1 < len(own) else word.removeprefix("--lang=")
        if word.startswith("--lang") and asked in LANGUAGES:
            return asked
    return of_locale(environment)


def of_locale(environment: Mapping[str, str]) -> str:
    """The language of `DOHYO_LANG`, else of the POSIX locale; English when it is none of ours."""
    for name in ("DOHYO_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            code = environment[name].replace("-", "_").split("_")[0].split(".")[0].lower()
            return code if code in LANGUAGES else LANGUAGES[0]
    return LANGUAGES[0]


def _resolve(context: typer.Context, value: str | None) -> str:
    """The language that this command is to speak: its own `--lang`, the one before its name, the locale's."""
    if value is None and context.parent is not None:
        value = context.parent.params.get("lang")
    if value is None:
        return of_locale(os.environ)
    if value not in LANGUAGES:
        raise OperatorError("unknown-language", name=value, known=", ".join(LANGUAGES))
    return value


Language = Annotated[
    str | None,
    typer.Option("--lang", metavar="|".join(LANGUAGES), help="Language of messages.", callback=_resolve),
]
