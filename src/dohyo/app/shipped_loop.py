"""The compiled loop of `dohyo.runner.fastpath` as machine code that ships with Dohyo: without Numba and NumPy.

Theory of operation
-------------------
`python -m dohyo.app.shipped_loop` compiles the loop of each of Dohyo's own games (`dohyo.sim.ahead`), for any
processor of this machine's kind, and writes it to `shipped/` in this package: whoever makes a wheel does that before
(hatch takes the files along). Each file's name says the system, the game, and of which sources it was made: a file of
other sources than those that are installed is never loaded, and then the loop in Python plays, or Numba's.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from dohyo import core, games, runner
from dohyo.app.compiled_loop import (
    INPUT_BYTES,
    LoopBuffers,
    fill_table,
    loop_arguments,
    loop_parts,
    table_fields,
)
from dohyo.core.game import Game
from dohyo.runner.fastpath import MAX_TURNS, kernel
from dohyo.sim.ahead import BYTES, INT, NONE, ROW, Call

SHIPPED = Path(__file__).parent / "shipped"
# How `kernel.play_turns` is called.
LOOP = Call("dohyo_0", (ROW, BYTES, ROW, ROW, INT, INT, INT, INT), NONE)


class ShippedLoop(LoopBuffers):
    """The loop of a game from its file, with its buffers. One match at a time uses it."""

    def __init__(self, game: Game, file: Path) -> None:
        """Raises `OSError` where the file cannot be loaded on this system."""
        from dohyo.search.ahead import native_function, structure, symbols_of

        self._loop = native_function(symbols_of(file), LOOP)
        layout = game.rules.LAYOUT
        states = (structure(layout) * 1)()
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
    folder = Path(package.__path__[0])
    return SHIPPED / f"{sys.platform}-{os.uname().machine}-{game.name}-{_sources(folder)}.so"


@cache
def _sources(game: Path) -> str:
    """SHA-256 over the sources of which the machine code is made, 16 hex digits."""
    seen = hashlib.sha256()
    for folder in (game, Path(core.__file__).parent, Path(runner.__file__).parent / "fastpath"):
        for source in sorted(folder.glob("*.py")):
            seen.update(source.name.encode() + b"\0" + source.read_bytes())
    return seen.hexdigest()[:16]


def _view(numbers: Any, kind: Any) -> Any:
    """A view of a record's field, whose items are numbers."""
    raw: Any = memoryview(numbers).cast("B")
    return raw.cast(kind._type_._type_)


def _record(fields: kernel.Fields) -> Any:
    """A row of one record with these fields."""
    from dohyo.search.ahead import FIELDS

    known: dict[str, Any] = FIELDS
    parts = [(name, known[kind.lstrip("<")] * length) for name, kind, length in fields]
    record: Any = type("Record", (ctypes.Structure,), {"_fields_": parts})
    return (record * 1)()


def ship(game: Game) -> Path:
    """Compile the game's loop, and write its file; raises `OperatorError` without the extra `fast`."""
    from dohyo.sim import ahead
    from dohyo.sim.whole_program import compile_whole

    made = compile_whole(kernel.play_turns, loop_parts(game), kernel.FOREIGN)
    made(*loop_arguments(game), 0, 0, 0, 0)  # no turn of no seat: compiled for these types
    content, (call,) = ahead.object_file(
        [ahead.Compiled(made, made.signatures[0])], kernel.FOREIGN, any_processor=True
    )
    assert call == LOOP
    file = file_of(game)
    assert file is not None
    SHIPPED.mkdir(exist_ok=True)
    for old in SHIPPED.glob(f"{file.name.rpartition('-')[0]}-*"):
        old.unlink()
    made = file.with_suffix(".o")
    made.write_bytes(content)
    if not ahead.link(made, file):
        raise OSError("there is no linker (in Debian: apt install gcc)")
    made.unlink()
    return file


if __name__ == "__main__":
    from dohyo.runner.fastpath.driver import suits

    for each in games.all_games().values():
        if suits(each) and file_of(each) is not None:
            print(ship(each))
