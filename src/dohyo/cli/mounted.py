"""Programs that games bring along, such as `arena`: each a command of `dohyo`, and one of its own once installed."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from dohyo.cli.application import application
from dohyo.cli.boxes import Sandbox, Trust, box_for
from dohyo.cli.language import of_locale
from dohyo.core.descriptions import about_in
from dohyo.i18n import LANGUAGES, say

if TYPE_CHECKING:
    from dohyo.core.dialogue import Command
    from dohyo.core.game import Game
    from dohyo.sandbox import Box


def mounted() -> dict[str, tuple[Game, Command]]:
    """Every game's own programs, by name."""
    from dohyo.games import all_games

    return {command.name: (game, command) for game in all_games().values() for command in game.commands}


def application_of(game: Game, command: Command, language: str = LANGUAGES[0]) -> typer.Typer:
    """The command line of such a program, by what it is called with; its own help in `language`."""
    from dohyo.core.dialogue import Takes

    if command.takes is Takes.FOLDER:
        from dohyo.cli import of_folder

        return of_folder.application_of(game, command, language)
    return _of_program(game, command, language)


def _of_program(game: Game, command: Command, language: str) -> typer.Typer:
    """The command line of one that is called with a program: whatever follows belongs to that."""
    app = application()

    # The first word that is no option of ours ends our own part of the line.
    @app.command(
        command.name,
        help=say("help.program", language, game=game.title, about=about_in(command, language)),
        context_settings={
            "allow_interspersed_args": False,
            "ignore_unknown_options": True,
            "help_option_names": ["-h", "--help"],
        },
    )
    def run(
        program: Annotated[str, typer.Argument(metavar="PROGRAM", help="The program, a source, or a sample bot.")],
        words: Annotated[list[str] | None, typer.Argument(metavar="[ARGS]", help="Its own arguments.")] = None,
        sandbox: Sandbox = None,
        trust: Trust = False,
    ) -> int:
        box = box_for(sandbox, trust, of_locale(os.environ))
        return converse(game, command, [program, *(words or ())], box)

    return app


def converse(game: Game, command: Command, words: list[str], box: Box) -> int:
    """Run the game's program with the bot that `words` start in the box, from standard input to standard output."""
    import io
    from pathlib import Path

    from dohyo.app.dialogue import Dialogue, find_program
    from dohyo.app.stderr_relay import MOST

    def program() -> Any:
        return find_program(words, Path(game.folder) / "bots", box)

    source = io.BytesIO() if sys.stdin is None else sys.stdin.buffer
    cut = say("errors-cut", of_locale(os.environ), size=MOST >> 20)
    return Dialogue(source, sys.stdout.buffer, sys.stderr, program, cut=cut).run(command.machine())


def main() -> NoReturn:
    """A program's command of its own, for the shell: which one, the script's name says."""
    from dohyo.cli.main import main as dohyo

    sys.argv.insert(1, os.path.splitext(os.path.basename(sys.argv[0]))[0])
    dohyo()
