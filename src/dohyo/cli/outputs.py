"""The files that a command is asked to write: looked at before the work, written after it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dohyo.core.errors import OperatorError

if TYPE_CHECKING:
    from dohyo.core.replay import Replay


class Outputs:
    """A replay's file and its page, each only if it is asked for; `language` is the page's."""

    def __init__(self, save: str | None, html: str | None, language: str) -> None:
        self.save = save
        self.html = html
        self.language = language

    def check(self) -> None:
        """Raise `OperatorError` now for a place that could not be written to later."""
        from dohyo.app.files import check_place

        if self.save is not None and self.html is not None and Path(self.save).resolve() == Path(self.html).resolve():
            raise OperatorError("same-file", path=self.save)
        for path in (self.save, self.html):
            if path is not None:
                check_place(path)

    def write(self, replay: Replay) -> list[str]:
        """Write what was asked for; the names of the files."""
        from dohyo.app import files, replays

        if self.save is not None:
            replays.save(replay, self.save)
        if self.html is not None:
            from dohyo.web import page

            files.write_whole(self.html, page.html(replay, self.language).encode())
        return [path for path in (self.save, self.html) if path is not None]
