"""`dohyo contest report`: a contest as a page."""

from __future__ import annotations

from typing import Annotated

import typer

from dohyo.cli.contest_changes import Name, StoreWord
from dohyo.cli.options import Language
from dohyo.i18n import say


def mount(app: typer.Typer) -> None:
    """Make this command one of `app`."""
    app.command()(report)


def report(
    store: StoreWord,
    html: Annotated[str, typer.Option("--html", metavar="FILE", help="Where to write the page.")],
    name: Name = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is no page of ours.")] = False,
    lang: Language = None,
) -> None:
    """Write a page to look at in a browser: standings with intervals, who beat whom, seats, faults, times."""
    from dohyo.app.contest.session import look
    from dohyo.app.files import write_whole
    from dohyo.cli.overwriting import check_outputs
    from dohyo.cli.screen import console
    from dohyo.store import open_store
    from dohyo.web.report import page

    check_outputs([("--html", html)], force)
    with open_store(store) as opened:
        content = page.html(look(opened, name), str(lang))
    write_whole(html, content.encode())
    console().print(say("report.written", str(lang), path=html))
