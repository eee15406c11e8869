"""Bots of the days when `python` was Python 2: noticed by their source, run by a Python 2 where there is one.

The word `python` of a `command.txt` or `bot.toml` means Python 3, unless the author or the operator has named an
interpreter. Only where the source does not parse as Python 3 is a Python 2 looked for.
"""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from dohyo.bots.content import printable
from dohyo.bots.tools import ANSWER_WITHIN, Tools
from dohyo.core.errors import OperatorError

LARGEST = 256 * 1024  # bytes of a source that is parsed here, where no box bounds what that takes
PARSE = "import sys; compile(open(sys.argv[1]).read() + '\\n', sys.argv[1], 'exec')"


def which_python(spec: str, run: Sequence[str], files: Mapping[str, Path], tools: Tools) -> Tools:
    """The tools for a bot that is run so: those given, or the same with Python 2 as its interpreter.

    `files` are the author's files by name. Raises `OperatorError` when Python 2 is needed and there is none.
    """
    if not run or run[0] != "python" or tools.python_is_chosen:
        return tools
    name = next((found for word in run[1:] if (found := str(PurePosixPath(word))) in files), None)
    if name is None:
        return tools
    problem = objection(files[name])
    if problem is None:
        return tools
    python2 = tools.python2
    if python2 is None:
        reason, line = printable(problem.msg or ""), problem.lineno or 1
        raise OperatorError("bot-python2", bot=spec, file=printable(name), line=line, reason=reason)
    # What parses under neither runs as what it says it is, and shows its error.
    return tools.with_python(python2, "python2") if _parses(python2, files[name]) else tools


def objection(source: Path) -> SyntaxError | None:
    """Why a source is no Python 3; none when it is, or is too large to be looked at."""
    try:
        with source.open("rb") as file:
            text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError, OSError):
        return None  # whatever this is, another Python would not read it either
    return None


def _parses(python: str, source: Path) -> bool:
    """Whether this interpreter can parse the source."""
    import subprocess

    try:
        done = subprocess.run(
            (python, "-c", PARSE, os.path.abspath(source)),
            cwd="/",  # it looks for modules in the current folder first
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=ANSWER_WITHIN,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
