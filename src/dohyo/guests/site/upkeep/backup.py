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
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from dohyo.core.errors import MachineError, OperatorError
from dohyo.guests.site.folder import MARK, SiteFolder
from dohyo.guests.site.people.leaving import FILES
from dohyo.guests.site.tables import open_site
from dohyo.series.store import open_store

ARENA = "arena.db"
KEPT = ("files", "arena.db.files")  # folders whose files are named by their digests
README = "README.txt"
LAST = "contents.json"
TEXT = b"A contest site, copied by Dohyo. 'dohyo site restore THIS-FILE FOLDER' makes the site of it.\n"
MEMBER = re.compile(r"(files|arena\.db\.files)/([0-9a-f]{2})/([0-9a-f]{62})")
PIECE = 1 << 20  # bytes read at once
MAX_LAST = 1 << 16
# Columns that hold the names of files, by tables: the site's, and those of the store of its matches.
NAMED = [(table, column) for table, columns in FILES.items() for column in columns]
NAMED_IN_ARENA = (("bot_versions", "archive"), ("results", "replay"))
PATIENCE = 60.0  # seconds for others to let go of a database


class Contents(msgspec.Struct):
    """What is in a copy: the digests of the databases by name, and the number of other files."""

    databases: dict[str, str]
    files: int


class Copied(NamedTuple):
    """What was copied, or came back: files, and how many are missing that the site's database names."""

    files: int
    missing: int


# --- making one


def back_up(site: SiteFolder, out: Path) -> Copied:
    """Copy the site into a file, which appears whole or not at all; what is in it besides the databases.

    Raises `OperatorError` where there is no site, a database is damaged, or nothing can be written; and where the
    site's files are evidently somewhere else: none is there. Nor is a copy made inside of the site: it could take the
    place of one of its files.
    """
    if not Path(site.site).is_file():
        raise OperatorError("serve-no-site", folder=site.home)
    if "://" in site.place:
        raise OperatorError("serve-backup-address", place=site.place)
    _check_outside(site, out)
    try:
        with tempfile.TemporaryDirectory(prefix=".dohyo-", dir=out.absolute().parent) as beside:
            copies = _databases(site, Path(beside))
            wanted = _named(copies[MARK], NAMED)
            _look_for_files(site, wanted, copies)
            whole = Path(beside) / "whole.tar"
            with whole.open("xb") as file:
                os.fchmod(file.fileno(), 0o600)  # it holds hand-ins, and whose they are
                count = _write(site, copies, file, wanted)
                file.flush()
                os.fsync(file.fileno())
            os.replace(whole, out)
    except sqlite3.Error as error:
        raise OperatorError("serve-backup-database", folder=site.home, reason=error) from error
    except OSError as error:
        raise MachineError("cannot-write", path=out, reason=error) from error
    return Copied(count, len(wanted))


def _check_outside(site: SiteFolder, out: Path) -> None:
    """Raise `OperatorError` for a copy within the folders that it is made of, by whatever links it is named."""
    for folder in (site.home, _folder(site)):
        if (Path(os.path.realpath(out.parent)) / out.name).is_relative_to(os.path.realpath(folder)):
            raise OperatorError("serve-backup-inside", path=out, folder=folder)


def _look_for_files(site: SiteFolder, wanted: set[str], copies: dict[str, Path]) -> None:
    """Raise `OperatorError` where files are named and none is there."""
    played = _named(copies[ARENA], NAMED_IN_ARENA) if ARENA in copies else set()
    if (wanted or played) and not any(next(_kept(_folder(site) / name), None) for name in KEPT):
        raise OperatorError("serve-backup-elsewhere", folder=_folder(site), count=len(wanted | played))


def _folder(site: SiteFolder) -> Path:
    """The folder of the files of a site that keeps them in a folder."""
    return Path(site.place or site.home)


def _named(database: Path, columns: Iterable[tuple[str, str]]) -> set[str]:
    """The names of files in columns of a database, which may be of an older Dohyo and not have all of them."""
    found: set[str] = set()
    with closing(_opened(os.fspath(database))) as opened:
        for table, column in columns:
            with suppress(sqlite3.OperationalError):
                rows = opened.execute(f"SELECT {column} FROM {table} WHERE length({column}) = 64")
                found.update(name for (name,) in rows)
    return found


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


def _write(site: SiteFolder, copies: dict[str, Path], file: IO[bytes], wanted: set[str]) -> int:
    """Write the tar, and take out of `wanted` what is in it; the number of files."""
    count = 0
    with tarfile.open(fileobj=file, mode="w|", format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, README, TEXT)
        digests = {}
        for name, copy in copies.items():
            with copy.open("rb") as content:
                digests[name] = hashlib.file_digest(content, "sha256").hexdigest()
            tar.add(copy, name, filter=_plain)
        for folder in KEPT:
            for path in _kept(_folder(site) / folder):
                try:
                    content = path.open("rb")
                except FileNotFoundError:  # its author has had it removed meanwhile
                    continue
                with content:
                    about = tar.gettarinfo(arcname=f"{folder}/{path.parent.name}/{path.name}", fileobj=content)
                    tar.addfile(_plain(about), content)
                    _forget(tar)
                count += 1
                if folder == KEPT[0]:
                    wanted.discard(path.parent.name + path.name)
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


def restore(copy: Path, site: SiteFolder) -> Copied:
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


def _restored(copy: Path, made: Path) -> Copied:
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
    return Copied(count, _missing(SiteFolder(made)))


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
    open_site(site.site).close()
    if Path(site.arena).exists():
        open_store(site.arena).close()
    wanted = _named(Path(site.site), NAMED)
    return sum(1 for digest in wanted if not (site.home / KEPT[0] / digest[:2] / digest[2:]).exists())
