"""Sources in Python that import Dohyo: they run with the interpreter that runs Dohyo, where it can be imported.

The `python3` of the PATH, with which other bots run, often has no Dohyo. A `bot.toml` says the same by
`python = "dohyo"`; a single file, or a folder without one, says it by importing it. Whoever has named an interpreter
gets that one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from dohyo.bots.python2 import LARGEST
from dohyo.bots.tools import OWN_PYTHON, Tools

IMPORT = re.compile(rb"^[ \t]*+(?:import|from)[ \t]++dohyo(?:[ \t.,;\r]|$)", re.MULTILINE)
MOST_FILES = 100  # sources that are looked at


def own_python_for(files: Mapping[str, Path], tools: Tools) -> Tools:
    """The tools for these files, by name: the given ones, or the same with Dohyo's own interpreter."""
    sources = islice((path for name, path in files.items() if name.endswith(".py")), MOST_FILES)
    if tools.python_is_chosen or not any(map(imports_dohyo, sources)):
        return tools
    return tools.with_python(tools.own_python, OWN_PYTHON)


def imports_dohyo(source: Path) -> bool:
    """Whether a line of the source imports Dohyo; false for one that cannot be read."""
    try:
        with source.open("rb") as file:
            return IMPORT.search(file.read(LARGEST)) is not None
    except OSError:
        return False
