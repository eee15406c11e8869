"""Folders whose author says how they are built and run: `bot.toml`, or the challenge's `command.txt`.

Their build lines run in a copy in the cache, and the bot runs from there, so that the author's folder stays as it
was handed in. A `bot.toml` knows these keys, all of them optional:

    name = "Hunter"            # shown in tables; else the folder's name
    build = "make"             # a line for the shell, or a list of lines
    run = "./hunter --fast"    # a command line, or a list of words; else what Dohyo finds in the folder
    lifetime = "match"         # how long one process lives: "match", "turn" or "series"
    python = "python3.12"      # the interpreter that "python" and "python3" mean in these lines; "dohyo": our own
    params = { depth = 4 }     # values of its parameters (`core/parameters.py`)
    protocol = "uci"           # what it speaks, if not its game's own protocol: its options are the params

A `command.txt` has one command on each line: all but the last prepare, the last one runs the bot, once for each turn.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from dohyo import doors
from dohyo.bots.bot import BOT, BUILD, COMMANDS, LIFETIMES, TOML
from dohyo.bots.build_plan import BuildPlan, Step, behind_env, check_words, unbuffered
from dohyo.bots.content import Content, digest_of, printable, read_folder, read_text
from dohyo.bots.folder_sources import folder_plan
from dohyo.bots.manifests import read_toml
from dohyo.bots.python_sources import needs_warming, warming, which_python
from dohyo.bots.tools import OWN_PYTHON, PYTHON, Tools
from dohyo.core import parameters
from dohyo.core.errors import OperatorError
from dohyo.languages import Words, by_ending
from dohyo.system import shipped

KEYS = ("name", "build", "run", "lifetime", "python", "params", "protocol")
MAX_PARAMS, LONGEST_VALUE = 64, 200  # values, and characters of each
PARAMS = '{ depth = 4, mode = "fast" }'
OURS = Path(__file__).parent.parent
OWN_ROOMS = ("classics", "core", "games", "one_file", "search", "sim")  # the parts of Dohyo that bots may import
LONGEST_NAME = 64  # characters


class Declared(msgspec.Struct, frozen=True):
    """What a folder's author has declared."""

    name: str = ""
    build: Words = ()
    run: Words = ()
    lifetime: str = ""
    python: str = ""
    params: Words = ()  # of the command, which give values
    protocol: Words = ()  # of the command, which say what it speaks


def declared_plan(spec: str, folder: Path, tools: Tools) -> BuildPlan:
    """The build plan for a folder with a `bot.toml` or a `command.txt`.

    Raises `OperatorError` when these cannot be understood, or lead out of the folder.
    """
    content = read_folder(folder, spec)
    toml, commands = _written(content, TOML), _written(content, COMMANDS)
    said = _read_toml(spec, toml) if toml else Declared()
    if not said.run and commands:
        prepare, run = _read_commands(spec, commands)
        said = msgspec.structs.replace(said, run=run, build=said.build or prepare, lifetime=said.lifetime or "turn")
    if said.python:
        tools = _with_python(said.python, content, BUILD if said.run else BOT, tools)
    if not said.run:
        return _found_in_folder(spec, folder, said, tools)
    check_words(spec, said.run)
    _stays_inside(spec, said)
    tools = which_python(spec, said.run[behind_env(said.run) :], content.files, tools)
    steps = tuple(Step((("/bin/sh", "-c", _line(line, tools)),), line) for line in said.build)
    return BuildPlan(
        spec=spec,
        name=said.name or folder.name,
        command=(*unbuffered(_command(spec, said, content, tools), tools), *said.protocol, *said.params),
        folder=BUILD,
        digest=digest_of(content.files, content.links),
        language=_language(said.run, content),
        lifetime=said.lifetime or "match",
        placed=dict(content.files),
        links=content.links,
        steps=steps or _warming(said.run, content, tools),
        tools=tuple(_program(line.split()[0], tools) or "" for line in said.build),
        files=tuple(content.files),
        uses=_uses(said, tools),
        debug=tools.debug and bool(said.build),
    )


def _warming(run: Words, content: Content, tools: Tools) -> tuple[Step, ...]:
    """The build of a program in Python that searches, and declares none; nothing for any other."""
    run = run[behind_env(run) :]
    main = os.path.normpath(run[1]) if len(run) > 1 and run[0] in ("python", "python3") else ""
    if main not in content.files or not needs_warming(main, content.files, tools):
        return ()
    return (warming(main, tools),)


def _written(content: Content, name: str) -> Path | None:
    """The path of the author's file called `name`; it may be a link within the folder."""
    return content.root / name if name in content.files or name in content.links else None


