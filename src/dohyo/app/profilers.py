"""A bot under the profiler of its language, on the input that a seat was sent in a recorded match.

No clock runs: the bot reads the recorded input as fast as it can, as in `app/debugger.py`, but in its sandbox.

    cprofile   runs in the sandbox: the bot's own Python runs `bots/runtime/profile_to_file.py`, which writes calls
               and their times into a folder that is shown to the bot for this
    py-spy     stands outside and looks into the sandbox; it samples stacks of Python
    perf       the same, of Linux, for programs that were compiled

What these write was made by a stranger's program, or from its names: it is read within bounds. perf finds the names
of functions in the bot's files, which are a stranger's too: that part, `perf script`, runs in a sandbox of its own.
What stands outside has an environment and a home folder of its own, never those of the bot.
"""

from __future__ import annotations

import io
import os
import select
import shutil
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

import msgspec
from msgspec.structs import replace

from dohyo.app.debugger import python_words
from dohyo.app.files import read_bounded
from dohyo.app.rerun import Rerun
from dohyo.app.sandboxing import BuildSandbox, factory_for
from dohyo.app.stacks import Calls, Stack, folded, of_processes, sampled, stacks_of
from dohyo.bots import Bot
from dohyo.bots.build_plan import OURS
from dohyo.core import recorded
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.core.sandbox import Mount, SandboxedRun, SandboxError
from dohyo.runner.launch import Launch
from dohyo.sandbox import Sandbox
from dohyo.system import disk, temporary

CPROFILE, PY_SPY, PERF = "cprofile", "py-spy", "perf"
TOOLS = (CPROFILE, PY_SPY, PERF)
MISSING = {PY_SPY: "no-py-spy", PERF: "no-perf"}
RUNNER = Path(OURS) / "profile_to_file.py"
LONGEST_RUN = 600.0  # seconds
STARTING = 30.0  # seconds for a profiler to start the bot
READING = 60.0  # seconds for perf to print what it has recorded
MOST_OUTPUT = 64 << 20  # bytes of what a profiler writes
MOST_CALLS = 16 << 20  # bytes of calls and their times: each is a larger object in memory
MOST_RECORDED = "256M"  # of perf's samples, with the stacks that it copies
TRIES = 3  # of py-spy
RATE, SELDOM = "997", "199"  # samples per second: no divisors of what programs do regularly
COPIED = 8192  # bytes of a stack that perf copies: compiled programs have no other way back to the caller
KEPT = 2000  # bytes of its standard error, the last ones
# Behind a profiler that stands outside: tells the number of the process that becomes the bot, or its sandbox. $1: the
# pipe. $2: the folder to start in.
START = 'echo $$ >"$1" && cd -- "$2" && shift 2 && exec "$@"'
LIMITS = frozenset({FaultKind.MEMORY, FaultKind.TASKS, FaultKind.DISK, FaultKind.FILES})


class Found(msgspec.Struct):
    """Where the time went: how much of it in each stack, the outermost function first; any unit.

    `is_rebuilt` says that the stacks were put together from calls, of which cProfile only knows who called whom.
    """

    tool: str
    stacks: dict[Stack, float]
    is_rebuilt: bool = False

    def functions(self, most: int) -> list[tuple[str, float, float]]:
        """Functions by the part of the time that they took themselves, and with what they called; at most `most`."""
        total = sum(self.stacks.values()) or 1.0
        own: Counter[str] = Counter()
        whole: Counter[str] = Counter()
        for stack, weight in self.stacks.items():
            own[stack[-1]] += weight  # type: ignore[assignment]
            for name in set(stack):
                whole[name] += weight  # type: ignore[assignment]
        ordered = sorted(whole, key=lambda name: (-own[name], -whole[name], name))
        return [(name, own[name] / total, whole[name] / total) for name in ordered[:most]]

    def folded(self) -> str:
        """The stacks in the text form that speedscope, inferno and flamegraph.pl read: `a;b;c 12` in each line."""
        total = sum(self.stacks.values()) or 1.0
        scale = 1.0 if total > 1000 else 1e6  # seconds become microseconds
        lines = (
            f"{';'.join(name.replace(';', ':') for name in stack)} {max(1, round(weight * scale))}"
            for stack, weight in self.stacks.items()
        )
        return "".join(f"{line}\n" for line in lines)


def check_tool(tool: str) -> None:
    """Raise `OperatorError` for a profiler that is unknown, or not on this machine."""
    if tool not in TOOLS:
        raise OperatorError("no-such-profiler", given=tool, known=", ".join(TOOLS))
    if tool != CPROFILE and shutil.which(tool) is None:
        raise OperatorError(MISSING[tool])


def run(tool: str, game: Game, replay: Replay, seat: int, bot: Bot, sandbox: Sandbox) -> Found:
    """Feed the bot what the seat was sent, under a profiler. Raises `OperatorError` if that does not work."""
    check_tool(tool)
    folder = Path(temporary.make("profile"))
    shown = folder / "shown"
    shown.mkdir()
    try:
        with Rerun(game, replay, seat, bot, sandbox) as again:
            launch = again.launch(sandbox)
            if launch.a_turn:
                raise OperatorError("profiler-one-turn")
            content = b"".join(recorded.inputs(game, replay, seat))
            if tool == CPROFILE:
                return _cprofile(launch, again.bot, sandbox, content, shown)
            return _from_outside(tool, launch, again.bot, sandbox, content, folder)
    finally:
        disk.remove(folder)


