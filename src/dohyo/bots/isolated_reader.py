"""Examines hand-ins in a separate process: strangers' files are parsed there, never in our own process.

Theory of operation
-------------------
One child process examines the copies that `dohyo.bots.hand_in` made, one after the other, and answers each with a
build plan, or with the sentence that says what is wrong. It runs in the sandbox, where it can read those copies and
Dohyo's own code, with a limit on memory and on processor time for each; without a sandbox there are only the limits.
If it fails, ends or hangs, the hand-in counts as unreadable, and the next one gets a new child.

The child is told which languages guests bring, and sees their packages (`dohyo.languages.brought`): those that are
installed for the operator's Python, found before any hand-in is looked at. It asks us for what it cannot see: where a
tool is and its version, and, for a single source, another file near it. Such a file has to be a source, in the
source's folder or below it, not a link, not hidden, and not another hand-in. Everything else in a build plan is used
only in a sandbox.
"""

from __future__ import annotations

import base64
import json
import os
import select
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec

from dohyo.bots.bot import BOT, BUILD, COMMANDS, LIFETIMES, TOML
from dohyo.bots.build_plan import BuildPlan, Step, check_words
from dohyo.bots.building import BuildSandbox
from dohyo.bots.content import printable
from dohyo.bots.hand_in import Area, HandInCopy
from dohyo.bots.reader_process import LENGTH, OF_COPY, PACKED, pack
from dohyo.bots.safe_paths import IGNORED, real
from dohyo.bots.tools import PYTHON, Tools
from dohyo.core.errors import HandInError, MachineError, OperatorError
from dohyo.core.sandbox import Mount, SandboxedRun, Shown
from dohyo.i18n import Message
from dohyo.i18n.speaker import UNFIT
from dohyo.interrupts import DeferSignals
from dohyo.languages import Words, brought, by_name, headers, is_tool, source_endings
from dohyo.system import interpreter
from dohyo.system.hand_in_limits import MAX_NAMED_DEPTH, MAX_PATH_BYTES
from dohyo.system.search_path import search_path

if TYPE_CHECKING:
    import subprocess

# Seconds of wall time, far behind what the child needs on a busy machine: it limits its own processor time
# (`reader_process.PROCESSOR`), and needs a third of a second of that until it is there.
SECONDS = 300.0  # for one hand-in
START = 300.0
INSIDE = "/hand-ins"  # where the child sees the copies, in a sandbox with a file system of its own
LARGEST = 64 << 20  # bytes of one message
MAX_LISTED = 2000  # names of files in one answer
# What the operator can mend for one hand-in: its language is not installed.
OF_OPERATOR = ("bot-no-tools", "bot-no-python")
# Errors of this machine, not of one hand-in, by how their keys begin: no reader may claim one.
OF_MACHINE = ("bot-cache", "cannot-write", "no-room-for-programs", "no-sandbox", "unknown-sandbox")
# Without `typing_extensions`, which nothing there uses, `msgspec` takes names from `typing`: a fifth of the start.
STUB = (
    "import sys; ours, brought = map(str.splitlines, sys.argv[1:]); sys.path[:0] = ours; sys.path += brought; "
    "sys.modules['typing_extensions'] = None; "
    "from dohyo.bots.reader_process import main; main()"
)


class _FailedError(Exception):
    """The child cannot be used any more, with the reason."""


BROKEN = (_FailedError, OSError, ValueError, TypeError, LookupError, RecursionError, msgspec.DecodeError)


