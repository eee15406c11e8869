"""What an author handed in: the files of a folder by relative name, their digest, and copies of them.

Links are kept as links when they stay inside the folder, and refused when they leave it: a bot is the content of its
folder, on every machine that the folder is copied to.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from dohyo import clean
from dohyo.bots.bot import COMMANDS, TOML
from dohyo.bots.safe_paths import SHOWN, LeavesError, Links, OpenFolder, is_ignored, real
from dohyo.core.errors import HandInError, OperatorError
from dohyo.languages import by_manifest
from dohyo.system import hand_in_limits as limits

LOOKED_INTO = 4 << 20
SHOWN_NAME = 30  # characters of a folder's name in a path that is too long

GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ESTALE})  # it was removed or replaced meanwhile

# Marks a Python environment. It contains paths of the machine that made it and works nowhere else, so it is left out.
ENVIRONMENT = "pyvenv.cfg"


# The longest first: what is left of a name without its ending is what the bot is called.
UNPACKED = (".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tbz2", ".txz", ".tar", ".zip")
# What is packed as well, and has to be unpacked by hand.
OTHERS = (".7z", ".rar", ".gz", ".bz2", ".xz", ".zst", ".lzh", ".lha")


class Content(msgspec.Struct, frozen=True):
    """A folder's files and links inside it, by name relative to `root`, with slashes, in sorted order.

    `handed_in` is the folder that was handed in: `root`, or above it.
    """

    root: Path
    files: dict[str, Path]
    links: dict[str, str]
    handed_in: Path


def is_of_folder(name: str) -> bool:
    """Whether a file of this name represents its whole folder."""
    return name in (TOML, COMMANDS) or by_manifest(name) is not None


def is_unpacked(name: str) -> bool:
    """Whether a file of this name is unpacked where a bot is expected."""
    return name.lower().endswith(UNPACKED)


def is_packed(name: str) -> bool:
    """Whether a file of this name is packed, by whatever program."""
    return name.lower().endswith((*UNPACKED, *OTHERS))


def is_notebook(name: str) -> bool:
    """Whether a file of this name is a notebook, which holds a program and is none."""
    return name.lower().endswith(".ipynb")


def stem_of_packed(name: str) -> str:
    """A packed file's name without its ending; with it where nothing but dots is left, which is no folder's name."""
    ending = next(ending for ending in UNPACKED if name.lower().endswith(ending))
    stem = name[: -len(ending)]
    return stem if stem.strip(".") else name


def printable(text: str) -> str:
    """`text` as it can stand in a sentence or a table."""
    return clean.line(text)


def listed(names: Iterable[str], most: int = 8) -> str:
    """Names for a sentence, separated by commas; of many only the first."""
    shown = [printable(name) for name in names]
    return ", ".join(shown[:most]) + (", ..." if len(shown) > most else "")


def read_folder(root: Path, spec: str, handed_in: Path | None = None) -> Content:
    """Everything in the folder `root` that is part of a bot; `handed_in` is the folder handed in, if not this one.

    Raises `OperatorError` for a link that leaves the folder, a file that cannot be read or is not a plain file, and a
    folder that is too large for a bot.
    """
    with opened(root, spec) as below:
        return read_open(below, root, spec, handed_in)


@contextmanager
def opened(root: Path, spec: str) -> Iterator[OpenFolder]:
    """Open a folder that was handed in. Raises `OperatorError` if it cannot be read, or has become a link."""
    try:
        below = OpenFolder(root)
    except PermissionError as error:
        raise HandInError("bot-unreadable", bot=printable(str(root))) from error
    except OSError as error:
        raise cannot_be_read(spec, root.name, error) from error
    with below:
        yield below


def read_open(below: OpenFolder, root: Path, spec: str, handed_in: Path | None = None) -> Content:
    """Everything in an open folder that is part of a bot: no link in it is followed, even if it changes meanwhile.

    `root` is the folder's path, `handed_in` that of the folder handed in, if it is another.
    """
    files: dict[str, Path] = {}
    texts: dict[str, str] = {}  # of links
    size = 0
    known = {"."}  # folders that are part of the bot
    aside: set[str] = set()  # folders that are left out
    folders = [""]
    while folders:
        inside = folders.pop()
        names = _entries(below, inside, root, spec)
        if inside and ENVIRONMENT in names:
            aside.add(inside)
            continue
        known.add(inside or ".")
        for name in names:
            relative = f"{inside}/{name}" if inside else name
            _check_depth(relative, root, spec)
            try:
                folder = below.folder(inside)
                kind = os.stat(name, dir_fd=folder, follow_symlinks=False)
                is_readable = os.access(name, os.R_OK, dir_fd=folder)
                if stat.S_ISLNK(kind.st_mode):
                    texts[relative] = os.readlink(name, dir_fd=folder)
            except OSError as error:
                raise cannot_be_read(spec, relative, error) from error
            if stat.S_ISDIR(kind.st_mode):
                folders.append(relative)
            elif stat.S_ISREG(kind.st_mode):
                if not is_readable:
                    raise HandInError("bot-unreadable", bot=printable(str(root / relative)))
                files[relative] = root / relative
                size += kind.st_size
            elif not stat.S_ISLNK(kind.st_mode):
                raise HandInError("bot-odd-file", bot=spec, file=printable(relative))
            entries = len(files) + len(known) + len(aside) + len(folders)
            if entries > limits.MAX_ENTRIES or len(texts) > limits.MAX_LINKS or size > limits.MAX_BYTES:
                raise too_large(spec)
    links = _straight(root, texts, aside, spec)
    return Content(root, dict(sorted(files.items())), dict(sorted(links.items())), handed_in or root)


def _check_depth(relative: str, root: Path, spec: str) -> None:
    """Refuse files that are nested too deep, or have too long a path."""
    length = len(os.fsencode(relative))
    whole = length + len(os.fsencode(root))
    if length > limits.MAX_PATH_BYTES or whole >= limits.MAX_WHOLE_PATH_BYTES or limits.is_too_deep(relative):
        raise too_deep(spec, relative)


def too_deep(spec: str, name: str) -> HandInError:
    """The error for a file or folder of a hand-in that lies too deep, or has too long a path."""
    parts = name.split("/")
    shown = "/".join([part[:SHOWN_NAME] for part in (*parts[:2], "...", parts[-1])])
    called = os.path.basename(spec) or spec
    return HandInError("bot-too-deep", bot=called, folder=printable(shown), most=limits.MAX_DEPTH)


def too_large(spec: str) -> OperatorError:
    """The error for a hand-in that is too large."""
    held = {"files": limits.MAX_ENTRIES, "links": limits.MAX_LINKS, "mebibytes": limits.MAX_BYTES >> 20}
    return HandInError("bot-folder-too-large", bot=spec, **held)


def _entries(below: OpenFolder, folder: str, root: Path, spec: str) -> list[str]:
    try:
        names = below.names(folder, limits.MAX_ARCHIVED_ENTRIES + 2)  # more of them are too many anyway
    except PermissionError as error:
        raise HandInError("bot-unreadable", bot=printable(str(root / folder))) from error
    except OSError as error:
        raise cannot_be_read(spec, folder or root.name, error) from error
    return [name for name in names if not is_ignored(name)]


def cannot_be_read(spec: str, name: str, error: OSError) -> HandInError:
    """The error for a file or folder of a hand-in that the system does not let us read, and why."""
    if error.errno in GONE:
        return HandInError("bot-changed", bot=spec)
    reason = f"'{printable(name[:SHOWN])}': {printable(error.strerror or str(error))}"
    return HandInError("bot-cannot-be-read", bot=spec, reason=reason)


def _straight(root: Path, texts: Mapping[str, str], aside: Collection[str], spec: str) -> dict[str, str]:
    """Where links lead, relative to their own folder and through no other link.

    Refuses links that lead out, or to files that are left out (a `.git` folder, for example) and are no part of the
    hand-in. A link may lead to a file that does not exist: a build may make it.
    """
    links = Links(texts, (os.path.abspath(root), real(root)))
    found: dict[str, str] = {}
    for name in sorted(texts):
        try:
            end = links.end_of(name)
            parts = end.split("/")
            ways = {"/".join(parts[:length]) for length in range(1, len(parts) + 1)}
            if not ways.isdisjoint(aside) or any(map(is_ignored, parts)):
                raise LeavesError
        except LeavesError as error:
            shown = printable(texts[name][:SHOWN])
            raise HandInError("bot-link-leaves", bot=spec, link=printable(name), target=shown) from error
        except OSError as error:
            raise cannot_be_read(spec, name, error) from error
        found[name] = os.path.relpath(f"/{end}", f"/{os.path.dirname(name)}")
    return found


def digest_of(files: Mapping[str, Path | bytes], links: Mapping[str, str] | None = None) -> str:
    """SHA-256, in hex, over files by relative name and bytes, and over links.

    The permission to execute does not count: archives and USB sticks may lose it. Raises `OperatorError` for a file
    that cannot be read.
    """
    whole = hashlib.sha256()
    for name, content in sorted(files.items()):
        whole.update(b"file\0" + os.fsencode(name) + b"\0")
        if isinstance(content, bytes):
            whole.update(hashlib.sha256(content).digest())
            continue
        try:
            with open(content, "rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise HandInError("bot-unreadable", bot=printable(str(content))) from error
    for name, target in sorted((links or {}).items()):
        whole.update(b"link\0" + os.fsencode(name) + b"\0" + os.fsencode(target) + b"\0")
    return whole.hexdigest()


def likeness_of(folder: Path) -> str:
    """A digest of the content of a hand-in's files, without their names: equal digests mean equal content.

    Empty files do not count; the digest is empty if there are no others. Raises `OperatorError` for a file that
    cannot be read.
    """
    found = read_folder(folder, str(folder)).files.values()
    return likeness(path for path in found if path.stat().st_size > 0)


def likeness(contents: Iterable[Path | bytes]) -> str:
    """A digest of the content of files, without their names; empty files do not count.

    Files are given by path or by content. Equal digests mean equal content.
    """
    digests = sorted(digest_of({"": content}) for content in contents)
    return hashlib.sha256("".join(digests).encode()).hexdigest() if digests else ""


def place(files: Mapping[str, Path | bytes], links: Mapping[str, str], folder: Path) -> None:
    """Copy `files` and `links` into `folder`, readable and writable by us whatever they were before."""
    import shutil

    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            target.write_bytes(content)
        else:
            shutil.copyfile(content, target)
            executable = content.stat().st_mode & stat.S_IXUSR
            target.chmod(0o755 if executable else 0o644)
    for name, link in links.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(link)


def read_text(path: Path) -> str:
    """A source's text, whatever its encoding: for looking into it, not for compiling it.

    Of a file with more than `LOOKED_INTO` bytes (for example a table of weights) only the lines at its beginning.
    Raises `OperatorError` when it cannot be read.
    """
    content = read_plain(path, LOOKED_INTO)
    if len(content) > LOOKED_INTO:  # cut at the end of a line: half a character could change the detected encoding
        content = content[: content.rfind(b"\n", 0, LOOKED_INTO) + 1] or content
    return decode(content)


def read_plain(path: Path, most: int) -> bytes:
    """The first bytes of a plain file: `most`, and one more where there are more."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise HandInError("bot-unreadable", bot=printable(str(path)))
            return file.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise HandInError("bot-unreadable", bot=printable(str(path))) from error


def decode(content: bytes, *, strict: bool = False) -> str:
    """Text of unknown encoding: by its mark if it has one, else UTF-8, else Shift-JIS, else Latin-1 (never fails).

    Editors on Windows write these marks; the contests that these games come from were held in Japan. If `strict`,
    it raises `UnicodeDecodeError` for what is none of the first three.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "strict" if strict else "replace")
    for encoding in ("utf-8-sig", "cp932"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("utf-8" if strict else "latin-1")
