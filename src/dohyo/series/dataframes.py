"""Results as data frames of pandas or polars, where one of them is installed.

Both make a frame of plain columns, a list for each name, and take over their types. So no library stands between:
one that serves both (narwhals) would be a dependency of its own that reads frames rather than makes them, and Arrow's
interface needs a library that writes Arrow.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from dohyo import clean
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.replay import Replay
from dohyo.i18n import ENGLISH, Speaker
from dohyo.match import own_games

LIBRARIES = ("pandas", "polars")
Cell = str | int | float | bool | datetime | None  # a value of a column
Columns = Mapping[str, Sequence[Cell]]


def chosen(library: str = "") -> str:
    """The library that is asked for; without a word, the one that this process uses already, or has installed.

    Raises `OperatorError` where it is not installed, `ValueError` for another library.
    """
    if library and library not in LIBRARIES:
        raise ValueError(f"a data frame is made by one of {', '.join(LIBRARIES)}, not by {library!r}")
    wanted = [library] if library else sorted(LIBRARIES, key=lambda name: name not in sys.modules)
    for name in wanted:
        if importlib.util.find_spec(name) is not None:
            return name
    raise OperatorError("needs-frames", library=" / ".join(wanted))


def frame(columns: Columns, library: str = "") -> Any:
    """A data frame with these columns, of equal length. See `chosen` for the library, and for what is raised."""
    made = importlib.import_module(chosen(library))
    return made.DataFrame({name: list(values) for name, values in columns.items()})


def rows_to_columns(names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> dict[str, list[Cell]]:
    """Rows as columns; texts, which may be strangers', without what cannot be shown."""
    columns: dict[str, list[Cell]] = {name: [] for name in names}
    for row in rows:
        for name, value in zip(names, row, strict=True):
            columns[name].append(clean.block(value) if isinstance(value, str) else value)
    return columns


MOVES = ("turn", "seat", "bot", "action", "reply", "seconds", "cpu", "fault", "detail", "stderr")


def moves_of(replay: Replay) -> dict[str, list[Cell]]:
    """A row for each turn and each seat that acted in it, as columns.

    `reply` is what the bot wrote (none if nothing came in time), `action` what was carried out. `seconds` is the time
    that its clock was charged, `cpu` its processor time where that was measured. `fault` is the kind of the turn's
    last fault that counts, `detail` says it in English; both none where there was none. Raises `ReplayError` for a
    move of a seat that is not there.
    """
    names, speaker = [seat.name for seat in replay.header.seats], _speaker_of(replay)
    rows = []
    for turn in replay.turns:
        for move in turn.moves:
            if not 0 <= move.seat < len(names):
                raise ReplayError("replay-malformed", error=f"there is no seat {move.seat}")
            counting = [fault for fault in move.faults if not fault.note]
            last = counting[-1] if counting else None
            reply = move.action if move.reply is None and not move.faults and move.seconds is not None else move.reply
            kind, detail = (None, None) if last is None else (last.kind.value, speaker.say_any(last.told))
            asked = (move.seconds, move.cpu, kind, detail, move.stderr)
            rows.append((turn.turn, move.seat, names[move.seat], move.action, reply, *asked))
    return rows_to_columns(MOVES, rows)


def _speaker_of(replay: Replay) -> Speaker:
    """Who says what the bots did wrong, with the game's own sentences where it is installed."""
    try:
        return ENGLISH.knowing(own_games.find(replay.header.game).catalogue)
    except OperatorError:
        return ENGLISH
