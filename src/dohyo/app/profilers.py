"""A bot under the profiler of its language, on the input that a seat was sent in a recorded match.

No clock runs: the bot reads the recorded input as fast as it can, as in `app/debugger.py`, but in its sandbox.

    cprofile   runs in the sandbox: the bot's own Python runs `bots/runtime/profile_to_file.py`, which writes calls
               and their times into a folder that is shown to the bot for this
    py-spy     stands outside and looks into the sandbox; it samples stacks of Python
    perf       the same, of Linux, for programs that were compiled

What these write was made by a stranger's program, or from its names: it is read within bounds.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from dohyo.app.debugger import python_words
from dohyo.app.files import read_bounded
from dohyo.app.rerun import Rerun
from dohyo.app.sandboxing import factory_for
from dohyo.app.stacks import Calls, Stack, folded, of_processes, sampled, stacks_of
from dohyo.bots import Bot
from dohyo.bots.build_plan import OURS
from dohyo.core import recorded
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.core.sandbox import BUILT, HAND_IN, Mount
from dohyo.runner.launch import Launch
from dohyo.sandbox import Sandbox
from dohyo.system import disk, temporary

CPROFILE, PY_SPY, PERF = "cprofile", "py-spy", "perf"
TOOLS = (CPROFILE, PY_SPY, PERF)
MISSING = {PY_SPY: "no-py-spy", PERF: "no-perf"}
RUNNER = Path(OURS) / "profile_to_file.py"
LONGEST_RUN = 600.0  # seconds
MOST_OUTPUT = 64 << 20  # bytes of what a profiler writes
TRIES = 3  # of py-spy
RATE, SELDOM = "997", "199"  # samples per second: no divisors of what programs do regularly
COPIED = 8192  # bytes of a stack that perf copies: compiled programs have no other way back to the caller
KEPT = 2000  # bytes of its standard error, the last ones


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
    said = _run((), words, launch, bot, sandbox, content, mounts)
    if not file.is_file() or file.is_symlink():
        raise OperatorError("profiler-nothing", tool=CPROFILE, said=said)
    try:
        calls = msgspec.json.decode(read_bounded(file, MOST_OUTPUT), type=Calls)
    except msgspec.DecodeError as error:
        raise OperatorError("profiler-nothing", tool=CPROFILE, said=str(error)) from error
    return Found(CPROFILE, stacks_of(calls), is_rebuilt=True)


def _from_outside(tool: str, launch: Launch, bot: Bot, sandbox: Sandbox, content: bytes, folder: Path) -> Found:
    """Samples of stacks, by a profiler that stands outside of the sandbox."""
    program, file = str(shutil.which(tool)), folder / "samples"
    if tool == PY_SPY:
        options = ("--subprocesses", "--format", "raw", "--rate", RATE, "--output", str(file))
        before: tuple[str, ...] = (program, "record", *options, "--")
        for _ in range(TRIES):  # of a program that is done quickly it may miss everything
            said = _run(before, launch.command, launch, bot, sandbox, content)
            if file.is_file() and file.stat().st_size:
                break
        text = _text(file, tool, said)
        return Found(tool, folded(of_processes(text.splitlines())))
    before = (
        program,
        "record",
        "--quiet",
        "-F",
        SELDOM,
        "--call-graph",
        f"dwarf,{COPIED}",
        "--output",
        str(file),
        "--",
    )
    said = _run(before, launch.command, launch, bot, sandbox, content)
    if not file.is_file():
        raise OperatorError("profiler-nothing", tool=tool, said=said)
    fields = ["--fields", "comm,pid,tid,time,event,ip,sym,dso"]
    symbols = ["--symfs", str(_symbols(bot, folder))] if sandbox.own_files else []
    script = _told([program, "script", "--input", str(file), *fields, *symbols], LONGEST_RUN, MOST_OUTPUT)
    return Found(tool, sampled(_some(script.decode("utf-8", "replace"), tool, said).splitlines()))


def _told(words: Sequence[str], seconds: float, most: int) -> bytes:
    """What a command writes to its standard output, of which no more than `most` bytes are waited for.

    The command is ended then, or when `seconds` are over: samples before that are as good as all.
    """
    told = bytearray()
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        end = threading.Timer(seconds, _kill, [process])
        end.start()
        try:
            assert process.stdout is not None
            while len(told) < most and (more := process.stdout.read1(min(1 << 20, most - len(told)))):  # type: ignore[attr-defined]
                told += more
        finally:
            end.cancel()
            _kill(process)
    return bytes(told)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process that was not waited for yet, and those that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _symbols(bot: Bot, folder: Path) -> Path:
    """A folder in which files have the paths that they have in a sandbox: perf reads names of functions there."""
    root = folder / "root"
    root.mkdir()
    for name in os.listdir("/"):
        if f"/{name}" not in (BUILT, HAND_IN):
            (root / name).symlink_to(f"/{name}")
    for place, name in ((bot.built, BUILT), (bot.staged, HAND_IN)):
        if place:
            (root / name[1:]).symlink_to(place)
    return root


def _text(file: Path, tool: str, said: str) -> str:
    return _some(read_bounded(file, MOST_OUTPUT).decode("utf-8", "replace") if file.is_file() else "", tool, said)


def _some(text: str, tool: str, said: str) -> str:
    """The text, if there is any in it; otherwise `OperatorError`, with the tool's last words."""
    if not text.strip():
        raise OperatorError("profiler-nothing", tool=tool, said=said)
    return text


def _run(
    before: Sequence[str],
    words: Sequence[str],
    launch: Launch,
    bot: Bot,
    sandbox: Sandbox,
    content: bytes,
    mounts: Sequence[Mount] = (),
) -> str:
    """Run the bot's words in its sandbox, with a profiler's words `before` all; the last line of standard error."""
    environment = dict(launch.environment or {})
    factory = factory_for(bot, environment, sandbox, mounts=mounts)
    boxed = None if factory is None else factory(words, launch.folder, environment)
    folder = Path(temporary.make("input"))
    file = folder / "in.txt"
    file.write_bytes(content)
    try:
        with open(file, "rb") as given:
            process = subprocess.Popen(
                [*before, *(words if boxed is None else boxed.command)],
                cwd=launch.folder if boxed is None else boxed.folder,
                env=environment if boxed is None else dict(boxed.environment or {}),
                stdin=given,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        return _said(process)
    except OSError as error:
        tool = os.path.basename(before[0]) if before else CPROFILE
        raise OperatorError("profiler-nothing", tool=tool, said=error.strerror) from error
    finally:
        if boxed is not None:
            boxed.close()
        disk.remove(folder)


def _said(process: subprocess.Popen[bytes]) -> str:
    """Wait for the end of a process, and end it where it takes too long; the last line of its standard error."""
    tail = bytearray()

    def read() -> None:
        assert process.stderr is not None
        with suppress(OSError, ValueError):
            while chunk := os.read(process.stderr.fileno(), 1 << 16):
                tail.extend(chunk)
                del tail[:-KEPT]

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        for patience, number in ((LONGEST_RUN + 5, signal.SIGINT), (10.0, signal.SIGKILL)):
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
    return lines[-1] if lines else ""
