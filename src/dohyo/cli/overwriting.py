"""Which files a command may write over: what is looked at before anything is played."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from dohyo.app.files import check_place
from dohyo.app.replays import is_replay
from dohyo.core.errors import OperatorError
from dohyo.web.page import is_page


def check_outputs(
    outputs: Iterable[tuple[str, str | None]], force: bool, others: Iterable[tuple[str, str | None]] = ()
) -> None:
    """Raise `OperatorError` now for files that could not be written later, or that would replace something else.

    `outputs` are options with what they name: of `--save` a replay, which replaces only replays, of `--html` a page,
    which replaces only pages, of any other option a file that replaces none; unless by `force`. `others` are written
    by somebody who looks for himself. No two may name the same file.
    """
    seen: dict[Path, str] = {}
    wanted = [(option, path) for option, path in outputs if path is not None]
    for option, path in [*wanted, *((option, path) for option, path in others if path is not None)]:
        if (first := seen.setdefault(Path(path).resolve(), option)) != option:
            raise OperatorError("same-file", first=first, second=option, path=path)
    for option, path in wanted:
        check_place(path)
        if not force and os.path.exists(path):
            _check_content(option, path)


def _check_content(option: str, path: str) -> None:
    """Raise `OperatorError` for a file that is something else than what this option would write in its place."""
    if option == "--save":
        key, fits = "save-over-other", is_replay(path)
    elif option == "--html":
        key, fits = "html-over-other", is_page(path)
    else:
        key, fits = "written-over", False
    if not fits:
        raise OperatorError(key, path=path, option=option)
