"""`dohyo new bot`: a folder with a bot to begin from, which plays legally at once."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from dohyo.cli.options import Setup, find_game, read_setup
from dohyo.core.errors import OperatorError
from dohyo.guests.starters import names
from dohyo.i18n import say

LANGUAGES = "|".join(names())
EXAMPLES = """\b
Examples:
  dohyo new bot drop-block --lang python
  dohyo new bot wondev-woman --lang rust climber
  dohyo new bot wondev-woman --lang cpp wood --setup league=wood2

Its folder has a README with the next commands."""


def bot(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, as 'dohyo games' calls it.")],
    folder: Annotated[
        str | None, typer.Argument(metavar="FOLDER", help="Its new folder. Without it: named by game and language.")
    ] = None,
    lang: Annotated[str | None, typer.Option(metavar=LANGUAGES, help="What the bot is written in.")] = None,
    setup: Setup = None,
) -> None:
    """Make a bot to begin from: it plays legally.

    It reads all of the input into a small model, and has a test with a recorded match.
    """
    from dohyo.core.options import resolve
    from dohyo.guests.starters.folder import make_bot

    words = str(context.parent.params["lang"]) if context.parent is not None else ""
    if lang is None:
        raise OperatorError("new-bot-no-language", known=LANGUAGES.replace("|", ", "))
    chosen = find_game("new bot", game, [folder] if folder else [])
    given = read_setup(setup or [])
    made = make_bot(chosen, lang, folder, resolve(chosen.options, given), given, words)
    typer.echo(say("new-bot-made", words, folder=made.folder, main=made.main))
    options = [word for key, value in given.items() for word in ("--setup", f"{key}={value}")]
    for command in (
        ["cd", str(made.folder)],
        ["sh", "test.sh"],
        ["dohyo", "check", chosen.name, ".", *options],
        ["dohyo", "play", chosen.name, ".", *made.opponents, *options, "--watch"],
    ):
        typer.echo(f"  {shlex.join(command)}")
    if made.missing:
        typer.echo(say("new-bot-no-tools", words, language=lang, install=made.missing))
