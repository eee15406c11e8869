"""Programs that games provide: each is a command of `dohyo`, and also a command of its own once installed.

`arena` starts one program and exchanges lines with it; `koth` takes a folder of bots and runs a contest.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application, sandbox_for
from dohyo.cli.signals import Ended, exit_status
from dohyo.core.asked import field, says
from dohyo.core.descriptions import about_in, option_in
from dohyo.core.errors import OperatorError
from dohyo.core.options import takes_of
from dohyo.core.request_fields import CLOCK, CLOCK_KEYS, AsJson, SandboxWord, Trust
from dohyo.i18n import ENGLISH, Speaker
from dohyo.i18n.catalogue import of_locale
from dohyo.terminal.screen import Progress

if TYPE_CHECKING:
    from dohyo.core.dialogue import Command
    from dohyo.core.game import Game
    from dohyo.core.options import Option
    from dohyo.sandbox import Sandbox

Text = str | None


def names() -> list[str]:
    """The names of all games' own programs."""
    return list(game_programs())


def game_programs() -> dict[str, tuple[Game, Command]]:
    """Every game's own programs, by name."""
    from dohyo.games import all_games

    return {command.name: (game, command) for game in all_games().values() for command in game.commands}


def application_of(name: str, speaker: Speaker = ENGLISH) -> typer.Typer:
    """The command line of such a program, which depends on its kind of argument; `speaker` says its help."""
    from dohyo.core.dialogue import Takes

    game, command = game_programs()[name]
    if command.takes is Takes.FOLDER:
        return _folder_application(game, command, speaker)
    return _program_application(game, command, speaker)


def _program_application(game: Game, command: Command, speaker: Speaker) -> typer.Typer:
    """The command line if the argument is a program: all following words belong to that program."""
    app = application()

    # The first word that is not one of our options ends our own part of the line.
    @asks(
        app,
        name=command.name,
        speaks=False,
        help=speaker.say("help.program", game=game.title, about=about_in(command, speaker)),
        context_settings={
            "allow_interspersed_args": False,
            "ignore_unknown_options": True,
            "help_option_names": ["-h", "--help"],
        },
    )
    def run(
        program: Annotated[str, says("The program, a source, or a sample bot.", "PROGRAM", is_bare=True)],
        words: Annotated[list[str] | None, says("Its own arguments.", "[ARGS]", is_bare=True)] = None,
        sandbox: SandboxWord = "auto",
        trust: Trust = False,
        *,
        speaker: Speaker,
    ) -> int:
        chosen = sandbox_for(sandbox, trust, speaker)
        return converse(game, command, [program, *(words or ())], chosen)

    return app


def converse(game: Game, command: Command, words: list[str], sandbox: Sandbox) -> int:
    """Run the game's program with the bot that `words` start in the sandbox, from standard input to output."""
    from dohyo.guests.game_programs.dialogue import MOST, Dialogue, find_program

    def program() -> Any:
        return find_program(words, Path(game.folder) / "bots", sandbox, game)

    source = io.BytesIO() if sys.stdin is None else sys.stdin.buffer
    cut = Speaker(of_locale(os.environ)).say("errors-cut", size=MOST >> 20)
    return Dialogue(source, sys.stdout.buffer, sys.stderr, program, cut=cut).run(command.machine())


# --- called with a folder of bots


def _folder_application(game: Game, command: Command, speaker: Speaker) -> typer.Typer:
    """The command line if the argument is a folder: the folder, the game's own options, and the common options.

    `speaker` says the help of the game's own options.
    """
    app = application()

    about = speaker.say("help.program", game=game.title, about=about_in(command, speaker))
    out = f"A new folder for the results. Without it: {command.name}-1, -2, ..."
    time = f"Time for a turn. Without it: {command.clock or 'the usual one of the game'}. {CLOCK_KEYS}"
    asked = [
        field("folder", Annotated[str, says("The folder with the bots, one entry each.", "DIR", is_bare=True)]),
        *(
            field(option.name, Annotated[Text, _own(option_in(command, option, speaker), speaker)], None)
            for option in command.options
        ),
        field("seed", Annotated[int | None, says("Decides all dice. Without it: a new one.", "S")], None),
        field("clock", Annotated[Text, says(time, CLOCK)], None),
        field("python", Annotated[Text, says("The interpreter of bots in Python.", "P")], None),
        field("out", Annotated[Text, says(out, "FOLDER")], None),
        field("as_json", AsJson, False),
        field("sandbox", SandboxWord, "auto"),
        field("trust", Trust, False),
    ]

    @asks(app, name=command.name, more=asked, help=about)
    def run(**given: Any) -> int:
        options = read_options(command, {option.name: given.pop(option.name) for option in command.options})
        return hold(game, command, options, **given)

    return app