class IsolatedReader:
    """Examines hand-ins in a separate process, which is started for the first one, and ended by `end`.

    `apart` are the real paths of hand-ins, which never belong to another one; `follow` lets others belong.
    """

    def __init__(
        self,
        area: Area,
        tools: Tools,
        build_sandbox: BuildSandbox | None,
        apart: Collection[str],
        follow: bool,
    ) -> None:
        self.area = area
        self._tools = tools
        self._build_sandbox = build_sandbox
        self._apart = apart
        self._follow = follow
        self._child: _Child | None = None

    def examine(self, taken: HandInCopy, kind: str) -> BuildPlan:
        """The build plan for a hand-in, a "file", a "folder" or an operator's "command" that names a source.

        Raises `OperatorError` if it is none, or cannot be read.
        """
        child = self._child = self._child or self._start()
        root = child.inside(taken.root)
        question = {
            "kind": kind,
            "spec": taken.spec,
            "root": root,
            "file": taken.alone,
            "chosen": self._tools.python_is_chosen,
            "debug": self._tools.debug,
        }
        with self._unbroken(taken.spec):
            child.send(question)
            while True:
                word, *given = child.receive()
                if word != "ask":
                    break
                child.send(self._answer(taken, *given))
            if word == "plan":
                return from_message(given[0], taken, debug=self._tools.debug)
            error = _told(word, given)
        raise error

    def unpack(self, path: Path, spec: str) -> HandInCopy:
        """A copy of what is in a packed file. Raises `OperatorError` where it cannot be read, or is too much."""
        child = self._child = self._child or self._start()
        taken, inside = self.area.take_packed(path, spec)
        with self._unbroken(spec):
            child.send({"kind": PACKED, "spec": spec, "root": child.inside(taken.root), "file": taken.alone})
            try:
                word, *given = take_unpacked(child.receive, inside)
            except OSError as problem:
                raise self.area.blamed(inside, path.name, problem) from problem
            if word == "done":
                return inside
            error = _told(word, given)
        raise error

    @contextmanager
    def _unbroken(self, spec: str) -> Iterator[None]:
        """End the child if a dialogue with it does not complete; its failure is an error about `spec`."""
        try:
            yield
        except BROKEN as problem:
            self.end()
            reason = printable(str(problem))[:200]
            raise HandInError("bot-cannot-be-read", bot=spec, reason=reason) from problem
        except BaseException:
            self.end()
            raise

    def _start(self) -> _Child:
        try:
            return _Child(self.area.folder, self._tools, self._build_sandbox)
        except OSError as error:
            raise MachineError("no-room-for-programs", reason=error) from error

    def _answer(self, taken: HandInCopy, what: str, name: str, number: int, other: str) -> Any:
        """Answer a question of the child."""
        if max(len(name), len(other)) > MAX_PATH_BYTES:
            raise _FailedError("a name is too long")
        if what == "find":
            return None if "/" in name or "\0" in name else self._tools.find(name)
        if what == "python":
            return self._tools.python
        if what == "python2":
            return self._tools.python2
        if what == "beside":
            return self._tools.beside(name, other) if is_tool(name) and is_tool(other) else None
        if what == "installed":
            return self._tools.installed(by_name(name).ways[number])
        if what == "interpreter":
            return self._interpreter(name)
        if what == "version":
            return self._tools.version(by_name(name).ways[number])
        if what == "bring":
            return self._bring(taken, name)
        if what == "sources":
            taken.is_listed = True
            is_source = other in source_endings() and (_is_below(name) or name == ".")
            return _sources_in(taken.origin / name, other) if is_source else []
        raise _FailedError("an unknown question")

    def _interpreter(self, name: str) -> str | None:
        with suppress(OperatorError):
            return self._tools.interpreter(name) if PYTHON.fullmatch(name) else None
        return None

    def _bring(self, taken: HandInCopy, name: str) -> bool:
        """Copy a file for a single source, if it may belong to it."""
        if not taken.alone or not _is_below(name) or not name.endswith((*source_endings(), *headers())):
            return False
        if name in taken.files:
            return True
        follows = self._follow and taken.follows
        if follows and self._is_apart(taken.origin, PurePosixPath(name)):
            taken.missing.add(name)
            return False
        return follows and taken.bring(name)

    def _is_apart(self, origin: Path, name: PurePosixPath) -> bool:
        """Whether it is another hand-in, or lies in one, or behind a link."""
        places = [origin / part for part in (name, *name.parents[:-1])]
        return any(map(os.path.islink, places)) or any(real(place) in self._apart for place in places)

    def end(self) -> None:
        """End the process, if there is one."""
        if self._child is not None:
            self._child.end()
            self._child = None


def _is_below(name: str) -> bool:
    """Whether it is a relative name of something below, and not of what is hidden or left aside."""
    parts = name.split("/")
    wrong = {"", ".", "..", *IGNORED}
    is_odd = any(part in wrong or part.startswith(".") or "\0" in part for part in parts)
    return len(parts) <= MAX_NAMED_DEPTH and not is_odd


def _sources_in(folder: Path, ending: str) -> list[str]:
    """Names of sources in a folder, for imports that name them all."""
    names: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(ending) and entry.is_file(follow_symlinks=False):
                names.append(entry.name)
            if len(names) >= MAX_LISTED:
                break
    return sorted(names)


