"""Records of bots that were prepared before: who plays the same bot again need not recognise and build it again.

Theory of operation
-------------------
A record, `prepared/KEY` in the cache, holds a bot, and all that its preparation has looked at: the bytes of its
files, the names of files that were looked for beside it and are not there, the programs that the PATH led to. If all
that is as it was, preparing the bot once more would end in the same bot, so the record's is taken. In every other
case, and when in doubt, the bot is prepared (`preparation.py`), and its record written anew.

A single source file has a record, ours or a stranger's. Folders, executables and command lines have none; nor has a
bot for which a program had to be asked something that may change while its file stays (a version manager's shim; a
Python 2), or whose files lie in folders that were listed (Java).

Nothing of a stranger's is parsed here: a file beside the copy in the cache is only compared with what is known of it.
It is that copy that runs, and it is compared too.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from dohyo.bots.bot import Bot
from dohyo.bots.program_files import ProgramFile, first
from dohyo.bots.samples import Samples, found_sample
from dohyo.core.bot_spec import BotSpec, HandIn, Sample
from dohyo.system import cache_mark

FOLDER = "prepared"  # in the cache
FORMAT = 1
MAX_MISSING = 1000  # names of a record
CHUNK = 1 << 20  # bytes read at once
# Our own code that prepares bots: what it does may change from one version of it to the next.
OURS = (Path(__file__).parent, Path(__file__).parent.parent / "languages")
MADE_BY_RUNNING = "__pycache__"  # a folder in a copy, of a Python that ran without a sandbox; it is no part of a bot


class Content(msgspec.Struct, frozen=True):
    """What is known of one file: its size, the SHA-256 of its bytes in hex, and whether it can be executed."""

    size: int
    digest: str
    executable: bool


class Basis(msgspec.Struct, frozen=True):
    """What was looked at when a single source file was recognised.

    `origin` is its folder, `main` its name. `files` are those that were copied from there, by relative name; `kept`
    are the names of those that are a part of the bot. `missing` are names of files that were looked for in vain.
    `code` are the files of a guest that has brought the language, with size and time of change.
    """

    origin: str
    main: str
    files: dict[str, Content]
    kept: tuple[str, ...]
    missing: tuple[str, ...]
    code: dict[str, tuple[int, int]] = {}


class Record(msgspec.Struct, frozen=True):
    """A bot, what was looked at, the programs that were searched by name, and by which code it was prepared."""

    bot: Bot
    basis: Basis
    programs: dict[str, ProgramFile | None]
    code: str


class Prepared(NamedTuple):
    """The records in a cache, for bots that are named and prepared on these terms, as in `typed_words.resolve`.

    `apart` returns the real paths of hand-ins that never belong to another one. `own_files` says whether bots are
    built under neutral paths, `debug` whether as debug builds.
    """

    cache: Path
    samples: Mapping[str, Path]
    apart: Callable[[], Collection[str]]
    follow: bool
    own_files: bool
    debug: bool = False

    def has_sample(self, name: str) -> bool:
        """Whether a sample bot of this name was prepared before, among samples of the same names as now."""
        place = self._place(Sample(name))
        return place is not None and os.path.exists(self._path(place))

    def find(self, spec: BotSpec) -> Bot | None:
        """The bot that is meant, if it was prepared before and nothing has changed since."""
        place = self._place(spec)
        if place is None:
            return None
        try:
            record = msgspec.json.decode(self._path(place).read_bytes(), type=Record)
        except (OSError, msgspec.DecodeError):
            return None
        if not self._holds(record, place[0] in ("own", "entry")):
            return None
        return msgspec.structs.replace(record.bot, spec=spec)

    def note(self, spec: BotSpec, bot: Bot, basis: Basis, programs: Mapping[str, ProgramFile | None]) -> None:
        """Write the record of a bot that was prepared; a cache that cannot be written to has none."""
        import tempfile

        place = self._place(spec)
        if place is None or place[1] != (basis.origin if place[0] == "sample" else f"{basis.origin}/{basis.main}"):
            return  # a sample bot of another folder, or what was taken is another file
        with suppress(OSError, UnicodeEncodeError):  # JSON has no way to tell names that are no text
            made = msgspec.json.encode(Record(msgspec.structs.replace(bot, spec=None), basis, dict(programs), CODE))
            path = self._path(place)
            cache_mark.mark(self.cache)
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                file.write(made)
            os.replace(file.name, path)

    def _place(self, spec: BotSpec) -> tuple[str, ...] | None:
        """What has a record: a hand-in or a sample bot without arguments; None for anything else."""
        if isinstance(spec, HandIn) and not spec.arguments:
            return "entry" if spec.entry else "own", spec.path
        if not isinstance(spec, Sample) or spec.arguments:
            return None
        if isinstance(self.samples, Samples):
            return "sample", str(self.samples.folder), spec.name, *self.samples.entries
        path = found_sample(self.samples, spec.name)
        return None if path is None else ("given", os.path.abspath(path))

    def _path(self, place: tuple[str, ...]) -> Path:
        terms = self.follow, self.own_files, self.debug
        name = msgspec.json.encode([FORMAT, *terms, [os.fsencode(part).hex() for part in place]])
        return self.cache / FOLDER / hashlib.sha256(name).hexdigest()

    def _holds(self, record: Record, is_own: bool) -> bool:
        """Whether everything is as it was."""
        basis = record.basis
        return (
            record.code == CODE
            and _is_code(basis.code)
            and all(_is_same(basis.origin, name, known) for name, known in basis.files.items())
            and not any(os.path.lexists(os.path.join(basis.origin, name)) for name in basis.missing)
            and not (is_own and self._may_be_apart(basis))
            and _is_kept(record.bot.staged, basis)
            and all(first(name) == known for name, known in record.programs.items())
            and _stands(record.bot)
        )

    def _may_be_apart(self, basis: Basis) -> bool:
        """Whether a file that the source brings along may be another hand-in now, or lie in one: by names alone."""
        parts = {part for name in basis.files if name != basis.main for part in name.split("/")}
        return bool(parts) and any(os.path.basename(path) in parts for path in self.apart())


def content_of(path: Path) -> Content:
    """What is known of a file from now on. Raises `OSError`."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        status = os.fstat(file.fileno())
    return Content(status.st_size, digest, bool(status.st_mode & stat.S_IXUSR))