def _found_in_folder(spec: str, folder: Path, said: Declared, tools: Tools) -> BuildPlan:
    """The plan for a `bot.toml` without `run`: Dohyo finds out how the bot runs."""
    if said.build:
        raise OperatorError("bot-toml-no-run", bot=spec)
    plan = folder_plan(spec, folder, tools)
    return msgspec.structs.replace(
        plan,
        name=said.name or plan.name,
        lifetime=said.lifetime or "match",
        command=(*plan.command, *said.protocol, *said.params),
    )


def _with_python(word: str, content: Content, place: str, tools: Tools) -> Tools:
    """Tools with the interpreter that a `bot.toml` names: a program of the PATH, one in the folder, or our own.

    `place` is the folder from which the bot runs. Only a Python of the PATH is ever started to examine it.
    """
    if word == OWN_PYTHON:
        return tools.with_python(tools.own_python, OWN_PYTHON)
    if PYTHON.fullmatch(word):
        return tools.with_python(tools.interpreter(word), word)
    inside = os.path.normpath(word)
    if "/" in word and (inside in content.files or inside in content.links):
        return tools.with_python(f"{place}/{inside}", "")
    found = tools.find(word) if "/" not in word or os.path.isabs(word) else None
    if found is None:
        raise OperatorError("bot-no-python", python=printable(word))
    return tools.with_python(found, "")


def _uses(said: Declared, tools: Tools) -> Words:
    """The names of programs that the author's lines begin with, and of the interpreter that they mean."""
    names = [words[0] for line in said.build if (words := line.split())]
    names += [_python_of(line) for line in said.build] + [said.run[0], said.run[behind_env(said.run)]]
    names = [tools.python_name if name in ("python", "python3") else name for name in names]
    return tuple(dict.fromkeys(name for name in names if name and "/" not in name))


def own_version() -> str:
    """What a build with our own interpreter also depends on: importable code of Dohyo and games, the processor."""
    seen = hashlib.sha256(repr((sys.version, _version("numba"), shipped.abilities())).encode())
    for folder in (OURS / room for room in OWN_ROOMS):
        for source in sorted(folder.rglob("*.py")):
            seen.update(source.read_bytes())
    for name, content in _other_games():
        seen.update(repr((name, len(content))).encode())
        seen.update(content)
    return seen.hexdigest()


def _other_games() -> Iterator[tuple[str, bytes]]:
    """The files of other packages' games, and of those that are named; nothing is imported to find them."""
    from importlib import metadata, util

    from dohyo.bots.game_files import game_files
    from dohyo.core.game import GAMES_GROUP, GAMES_VARIABLE

    for named in os.environ.get(GAMES_VARIABLE, "").split(os.pathsep):
        if named:
            yield from game_files(Path(named).expanduser()).items()
    modules = sorted({entry.module for entry in metadata.entry_points(group=GAMES_GROUP)})
    for module in modules:
        spec = util.find_spec(module.partition(".")[0])
        for place in (spec and spec.submodule_search_locations) or ():
            yield from game_files(Path(place), module.split(".")).items()


def _version(library: str) -> str:
    """The version of a library in our own installation; empty if it is not installed."""
    from importlib import metadata

    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""


# --- bot.toml


def _read_toml(spec: str, path: Path) -> Declared:
    table = read_toml(path, spec)
    for key, value in table.items():
        if key not in KEYS:
            from dohyo.core.options import nearest

            raise OperatorError(
                "bot-toml-key", bot=spec, key=printable(key), nearest=nearest(key, KEYS), known=", ".join(KEYS)
            )
        if not _fits(key, value):
            raise OperatorError("bot-toml-value", bot=spec, key=key, takes=_takes(key))
    texts = {key: value.strip() for key, value in table.items() if isinstance(value, str)}
    return Declared(
        name=texts.get("name", ""),
        build=(texts["build"],) if "build" in texts else tuple(table.get("build", ())),
        run=_split(spec, TOML, texts["run"]) if "run" in texts else tuple(table.get("run", ())),
        lifetime=texts.get("lifetime", ""),
        python=texts.get("python", ""),
        params=parameters.words({name: str(value) for name, value in table.get("params", {}).items()}),
        protocol=parameters.speaking(texts.get("protocol", "")),
    )


def _fits(key: str, value: object) -> bool:
    """Whether a key may have this value."""
    if key in ("build", "run"):
        return _is_text_or_texts(value)
    if key == "params":
        return _is_params(value)
    if key == "name":
        return _is_name(value)
    if not isinstance(value, str) or not _is_text(value):
        return False
    return key == "python" or value.strip() in _known(key)


def _takes(key: str) -> str:
    """What a key takes, for a message."""
    if key in ("build", "run"):
        return '"...", ["...", "..."]'
    if key == "params":
        return PARAMS
    if key == "name":
        return f'"..." (1 - {LONGEST_NAME})'
    if key == "python":
        return '"..."'
    return ", ".join(f'"{each}"' for each in _known(key))


