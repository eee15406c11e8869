"""`dohyo contest verify`: whether a store holds what was played."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.contest_changes import StoreWord
from dohyo.cli.options import application
from dohyo.core.asked import says
from dohyo.core.request_fields import AsJson
from dohyo.i18n import Speaker

app = application()


@asks(app)
def verify(
    store: StoreWord,
    again: Annotated[bool, says("Play the moves of every replay again, too, by the rules.")] = False,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Look whether all that a store holds is what was played.

    Its rows, its tallies, its replays, its bots; 'dohyo verify' plays matches again besides.
    """
    from dohyo.guests.verify import stored
    from dohyo.guests.verify.findings import as_data, progress, refusal, tell_findings, tell_removed
    from dohyo.series.store import open_store

    matches = 0
    told = progress(speaker)

    def counted(so_far: int) -> None:
        nonlocal matches
        matches = so_far
        told(so_far)

    with open_store(store) as opened:
        findings = list(stored.verify(opened, again, counted))
        contests = len(opened.contests())
        shown = opened.database.address.shown
        gone = stored.without_code(opened) if not findings else 0
    if as_json:
        about = {"store": shown, "contests": contests, "matches": matches, "removed": gone}
        sys.stdout.write(clean.document({**about, "findings": as_data(findings)}))
    else:
        tell_findings(findings, speaker)
    if findings:
        raise refusal(findings, shown)
    if as_json:
        return
    typer.echo(speaker.say("verify.whole", store=shown, contests=contests, matches=matches))
    tell_removed(gone, speaker)
