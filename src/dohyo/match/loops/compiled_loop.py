"""The loop of `dohyo.match.loops`, compiled with a game's rules, and its buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dohyo.core.flat import Layout
from dohyo.core.game import Game, State
from dohyo.core.lines import PlayedTurns
from dohyo.match.loops import DIGEST, FORCED, MAX_TURNS, kernel
from dohyo.match.processes.read_timer import ReadTimer

INPUT_BYTES = 64 * 1024


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
