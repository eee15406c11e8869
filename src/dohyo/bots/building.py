"""Runs the steps of a build: within an allowance of time, in a process group that can be stopped, with a bounded log.

Compilers are programs that read what strangers wrote; this is the one place that starts them.
"""

from __future__ import annotations

import os
import re
import signal
import stat
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from dohyo.bots import builds
from dohyo.bots.bot import BUILD, fill
from dohyo.bots.build_plan import ALLOWED, BUILD_MODE, BuildPlan, Recognised
from dohyo.bots.cache import Built, made_by
from dohyo.bots.content import listed, printable
from dohyo.core import build_notes, notices
from dohyo.core.errors import BuildError, MachineError
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.sandbox import BUILT, HAND_IN, Mount, SandboxedRun, SandboxError, Shown
from dohyo.i18n import ENGLISH
from dohyo.languages import Words, all_languages, find
from dohyo.system import disk, used_again
from dohyo.system.allowance import Allowance, is_at_work, used_by
from dohyo.system.proc import end_users, pipe_of

if TYPE_CHECKING:
    import subprocess

LOG_HEAD = 48 * 1024  # bytes stored of the beginning of a step's output, which has the first error
LOG_GAP = 64  # bytes for the line that says how much is missing between the two
LOG_TAIL = 16 * 1024 - LOG_GAP  # bytes stored of the end of the output
TICK = 0.2  # seconds between two looks at the allowance and at `stop`
SOON = 0.02  # the same when the output has ended: so has the command, as a rule
SILENT = 3.0  # seconds of a build after which whoever waits is told what for


class StoppedError(Exception):
    """The build was cancelled."""


class BuildSandbox(Protocol):
    """Makes the sandboxed runs in which hand-ins are read and built; None if that runs with our own rights."""

    @property
    def own_files(self) -> bool:
        """Whether programs there have their own file system, with neutral paths."""

    def read(self, words: Sequence[str], shown: Shown) -> SandboxedRun | None:
        """The sandboxed run for reading hand-ins by this command."""

    def build(self, words: Sequence[str], environment: Mapping[str, str], shown: Shown) -> SandboxedRun | None:
        """The sandboxed run for one command of a build."""


def run_steps(
    order: Recognised, folder: Path, seconds: float, stop: threading.Event, build_sandbox: BuildSandbox | None = None
) -> str:
    """Run the steps of a build plan in `folder`, within `seconds` of processor time for all of them, and a wall limit
    behind (`system/allowance.py`); return what they printed.

    Raises `BuildError` with that log when a step fails or time is up, `StoppedError` when `stop` is set. In any case,
    no process is left running. `build_sandbox` makes the sandboxed run for each command.
    """
    plan, places = order.plan, _Places(order, folder, build_sandbox)
    temporary = folder.with_name(f"{folder.name}-tmp")
    temporary.mkdir()
    allowance = Allowance(seconds, clock=time.monotonic)
    log = ""
    try:
        for step in plan.steps:
            said, done = "", False
            for way in step.ways:
                words = fill(way, places.staged, places.built)
                environment = _environment(temporary, seconds, plan.debug)
                sandboxed = None if build_sandbox is None else build_sandbox.build(words, environment, places.shown)
                try:
                    text, status = _run(words, folder, environment, allowance, stop, sandboxed)
                finally:
                    if sandboxed is not None:
                        sandboxed.close()
                text = text.replace(f"{places.built}/", "").replace(f"{places.staged or places.built}/", "")
                done = status == 0
                said = text if done or not said else said  # if all ways fail, the first one's output
                if done or status is None:
                    break
            log = _cut(log + said)
            if not done and step.may_fail:
                log += f"\n{build_notes.line(build_notes.NOT_COMPILED)}\n"
                continue
            if status is None:
                raise _too_slow(plan, log, allowance)
            if not done:
                if step.line:
                    raise BuildError("bot-line-failed", log, bot=plan.spec, line=printable(step.line))
                raise _refused(plan, log, order.alone)
        _tidy(plan, folder, log)
        _check_made(plan, folder, log)
    finally:
        disk.remove(temporary)
    return log


def _refused(plan: BuildPlan, log: str, alone: bool) -> BuildError:
    """The error for a build that its compiler refuses: with the names of modules, where these are not there."""
    language = find(plan.language)
    found = re.findall(language.lacks, log) if language is not None and language.lacks else []
    if found and not alone:
        return BuildError("bot-build-lacks", log, bot=plan.spec, modules=listed(dict.fromkeys(found)))
    return BuildError("bot-build-failed-alone" if alone else "bot-build-failed", log, bot=plan.spec)


