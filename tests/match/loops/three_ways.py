"""One match three ways: turn by turn with the ring, by the loop in Python, and by the compiled one.

The bots are small programs in Python, written on the spot. Nothing sleeps: where the order of two programs' steps
matters, they wait for each other by pipes.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import dohyo
from dohyo.core.clock import Clock
from dohyo.core.faults import Fault
from dohyo.core.game import Game
from dohyo.core.replay import Move, Replay, Turn
from dohyo.match.loops import kernel
from dohyo.match.loops.compiled_loop import CompiledLoop
from dohyo.match.loops.python_loop import PythonLoop
from dohyo.match.play import play_match

LONG = Clock(turn=60.0, ready=60.0)  # for bots that must be in time on any machine
SHORT = Clock(turn=0.3, first=60.0, ready=60.0)  # for one that hangs for ever
WAYS: dict[str, dict[str, Any]] = {
    "ring": {"on_turn": lambda _: None},
    "python": {"compiled": False},
    "compiled": {"compiled": True},
}

PRELUDE = """
import os, sys, time
import _signal as signal  # `signal` itself makes enumerations, which takes a third of the start

def write(descriptor, text):
    rest = text if isinstance(text, bytes) else text.encode()
    while rest:
        rest = rest[os.write(descriptor, rest):]

def say(text):
    write(1, text)

def complain(text):
    write(2, text)

def tell(path):
    with open(path, "w") as pipe:
        pipe.write("on")

def wait_for(path):
    with open(path) as pipe:
        assert pipe.read() == "on"

def hang():
    while True:
        signal.pause()

def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

def line():
    found = sys.stdin.readline()
    if not found:
        sys.exit()
    return found.rstrip("\\n")

def blocks():
    '''Drop-Block: the number of each turn, when its whole input is there.'''
    while True:
        lines = [line()]
        while lines[-1] != "EOD":
            lines.append(line())
        yield int(lines[1])

def wonders():
    '''Wondev Woman: of each turn of one's own, counted from 0, the number and the legal actions; one at least.'''
    size, units = int(line()), int(line())
    turn = 0
    while True:
        for _ in range(size + 2 * units):
            line()
        yield turn, [line() for _ in range(int(line()))] or ["ACCEPT-DEFEAT"]
        turn += 1
"""


class Stage:
    """Writes bots, and plays them three ways."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.in_loop = 0  # turns of the last match that a loop has played
        self.ends: list[list[int]] = []  # how each call of its loop ended
        self._made = 0
        for kind in (PythonLoop, CompiledLoop):
            patch.setattr(kind, "play", self._counting(kind.play))

    def _counting(self, play: Any) -> Any:
        def counted(*arguments: Any) -> Any:
            end = play(*arguments)
            self.in_loop += end[kernel.TURNS]
            self.ends.append(end)
            return end

        return counted

    def bot(self, body: str) -> str:
        """A program with this text after the prelude."""
        path = self.folder / f"bot{self._made}"
        self._made += 1
        home = f"\nif os.path.isdir({str(self.folder)!r}):\n    os.chdir({str(self.folder)!r})\n"
        path.write_text(f"#!/usr/bin/env -S python3 -IS\n{PRELUDE}{home}{textwrap.dedent(body)}")
        path.chmod(0o755)
        return str(path)

    def dropper(self, turn: str = "say('N\\n')", before: str = "say('READY\\n')") -> str:
        """A bot of Drop-Block: what it does in each `turn`, whose number it knows."""
        return self.bot(f"{before}\nfor turn in blocks():\n{textwrap.indent(textwrap.dedent(turn), '    ')}\n")

    def quiet(self, reply: str = "N") -> str:
        """A bot of Drop-Block that gives this reply in every turn: for the shell, which starts in a millisecond."""
        path = self.folder / f"quiet-{reply}"
        path.write_text(
            "#!/bin/sh\necho READY\n"
            f'while read -r line; do\n  if [ "$line" = EOD ]; then\n    echo {reply}\n  fi\ndone\n'
        )
        path.chmod(0o755)
        return str(path)

    def climber(self, turn: str = "say(legal[0] + '\\n')") -> str:
        """A bot of Wondev Woman: what it does in each `turn`, whose number it knows, with the actions in `legal`."""
        return self.bot(f"for turn, legal in wonders():\n{textwrap.indent(textwrap.dedent(turn), '    ')}\n")

    def pipes(self, *names: str) -> None:
        """Make named pipes, by which programs `tell` and `wait_for` each other."""
        for name in names:
            os.mkfifo(self.folder / name)

    def play(self, way: str, game: str | Game, bots: Sequence[str], **options: Any) -> Replay:
        """One match; its replay, which verifies."""
        self.in_loop, self.ends = 0, []
        replay = play_match(game, bots, **{"clock": LONG, "sandbox": "none", **options, **WAYS[way]})
        assert dohyo.verify(replay) == replay.played
        return replay

    def same(self, game: str, bots: Sequence[str], least: int, **options: Any) -> Replay:
        """Play three ways, of which two must have played `least` turns in the loop; the one replay, without times."""
        told = {}
        for way in WAYS:
            told[way] = timeless(self.play(way, game, bots, **options))
            assert self.in_loop == 0 if way == "ring" else self.in_loop >= least, (way, self.in_loop)
        for way, replay in told.items():
            differences = [pair for pair in zip(told["ring"].turns, replay.turns, strict=False) if pair[0] != pair[1]]
            assert not differences, (
                f"{way}: {len(differences)} differ; the first, by the ring and here: {differences[0]}"
            )
            assert replay == told["ring"], way
        return told["ring"]


def timeless(replay: Replay) -> Replay:
    """The replay as it is, but for what turns and programs took."""
    replay.cpu = ()
    for turn in replay.turns:
        turn.moves = tuple(
            msgspec.structs.replace(
                move,
                seconds=None,
                cpu=None,
                wall=None,
                faults=tuple(msgspec.structs.replace(fault, proof=None) for fault in move.faults),
            )
            for move in turn.moves
        )
    return replay


def without_asides(replay: Replay) -> list[Turn]:
    """The turns without what was written to standard error."""
    return [
        msgspec.structs.replace(
            turn,
            moves=tuple(
                msgspec.structs.replace(move, seconds=None, stderr="", stderr_dropped=0) for move in turn.moves
            ),
        )
        for turn in replay.turns
    ]


def moves_of(replay: Replay, seat: int) -> dict[int, Move]:
    """The moves of a seat by the number of the turn."""
    return {turn.turn: move for turn in replay.turns for move in turn.moves if move.seat == seat}


def faults_of(replay: Replay, seat: int) -> dict[int, tuple[Fault, ...]]:
    """The faults of a seat by the number of the turn."""
    return {turn: move.faults for turn, move in moves_of(replay, seat).items() if move.faults}


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled_once: None, nobody_left: None) -> Stage:
    """Where bots are made and played three ways."""
    return Stage(tmp_path, monkeypatch)


@pytest.fixture
def compiled_once(cache_of_run: Path, cache: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled is kept in the cache of this run, and not in the test's own: compiling takes ten seconds."""
    monkeypatch.setenv("DOHYO_CACHE", str(cache_of_run))
