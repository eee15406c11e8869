"""`dohyo replay FILE --jsonl FILE`: a replay as JSON Lines, for other programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.core.replay import Replay

STANDARD_OUTPUT = "-"


def check_alone(*others: object) -> None:
    """Raise `OperatorError` if something else was asked for too."""
    if any(other is not None and other is not False for other in others):
        raise OperatorError("jsonl-alone")


def write(match: Replay, path: str, force: bool, speaker: Speaker) -> None:
    """Write the lines to a file that is not there yet, or to the standard output."""
    from dohyo import games
    from dohyo.cli.overwriting import check_outputs
    from dohyo.match.files import write_pieces
    from dohyo.match.replays.replay_lines import lines
    from dohyo.terminal.screen import console

    pieces = lines(games.find(match.header.game), match)
    if path == STANDARD_OUTPUT:
        sys.stdout.writelines(pieces)
        return
    check_outputs([("--jsonl", path)], force)
    write_pieces(path, pieces)
    console().print(speaker.say("saved-lines", path=path))
