"""What a browser sends as a hand-in: one file, a pasted source, or the files of a folder, which become one zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

from dohyo.bots.safe_paths import check_path, is_ignored, shown
from dohyo.core.errors import HandInError, OperatorError

MAX_BYTES = 10_000_000  # of a folder's files, as a browser counts them before it sends them
MAX_FILES = 500  # of a folder that a browser sends
FIRST_MOMENT = (1980, 1, 1, 0, 0, 0)  # the same files are the same zip


def packed(files: Sequence[tuple[str, bytes]]) -> tuple[str, bytes]:
    """A name and a zip for the files of a folder, each with its path; what tools left behind is not in it.

    Raises `OperatorError`: no file is left, there are too many, or a name leads out of the folder or is there twice.
    """
    kept: dict[str, bytes] = {}
    for path, content in files:
        if any(map(is_ignored, path.split("/"))):
            continue
        try:
            check_path(path)
        except HandInError as error:
            raise OperatorError("serve-file-name", name=shown(path)) from error
        if path in kept:
            raise OperatorError("serve-file-twice", name=shown(path))
        kept[path] = content
    if not kept:
        raise OperatorError("serve-hand-in-empty")
    if len(kept) > MAX_FILES:
        raise OperatorError("serve-files-many", most=MAX_FILES)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(kept.items()):
            archive.writestr(zipfile.ZipInfo(path, FIRST_MOMENT), content, zipfile.ZIP_DEFLATED)
    folder, slash, _ = next(iter(kept)).partition("/")
    return (folder if slash else "bot") + ".zip", whole.getvalue()
