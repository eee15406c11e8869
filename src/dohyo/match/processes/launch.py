"""How a player's program is described and started, with or without a sandbox."""

from __future__ import annotations

import errno
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

import msgspec

from dohyo.core.sandbox import SandboxedRun, SandboxFactory
from dohyo.match.processes import ending

# Errors of the machine, for which no bot is to blame.
NO_ROOM = frozenset({errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM})
BUSY_TRIES = 50
BUSY_PAUSE = 0.02  # seconds


class Launch(msgspec.Struct, frozen=True):
    """How to start one seat's program: argv, working folder, environment (the referee's own when none).

    With `a_turn` it is started again for every turn, with the prompt as last argument; `log` is then the file in its
    folder to which its standard error is appended (no file if empty). With `asks_where`, a program that lives for the
    match, and is stopped because its time is over, is asked first where it is (`BotProcess.abort`). `sandbox_factory`
    makes a new sandbox for each start (`dohyo.core.sandbox`); without it, the program runs with our own rights.
    `protocol` is what it speaks, as "uci", with its options in `settings`; empty for its game's own. A player who is
    not started here has no command, but an `address`. `program` is the path of the command's first word on this
    machine; empty if the word is that path. With `unusable`, it is not started: that is why. `kept_as` names all that
    decides what a program is, if it may be kept from match to match; empty if it may not. `name` is its bot's.
    """

    command: tuple[str, ...]
    folder: str
    environment: Mapping[str, str] | None = None
    a_turn: bool = False
    log: str = ""
    sandbox_factory: SandboxFactory | None = None
    program: str = ""
    asks_where: bool = False
    protocol: str = ""
    address: str = ""
    settings: Mapping[str, str] = {}
    unusable: str = ""
    kept_as: str = ""
    name: str = ""

    @property
    def kind(self) -> str:
        """The kind of player that a guest brings for it, by name; empty for the core's own kinds."""
        return self.address.partition(":")[0] or self.protocol


def start(command: Sequence[str], folder: str, environment: Mapping[str, str] | None) -> subprocess.Popen[bytes]:
    """Start a process with pipes, in its own session. Raises `OSError` when it cannot be started.

    It has no terminal: a program in the operator's session, or with the operator's terminal open, could type into it
    and freeze it.
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
            # A program file that was written a moment ago is "busy" as long as any process has it open for writing. A
            # process that another thread is just starting inherits that descriptor, until it executes its own
            # program.
            if error.errno != errno.ETXTBSY or not rest:
                raise
            time.sleep(BUSY_PAUSE)
    raise AssertionError


def start_in(sandboxed: SandboxedRun) -> subprocess.Popen[bytes]:
    """Start a sandboxed run. If this raises, no process is left running."""
    process = start(sandboxed.command, sandboxed.folder, sandboxed.environment)
    with ExitStack() as undo:
        undo.callback(abandon, process)
        sandboxed.started(process.pid)
        undo.pop_all()
    return process


def abandon(process: subprocess.Popen[bytes]) -> None:
    """End a process that has no owner, and close its pipes."""
    with ExitStack() as ends:
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                ends.callback(pipe.close)
        ending.kill(process)
        ending.collect(process)
