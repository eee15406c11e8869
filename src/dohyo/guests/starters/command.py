"""`dohyo new`: folders to begin from. Each command is a function of a module of its own, `new_<name>.py`."""

from __future__ import annotations

import typer

from dohyo.cli.asking import asks
from dohyo.cli.options import Language, application
from dohyo.guests.starters import command_bot as new_bot
from dohyo.guests.starters import command_game as new_game

app = application(help="Make a folder to begin from, with what works at once.")


@app.callback(invoke_without_command=True)
def new(context: typer.Context, lang: Language = None) -> None:
    """Make a folder to begin from, with what works at once."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


asks(app, epilog=new_bot.EXAMPLES)(new_bot.bot)
asks(app, epilog=new_game.EXAMPLES)(new_game.game)
