"""`dohyo contest report`: a contest as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dohyo.cli.contest_changes import Name, StoreWord
from dohyo.cli.options import Language
from dohyo.i18n import Speaker, say

if TYPE_CHECKING:
    from dohyo.series.spec import Spec

HandIns = Annotated[
    bool, typer.Option("--hand-ins", help="Name on it the hand-ins that were left out, and those that are the same.")
]


def mount(app: typer.Typer) -> None:
    """Make this command one of `app`."""
    app.command()(report)


def report(
    store: StoreWord,
    html: Annotated[str, typer.Option("--html", metavar="FILE", help="Where to write the page.")],
    name: Name = None,
    hand_ins: HandIns = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is no page of ours.")] = False,
    lang: Language = None,
) -> None:
    """Write a page to look at in a browser: standings with intervals, who beat whom, seats, faults, times."""
    from dohyo.cli.overwriting import check_outputs
    from dohyo.match.files import write_whole
    from dohyo.series.session import look
    from dohyo.series.store import open_store
    from dohyo.terminal.screen import console
    from dohyo.web.report import page

    check_outputs([("--html", html)], force)
    with open_store(store) as opened, opened.database.one_moment():
        view = look(opened, name)
        content = page.html(view, Speaker(str(lang)), hand_ins)
    write_whole(html, content.encode())
    console().print(say("report.written", str(lang), path=html))
    tell_untold(view.spec, hand_ins, str(lang))


def tell_untold(spec: Spec, told: bool, language: str) -> None:
    """Say that the page does not name omitted and equal hand-ins, if there are any and it is not `told`."""
    if not told and (spec.left_out or spec.alike):
        typer.echo(say("report.hand-ins.untold", language), err=True)
