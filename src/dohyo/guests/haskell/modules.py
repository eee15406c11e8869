"""Haskell folders: `app/` and `src/` as Cabal and Stack have them, built by ghc alone.

Theory of operation
-------------------
ghc finds the modules that a program imports by itself, if it is told in which folders their names begin. A module's
own name says that: `module Game.Board` in `src/Game/Board.hs` begins in `src`. So no manifest is needed. Of a
`.cabal` file or a `package.yaml` two things are read: which source is the program's main one, where several could be,
and the extensions of the language that all modules have. Packages are not loaded: what comes with ghc is there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from dohyo.bots.aside import beginning, is_aside, is_left, of_program
from dohyo.bots.build_plan import BuildPlan, Sources, make, readable, stems_of
from dohyo.bots.content import Content, listed, read_text
from dohyo.bots.manifests import LONGEST_MANIFEST
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import Language, by_ending

_MODULE = re.compile(r"^module[ \t\r\n]++([A-Z][\w.']*+)", re.MULTILINE)
_MANIFEST = re.compile(r"[^/]+\.cabal|package\.yaml")
# What a manifest says of a program: its main source, and the folders in which that may be.
_MAIN_IS = re.compile(r"^[ \t]++(?:main-is|main)[ \t]*+:[ \t]*+([\w./-]++)[ \t]*+$", re.MULTILINE | re.IGNORECASE)
_DIRS = re.compile(r"^[ \t]*+(?:hs-source-dirs|source-dirs)[ \t]*+:([^\n]*+)", re.MULTILINE | re.IGNORECASE)
# The list behind `default-extensions:`, in the same line and in those that are indented below it.
_EXTENSIONS = re.compile(r"^([ \t]*+)default-extensions[ \t]*+:((?:[^\n]*+)(?:\n(?:\1[ \t]++|[ \t]*+-)[^\n]*+)*+)",
                         re.MULTILINE | re.IGNORECASE)  # fmt: skip
_EXTENSION = re.compile(r"(?<![\w.-])[A-Z]\w++")
MAX_NAMED = 100  # folders and extensions that a manifest may name


def main_of(content: Content, language: Language, spec: str) -> str:
    """The source in which the folder's program begins. Raises `OperatorError` where it cannot be told."""
    names = _sources(content.files, language)
    kept = beginning(names, language, content.files) or names
    if len(kept) > 1:
        named = _named_mains(content.files)
        kept = [name for name in kept if name in named] or kept
    if len(kept) > 1:
        least = min(name.count("/") for name in kept)
        kept = [name for name in kept if name.count("/") == least]
    for stem in stems_of(language, content.root) if len(kept) > 1 else ():
        if found := [name for name in kept if PurePosixPath(name).stem == stem]:
            kept = found
            break
    if len(kept) != 1:
        raise OperatorError("bot-several-mains", bot=spec, mains=listed(kept))
    return kept[0]


def haskell_plan(sources: Sources, tools: Tools, *, alone: bool) -> BuildPlan:
    """The build plan for a program: ghc with the folders of its modules, and its extensions."""
    folders = {str(PurePosixPath(sources.main).parent): None}
    for name in _sources(sources.files, sources.language):
        folders.setdefault(_beginning_of(name, sources.files))
    named = [word for text in _manifests(sources.files) for word in _extensions(text)]
    words = (*(f"-i{folder}" for folder in folders), *(f"-X{word}" for word in dict.fromkeys(named)))
    return make(sources, tools, more={"modules": words}, placed=None if alone else readable(sources))


def _sources(files: Mapping[str, Path], language: Language) -> list[str]:
    """The sources that are the program's; with what only tests it, where nothing else is there."""
    every = [name for name in files if by_ending(name) is language and not is_left(name)]
    own = [name for name in every if not is_aside(name)] or every
    return of_program(own, language, files)


def _beginning_of(name: str, files: Mapping[str, Path]) -> str:
    """The folder in which a source's module begins: `src` of `module A.B` in `src/A/B.hs`."""
    found = _MODULE.search(read_text(files[name]))
    path = PurePosixPath(name)
    if found is not None:
        parts = found[1].split(".")
        if path.with_suffix("").parts[-len(parts) :] == tuple(parts):
            return str(PurePosixPath(*path.parts[: -len(parts)]))
    return str(path.parent)


def _manifests(files: Mapping[str, Path]) -> list[str]:
    """The texts of a folder's `.cabal` files and `package.yaml`."""
    return [read_text(path)[:LONGEST_MANIFEST] for name, path in files.items() if _MANIFEST.fullmatch(name)]


def _named_mains(files: Mapping[str, Path]) -> set[str]:
    """Paths that may be the main source by what the manifests name: each folder with each main."""
    texts = _manifests(files)
    mains = [found for text in texts for found in _MAIN_IS.findall(text)][:MAX_NAMED]
    lines = [found for text in texts for found in _DIRS.findall(text)][:MAX_NAMED]
    folders = [folder for line in lines for folder in re.split(r"[\s,\[\]]+", line)[:MAX_NAMED] if folder]
    return {str(PurePosixPath(folder, main)) for folder in (".", *folders[:MAX_NAMED]) for main in mains}


def _extensions(text: str) -> list[str]:
    """The names of extensions that a manifest switches on for all modules."""
    return [name for found in _EXTENSIONS.finditer(text) for name in _EXTENSION.findall(found[2])][:MAX_NAMED]
