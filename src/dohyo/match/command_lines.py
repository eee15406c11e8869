"""Command lines of `dohyo` that are printed to be copied: each word quoted for a shell, harmless on a terminal."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from typing import Any

from dohyo import clean
from dohyo.bots.typed_words import named, revision
from dohyo.core import parameters

LONGEST = 32768  # characters: a command that was cut would be another one


def command(
    *words: str,
    setup: Mapping[str, Any] | None = None,
    clock: str | None = None,
    python: str | None = None,
    debug: bool = False,
    trust: bool = False,
) -> str:
    """`dohyo` with these words, and with those options that are given, as one line.

    Options are what the operator said; a printed command that leaves one out plays something else, or nothing.
    """
    line = ["dohyo", *words]
    for key, value in (setup or {}).items():
        line += ["--setup", f"{key}={value}"]
    line += ["--clock", clock] if clock is not None else []
    line += ["--python", python] if python is not None else []
    line += ["--build", "debug"] if debug else []
    line += ["--trust"] if trust else []
    return clean.line(shlex.join(line), LONGEST)


def with_values(word: str, values: Mapping[str, str]) -> str | None:
    """The word for the bot that `word` names, with these values of its parameters; none where no word can say that.

    A bot at a revision takes no further words. The word is one word of a command, which `command` quotes.
    """
    meant = named(word)
    if revision(meant.bot) is not None:
        return None
    path = shlex.quote(meant.text) if os.path.lexists(os.path.expanduser(meant.text)) else meant.text
    line = " ".join([path, *map(shlex.quote, parameters.words(values))])
    return f"{meant.name}={line}" if meant.name else line
