"""Runs the programs that games provide, for a person: lines from one stream to another, and real processes."""

from __future__ import annotations

import codecs
import errno
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from dohyo import bots, clean
from dohyo.bots.program_files import first
from dohyo.bots.tools import is_shim_of_path
from dohyo.core import parameters
from dohyo.core.bot_spec import CommandLine
from dohyo.core.dialogue import CloseInput, Machine, Print, ReadLine, Receive, Request, Send, Start, Stop
from dohyo.core.errors import BuildError, MachineError, OperatorError
from dohyo.core.faults import Fault
from dohyo.core.game import Game
from dohyo.guests.game_programs.line_client import LineClient, write_all
from dohyo.interrupts import DeferSignals
from dohyo.languages import by_ending
from dohyo.match import verdict
from dohyo.match.processes.launch import NO_ROOM, Launch
from dohyo.match.sandboxing import BuildSandbox, factory_for, launch, sandbox_of, told_of, with_games
from dohyo.sandbox import Sandbox
from dohyo.sandbox.environment import unsandboxed_environment

SEED = "DOHYO_SEED"
MOST = 64 << 20  # bytes of standard error that are passed on: more than anybody reads, less than a disk
LONGEST_LINE = 1 << 20  # bytes of the operator's input, which may be somebody else's


class Dialogue:
    """Carries out the requests of a state machine, one after the other.

    `source` gives the operator's lines and `out` takes ours, both as bytes, one line at a time. `program` says how
    the program is started. It is called at the first start, and may raise `OperatorError` if there is no such
    program; the machine receives that error. Messages of compilers go to `errors`, and so does what the program
    writes to standard error: the program gets neither the operator's standard error nor the operator's terminal.
    Control sequences are removed from what is written to a terminal; the text `cut` says that no more errors are
    shown.
    """

    def __init__(
        self,
        source: IO[bytes],
        out: IO[bytes],
        errors: IO[str],
        program: Callable[[], Launch],
        *,
        cut: str = "",
    ) -> None:
        self._source = source
        self._out = out
        self._errors = errors
        self._pass_on = StderrRelay(errors, cut)
        self._program = program
        self._launch: Launch | None = None
        self._client: LineClient | None = None
        self._signals = DeferSignals()
        self._is_seen = out.isatty()  # a file gets the exact bytes, so that they can be read as commands again

    def run(self, machine: Machine) -> int:
        """Run the machine to its end; returns its exit status. No program is left running, however this ends."""
        answers: dict[type[Request], Callable[[Any], Any]] = {
            ReadLine: self._read_line,
            Print: self._print,
            Start: self._start,
            Send: self._send,
            Receive: self._receive,
            CloseInput: self._close_input,
            Stop: self._stop,
        }
        with self._signals:
            try:
                request = next(machine)
                while True:
                    request = machine.send(answers[type(request)](request))
            except StopIteration as end:
                status: int = end.value
                return status
            finally:
                self._stop()

    # --- the operator

    def _read_line(self, _: ReadLine) -> str | None:
        """The operator's next line; the last one need not end in a newline."""
        self._signals.open()
        try:
            line = self._source.readline(LONGEST_LINE + 1)
        finally:
            self._signals.shut()
        if len(line) > LONGEST_LINE:
            raise OperatorError("input-line-too-long", mebibytes=LONGEST_LINE >> 20)
        return text(line.removesuffix(b"\n")) if line else None

    def _print(self, request: Print) -> None:
        """Write a line that the operator sees at once, even if the output is a file that somebody follows.

        What the program wrote to standard error before it is shown before it.
        """
        line = clean.line(request.line) if self._is_seen else request.line
        self._signals.open()
        try:
            if self._client is not None:
                self._client.pass_errors_on()
            self._out.write(content(line) + b"\n")
            self._out.flush()
        finally:
            self._signals.shut()

    # --- the program

    def _start(self, _: Start) -> Fault | None:
        try:
            if self._launch is None:
                self._launch = self._find()
            launch = self._launch
            if launch.sandbox_factory is not None:
                check_start(launch.program or launch.command[0])
            self._client = LineClient(
                launch.command,
                launch.folder,
                launch.environment,
                self._signals,
                launch.sandbox_factory,
                self._pass_on,
            )
        except OperatorError as error:
            if isinstance(error, BuildError) and error.log:
                self._errors.write(clean.block(error.log.rstrip()) + "\n")
            return verdict.not_started(error)
        except OSError as error:
            if error.errno in NO_ROOM:
                raise MachineError("no-room-for-programs", reason=error) from error
            return verdict.not_started(error)
        return None

    def _find(self) -> Launch:
        """How the program is started; building it may take a while."""
        self._signals.open()
        try:
            return self._program()
        finally:
            self._signals.shut()

    def _send(self, request: Send) -> None:
        assert self._client is not None
        self._client.send(content(request.line))

    def _receive(self, request: Receive) -> str | Fault:
        assert self._client is not None
        if request.after is not None:
            self._client.send(content(request.after))
        line = self._client.receive(request.seconds)
        return line if isinstance(line, Fault) else text(line)

    def _close_input(self, _: CloseInput) -> None:
        assert self._client is not None
        self._client.close_input()

    def _stop(self, _: Stop | None = None) -> None:
        if self._client is not None:
            self._client.stop()
            self._client = None
            self._pass_on.end()


