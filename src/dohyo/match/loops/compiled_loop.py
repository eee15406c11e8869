"""The loop of `dohyo.match.loops`, compiled with a game's rules, and its buffers: by Numba, or as it ships.

What ships needs neither Numba nor NumPy. `dohyo.native_code` compiles the loop of each of Dohyo's own games when a
wheel is built, for any processor of its machine's kind. A file of other sources than those that are installed is
never loaded (`dohyo.system.shipped`), and then the loop in Python plays, or Numba's. Every match of a process gets
it, from its first turn on: so little is imported here.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dohyo import core, games
from dohyo.core.flat import Layout
from dohyo.core.game import Game, State
from dohyo.core.replay import PlayedTurns
from dohyo.match.loops import DIGEST, FORCED, MAX_TURNS, kernel
from dohyo.match.processes.poller import ReadTimer
from dohyo.system import shipped
from dohyo.system.native import BYTES, FIELDS, INT, NONE, ROW, Call, native_function, structure, symbols_of

INPUT_BYTES = 64 * 1024
# How `kernel.play_turns` is called.
LOOP = Call("dohyo_0", (ROW, BYTES, ROW, ROW, INT, INT, INT, INT), NONE)


class LoopBuffers:
    """A loop of machine code with its buffers: what is the same whoever has compiled it, and made the buffers."""

    max_turns = MAX_TURNS
    _loop: Callable[..., Any]

    def _set(self, layout: Layout, given: tuple[Any, ...], state: memoryview, views: Mapping[str, Any]) -> None:
        """Use these buffers: the loop's own arguments, and views of the packed state and of the fields of `io`."""
        self._layout, self._given, self._state = layout, given, state
        self._end, self._channels = views["end"], views["channels"]
        self._seats, self._seconds = views["seats"], views["seconds"]
        self._acted, self._said = views["acted"], views["said"]
        self._digests, self._prompt, self._input = views["digests"], views["prompt"], views["input"]

    def load(self, state: State) -> None:
        """Go on from this state. Raises `struct.error` when a value does not fit its field."""
        self._state[:] = self._layout.pack(state)

    def play(
        self, channels: Sequence[list[int]], limit: int, max_turns: int, watch_stderr: bool, tick: ReadTimer
    ) -> list[int]:
        """Play at most `max_turns` turns; returns `end` (`kernel.py`). The tick's signal ends its reads by itself."""
        at = 0
        for channel in channels:
            for number in channel:
                self._channels[at] = number
                at += 1
        self._loop(*self._given, len(channels), max_turns, limit, int(watch_stderr))
        return list(self._end)

    def state(self) -> State:
        """The state after the last turn."""
        return self._layout.unpack(self._state)

    def played(self, count: int) -> PlayedTurns:
        """The turns of the last call of `play`, which were so many."""
        actions = _kept(self._acted, count)
        said = _kept(self._said, count) if self._end[FORCED] else actions
        digests = str(self._digests[: DIGEST * count], "ascii")
        return PlayedTurns(bytes(self._seats[:count]), actions, said, _kept(self._seconds, count), digests)

    def unsent(self, start: int, end: int) -> bytes:
        """Bytes `start` to `end` of the last prompt."""
        return bytes(self._prompt[start:end])

    def received(self, count: int) -> bytes:
        """What the last read returned, which was so many bytes."""
        return bytes(self._input[:count])


def _kept(column: memoryview, count: int) -> Any:
    """A copy of the first numbers, as bytes that become numbers when they are read."""
    kind: Any = column.format
    return memoryview(bytes(column[:count])).cast(kind)


