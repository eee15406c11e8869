"""`dohyo contest -engine ...` and `dohyo contest -r ... -p1 ...`: what users of other programs type.

The words are read by `guests/arenas`, told in our own, and carried out as if these had been typed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from dohyo import clean
from dohyo.cli.asking import asks
from dohyo.cli.options import application, asked_language, command_of
from dohyo.cli.signals import Ended
from dohyo.core.asked import says
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.guests.arenas.understood import Understood

HELP = ("-help", "--help", "-h")
VERSION = ("-version", "--version")
NAME = "contest"  # of a contest, where no word names it

app = application()


def is_foreign(words: Sequence[str]) -> bool:
    """Whether these begin with an option as other programs have them: with one dash."""
    first = words[0] if words else ""
    return first.startswith("-") and not first.startswith("--") and first != "-h" and len(first) > 1


@asks(app)
def words(
    typed: Annotated[list[str], says("What another program would take.", "WORD", is_bare=True)],
    *,
    speaker: Speaker,
) -> int:
    """Carry out words of fastchess, cutechess or brutaltester."""
    speaker = Speaker(asked_language(typed) or speaker.language)
    if any(word in (*HELP, *VERSION) for word in typed):
        return _run(_ours("contest"), ["--help"], speaker, "dohyo contest")
    return carry_out(typed, speaker)


def carry_out(typed: Sequence[str], speaker: Speaker) -> int:
    """Do what these words mean; the exit status."""
    from dohyo.guests.arenas import brutaltester, fastchess, outputs
    from dohyo.match.command_lines import LONGEST, command

    reader = brutaltester if brutaltester.is_meant(typed) else fastchess
    found = reader.read(typed)
    outputs.check(found, found.name or NAME)
    _note(speaker.sentences((speaker.say("words.understood"), command(*found.words))), LONGEST)
    for note in found.notes:
        _note(speaker.say(note))
    first, *rest = found.words
    ours = _ours(first)
    if "--lang" not in rest:
        rest += ["--lang", speaker.language]
    try:
        status = _run(ours, rest, speaker, f"dohyo {first}")
    except Ended:  # what was played until then is written all the same
        _write(found, speaker)
        raise
    _write(found, speaker)
    return status


def _ours(name: str) -> Any:
    """Our own command of that name."""
    from dohyo.cli import compare, contest

    return command_of({"compare": compare, "contest": contest}[name].app)


def _run(command: Any, words: Sequence[str], speaker: Speaker, called: str) -> int:
    """Carry out one of our own commands; its exit status."""
    status = command.main(args=list(words), prog_name=called, standalone_mode=False, obj=speaker.language)
    return status if isinstance(status, int) else 0


def _write(found: Understood, speaker: Speaker) -> None:
    """Write the files that the words have asked for, if anything was played."""
    from dohyo.guests.arenas import outputs

    if found.pgn is None and found.logs is None:
        return
    try:
        written = outputs.write(found, found.name or NAME)
    except OperatorError as error:
        if error.key not in ("store-missing", "store-empty", "store-no-contest"):
            raise
        return
    for path, count in written:
        _note(speaker.say("contest.wrote", count=count, path=path))


def _note(line: str, most: int = clean.LONGEST) -> None:
    """A line for the person alone, not a part of the output."""
    sys.stderr.write(clean.line(line, most) + "\n")
    sys.stderr.flush()
