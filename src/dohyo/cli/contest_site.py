"""`dohyo contest site`: a contest as a folder of pages."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Annotated

import typer

from dohyo.cli.contest_changes import Name, StoreWord
from dohyo.cli.contest_report import HandIns, tell_untold
from dohyo.cli.options import Language
from dohyo.core.errors import MachineError, OperatorError
from dohyo.i18n import Speaker, say

MARK = ".dohyo-site"  # marks a folder as a site of ours, which may be written again
FOLDERS = ("bots", "matches")
OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def mount(app: typer.Typer) -> None:
    """Make this command one of `app`."""
    app.command()(site)


def site(
    store: StoreWord,
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="The folder to write; new, empty, or a site.")],
    name: Name = None,
    hand_ins: HandIns = False,
    lang: Language = None,
) -> None:
    """Write the report, a page for each bot, and each match with its replay, as plain files for any web server."""
    from dohyo.core.rulings import InForce
    from dohyo.series.best import how_many
    from dohyo.series.session import look
    from dohyo.series.standings import entrant_state
    from dohyo.series.store import open_store
    from dohyo.terminal.screen import console
    from dohyo.web.report.site import files

    language, matches = str(lang), 0
    with open_store(store) as opened, opened.database.one_moment():
        view = look(opened, name)
        try:
            with _Folder(out) as folder:
                for each in files(view, Speaker(language), hand_ins):
                    folder.write(each.folder, each.name, each.content)
                    matches += each.folder == "matches" and each.name.endswith(".html")
        except OSError as error:
            raise MachineError("cannot-write", path=out, reason=error) from error
        gone = InForce(opened.rulings_of_bots(view.contest.id)).disqualified
    index = os.path.join(out, "index.html")
    states = [entrant_state(each, view.entrants, each.name in gone) for each in view.entrants]
    bots = how_many(states, language)
    console().print(say("site.written", language, path=index, bots=bots, matches=matches))
    tell_untold(view.spec, hand_ins, language)


class _Folder:
    """A site's folder. Files are opened from its descriptor and no link is followed, so none is written outside.

    At the end, files of an earlier site that were not written again are removed. Raises `OperatorError` for a folder
    that is not empty and not a site of ours.
    """

    def __init__(self, path: str) -> None:
        os.makedirs(path, exist_ok=True)
        self._root = os.open(path, os.O_RDONLY | os.O_DIRECTORY)  # the path that the operator gives may be a link
        self._written: dict[str, set[str]] = {name: set() for name in FOLDERS}
        self._places: dict[str, int] = {}
        try:
            there = os.listdir(self._root)
            if there and MARK not in there:
                raise OperatorError("site-not-empty", path=path)
            self._put(self._root, MARK, b"")
            for name in FOLDERS:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=self._root)
                self._places[name] = os.open(name, OPEN, dir_fd=self._root)
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> _Folder:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        with self._closing():
            if kind is None:
                for name, place in self._places.items():
                    for old in set(os.listdir(place)) - self._written[name]:
                        with suppress(IsADirectoryError, PermissionError):
                            os.unlink(old, dir_fd=place)

    def write(self, folder: str, name: str, content: bytes) -> None:
        """Write a file completely or not at all; it replaces one of this name."""
        if folder:
            self._written[folder].add(name)
        self._put(self._places[folder] if folder else self._root, name, content)

    def _put(self, place: int, name: str, content: bytes) -> None:
        beside = f".new-{secrets.token_hex(8)}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        try:
            with open(os.open(beside, flags, 0o666, dir_fd=place), "wb") as file:
                file.write(content)
            os.rename(beside, name, src_dir_fd=place, dst_dir_fd=place)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside, dir_fd=place)
            raise

    @contextmanager
    def _closing(self) -> Iterator[None]:
        try:
            yield
        finally:
            self._close()

    def _close(self) -> None:
        for place in (*self._places.values(), self._root):
            os.close(place)