def _own(option: Option, speaker: Speaker) -> Any:
    """A declared option of the command, as a parameter for typer."""
    named = f"{option.about[:1].upper()}{option.about[1:]}"
    about = speaker.say("help.option", about=named, takes=option.takes, default=option.default)
    return says(about, option.name.upper(), option=dashed(option.name))


def dashed(name: str) -> str:
    """An option as it is typed."""
    return f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"


def read_options(command: Command, given: Mapping[str, str | None]) -> dict[str, Any]:
    """The command's options: what the operator wrote, defaults for the rest."""
    values = {}
    for option in command.options:
        word = given.get(option.name)
        try:
            values[option.name] = option.default if word is None else option.read(word)
        except (ValueError, TypeError) as error:
            raise OperatorError(
                "bad-option-value",
                option=dashed(option.name),
                value=word,
                takes=takes_of(option, command.catalogue),
            ) from error
    return values


def hold(
    game: Game,
    command: Command,
    options: Mapping[str, Any],
    *,
    folder: str,
    seed: int | None,
    clock: str | None,
    python: str | None,
    out: str | None,
    as_json: bool,
    sandbox: str,
    trust: bool,
    speaker: Speaker,
) -> int:
    """Hold the contest of a game's program, from the command line to its last line; the exit status."""
    from dohyo.guests.game_programs.folder_contest import FolderContest, reserve
    from dohyo.match.clocks import read_clock
    from dohyo.match.play import MAX_SEED, new_seed
    from dohyo.system import proc
    from dohyo.system.proc import fair_mode

    box = sandbox_for(sandbox, trust, speaker)
    seed = new_seed() if seed is None else seed
    if not 0 <= seed <= MAX_SEED:
        raise OperatorError("bad-seed", seed=seed, most=MAX_SEED)
    mode = fair_mode()
    limits = read_clock(game, command.clock if clock is None else clock, mode=mode)
    place = reserve(out, command.name)
    output = Announcer(speaker, quiet=as_json)
    if clock is None and mode == "wall":
        output.note(speaker.say("contest.by-wall", missing=proc.missing("fair")))
    contest = FolderContest(
        game, command, folder, place, output, python=python, clock=limits, sandbox=box, speaker=speaker
    )
    try:
        status = contest.run(command.machine(seed, options))
    finally:
        output.show("")
        with suppress(OSError):  # there are results in it
            place.rmdir()
    if as_json:
        about = {"game": game.name, "program": command.name, "seed": seed, **options, "folder": str(place)}
        held = {"interrupted": contest.interrupt is not None, **msgspec.to_builtins(contest.record)}
        sys.stdout.write(clean.document({**about, **held}))
    if contest.interrupt is not None:
        sentence = speaker.say("contest.interrupted", place=place)
        raise Ended(exit_status(contest.interrupt), sentence) from contest.interrupt
    output.note(speaker.say("contest.repeat", seed=seed))
    return status


class Announcer:
    """Where a contest's lines go: to standard output; its progress to standard error, if that is a terminal."""

    def __init__(self, speaker: Speaker, quiet: bool) -> None:
        self._progress = Progress(speaker)
        self._quiet = quiet
        self._is_seen = sys.stderr.isatty()
        self._next = 0.0

    def print(self, line: str) -> None:
        """Print a line that stays."""
        if not self._quiet:
            self._progress.show("")
            sys.stdout.write(clean.block(line) + "\n")
            sys.stdout.flush()

    def note(self, line: str) -> None:
        """Print a line for the person alone, which is not a part of the output."""
        self._progress.show("")
        sys.stderr.write(clean.line(line) + "\n")
        sys.stderr.flush()

    def show(self, line: str) -> None:
        """Replace the line before by `line`, on a terminal."""
        self._progress.show(line)

    def tick(self, line: Callable[[], str]) -> None:
        """Replace the line before, on a terminal; of many lines per second, most are not even made."""
        if self._is_seen and monotonic() >= self._next:
            self._next = monotonic() + Progress.EVERY
            self.show(line())
