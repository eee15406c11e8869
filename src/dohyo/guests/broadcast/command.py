"""`dohyo watch`: a contest that is being played, or one that was."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from dohyo.cli.asking import asks
from dohyo.cli.contest_changes import Name
from dohyo.cli.options import application
from dohyo.core.asked import says
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.series.broadcast.programme import Programme

app = application()

Contest = Annotated[str, says("A contest's store, or its file.", "CONTEST", is_bare=True)]
Browser = Annotated[bool, says("Until Ctrl-C, give it to browsers of this machine as a page for a big screen.")]
Speed = Annotated[float, says("Show matches so many times as fast.", "N", at_least=0.1, at_most=100)]
Matches = Annotated[int | None, says("End after so many matches.", "N", at_least=1)]
Chances = Annotated[bool, says("Say who will probably win, where a search can tell; it takes only spare time.")]

EXAMPLES = """\b
Examples:
  dohyo watch class.toml
  dohyo watch class.db --browser

Start it beside 'dohyo contest run': the bots lose no time by it. A contest that is over is shown as a film."""


@asks(app, epilog=EXAMPLES)
def watch(
    contest: Contest,
    name: Name = None,
    browser: Browser = False,
    speed: Speed = 1.0,
    matches: Matches = None,
    chances: Chances = False,
    *,
    speaker: Speaker,
) -> None:
    """Watch a contest: its most interesting match, and the standings."""
    from dohyo.series.broadcast.stage import Stage
    from dohyo.series.store import open_store

    where, name = _store_of(contest, name)
    with open_store(where) as opened:  # whatever is wrong is said before anything is shown
        stage = Stage(opened, name)
        shown, game = stage.contest.name, stage.game

    def programme() -> Programme:
        """The broadcast, by the thread that runs it."""
        from dohyo.series.broadcast.judging import judging_of
        from dohyo.series.broadcast.programme import Programme

        judging = judging_of(game) if chances else None
        return Programme(Stage(open_store(where), shown), judging, speed=speed, most=matches)

    if not browser:
        from dohyo.guests.broadcast.screen import show

        show(shown, game, programme, speaker)
        return
    from dohyo.web.broadcast.server import BroadcastServer, until_over

    with closing(BroadcastServer(shown, game, programme, speaker)) as server:
        typer.echo(speaker.say("served-at"))
        typer.echo(f"  {server.address}")  # alone on its line, where a terminal makes it a link
        until_over(server)


def _store_of(word: str, name: str | None) -> tuple[str, str | None]:
    """The store that a word means, and the name of the contest: of a contest file, what it says."""
    if not word.endswith(".toml"):
        return word, name
    from dohyo.series.contest_file import read_file

    request = read_file(word)
    return request.store, request.name if name is None else name
