"""What a program writes to standard error, on its way to the operator's: whole, bounded, harmless to a terminal."""

from __future__ import annotations

import io
import os
import pty
import threading
from pathlib import Path

import pytest

from dohyo.core.dialogue import Machine, Print, Receive, Start, Stop
from dohyo.guests.game_programs import dialogue
from dohyo.guests.game_programs.dialogue import Dialogue, StderrRelay
from dohyo.match.processes.launch import Launch

PIECES = (b"a\x1b[2Jb\n", b"\xff\xe3", b"\x81\x82 \x9b", b"\r\x07")


def write(path: Path, pieces: tuple[bytes, ...] = PIECES) -> None:
    """Pass these pieces on to a file."""
    with open(path, "w", encoding="utf-8") as stream:
        passed = StderrRelay(stream, "no more")
        for piece in pieces:
            passed(piece)
        passed.end()


def test_a_file_gets_the_bytes(tmp_path: Path) -> None:
    """Nothing is changed where nobody obeys it."""
    write(tmp_path / "errors")
    assert (tmp_path / "errors").read_bytes() == b"".join(PIECES)


def test_a_terminal_gets_text_without_orders() -> None:
    """No escape, no control character of one byte or two, no half letter; a letter in two pieces is whole."""
    keyboard, line = pty.openpty()
    try:
        with open(line, "w", encoding="utf-8", closefd=False) as stream:
            passed = StderrRelay(stream)
            for piece in PIECES:
                passed(piece)
            passed(b"\xe3\x81")
            passed.end()
            passed(b"!")
        shown = b""
        while not shown.endswith(b"!"):
            shown += os.read(keyboard, 1000)
    finally:
        os.close(keyboard)
        os.close(line)
    assert shown.decode() == "ab\r\n\ufffd\u3042 \ufffd\r\n\ufffd\ufffd!"


def test_a_flood_is_cut_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk is not filled: after so many bytes comes one sentence, and nothing more."""
    monkeypatch.setattr(dialogue, "MOST", 10)
    write(tmp_path / "errors", (b"12345678", b"9012", b"345"))
    assert (tmp_path / "errors").read_bytes() == b"1234567890\nno more\n"


def test_who_does_not_read_is_no_obstacle() -> None:
    """A pipe that nobody reads any more takes nothing, and nothing is raised."""
    there, here = os.pipe()
    os.close(there)
    with open(here, "w", encoding="utf-8") as stream:
        passed = StderrRelay(stream)
        passed(b"x")
        passed(b"y")
        passed.end()


def test_a_stream_that_does_not_block_is_waited_for() -> None:
    """Somebody else who has it open may have made it so: all arrives."""
    there, here = os.pipe()
    os.set_blocking(here, False)
    came = bytearray()

    def read() -> None:
        while chunk := os.read(there, 1 << 16):
            came.extend(chunk)

    reader = threading.Thread(target=read)
    with open(here, "w", encoding="utf-8") as stream:
        reader.start()
        StderrRelay(stream)(b"x" * 1_000_000)
    reader.join()
    os.close(there)
    assert came == b"x" * 1_000_000


def test_errors_come_before_the_line_that_they_came_before(tmp_path: Path) -> None:
    """What the program wrote before its answer stands before what is printed of that answer, every time."""
    robot = tmp_path / "robot"
    robot.write_text("#!/bin/sh\nwhile :; do echo oops >&2; echo go; read x || exit; done\n")
    robot.chmod(0o755)
    there = os.open(tmp_path / "both", os.O_CREAT | os.O_RDWR | os.O_APPEND)

    def machine() -> Machine:
        for _ in range(20):
            yield Start()
            yield Print((yield Receive(60.0)))
            yield Stop()
        return 0

    with open(there, "w", encoding="utf-8") as stream, open(there, "wb", closefd=False) as out:
        Dialogue(io.BytesIO(), out, stream, lambda: Launch((str(robot),), str(tmp_path))).run(machine())
    assert (tmp_path / "both").read_text() == "oops\ngo\n" * 20
