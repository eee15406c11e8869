"""Chances of a match that is shown, from a process that a guest brings (`dohyo.doors.Guest.analyses`, `positions`).

One position is judged at a time, the newest one; those that come meanwhile are left out. Without that guest, or
without what compiles its search, nothing is known, and nothing is said.
"""

from __future__ import annotations

import base64
import importlib.util
import os
import subprocess
from contextlib import suppress

import msgspec

from dohyo import doors
from dohyo.core.game import Game, State
from dohyo.system import interpreter

MAX_BYTES = 1 << 16  # of an answer
AT_ONCE = 1 << 16


class Answer(msgspec.Struct):
    """What such a process says."""

    mark: tuple[int, int]
    chances: tuple[float, ...]


def judging_of(game: Game) -> PositionJudge | None:
    """What judges positions of a game; none where nobody can."""
    module = doors.brought("analyses").get("positions")
    if module is None or importlib.util.find_spec("numba") is None:
        return None
    return PositionJudge(module, game)


class PositionJudge:
    """Asks such a process, and never waits for it."""

    def __init__(self, module: str, game: Game) -> None:
        self._game = game
        self._rest = b""
        self._is_busy = False
        self._process: subprocess.Popen[bytes] | None = subprocess.Popen(
            interpreter.module(module, interpreter.current_folder(), game.name),
            cwd=interpreter.FOLDER,
            env=interpreter.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            process_group=0,  # Ctrl-C reaches us alone; we end it
        )
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)

    def ask(self, mark: tuple[int, int], state: State, seats: int) -> None:
        """Have a position judged, if no other one is."""
        if self._is_busy or self._process is None or self._process.stdin is None:
            return
        packed = base64.b64encode(self._game.rules.LAYOUT.pack(state)).decode()
        try:
            self._process.stdin.write(msgspec.json.encode({"mark": mark, "seats": seats, "state": packed}) + b"\n")
            self._process.stdin.flush()
        except OSError:  # it has ended, and nobody misses it
            self.close()
            return
        self._is_busy = True

    def answers(self) -> list[tuple[tuple[int, int], tuple[float, ...]]]:
        """What has been found since."""
        if self._process is None or self._process.stdout is None:
            return []
        with suppress(BlockingIOError):
            piece = os.read(self._process.stdout.fileno(), AT_ONCE)
            if not piece or len(self._rest) > MAX_BYTES:
                self.close()
                return []
            self._rest += piece
        *lines, self._rest = self._rest.split(b"\n")
        found = []
        for line in lines:
            self._is_busy = False
            answer = msgspec.json.decode(line, type=Answer)
            if answer.chances:
                found.append((answer.mark, answer.chances))
        return found

    def close(self) -> None:
        """End it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
