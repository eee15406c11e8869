"""The compiled loop of `dohyo.match.loops` as machine code that ships with Dohyo: without Numba and NumPy.

Theory of operation
-------------------
`dohyo.match.loops.native_code` compiles the loop of each of Dohyo's own games when a wheel is built, for any
processor of its machine's kind. A file of other sources than those that are installed is never loaded
(`dohyo.system.shipped`), and then the loop in Python plays, or Numba's. Every match of a process gets it, from its
first turn on: so little is imported here.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from pathlib import Path
from typing import Any

from dohyo import core, games
from dohyo.core.game import Game
from dohyo.match.loops import MAX_TURNS, kernel
from dohyo.match.loops.compiled_loop import INPUT_BYTES, LoopBuffers, fill_table, table_fields
from dohyo.system import shipped
from dohyo.system.native import BYTES, FIELDS, INT, NONE, ROW, Call, native_function, structure, symbols_of

# How `kernel.play_turns` is called.
LOOP = Call("dohyo_0", (ROW, BYTES, ROW, ROW, INT, INT, INT, INT), NONE)


class ShippedLoop(LoopBuffers):
    """The loop of a game from its file, with its buffers. One match at a time uses it."""

    def __init__(self, game: Game, file: Path) -> None:
        """Raises `OSError` where the file cannot be loaded on this system."""
        self._loop = native_function(symbols_of(file), LOOP)
        layout = game.rules.LAYOUT
        states = (structure(layout.name, layout.fields) * 1)()
        packed = (ctypes.c_uint8 * layout.size).from_buffer(states)
        io_records = _record(kernel.io_fields(game.seats[1], MAX_TURNS, game.protocol.PROMPT_BYTES, INPUT_BYTES))
        lines = [game.protocol.text(action) for action in range(game.rules.ACTIONS)]
        texts = _record(table_fields(lines))
        fill_table(texts[0], lines)
        views = {name: _view(getattr(io_records[0], name), kind) for name, kind in io_records._type_._fields_}
        self._set(layout, (states, packed, io_records, texts), memoryview(packed).cast("B"), views)


def shipped_loop(game: Game) -> ShippedLoop | None:
    """The loop that ships for this game and system; none if there is none, or it is of other sources."""
    file = file_of(game)
    if file is None or not file.is_file():
        return None
    try:
        return ShippedLoop(game, file)
    except OSError:
        return None


def file_of(game: Game) -> Path | None:
    """Where the game's file is, or would be; none for a game that is not Dohyo's own."""
    package = sys.modules.get(f"{games.__name__}.{game.name.replace('-', '_')}")
    if package is None or getattr(package, "GAME", None) is not game:
        return None
    return _file_of(game.name, Path(package.__path__[0]))


@cache
def _file_of(name: str, folder: Path) -> Path:
    ours = Path(core.__file__).parent, Path(__file__).parent
    return shipped.file_of(name, (folder, *ours))


def _view(numbers: Any, kind: Any) -> Any:
    """A view of a record's field, whose items are numbers."""
    raw: Any = memoryview(numbers).cast("B")
    return raw.cast(kind._type_._type_)


def _record(fields: kernel.Fields) -> Any:
    """A row of one record with these fields."""
    parts = [(name, FIELDS[kind.lstrip("<")] * length) for name, kind, length in fields]
    record: Any = type("Record", (ctypes.Structure,), {"_fields_": parts})
    return (record * 1)()