class CompiledLoop(LoopBuffers):
    """The loop of a game, compiled by Numba, with its buffers. One match at a time uses it."""

    def __init__(self, game: Game) -> None:
        """Compile it, or load what was compiled before. Raises `OperatorError` without the extra `fast`."""
        from dohyo.sim import compiled

        (self._loop,) = compiled.compile_all([kernel.play_turns], loop_parts(game), kernel.FOREIGN)
        import numpy

        given = loop_arguments(game)
        io_records = given[2]
        # Between two turns NumPy's code drops out of the processor's caches: views are made beforehand.
        views = {name: memoryview(io_records[name][0]) for name in io_records.dtype.names}
        packed: Any = given[0].view(numpy.uint8)[: game.rules.LAYOUT.size]
        self._set(game.rules.LAYOUT, given, memoryview(packed), views)


def loop_parts(game: Game) -> dict[str, Any]:
    """The game's functions that the loop calls."""
    parts = {name: getattr(game.rules, name) for name in kernel.RULES}
    return {**parts, **{name: getattr(game.protocol, name) for name in kernel.PROTOCOL}}


def loop_arguments(game: Game) -> tuple[Any, Any, Any, Any]:
    """The loop's own arguments as arrays: the state, its bytes, the record for input and output, the texts."""
    import numpy

    from dohyo.sim import records

    layout = game.rules.LAYOUT
    io_records = _record(kernel.io_fields(game.seats[1], MAX_TURNS, game.protocol.PROMPT_BYTES, INPUT_BYTES))
    states = records.blank(layout, 1)
    packed: Any = states.view(numpy.uint8)[: layout.size]
    return states, packed, io_records, texts_of([game.protocol.text(action) for action in range(game.rules.ACTIONS)])


def texts_of(texts: Sequence[str]) -> Any:
    """The table in which `kernel.find_action` looks actions up, as an array of one record."""
    table = _record(table_fields(texts))
    fill_table(table[0], texts)
    return table


def table_fields(texts: Sequence[str]) -> kernel.Fields:
    """The fields of that table."""
    return kernel.text_fields(max(len(text) for text in texts), len(texts), 1 << (4 * len(texts) - 1).bit_length())


def fill_table(row: Any, texts: Sequence[str]) -> None:
    """Fill in the table's record, a blank one."""
    longest = max(len(text) for text in texts)
    row.longest[0] = longest
    row.slots[:] = [-1] * len(row.slots)
    for action, text in enumerate(texts):
        line = text.encode("ascii")
        row.lengths[action] = len(line)
        row.letters[action * longest : action * longest + len(line)] = list(line)
        place = kernel.hash_line(line, len(line)) & (len(row.slots) - 1)
        while row.slots[place] >= 0:
            place = (place + 1) & (len(row.slots) - 1)
        row.slots[place] = action


def _record(fields: kernel.Fields) -> Any:
    """An array of one record with these fields."""
    import numpy

    kind = numpy.dtype([(name, kind, (length,)) for name, kind, length in fields], align=True)
    return numpy.zeros(1, kind).view(numpy.recarray)


# --- what ships


class ShippedLoop(LoopBuffers):
    """The loop of a game from its file, with its buffers. One match at a time uses it."""

    def __init__(self, game: Game, file: Path) -> None:
        """Raises `OSError` where the file cannot be loaded on this system."""
        self._loop = native_function(symbols_of(file), LOOP)
        layout = game.rules.LAYOUT
        states = (structure(layout.name, layout.fields) * 1)()
        packed = (ctypes.c_uint8 * layout.size).from_buffer(states)
        io_records = _structures(kernel.io_fields(game.seats[1], MAX_TURNS, game.protocol.PROMPT_BYTES, INPUT_BYTES))
        lines = [game.protocol.text(action) for action in range(game.rules.ACTIONS)]
        texts = _structures(table_fields(lines))
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


def _structures(fields: kernel.Fields) -> Any:
    """A row of one record with these fields."""
    parts = [(name, FIELDS[kind.lstrip("<")] * length) for name, kind, length in fields]
    record: Any = type("Record", (ctypes.Structure,), {"_fields_": parts})
    return (record * 1)()
