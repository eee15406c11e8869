"""Which files a command may write over: what is looked at before anything is played."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from dohyo.core.errors import OperatorError
from dohyo.match.files import SQLITE, check_place
from dohyo.match.replays.replays import is_replay
from dohyo.web.page import is_page

MAX_BEGINNING = 4096  # bytes by which a file is recognised


def check_outputs(
    outputs: Iterable[tuple[str, str | None]],
    force: bool,
    others: Iterable[tuple[str, str | None]] = (),
    *,
    fits: Callable[[str], bool] | None = None,
) -> None:
    """Raise `OperatorError` now for files that could not be written later, or that would replace something else.

    `outputs` are options with what they name: of `--save` a replay, which replaces only replays, of `--html` a page,
    which replaces only pages, of any other option a file that replaces those that `fits` recognises, or none without
    it; unless by `force`. A store is replaced by nothing. `others` are written by somebody who looks for himself. No
    two may name the same file.
    """
    seen: dict[Path, str] = {}
    wanted = [(option, path) for option, path in outputs if path is not None]
    for option, path in [*wanted, *((option, path) for option, path in others if path is not None)]:
        if (first := seen.setdefault(Path(path).resolve(), option)) != option:
            raise OperatorError("same-file", first=first, second=option, path=path)
    for option, path in wanted:
        check_place(path)
        if not os.path.exists(path):
            continue
        with open(path, "rb") as file:
            is_store = file.read(len(SQLITE)) == SQLITE
        if is_store:
            raise OperatorError("written-over-store", path=path, option=option)
        if not force:
            _check_content(option, path, fits)


def begins(path: str, pattern: re.Pattern[bytes]) -> bool:
    """Whether a file is empty, or begins so. One that cannot be read, too: writing says what is wrong there."""
    try:
        with open(path, "rb") as file:
            beginning = file.read(MAX_BEGINNING)
    except OSError:
        return True
    return not beginning or pattern.match(beginning) is not None


def _check_content(option: str, path: str, fits: Callable[[str], bool] | None) -> None:
    """Raise `OperatorError` for a file that is something else than what this option would write in its place."""
    if option == "--save":
        key, is_ours = "save-over-other", is_replay(path)
    elif option == "--html":
        key, is_ours = "html-over-other", is_page(path)
    else:
        key, is_ours = "written-over", fits is not None and fits(path)
    if not is_ours:
        raise OperatorError(key, path=path, option=option)
