"""`dohyo new`: folders to begin from, with what works at once."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from typing import Annotated, Any

import typer

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.layout import Grouped
from dohyo.cli.options import Language, application, find_game
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.core.request_fields import NO_SETUP, AsJson, GameWord, Setup
from dohyo.guests.starters import names
from dohyo.i18n import Speaker


class Making(Grouped):
    """`dohyo new`, to which people also give a game at once."""

    def resolve_command(self, context: Any, words: list[str]) -> Any:
        """Find the command; for the name of a game the one that makes a bot for it is named."""
        if words[0] not in self.list_commands(context) and _is_game(words[0]):
            raise OperatorError("new-bot-meant", game=words[0])
        return super().resolve_command(context, words)


def _is_game(word: str) -> bool:
    """Whether a word names a game."""
    from dohyo import games

    try:
        return bool(games.find(word))
    except OperatorError:
        return False


app = application(help="Make a bot, or a game, to begin from: it plays at once.", cls=Making)

LANGUAGES = "|".join(names())
EXAMPLES_OF_BOTS = """\b
Examples:
  dohyo new bot drop-block --lang python
  dohyo new bot wondev-woman --lang rust hunter
  dohyo new bot wondev-woman --lang cpp wood --setup league=wood2

Its folder has a README with the next commands."""
EXAMPLES_OF_GAMES = """\b
Examples:
  dohyo new game my-game
  dohyo new game my-game games/mine
"""


@app.callback(invoke_without_command=True)
def new(context: typer.Context, lang: Language = None) -> None:
    """Make a bot, or a game, to begin from: it plays at once."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@asks(app, epilog=EXAMPLES_OF_BOTS)
def bot(
    game: GameWord,
    folder: Annotated[
        str | None, says("Its new folder. Without it: named by game and language.", "FOLDER", is_bare=True)
    ] = None,
    lang: Annotated[
        str | None, says("The programming language that the bot is written in; it has to be said.", LANGUAGES)
    ] = None,
    setup: Setup = NO_SETUP,
    as_json: AsJson = False,
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
    options = [word for key, value in setup.items() for word in ("--setup", f"{key}={value}")]
    commands = [
        shlex.join(command)
        for command in (
            ["cd", str(made.folder)],
            ["sh", "test.sh"],
            ["dohyo", "check", chosen.name, ".", *options],
            ["dohyo", "play", chosen.name, ".", *made.opponents, *options, "--watch"],
        )
    ]
    if as_json:
        told = {"game": chosen.name, "language": lang, "folder": str(made.folder), "main": str(made.main)}
        sys.stdout.write(clean.document({**told, "commands": commands, "missing": made.missing or None}))
        return
    typer.echo(speaker.say("new-bot-made", folder=made.folder, main=made.main))
    for command in commands:
        typer.echo(f"  {command}")
    if made.missing:
        typer.echo(speaker.say("new-bot-no-tools", language=lang, install=made.missing))


@asks(app, epilog=EXAMPLES_OF_GAMES)
def game(
    name: Annotated[str, says("The new game's name, such as my-game.", "NAME", is_bare=True)],
    folder: Annotated[str | None, says("Without it: a folder of that name.", "FOLDER", is_bare=True)] = None,
    as_json: AsJson = False,
    *,
    speaker: Speaker,
) -> None:
    """Make a folder with a game in one file of rules, to be changed into one's own; it is played at once."""
    from dohyo.guests.starters.new_game import make

    made = make(name, folder)
    if as_json:
        told = {"folder": str(made.folder), "file": str(made.file), "commands": list(made.commands)}
        sys.stdout.write(clean.document({**told, "everywhere": made.everywhere}))
        return
    typer.echo(speaker.say("new-game.made", file=made.file, folder=made.folder))
    typer.echo("\n".join(f"  {line}" for line in made.commands))
    if importlib.util.find_spec("pytest") is None:
        from dohyo.system import interpreter

        typer.echo(speaker.say("new-game.laws", command=shlex.join(interpreter.module("pip", "install", "pytest"))))
    typer.echo(speaker.say("new-game.everywhere"))
    typer.echo(f"  {made.everywhere}")