def _told(word: str, given: list[Any]) -> OperatorError:
    """The error in the child's last message. Raises `_FailedError` if it has none."""
    if word != "wrong":
        raise _FailedError(str(given[0]))
    try:
        message = msgspec.convert(given[0], type=Message)
        error = (OperatorError if message.key in OF_OPERATOR else HandInError)(message.key, **message.values)
        said = error.say()
    except (msgspec.ValidationError, *UNFIT) as problem:  # no such sentence, or not all of its values
        raise _FailedError("an unknown answer") from problem
    if "{" in said and not message.values:  # its places are empty
        raise _FailedError("an unknown answer")
    if message.key.startswith(OF_MACHINE):
        raise _FailedError("a complaint about the machine")
    return error


def take_unpacked(receive: Callable[[], list[Any]], inside: HandInCopy) -> list[Any]:
    """Write what is told into a hand-in; the last message, which is not of a file.

    A single folder that says itself how it runs is unwrapped: many programs pack a folder as one.
    Raises `OperatorError` for names and sizes that no hand-in has, `ValueError` for what is no message.
    """
    links: dict[str, str] = {}
    message = receive()

    # A file ends where a message comes that is no piece of it. `HandInCopy.write` takes all pieces, or raises: so
    # behind it, `message` is that one.
    def pieces() -> Iterator[bytes]:
        nonlocal message
        while (message := receive())[0] == "data":
            if not (piece := base64.b64decode(_text(message[1]), validate=True)):
                raise ValueError("an unknown answer")
            yield piece

    while message[0] in ("file", "link"):
        name = _text(message[1])
        if message[0] == "link":
            target = _text(message[2])
            inside.check_link(name, target, links)
            links[name] = target
            message = receive()
        else:
            inside.write(name, message[2] is True, pieces())
    if message[0] == "done":
        inside.link(links)
        outermost = {name.partition("/")[0] for name in (*inside.files, *inside.links)}
        if len(outermost) == 1:
            (folder,) = outermost
            if any(f"{folder}/{name}" in inside.files for name in (TOML, COMMANDS)):
                inside.unwrap(folder)
    return message


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("an unknown answer")
    return value


class PlanMessage(msgspec.Struct):
    """A build plan as `reader_process.to_message` writes it: its files by their names, or their content in hex."""

    spec: str
    name: str
    command: Words
    folder: str
    digest: str
    language: str
    lifetime: str
    placed: dict[str, tuple[str, str]]
    links: dict[str, str]
    steps: tuple[Step, ...]
    tools: Words
    files: Words
    left_out: Words
    apart: Words
    uses: Words
    debug: bool


def from_message(message: object, taken: HandInCopy, *, debug: bool = False) -> BuildPlan:
    """A build plan from the child's message; its files are those of the copy.

    With `debug` a debug build was asked for. No plan is one otherwise: those have more memory than others.
    """
    told = msgspec.convert(message, PlanMessage)
    known = taken.paths()
    placed: dict[str, Path | bytes] = {}
    for name, (kind, content) in told.placed.items():
        if not _is_inside(name):
            raise _FailedError("a file that leads out of the build")
        placed[name] = known[content] if kind == OF_COPY else bytes.fromhex(content)
    if not all(_is_inside(name) for name in told.links):
        raise _FailedError("a link that leads out of the build")
    if any(name not in known for name in (*told.files, *told.left_out)):
        raise _FailedError("a file that is not there")
    if not all(map(_is_inside, told.apart)):
        raise _FailedError("an entry of another folder")
    if told.lifetime not in LIFETIMES or (not told.folder.startswith((BOT, BUILD)) and told.command):
        raise _FailedError("an unknown answer")
    for words in (told.command, (told.folder,), *(way for step in told.steps for way in step.ways)):
        _check_startable(words)
    check_words(taken.spec, told.command, told.steps)
    fields = {name: getattr(told, name) for name in told.__struct_fields__}
    return BuildPlan(**{**fields, "placed": placed, "debug": told.debug and debug})


def _check_startable(words: Words) -> None:
    """Raise for a word that no program can be given: the system's words end at a zero byte.

    Of a manifest's text such a word would otherwise be ours to fail at, when the program is started: with it failed
    whatever was to be done with all the others.
    """
    for word in words:
        if b"\0" in os.fsencode(word.replace(BOT, "").replace(BUILD, "")):
            raise _FailedError("a word with a zero byte")


