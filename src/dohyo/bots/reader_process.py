"""The process that reads hand-ins (see `dohyo.bots.isolated_reader`). It sees only copies, and asks for the rest.

    python -I -S -c STUB FOLDERS FOLDERS

Messages come on standard input and go to standard output, as JSON: names of files may have bytes that are not text,
which JSON's escapes can represent.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import struct
import sys
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from dohyo.bots.build_plan import BuildPlan
from dohyo.bots.source_dependencies import Near
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import Way, Words, all_languages, brought

PROCESSOR = 20.0  # seconds for one hand-in
MEMORY = 1 << 30  # bytes
FILES = 1 << 24  # bytes: nothing is written
LENGTH = struct.Struct("=I")  # in front of each message: how many bytes it has
OF_COPY, WRITTEN = "copy", "written"  # whether a file of a build plan is one of the copy, or its content is told
PACKED = "packed"  # the kind of a hand-in that is to be unpacked


def main() -> None:
    """Answer until the input ends."""
    _limit()
    line = Pipes()
    line.send(["here"])
    brought.take(line.receive() or {})
    while (question := line.receive()) is not None:
        signal.setitimer(signal.ITIMER_PROF, PROCESSOR)  # the signal ends us at any point
        answer = json.dumps(examine(question, line)).encode()
        signal.setitimer(signal.ITIMER_PROF, 0)
        line.write(answer)


def _limit() -> None:
    """Limit our resources, also without a sandbox."""
    import resource

    for kind, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        own = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (own, own))
        except (ValueError, OSError):
            continue  # a system that does not know this limit


def examine(question: dict[str, Any], line: Pipes) -> list[Any]:
    """The last message about one hand-in; whatever goes wrong is about that hand-in alone."""
    try:
        return (_unpacked if question["kind"] == PACKED else _recognised)(question, line)
    except OperatorError as error:
        return ["wrong", msgspec.to_builtins(error.message)]
    except MemoryError:
        return ["broken", "it takes too much memory"]
    except RecursionError:
        return ["broken", "it is nested too deep"]
    except Exception as error:  # any failure caused by a stranger's file is an error about that file
        return ["broken", f"{type(error).__name__}: {error}"[:500]]


def _recognised(question: dict[str, Any], line: Pipes) -> list[Any]:
    from dohyo.bots.recognise import recognise_copy

    root = Path(question["root"])
    tools = AskedTools(line, question["chosen"], question["debug"])
    near = AskedNear(root, line) if question["file"] else Near()
    found = recognise_copy(question["kind"], question["spec"], root, question["file"], tools, near)
    return ["plan", to_message(found, root)]


def _unpacked(question: dict[str, Any], line: Pipes) -> list[Any]:
    """Send what is packed, in the process that reads it; the last message."""
    from dohyo.bots.zip_and_tar import entries, readable

    with readable(question["spec"]):
        for entry in entries(Path(question["root"], question["file"]), question["spec"]):
            if entry.target:
                line.send(["link", entry.name, entry.target])
                continue
            line.send(["file", entry.name, entry.executable])
            for piece in entry.pieces:
                line.send(["data", base64.b64encode(piece).decode()])
    return ["done"]


def to_message(plan: BuildPlan, root: Path) -> dict[str, Any]:
    """A build plan as JSON can carry it; `isolated_reader.from_message` reads it."""
    placed = {
        name: (WRITTEN, content.hex())
        if isinstance(content, bytes)
        else (OF_COPY, content.relative_to(root).as_posix())
        for name, content in plan.placed.items()
    }
    fields = {name: getattr(plan, name) for name in plan.__struct_fields__ if name != "shown"}
    steps = [{"ways": step.ways, "line": step.line, "may_fail": step.may_fail} for step in plan.steps]
    return {**fields, "placed": placed, "steps": steps}


def pack(content: bytes) -> bytes:
    """One message."""
    return LENGTH.pack(len(content)) + content


class Pipes:
    """The child's side of the two pipes."""

    def __init__(self) -> None:
        self._in = sys.stdin.buffer
        # Output of a library must not get between the messages.
        self._out = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)

    def receive(self) -> Any:
        """The next message; None at the end."""
        head = self._in.read(LENGTH.size)
        if len(head) < LENGTH.size:
            return None
        return json.loads(self._in.read(LENGTH.unpack(head)[0]))

    def send(self, message: object) -> None:
        """Send a message."""
        self.write(json.dumps(message).encode())

    def write(self, content: bytes) -> None:
        """Send one message that is encoded already."""
        rest = memoryview(pack(content))
        while rest:
            rest = rest[self._out.write(rest) :]

    def ask(self, what: str, name: str = "", number: int = 0, other: str = "") -> Any:
        """The answer to a question."""
        self.send(["ask", what, name, number, other])
        return self.receive()


class AskedTools(Tools):
    """The operator's tools, asked for."""

    def __init__(self, line: Pipes, chosen: bool, debug: bool) -> None:
        super().__init__(Path("/"), debug=debug)
        self._line = line
        self.python_is_chosen = chosen

    def find(self, name: str) -> str | None:
        """Of a name, what the operator's PATH has; of a path, what can be seen here."""
        if "/" in name:
            return name if os.path.isabs(name) and os.path.isfile(name) and os.access(name, os.X_OK) else None
        if name not in self._paths:
            self._paths[name] = self._line.ask("find", name)
        return self._paths[name]

    @cached_property
    def python(self) -> str:
        return str(self._line.ask("python"))

    @property
    def python2(self) -> str | None:
        found = self._line.ask("python2")
        return None if found is None else str(found)

    def beside(self, name: str, other: str) -> str | None:
        found = self._line.ask("beside", name, other=other)
        return None if found is None else str(found)

    def installed(self, way: Way) -> Words:
        place = _place_of(way)
        return tuple(self._line.ask("installed", *place)) if place else ()

    def interpreter(self, name: str) -> str:
        found = self._line.ask("interpreter", name)
        if found is None:
            raise OperatorError("bot-no-python", python=name)
        return str(found)

    def version(self, way: Way) -> str | None:
        place = None if self.is_authors_python(way) else _place_of(way)
        found = self._line.ask("version", *place) if place else ""
        return None if found is None else str(found)


def _place_of(way: Way) -> tuple[str, int] | None:
    """The language that has a way with these tools, and which of its ways that is; None for one that nobody has."""
    asked = (way.tools, way.version, way.installed)
    places = ((language.name, at, each) for language in all_languages() for at, each in enumerate(language.ways))
    return next(
        ((name, at) for name, at, each in places if (each.tools, each.version, each.installed) == asked), None
    )


class AskedNear(Near):
    """What lies beside a lone source: copied here when it is asked for."""

    def __init__(self, root: Path, line: Pipes) -> None:
        self._root = root
        self._line = line
        self._known: dict[Path, bool] = {}

    def has(self, path: Path) -> bool:
        if path not in self._known:
            self._known[path] = self._is_brought(path)
        return self._known[path]

    def _is_brought(self, path: Path) -> bool:
        try:
            name = path.relative_to(self._root).as_posix()
        except ValueError:
            return False
        return bool(self._line.ask("bring", name))

    def sources(self, folder: Path, ending: str) -> list[Path]:
        try:
            name = folder.relative_to(self._root).as_posix()
        except ValueError:
            return []
        return [folder / source for source in self._line.ask("sources", name, other=ending)]
