"""`dohyo contest -engine ...` and `dohyo contest -r ... -p1 ...`: what users of other programs type.

The words are read by `app/compatibility`, told in our own, and carried out as if these had been typed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from dohyo import clean
from dohyo.cli.options import Language, command_of
from dohyo.cli.signals import Ended
from dohyo.core.errors import OperatorError
from dohyo.i18n import say

if TYPE_CHECKING:
    from dohyo.app.compatibility.understood import Understood

COMMAND = "words"
HELP = ("-help", "--help", "-h")
VERSION = ("-version", "--version")
NAME = "contest"  # of a contest, where no word names it

EPILOG = """\b
The words of fastchess, cutechess and brutaltester work too
(the page 'From fastchess, cutechess or brutaltester' of the documentation):
  dohyo contest -game wondev-woman -engine cmd=./a name=A
      -engine cmd=./b name=B -each st=0.1 -rounds 100 -repeat -concurrency 4
  dohyo contest -r wondev-woman -p1 ./a -p2 ./b -n 100 -s -t 4"""


class Contests(TyperGroup):
    """The commands below `dohyo contest`; words of other programs, which name none of these, go to `COMMAND`."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Find the command in these words."""
        own = _own_words(args)
        if is_foreign(args[own:]):
            args = [*args[:own], COMMAND, "--", *args[own:]]
        return super().parse_args(ctx, args)


def _own_words(args: Sequence[str]) -> int:
    """How many words stand before the others that are an option of `dohyo contest` itself."""
    if args and args[0] == "--lang":
        return min(2, len(args))
    return 1 if args and args[0].startswith("--lang=") else 0


def is_foreign(words: Sequence[str]) -> bool:
    """Whether these begin with an option as other programs have them: with one dash."""
    first = words[0] if words else ""
    return first.startswith("-") and not first.startswith("--") and first != "-h" and len(first) > 1


def mount(app: typer.Typer) -> None:
    """Make the command that carries out other programs' words one of `app`."""

    @app.command(COMMAND, hidden=True)
    def words(
        typed: Annotated[list[str], typer.Argument(metavar="WORD", help="What another program would take.")],
        lang: Language = None,
    ) -> int:
        """Carry out words of fastchess, cutechess or brutaltester."""
        asked = [word for word in typed if word in (*HELP, *VERSION)]
        if asked:
            return _run(command_of(app), ["--help"], str(lang), "dohyo contest")
        return carry_out(typed, str(lang), lambda: command_of(app))


def carry_out(typed: Sequence[str], language: str, contest: Callable[[], Any]) -> int:
    """Do what these words mean; the exit status. `contest` makes the command `dohyo contest`."""
    from dohyo.app.command_lines import LONGEST, command
    from dohyo.app.compatibility import brutaltester, fastchess, outputs

    reader = brutaltester if brutaltester.is_meant(typed) else fastchess
    found = reader.read(typed)
    outputs.check(found, found.name or NAME)
    _note(f"{say('words.understood', language)} {command(*found.words)}", LONGEST)
    for note in found.notes:
        _note(say(note, language))
    first, *rest = found.words
    ours = contest() if first == "contest" else _compare()
    if "--lang" not in rest:
        rest += ["--lang", language]
    try:
        status = _run(ours, rest, language, f"dohyo {first}")
    except Ended:  # what was played until then is written all the same
        _write(found, language)
        raise
    _write(found, language)
    return status


def _compare() -> Any:
    from dohyo.cli import compare

    return command_of(compare.app)


def _run(command: Any, words: Sequence[str], language: str, called: str) -> int:
    """Carry out one of our own commands; its exit status."""
    status = command.main(args=list(words), prog_name=called, standalone_mode=False, obj=language)
    return status if isinstance(status, int) else 0


def _write(found: Understood, language: str) -> None:
    """Write the files that the words have asked for, if anything was played."""
    from dohyo.app.compatibility import outputs

    if found.pgn is None and found.logs is None:
        return
    try:
        written = outputs.write(found, found.name or NAME)
    except OperatorError as error:
        if error.key not in ("store-missing", "store-empty", "store-no-contest"):
            raise
        return
    for path, count in written:
        _note(say("contest.wrote", language, count=count, path=path))


def _note(line: str, most: int = clean.LONGEST) -> None:
    """A line for the person alone, not a part of the output."""
    sys.stderr.write(clean.line(line, most) + "\n")
    sys.stderr.flush()
