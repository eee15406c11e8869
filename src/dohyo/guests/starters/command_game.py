"""`dohyo new game`: a folder with a game in one file, which is played at once."""

from __future__ import annotations

from typing import Annotated

import typer

from dohyo.cli.options import Language

EXAMPLES = """\b
Examples:
  dohyo new game my-game
  dohyo new game my-game games/mine
"""


def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new game's name, such as my-game.")],
    folder: Annotated[str | None, typer.Argument(metavar="FOLDER", help="Without it: a folder of that name.")] = None,
    lang: Language = None,
) -> None:
    """Make a folder with a game in one file of rules, to be changed into one's own; it is played at once."""
    from dohyo.guests.starters.new_game import make
    from dohyo.i18n import say

    made = make(name, folder)
    typer.echo(say("new-game.made", str(lang), file=made.file, folder=made.folder, variable=made.variable))
    typer.echo("\n".join(f"  {line}" for line in made.commands))
