"""`dohyo new bot`: a folder with a bot to begin from, which plays legally at once."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from dohyo.cli.options import find_game
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import NO_SETUP, GameWord, Setup
from dohyo.guests.starters import names
from dohyo.i18n import Speaker

LANGUAGES = "|".join(names())
EXAMPLES = """\b
Examples:
  dohyo new bot drop-block --lang python
  dohyo new bot wondev-woman --lang rust climber
  dohyo new bot wondev-woman --lang cpp wood --setup league=wood2

Its folder has a README with the next commands."""


def bot(
    game: GameWord,
    folder: Annotated[
        str | None, says("Its new folder. Without it: named by game and language.", "FOLDER", is_bare=True)
    ] = None,
    lang: Annotated[str | None, says("What the bot is written in.", LANGUAGES)] = None,
    setup: Setup = NO_SETUP,
    *,
    speaker: Speaker,
) -> None:
    """Make a bot to begin from: it plays legally.

    It reads all of the input into a small model, and has a test with a recorded match.
    """
    from dohyo.core.options import resolve
    from dohyo.guests.starters.folder import make_bot

    if lang is None:
        raise OperatorError("new-bot-no-language", known=LANGUAGES.replace("|", ", "))
    typed = {key: str(value) for key, value in setup.items()}
    chosen = find_game("new bot", game, [folder] if folder else [])
    made = make_bot(chosen, lang, folder, resolve(chosen.options, setup), typed, speaker)
    typer.echo(speaker.say("new-bot-made", folder=made.folder, main=made.main))
    options = [word for key, value in setup.items() for word in ("--setup", f"{key}={value}")]
    for command in (
        ["cd", str(made.folder)],
        ["sh", "test.sh"],
        ["dohyo", "check", chosen.name, ".", *options],
        ["dohyo", "play", chosen.name, ".", *made.opponents, *options, "--watch"],
    ):
        typer.echo(f"  {shlex.join(command)}")
    if made.missing:
        typer.echo(speaker.say("new-bot-no-tools", language=lang, install=made.missing))
