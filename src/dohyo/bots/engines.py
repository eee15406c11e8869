"""How an operator names a chess engine: `uci:` before a program, a path or a command line.

    uci:stockfish
    "uci:./engine --fast option.Hash=64 'option.Skill Level=5' go.nodes=10000"

`option.NAME=VALUE` is an option of the engine, `go.nodes` and `go.depth` are limits of every search; all other words
are the program's own. This is a short way to write a bot with words such as `DOHYO_PROTOCOL=uci`
(`core/parameters.py`), into which it is turned before anything else is done with it.
"""

from __future__ import annotations

import os
import re
import shlex

from dohyo.bots.build_plan import split
from dohyo.bots.content import printable
from dohyo.core import parameters
from dohyo.core.errors import OperatorError
from dohyo.system.search_path import which

PREFIX = "uci:"
OPTION, GO = "option.", "go."
LIMITS = ("nodes", "depth")  # that `go` may have besides the clock's
GAMES = ("/usr/games", "/usr/local/games")  # where systems keep engines that the PATH of some does not name
LONGEST_VALUE = 200  # characters
_NO_LETTERS = re.compile(r"[^A-Za-z0-9]+")


def is_engine(spec: str) -> bool:
    """Whether the operator's word names an engine."""
    return spec.startswith(PREFIX)


def spelled_out(spec: str) -> str:
    """The same bot with the words that say what it speaks; any other spec as it is. Raises `OperatorError`."""
    if not is_engine(spec):
        return spec
    words = split(spec.removeprefix(PREFIX))
    if not words or words[0].startswith((OPTION, GO)):
        raise OperatorError("uci-no-program", bot=printable(spec))
    own = [word for word in words[1:] if not word.startswith((OPTION, GO))]
    given = [_value(word) for word in words[1:] if word.startswith((OPTION, GO))]
    return shlex.join([_program(words[0]), *own, *parameters.speaking("uci"), *given])


def as_typed(word: str) -> str:
    """A word of an engine's name as an operator types it: `hash=4` is `option.hash=4`, `go_nodes=5` `go.nodes=5`."""
    name, equals, _ = word.partition("=")
    if not equals or not parameters.is_name(name):
        return word
    short = name.removeprefix("go_")
    return f"{GO}{word.removeprefix('go_')}" if name != short and short in LIMITS else OPTION + word


def _program(word: str) -> str:
    """The program, by its whole path if it lies where systems keep games."""
    if "/" in word or os.path.exists(word) or which(word):
        return word
    return next((path for folder in GAMES if os.access(path := f"{folder}/{word}", os.X_OK)), word)


def _value(word: str) -> str:
    """The word for the value of an option, or for a limit of the search."""
    name, equals, value = word.partition("=")
    if name.startswith(GO):
        short = name.removeprefix(GO)
        if short not in LIMITS or not value.isdecimal() or not 0 < int(value[:20]) < 10**12:
            raise OperatorError("uci-go", word=printable(word), known=", ".join(f"{GO}{limit}=N" for limit in LIMITS))
        name = f"go_{short}"
    else:
        name = _NO_LETTERS.sub("_", name.removeprefix(OPTION)).strip("_")
    if not equals or not parameters.is_name(name) or not value.isprintable() or len(value) > LONGEST_VALUE:
        raise OperatorError("uci-option", word=printable(word))
    return parameters.words({name: value})[0]
