"""Which sandboxes work on this machine, found by trying them, and the choice of one.

The layers, strongest first: 1 bubblewrap with a control group; 2 bubblewrap with resource limits and the monitor;
3 Landlock with resource limits and the monitor; 4 none.
"""

from __future__ import annotations

import fcntl
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache

from msgspec.structs import replace

from dohyo.core.errors import MachineError, OperatorError
from dohyo.core.sandbox import Limits, Mount, SandboxedRun, SandboxFactory, Shown
from dohyo.languages import with_memory
from dohyo.sandbox import bubblewrap, cgroups, seccomp
from dohyo.sandbox.cgroups import Groups
from dohyo.sandbox.environment import TEMPORARY, View, kept, view
from dohyo.sandbox.run import BoxedRun

MODES = ("auto", "require", "none")
BUBBLEWRAP_CGROUP, BUBBLEWRAP_RLIMITS, LANDLOCK, NO_SANDBOX = 1, 2, 3, 4  # the layers' numbers, strongest first
WEAKEST_REQUIRED = BUBBLEWRAP_RLIMITS
PROBE_SECONDS = 10.0  # of the processor
NOTHING = ("/bin/sh", "-c", ":")  # does nothing, whatever words follow
NONE = "none"
AT_LEAST = "auto-"  # and a layer's number: `auto`, but nothing weaker
MAX_TRIES = 3  # of a layer, where something from outside may have ended the program that tries it


class Sandbox:
    """A way to start programs so that they cannot do harm. `name` goes into a replay's header."""

    def __init__(self, layer: int, name: str, groups: Groups | None = None, bubblewrap: str = "") -> None:
        self.layer = layer
        self.name = name
        self._groups = groups
        self._bubblewrap = bubblewrap

    def __repr__(self) -> str:
        return f"Sandbox({self.layer}, {self.name!r})"

    @property
    def own_files(self) -> bool:
        """Whether programs in it have their own file system, with neutral paths for their files."""
        return self.layer < LANDLOCK

    @property
    def is_none(self) -> bool:
        """Whether programs run without a sandbox."""
        return self.layer == NO_SANDBOX

    def factory(
        self,
        shown: Shown,
        environment: Mapping[str, str],
        limits: Limits = Limits(),  # noqa: B008  # a frozen value
        *,
        bound: bool = True,
    ) -> SandboxFactory | None:
        """The function that makes sandboxed runs for a program that sees what is `shown`; None without a
        sandbox.

        `environment` is the operator's, and says where languages are installed; `bound` keeps the program in its
        process group and on its cores.
        """
        if self.is_none:
            return None
        seen = view(shown, environment)
        rules = _filter(self._groups is not None, self.own_files, bound)

        def build(words: Sequence[str], start: str, outside: Mapping[str, str] | None) -> BoxedRun:
            return self._prepare(words, os.environ if outside is None else outside, seen, limits, rules)

        return build

    def _prepare(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        seen: View,
        limits: Limits,
        rules: bytes,
    ) -> BoxedRun:
        files, before = [in_memory("entered"), in_memory("filter", rules)], seen
        group, tmp = None, ""
        try:
            if not self._bubblewrap:
                from dohyo.system import temporary

                tmp = temporary.make("tmp")
                seen = replace(seen, mounts=(*seen.mounts, Mount(tmp, tmp, writable=True)))
            group = None if self._groups is None else self._groups.make(limits)
            form = {
                "entered": path_of(files[0]),
                "filter_file": path_of(files[1]),
                "doors": [] if group is None else group.doors,
                "grouped": group is not None,
            }
            own = with_memory(words, limits.memory)
            if self._bubblewrap:
                line = bubblewrap.command(self._bubblewrap, seen, limits, own, **form)  # type: ignore[arg-type]
            else:
                from dohyo.sandbox import landlock

                line = landlock.command(seen, limits, own, **form)  # type: ignore[arg-type]
        except BaseException as problem:
            for file in files:
                os.close(file)
            if group is not None:
                group.remove()
            if tmp:
                os.rmdir(tmp)
            if isinstance(problem, OSError):  # not the program's fault: it has not been started
                raise MachineError("no-room-for-programs", reason=problem) from problem
            raise
        outside = kept(environment, tmp or TEMPORARY, before.variables)
        only_read = [mount for mount in seen.mounts if not mount.writable]
        more = {"files": files, "group": group, "writable": seen.writable, "shown": only_read, "tmp": tmp}

        def try_with(own_words: bool) -> bool:
            words = (*NOTHING, *(own if own_words else ()))
            return _is_entered(lambda: self._prepare(words, environment, before, limits, rules))

        return BoxedRun(line, outside, "/", limits, try_with=try_with, **more)  # type: ignore[arg-type]


