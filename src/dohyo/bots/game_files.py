"""What a game that is not Dohyo's own is made of: the files that a bot may see, and on which its build depends.

The folder of a game may hold anything else too, such as hand-ins, notes and keys. So a file is taken because the
game's own sources name it, not because it is there: we begin with the file of rules or `__init__.py` and with the
parts that every game may have (`rules.py`, `protocol.py`, ...), and go on with each source that they import from the
game itself or quote. Nothing hidden is taken, no link, nothing but plain files, and of `bots/` only what is imported.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection
from pathlib import Path

from dohyo.bots.safe_paths import IGNORED, OpenFolder

MAX_FILES = 500
LARGEST = 4 << 20  # bytes of one file
MAX_BYTES = 32 << 20  # of all
MAX_NAMES = 10_000  # that are looked at in one folder
DEEPEST = 5  # folders in the game's own
START = "__init__.py"
TEXTS = "i18n"  # the folder of a game's sentences
SAMPLES = "bots"
RULES = ("rules", "reading")  # further parts; the others are those of a game in one file
DATA = (".json", ".toml", ".txt", ".csv", ".npy", ".npz")  # beside the sources that name them
_IMPORT = re.compile(rb"^[ \t]*+(?:from|import)\b[^\n(]*+(?:\([^)]*+\))?", re.MULTILINE)
_RELATIVE = re.compile(rb"[ \t]*+from[ \t]*+\.")
_QUOTED = re.compile(rb"""["']([\w.-]{1,100})["']""")
_WORD = re.compile(rb"\w+")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-\w{1,10})?\.json")


def game_files(named: Path, also: Collection[str] = ()) -> dict[str, bytes]:
    """The content of a game's files, by relative path from the folder that the game lies in; none if it is no game.

    `named` is the game's folder, or its one file of rules, which has a folder of its name beside it or none. `also`
    are names of sources that count as if they were imported. What cannot be read, or is too much, is left out.
    """
    found = _Files(named.stem if named.suffix == ".py" else named.name, also)
    try:
        if named.suffix == ".py":
            real = Path(os.path.realpath(named))  # the operator may name a link
            with OpenFolder(real.parent, follow=True) as above:
                found.take(above, real.name, named.name)
            named = named.with_suffix("")
            if not found.files:
                return {}
        with OpenFolder(named, follow=True) as folder:
            found.gather(folder, named.name)
    except OSError:  # there is no such folder
        pass
    return found.files


class _Files:
    """The files that were taken, and the names that their sources say."""

    def __init__(self, package: str, also: Collection[str]) -> None:
        from dohyo.one_file.reading import PARTS

        self._package = package.replace("-", "_")
        self.files: dict[str, bytes] = {}
        self._left = MAX_BYTES
        self._named = {*PARTS, *RULES, *also}
        self._imported: set[str] = set(also)
        self._tried: set[str] = set()
        self._listed: dict[str, list[str]] = {}

    def gather(self, folder: OpenFolder, name: str) -> None:
        """Take all that belongs to the game of an open folder."""
        if not self.files:  # a folder is a game if it has one of these
            self.take(folder, START, f"{name}/{START}")
        before = -1
        while self.files and before < len(self.files):
            before = len(self.files)
            self._pass(folder, "", f"{name}/", 0)

    def _pass(self, folder: OpenFolder, within: str, shown: str, depth: int) -> None:
        """Take what is named by now, in this folder and in those below it."""
        for name in self._names(folder, within):
            path = within + name
            stem, ending = os.path.splitext(name)
            if within == f"{TEXTS}/":
                wanted = _LANGUAGE.fullmatch(name) is not None
            elif ending == ".py":
                wanted = stem in self._named or name in (START, *self._named)
            elif ending:
                wanted = ending in DATA and name in self._named
            else:
                if depth < DEEPEST and self._is_wanted(folder, path):
                    self._pass(folder, f"{path}/", f"{shown}{name}/", depth + 1)
                continue
            if wanted:
                self.take(folder, path, shown + name)

    def _is_wanted(self, folder: OpenFolder, path: str) -> bool:
        """Whether a folder is the game's own: a package that its sources name, or its sentences."""
        if path == TEXTS:
            return True
        name = path.rpartition("/")[2]
        return name in (self._imported if name == SAMPLES else self._named) and START in self._names(
            folder, f"{path}/"
        )

    def _names(self, folder: OpenFolder, within: str) -> list[str]:
        """The names in a folder that may belong to a game, in order; none if it is no folder."""
        if within not in self._listed:
            try:
                names = folder.names(within.rstrip("/"), MAX_NAMES)
            except OSError:
                names = []
            self._listed[within] = sorted(each for each in names if each[0] != "." and each not in IGNORED)
        return self._listed[within]

    def take(self, folder: OpenFolder, path: str, shown: str) -> None:
        """Take a file, once, if it is a plain one for which there is room."""
        if shown in self._tried or len(self.files) == MAX_FILES:
            return
        self._tried.add(shown)
        content = _read(folder, path, min(LARGEST, self._left))
        if content is None:
            return
        self.files[shown] = content
        self._left -= len(content)
        if path.endswith(".py"):
            self._note(content)

    def _note(self, source: bytes) -> None:
        """Note what a source imports from the game itself, and the names that it quotes."""
        for line in _IMPORT.findall(source):
            words = {word.decode() for word in _WORD.findall(line)}
            if _RELATIVE.match(line) or self._package in words:
                self._imported |= words
        self._named |= self._imported | {word.decode() for word in _QUOTED.findall(source)}


def _read(folder: OpenFolder, path: str, most: int) -> bytes | None:
    """The content of a plain file; none if it is another thing, cannot be read, or is larger than `most` bytes."""
    try:
        descriptor = folder.file(path)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            content = file.read(most + 1)
        except OSError:
            return None
    return content if len(content) <= most else None
