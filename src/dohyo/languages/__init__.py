"""Every language that a bot may be written in: each is one row of one table, and all other code reads that row.

`table.py` holds the rows: open it to add a language, or to change how one is built and run. `language.py` says what a
row's columns mean, `mentions.py` how a source of each language names other files. This file has the functions for
other packages: which language a file is, which programs are tools, how an answer is flushed, and an interpreter's
options for a memory limit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dohyo.languages.language import Builder, Home, Language, Project, Way, Words
from dohyo.languages.table import LANGUAGES

__all__ = [
    "DEBUG_SETTINGS",
    "HEADERS",
    "HOMES",
    "INTERPRETERS",
    "LANGUAGES",
    "MANIFESTS",
    "PLACES",
    "SETTINGS",
    "SOURCE_ENDINGS",
    "TOOLS",
    "Builder",
    "Home",
    "Language",
    "Project",
    "Way",
    "Words",
    "by_ending",
    "by_interpreter",
    "by_manifest",
    "by_name",
    "flush_hint",
    "has_debug",
    "says_where",
    "with_memory",
]

_ENDINGS = {ending: language for language in LANGUAGES for ending in language.endings}
_NAMES = {language.name: language for language in LANGUAGES}
MANIFESTS = {language.project.manifest: language for language in LANGUAGES if language.project is not None}
INTERPRETERS = {program: language for language in LANGUAGES for program in language.interpreters}

# Every program that a row names: of the operator's programs, a bot sees only these.
TOOLS = frozenset(tool for language in LANGUAGES for way in language.ways for tool in way.tools) | {
    language.project.tool for language in MANIFESTS.values() if language.project and language.project.tool
}
SOURCE_ENDINGS = tuple(_ENDINGS)
HEADERS = tuple(dict.fromkeys(ending for language in LANGUAGES for ending in language.headers))
# Names in /etc that the languages' programs need; `*` stands for any ending.
SETTINGS = tuple(dict.fromkeys(name for language in LANGUAGES for name in language.settings))
# Variables that name where a language is installed, with the programs that read them.
HOMES = {language.home.variable: language.home.programs for language in LANGUAGES if language.home is not None}
# Where such programs lie, if the PATH has none of the name: the variable, and the folder in what it names.
PLACES = {
    program: (language.home.variable, language.home.folder)
    for language in LANGUAGES
    if language.home is not None and language.home.folder
    for program in language.home.programs
}
# Variables that a program of a debug build gets, so that it tells more of its failure.
DEBUG_SETTINGS = {name: value for language in LANGUAGES for name, value in language.debug_settings}
# Variables that a program gets so that it prints where it was when SIGABRT ends it.
STACK_SETTINGS = {name: value for language in LANGUAGES for name, value in language.stack_settings}

MIB = 1 << 20


def by_ending(name: str) -> Language | None:
    """The language of a file's name, by its ending; upper and lower case differ only where a language says so."""
    dot = name.rfind(".")
    ending = name[dot:] if dot > 0 else ""
    return _ENDINGS.get(ending) or _ENDINGS.get(ending.lower())


def by_name(name: str) -> Language:
    """The language called `name`; `KeyError` for one that is not in the table."""
    return _NAMES[name]


def by_manifest(name: str) -> Language:
    """The language whose projects have a manifest of this name; `KeyError` without one."""
    return MANIFESTS[name]


def by_interpreter(program: str) -> Language | None:
    """The language whose interpreter a program is, by its path or name; a version after the name does not matter."""
    return INTERPRETERS.get(re.sub(r"[\d.]+$", "", program.rpartition("/")[2]))


def flush_hint(name: str) -> str | None:
    """The code that flushes an answer in the language called `name`; None if not known."""
    language = _NAMES.get(name)
    return language.flush or None if language is not None else None


def has_debug(name: str) -> bool:
    """Whether the language called `name` has debug builds that find more than ordinary ones."""
    language = _NAMES.get(name)
    return language is not None and any(way.debug for way in language.ways)


def says_where(name: str, debug: bool = True) -> bool:
    """Whether programs in a language print where they are when SIGABRT ends them: `debug` builds, or all."""
    language = _NAMES.get(name)
    return language is not None and language.stack in ("always", "debug" if debug else "always")


def with_memory(words: Sequence[str], memory: int) -> Words:
    """A command with its interpreter's own options for a limit of `memory` bytes.

    Interpreters that cannot see the limit would assume the whole machine's memory, and a bot would be stopped because
    garbage was never collected. The bot's own options come later in the command, so they win.
    """
    language = INTERPRETERS.get(words[0].rpartition("/")[2])
    options = () if language is None else language.memory
    given = {"all": memory // MIB, "most": memory * 6 // 10 // MIB}
    return (words[0], *(option.format(**given) for option in options), *words[1:])
