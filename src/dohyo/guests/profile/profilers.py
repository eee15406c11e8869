"""A bot under the profiler of its language, on the input that a seat was sent in a recorded match.

No clock runs: the bot reads the recorded input as fast as it can, as under a debugger, but in its sandbox. It
is given that input when it waits for it, and only what it does from then on counts: its start-up may take longer than
all of its turns. A bot that is done too soon to be sampled is run again and again.

    cprofile   runs in the sandbox: the bot's own Python runs `runtime/profile_to_file.py`, which writes calls
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
import shlex
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from dohyo.bench.python_runner import with_runner
from dohyo.bench.rerun import Rerun
from dohyo.bots import Bot
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.game import Game
from dohyo.core.replay import Move, Replay
from dohyo.core.sandbox import Mount, SandboxedRun, SandboxError
from dohyo.guests.profile.stacks import Calls, Stack, folded, of_processes, sampled, stacks_of
from dohyo.match.files import read_bounded
from dohyo.match.processes.launch import Launch
from dohyo.match.processes.poller import await_first_read
from dohyo.match.replays import recorded
from dohyo.match.sandboxing import BuildSandbox, factory_for
from dohyo.sandbox import Sandbox
from dohyo.system import disk, search_path, temporary

CPROFILE, PY_SPY, PERF = "cprofile", "py-spy", "perf"
TOOLS = (CPROFILE, PY_SPY, PERF)
MISSING = {PY_SPY: "no-py-spy", PERF: "no-perf"}
RUNNER = Path(__file__).parent / "runtime" / "profile_to_file.py"
LONGEST_RUN = 600.0  # seconds
STARTING = 30.0  # seconds for a profiler to start the bot
READING = 60.0  # seconds for perf to print what it has recorded
MAX_OUTPUT = 64 << 20  # bytes of what a profiler writes
MAX_CALLS = 16 << 20  # bytes of calls and their times: each is a larger object in memory
MAX_RECORDED = "256M"  # of perf's samples, with the stacks that it copies
# Samples per second, no divisors of what programs do regularly: of py-spy, and of perf by how long a bot computes.
RATE, RATES = "997", (199, 997, 4999, 9973)
WANTED, ENOUGH, FEW = 1000, 300, 30  # samples: of one run, after which no other is made, fewer than which say little
SEARCHING, MAX_RUNS = 10.0, 100  # seconds after which no other run begins; runs
SAMPLING = b"Sampling process"  # what py-spy prints when it begins
COPIED = 8192  # bytes of a stack that perf copies: compiled programs have no other way back to the caller
KEPT = 2000  # bytes of its standard error, the last ones
# Behind a profiler that stands outside: tells the number of the process that becomes the bot, or its sandbox. $1: the
# pipe. $2: the folder to start in.
START = 'echo $$ >"$1" && cd -- "$2" && shift 2 && exec "$@"'
# py-spy stands beside the bot: its parent may look at a process everywhere, and it begins when it is told a number
# through the pipe $1. What is started in the background has no input unless it is given one.
BESIDE = 'exec 3<&0; {bot} <&3 3<&- >/dev/null & exec 3<&-; read -r pid <"$1" && exec {profiler} --pid "$pid"'
LIMITS = frozenset({FaultKind.MEMORY, FaultKind.TASKS, FaultKind.DISK, FaultKind.FILES})


class Found(msgspec.Struct):
    """Where the time went: how much of it in each stack, the outermost function first; any unit.

    `is_rebuilt` says that the stacks were put together from calls, of which cProfile only knows who called whom.
    `startup` is how many seconds passed before the first input was read, and `is_whole` says that these are in the
    stacks, too, as nobody knows when that was. `samples` is how many were taken; none where nothing is sampled.
    """

    tool: str
    stacks: dict[Stack, float]
    is_rebuilt: bool = False
    startup: float | None = None
    is_whole: bool = False
    samples: int | None = None

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
    if tool != CPROFILE and search_path.which(tool) is None:
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
            content = b"".join(recorded.inputs(game, replay, seat, sent=again.sent()))
            if tool == CPROFILE:
                mounts = (Mount(str(RUNNER.parent), str(RUNNER.parent)), Mount(str(shown), str(shown), writable=True))
                return _cprofile(_Order(launch, again.bot, sandbox, content, mounts), shown)
            busy = sum(_computed(asked.move) for asked in recorded.asked(game, replay, seat))
            return _from_outside(tool, _Order(launch, again.bot, sandbox, content), busy, folder)
    finally:
        disk.remove(folder)


def _computed(move: Move) -> float:
    """The seconds that a turn computed: of its processor, or on its clock if that is not known."""
    return move.seconds or 0.0 if move.cpu is None else move.cpu


def _cprofile(order: _Order, folder: Path) -> Found:
    """Calls and their times, of cProfile."""
    file = folder / "calls.json"
    words = with_runner(order.launch.command, RUNNER, str(file), f"{LONGEST_RUN:g}", error="profiler-not-python")
    said = _run(CPROFILE, order, (), words).said
    if not file.is_file() or file.is_symlink():
        raise OperatorError("profiler-nothing", tool=CPROFILE, said=said)
    try:
        calls = msgspec.json.decode(read_bounded(file, MAX_CALLS), type=Calls)
    except msgspec.DecodeError as error:
        raise OperatorError("profiler-nothing", tool=CPROFILE, said=str(error)) from error
    return Found(CPROFILE, stacks_of(calls), True, calls.startup, is_whole=calls.startup is None)


def _from_outside(tool: str, order: _Order, busy: float, folder: Path) -> Found:
    """Samples of stacks, by a profiler that stands outside of the sandbox.

    The bot computes for about `busy` seconds. It is run again and again until there are samples enough.
    """
    program, file = str(search_path.which(tool)), folder / "samples"
    stacks: Counter[Stack] = Counter()
    end, ran, runs = monotonic() + SEARCHING, _Ran(), 0
    while runs == 0 or (sum(stacks.values()) < ENOUGH and runs < MAX_RUNS and monotonic() < end):
        runs += 1
        file.unlink(missing_ok=True)
        ran = _run(tool, order, _words(tool, program, busy, file))
        if not file.is_file():
            break
        if tool == PY_SPY:
            stacks.update(folded(of_processes(_lines(read_bounded(file, MAX_OUTPUT)))))
        else:
            content = _script(program, file, order.bot, order.sandbox, folder)
            stacks.update(sampled(_lines(content), ran.since))
    if stacks:
        samples = round(sum(stacks.values()))
        return Found(tool, dict(stacks), startup=ran.startup, is_whole=ran.startup is None, samples=samples)
    if file.is_file() or not ran.said:
        raise OperatorError("profiler-too-fast", tool=tool, runs=runs, seconds=f"{1000 * busy:.2g} ms")
    raise OperatorError("profiler-nothing", tool=tool, said=ran.said)


def _words(tool: str, program: str, busy: float, file: Path) -> tuple[str, ...]:
    """The profiler's own words."""
    if tool == PY_SPY:
        return (program, "record", "--subprocesses", "--format", "raw", "--rate", RATE, "--output", str(file))
    # Without the cache, for which it would copy the programs that it saw into a home folder. By our own clock, so
    # that the samples from before the first turn are known.
    options = ("--quiet", "--no-buildid", "--no-buildid-cache", "--max-size", MAX_RECORDED, "-k", "CLOCK_MONOTONIC")
    return (program, "record", *options, "-F", str(_rate(busy)), "--call-graph", f"dwarf,{COPIED}",
            "--output", str(file), "--")  # fmt: skip


