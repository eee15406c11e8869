"""A bot under a debugger, with what a seat was sent in a match as its standard input.

No clock runs, nobody waits for answers, and there is no sandbox: a debugger needs the terminal, and rights over the
program that a sandbox takes away. The bot's seed, arguments and working folder are those of the match.

    gdb         has the terminal; its `run` starts the bot with its arguments and the input (`set args ... < FILE`)
    pdb         has the terminal; the bot's own Python runs `runtime/pdb_with_input.py`
    any other   (valgrind, strace, ...) is started with the bot's command behind its own words, and the input as its
                standard input

A program that lives for one turn has the prompt as its last argument and an empty input.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from dohyo.bench.python_runner import with_runner
from dohyo.core.errors import OperatorError
from dohyo.match.processes.launch import Launch
from dohyo.match.replays import recorded
from dohyo.system import search_path

if TYPE_CHECKING:
    from dohyo.bench.rerun import Rerun

RUNNER = Path(__file__).parent / "runtime" / "pdb_with_input.py"
PDB = "pdb"
# In the folder that the bot starts in, a hand-in may be called as the file of a debugger's settings. gdb reads such a
# one where its own settings allow it everywhere; valgrind always does.
QUIET = ("-iex", "set auto-load local-gdbinit off")
VALGRIND, VALGRINDS_SETTINGS, NONE_OF_THEM = "valgrind", ".valgrindrc", "--command-line-only=yes"


def command(debugger: str, launch: Launch, input_file: str) -> tuple[list[str], bool]:
    """The words that start the debugger, and whether the input is to be its standard input.

    Raises `OperatorError` for a debugger that is not there, or that is not for this bot.
    """
    try:
        words = shlex.split(debugger)
    except ValueError as error:
        raise OperatorError("bot-command-quotes", bot=debugger) from error
    if words[:1] == [PDB]:
        if len(words) > 1:
            raise OperatorError("pdb-alone", words=shlex.join(words[1:]))
        return with_runner(launch.command, RUNNER, input_file, error="pdb-not-python"), False
    found = search_path.which(words[0]) if words else None
    if found is None:
        raise OperatorError("no-debugger", name=words[0] if words else "")
    if "gdb" not in os.path.basename(words[0]):
        has_settings = os.path.lexists(os.path.join(launch.folder, VALGRINDS_SETTINGS))
        quiet = [NONE_OF_THEM] if os.path.basename(found) == VALGRIND and has_settings else []
        return [found, *quiet, *words[1:], *launch.command], True
    program = f"{shlex.join(launch.command[1:])} < {shlex.quote(input_file)}".lstrip()
    given = [] if launch.a_turn else ["-ex", f"set args {program}"]
    return [
        found,
        *QUIET,
        *given,
        *(word for word in words[1:] if word != "--args"),
        "--args",
        *launch.command,
    ], False


def run(debugger: str, launch: Launch, sent: bytes, folder: Path, turn: int) -> int:
    """Debug the bot, which gets `sent` as its input, or as its last argument in turn `turn`; the exit status.

    `folder` is a place for the file of the input.
    """
    environment = dict(launch.environment or search_path.environment())
    if launch.a_turn:
        words = (*launch.command, os.fsdecode(sent))
        launch = Launch(words, launch.folder, environment, a_turn=True)
        environment["DOHYO_TURN"] = str(turn)
        sent = b""
    file = folder / "in.txt"
    file.write_bytes(sent)
    words_of, is_input = command(debugger, launch, str(file))
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is the debugger's; it is not inherited as ignored
    try:
        with (
            open(file, "rb") as content,
            subprocess.Popen(
                words_of, cwd=launch.folder, env=environment, stdin=content if is_input else None
            ) as process,
        ):
            try:
                status = process.wait()
            except BaseException:
                process.kill()
                raise
    except OSError as error:
        raise OperatorError("cannot-run-debugger", name=debugger, reason=error) from error
    finally:
        signal.signal(signal.SIGINT, before)
    return status if status >= 0 else 128 - status


def input_of(again: Rerun, until: int | None, a_turn: bool) -> bytes:
    """What the bot is to be given: all up to a turn, or that turn's prompt for a program that lives for one."""
    if not a_turn:
        return b"".join(recorded.inputs(again.game, again.replay, again.seat, until, again.sent()))
    if until is None:
        raise OperatorError("debugger-needs-turn")
    return recorded.input_of_turn(again.game, again.replay, again.seat, until)
