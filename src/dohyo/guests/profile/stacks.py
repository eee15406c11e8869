"""Stacks of functions and the time that each took, from what profilers write.

A stranger's program has a part in all of that: names are cut, depths and numbers are bounded, no line is tried twice.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from heapq import nlargest
from typing import Annotated

import msgspec

Stack = tuple[str, ...]

MAX_STACKS, DEEPEST, LONGEST_NAME = 100_000, 200, 300
LONGEST_LINE = 4096  # characters of a line that are looked at
SMALL = 0.0005  # of all time: less is not followed any further in calls
MAX_PATHS = 20_000  # of calls that are followed
MAX_CALLED = 100  # functions that one function calls, those that take the most time for it
# What stands around a program in a sandbox, by the name that the kernel has for it.
AROUND = frozenset({"bwrap", "env", "perf", "perf-exec"})
# A sample of perf: `comm pid/tid time: event:`, then a line for each function, the innermost first.
# Each part has a length: with none, a line of spaces would be tried in all ways.
HEAD = re.compile(r"(?P<comm>\S.{0,63}?)\s{1,16}\d{1,10}/\d{1,10}\s{1,16}(?P<time>\d{1,12}\.\d{1,12}):")
FRAME = re.compile(r"\s+[0-9a-f]+ (?P<name>.+) \((?P<file>[^()]*)\)$")


Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e6)]


class Call(msgspec.Struct):
    """A function of cProfile: its name, the seconds that it took itself and with all that it called, and its callers.

    Each caller has its number in the list, and the seconds that the function took with all for it.
    """

    name: str
    own: Seconds
    whole: Seconds
    callers: list[tuple[int, Seconds]]


class Calls(msgspec.Struct):
    """What `runtime/profile_to_file.py` writes; `root` is the number of the program itself, -1 if not known.

    `startup` is how many seconds it took before it read its first input, of which no call is written; none if it read
    none.
    """

    calls: list[Call]
    root: int = -1
    startup: Seconds | None = None


def folded(lines: Iterable[str]) -> dict[Stack, float]:
    """Stacks from the text form `a;b;c 12`, the outermost function first."""
    stacks: defaultdict[Stack, float] = defaultdict(float)
    for line in lines:
        text, _, count = line.strip().rpartition(" ")
        if text and count.isdecimal() and len(count) < 16 and (len(stacks) < MAX_STACKS):
            stacks[_bounded(text.split(";", DEEPEST))] += float(count)
    return dict(stacks)


def of_processes(lines: Iterable[str]) -> Iterator[str]:
    """Lines of py-spy's text form, without the processes named before functions (`process 7:"sh ...";f 12`).

    Their command lines are those of the sandbox, too, and may have line ends: what is only a part of one is left out.
    """
    for line in lines:
        _, mark, functions = line.rpartition('";')
        if mark and not functions.startswith("process "):
            yield functions


def sampled(lines: Iterable[str], since: float = 0.0) -> dict[Stack, float]:
    """Stacks from what `perf script` prints, without those of the programs around a sandbox.

    Samples from before the moment `since`, in seconds of the clock that perf was told, do not count.
    """
    stacks: defaultdict[Stack, float] = defaultdict(float)
    names: list[str] = []
    counts = False

    def end() -> None:
        if names and counts and len(stacks) < MAX_STACKS:
            stacks[_bounded(names[::-1])] += 1.0
        names.clear()

    for whole in lines:
        line = whole[:LONGEST_LINE]
        if not line.strip():
            end()
        elif line[0].isspace():
            if len(names) < 4 * DEEPEST and (name := _function(line, is_cut=len(line) < len(whole))):
                names.append(name)
        else:
            end()
            head = HEAD.match(line)
            counts = head is not None and head["comm"] not in AROUND and float(head["time"]) >= since
    end()
    return dict(stacks)


def _function(line: str, is_cut: bool) -> str:
    """The function of a line of perf's; of a line that was cut, the beginning of its name; empty if there is none."""
    found = FRAME.match(line)
    if found is None:
        return line.split(maxsplit=1)[-1][:LONGEST_NAME] if is_cut else ""
    name: str = found["name"]
    return name if name != "[unknown]" else f"[{found['file'].rpartition('/')[2]}]"


def stacks_of(found: Calls) -> dict[Stack, float]:
    """Stacks put together from calls: what a function takes is shared among its callers as they were measured.

    For a function with several callers that is an estimate: cProfile does not know which of its own calls it made for
    which of them.
    """
    calls = found.calls
    if not calls:
        return {}
    root = found.root
    if not 0 <= root < len(calls):
        root = max(range(len(calls)), key=lambda at: calls[at].whole)
    total = calls[root].whole
    if total <= 0:
        return {}
    called = _called(calls, SMALL * total)
    names = [call.name[:LONGEST_NAME] for call in calls]
    stacks: defaultdict[Stack, float] = defaultdict(float)
    waiting: list[tuple[tuple[int, ...], float]] = [((root,), total)]
    visited = 0
    while waiting:
        path, weight = waiting.pop()
        visited += 1
        whole, left = calls[path[-1]].whole, weight
        if whole > 0 and visited <= MAX_PATHS and len(path) < DEEPEST:
            share = min(1.0, weight / whole)
            for at, seconds in called.get(path[-1], ()):
                part = min(seconds * share, left)
                if part > 0 and part >= SMALL * total and at not in path:
                    waiting.append(((*path, at), part))
                    left -= part
        if left > 0:
            stacks[tuple(names[at] for at in path)] += left
    return dict(stacks)


def _called(calls: list[Call], least: float) -> dict[int, list[tuple[int, float]]]:
    """For each function the functions that it calls, and the seconds that each takes for it: `least` or more.

    Each function is looked through again for every path to it, so that it keeps only `MAX_CALLED`.
    """
    called: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for at, call in enumerate(calls):
        for caller, seconds in call.callers:
            if seconds >= least and 0 <= caller < len(calls) and caller != at:
                called[caller].append((at, seconds))
    for caller, functions in called.items():
        if len(functions) > MAX_CALLED:
            called[caller] = nlargest(MAX_CALLED, functions, key=lambda each: each[1])
    return called


def _bounded(names: list[str]) -> Stack:
    return tuple(name[:LONGEST_NAME] for name in names[:DEEPEST])
