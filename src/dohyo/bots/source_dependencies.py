"""Finds the files that a single source needs: headers, modules and classes near it.

An operator who names `mybot/main.cpp` means the header in the same folder too. A language's row says how a source
names another one (`dohyo.languages.mentions`); the files found in this way belong to the bot, are part of its digest,
and are there when it is built.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from dohyo import doors
from dohyo.bots.content import LOOKED_INTO, read_text
from dohyo.languages import Language
from dohyo.languages.mentions import LONGEST, mentions_of
from dohyo.languages.mentions import included as included_by
from dohyo.system import hand_in_limits as limits

# Sources come from strangers: so there are limits to how many files are searched, and how much of them is read.

C_MAIN = re.compile(r"\bmain\s*\([^()]*\)\s*(?:noexcept\s*)?(?:->\s*int\s*)?(?:try\s*)?\{")


class Near:
    """What lies near a source: here, the files themselves. Who reads a copy asks for them (`reader_process`)."""

    def has(self, path: Path) -> bool:
        """Whether there is such a file; what no file can be called is none."""
        try:
            return path.is_file()
        except (OSError, ValueError):
            return False

    def sources(self, folder: Path, ending: str) -> list[Path]:
        """The files of a folder with a language's ending, in order; `MAX_NAMED_SOURCES` at most."""
        try:
            with os.scandir(folder) as entries:
                names = sorted(entry.name for entry in entries if entry.name.endswith(ending))
                return [folder / name for name in names[: limits.MAX_NAMED_SOURCES]]
        except OSError:
            return []


class Looks:
    """What is looked for near a source: each name once, of names and bytes no more than anybody's sources have."""

    def __init__(self, known: Iterable[Path], near: Near) -> None:
        self._seen = set(known)
        self._near = near
        self._bytes = 0

    def next_of(self, names: Iterator[Path]) -> Path | None:
        """The next file that is there and was not met before; None when there are no more."""
        for one in names:
            if len(self._seen) >= limits.MAX_LOOKS:
                break
            if one not in self._seen:
                self._seen.add(one)
                if self._near.has(one):
                    return one
        return None

    def into(self, path: Path) -> bool:
        """Whether this file too may be looked into."""
        with suppress(OSError):
            self._bytes += min(path.stat().st_size, LOOKED_INTO)
        return self._bytes <= limits.MAX_NAMED_SOURCES_BYTES


def source_dependencies(source: Path, language: Language, near: Near) -> list[Path]:
    """`source` and every file near it that it brings along, what is needed before what needs it: `source` last.

    Raises `OperatorError` for one that cannot be read.
    """
    if language.beside:
        return [*doors.load(language.beside)(source, near), source]
    return _walked(source, language, Looks([source], near))


def _walked(source: Path, language: Language, looks: Looks) -> list[Path]:
    """`source` last, and before it what it brings along that `looks` did not meet yet."""
    order: list[Path] = []
    # Each open file with the candidates that are still to be looked at: a walk without recursion, as deep as it goes.
    open_files = [(source, _candidates(source, language, looks, top=True))]
    while open_files:
        path, rest = open_files[-1]
        found = looks.next_of(rest) if len(order) + len(open_files) < limits.MAX_NAMED_SOURCES else None
        if found is None:
            order.append(path)
            open_files.pop()
        else:
            open_files.append((found, _candidates(found, language, looks, top=False)))
    return order


def partners(found: Iterable[Path], language: Language, near: Near) -> list[Path]:
    """The sources that implement the headers among `found`: `board.cpp` beside `board.h`, and theirs in turn.

    Only sources without a `main` of their own: those with one are other programs.
    """
    known = list(found)
    met = set(known)
    looks = Looks(known, near)
    new: list[Path] = []
    for path in known:  # grows while it is walked
        if path.suffix in language.headers and len(known) < limits.MAX_NAMED_SOURCES:
            beside = [path.with_suffix(ending) for ending in language.endings]
            partner = next((one for one in beside if one not in met and near.has(one)), None)
            if partner is not None and not has_main(partner):
                new.append(partner)
                more = [one for one in _walked(partner, language, looks) if one not in met]
                met.update(more)
                known += more
    return new


def has_main(source: Path) -> bool:
    """Whether a source in C or C++ has a `main`."""
    from dohyo.bots.stripped import strip

    return C_MAIN.search(strip(read_text(source))) is not None


def included(sources: Iterable[Path]) -> set[Path]:
    """Files that C and C++ sources include: not to be compiled on their own; none where that would be all of them."""
    compiled = set(sources)
    found: set[Path] = set()
    for source in compiled:
        names = set(included_by(read_text(source)))
        paths = {Path(os.path.normpath(source.parent / name)) for name in names if len(name) <= LONGEST}
        found |= paths - {source}
    return found if compiled - found else set()


def _candidates(path: Path, language: Language, looks: Looks, top: bool) -> Iterator[Path]:
    if not looks.into(path):
        return
    text = read_text(path)
    folders = [path.parent]
    if language.in_own_folder and not top and path.name != "mod.rs":
        folders.insert(0, path.parent / path.stem)  # the modules of b.rs lie in b/
    named: set[str] = set()
    for names in mentions_of(language.mentions):
        for name in names(text):
            if name in named or len(name) > LONGEST or "\0" in name or os.path.isabs(name):
                continue
            named.add(name)
            for folder in folders:
                yield Path(os.path.normpath(folder / name))