def _rate(busy: float) -> int:
    """How many samples perf takes per second, so that there are `WANTED` of so many seconds."""
    with suppress(OSError, ValueError):
        most = int(Path("/proc/sys/kernel/perf_event_max_sample_rate").read_text())
        return min(most, next((rate for rate in RATES if busy * rate >= WANTED), RATES[-1]))
    return RATES[0]


def _script(program: str, file: Path, bot: Bot, sandbox: Sandbox, folder: Path) -> bytes:
    """What `perf script` prints of these samples: at most `MAX_OUTPUT` bytes, in at most `READING` seconds.

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
        raise OperatorError("profiler-nothing", tool=PERF, said=error) from error
    finally:
        if boxed is not None:
            boxed.close()


def _printed(process: subprocess.Popen[bytes]) -> bytes:
    """What a process prints, up to a size and a time."""
    assert process.stdout is not None
    content, out, deadline = bytearray(), process.stdout.fileno(), monotonic() + READING
    while len(content) < MAX_OUTPUT and (left := deadline - monotonic()) > 0:
        if select.select([out], [], [], left)[0]:
            chunk = os.read(out, 1 << 16)
            if not chunk:
                break
            content += chunk
    return bytes(content[:MAX_OUTPUT])


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those in its group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _lines(content: bytes) -> Iterator[str]:
    """The lines of what a profiler wrote, one after the other: there may be millions."""
    return iter(io.TextIOWrapper(io.BytesIO(content), "utf-8", "replace"))


def _environment(folder: Path) -> dict[str, str]:
    """The environment of a profiler that stands outside: the operator's programs, and a home folder that is ours."""
    known = search_path.environment()
    programs = {name: value for name, value in known.items() if name in ("PATH", "LD_LIBRARY_PATH")}
    return {**programs, "HOME": str(folder), "TMPDIR": str(folder), "LC_ALL": "C.UTF-8"}


