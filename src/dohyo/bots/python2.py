"""Old bots written for Python 2: recognised by their source, and run by a Python 2 if there is one.

The word `python` of a `command.txt` or `bot.toml` means Python 3, unless the author or the operator has named an
interpreter. Only where the source does not parse as Python 3 is a Python 2 looked for. The same holds for a source
without such a file; but it has to look like Python 2, because Python 3 itself gives the best message for a beginner's
mistake in Python 3.

A source may also say it: by a first line that names a Python 2, or by functions that only Python 2 has, in a source
that nowhere cares for Python 3. Such a source parses as Python 3, and would fail in the middle of its first turn.

Python 2 buffers what is printed into a pipe, and its `print` has no `flush`. So it is started with `-u`.
"""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from dohyo.bots.content import printable
from dohyo.bots.tools import ANSWER_WITHIN, Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import Words
from dohyo.system import allowance, search_path

LARGEST = 256 * 1024  # bytes of a source that is parsed here, where no sandbox bounds what that takes
SAID_OF_OLD = re.compile(
    "Missing parentheses in call to '(print|exec)'"
    "|multiple exception types must be parenthesized"
    "|leading zeros in decimal integer literals"
    "|inconsistent use of tabs"
)
OLD_LINE = re.compile(
    r"^\s*print\s*([\w\"'`]|$)"  # print "U"
    r"|^\s*(exec\s+[\w\"']|raise\s+\w+\s*,|except\s+[\w.]+\s*,)"
    r"|`[^`]+`|<>|\b\d+[lL]\b|\bur[\"']"
    r"|\bdef\s+\w+\s*\(.*\(|\blambda\s*\("  # arguments that are taken apart
)
OLD_NAME = re.compile("(python|pypy)2")
FIRST_LINE = re.compile(rb"#![^\n]*\b(?:python|pypy)2")
OLD_FUNCTIONS = frozenset({"raw_input", "xrange", "unichr", "execfile"})
# What a source says that runs under both.
CARES = re.compile(r"\b(?:NameError|version_info|hexversion|six|builtins|future|python_version|PY3)\b|\bexcept\s*:")
NAMED = "its first line names a Python 2"
ONLY_OLD = "is a function of Python 2 alone"
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
    if python2 is None and problem.msg == NAMED:
        return tools  # it parses as Python 3, and may well run so
    if python2 is None:
        reason, line = printable(problem.msg or ""), problem.lineno or 1
        raise OperatorError("bot-python2", bot=spec, file=printable(name), line=line, reason=reason)
    # What parses under neither runs as what it says it is, and shows its error.
    return tools.with_python(python2, "python2") if _parses(python2, files[name]) else tools


def which_python_for(spec: str, name: str, files: Mapping[str, Path], tools: Tools) -> Tools:
    """The tools for a source without a declaration of how to run it: as `which_python`, if it looks like Python 2.

    Raises `OperatorError` where that is so, and there is no Python 2.
    """
    problem = None if tools.python_is_chosen else objection(files[name])
    if problem is None or not looks_old(problem):
        return tools
    return which_python(spec, ("python", name), files, tools)


def looks_old(problem: SyntaxError) -> bool:
    """Whether what is no Python 3 is a habit of Python 2: by what the parser says, or by the line that it names."""
    said, line = problem.msg or "", problem.text or ""
    return said == NAMED or said.endswith(ONLY_OLD) or bool(SAID_OF_OLD.search(said) or OLD_LINE.search(line))


def unbuffered(command: Words, tools: Tools) -> Words:
    """A command that begins with the interpreter of these tools, with `-u` behind it where that is Python 2.

    That may be started by `env`, with variables of its own.
    """
    is_old = tools.python_name == "python2" or OLD_NAME.match(os.path.basename(tools.python)) is not None
    if not is_old or tools.python not in command:
        return command
    at = command.index(tools.python) + 1
    return (*command[:at], "-u", *command[at:])


def objection(source: Path) -> SyntaxError | None:
    """Why a source is no Python 3; none when it is, or is too large to be looked at."""
    try:
        with source.open("rb") as file:
            text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError, OSError):
        return None  # whatever this is, another Python would not read it either
    if FIRST_LINE.match(text):
        return SyntaxError(NAMED, ("", 1, 1, ""))
    return _old_function(tree, text.decode("utf-8", "replace"))


def _old_function(tree: ast.Module, text: str) -> SyntaxError | None:
    """The first call of a function that only Python 2 has; none in a source that defines it, or runs under both."""
    if not any(name in text for name in OLD_FUNCTIONS) or CARES.search(text):
        return None
    known: set[str] = set()
    calls: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OLD_FUNCTIONS:
            calls.append((node.lineno, node.func.id))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            known.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            known.add(node.name)
        elif isinstance(node, ast.arg):
            known.add(node.arg)
        elif isinstance(node, ast.alias):
            known.update((node.name, node.asname or ""))
    old = sorted((line, name) for line, name in calls if name not in known)
    if not old or "*" in known:
        return None
    line, name = old[0]
    return SyntaxError(f"{name}() {ONLY_OLD}", ("", line, 1, ""))


def _parses(python: str, source: Path) -> bool:
    """Whether this interpreter can parse the source."""
    import subprocess

    try:
        done = allowance.run(
            (python, "-c", PARSE, os.path.abspath(source)),
            ANSWER_WITHIN,
            env=search_path.environment(),
            cwd="/",  # it looks for modules in the current folder first
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
