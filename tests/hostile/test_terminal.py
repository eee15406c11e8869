"""Guests that `arena` plays in the operator's terminal: it behaves as before, whatever they tried."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.hostile import layers
from tests.hostile.scene import GUESTS
from tests.hostile.table import CONTAINED, LAYERS, NOT_CONTAINED, expected
from tests.processes import nobody_left
from tests.skips import program

__all__ = ["nobody_left"]

TERMINAL = ["freezes_terminal"]
PATIENCE = 60  # seconds until something hangs for certain
AGAIN = 5  # seconds until an operator types again
TIOCGEXCL = 0x80045440  # whether only who has the terminal open may use it

# A person's shell and `arena` in it, which owns the terminal; what is typed comes later.
ARENA = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from dohyo.sandbox import at_layer
from dohyo.guests.game_programs import command as game_programs
from dohyo.games.shoot_em_up import GAME
(command,) = [each for each in GAME.commands if each.name == "arena"]
sys.exit(game_programs.converse(GAME, command, [sys.argv[2]], at_layer(int(sys.argv[1]))))
"""


class Terminal:
    """A terminal of an operator, seen from both ends; nothing of it is left behind."""

    def __init__(self) -> None:
        self.keyboard, self.line = pty.openpty()
        self.before = termios.tcgetattr(self.line)

    def close(self) -> None:
        """Hang up."""
        os.close(self.keyboard)
        os.close(self.line)

    def changes(self) -> list[str]:
        """What somebody has done to it."""
        found = []
        if termios.tcgetattr(self.line) != self.before:
            found.append("how it behaves")
        if fcntl.fcntl(self.line, fcntl.F_GETFL) & os.O_NONBLOCK:
            found.append("whether it blocks")
        (taken,) = struct.unpack("i", fcntl.ioctl(self.line, TIOCGEXCL, bytes(4)))
        if taken:
            found.append("who may open it")
        self.show()
        os.set_blocking(self.line, False)
        try:
            os.write(self.line, b"still here\n")
        except OSError as error:
            found.append(f"whether it shows anything: {error}")
        else:
            if b"still here" not in self.show():
                found.append("whether it shows anything")
        return found

    def show(self) -> bytes:
        """What the screen shows now."""
        shown = b""
        while select.select([self.keyboard], [], [], 0)[0]:
            shown += os.read(self.keyboard, 1 << 16)
        return shown


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("guest", TERMINAL)
def test_the_operators_terminal(
    guest: str, layer: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nobody_left: None
) -> None:
    """After a game in it, the operator's terminal shows, takes and keeps what it did before."""
    layers.need(layer)
    robot = tmp_path / guest
    command = [program("cc"), "-O1", "-o", str(robot), str(GUESTS / f"{guest}.c")]
    subprocess.run(command, check=True)
    terminal = Terminal()
    try:
        with subprocess.Popen(
            [sys.executable, "-c", ARENA, str(layer), str(robot)],
            cwd=tmp_path,
            stdin=terminal.line,
            stdout=subprocess.PIPE,
            stderr=terminal.line,
            start_new_session=True,
            bufsize=0,
        ) as arena:
            assert arena.stdout is not None
            os.write(terminal.keyboard, b"-a\n")
            said = [arena.stdout.readline()]
            # A guest that nothing holds back drops what was typed, whenever it likes: then it is typed again.
            os.write(terminal.keyboard, b"+\ntyped\n")
            while said[-1] and not said[-1].startswith((b"M", b"!")):
                while not select.select([arena.stdout], [], [], AGAIN)[0]:
                    os.write(terminal.keyboard, b"+\ntyped\n")
                said.append(arena.stdout.readline())
            changes = terminal.changes()
            os.write(terminal.keyboard, b"\x04\x04")  # the end of what is typed
            try:
                rest, _ = arena.communicate(timeout=PATIENCE)
            finally:
                arena.kill()
        if b"typed" not in rest:
            changes.append("what was typed")
    finally:
        terminal.close()
    got = [line for line in said if line.startswith(b"/ GOT")]
    assert any(line.startswith(b"/ ") for line in said), f"it never tried: {said}"
    assert expected()[guest][layer].word == (NOT_CONTAINED if got or changes else CONTAINED), (said, changes)
