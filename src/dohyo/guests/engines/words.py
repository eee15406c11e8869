"""How an operator names a chess engine: `uci:` or `xboard:` before a program, a path or a command line.

    uci:stockfish
    xboard:fairymax
    "uci:./engine --fast option.Hash=64 'option.Skill Level=5' go.nodes=10000"

`option.NAME=VALUE` is an option of the engine, `go.nodes` and `go.depth` are limits of every search (of an XBoard
engine only the depth: its protocol has no other); all other words are the program's own. Options and limits become
words such as `DOHYO_PROTOCOL=uci` (`core/parameters.py`).
"""

from __future__ import annotations

import os
import re

from dohyo.bots.build_plan import split
from dohyo.bots.content import printable
from dohyo.bots.program_files import first
from dohyo.core import parameters
from dohyo.core.bot_spec import Speaking
from dohyo.core.errors import OperatorError

PROTOCOLS = ("uci", "xboard")
OPTION, GO = "option.", "go."
LIMITS = parameters.GO_LIMITS
GAMES = ("/usr/games", "/usr/local/games")  # where systems keep engines that the PATH of some does not name
LONGEST_VALUE = 200  # characters
_NO_LETTERS = re.compile(r"[^A-Za-z0-9]+")


def parted(word: str) -> tuple[list[str], tuple[str, ...]]:
    """The words of an engine's command, and those for its protocol and options, from an operator's `uci:...` or
    `xboard:...`.

    Raises `OperatorError`.
    """
    protocol, _, command = word.partition(":")
    words = split(command)
    if not words or words[0].startswith((OPTION, GO)):
        raise OperatorError("uci-no-program", bot=printable(word))
    own = [each for each in words[1:] if not each.startswith((OPTION, GO))]
    given = tuple(setting(each) for each in words[1:] if each.startswith((OPTION, GO)))
    if protocol != "uci" and (wrong := [each for each in words[1:] if each.startswith(f"{GO}nodes")]):
        raise OperatorError("uci-go", word=printable(wrong[0]), known=f"{GO}depth=N")
    return [_program(words[0]), *own], (*parameters.speaking(protocol), *given)


def as_typed(word: str) -> str:
    """A word of an engine's name as an operator types it: `hash=4` is `option.hash=4`, `go_nodes=5` `go.nodes=5`."""
    name, equals, _ = word.partition("=")
    if not equals or not parameters.is_name(name):
        return word
    short = name.removeprefix("go_")
    return f"{GO}{word.removeprefix('go_')}" if name != short and short in LIMITS else OPTION + word


def typed_settings(spec: object) -> tuple[str, ...] | None:
    """The words for protocol and options that the operator has typed for an engine, as a value or as text; none if
    the operator has not called it one."""
    if isinstance(spec, Speaking):
        return spec.settings
    is_text = isinstance(spec, str) and spec.partition(":")[0] in PROTOCOLS
    return parted(spec)[1] if is_text and isinstance(spec, str) else None


def _program(word: str) -> str:
    """The program, by its whole path if it lies where systems keep games."""
    if "/" in word or os.path.exists(word) or first(word) is not None:
        return word
    return next((path for folder in GAMES if os.access(path := f"{folder}/{word}", os.X_OK)), word)


def setting(word: str) -> str:
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