def _is_entered(make: Callable[[], BoxedRun]) -> bool:
    """Whether a sandbox can be made, and the program in it is started."""
    with suppress(OperatorError, OSError, subprocess.TimeoutExpired):
        run = make()
        try:
            _run(run)
            return run.was_entered()
        finally:
            run.close()
    return False


def _run(run: SandboxedRun) -> subprocess.CompletedProcess[bytes]:
    """Run a program in a sandbox to its end. Raises `OSError` and `TimeoutExpired` as `allowance.run` does."""
    from dohyo.system import allowance

    return allowance.run(
        run.command,
        PROBE_SECONDS,
        cwd=run.folder,
        env=dict(run.environment or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@cache
def _filter(counted: bool, sockets: bool, bound: bool) -> bytes:
    return seccomp.assemble(platform.machine(), counted=counted, sockets=sockets, bound=bound)


def in_memory(name: str, content: bytes = b"") -> int:
    """The descriptor of a file that is only in memory; other processes of ours open it by its `path_of`.

    What is written stays, whoever opens it.
    """
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.write(descriptor, content)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
    return descriptor


def path_of(descriptor: int) -> str:
    """A path by which other processes of ours can open the file."""
    return f"/proc/{os.getpid()}/fd/{descriptor}"


def choose(mode: str = "auto") -> Sandbox:
    """The strongest sandbox that works here (`auto`), the same or an `OperatorError` (`require`), or none.

    `require` refuses what is weaker than `WEAKEST_REQUIRED`. What `as_chosen` has written is `auto`, and refuses what
    is weaker than the choice that it was written for.
    """
    if isinstance(mode, str) and (weakest := _weakest(mode)) is not None:  # Python may give anything
        return _at_least(weakest)
    if mode not in MODES:
        raise MachineError("unknown-sandbox", mode=mode, known=", ".join(MODES))
    if mode == "none":
        return Sandbox(NO_SANDBOX, NONE)
    sandbox = strongest()
    if mode == "require" and sandbox.layer > WEAKEST_REQUIRED:
        raise MachineError("no-sandbox")
    return sandbox


def as_chosen(mode: str, *, is_far: bool = False) -> str:
    """The word by which another process of ours chooses no weaker sandbox than this one does.

    Each process tries for itself what works, beside bots that run already, and of these one may be able to make the
    trial fail. The operator was told of this process's choice alone. Another machine (`is_far`) may have other
    layers; it takes none at all only where this one does.
    """
    given = _weakest(mode)
    if mode != "auto" and given is None:
        return mode
    layer = strongest().layer
    if is_far:
        layer = max(layer, LANDLOCK)
    return f"{AT_LEAST}{layer if given is None else min(layer, given)}"


def as_asked(mode: str) -> str:
    """The operator's word behind a word of `as_chosen`, for what is kept."""
    return mode if _weakest(mode) is None else "auto"


def _weakest(mode: str) -> int | None:
    """The layer in a word of `as_chosen`; none in any other word."""
    before, _, number = mode.partition(AT_LEAST)
    return int(number) if not before and number in tuple("01234") else None


def _at_least(weakest: int) -> Sandbox:
    """The strongest sandbox that works here. Raises `MachineError` where it is weaker than this layer."""
    for _ in range(MAX_TRIES):
        sandbox = strongest()
        if sandbox.layer <= weakest:
            return sandbox
        forget()  # what made a trial fail may be over
    raise MachineError("sandbox-weaker", layer=sandbox.layer, wanted=weakest)


@cache
def strongest() -> Sandbox:
    """The strongest sandbox that works here; tried once and remembered."""
    return next(sandbox for sandbox in candidates() if sandbox.is_none or not probe(sandbox))


def at_layer(number: int) -> Sandbox | None:
    """The sandbox of this layer, where it works here; for tests and benchmarks."""
    return next(
        (sandbox for sandbox in candidates() if sandbox.layer == number and (sandbox.is_none or not probe(sandbox))),
        None,
    )


def candidates() -> Iterator[Sandbox]:
    """What may work here, strongest first. The weaker ones are made, and their module imported, when asked for."""
    yield from _with_bubblewrap()
    yield from _without_bubblewrap()


@cache
def _with_bubblewrap() -> list[Sandbox]:
    """Layers 1 and 2, as far as they may work here."""
    if not _can_filter():
        return []
    groups, programs = _groups(), bubblewrap.programs()
    sandboxes: list[Sandbox] = []
    if groups is not None:
        name = f"bubblewrap+seccomp+cgroup-v{groups.version}"
        sandboxes += [Sandbox(BUBBLEWRAP_CGROUP, name, groups, program) for program in programs]
    return sandboxes + [
        Sandbox(BUBBLEWRAP_RLIMITS, "bubblewrap+seccomp+rlimits", None, program) for program in programs
    ]


@cache
def _without_bubblewrap() -> list[Sandbox]:
    """Layer 3, if it may work here, and layer 4."""
    from dohyo.sandbox import landlock

    sandboxes: list[Sandbox] = []
    if _can_filter() and landlock.version() > 0:
        groups = _groups()
        limits = "rlimits" if groups is None else f"cgroup-v{groups.version}"
        sandboxes.append(Sandbox(LANDLOCK, f"landlock+seccomp+{limits}", groups))
    return [*sandboxes, Sandbox(NO_SANDBOX, NONE)]


@cache
def _groups() -> Groups | None:
    return cgroups.find()


def _can_filter() -> bool:
    return sys.platform == "linux" and seccomp.supports(platform.machine())


_PROBED: dict[Sandbox, str] = {}


def probe(sandbox: Sandbox) -> str:
    """Try a sandbox; returns why it fails, empty if it works. Remembered.

    Where the program that tries it cannot be started, or is ended by a signal, that says little: it is tried again.
    """
    if sandbox not in _PROBED:
        for _ in range(MAX_TRIES):
            why, is_sure = _try(sandbox)
            if is_sure:
                break
        _PROBED[sandbox] = why
    return _PROBED[sandbox]


def forget() -> None:
    """Forget what was tried: the machine has been changed."""
    _PROBED.clear()
    for known in (strongest, _with_bubblewrap, _without_bubblewrap, _groups):
        known.cache_clear()


def _try(sandbox: Sandbox) -> tuple[str, bool]:
    """Why a sandbox fails, empty if it works; and whether that is sure to be the sandbox's doing."""
    # An output that only a program inside a complete sandbox can produce.
    words = ("/bin/sh", "-c", "echo inside")
    try:
        build = sandbox.factory(Shown("/usr"), os.environ)
        assert build is not None
        run = build(words, "/usr", None)
    except (OSError, OperatorError) as error:
        why = error.strerror or str(error) if isinstance(error, OSError) else str(error.message.values["reason"])
        return why, False
    try:
        done = _run(run)
    except subprocess.TimeoutExpired:
        return f"no answer within {PROBE_SECONDS:g} s", True
    except OSError as error:
        return error.strerror or str(error), False
    finally:
        run.close()
    if done.returncode == 0 and done.stdout == b"inside\n":
        return "", True
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    # Bubblewrap ends with 128 and the number of the signal that ended the program in it.
    return said[-1] if said else f"exit status {done.returncode}", 0 < done.returncode < 128