def _too_slow(plan: BuildPlan, log: str, allowance: Allowance) -> BuildError:
    """The error for a build whose processor time, or the wall time behind that, was over."""
    if allowance.is_over_by_wall:
        wall, used = f"{allowance.passed():.0f}", f"{allowance.used:.1f}"
        return BuildError("bot-build-stands", log, bot=plan.spec, seconds=wall, used=used, variable=ALLOWED)
    return BuildError("bot-build-timeout", log, bot=plan.spec, seconds=f"{allowance.seconds:g}", variable=ALLOWED)


class _Places:
    """The paths of the folders for a build's commands, and what these commands see."""

    def __init__(self, order: Recognised, folder: Path, build_sandbox: BuildSandbox | None) -> None:
        own_files = build_sandbox is not None and build_sandbox.own_files
        self.staged, self.built = (HAND_IN, BUILT) if own_files else (order.staged, str(folder))
        mounts = [Mount(str(folder), self.built, writable=True)]
        if order.staged:
            mounts.append(Mount(order.staged, self.staged))
        self.shown = Shown(self.built, tuple(mounts), order.programs)


def _tidy(plan: BuildPlan, folder: Path, log: str) -> None:
    """Make the result of the steps usable; raise if it cannot be copied (for a match, for example)."""
    try:
        used_again.tidy(folder)
    except used_again.UnfitError as error:
        raise builds.unfit(plan.spec, error, log) from error
    except OSError as error:
        if disk.is_of_machine(error):
            raise
        odd = used_again.UnfitError(os.fsdecode(error.filename or "."), "odd")
        raise builds.unfit(plan.spec, odd, log) from error


def _check_made(plan: BuildPlan, folder: Path, log: str) -> None:
    """Raise if the build succeeded, but the program to start is not there or cannot be started."""
    for made in made_by(plan.command, folder):
        if not os.path.exists(made):
            name = printable(os.path.relpath(made, folder))
            raise BuildError("bot-build-made-nothing", log, bot=plan.spec, program=name)
    first = plan.command[0].replace(BUILD, str(folder))
    if os.path.isfile(first) and not os.access(first, os.X_OK):
        name = printable(os.path.relpath(first, folder))
        if os.stat(first).st_mode & stat.S_IXUSR:
            raise MachineError("bot-cache-noexec", folder=printable(str(folder.parent)))
        raise BuildError("bot-run-not-executable", log, bot=plan.spec, program=name)


def _environment(temporary: Path, seconds: float, debug: bool) -> Mapping[str, str]:
    """A compiler's environment: ours, a temporary folder that is removed afterwards, what any language wants.

    It says whether this is a debug build, for the author's own commands.
    """
    ours = {
        "TMPDIR": str(temporary),
        ALLOWED: f"{seconds:g}",
        **({BUILD_MODE: "debug"} if debug else {}),
        **dict(pair for row in all_languages() for pair in row.build_settings),
    }
    return {"HOME": str(temporary), **os.environ, **ours}