def _cprofile(launch: Launch, bot: Bot, sandbox: Sandbox, content: bytes, folder: Path) -> Found:
    """Calls and their times, of cProfile."""
    file = folder / "calls.json"
    words = python_words(launch.command, RUNNER, str(file), f"{LONGEST_RUN:g}", error="profiler-not-python")
    mounts = (Mount(OURS, OURS), Mount(str(folder), str(folder), writable=True))
    said = _run(CPROFILE, (), words, launch, bot, sandbox, content, mounts)
    if not file.is_file() or file.is_symlink():
        raise OperatorError("profiler-nothing", tool=CPROFILE, said=said)
    try:
        calls = msgspec.json.decode(read_bounded(file, MOST_CALLS), type=Calls)
    except msgspec.DecodeError as error:
        raise OperatorError("profiler-nothing", tool=CPROFILE, said=str(error)) from error
    return Found(CPROFILE, stacks_of(calls), is_rebuilt=True)


def _from_outside(tool: str, launch: Launch, bot: Bot, sandbox: Sandbox, content: bytes, folder: Path) -> Found:
    """Samples of stacks, by a profiler that stands outside of the sandbox."""
    program, file = os.path.abspath(str(shutil.which(tool))), folder / "samples"
    if tool == PY_SPY:
        options = ("--subprocesses", "--format", "raw", "--rate", RATE, "--output", str(file))
        before: tuple[str, ...] = (program, "record", *options, "--")
        for _ in range(TRIES):  # of a program that is done quickly it may miss everything
            said = _run(tool, before, launch.command, launch, bot, sandbox, content)
            if file.is_file() and file.stat().st_size:
                break
        text = read_bounded(file, MOST_OUTPUT) if file.is_file() else b""
        return Found(tool, folded(of_processes(_lines(text, tool, said))))
    # Without the cache, for which it would copy the programs that it saw into a home folder.
    options = ("--quiet", "--no-buildid", "--no-buildid-cache", "--max-size", MOST_RECORDED, "-F", SELDOM)
    before = (program, "record", *options, "--call-graph", f"dwarf,{COPIED}", "--output", str(file), "--")
    said = _run(tool, before, launch.command, launch, bot, sandbox, content)
    if not file.is_file():
        raise OperatorError("profiler-nothing", tool=tool, said=said)
    return Found(tool, sampled(_lines(_script(program, file, bot, sandbox, folder), tool, said)))