class StderrRelay:
    """Passes on what a program writes to standard error to a stream, byte for byte; on a terminal, as cleaned text.

    At most `MOST` bytes are written, then once the text `cut`, which says so: a file behind the stream must not fill
    the disk. After an error the stream is not written to again.
    """

    def __init__(self, stream: IO[str], cut: str = "") -> None:
        self._stream = stream
        self._is_seen = stream.isatty()
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._left = MOST
        self._cut = cut

    def __call__(self, chunk: bytes) -> None:
        """Write the next bytes; an incomplete character waits for its other bytes."""
        piece = chunk[: self._left]
        self._left -= len(piece)
        self._write(piece)
        if len(piece) < len(chunk) and self._cut:
            self.end()
            self._put(f"\n{self._cut}\n".encode())
            self._cut = ""

    def end(self) -> None:
        """Write the incomplete rest: no more bytes come from this program."""
        if self._is_seen and (rest := self._text.decode(b"", final=True)):
            self._put(clean.block(rest).encode())
        self._text.reset()

    def _write(self, piece: bytes) -> None:
        self._put(clean.block(self._text.decode(piece)).encode() if self._is_seen else piece)

    def _put(self, piece: bytes) -> None:
        try:
            self._stream.flush()
            descriptor = self._stream.fileno()
        except (OSError, ValueError):  # it has no file, or nobody reads it any more
            self._put_text(piece)
            return
        if piece and not write_all(descriptor, piece):
            self._left = 0
            self._cut = ""

    def _put_text(self, piece: bytes) -> None:
        try:
            self._stream.write(piece.decode("utf-8", "backslashreplace"))
        except (OSError, ValueError):
            self._left = 0
            self._cut = ""


def text(line: bytes) -> str:
    """A line as machines see it; `content` gives the same bytes back."""
    return line.decode("utf-8", "surrogateescape")


def content(line: str) -> bytes:
    """The bytes of a line."""
    return line.encode("utf-8", "surrogateescape")


def find_program(
    words: Sequence[str], samples: Path, sandbox: str | Sandbox = "none", game: Game | None = None
) -> Launch:
    """How to start the program `words[0]` with the rest as its arguments, in the current folder.

    A name without a slash is searched in the current folder first, then on the PATH, then among the sample bots in
    the folder `samples`. A path may also be a source or a folder, as for a match; a folder says where its bot starts.
    The program is built and runs in `sandbox`, as for a match; there it can read the files that the words name.

    `DOHYO_SEED` is 1 unless the operator has set it: a bot that draws random numbers then draws the same ones again.
    It is told the `game`, if that is known, as in a match.

    Raises `OperatorError` if nothing is found, or if what is found cannot be used.
    """
    name, *arguments = words
    told = {} if game is None else told_of(game, game.usual_clock())
    environment = {SEED: "1", **unsandboxed_environment(os.environ), **told}
    here = os.getcwd()
    sandbox = sandbox_of(sandbox)
    on_path = "/" not in name and not _is_program(name) and first(name) is not None
    if on_path or (os.path.isfile(name) and is_shim_of_path(name)):  # a copied shim finds no manager
        (bot,) = bots.resolve([CommandLine(tuple(words))], build_sandbox=BuildSandbox(sandbox))
        return launch(bot, environment, sandbox)
    (bot,) = bots.resolve([name], bots.samples(samples), build_sandbox=BuildSandbox(sandbox))
    of_a_folder = os.path.isdir(name) or bot.copied
    folder = bot.folder if of_a_folder else here
    command, values = parameters.parted((*bot.words(sandbox.own_files), *arguments))
    environment = {**with_games(bot, environment, sandbox), **values}
    sandbox_factory = factory_for(bot, environment, sandbox, arguments, "" if of_a_folder else here)
    return Launch(command, folder, environment, sandbox_factory=sandbox_factory, program=bot.command[0])


def check_start(program: str) -> None:
    """Raise the `OSError` that starting a program would raise; in a sandbox, one would only see it end at once."""
    if not stat.S_ISREG(os.stat(program).st_mode):  # a pipe, say, that a build has put there
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with open(program, "rb") as file:
        first = file.read(256).partition(b"\n")[0]
    if not os.access(program, os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    words = first.removeprefix(b"#!").split()
    if first.startswith(b"#!") and words and not os.access(words[0], os.X_OK):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    if not first.startswith((b"#!", b"\x7fELF")):
        raise OSError(errno.ENOEXEC, os.strerror(errno.ENOEXEC))


def _is_program(name: str) -> bool:
    """Whether the current folder has a program of this name, or a source of one."""
    return os.path.isfile(name) and (os.access(name, os.X_OK) or by_ending(name) is not None)
