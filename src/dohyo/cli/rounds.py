"""A small round of matches: bots take the seats in turn; matches run side by side, each a `dohyo play` of its own.

What a script of the operator's could do as well; a contest proper keeps its results and can be taken up again.
"""

from __future__ import annotations

import json
import selectors
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any, NamedTuple

from dohyo import interpreter
from dohyo.interrupts import DeferSignals


class Standing(NamedTuple):
    """How a bot did: one point for every opponent that it left behind, half a point for one that shared its place."""

    bot: str
    matches: int
    points: float
    wins: int
    mean_place: float


def seatings(bots: Sequence[str], seats: int, at_least: int) -> list[list[str]]:
    """Who sits where in each match: every bot sits on every seat equally often."""
    matches = -(-at_least // len(bots)) * len(bots)
    return [[bots[(match + seat) % len(bots)] for seat in range(seats)] for match in range(matches)]


def play_side_by_side(
    commands: Sequence[Sequence[str]], at_once: int, on_done: Callable[[int], None]
) -> list[dict[str, Any]]:
    """Run `dohyo play ... --json` for every list of words, at most `at_once` at a time; what they print, in order.

    `on_done` is told how many are done. When this is interrupted, so are the matches.
    """
    printed = [b""] * len(commands)
    running: dict[int, subprocess.Popen[bytes]] = {}
    waiting = list(enumerate(commands))[::-1]
    with selectors.DefaultSelector() as selector, tempfile.TemporaryFile() as complaints, DeferSignals() as shield:
        try:
            while waiting or running:
                while waiting and len(running) < at_once:
                    number, words = waiting.pop()
                    process = subprocess.Popen(
                        interpreter.module("dohyo", *words),
                        env=interpreter.environment(),
                        stdout=subprocess.PIPE,
                        stderr=complaints,
                    )
                    running[number] = process
                    selector.register(_output(process), selectors.EVENT_READ, number)
                shield.open()
                ready = selector.select()
                shield.shut()
                for key, _ in ready:
                    number = key.data
                    if chunk := _output(running[number]).read1():
                        printed[number] += chunk
                    else:
                        selector.unregister(key.fileobj)
                        _collect(running.pop(number), complaints)
                        on_done(len(commands) - len(waiting) - len(running))
        finally:
            for process in running.values():
                process.terminate()  # its bots end with it
            for process in running.values():
                process.communicate()
    return [json.loads(text) for text in printed]


def _output(process: subprocess.Popen[bytes]) -> Any:
    stdout: IO[bytes] | None = process.stdout
    assert stdout is not None
    return stdout


def _collect(process: subprocess.Popen[bytes], complaints: IO[bytes]) -> None:
    """See that a match ended well; raise `RuntimeError` with what it said if it did not."""
    _output(process).close()
    if process.wait():
        complaints.seek(0)
        said = complaints.read().decode()
        raise RuntimeError(f"{process.args!r}: exit status {process.returncode}\n{said}")


def standings(seated: Sequence[Sequence[str]], results: Sequence[Mapping[str, Any]]) -> list[Standing]:
    """The bots, the best first, from who sat where and the matches' JSON documents."""
    points: dict[str, list[float]] = {}
    places: dict[str, list[int]] = {}
    for bots, result in zip(seated, results, strict=True):
        reached = [seat["place"] for seat in result["seats"]]
        for bot, place in zip(bots, reached, strict=True):
            behind, beside = sum(other > place for other in reached), reached.count(place) - 1
            points.setdefault(bot, []).append(behind + beside / 2)
            places.setdefault(bot, []).append(place)
    table = [
        Standing(
            bot,
            len(points[bot]),
            sum(points[bot]),
            sum(place == 1 for place in places[bot]),
            sum(places[bot]) / len(places[bot]),
        )
        for bot in points
    ]
    return sorted(table, key=lambda standing: (-standing.points / standing.matches, standing.bot))
