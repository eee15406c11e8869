"""`dohyo contest report`: a contest as a page."""

from __future__ import annotations

from typing import Annotated

import typer

from dohyo.cli.contest_changes import Name, StoreWord
from dohyo.cli.options import Language
from dohyo.core.errors import OperatorError
from dohyo.i18n import say

SQLITE = b"SQLite format 3\0"  # how an SQLite database begins


def mount(app: typer.Typer) -> None:
    """Make this command one of `app`."""
    app.command()(report)


def report(
    store: StoreWord,
    html: Annotated[str, typer.Option("--html", metavar="OUT", help="Where to write the page.")],
    name: Name = None,
    lang: Language = None,
) -> None:
    """Write a page to look at in a browser: standings with intervals, who beat whom, seats, faults, times."""
    from dohyo.app.contest.session import look
    from dohyo.app.files import check_place, write_whole
    from dohyo.cli.screen import console
    from dohyo.store import open_store
    from dohyo.web.report import page

    if _is_store(html):
        raise OperatorError("report-over-store", path=html)
    check_place(html)
    with open_store(store) as opened:
        content = page.html(look(opened, name), str(lang))
    write_whole(html, content.encode())
    console().print(say("report.written", str(lang), path=html))


def _is_store(path: str) -> bool:
    """Whether the path is a database, which a page must not replace."""
    try:
        with open(path, "rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError:
        return False
