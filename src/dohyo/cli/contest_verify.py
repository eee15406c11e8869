"""`dohyo contest verify|files`: whether a store holds what was played, and where its files are."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from dohyo.cli.contest_changes import StoreWord
from dohyo.cli.options import Language
from dohyo.core.errors import OperatorError
from dohyo.i18n import say

if TYPE_CHECKING:
    from dohyo.store.verify import Finding

MOST = 50  # findings that are printed
STEP = 1000  # matches between two reports of the progress


def mount(app: typer.Typer) -> None:
    """Make these commands of `app`."""
    for command in (verify, files):
        app.command()(command)


def verify(
    store: StoreWord,
    again: Annotated[
        bool, typer.Option("--again", help="Play the moves of every replay again, too, by the rules.")
    ] = False,
    lang: Language = None,
) -> None:
    """Look whether all that a store holds is what was played: its rows, its tallies, its replays, its bots."""
    from dohyo import clean
    from dohyo.app.contest.verify import verify as findings_of
    from dohyo.cli.screen import console
    from dohyo.store import open_store

    language, count, matches = str(lang), 0, 0
    out, is_watched = console(), sys.stderr.isatty()

    def tell(so_far: int) -> None:
        nonlocal matches
        matches = so_far
        if is_watched and so_far % STEP == 0:
            sys.stderr.write(say("verify.so-far", language, count=so_far) + "\n")

    with open_store(store) as opened:
        for finding in findings_of(opened, again, tell):
            count += 1
            if count <= MOST:
                out.print(clean.line(sentence(finding, language)), soft_wrap=True)
        contests = len(opened.contests())
        shown = opened.database.address.shown
    if count > MOST:
        out.print(say("verify.more", language, count=count - MOST))
    if count:
        raise OperatorError("store-not-whole", store=shown, count=count)
    out.print(say("verify.whole", language, store=shown, contests=contests, matches=matches))


def files(
    store: StoreWord,
    folder: Annotated[str, typer.Argument(metavar="DIR", help="The folder with its files.")],
    lang: Language = None,
) -> None:
    """Say in which folder the files of a store in PostgreSQL are; this machine remembers it."""
    from dohyo import clean
    from dohyo.store.address import read_address
    from dohyo.store.files_folder import name_folder

    named = name_folder(store, folder)
    typer.echo(clean.line(say("store-files-named", str(lang), store=read_address(store).shown, folder=named)))


def sentence(finding: Finding, language: str) -> str:
    """A finding in a person's language, also if it is an error's own sentence."""
    details = {
        name: value.say(language) if isinstance(value, OperatorError) else value
        for name, value in finding.details.items()
    }
    return say(finding.key, language, **details)
