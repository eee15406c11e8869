"""Python: which interpreter runs a source, what is compiled before, and folders that are a package.

Sources that import Dohyo run with the interpreter that runs Dohyo: the `python3` of the PATH, with which other bots
run, often has no Dohyo. A `bot.toml` says it by `python = "dohyo"`; a single file, or a folder without one, says
it by importing it. A program that makes a `Thinker` (`dohyo.search.bot`) or a compiled search (`compiled=True`) is
built where it does not declare a build of its own: `python bot.py --warm` compiles its search ahead of time, so that
no turn of a match has to.

Only where a source does not parse as Python 3 is a Python 2 looked for, for old bots. Without a `command.txt` or
`bot.toml` it also has to look like Python 2, because Python 3 itself gives the best message for a beginner's mistake
in Python 3. A source may also say it: by a first line that names a Python 2, or by functions that only Python 2 has,
in a source that nowhere cares for Python 3. Such a source parses as Python 3, and would fail in its first turn.

Whoever has named an interpreter, the author or the operator, gets that one. Only a sample bot that imports Dohyo
keeps Dohyo's own, whatever the operator has named: it is somebody's opponent, and nobody chose its imports.
"""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

import msgspec

from dohyo.bots.bot import BOT, BUILD, COPY
from dohyo.bots.build_plan import BuildPlan, Sources, Step, as_argument, inside, make
from dohyo.bots.content import printable, read_text
from dohyo.bots.tools import OWN_PYTHON, Tools, ask
from dohyo.core.errors import OperatorError
from dohyo.languages.mentions import python as mentioned

RELATIVE_IMPORT = re.compile(r"^[ \t\f]*from[ \t\f]*\.", re.MULTILINE)
IMPORT = re.compile(r"^[ \t]*+(?:import|from)[ \t]++dohyo(?:[ \t.,;\r]|$)", re.MULTILINE)
THINKER = re.compile(r"^[ \t]*+(?:import|from)[ \t]++dohyo\.search(?:\.bot\b|[ \t]++import\b.*\bbot\b)", re.MULTILINE)
MADE = re.compile(r"\bThinker[ \t]*+\(")
SEARCH = re.compile(r"^[ \t]*+(?:import|from)[ \t]++dohyo(?:\.search\b|[ \t]++import\b.*\bsearch\b)", re.MULTILINE)
COMPILED = re.compile(r"\bcompiled[ \t]*+=[ \t]*+True\b")
WARM = "--warm"  # what such a program is called with in its build (`dohyo.search.bot`)
MAX_FILES = 100  # sources that are looked at
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
FIRST_LINE = re.compile(rb"#![^\n]*\b(?:python|pypy)2")
OLD_FUNCTIONS = frozenset({"raw_input", "xrange", "unichr", "execfile"})
# What a source says that runs under both.
CARES = re.compile(r"\b(?:NameError|version_info|hexversion|six|builtins|future|python_version|PY3)\b|\bexcept\s*:")
NAMED = "its first line names a Python 2"
ONLY_OLD = "is a function of Python 2 alone"
PARSE = "import sys; compile(open(sys.argv[1]).read() + '\\n', sys.argv[1], 'exec')"


def python_plan(sources: Sources, tools: Tools, *, alone: bool) -> BuildPlan:
    """The build plan for sources in Python; `alone` when one file was named, and is meant.

    Raises `OperatorError` for one of Python 2 where there is none.
    """
    if not alone and sources.main == "__main__.py":
        return _package(sources, tools)
    tools = own_python_for(sources.main, sources.files, tools)
    tools = which_python_for(sources.spec, sources.main, sources.files, tools)
    if needs_warming(sources.main, sources.files, tools) and sources.root == sources.handed_in:
        return warmed(make(sources, tools), sources.main, sources.files, sources.links, tools)
    return make(sources, tools)


def _package(sources: Sources, tools: Tools) -> BuildPlan:
    """A folder with `__main__.py`, which may import from its own package only when it is started as one."""
    plan = make(sources, tools)
    if RELATIVE_IMPORT.search(read_text(sources.root / sources.main)) is None:
        return plan
    # Python imports a package by its folder's name; the copy of a whole hand-in has a name of ours.
    name = sources.root.name if sources.root != sources.handed_in else COPY
    folder = f"{inside(sources.root, sources.handed_in)}/.."
    return msgspec.structs.replace(plan, command=(*plan.command[:-1], "-m", name), folder=folder)


# --- sources that import Dohyo


def own_python_for(main: str, files: Mapping[str, Path], tools: Tools) -> Tools:
    """The tools for a program that begins in `main`: the given ones, or the same with Dohyo's own interpreter.

    `files` are the author's files by name. Those that `main` imports, and they import, are looked at: another program
    in the same folder says nothing.
    """
    if tools.python_is_chosen and not tools.is_for_samples:
        return tools
    if not any(IMPORT.search(text) for text in _texts(main, files)):
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


def _texts(main: str, files: Mapping[str, Path]) -> Iterator[str]:
    """The program's sources, `main` first, then those that it imports; a file that cannot be read is empty."""
    seen, waiting = {main}, [main]
    while waiting and len(seen) <= MAX_FILES:
        name = waiting.pop()
        text = ""
        with suppress(OSError), files[name].open("rb") as file:
            text = file.read(LARGEST).decode("utf-8", "replace")
        yield text
        beside = PurePosixPath(name).parent
        named = {str(beside / path) for path in mentioned(text)} & files.keys()
        waiting += sorted(named - seen)
        seen |= named


# --- Python 2


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
    parses = ask((python2, "-c", PARSE, os.path.abspath(files[name]))) is not None
    return tools.with_python(python2, "python2") if parses else tools


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
