"""`dohyo replay --serve`: the page of a match from a server on this machine, until Ctrl-C."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import typer

from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.core.replay import Replay


def serve(match: Replay, speaker: Speaker) -> None:
    """Serve the page until a signal comes, which is raised when nothing runs any more."""
    from dohyo.web.served.server import PageServer

    with closing(PageServer(match, speaker)) as server:
        typer.echo(speaker.say("served-at"))
        typer.echo(f"  {server.address}")  # alone on its line, where a terminal makes it a link
        server.serve_forever()
