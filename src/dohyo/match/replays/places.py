"""Where many replays are: in files that words name, and in folders of them. Or a word names a store."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from dohyo.core.errors import OperatorError
from dohyo.match.files import SQLITE, read_bounded

ENDINGS = (".replay", ".replay.zst")
MAX_FILES = 100_000  # that folders may hold


def is_store(word: str) -> bool:
    """Whether a word names a store: the address of one, or a file that is a database."""
    if "://" in word:
        return True
    return not os.path.isdir(word) and read_bounded(word, len(SQLITE)) == SQLITE


def replay_files(words: Sequence[str]) -> list[str]:
    """The files that words name, and those of replays in the folders; each once, by whatever names.

    Raises `OperatorError` where there are too many.
    """
    return list({os.path.realpath(path): path for path in _files(words)}.values())


def _files(words: Sequence[str]) -> Iterator[str]:
    from dohyo.match.replays import last

    count = 0
    for word in words:
        if last.is_meant(word) or not os.path.isdir(word):
            yield word
            continue
        for folder, below, names in os.walk(word):
            below.sort()
            for one in sorted(names, key=_in_order):
                if one.endswith(ENDINGS):
                    count += 1
                    if count > MAX_FILES:
                        raise OperatorError("too-many-replays", place=word, most=MAX_FILES)
                    yield str(Path(folder) / one)


def _in_order(name: str) -> list[tuple[int, str]]:
    """What a name is sorted by: of numbers in it, 9 comes before 10."""
    parts = re.split(r"([0-9]{1,18})", name)  # every other one is a number
    return [(int(part), "") if at % 2 else (-1, part) for at, part in enumerate(parts)]
