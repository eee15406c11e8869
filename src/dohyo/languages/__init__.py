"""Every language that a bot may be written in: each is one row, and all other code reads that row.

`table.py` holds our own rows: open it to add a language, or to change how one is built and run. Guests bring more
(`brought.py`, `docs/doors.md`). `language.py` says what a row's columns mean, `mentions.py` how a source of each
language names other files. This file has the functions for other packages: which language a file is, which programs
are tools, how an answer is flushed, and an interpreter's options for a memory limit.

All of them look at our own rows first, and at those of guests when something is met that ours do not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from dohyo.core.sandbox import BUILT, HAND_IN
from dohyo.languages.language import Home, Language, Project, Way, Words
from dohyo.languages.table import LANGUAGES

__all__ = [
    "DEBUG_SETTINGS",
    "HOMES",
    "LANGUAGES",
    "SETTINGS",
    "STACK_SETTINGS",
    "Home",
    "Language",
    "Project",
    "Way",
    "Words",
    "all_languages",
    "brought_for",
    "by_ending",
    "by_interpreter",
    "by_manifest",
    "by_name",
    "find",
    "flush_hint",
    "has_debug",
    "headers",
    "home_of",
    "is_tool",
    "says_where",
    "source_endings",
    "with_memory",
]

_ENDINGS = {ending: language for language in LANGUAGES for ending in language.endings}
_NAMES = {language.name: language for language in LANGUAGES}
_MANIFESTS = {language.project.manifest: language for language in LANGUAGES if language.project is not None}
_INTERPRETERS = {program: language for language in LANGUAGES for program in language.interpreters}
_TOOLS = frozenset(tool for language in LANGUAGES for tool in language.tools)
# Names in /etc that our own rows' programs need; `*` stands for any ending.
SETTINGS = tuple(dict.fromkeys(name for language in LANGUAGES for name in language.settings))
# Variables that name where a language of ours is installed, with the programs that read them.
HOMES = {language.home.variable: language.home.programs for language in LANGUAGES if language.home is not None}
# Variables that a program of a debug build gets, so that it tells more of its failure.
DEBUG_SETTINGS = {name: value for language in LANGUAGES for name, value in language.debug_settings}
# Variables that a program gets so that it prints where it was when SIGABRT ends it.
STACK_SETTINGS = {name: value for language in LANGUAGES for name, value in language.stack_settings}

MIB = 1 << 20
_AUTHORS = (f"{HAND_IN}/", f"{BUILT}/")  # where programs lie that are nobody's interpreter


def all_languages() -> Iterator[Language]:
    """Our own rows in the table's order, then those of guests, imported when they are reached."""
    yield from LANGUAGES
    yield from _rows()


def _rows() -> tuple[Language, ...]:
    """The rows of guests."""
    from dohyo.languages.brought import rows

    return rows()


def _brought(fits: Callable[[Language], bool]) -> Language | None:
    """The first row of a guest that fits."""
    return next((language for language in _rows() if fits(language)), None)


def by_ending(name: str) -> Language | None:
    """The language of a file's name, by its ending; upper and lower case differ only where a language says so."""
    dot = name.rfind(".")
    ending = name[dot:] if dot > 0 else ""
    found = _ENDINGS.get(ending) or _ENDINGS.get(ending.lower())
    if found is not None or not ending:
        return found
    return _brought(lambda row: ending in row.endings) or _brought(lambda row: ending.lower() in row.endings)


def find(name: str) -> Language | None:
    """The language called `name`; None for one that nobody brings."""
    return _NAMES.get(name) or (_brought(lambda row: row.name == name) if name else None)


def by_name(name: str) -> Language:
    """The language called `name`; `KeyError` for one that nobody brings."""
    found = find(name)
    if found is None:
        raise KeyError(name)
    return found


def by_manifest(name: str) -> Language | None:
    """The language whose projects have a manifest of this name, which is no path; None where it is no manifest."""
    if name in _MANIFESTS or "/" in name:
        return _MANIFESTS.get(name)
    return _brought(lambda row: row.project is not None and row.project.manifest == name)


def by_interpreter(program: str) -> Language | None:
    """The language whose interpreter a program is, by its path or name; a version after the name does not matter."""
    name = re.sub(r"[\d.]+$", "", program.rpartition("/")[2])
    if name in _INTERPRETERS or is_ours(program):
        return _INTERPRETERS.get(name)
    return _brought(lambda row: name in row.interpreters)


def is_ours(program: str) -> bool:
    """Whether a row of ours names a program, by its path or name, maybe without a version after it."""
    name = program.rpartition("/")[2]
    return name in _TOOLS or re.sub(r"[\d.]+$", "", name) in _INTERPRETERS


def is_tool(name: str) -> bool:
    """Whether any row names the program: of the operator's programs, a bot sees only these."""
    return name in _TOOLS or _brought(lambda row: name in row.tools) is not None


def brought_for(programs: Iterable[str]) -> tuple[Language, ...]:
    """The rows of guests that name one of these programs, paths or names, which no row of ours names."""
    names = {program.rpartition("/")[2] for program in programs if not is_ours(program)}
    return tuple(row for row in _rows() if names & row.programs) if names else ()


def source_endings() -> tuple[str, ...]:
    """The endings of sources in any language."""
    return tuple(dict.fromkeys(ending for language in all_languages() for ending in language.endings))


def headers() -> tuple[str, ...]:
    """The endings of headers in any language."""
    return tuple(dict.fromkeys(ending for language in all_languages() for ending in language.headers))


def home_of(program: str) -> tuple[str, str]:
    """Where a program may be that the PATH has not: a variable, and a folder in what it names; both may be empty."""
    rows = LANGUAGES if is_ours(program) else _rows()
    homes = (row.home for row in rows if row.home is not None and row.home.folder)
    return next(((home.variable, home.folder) for home in homes if program in home.programs), ("", ""))


def flush_hint(name: str) -> str | None:
    """The code that flushes an answer in the language called `name`; None if not known."""
    language = find(name)
    return language.flush or None if language is not None else None


def has_debug(name: str) -> bool:
    """Whether the language called `name` has debug builds that find more than ordinary ones."""
    language = find(name)
    return language is not None and any(way.debug for way in language.ways)


def says_where(name: str, debug: bool = True) -> bool:
    """Whether programs in a language print where they are when SIGABRT ends them: `debug` builds, or all."""
    language = find(name)
    return language is not None and language.stack in ("always", "debug" if debug else "always")


def with_memory(words: Sequence[str], memory: int) -> Words:
    """A command with its interpreter's own options for a limit of `memory` bytes.

    Interpreters that cannot see the limit would assume the whole machine's memory, and a bot would be stopped because
    garbage was never collected. The bot's own options come later in the command, so they win.
    """
    name = words[0].rpartition("/")[2]
    language = _INTERPRETERS.get(name)
    if language is None and not (is_ours(name) or words[0].startswith(_AUTHORS)):
        language = _brought(lambda row: name in row.interpreters)
    options = () if language is None else language.memory
    given = {"all": memory // MIB, "most": memory * 6 // 10 // MIB}
    return (words[0], *(option.format(**given) for option in options), *words[1:])
