"""Sources in Python that import Dohyo: they run with the interpreter that runs Dohyo, where it can be imported.

The `python3` of the PATH, with which other bots run, often has no Dohyo. A `bot.toml` says the same by
`python = "dohyo"`; a single file, or a folder without one, says it by importing it. Whoever has named an interpreter
gets that one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from dohyo.bots.python2 import LARGEST
from dohyo.bots.tools import OWN_PYTHON, Tools
from dohyo.languages.mentions import python as mentioned

IMPORT = re.compile(r"^[ \t]*+(?:import|from)[ \t]++dohyo(?:[ \t.,;\r]|$)", re.MULTILINE)
MOST_FILES = 100  # sources that are looked at


def own_python_for(main: str, files: Mapping[str, Path], tools: Tools) -> Tools:
    """The tools for a program that begins in `main`: the given ones, or the same with Dohyo's own interpreter.

    `files` are the author's files by name. Those that `main` imports, and they import, are looked at: another program
    in the same folder says nothing.
    """
    if tools.python_is_chosen or not _imports_dohyo(main, files):
        return tools
    return tools.with_python(tools.own_python, OWN_PYTHON)


def _imports_dohyo(main: str, files: Mapping[str, Path]) -> bool:
    """Whether a line of the program imports Dohyo; a file that cannot be read has no lines."""
    seen, waiting = {main}, [main]
    while waiting and len(seen) <= MOST_FILES:
        name = waiting.pop()
        text = _text(files[name])
        if IMPORT.search(text):
            return True
        beside = PurePosixPath(name).parent
        named = {str(beside / path) for path in mentioned(text)} & files.keys()
        waiting += sorted(named - seen)
        seen |= named
    return False


def _text(source: Path) -> str:
    try:
        with source.open("rb") as file:
            return file.read(LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
