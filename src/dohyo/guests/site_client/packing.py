"""One file of what is handed in: a source or a packed file as it is, a folder as a zip."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from pathlib import Path

from dohyo import clean
from dohyo.bots.content import is_of_folder, is_unpacked, read_folder, stem_of_packed
from dohyo.core.errors import OperatorError

MAX_SENT = 10 << 20  # bytes: a site takes no more
BEGINNING = (1980, 1, 1, 0, 0, 0)  # of the times that a zip can tell: the same files give the same bytes


def packed(path: str) -> tuple[str, str, bytes]:
    """What a path stands for: the bot's name without another one, the file's name, and its bytes.

    A folder is read as `dohyo check` reads it: without what tools leave behind, and no link in it leads out of it.
    Raises `OperatorError` for what cannot be read, and for more than a site takes.
    """
    place = Path(os.path.abspath(path))
    if is_of_folder(place.name) and place.is_file():
        place = place.parent
    try:
        if place.is_dir():
            name, filename, content = place.name, f"{place.name}.zip", _zipped(place, path)
        else:
            with open(place, "rb") as file:
                content = file.read(MAX_SENT + 1)
            filename = place.name
            name = stem_of_packed(filename) if is_unpacked(filename) else place.stem
    except OSError as error:
        raise OperatorError("cannot-read", path=clean.line(path), reason=error) from error
    if len(content) > MAX_SENT:
        raise OperatorError("site-large", path=clean.line(path), most=MAX_SENT >> 20)
    return name, filename, content


def _zipped(folder: Path, path: str) -> bytes:
    """A folder as a zip."""
    found = read_folder(folder, clean.line(path))
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, file in sorted(found.files.items()):
            content = file.read_bytes()
            if whole.tell() > MAX_SENT:
                break
            mode = stat.S_IFREG | (0o755 if os.access(file, os.X_OK) else 0o644)
            zipped.writestr(_entry(name, mode), content, zipfile.ZIP_DEFLATED)
        for name, target in sorted(found.links.items()):
            zipped.writestr(_entry(name, stat.S_IFLNK | 0o777), target)
    return whole.getvalue()


def _entry(name: str, mode: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, BEGINNING)
    entry.create_system = 3  # Unix, whose modes these are
    entry.external_attr = mode << 16
    return entry