def _script(program: str, file: Path, bot: Bot, sandbox: Sandbox, folder: Path) -> bytes:
    """What `perf script` prints of these samples: at most `MOST_OUTPUT` bytes, in at most `READING` seconds.

    It reads the bot's programs and follows the paths in them. So it runs in a sandbox, which shows it the same files
    by the same paths as the bot saw them, and nothing of them to write to.
    """
    fields = ("--fields", "comm,pid,tid,time,event,ip,sym,dso")
    words = (program, "script", "--input", str(file), "--no-inline", *fields)
    seen = bot.sees(sandbox.own_files)
    mounts = (*(replace(mount, writable=False) for mount in seen.mounts), Mount(str(file), str(file)))
    boxed = BuildSandbox(sandbox).read(words, replace(seen, mounts=mounts, programs=(*seen.programs, program)))
    try:
        process = subprocess.Popen(
            words if boxed is None else boxed.command,
            cwd=folder if boxed is None else boxed.folder,
            env=_environment(folder) if boxed is None else boxed.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            if boxed is not None:
                boxed.started(process.pid)
            return _printed(process)
        finally:
            _end(process)
    except OSError as error:
        raise OperatorError("profiler-nothing", tool=PERF, said=error.strerror) from error
    finally:
        if boxed is not None:
            boxed.close()


def _printed(process: subprocess.Popen[bytes]) -> bytes:
    """What a process prints, up to a size and a time."""
    assert process.stdout is not None
    content, out, deadline = bytearray(), process.stdout.fileno(), monotonic() + READING
    while len(content) < MOST_OUTPUT and (left := deadline - monotonic()) > 0:
        if select.select([out], [], [], left)[0]:
            chunk = os.read(out, 1 << 16)
            if not chunk:
                break
            content += chunk
    return bytes(content[:MOST_OUTPUT])


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those in its group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _lines(content: bytes, tool: str, said: str) -> Iterator[str]:
    """The lines of what a profiler wrote, one after the other: there may be millions. Raises if there is nothing."""
    if not content.strip():
        raise OperatorError("profiler-nothing", tool=tool, said=said)
    return iter(io.TextIOWrapper(io.BytesIO(content), "utf-8", "replace"))


def _environment(folder: Path) -> dict[str, str]:
    """The environment of a profiler that stands outside: the operator's programs, and a home folder that is ours."""
    programs = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return {**programs, "HOME": str(folder), "TMPDIR": str(folder), "LC_ALL": "C.UTF-8"}


def _run(
    tool: str,
    before: Sequence[str],
    words: Sequence[str],
    launch: Launch,
    bot: Bot,
    sandbox: Sandbox,
    content: bytes,
    mounts: Sequence[Mount] = (),
) -> str:
    """Run the bot's words in its sandbox, with a profiler's words `before` all; the last line of standard error.

    Raises `OperatorError` if the bot went over a limit of its sandbox.
    """
    environment = dict(launch.environment or {})
    factory = factory_for(bot, environment, sandbox, mounts=mounts)
    boxed = None if factory is None else factory(words, launch.folder, environment)
    folder, pipe = Path(temporary.make("input")), -1
    try:
        file = folder / "in.txt"
        file.write_bytes(content)
        command, start = (list(words), launch.folder) if boxed is None else (list(boxed.command), boxed.folder)
        own: Mapping[str, str] = environment if boxed is None else boxed.environment or {}
        if before:
            pipe = _pipe(folder)
            command = _behind(before, folder, start, own, command)
            start, own = str(folder / "home"), _environment(folder / "home")
        with open(file, "rb") as given:
            process = subprocess.Popen(
                command,
                cwd=start,
                env=dict(own),
                stdin=given,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        said, has_started = _said(process, boxed, pipe)
        if boxed is not None and has_started:
            _check_limits(tool, boxed, process.returncode)
        return said
    except OSError as error:
        raise OperatorError("profiler-nothing", tool=tool, said=error.strerror) from error
    finally:
        if pipe >= 0:
            os.close(pipe)
        if boxed is not None:
            boxed.close()
        disk.remove(folder)


def _pipe(folder: Path) -> int:
    """The pipe by which the bot's process tells its number, and a home folder for the profiler."""
    (folder / "home").mkdir()
    os.mkfifo(folder / "number")
    return os.open(folder / "number", os.O_RDWR | os.O_NONBLOCK)  # with a writer, which we are, it has no end


def _behind(
    before: Sequence[str], folder: Path, start: str, environment: Mapping[str, str], command: Sequence[str]
) -> list[str]:
    """A command behind a profiler's words, with a folder to start in and an environment of its own."""
    values = [f"{name}={value}" for name, value in environment.items()]
    shell = ["/bin/sh", "-c", START, "sh", str(folder / "number"), start]
    return [*before, "/usr/bin/env", "-i", *values, *shell, *command]


def _check_limits(tool: str, boxed: SandboxedRun, status: int) -> None:
    """Raise if a limit of the sandbox was reached. A profiler that stands outside may end well in spite of that."""
    if status == 0 and tool == CPROFILE:
        return
    fault = Fault(FaultKind.EXITED, f"exit status {status}", status)
    if status <= 0:
        number = -status or signal.SIGKILL
        fault = Fault(FaultKind.KILLED, f"signal {signal.Signals(number).name}", number)
    try:
        found = boxed.verdict(fault)
    except SandboxError as error:
        raise OperatorError("profiler-nothing", tool=tool, said=str(error)) from error
    if found.kind in LIMITS:
        raise OperatorError("profiler-limit", tool=tool, said=found.detail)


def _number(process: subprocess.Popen[bytes], pipe: int) -> int | None:
    """The number of the process that a profiler has started, from a pipe; none if it has started none."""
    told, deadline = b"", monotonic() + STARTING
    while not told.endswith(b"\n") and monotonic() < deadline:
        has_ended = process.poll() is not None
        if select.select([pipe], [], [], 0.0 if has_ended else 0.05)[0]:
            told += os.read(pipe, 64)
        elif has_ended:
            return None
    return int(told) if told.endswith(b"\n") else None


def _said(process: subprocess.Popen[bytes], boxed: SandboxedRun | None, pipe: int) -> tuple[str, bool]:
    """Wait for the end of a process, and end it where it takes too long; the last line of its standard error.

    Of a profiler, the `pipe` tells which process is the bot's: it is watched, so that the sandbox's limits hold. The
    second value says whether the bot was started; a profiler that takes too long for that is ended.
    """
    tail = bytearray()

    def read() -> None:
        assert process.stderr is not None
        with suppress(OSError, ValueError):
            while chunk := os.read(process.stderr.fileno(), 1 << 16):
                tail.extend(chunk)
                del tail[:-KEPT]

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    started: int | None = None
    try:
        started = process.pid if pipe < 0 else _number(process, pipe)
        if started is not None and boxed is not None:
            boxed.started(started)
        for patience, number in () if started is None else ((LONGEST_RUN + 5, signal.SIGINT), (10.0, signal.SIGKILL)):
            with suppress(subprocess.TimeoutExpired):
                process.wait(patience)
                break
            process.send_signal(number)  # a profiler writes what it has at the first
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        reader.join(1.0)
        if process.stderr is not None and not reader.is_alive():
            process.stderr.close()
    lines = bytes(tail).decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "", started is not None
