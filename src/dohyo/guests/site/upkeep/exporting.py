"""A ladder or a contest as a file, for its organisers: what `dohyo contest export` writes, by a button.

A process of its own writes it (`export_process.py`): a large contest takes long, and the pages go on meanwhile.
"""

from __future__ import annotations

import subprocess
import tempfile
import zipfile
from pathlib import Path
from threading import Lock
from typing import IO

import msgspec

from dohyo import doors
from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.upkeep import logs
from dohyo.guests.site.upkeep.export_process import Wanted
from dohyo.guests.site.upkeep.room import need_room
from dohyo.system import interpreter

FORMS = "exports"  # what brings them
BUNDLE = "bundle"  # which can be signed
ENDINGS = {
    BUNDLE: "tar",
    "headers": "pgn",
    "markdown": "md",
    "ordo": "pgn",
}  # of files; others are called as they are
SIGNATURE = ".minisig"
PREFIX = "export-"  # of the folder in which one is written
SECONDS = 600.0  # for one
LONGEST = 2000  # characters of what went wrong
_RUNS = Lock()  # of one at a time in this process


def forms() -> list[str]:
    """The forms in which a contest can be had, the one that can be checked by others first."""
    found = sorted(doors.brought(FORMS))
    return sorted(found, key=lambda form: form != BUNDLE)


def export(site: SiteFolder, ladder: Ladder, form: str, sign: str, language: str) -> tuple[str, IO[bytes]]:
    """A file's name and the file, at its beginning; it is gone when it is closed. `sign` is a key, empty for none.

    A bundle that is signed comes with its signature, in a zip. Raises `OperatorError` for an unknown form, while
    another one is written, and where it cannot be written.
    """
    if form not in doors.brought(FORMS):
        raise OperatorError("serve-export-form", form=form[:40])
    need_room(site.home)
    if not _RUNS.acquire(blocking=False):
        raise OperatorError("serve-export-runs")
    try:
        with tempfile.TemporaryDirectory(prefix=PREFIX, dir=site.work) as folder:  # swept if this process is killed
            name = f"{ladder.slug}.{ENDINGS.get(form, form)}"
            out = Path(folder) / name
            signed = sign if form == BUNDLE else ""
            _write(Wanted(site.arena, site.place or str(site.home), ladder.slug, form, str(out), signed, language))
            if not signed:
                return name, out.open("rb")
            return f"{ladder.slug}.zip", _zipped(out, Path(folder))
    finally:
        _RUNS.release()


def _write(wanted: Wanted) -> None:
    """Let the process write it. Raises `OperatorError` in its words."""
    command = interpreter.module("dohyo.guests.site.upkeep.export_process", interpreter.current_folder())
    try:
        done = subprocess.run(
            command,
            cwd=interpreter.FOLDER,
            env=interpreter.environment(),
            input=msgspec.json.encode(wanted),
            capture_output=True,
            timeout=SECONDS,
            start_new_session=True,  # what signs it asks nobody's terminal for a password
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise OperatorError("serve-export-long", seconds=round(SECONDS)) from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        logs.trouble(said[-LONGEST:])
        raise OperatorError("serve-export-failed")


def _zipped(out: Path, folder: Path) -> IO[bytes]:
    """The file and its signature in one, which has no name any more."""
    file: IO[bytes] = tempfile.TemporaryFile(dir=folder.parent)  # noqa: SIM115
    try:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for path in (out, out.with_name(out.name + SIGNATURE)):
                archive.write(path, path.name)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file