class _Order(NamedTuple):
    """The bot that is to be run, with what it is to read; `mounts` are ours."""

    launch: Launch
    bot: Bot
    sandbox: Sandbox
    content: bytes
    mounts: Sequence[Mount] = ()


class _Ran(NamedTuple):
    """What is known of a run: the last line of standard error, when the first input was given, how long that took.

    `since` is a moment of `monotonic`; both are as here if nobody saw the first read.
    """

    said: str = ""
    since: float = 0.0
    startup: float | None = None


def _run(tool: str, order: _Order, before: Sequence[str], words: Sequence[str] = ()) -> _Ran:
    """Run the bot's words in its sandbox, or those that stand for them, with a profiler's words `before` all.

    Raises `OperatorError` if the bot went over a limit of its sandbox.
    """
    launch, bot, sandbox, content, mounts = order
    words = words or launch.command
    environment = dict(launch.environment or {})
    factory = factory_for(bot, environment, sandbox, mounts=mounts)
    boxed = None if factory is None else factory(words, launch.folder, environment)
    folder, pipe = Path(temporary.make("input")), -1
    try:
        command, start = (list(words), launch.folder) if boxed is None else (list(boxed.command), boxed.folder)
        own: Mapping[str, str] = environment if boxed is None else boxed.environment or {}
        if before:
            pipe = _pipe(folder)
            command = _behind(tool, before, folder, start, own, command)
            start, own = str(folder / "home"), _environment(folder / "home")
        process = subprocess.Popen(
            command,
            cwd=start,
            env=dict(own),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if tool == PY_SPY else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        ran, has_started = _Outside(process, boxed, pipe, folder, tool).feed(content)
        if boxed is not None and has_started:
            _check_limits(tool, boxed, process.returncode)
        return ran
    except OSError as error:
        raise OperatorError("profiler-nothing", tool=tool, said=error) from error
    finally:
        if pipe >= 0:
            os.close(pipe)
        if boxed is not None:
            boxed.close()
        disk.remove(folder)


def _pipe(folder: Path) -> int:
    """The pipe by which the bot's process tells its number, one by which py-spy is told, and a profiler's home."""
    (folder / "home").mkdir()
    os.mkfifo(folder / "number")
    os.mkfifo(folder / "begin")
    return os.open(folder / "number", os.O_RDWR | os.O_NONBLOCK)  # with a writer, which we are, it has no end


def _behind(
    tool: str,
    before: Sequence[str],
    folder: Path,
    start: str,
    environment: Mapping[str, str],
    command: Sequence[str],
) -> list[str]:
    """A command behind a profiler's words, or beside them, with a folder and an environment of its own."""
    values = [f"{name}={value}" for name, value in environment.items()]
    shell = ["/bin/sh", "-c", START, "sh", str(folder / "number"), start]
    of_bot = ["/usr/bin/env", "-i", *values, *shell, *command]
    if tool != PY_SPY:
        return [*before, *of_bot]
    beside = BESIDE.format(bot=shlex.join(of_bot), profiler=shlex.join(before))
    return ["/bin/sh", "-c", beside, "sh", str(folder / "begin")]


def _check_limits(tool: str, boxed: SandboxedRun, status: int) -> None:
    """Raise if a limit of the sandbox was reached. A profiler that stands outside may end well in spite of that."""
    if status == 0 and tool == CPROFILE:
        return
    fault = Fault(FaultKind.EXITED, FaultCode.EXIT, status=status)
    if status <= 0:
        number = -status or signal.SIGKILL
        fault = Fault(FaultKind.KILLED, FaultCode.SIGNAL, status=number)
    try:
        found = boxed.verdict(fault)
    except SandboxError as error:
        raise OperatorError("profiler-nothing", tool=tool, said=str(error)) from error
    if found.kind in LIMITS:
        raise OperatorError("profiler-limit", tool=tool, said=found.told)


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


class _Outside:
    """A run of the bot, with a profiler or without: fed, awaited, and ended where it takes too long."""

    def __init__(
        self, process: subprocess.Popen[bytes], boxed: SandboxedRun | None, pipe: int, folder: Path, tool: str
    ) -> None:
        """Of a profiler, the `pipe` tells which process is the bot's: it is watched, so that its limits hold."""
        self._process, self._boxed, self._pipe, self._folder, self._tool = process, boxed, pipe, folder, tool
        self._tail = bytearray()
        self._samples = threading.Event()
        self._threads: list[threading.Thread] = []

    def feed(self, content: bytes) -> tuple[_Ran, bool]:
        """Give the bot its input once it waits for that, and wait for the end; also whether the bot was started.

        A profiler that takes too long for the start is ended.
        """
        process = self._process
        self._begin(self._read_errors)
        if self._tool == PY_SPY:
            self._begin(self._read_output)
        started: int | None = None
        since, startup = 0.0, None
        try:
            started = process.pid if self._pipe < 0 else _number(process, self._pipe)
            if started is not None:
                if self._boxed is not None:
                    self._boxed.started(started)
                if self._pipe >= 0:
                    begun, is_seen = monotonic(), await_first_read(started, STARTING)
                    self._let_sample(started)
                    since, startup = (monotonic(), monotonic() - begun) if is_seen else (0.0, None)
                self._begin(self._write, content)
                self._await_end()
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            self._close()
        lines = bytes(self._tail).decode("utf-8", "replace").strip().splitlines()
        return _Ran(lines[-1] if lines else "", since, startup), started is not None

    def _let_sample(self, number: int) -> None:
        """Let py-spy begin, which then looks at this process, and wait until it does."""
        if self._tool != PY_SPY:
            return
        pipe, end = os.open(self._folder / "begin", os.O_RDWR | os.O_NONBLOCK), monotonic() + STARTING
        try:
            os.write(pipe, f"{number}\n".encode())
            while not self._samples.wait(0.02) and self._process.poll() is None and monotonic() < end:
                pass
        finally:
            os.close(pipe)

    def _await_end(self) -> None:
        for patience, number in ((LONGEST_RUN + 5, signal.SIGINT), (10.0, signal.SIGKILL)):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
                return
            self._process.send_signal(number)  # a profiler writes what it has at the first

    def _begin(self, work: Callable[..., None], *words: object) -> None:
        self._threads.append(threading.Thread(target=work, args=words, daemon=True))
        self._threads[-1].start()

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with suppress(OSError, ValueError):
            while chunk := os.read(self._process.stderr.fileno(), 1 << 16):
                self._tail.extend(chunk)
                del self._tail[:-KEPT]

    def _read_output(self) -> None:
        assert self._process.stdout is not None
        with suppress(OSError, ValueError):
            while chunk := os.read(self._process.stdout.fileno(), 1 << 16):
                if SAMPLING in chunk:
                    self._samples.set()

    def _write(self, content: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.write(content)
            self._process.stdin.close()

    def _close(self) -> None:
        for thread in self._threads:
            thread.join(1.0)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None and not any(thread.is_alive() for thread in self._threads):
                with suppress(OSError):
                    pipe.close()
