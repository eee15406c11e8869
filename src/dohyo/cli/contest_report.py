"""`dohyo contest report`: a contest as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dohyo.cli.asking import asks
from dohyo.cli.contest_changes import Name, StoreWord
from dohyo.core.asked import says
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.series.spec import Spec

HandIns = Annotated[bool, says("Name on it the hand-ins that were left out, and those that are the same.")]


def mount(app: typer.Typer) -> None:
    """Make this command one of `app`."""
    asks(app)(report)


def report(
    store: StoreWord,
    html: Annotated[str, says("Where to write the page.", "FILE")],
    name: Name = None,
    hand_ins: HandIns = False,
    force: Annotated[bool, says("Overwrite a file that is no page of ours.")] = False,
    *,
    speaker: Speaker,
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
        content = page.html(view, speaker, hand_ins)
    write_whole(html, content.encode())
    console().print(speaker.say("report.written", path=html))
    tell_untold(view.spec, hand_ins, speaker)


def tell_untold(spec: Spec, told: bool, speaker: Speaker) -> None:
    """Say that the page does not name omitted and equal hand-ins, if there are any and it is not `told`."""
    if not told and (spec.left_out or spec.alike):
        typer.echo(speaker.say("report.hand-ins.untold"), err=True)
