"""Old names that still work: each warns in a sentence, and is gone in the version that its row names.

What is renamed stays usable for at least one minor version (`docs/deprecation.md`). Whoever renames a thing uses the
new name everywhere and adds a row to `TABLE`; the old name is looked up only where it is not understood, so a start
pays nothing for it:

    command          `cli/main.py`, for a word that is no command
    option           `cli/usage.py`, for an option that the command does not have
    bot.toml         `bots/declared.py`, for an unknown key
    contest file     `series/request.py`, the same
    environment      `variable`, which the one reader of the new name calls
    API              `dohyo.__getattr__`; `keywords`, for the arguments of a function

A command, an option or a variable has a new name. A key may also be without one: then it is left out, and told.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, ParamSpec, TypeVar

from dohyo.core import notices
from dohyo.core.errors import OperatorError
from dohyo.i18n import say

KINDS = ("command", "option", "bot.toml", "contest file", "environment", "API")


class Deprecated(NamedTuple):
    """An old name: of which kind, what comes in its place ("": nothing), since which version, and until which.

    An option is written with its command, "contest run --old"; so is the argument of a function, "dohyo.play(old)".
    From version `until` on it is not understood any more.
    """

    kind: str
    old: str
    new: str
    since: str
    until: str


TABLE: tuple[Deprecated, ...] = ()

P = ParamSpec("P")
R = TypeVar("R")


def find(kind: str, old: str) -> Deprecated | None:
    """The row of an old name; none if it was never deprecated."""
    return next((row for row in TABLE if (row.kind, row.old) == (kind, old)), None)


def tell(row: Deprecated) -> None:
    """Say once that the name is old."""
    notices.tell(_key(row), **_details(row))


def replaced(kind: str, old: str) -> str | None:
    """The name that came in the place of an old one, and the sentence told; none if it is no old name."""
    row = find(kind, old)
    if row is not None:
        tell(row)
    return row and row.new


def _key(row: Deprecated) -> str:
    return "deprecated" if row.new else "deprecated-without"


def _details(row: Deprecated) -> dict[str, object]:
    return {"old": _shown(row.old), "new": _shown(row.new), "until": row.until}


def _shown(name: str) -> str:
    """A name as a person writes it: an option without its command."""
    return name.rpartition(" ")[2]


def renewed(kind: str, table: Mapping[str, Any], told: Callable[[Deprecated], None] = tell) -> dict[str, Any]:
    """A table with its old keys under their new names; those that have none are left out. `told` hears of each.

    Raises `OperatorError` where an old and its new key are both there.
    """
    keys: dict[str, Any] = {}
    for key, value in table.items():
        row = find(kind, key)
        if row is not None:
            told(row)
            if row.new in table:
                raise OperatorError("deprecated-twice", old=key, new=row.new)
        if row is None or row.new:
            keys[key if row is None else row.new] = value
    return keys


def renewed_words(command: str, words: Sequence[str], option: str) -> list[str] | None:
    """A command line with the new name of `option`, and the sentence told; none if it is no old name.

    `command` is how the command is typed, after `dohyo`. What stands behind `--` is not ours.
    """
    new = replaced("option", f"{command} {option}")
    if new is None:
        return None
    end = words.index("--") if "--" in words else len(words)
    return [*_replaced(words[:end], option, _shown(new)), *words[end:]]


def _replaced(words: Sequence[str], old: str, new: str) -> Iterator[str]:
    for word in words:
        name, equals, value = word.partition("=")
        yield f"{new}{equals}{value}" if name == old else word


def variable(name: str, environment: Mapping[str, str]) -> str | None:
    """The value of an environment variable, also by a name that it had before."""
    if name in environment:
        return environment[name]
    for row in TABLE:
        if row.kind == "environment" and row.new == name and row.old in environment:
            tell(row)
            return environment[row.old]
    return None


def attribute(old: str) -> str | None:
    """The new name of a public name of the API, with a `DeprecationWarning` for the caller's caller; else none."""
    row = find("API", old)
    if row is None:
        return None
    warnings.warn(_sentence(row), DeprecationWarning, stacklevel=3)
    return row.new


def keywords(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which also takes the arguments by names that they had before, with a `DeprecationWarning`."""
    name = f"dohyo.{function.__name__}"

    @functools.wraps(function)
    def called(*words: P.args, **given: P.kwargs) -> R:
        more: dict[str, Any] = {}
        for key, value in given.items():
            row = find("API", f"{name}({key})")
            if row is not None:
                warnings.warn(_sentence(row), DeprecationWarning, stacklevel=2)
            more[key if row is None else row.new.partition("(")[2].rstrip(")")] = value
        return function(*words, **more)

    return called


def _sentence(row: Deprecated) -> str:
    return say(_key(row), "en", **_details(row))