def _is_same(folder: str, name: str, known: Content) -> bool:
    """Whether a file has this content, and is reached through no link; of another size it is not read."""
    parts = name.split("/")
    if any(os.path.islink(os.path.join(folder, *parts[:length])) for length in range(1, len(parts))):
        return False
    try:
        opened = os.open(os.path.join(folder, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(opened, "rb") as file:
            status = os.fstat(opened)
            if not stat.S_ISREG(status.st_mode) or status.st_size != known.size:
                return False
            digest, left = hashlib.sha256(), known.size
            while left and (chunk := file.read(min(left, CHUNK))):
                digest.update(chunk)
                left -= len(chunk)
            is_longer = bool(file.read(1))
    except OSError:
        return False
    found = Content(known.size - left, digest.hexdigest(), bool(status.st_mode & stat.S_IXUSR))
    return found == known and not is_longer


def _is_code(known: dict[str, tuple[int, int]]) -> bool:
    """Whether the files of the guest that has brought a language are as they were; true where none has."""
    if not known:
        return True
    from dohyo.languages.brought import stamps

    return stamps(known) == known


def _is_kept(staged: str, basis: Basis) -> bool:
    """Whether the copy in the cache holds the bot's files and nothing else: bots without a sandbox can change it."""
    wanted = {os.path.join(staged, name) for name in basis.kept}
    folders = {os.path.dirname(path) for path in wanted}
    folders |= {str(above) for folder in folders for above in Path(folder).parents}
    for place, below, names in os.walk(staged):
        if MADE_BY_RUNNING in below:
            below.remove(MADE_BY_RUNNING)
        if any(os.path.join(place, name) not in wanted for name in names):
            return False
        if any(os.path.join(place, name) not in folders for name in below):
            return False
    return bool(wanted) and all(_is_same(staged, name, basis.files[name]) for name in basis.kept)


def _stands(bot: Bot) -> bool:
    """Whether the bot's build is still the one that counts; true of a bot that has none."""
    if not bot.built:
        return True
    from dohyo.bots.cache import is_again, last_build

    built = last_build(Path(bot.built).parent, bot.form[:-1])
    return built is not None and (built.folder, built.log) == (bot.built, bot.log) and not is_again(built)


def _code() -> str:
    """What identifies the code that prepares bots: of Dohyo, and of the Python that runs it.

    A file's time of change is when it was written here, whatever time an archive has given it.
    """
    system = os.uname()
    base = getattr(sys, "_base_executable", "")
    files = []
    for folder in OURS:
        with os.scandir(folder) as entries:
            found = sorted((entry.path, entry.stat()) for entry in entries if entry.name.endswith(".py"))
        files += [(path, status.st_size, status.st_ctime_ns) for path, status in found]
    known = (FORMAT, sys.version, sys.executable, base, system.sysname, system.machine, files)
    return hashlib.sha256(repr(known).encode("utf-8", "surrogateescape")).hexdigest()


CODE = _code()  # when this code was read
