"""The compilers and interpreters of this machine: where they are, even behind shims, and their versions."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from dohyo.bots.content import printable
from dohyo.bots.program_files import ProgramFile, candidates, first, folders_for
from dohyo.core.errors import OperatorError
from dohyo.interrupts import DeferSignals
from dohyo.languages import Language, Way, Words, all_languages, is_tool
from dohyo.system import cache_mark, search_path

if TYPE_CHECKING:
    import subprocess

OWN_PYTHON = "dohyo"  # as the `python` of a bot.toml: the interpreter that runs Dohyo, with Dohyo and its libraries
WHICH_PYTHON = "import sys; print(sys.version_info[0])"
PYTHONS_2 = ("python2", "python2.7")  # names of a Python 2
ANSWER_WITHIN = 20.0  # processor seconds for a tool to say its version
PYTHON = re.compile(r"(python|pypy)[\d.]*")  # names by which a bot's author may mean a program of the PATH


class FoundTool(msgspec.Struct, frozen=True):
    """A language on this machine: the tool that builds or runs it, its version (both may be empty), how to get it."""

    language: str
    endings: Words
    tool: str
    version: str
    install: str


class Tools:
    """What the PATH offers. Make a new one for each use: the PATH may change in between.

    `cache` is where versions are remembered. `python` is the interpreter for bots in Python, a name or a path, as the
    operator says it. What a bot's author says is set by `with_python`; it is never started here to examine it, unless
    it is a Python of the PATH. `python_is_chosen` says whether either of them has. `is_for_samples` says that sources
    which import Dohyo get its own interpreter whatever the operator says. `debug` asks for debug builds.
    `searched` are the programs that names have found, before a shim was asked; `asked` what gave answers that may
    change while those stay the same.

    By default that is the `python3` of the PATH, so that a bot runs as it does when its author types `python3 bot.py`
    in the same shell, with the libraries that are installed there. Dohyo's own interpreter is often one that nobody
    chose for bots (the environment of `./dev`, of pipx, of uv): a bot would see our libraries and not its own. If
    there is no `python3` at all, it is the interpreter that ours was made from.
    """

    def __init__(self, cache: Path, python: str | None = None, debug: bool = False) -> None:
        self.cache = cache
        self.debug = debug
        self._wanted_python = python
        self.python_is_chosen = bool(python)
        self.is_for_samples = False
        self.python_name = "python"  # by which a build plan says that it uses the interpreter for bots in Python
        self._paths: dict[str, str | None] = {}
        self.searched: dict[str, ProgramFile | None] = {}
        self.asked: list[str] = []

    def find(self, name: str) -> str | None:
        """The absolute path of the program `name`, or None; the program itself where the PATH has a shim of it.

        A path is that program, whatever it holds: a stranger may have written it.
        """
        if name not in self._paths:
            self.searched[name] = first(name)
            self._paths[name] = _found(name, self._ask)
        return self._paths[name]

    @cached_property
    def python(self) -> str:
        """The absolute path of the interpreter for bots in Python. Raises `OperatorError` when there is none."""
        if self._wanted_python:
            return self.interpreter(self._wanted_python)
        found = self.find("python3")
        if found:
            return self._behind_shim(found)
        return str(getattr(sys, "_base_executable", "") or sys.executable)

    def interpreter(self, name: str) -> str:
        """The absolute path of the interpreter that is called `name`; `OperatorError` without one."""
        found = self.find(os.path.expanduser(name))
        if found is None or self._ask((found, "-c", WHICH_PYTHON)) is None:  # a script may only look for one, in vain
            raise OperatorError("bot-no-python", python=printable(name))
        return self._behind_shim(found)

    @property
    def own_python(self) -> str:
        """The absolute path of the interpreter that runs Dohyo."""
        return sys.executable

    def _ask(self, command: Words) -> str | None:
        """The first line that a command prints: an answer that may change while its program stays the same."""
        self.asked.append(command[0])
        return ask(command)

    def with_python(self, path: str, name: str) -> Tools:
        """These tools with another interpreter for bots in Python; it is not looked at here.

        `name` is how a build plan says that it uses it; empty for what lies in the hand-in itself.
        """
        named = copy(self)  # what was found and asked is that of both
        named.python, named.python_name, named.python_is_chosen = path, name, True
        named.is_for_samples = False  # whatever its author says is meant
        return named

    def for_samples(self) -> Tools:
        """These tools for bots that come with a game: whoever names another Python does not mean their imports."""
        if not self.python_is_chosen:
            return self
        ours = copy(self)
        ours.is_for_samples = True
        return ours

    def beside(self, name: str, other: str) -> str | None:
        """The program `name` of the same installation as the one that is found as `other`; None without it."""
        found = self.find(other)
        self.asked.append(other)  # of the disk, and so it is below
        beside = "" if found is None else os.path.join(os.path.dirname(os.path.realpath(found)), name)
        return beside if os.access(beside, os.X_OK) else None

    def installed(self, way: Way) -> Words:
        """The files of `Way.installed`, in order: absolute paths; none where its first tool is not here."""
        found = self.find(way.tools[0])
        self.asked.append(way.tools[0])
        if found is None:
            return ()
        prefix = Path(os.path.realpath(found)).parent.parent
        return tuple(sorted(str(path) for pattern in way.installed for path in prefix.glob(pattern)))

    @cached_property
    def python2(self) -> str | None:
        """The absolute path of a Python 2, or None. What has the name may be a script that looks for one in vain."""
        for name in PYTHONS_2:
            path = self.find(name) or self._not_chosen(name)
            if path and self._ask((path, "-c", WHICH_PYTHON)) == "2":  # the number before the first point
                return self._behind_shim(path)
        return None

    def _not_chosen(self, name: str) -> str | None:
        """The program of this name in a version that a version manager has, and the operator has not chosen."""
        for shim in candidates(name, folders_for(name)):
            manager = _manager_of(shim)
            said = self._ask((manager, "whence", "--path", name)) if manager and os.path.isabs(manager) else None
            if said and os.path.isabs(said) and os.access(said, os.X_OK) and os.path.isfile(said):
                return said
        return None

    def _behind_shim(self, path: str) -> str:
        """The interpreter itself where `path` is a script that looks for one: pyenv's costs 80 ms at each start."""
        try:
            with open(path, "rb") as file:
                if file.read(2) != b"#!":
                    return path
        except OSError:
            return path
        said = self._ask((path, "-c", "import sys; print(sys.executable)")) or ""
        return said if os.access(said, os.X_OK) else path

    def way(self, language: Language) -> Way | None:
        """The first way of `language` whose tools are all here, or None."""
        for way in language.ways:
            if all(self.find(tool) for tool in way.tools) and (not way.probe or self.version(way) is not None):
                return way
        return None

    def paths(self, way: Way) -> dict[str, str]:
        """Where the tools of a way are, by name."""
        paths = {tool: path for tool in way.tools if (path := self.find(tool))}
        for name, other in way.beside:
            paths[name] = self.beside(name, other) or paths[name]
        return paths

    def version(self, way: Way) -> str | None:
        """The first line in which the way's first tool says its version; None where it fails at that.

        Asking javac takes 0.3 s, so the answer is remembered by the tool's path, size and time of change.
        """
        if not way.version or self.is_authors_python(way):
            return ""
        tool = self.find(way.tools[0]) if way.tools else self.python
        if tool is None:
            return ""
        note = self._note(tool, way.version)
        if note is not None:
            try:
                return note.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                pass
        # In the operator's folder there may be a hand-in that makes rustup or dotnet start a program of its own.
        version = ask((tool, *way.version))
        if note is None or version is None:
            self.asked.append(tool)
        if note is not None and version is not None:
            _remember(note, version)
        return version

    def is_authors_python(self, way: Way) -> bool:
        """Whether the way's only program is an interpreter that `with_python` has set, which nobody asks anything."""
        return not way.tools and self.python_name != "python"

    def _note(self, tool: str, question: Words) -> Path | None:
        """The file that remembers a tool's version; None for a tool that stands for another one.

        Such a one (a script, or rustup, which is called rustc) stays the same while the compiler behind it changes.
        """
        real = os.path.realpath(tool)
        try:
            status = os.stat(real)
            with open(real, "rb") as file:
                stands_for_another = file.read(2) == b"#!"
        except OSError:
            return None
        if stands_for_another or os.path.basename(real).startswith("rustup"):
            return None
        known = f"{tool}\0{real}\0{status.st_size}\0{status.st_mtime_ns}\0{question}"
        return self.cache / "versions" / hashlib.sha256(os.fsencode(known)).hexdigest()

    def programs(self, uses: Words) -> Words:
        """The operator's programs that a build plan uses: those of the table of languages, and Pythons, by name."""
        found = (self._program(name) for name in uses)
        return tuple(dict.fromkeys(program for program in found if program))

    def _program(self, name: str) -> str | None:
        if name == "python":
            return self.python
        if name == OWN_PYTHON:
            return self.own_python
        if name == "python2":
            return self.python2
        if PYTHON.fullmatch(name):
            with suppress(OperatorError):
                return self.interpreter(name)
            return None
        return self.find(name) if is_tool(name) else None

    def survey(self) -> list[FoundTool]:
        """Every language, and what this machine has for it."""
        found = []
        for language in all_languages():
            way = self.way(language)
            tool = "" if way is None else (self.find(way.tools[0]) or "") if way.tools else self.python
            version = "" if way is None else self.version(way) or ""
            found.append(FoundTool(language.name, language.endings, tool, version, language.install))
        return found