def _is_inside(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and not name.startswith("/") and ".." not in parts and "\0" not in name


def import_folders() -> list[str]:
    """Where the child finds Dohyo's own code and what that imports."""
    ours = Path(__file__).parent.parent.parent
    return list(dict.fromkeys([str(ours), str(Path(msgspec.__file__).parent.parent)]))


def _error_file() -> int:
    """A file for the child's standard error, which is read only if it does not start."""
    return os.memfd_create("intake") if hasattr(os, "memfd_create") else os.open(os.devnull, os.O_RDWR)


class _Child:
    """The process that reads hand-ins."""

    def __init__(self, area: Path, tools: Tools, build_sandbox: BuildSandbox | None) -> None:
        self._area = area
        self._own_files = build_sandbox is not None and build_sandbox.own_files
        self._buffer = bytearray()
        self._sandboxed: SandboxedRun | None = None
        folders, packages = import_folders(), brought.folders()
        # Of a package only its own folder is shown; the one above is where Python looks for its name.
        above = dict.fromkeys(map(os.path.dirname, packages))
        words = tuple(interpreter.alone(STUB, "\n".join(folders), "\n".join(above)))
        if build_sandbox is not None:
            mounts = (Mount(str(area), INSIDE if self._own_files else str(area)),)
            python2 = Tools(tools.cache).python2  # only shown: `tools` note what an answer rests on
            programs = [sys.executable, *([python2] if python2 else [])]
            shown = Shown("/", (*mounts, *(Mount(each, each) for each in (*folders, *packages))), tuple(programs))
            self._sandboxed = build_sandbox.read(words, shown)
        self._errors = -1
        try:
            self._errors = _error_file()
            with DeferSignals():
                self._process = self._start(words)
            if self._sandboxed is not None:
                self._sandboxed.started(self._process.pid)
            self._await_start()
            self.send(brought.named())
        except BaseException:
            self.end()
            raise

    def _start(self, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
        import subprocess

        sandboxed = self._sandboxed
        return subprocess.Popen(
            words if sandboxed is None else sandboxed.command,
            cwd="/" if sandboxed is None else sandboxed.folder,
            env={"LC_ALL": "C.UTF-8", "PATH": search_path()} if sandboxed is None else sandboxed.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
            start_new_session=True,
        )

    def _await_start(self) -> None:
        """Wait for its first message. Raises `RuntimeError`: a child that does not start is a defect of ours."""
        try:
            self.receive(START)
        except (_FailedError, OSError, ValueError) as error:
            said = os.pread(self._errors, 4096, 0).decode("utf-8", "replace").strip()
            raise RuntimeError(f"hand-ins cannot be examined: {said or error}") from error

    def inside(self, path: Path) -> str:
        """The path by which the child sees a copy."""
        relative = path.relative_to(self._area)
        return f"{INSIDE}/{relative}" if self._own_files else str(path)

    def send(self, message: object) -> None:
        """Send it a message; it always reads."""
        assert self._process.stdin is not None
        rest = memoryview(pack(json.dumps(message).encode()))
        while rest:
            rest = rest[os.write(self._process.stdin.fileno(), rest) :]

    def receive(self, seconds: float = SECONDS) -> list[Any]:
        """Its next message. Raises `_FailedError` if it has ended, sends too much, or takes too long."""
        assert self._process.stdout is not None
        out = self._process.stdout.fileno()
        poll = select.poll()
        poll.register(out, select.POLLIN)
        deadline = monotonic() + seconds
        while not self._is_complete():
            left = deadline - monotonic()
            if left <= 0:
                raise _FailedError("it took too long")
            if poll.poll(min(left, 1.0) * 1000):
                chunk = os.read(out, 1 << 16)
                if not chunk:
                    raise _FailedError("it took too much time or memory")
                self._buffer += chunk
        (length,) = LENGTH.unpack_from(self._buffer)
        end = LENGTH.size + length
        message = json.loads(bytes(self._buffer[LENGTH.size : end]))
        del self._buffer[:end]
        if not isinstance(message, list) or not message:
            raise _FailedError("an unknown answer")
        return message

    def _is_complete(self) -> bool:
        if len(self._buffer) < LENGTH.size:
            return False
        length: int = LENGTH.unpack_from(self._buffer)[0]
        if length > LARGEST:
            raise _FailedError("its sources are too large")
        return len(self._buffer) >= LENGTH.size + length

    def end(self) -> None:
        """End it, and all that it started."""
        process = getattr(self, "_process", None)
        if process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
        if self._sandboxed is not None:
            self._sandboxed.close()
            self._sandboxed = None
        if self._errors >= 0:
            os.close(self._errors)
            self._errors = -1
