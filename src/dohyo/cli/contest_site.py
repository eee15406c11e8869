"""`dohyo contest site`: a contest as a folder of pages."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from dohyo.cli.asking import asks
from dohyo.cli.contest_changes import Name, StoreWord
from dohyo.cli.contest_report import HandIns, tell_untold
from dohyo.core.asked import says
from dohyo.core.errors import MachineError
from dohyo.i18n import Speaker


def mount(app: typer.Typer) -> None:
    """Make this command one of `app`."""
    asks(app)(site)


def site(
    store: StoreWord,
    out: Annotated[str, says("The folder to write; new, empty, or a site.", "DIR")],
    name: Name = None,
    hand_ins: HandIns = False,
    *,
    speaker: Speaker,
) -> None:
    """Write the report, a page for each bot, and each match with its replay, as plain files for any web server."""
    from dohyo.core.rulings import InForce
    from dohyo.series.best import how_many
    from dohyo.series.session import look
    from dohyo.series.standings import entrant_state
    from dohyo.series.store import open_store
    from dohyo.terminal.screen import console
    from dohyo.web.report.site import SiteFolder, files

    matches = 0
    with open_store(store) as opened, opened.database.one_moment():
        view = look(opened, name)
        try:
            with SiteFolder(out) as folder:
                for each in files(view, speaker, hand_ins):
                    folder.write(each.folder, each.name, each.content)
                    matches += each.folder == "matches" and each.name.endswith(".html")
        except OSError as error:
            raise MachineError("cannot-write", path=out, reason=error) from error
        gone = InForce(opened.rulings_of_bots(view.contest.id)).disqualified
    index = os.path.join(out, "index.html")
    states = [entrant_state(each, view.entrants, each.name in gone) for each in view.entrants]
    bots = how_many(states, speaker)
    console().print(speaker.say("site.written", path=index, bots=bots, matches=matches))
    tell_untold(view.spec, hand_ins, speaker)
