"""`dohyo contest report|site`: a contest as a page, or as a folder of pages."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.contest_changes import Name, StoreWord
from dohyo.cli.options import application
from dohyo.core.asked import says
from dohyo.core.errors import MachineError
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.series.spec import Spec

report_app, site_app = application(), application()

Title = Annotated[str | None, says("What stands above it. Without it: game and contest.", "TEXT")]
HandIns = Annotated[bool, says("Name on it the hand-ins that were left out, and those that are the same.")]


@asks(report_app)
def report(
    store: StoreWord,
    html: Annotated[str, says("Where to write the page.", "FILE")],
    name: Name = None,
    title: Title = None,
    hand_ins: HandIns = False,
    force: Annotated[bool, says("Overwrite a file that is no page of ours.")] = False,
    *,
    speaker: Speaker,
) -> None:
    """Write a page: standings, who beat whom, seats, faults, times."""
    from dohyo.cli.overwriting import check_outputs
    from dohyo.guests.reports import page
    from dohyo.match.files import write_whole
    from dohyo.series.session import look
    from dohyo.series.store import open_store
    from dohyo.terminal.screen import console

    check_outputs([("--html", html)], force)
    with open_store(store) as opened, opened.database.one_moment():
        view = look(opened, name)
        content = page.html(view, speaker, hand_ins, clean.line(title or ""))
    write_whole(html, content.encode())
    console().print(speaker.say("report.written", path=html))
    _tell_untold(view.spec, hand_ins, speaker)


@asks(site_app)
def site(
    store: StoreWord,
    out: Annotated[str, says("The folder to write; new, empty, or a site.", "DIR")],
    name: Name = None,
    title: Title = None,
    hand_ins: HandIns = False,
    *,
    speaker: Speaker,
) -> None:
    """Write report, bots and matches as files for any web server.

    There is a page for each bot, and one for each match with its replay.
    """
    from dohyo.core.rulings_in_force import InForce
    from dohyo.guests.reports.site import SiteFolder, files
    from dohyo.series.best import how_many
    from dohyo.series.session import look
    from dohyo.series.standings import entrant_state
    from dohyo.series.store import open_store
    from dohyo.terminal.screen import console

    matches = 0
    with open_store(store) as opened, opened.database.one_moment():
        view = look(opened, name)
        try:
            with SiteFolder(out) as folder:
                for each in files(view, speaker, hand_ins, clean.line(title or "")):
                    folder.write(each.folder, each.name, each.content)
                    matches += each.folder == "matches" and each.name.endswith(".html")
        except OSError as error:
            raise MachineError("cannot-write", path=out, reason=error) from error
        gone = InForce(opened.rulings_of_bots(view.contest.id)).disqualified
    index = os.path.join(out, "index.html")
    states = [entrant_state(each, view.entrants, each.name in gone) for each in view.entrants]
    bots = how_many(states, speaker)
    console().print(speaker.say("site.written", path=index, bots=bots, matches=matches))
    _tell_untold(view.spec, hand_ins, speaker)


def _tell_untold(spec: Spec, told: bool, speaker: Speaker) -> None:
    """Say that the page does not name omitted and equal hand-ins, if there are any and it is not `told`."""
    if not told and (spec.left_out or spec.alike):
        typer.echo(speaker.say("report.hand-ins.untold"), err=True)
