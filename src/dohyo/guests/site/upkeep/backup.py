"""A copy of a whole site in one file, made while it runs; and a site made of such a copy.

The file is a tar, which every program reads: both databases, and the files that were handed in and played. While the
databases are copied, by SQLite itself, nothing is written into the site's: so both are of one moment for whoever has
handed in. Files are only added under a name that is their digest, so they are copied after what names them. In the
last member stands what the databases' digests are, and how many files there are: a copy that breaks off has none.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, NamedTuple

import msgspec
from sqlalchemy import select, union

from dohyo.core.errors import MachineError, OperatorError
from dohyo.guests.site.folder import MARK, SiteFolder
from dohyo.guests.site.tables import hand_ins, open_site
from dohyo.series.store import open_store

ARENA = "arena.db"
KEPT = ("files", "arena.db.files")  # folders whose files are named by their digests
README = "README.txt"
LAST = "contents.json"
BEGINNING = re.compile(rb"(?s)README\.txt\0.{501}A contest site, copied by Dohyo\.")
TEXT = b"A contest site, copied by Dohyo. 'dohyo site restore THIS-FILE FOLDER' makes the site of it.\n"
MEMBER = re.compile(r"(files|arena\.db\.files)/([0-9a-f]{2})/([0-9a-f]{62})")
PIECE = 1 << 20  # bytes read at once
MAX_LAST = 1 << 16
WANTED = union(select(hand_ins.c.file), select(hand_ins.c.replay).where(hand_ins.c.replay.is_not(None)))
PATIENCE = 60.0  # seconds for others to let go of a database


class Contents(msgspec.Struct):
    """What is in a copy: the digests of the databases by name, and the number of other files."""

    databases: dict[str, str]
    files: int


class Restored(NamedTuple):
    """What came back: files, and how many are missing that the databases name."""

    files: int
    missing: int


# --- making one


def back_up(site: SiteFolder, out: Path) -> int:
    """Copy the site into a file, which appears whole or not at all; the number of files besides the databases.

    Raises `OperatorError` where there is no site, a database is damaged, or nothing can be written.
    """
    if not Path(site.site).is_file():
        raise OperatorError("serve-no-site", folder=site.home)
    try:
        with tempfile.TemporaryDirectory(prefix=".dohyo-", dir=out.absolute().parent) as beside:
            copies = _databases(site, Path(beside))
            whole = Path(beside) / "whole.tar"
            with whole.open("xb") as file:
                os.fchmod(file.fileno(), 0o600)  # it holds hand-ins, and whose they are
                count = _write(site, copies, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(whole, out)
    except sqlite3.Error as error:
        raise OperatorError("serve-backup-database", folder=site.home, reason=error) from error
    except OSError as error:
        raise MachineError("cannot-write", path=out, reason=error) from error
    return count


def _databases(site: SiteFolder, beside: Path) -> dict[str, Path]:
    """Copies of the databases, of one moment."""
    copies = {}
    with closing(_opened(site.site)) as held:
        held.execute("BEGIN IMMEDIATE")  # nobody hands in until both are copied
        for name, place in ((MARK, site.site), (ARENA, site.arena)):
            if not Path(place).is_file():
                continue
            copies[name] = beside / name
            with closing(_opened(place)) as source, closing(sqlite3.connect(copies[name])) as copy:
                source.backup(copy)
        held.execute("ROLLBACK")
    for path in copies.values():
        _check(path)
    return copies


def _opened(path: str) -> sqlite3.Connection:
    return sqlite3.connect(path, PATIENCE, isolation_level=None)


def _check(path: Path) -> None:
    """Raise `sqlite3.Error` for a database that is damaged."""
    with closing(_opened(os.fspath(path))) as database:
        (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(found)


def _write(site: SiteFolder, copies: dict[str, Path], file: IO[bytes]) -> int:
    count = 0
    with tarfile.open(fileobj=file, mode="w|", format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, README, TEXT)
        digests = {}
        for name, copy in copies.items():
            with copy.open("rb") as content:
                digests[name] = hashlib.file_digest(content, "sha256").hexdigest()
            tar.add(copy, name, filter=_plain)
        for folder in KEPT:
            for path in _kept(site.home / folder):
                try:
                    content = path.open("rb")
                except FileNotFoundError:  # its author has had it removed meanwhile
                    continue
                with content:
                    about = tar.gettarinfo(arcname=f"{folder}/{path.parent.name}/{path.name}", fileobj=content)
                    tar.addfile(_plain(about), content)
                    _forget(tar)
                count += 1
        _add(tar, LAST, msgspec.json.encode(Contents(digests, count)))
    return count


def _forget(tar: tarfile.TarFile) -> None:
    """Let a tar forget the members that have passed: it would keep a million of them."""
    members: list[tarfile.TarInfo] = vars(tar)["members"]
    members.clear()


def _plain(about: tarfile.TarInfo) -> tarfile.TarInfo:
    """A member without whose it was on this machine."""
    about.uid = about.gid = 0
    about.uname = about.gname = ""
    about.mode = 0o600
    return about


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    import io

    about = tarfile.TarInfo(name)
    about.size = len(content)
    tar.addfile(_plain(about), io.BytesIO(content))


def _kept(folder: Path) -> Iterator[Path]:
    """The files of a folder that are whole."""
    if not folder.is_dir():
        return
    for part in sorted(entry.name for entry in os.scandir(folder) if len(entry.name) == 2):
        for name in sorted(os.listdir(folder / part)):
            path = folder / part / name
            if MEMBER.fullmatch(f"files/{part}/{name}") and path.is_file() and not path.is_symlink():
                yield path


# --- a site of one


def restore(copy: Path, site: SiteFolder) -> Restored:
    """Make a site of a copy in an empty folder; what came back. All of it is checked first.

    Raises `OperatorError`: the folder holds something, or the file is no whole copy. Then nothing is left behind.
    """
    home = site.home
    try:
        if home.exists() and any(home.iterdir()):
            raise OperatorError("serve-restore-in-use", folder=home)
        home.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=".dohyo-", dir=home.parent))  # nobody else may look into it
        try:
            restored = _restored(copy, made)
            if home.exists():
                home.rmdir()
            made.rename(home)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
    except OSError as error:
        raise MachineError("cannot-write", path=home, reason=error) from error
    return restored


def _restored(copy: Path, made: Path) -> Restored:
    try:
        with copy.open("rb") as file, tarfile.open(fileobj=file, mode="r|") as tar:
            count = _read(tar, made)
        for name in (MARK, ARENA):
            if (made / name).exists():
                _check(made / name)
    except FileNotFoundError as error:
        raise OperatorError("cannot-read", path=copy, reason=error) from error
    except (tarfile.TarError, sqlite3.Error, msgspec.DecodeError, ValueError) as error:
        raise OperatorError("serve-backup-damaged", path=copy, reason=error) from error
    return Restored(count, _missing(SiteFolder(made)))


def _read(tar: tarfile.TarFile, made: Path) -> int:
    """Write every member where it belongs; the number of files.

    Raises `ValueError` for what is not as we write it.
    """
    digests: dict[str, str] = {}
    count, contents = 0, None
    while (member := tar.next()) is not None:
        _forget(tar)
        if contents is not None or not member.isreg():
            raise ValueError(member.name[:100])
        content = tar.extractfile(member)
        assert content is not None
        if member.name == README:
            continue
        if member.name == LAST:
            contents = msgspec.json.decode(content.read(MAX_LAST), type=Contents)
        elif member.name in (MARK, ARENA):
            digests[member.name] = _unpack(content, made / member.name)
        elif (found := MEMBER.fullmatch(member.name)) is not None:
            if _unpack(content, made / member.name) != found[2] + found[3]:
                raise ValueError(member.name)
            count += 1
        else:
            raise ValueError(member.name[:100])
    if contents != Contents(digests, count) or MARK not in digests:
        raise ValueError("it is not whole")
    return count


def _unpack(content: IO[bytes], place: Path) -> str:
    """Write a file; its digest."""
    digest = hashlib.sha256()
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with place.open("xb") as file:
        while piece := content.read(PIECE):
            digest.update(piece)
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def _missing(site: SiteFolder) -> int:
    """How many files are not there that the site's rows name. Raises `OperatorError` for what is no site's."""
    database = open_site(site.site)
    try:
        wanted = database.read(lambda connection: {*connection.execute(WANTED).scalars()})
    finally:
        database.close()
    if Path(site.arena).exists():
        open_store(site.arena).close()
    return sum(1 for digest in wanted if not (site.home / "files" / digest[:2] / digest[2:]).exists())
