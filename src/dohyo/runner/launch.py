"""How a player's program is described and started, as it is or in the sandbox that was made for it."""

from __future__ import annotations

import errno
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

import msgspec

from dohyo.core.sandbox import SandboxedRun, SandboxFactory
from dohyo.runner import system

# What the machine refuses: nothing that a bot could be blamed for.
NO_ROOM = frozenset({errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM})
BUSY_TRIES = 50
BUSY_PAUSE = 0.02  # seconds


class Launch(msgspec.Struct, frozen=True):
    """How to start one seat's program: argv, working folder, environment (the referee's own when none).

    With `a_turn` it is started anew for every turn, with the prompt as last argument; `log` is then the file in its
    folder to which its standard error is added (none when empty). `sandbox_factory` makes what it runs in, anew for
    each start (`dohyo.core.sandbox`); without it, the program runs with our own rights. `program` is where the
    command's first word lies on this machine; empty where it names that itself.
    """

    command: tuple[str, ...]
    folder: str
    environment: Mapping[str, str] | None = None
    a_turn: bool = False
    log: str = ""
    sandbox_factory: SandboxFactory | None = None
    program: str = ""


def start(command: Sequence[str], folder: str, environment: Mapping[str, str] | None) -> subprocess.Popen[bytes]:
    """Start a process with pipes, and in a session of its own. Raises `OSError` when it cannot be started.

    It has no terminal: who shares the operator's session, or has his terminal open, can type into it and freeze it.
    """
    for rest in reversed(range(BUSY_TRIES)):
        try:
            return subprocess.Popen(
                list(command),
                cwd=folder,
                env=None if environment is None else dict(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            # A program that was written a moment ago is busy for as long as a process which another thread was just
            # starting has the file open, until that process is itself.
            if error.errno != errno.ETXTBSY or not rest:
                raise
            time.sleep(BUSY_PAUSE)
    raise AssertionError


def start_in(sandboxed: SandboxedRun) -> subprocess.Popen[bytes]:
    """Start a sandboxed run. Whatever is raised, nothing runs then."""
    process = start(sandboxed.command, sandboxed.folder, sandboxed.environment)
    with ExitStack() as undo:
        undo.callback(abandon, process)
        sandboxed.started(process.pid)
        undo.pop_all()
    return process


def abandon(process: subprocess.Popen[bytes]) -> None:
    """End a process that nobody can take over, and close its pipes."""
    with ExitStack() as ends:
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                ends.callback(pipe.close)
        system.kill(process)
        system.collect(process)
