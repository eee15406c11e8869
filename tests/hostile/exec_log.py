"""Which programs this process starts, and what each of them sees: the oracle for tests of what may be started.

An audit hook of Python notes every start. Such a hook stays for the rest of the process, so it is added once, and
listens only while a log is open.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from dohyo.bots.program_files import first
from dohyo.sandbox import bubblewrap

STARTS = {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system"}
SHELL = ("/bin/sh", "-c", "SCRIPT", "dohyo")  # ours in the box, before the program's own words
COPIES = ("hand-ins", "builds")  # folders of the cache
BINDS = ("--ro-bind", "--bind", "--ro-bind-try", "--bind-try", "--dev-bind", "--dev-bind-try")
_open: list[list[tuple[str, ...]]] = []


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if not _open or event not in STARTS:
        return
    words = arguments[0] if event == "os.system" else arguments[1]
    texts = [words] if isinstance(words, str | bytes) else list(words)  # type: ignore[call-overload]
    _open[-1].append(tuple(os.fsdecode(word) for word in texts))


@cache
def _listen() -> None:
    sys.addaudithook(_note)


@contextmanager
def starts() -> Iterator[list[tuple[str, ...]]]:
    """The words of every program that is started meanwhile."""
    _listen()
    _open.append([])
    try:
        yield _open[-1]
    finally:
        _open.pop()


def wrongly_started(log: Sequence[tuple[str, ...]], strangers: Sequence[Path], ours: Path) -> list[tuple[str, ...]]:
    """The starts that nobody but a stranger can have wanted.

    A program may be started that the operator's PATH finds, or our own Python. Of what lies in `strangers` a boxed
    program sees nothing; what it sees of `ours`, the cache, is below the folders of copies and builds.
    """
    return [words for words in log if not _is_right(words, [os.path.realpath(place) for place in strangers], ours)]


def _is_right(words: tuple[str, ...], strangers: Sequence[str], ours: Path) -> bool:
    if not _is_known(words[0]):
        return False
    box = next((at for at, word in enumerate(words) if word in bubblewrap.programs()), None)
    if box is None:
        return not any(_is_below(word, strangers) for word in words[1:])
    end = words.index("--", box)
    options, own = words[box:end], words[end + 1 + len(SHELL) :]
    sources = [options[at + 1] for at, word in enumerate(options) if word in BINDS]
    private, copies = [*strangers, os.path.realpath(ours)], [os.path.realpath(ours / name) for name in COPIES]
    return (
        all(not _is_below(source, private) or _is_below(source, copies) for source in sources)
        and bool(own)
        and (own[0].startswith(("/bot/", "/build/")) or _is_known(own[0]))
    )


def _is_known(word: str) -> bool:
    """Whether the operator's PATH finds this program, or it is the Python that runs us."""
    known = first(os.path.basename(word))
    same = known is not None and os.path.realpath(known.path) == os.path.realpath(word)
    return same or os.path.realpath(word) == os.path.realpath(sys.executable)


def _is_below(path: str, places: Sequence[str]) -> bool:
    real = os.path.realpath(path)
    return os.path.isabs(path) and any(real == place or real.startswith(f"{place}/") for place in places)
