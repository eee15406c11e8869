"""Single keys from a terminal, without waiting for a line; the terminal is as before when this is over."""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import tty
from typing import Any

# What terminals send for the keys that have no character: CSI or SS3, numbers, a letter or a tilde.
SEQUENCE = re.compile(rb"\x1b[\[O]([0-9;]*)([A-Za-z~])")
NAMES = {b"A": "up", b"B": "down", b"C": "right", b"D": "left", b"H": "home", b"F": "end"}
TILDES = {b"1": "home", b"4": "end", b"7": "home", b"8": "end"}
REST_OF_SEQUENCE = 0.05  # seconds: a lone Escape is not followed by anything
GONE = "gone"  # the terminal sends nothing any more


class Keyboard:
    """The keys that a person presses; `is_there` is false where standard input is no terminal."""

    def __init__(self) -> None:
        self.is_there = sys.stdin is not None and sys.stdin.isatty()
        self._waiting = b""
        self._before: list[Any] = []

    def __enter__(self) -> Keyboard:
        if self.is_there:
            self._input = sys.stdin.fileno()
            self._before = termios.tcgetattr(self._input)
            tty.setcbreak(self._input)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before:
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)
            self._before = []

    def press(self, seconds: float | None) -> str:
        """The next key: its character, or a name such as "left"; empty when none came within `seconds`."""
        if not self.is_there:
            select.select([], [], [], seconds)
            return ""
        if not self._waiting and not self._read(seconds):
            return ""
        if self._waiting == b"\x1b" or self._waiting in (b"\x1b[", b"\x1bO"):
            self._read(REST_OF_SEQUENCE)
        if not self._waiting:
            return GONE
        if found := SEQUENCE.match(self._waiting):
            self._waiting = self._waiting[found.end() :]
            number, letter = found.groups()
            return TILDES.get(number, "other") if letter == b"~" else NAMES.get(letter, "other")
        first, self._waiting = self._waiting[:1], self._waiting[1:]
        return first.decode("latin-1")

    def _read(self, seconds: float | None) -> bool:
        """Take in what the terminal sends within `seconds`; whether anything came, its end included."""
        if not select.select([self._input], [], [], seconds)[0]:
            return False
        self._waiting += os.read(self._input, 1024)
        return True
