"""Stacks of functions and the time that each took, from what profilers write.

A stranger's program has a part in all of that: names are cut, depths and numbers are bounded, no line is tried twice.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

Stack = tuple[str, ...]

MOST_STACKS, DEEPEST, LONGEST_NAME = 100_000, 200, 300
SMALL = 0.0005  # of all time: less is not followed any further in calls
# What stands around a program in a sandbox, by the name that the kernel has for it.
AROUND = frozenset({"bwrap", "perf", "perf-exec"})
# A sample of perf: `comm pid/tid time: event:`, then a line for each function, the innermost first.
HEAD = re.compile(r"(?P<comm>\S.*?)\s+\d+/\d+\s+[\d.]+:")
FRAME = re.compile(r"\s+[0-9a-f]+ (?P<name>.+) \((?P<file>[^()]*)\)$")


class Call(msgspec.Struct):
    """A function of cProfile: its name, the seconds that it took itself and with all that it called, and its callers.

    Each caller has its number in the list, and the seconds that the function took with all for it.
    """

    name: str
    own: float
    whole: float
    callers: list[tuple[int, float]]


class Calls(msgspec.Struct):
    """What `bots/runtime/profile_to_file.py` writes; `root` is the number of the program itself, -1 if not known."""

    calls: list[Call]
    root: int = -1


def folded(lines: Iterable[str]) -> dict[Stack, float]:
    """Stacks from the text form `a;b;c 12`, the outermost function first."""
    stacks: defaultdict[Stack, float] = defaultdict(float)
    for line in lines:
        text, _, count = line.strip().rpartition(" ")
        if text and count.isdecimal() and len(count) < 16 and (len(stacks) < MOST_STACKS):
            stacks[_bounded(text.split(";"))] += float(count)
    return dict(stacks)


def of_processes(lines: Iterable[str]) -> Iterator[str]:
    """Lines of py-spy's text form, without the processes named before functions (`process 7:"sh ...";f 12`).

    Their command lines are those of the sandbox, too, and may have line ends: what is only a part of one is left out.
    """
    for line in lines:
        _, mark, functions = line.rpartition('";')
        if mark and not functions.startswith("process "):
            yield functions


def sampled(lines: Iterable[str]) -> dict[Stack, float]:
    """Stacks from what `perf script` prints, without those of the programs around a sandbox."""
    stacks: defaultdict[Stack, float] = defaultdict(float)
    names: list[str] = []
    counts = False

    def end() -> None:
        if names and counts and len(stacks) < MOST_STACKS:
            stacks[_bounded(names[::-1])] += 1.0
        names.clear()

    for line in lines:
        if not line.strip():
            end()
        elif line[0].isspace():
            found = FRAME.match(line)
            if found is not None and len(names) < 4 * DEEPEST:
                plain = found["name"] != "[unknown]"
                names.append(found["name"] if plain else f"[{found['file'].rpartition('/')[2]}]")
        else:
            end()
            head = HEAD.match(line)
            counts = head is not None and head["comm"] not in AROUND
    end()
    return dict(stacks)


def stacks_of(found: Calls) -> dict[Stack, float]:
    """Stacks put together from calls: what a function takes is shared among its callers as they were measured.

    For a function with several callers that is an estimate: cProfile does not know which of its own calls it made for
    which of them.
    """
    calls = found.calls
    called: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for at, call in enumerate(calls):
        for caller, seconds in call.callers:
            if 0 <= caller < len(calls) and caller != at:
                called[caller].append((at, max(0.0, seconds)))
    if not calls:
        return {}
    root = found.root
    if not 0 <= root < len(calls):
        root = max(range(len(calls)), key=lambda at: calls[at].whole)
    total = max(0.0, calls[root].whole)
    stacks: defaultdict[Stack, float] = defaultdict(float)
    waiting: list[tuple[tuple[int, ...], float]] = [((root,), total)]
    while waiting and len(stacks) < MOST_STACKS:
        path, weight = waiting.pop()
        call = calls[path[-1]]
        share = weight / call.whole if call.whole > 0 else 0.0
        left = weight
        for at, seconds in called[path[-1]]:
            part = min(seconds * share, left)
            if part >= SMALL * total and at not in path and len(path) < DEEPEST:
                waiting.append(((*path, at), part))
                left -= part
        if left > 0:
            stacks[_bounded([calls[at].name for at in path])] += left
    return dict(stacks)


def _bounded(names: list[str]) -> Stack:
    return tuple(name[:LONGEST_NAME] for name in names[:DEEPEST])
