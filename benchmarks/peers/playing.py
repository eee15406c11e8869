"""What every peer's program has in common: it reads seconds from its input, plays for that time, and prints figures.

Each line of input is a number of seconds; the answer is one line of JSON. This file runs in a peer's environment and
uses nothing but the standard library.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from time import perf_counter, process_time
from typing import Any, NamedTuple


class Way(NamedTuple):
    """A way to play: `play()` plays some steps and returns how many, and how many seconds of them count."""

    mode: str
    how: str
    n: int
    play: Callable[[], tuple[int, float]]


def timed(play: Callable[[], int]) -> Callable[[], tuple[int, float]]:
    """A way of which all the time counts."""

    def with_time() -> tuple[int, float]:
        start = perf_counter()
        steps = play()
        return steps, perf_counter() - start

    return with_time


def figure(way: Way, seconds: float) -> dict[str, Any]:
    """Steps a second of a way that is played for at least so many seconds."""
    steps, counted = 0, 0.0
    begun, used = perf_counter(), process_time()
    while counted < seconds:
        more, took = way.play()
        steps += more
        counted += took
    cores = (process_time() - used) / (perf_counter() - begun)
    return {"mode": way.mode, "how": way.how, "n": way.n, "steps_per_s": steps / counted, "cores": cores}


def serve(packages: Sequence[str], ways: Sequence[Way]) -> None:
    """Warm up, say what is run, then answer until the input ends."""
    for way in ways:
        way.play()
    found = {"Python": platform.python_version(), **{name: version(name) for name in packages}}
    print(json.dumps({"versions": found}), flush=True)
    for line in sys.stdin:
        print(json.dumps({"figures": [figure(way, float(line)) for way in ways]}), flush=True)
