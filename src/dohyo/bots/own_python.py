"""Sources in Python that import Dohyo: they run with the interpreter that runs Dohyo, where it can be imported.

The `python3` of the PATH, with which other bots run, often has no Dohyo. A `bot.toml` says the same by
`python = "dohyo"`; a single file, or a folder without one, says it by importing it. Whoever has named an interpreter
gets that one.

A program that makes a `Thinker` (`dohyo.search.bot`) or a compiled search (`compiled=True`) is built where it does
not declare a build of its own: `python bot.py --warm` compiles its search ahead of time, so that no turn of a match
has to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

import msgspec

from dohyo.bots.bot import BOT, BUILD
from dohyo.bots.build_plan import BuildPlan, Step, as_argument
from dohyo.bots.content import printable
from dohyo.bots.python2 import LARGEST
from dohyo.bots.tools import OWN_PYTHON, Tools
from dohyo.languages.mentions import python as mentioned

IMPORT = re.compile(r"^[ \t]*+(?:import|from)[ \t]++dohyo(?:[ \t.,;\r]|$)", re.MULTILINE)
THINKER = re.compile(r"^[ \t]*+(?:import|from)[ \t]++dohyo\.search(?:\.bot\b|[ \t]++import\b.*\bbot\b)", re.MULTILINE)
MADE = re.compile(r"\bThinker[ \t]*+\(")
SEARCH = re.compile(r"^[ \t]*+(?:import|from)[ \t]++dohyo(?:\.search\b|[ \t]++import\b.*\bsearch\b)", re.MULTILINE)
COMPILED = re.compile(r"\bcompiled[ \t]*+=[ \t]*+True\b")
WARM = "--warm"  # what such a program is called with in its build (`dohyo.search.bot`)
MAX_FILES = 100  # sources that are looked at


def own_python_for(main: str, files: Mapping[str, Path], tools: Tools) -> Tools:
    """The tools for a program that begins in `main`: the given ones, or the same with Dohyo's own interpreter.

    `files` are the author's files by name. Those that `main` imports, and they import, are looked at: another program
    in the same folder says nothing.
    """
    if tools.python_is_chosen or not _imports_dohyo(main, files):
        return tools
    return tools.with_python(tools.own_python, OWN_PYTHON)


def needs_warming(main: str, files: Mapping[str, Path], tools: Tools) -> bool:
    """Whether a program runs with our own interpreter and makes a `Thinker` or a compiled search.

    That may stand in `main` or in what it imports.
    """
    if tools.python_name != OWN_PYTHON:
        return False
    texts = list(_texts(main, files))
    if any(THINKER.search(text) and MADE.search(text) for text in texts):
        return True
    return any(SEARCH.search(text) and COMPILED.search(text) for text in texts)


def warming(main: str, tools: Tools) -> Step:
    """The step of a build that compiles a program's search; one that fails leaves the bot as it is."""
    main = as_argument(main)
    return Step(((tools.python, main, WARM),), printable(f"python {main} {WARM}"), may_fail=True)


def warmed(
    plan: BuildPlan, main: str, files: Mapping[str, Path], links: Mapping[str, str], tools: Tools
) -> BuildPlan:
    """The plan of a program that is copied and built, so that its search is compiled there.

    `main` and `files` are relative to the folder that it runs in.
    """
    return msgspec.structs.replace(
        plan,
        command=tuple(f"{BUILD}{word[len(BOT) :]}" if _is_inside(word) else word for word in plan.command),
        folder=f"{BUILD}{plan.folder[len(BOT) :]}",
        placed=dict(files),
        links=dict(links),
        steps=(warming(main, tools),),
        tools=(tools.python,),
    )


def _is_inside(word: str) -> bool:
    return word == BOT or word.startswith(f"{BOT}/")


def _imports_dohyo(main: str, files: Mapping[str, Path]) -> bool:
    """Whether a line of the program imports Dohyo."""
    return any(IMPORT.search(text) for text in _texts(main, files))


def _texts(main: str, files: Mapping[str, Path]) -> Iterator[str]:
    """The program's sources, `main` first, then those that it imports; a file that cannot be read is empty."""
    seen, waiting = {main}, [main]
    while waiting and len(seen) <= MAX_FILES:
        name = waiting.pop()
        text = _text(files[name])
        yield text
        beside = PurePosixPath(name).parent
        named = {str(beside / path) for path in mentioned(text)} & files.keys()
        waiting += sorted(named - seen)
        seen |= named


def _text(source: Path) -> str:
    try:
        with source.open("rb") as file:
            return file.read(LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
