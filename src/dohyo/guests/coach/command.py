"""`dohyo coach`: what costs a bot the most points over all its matches."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import AsJson, Force
from dohyo.i18n import Speaker
from dohyo.terminal.screen import Progress, console

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.core.game import Game
    from dohyo.guests.coach.findings import Report

app = application()

MOST = 100_000
EXAMPLES = """\b
Examples:
  dohyo coach contest.db mybot
  dohyo coach replays/ mybot --html coach.html
  dohyo coach a.replay b.replay c.replay mybot --json

'dohyo help docs/coach.md' says what is asked, and when nothing is said."""

Words = Annotated[
    list[str],
    says(
        "A contest's store, or replays and folders of them; then the name of the bot.",
        "STORE|REPLAY... BOT",
        is_bare=True,
    ),
]


@asks(app, epilog=EXAMPLES)
def coach(
    words: Words,
    name: Annotated[str | None, says("Only this contest of the store.", "NAME")] = None,
    most: Annotated[int, says("How many of the bot's last matches are read.", "N", at_least=1, at_most=MOST)] = 2000,
    html: Annotated[str | None, says("Write a page with all this.", "FILE")] = None,
    force: Force = False,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Say what costs a bot the most points over all its matches.

    Each finding comes with its evidence.
    """
    from dohyo.cli.overwriting import check_outputs
    from dohyo.guests.coach.coaching import coached
    from dohyo.guests.coach.matches import gathered

    if len(words) < 2:
        raise OperatorError("coach-words")
    check_outputs([("--html", html)], force)
    *places, bot = words
    with Progress(speaker) as progress:
        progress.show(speaker.say("coach.looking"))
        with closing(gathered(places, bot, most, name)) as found:
            report = coached(found, lambda done, of: progress.show(speaker.say("coach.reading", done=done, of=of)))
    if html is not None:
        _write(html, report, found.game, speaker)
    if as_json:
        from dohyo.guests.coach.sentences import as_data

        sys.stdout.write(clean.document(as_data(report)))
        return
    print_report(report, found.game, console(), speaker)
    if html is not None:
        console().print(speaker.say("saved-html", path=html))


def _write(path: str, report: Report, game: Game, speaker: Speaker) -> None:
    from dohyo.guests.coach.page import page
    from dohyo.match.files import write_whole

    write_whole(path, page(report, game, speaker).encode())


def print_report(report: Report, game: Game, out: Console, speaker: Speaker) -> None:
    """What is known, the costliest first; then what is not."""
    from dohyo.guests.coach import sentences

    out.print(sentences.heading(report, game, speaker), style="bold", soft_wrap=True)
    for at, finding in enumerate(report.findings, 1):
        out.print()
        first, *rest = sentences.told(finding, game, speaker)
        out.print(f"{at}. {first}", style="bold", soft_wrap=True)
        _indented([*rest, *sentences.commands_told(finding, speaker)], out)
    if not report.findings:
        out.print()
        out.print(sentences.nothing(report, speaker), soft_wrap=True)
    out.print()
    for line in sentences.notes(report, speaker):
        out.print(line, style="dim", soft_wrap=True)


def _indented(lines: Sequence[str], out: Console) -> None:
    for line in lines:
        out.print(f"   {line}", soft_wrap=True)
