"""How much room is left on the disk of a site: hand-ins are refused, and no match is begun, before it is full."""

from __future__ import annotations

import shutil
from pathlib import Path

from dohyo.core.errors import OperatorError

SCARCE = 256 << 20  # bytes that are left for what was accepted: results, sessions, the databases' own logs


def free(folder: Path) -> int:
    """The bytes that can be written yet."""
    return shutil.disk_usage(folder).free


def is_scarce(folder: Path) -> bool:
    """Whether nothing more is to be taken in."""
    return free(folder) < SCARCE


def need_room(folder: Path) -> None:
    """Raise `OperatorError`, with a sentence for whoever hands in, where room is scarce."""
    if is_scarce(folder):
        raise OperatorError("serve-no-room")
