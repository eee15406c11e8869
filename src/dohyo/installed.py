"""What installed packages say of themselves in their entry points, read without importing any of them.

Importing `importlib.metadata` takes longer than all else that `dohyo --help` does; most machines have no package with
an entry point of ours, and then nothing more is needed than to look for its group in a few dozen small files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache


def entry_points(group: str) -> dict[str, str]:
    """The entry points of a group, each with its value, as "package.module:name"; the first of a name is meant."""
    found: dict[str, str] = {}
    for content in _files():
        current = ""
        for line in content.splitlines() if f"[{group}]" in content else ():
            word = line.strip()
            if word.startswith("["):
                current = word[1:-1].strip()
            elif current == group and "=" in word and word[0] not in "#;":
                name, _, value = word.partition("=")
                found.setdefault(name.strip(), value.strip())
    return found


def folder_of(module: str) -> str | None:
    """Where a module that is a folder lies, by its name; none where it is nowhere. It is not imported."""
    below = os.path.join(*module.split("."))
    return next((path for each in dict.fromkeys(sys.path) if os.path.isdir(path := os.path.join(each, below))), None)


@cache
def _files() -> tuple[str, ...]:
    """What the installed packages have written in theirs."""
    return tuple(_read())


def _read() -> Iterator[str]:
    for folder in dict.fromkeys(sys.path):
        try:
            inside = [each.path for each in os.scandir(folder) if each.name.endswith((".dist-info", ".egg-info"))]
        except OSError:
            continue
        for path in inside:
            try:
                with open(os.path.join(path, "entry_points.txt"), encoding="utf-8", errors="replace") as file:
                    yield file.read()
            except OSError:
                continue
