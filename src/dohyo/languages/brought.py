"""The languages that guests bring: found by the door `languages` (`dohyo.doors`), imported when they are asked for.

Theory of operation
-------------------
A guest names its rows, and nothing of it is imported for that. The rows are imported, all at once, when something is
met that no row of ours knows (an ending, a manifest, a program, a name of a language), or a list of all is asked for.

The process that reads hand-ins sees no installed packages. So `named` is worked out where the operator's command
runs, before any hand-in is looked at, and handed over (`take`) with the folders of the packages (`folders`). A
hand-in has no part in that.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cache

from dohyo.core import notices
from dohyo.core.errors import OperatorError
from dohyo.languages.language import Language, Way

_TAKEN: list[dict[str, str]] = []


def named() -> dict[str, str]:
    """What guests bring: by the language's name "package.module:name"."""
    if _TAKEN:
        return _TAKEN[-1]
    from dohyo import doors

    return doors.brought("languages")


def take(given: Mapping[str, str]) -> None:
    """Bring these and no others, in a process that cannot look for them."""
    _TAKEN[:] = [dict(given)]
    rows.cache_clear()


@cache
def rows() -> tuple[Language, ...]:
    """The rows, by name in alphabetical order. What is none, or cannot be imported, is left out with a notice."""
    from dohyo import doors

    found = []
    for name, place in named().items():
        try:
            row = doors.load(place)
        except OperatorError as error:
            notices.tell(error.key, **error.message.values)
        except (Exception, SystemExit) as error:  # whatever a module does that is imported
            notices.tell("guest-broken", name=place, error=f"{type(error).__name__}: {error}")
        else:
            if wrong := _wrong(row, name):
                notices.tell("guest-broken", name=place, error=wrong)
            else:
                found.append(row)
    return tuple(found)


def _wrong(row: object, name: str) -> str:
    """What is wrong with what should be the row of this language; empty for one that can be used."""
    if not isinstance(row, Language) or not _is_row(row, name):
        return f"it is no Language called {name}, or lacks something"
    from dohyo.languages.crash_forms import CRASH_FORMS
    from dohyo.languages.mentions import MENTIONS

    columns: dict[str, tuple[Iterable[object], Iterable[str]]] = {
        "mentions": (row.mentions, MENTIONS),
        "crash_forms": (row.crash_forms, CRASH_FORMS),
    }
    for column, (values, known) in columns.items():
        for each in values:
            if isinstance(each, str) and each not in known:
                return f"{column} names {each}; there are {', '.join(known)}"
    return ""


def _is_row(row: Language, name: str) -> bool:
    """Whether it is the row of this language, with endings and ways that can be used."""
    if row.name != name or not isinstance(row.endings, tuple) or not row.ways:
        return False
    endings = all(isinstance(ending, str) and ending.startswith(".") for ending in row.endings)
    return endings and all(isinstance(way, Way) and bool(way.run) for way in row.ways)


def folders() -> list[str]:
    """The folders, or single files, of the packages outside of Dohyo that bring languages; nothing beside them."""
    from importlib import util

    found: list[str] = []
    for package in dict.fromkeys(place.partition(":")[0].partition(".")[0] for place in named().values()):
        try:
            spec = None if package == "dohyo" else util.find_spec(package)
        except (ImportError, ValueError):
            spec = None  # `rows` says what is wrong with it
        if spec is not None:
            found += [*(spec.submodule_search_locations or ([spec.origin] if spec.origin else []))]
    return [os.path.abspath(path) for path in found]


def code_of(name: str) -> dict[str, tuple[int, int]]:
    """The files by which a language is recognised and built: size and time of change by path; none of our own.

    Those beside the row, and beside its builder.
    """
    place = named().get(name)
    row = next((each for each in rows() if each.name == name), None)
    if place is None or row is None:
        return {}
    return stamps(_sources_beside([place, *filter(None, (row.builder, row.main, row.beside))]))


def _sources_beside(places: Iterable[str]) -> list[str]:
    from importlib import util

    found: list[str] = []
    for module in dict.fromkeys(place.partition(":")[0] for place in places):
        spec = util.find_spec(module)
        if spec is not None and spec.origin:
            with os.scandir(os.path.dirname(spec.origin)) as entries:
                found += [entry.path for entry in entries if entry.name.endswith(".py")]
    return sorted(set(found))


def stamps(paths: Iterable[str]) -> dict[str, tuple[int, int]]:
    """The size and the time of change of files; -1 for one that is not there."""
    found = {}
    for path in paths:
        try:
            status = os.stat(path)
        except OSError:
            found[path] = (-1, -1)
        else:
            found[path] = (status.st_size, status.st_ctime_ns)
    return found
