"""Programs that games bring along for a folder of bots, such as `koth`: each a command of `dohyo`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dohyo import clean
from dohyo.cli.application import application
from dohyo.cli.boxes import Sandbox, Trust, box_for
from dohyo.cli.language import Language
from dohyo.cli.play import CLOCK, CLOCK_KEYS, NEW_SEEDS, read_seed
from dohyo.cli.screen import Progress
from dohyo.cli.signals import Ended, exit_status
from dohyo.core.descriptions import about_in, option_in
from dohyo.core.errors import OperatorError
from dohyo.i18n import say
from dohyo.i18n.values import takes_of

if TYPE_CHECKING:
    from dohyo.app.folder_contest import FolderContest
    from dohyo.core.dialogue import Command
    from dohyo.core.game import Game
    from dohyo.core.options import Option

Text = str | None


def application_of(game: Game, command: Command, language: str) -> typer.Typer:
    """The command line of such a program: a folder, its own options, and those that all of them have.

    The help of its own is in `language`.
    """
    app = application()

    def run(**given: Any) -> int:
        options = read_options(command, {option.name: given.pop(option.name) for option in command.options})
        return Sitting(game, command, options, **given).run()

    # Typer reads a function's parameters off its signature; these are the ones that the game declares.
    parameters = [
        _parameter("folder", str, typer.Argument(metavar="DIR", help="The folder with the bots, one entry each.")),
        *(
            _parameter(option.name, Text, _own(option_in(command, option, language), language), None)
            for option in command.options
        ),
        _parameter("seed", Text, typer.Option(metavar="S", help="Decides all dice. Without it: a new one."), None),
        _parameter("clock", Text, typer.Option(metavar=CLOCK, help=_about_clock(command)), None),
        _parameter("python", Text, typer.Option(metavar="P", help="The interpreter of bots in Python."), None),
        _parameter(
            "out",
            Text,
            typer.Option(
                metavar="FOLDER", help=f"A new folder for the results. Without it: {command.name}-1, -2, ..."
            ),
            None,
        ),
        _parameter("as_json", bool, typer.Option("--json", help="Print one JSON document and nothing else."), False),
        inspect.Parameter("sandbox", inspect.Parameter.KEYWORD_ONLY, annotation=Sandbox, default=None),
        inspect.Parameter("trust", inspect.Parameter.KEYWORD_ONLY, annotation=Trust, default=False),
        inspect.Parameter("lang", inspect.Parameter.KEYWORD_ONLY, annotation=Language, default=None),
    ]
    vars(run)["__signature__"] = inspect.Signature(parameters)
    vars(run)["__annotations__"] = {}
    about = say("help.program", language, game=game.title, about=about_in(command, language))
    app.command(command.name, help=about)(run)
    return app


def _parameter(name: str, kind: Any, info: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[kind, info], default=default)


def _own(option: Option, language: str) -> Any:
    """A declared option of the command, as typer takes it."""
    named = f"{option.about[:1].upper()}{option.about[1:]}"
    about = say("help.option", language, about=named, takes=option.takes, default=option.default)
    return typer.Option(dashed(option.name), metavar=option.name.upper(), help=about)


def _about_clock(command: Command) -> str:
    return f"Time for a turn. Without it: {command.clock or 'the usual one of the game'}. {CLOCK_KEYS}"


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
                takes=takes_of(option.name, option.takes, command.catalogue),
            ) from error
    return values


class Sitting:
    """One contest, from the command line to its last line."""

    def __init__(
        self,
        game: Game,
        command: Command,
        options: Mapping[str, Any],
        *,
        folder: str,
        seed: str | None,
        clock: str | None,
        python: str | None,
        out: str | None,
        as_json: bool,
        sandbox: str | None,
        trust: bool,
        lang: str | None,
    ) -> None:
        self.game = game
        self.command = command
        self.options = options
        self.folder = folder
        self.seed = seed
        self.clock = clock
        self.python = python
        self.out = out
        self.as_json = as_json
        self.language = str(lang)
        self.box = box_for(sandbox, trust, self.language)

    def run(self) -> int:
        """Hold the contest; its exit status."""
        import secrets

        from dohyo.app.clocks import fair_mode, read_clock
        from dohyo.app.folder_contest import FolderContest, reserve
        from dohyo.app.play import MOST_SEED
        from dohyo.runner import usage

        seed = secrets.randbelow(NEW_SEEDS) if self.seed is None else read_seed(self.seed)
        if not 0 <= seed <= MOST_SEED:
            raise OperatorError("bad-seed", seed=seed, most=MOST_SEED)
        mode = fair_mode()
        clock = read_clock(self.game, self.command.clock if self.clock is None else self.clock, mode=mode)
        place = reserve(self.out, self.command.name)
        output = Announcer(self.language, quiet=self.as_json)
        if self.clock is None and mode == "wall":
            output.note(say("contest.by-wall", self.language, missing=usage.missing("fair")))
        options: dict[str, Any] = {"python": self.python, "clock": clock, "sandbox": self.box}
        options["language"] = self.language
        contest = FolderContest(self.game, self.command, self.folder, place, output, **options)
        try:
            status = contest.run(self.command.machine(seed, self.options))
        finally:
            output.show("")
            _sweep(place)
        if self.as_json:
            self._print_json(contest, seed, place)
        if contest.interrupt is not None:
            sentence = say("contest.interrupted", self.language, place=place)
            raise Ended(exit_status(contest.interrupt), sentence) from contest.interrupt
        output.note(say("contest.repeat", self.language, seed=seed))
        return status

    def _print_json(self, contest: FolderContest, seed: int, place: Path) -> None:
        """The whole contest as one document."""
        import msgspec

        document = {
            "game": self.game.name,
            "program": self.command.name,
            "seed": seed,
            **self.options,
            "folder": str(place),
            "interrupted": contest.interrupt is not None,
            **msgspec.to_builtins(contest.record),
        }
        sys.stdout.write(clean.document(document))


class Announcer:
    """Where a contest's lines go: to standard output; how far it is, to standard error, where a person sees it."""

    def __init__(self, language: str, quiet: bool) -> None:
        self._progress = Progress(language)
        self._quiet = quiet
        self._is_seen = sys.stderr.isatty()
        self._next = 0.0

    def print(self, line: str) -> None:
        """A line to stay."""
        if not self._quiet:
            self._progress.show("")
            sys.stdout.write(clean.block(line) + "\n")
            sys.stdout.flush()

    def note(self, line: str) -> None:
        """A line for the person alone, not a part of the output."""
        self._progress.show("")
        sys.stderr.write(clean.line(line) + "\n")
        sys.stderr.flush()

    def show(self, line: str) -> None:
        """Put `line` in the place of the one before, on a terminal."""
        self._progress.show(line)

    def tick(self, line: Callable[[], str]) -> None:
        """The same for lines that come thick and fast: most are not even made."""
        if self._is_seen and monotonic() >= self._next:
            self._next = monotonic() + Progress.EVERY
            self.show(line())


def _sweep(place: Path) -> None:
    """Remove the folder for results if there are none."""
    from contextlib import suppress

    with suppress(OSError):
        place.rmdir()
