"""The folder of this user's settings for Dohyo."""

from __future__ import annotations

import errno
import os
from pathlib import Path

USUAL = "~/.config"


def folder() -> Path:
    """The folder, which need not be there yet. Raises `OSError` for a user without a home folder."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):
        base = os.path.expanduser(USUAL)
    if not os.path.isabs(base):
        raise FileNotFoundError(errno.ENOENT, "there is no home folder; set XDG_CONFIG_HOME")
    return Path(base, "dohyo")