def ask(command: Words) -> str | None:
    """The first line that a command prints, on either output; None when it fails or does not answer in time.

    It runs in a neutral folder: the current one may have files that change what tools do (`.python-version`).
    """
    import subprocess

    from dohyo.system import allowance

    asked = None
    try:
        with DeferSignals():
            asked = subprocess.Popen(
                command,
                cwd="/",
                env=search_path.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
        said, _ = allowance.communicate(asked, ANSWER_WITHIN)
    except (OSError, subprocess.TimeoutExpired):
        return None
    finally:
        if asked is not None:
            _end(asked)
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    plain = [line for line in lines if "warning:" not in line.lower()]  # a Java machine's, before the version
    return ((plain or lines or [""])[0]) if asked.returncode == 0 else None


def _end(asked: subprocess.Popen[bytes]) -> None:
    """End a tool with all that it started: a version manager's shim is a script with programs of its own."""
    import signal

    if asked.returncode is None:
        assert asked.stdout is not None
        with suppress(ProcessLookupError):
            os.killpg(asked.pid, signal.SIGKILL)
        while os.read(asked.stdout.fileno(), 1 << 16):  # it ends when the last of them has ended
            pass
        asked.wait()
        asked.stdout.close()


def _remember(note: Path, version: str) -> None:
    """Write a note; a cache that cannot be written to only means that the tool is asked again."""
    import tempfile

    try:
        cache_mark.mark(note.parent.parent)
        note.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=note.parent, delete=False, encoding="utf-8") as file:
            file.write(version)
        os.replace(file.name, note)
    except OSError:
        return


