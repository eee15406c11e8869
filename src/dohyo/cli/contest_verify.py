"""`dohyo contest verify|files`: whether a store holds what was played, and where its files are."""

from __future__ import annotations

from typing import Annotated

import typer

from dohyo.cli.asking import asks
from dohyo.cli.contest_changes import StoreWord
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker
from dohyo.terminal.findings import progress, tell, tell_findings


def mount(app: typer.Typer) -> None:
    """Make these commands of `app`."""
    for command in (verify, files):
        asks(app)(command)


def verify(
    store: StoreWord,
    again: Annotated[bool, says("Play the moves of every replay again, too, by the rules.")] = False,
    *,
    speaker: Speaker,
) -> None:
    """Look whether all that a store holds is what was played: its rows, its tallies, its replays, its bots."""
    from dohyo.series.store import open_store
    from dohyo.series.verify import verify as findings_of

    matches = 0
    told = progress(speaker)

    def counted(so_far: int) -> None:
        nonlocal matches
        matches = so_far
        told(so_far)

    with open_store(store) as opened:
        findings = list(findings_of(opened, again, counted))
        contests = len(opened.contests())
        shown = opened.database.address.shown
    tell_findings(findings, speaker)
    if findings:
        raise OperatorError("store-not-whole", store=shown, count=len(findings))
    tell("verify.whole", speaker, store=shown, contests=contests, matches=matches)


def files(
    store: StoreWord,
    folder: Annotated[str, says("The folder with its files.", "DIR", is_bare=True)],
    *,
    speaker: Speaker,
) -> None:
    """Say in which folder the files of a store in PostgreSQL are; this machine remembers it."""
    from dohyo import clean
    from dohyo.series.store.address import read_address
    from dohyo.series.store.files_folder import name_folder

    named = name_folder(store, folder)
    typer.echo(clean.line(speaker.say("store-files-named", store=read_address(store).shown, folder=named)))
