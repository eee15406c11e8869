"""`dohyo new game`: a folder with a game in one file, which is played at once."""

from __future__ import annotations

from typing import Annotated

import typer

from dohyo.core.asked import says
from dohyo.i18n import Speaker

EXAMPLES = """\b
Examples:
  dohyo new game my-game
  dohyo new game my-game games/mine
"""


def game(
    name: Annotated[str, says("The new game's name, such as my-game.", "NAME", is_bare=True)],
    folder: Annotated[str | None, says("Without it: a folder of that name.", "FOLDER", is_bare=True)] = None,
    *,
    speaker: Speaker,
) -> None:
    """Make a folder with a game in one file of rules, to be changed into one's own; it is played at once."""
    from dohyo.guests.starters.new_game import make

    made = make(name, folder)
    typer.echo(speaker.say("new-game.made", file=made.file, folder=made.folder, variable=made.variable))
    typer.echo("\n".join(f"  {line}" for line in made.commands))