def _started(
    words: Words, folder: Path, environment: Mapping[str, str], sandboxed: SandboxedRun | None
) -> subprocess.Popen[bytes]:
    """Start one command, in a session of its own; both of its outputs are one pipe. Raises `OSError`."""
    import subprocess

    return subprocess.Popen(
        words if sandboxed is None else sandboxed.command,
        cwd=folder if sandboxed is None else sandboxed.folder,
        env=environment if sandboxed is None else sandboxed.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _run(
    words: Words,
    folder: Path,
    environment: Mapping[str, str],
    allowance: Allowance,
    stop: threading.Event,
    sandboxed: SandboxedRun | None = None,
) -> tuple[str, int | None]:
    """Run one command to its end; return what it printed and its exit status, None when time was up."""
    try:
        process = _started(words, folder, environment, sandboxed)
    except OSError as error:
        return f"{printable(words[0])}: {error.strerror}\n", 127
    assert process.stdout is not None
    log, meter, pipe = _Log(process.stdout), _Meter(process, allowance, sandboxed), pipe_of(process.stdout.fileno())
    reader = threading.Thread(target=log.read, daemon=True)
    try:
        if sandboxed is not None:
            sandboxed.started(process.pid)
        reader.start()
        # The end of the output is the usual sign of the end; a server left in the background keeps it open.
        while reader.is_alive() and meter.goes_on() and not stop.is_set():
            reader.join(TICK)
        while meter.goes_on() and not stop.is_set():
            stop.wait(SOON)
        status = process.poll()
    finally:
        allowance.used += meter.used
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if reader.ident is None:  # the thread was not started; otherwise it closes the pipe, whenever that ends
            process.stdout.close()
        else:
            reader.join(TICK)
            if reader.is_alive() and sandboxed is not None:
                end_users({pipe})  # in layer 3 one can leave the group; who keeps a pipe locked keeps us for good
                reader.join(TICK)
    if status is None and stop.is_set():
        raise StoppedError
    return log.text() + _ran_out(sandboxed, status), status


class _Meter:
    """What one command of a build has used of the allowance. `used` is in processor seconds, as seen last."""

    def __init__(
        self, process: subprocess.Popen[bytes], allowance: Allowance, sandboxed: SandboxedRun | None
    ) -> None:
        self.used = 0.0
        self._process, self._allowance, self._sandboxed = process, allowance, sandboxed

    def goes_on(self) -> bool:
        """Whether the command still runs, and has time."""
        running = used_by(self._process.pid)  # first: what has ended and is collected tells no more
        self._allowance.note(is_at_work(self._process.pid))
        if self._process.poll() is None and running is not None and self._sandboxed is not None:
            running = max(running, self._sandboxed.processor_seconds() or 0.0)
        if running is not None:
            running = self.used = max(self.used, running)
        return self._process.returncode is None and not self._allowance.is_over(running)


def _ran_out(sandboxed: SandboxedRun | None, status: int | None) -> str:
    """A line for the log, if a command failed because it reached a limit of its sandbox, or was never started.

    The latter is a failed build of one bot, whose log says why; it does not stop the other bots.
    """
    if sandboxed is None or not status:
        return ""
    fault = Fault(FaultKind.EXITED, FaultCode.EXIT, status=status)
    try:
        found = sandboxed.verdict(fault)
    except SandboxError as error:
        return f"[dohyo] {error}\n"
    if found == fault or found.kind is FaultKind.KILLED:
        return ""
    return f"[dohyo] {found.kind.value}: {ENGLISH.say(found.told)}\n"


class _Log:
    """What a process prints: its beginning and its end, however much it is."""

    def __init__(self, pipe: IO[bytes]) -> None:
        """`pipe` is closed when it was read to its end."""
        self._pipe = pipe
        self._head = bytearray()
        self._tail = bytearray()
        self._left_out = 0

    def read(self) -> None:
        """Read until the end of the output, and close it."""
        with self._pipe, suppress(OSError):
            while chunk := os.read(self._pipe.fileno(), 1 << 16):
                room = LOG_HEAD - len(self._head)
                self._head += chunk[:room]
                self._tail += chunk[room:] if room < len(chunk) else b""
                over = len(self._tail) - LOG_TAIL
                if over > 0:
                    self._left_out += over
                    del self._tail[:over]

    def text(self) -> str:
        """The log as text, with a line for what was left out."""
        gap = f"\n[... {self._left_out} bytes ...]\n".encode() if self._left_out else b""
        return bytes(self._head + gap + self._tail).decode("utf-8", "replace")


def _cut(log: str) -> str:
    """A log of several steps, shortened like that of one step."""
    content = log.encode()
    if len(content) <= LOG_HEAD + LOG_GAP + LOG_TAIL:
        return log
    gap = f"\n[... {len(content) - LOG_HEAD - LOG_TAIL} bytes ...]\n"
    return content[:LOG_HEAD].decode("utf-8", "replace") + gap + content[-LOG_TAIL:].decode("utf-8", "replace")


_failed: ContextVar[dict[str, BuildError] | None] = ContextVar("_failed", default=None)


@contextmanager
def failing_once() -> Iterator[None]:
    """While this lasts, what did not build is not built again: its error is raised anew, for whoever asks for it.

    Otherwise a build that uses up its wall limit would use it up each time.
    """
    token = _failed.set({})
    try:
        yield
    finally:
        _failed.reset(token)


def build_side_by_side(
    orders: Mapping[str, Recognised], where: Path, seconds: float, build_sandbox: BuildSandbox | None
) -> dict[str, Built]:
    """Build all, at most as many at once as there are cores; all end before an error is raised."""
    from concurrent.futures import ThreadPoolExecutor, wait

    stop, failed = threading.Event(), _failed.get()

    def one(key: str, order: Recognised) -> Built:
        if failed is not None and (error := failed.get(key)) is not None:
            raise BuildError(error.key, error.log, **{**error.message.values, "bot": order.plan.spec})
        try:
            return builds.build(where, order.plan, key, partial(run, order), pause)
        except BuildError as error:
            if failed is not None:
                failed[key] = error
            raise

    def run(order: Recognised, folder: Path) -> str:
        return run_steps(order, folder, seconds, stop, build_sandbox)

    def pause(length: float) -> None:
        if stop.wait(length):
            raise StoppedError

    pool = ThreadPoolExecutor(cores())
    try:
        # An interrupt may come at any moment from here on: also while the last build is still being handed over.
        futures = {key: pool.submit(one, key, order) for key, order in orders.items()}
        begun, is_told = time.monotonic(), False
        # A signal that comes just before a wait begins is only seen after it: no wait here is a long one.
        while wait(futures.values(), TICK).not_done:
            if not is_told and time.monotonic() - begun >= SILENT:
                is_told = True
                names = (orders[key].plan.name for key, future in futures.items() if not future.done())
                notices.tell("building-of", of=listed(dict.fromkeys(names)))
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
    return {key: future.result() for key, future in futures.items()}


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