# --- programs behind shims
#
# What pyenv, asdf, mise, rbenv, nodenv, jenv and sdkman put on the PATH in a program's place. A shim is a small
# script (mise's is a link to mise itself) that looks up, at each start, which version is meant. That costs 50 to 100
# ms, and in a sandbox the manager that it asks is not there. So the manager is asked once, here: every one of them
# answers `MANAGER which NAME` with a path. Sdkman has no shims but a link called `current`, which is followed.

# The line of a shim that hands over: exec "/home/me/.pyenv/libexec/pyenv" exec "$program" "$@"
HANDS_OVER = re.compile(
    rb"""^\s*exec\s+["']?([^\s"']*?\b(?:pyenv|rbenv|nodenv|jenv|goenv|plenv|phpenv|asdf))["']?\s+exec\b""",
    re.MULTILINE,
)
LONGEST_SHIM = 16 * 1024  # bytes of a script that is looked at
MISE = "mise"
SDKMAN = "/.sdkman/candidates/"

Ask = Callable[[Words], str | None]  # the first line that a command prints; None when it fails


def _found(name: str, ask: Ask) -> str | None:
    """The absolute path of a program; of one that the PATH finds, behind shims.

    A shim behind which there is nothing (the version that is chosen has no such program) counts as none.
    """
    if os.path.dirname(name):
        if not is_of_path(name):
            return next((os.path.abspath(path) for path in candidates(name, [""])), None)
        name = os.path.basename(name)
    found = (_behind(path, ask) for path in candidates(name, folders_for(name)))
    return next((path for path in found if path is not None), None)


def is_of_path(path: str) -> bool:
    """Whether a path is just what the operator's PATH finds for its last part, and so says no more than that."""
    known = first(os.path.basename(path))
    return known is not None and known.path == os.path.abspath(path)


def is_shim_of_path(path: str) -> bool:
    """Whether the PATH finds this file in the place of a program that a version manager knows."""
    whole = os.path.abspath(path)
    return is_of_path(path) and (SDKMAN in whole or _manager_of(whole) is not None)


def _behind(path: str, ask: Ask) -> str | None:
    """The program itself where `path`, which the PATH has found, is a shim; None where that leads nowhere.

    Any other is the program itself. A stranger's file never comes here: what it says would be started.
    """
    if SDKMAN in path:
        return os.path.realpath(path)
    manager = _manager_of(path)
    if manager is None:
        return os.path.abspath(path)
    if not os.path.isabs(manager):
        asked = None if os.path.dirname(manager) else first(manager)
        if asked is None:
            return None
        manager = asked.path
    said = ask((manager, "which", os.path.basename(path)))
    usable = said is not None and os.path.isabs(said) and os.access(said, os.X_OK) and os.path.isfile(said)
    return said if usable else None


def _manager_of(path: str) -> str | None:
    """The program that a shim asks, as an absolute path or a name; None where `path` is no shim."""
    real = os.path.realpath(path)
    if os.path.basename(real) == MISE:
        return real if os.path.basename(path) != MISE else None
    try:
        with open(real, "rb") as file:
            start = file.read(LONGEST_SHIM)
    except OSError:
        return None
    found = HANDS_OVER.search(start) if start[:2] == b"#!" else None
    return None if found is None else os.fsdecode(found[1])