def _known(key: str) -> Sequence[str]:
    """The words of which `lifetime` or `protocol` takes one."""
    if key == "lifetime":
        return LIFETIMES
    return [name for name, kind in doors.brought("players").items() if kind.is_program]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value and bool(value.strip())


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_NAME and value.strip().isprintable()


def _is_text_or_texts(value: object) -> bool:
    if not isinstance(value, list):
        return _is_text(value)
    return bool(value) and all(isinstance(word, str) and "\0" not in word for word in value)


def _is_params(values: object) -> bool:
    """Whether these are numbers and texts by name, of no name in two spellings."""
    if not isinstance(values, dict) or len(values) > MAX_PARAMS or not all(map(parameters.is_name, values)):
        return False
    return len({name.lower() for name in values}) == len(values) and all(
        isinstance(value, (int, float, str))
        and not isinstance(value, bool)
        and len(str(value)) <= LONGEST_VALUE
        and str(value).isprintable()
        for value in values.values()
    )


# --- command.txt


def _read_commands(spec: str, path: Path) -> tuple[Words, Words]:
    """The preparing lines, and the last line's words."""
    lines = [line.strip() for line in read_text(path).splitlines() if line.strip()]
    if not lines or "\0" in "".join(lines):
        raise OperatorError("bot-no-command", bot=spec)
    return tuple(lines[:-1]), _split(spec, COMMANDS, lines[-1])


def _split(spec: str, file: str, line: str) -> Words:
    """A line's words, split as a shell does."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise OperatorError("bot-quotes", bot=spec, file=file, line=printable(line)) from error
    if not words:
        raise OperatorError("bot-no-command", bot=spec)
    return tuple(words)


# --- what the lines mean


def _stays_inside(spec: str, said: Declared) -> None:
    """Refuse words that lead out of the folder: there is nothing above its copy."""
    words = list(said.run)
    for line in said.build:
        try:
            words += shlex.split(line, comments=True)
        except ValueError:
            words += line.split()  # the shell will report what is wrong with the quotes
    for word in words:
        # An option may hold a path: -I../include, --book=../book.txt.
        for part in (word, word.partition("=")[2], word[2:] if word.startswith("-") else ""):
            if ".." in PurePosixPath(part).parts and os.path.normpath(part).split("/")[0] == "..":
                raise OperatorError("bot-leaves-folder", bot=spec, word=printable(word))


def _command(spec: str, said: Declared, content: Content, tools: Tools) -> Words:
    """The command to start, its first word found: in the folder, on the PATH, or made by the build.

    `python` means the same where `env` starts it.
    """
    first, rest = said.run[0], said.run[1:]
    if (at := behind_env(said.run)) and said.run[at] in ("python", "python3"):
        rest = (*said.run[1:at], tools.python, *said.run[at + 1 :])
    inside = os.path.normpath(first)
    if inside in content.files or inside in content.links:
        return (f"{BUILD}/{inside}", *rest)
    if os.path.isabs(first):
        if not os.access(first, os.X_OK):
            raise OperatorError("bot-run-missing", bot=spec, program=printable(first))
        return (first, *rest)
    if "/" not in first:
        found = _program(first, tools)
        if found is not None:
            return (found, *rest)
    if not said.build:
        raise OperatorError("bot-run-missing", bot=spec, program=printable(first))
    return (f"{BUILD}/{inside}", *rest)


def _program(name: str, tools: Tools) -> str | None:
    """The program of the PATH that an author means by `name`.

    `python` is Python 3 unless the operator says otherwise.
    """
    return tools.python if name in ("python", "python3") else tools.find(name)


# A line of the shell that begins with `python`, maybe behind `env` and variables for it.
_PYTHON_LINE = re.compile(r"((?:env\s++)?(?:\w++=(?:'[^']*+'|\"[^\"]*+\"|[^\s'\"])*+\s++)*+)(python3?)(?=\s|$)")


def _line(line: str, tools: Tools) -> str:
    """A build line as the shell gets it; one that begins with `python` begins with the bots' Python."""
    found = _PYTHON_LINE.match(line)
    return f"{found[1]}{shlex.quote(tools.python)}{line[found.end() :]}" if found else line


def _python_of(line: str) -> str:
    """The `python` that a build line begins with; empty where it begins with another program."""
    found = _PYTHON_LINE.match(line)
    return found[2] if found else ""


def _language(run: Words, content: Content) -> str:
    """The language of what is run, if its source can be seen; else of the only sources in the folder."""
    known = [language for word in run if (language := by_ending(word))]
    if known:
        return known[0].name
    others = {language.name for file in content.files if (language := by_ending(file)) and not language.is_aside}
    return others.pop() if len(others) == 1 else ""
