"""Writes the code that plays turns in all lanes: see `dohyo.sim.lanes`, which says what it does."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

from dohyo.core.flat import MASK32, Layout
from dohyo.core.game import Rules
from dohyo.sim.predicated import Cell, Predicated, Record
from dohyo.sim.vectors import Lanes, Mask, NoLanesError, Vectors, of_kind

MOST32 = (1 << 31) - 1
AHEAD = 2  # games of a lane that are there before it needs them


class Given(NamedTuple):
    """What the code takes: addresses of records and of counts, and numbers, all of LLVM's 64 bits."""

    at: Any
    states: Any
    blank: Any
    sources: Any
    slots: Any
    wins: Any
    low: Any
    high: Any
    steps: Any


class Beginning(NamedTuple):
    """Flat functions: what begins a game, and what stands there for `needs_dice` in games with dice and without."""

    function: Any
    deals: Any
    never: Any


class Kept(NamedTuple):
    """Memory for a number a lane, and between which numbers these are."""

    room: Any
    low: int
    high: int


Fields = dict[tuple[str, int], Any]


class RollCode:
    """Writes it for one game."""

    def __init__(self, rules: Rules, parts: Mapping[str, Any], slot: Layout, builder: Any, lanes: int) -> None:
        """`parts` stand for the names that loops leave open, `slot` is what a batch keeps of a slot."""
        self._rules, self._parts, self._builder, self._lanes = rules, parts, builder, lanes
        self._vectors = Vectors(builder, lanes)
        self._ir = self._vectors.ir
        self._seats = int(parts["SEATS"])
        self._layouts = {"states": rules.LAYOUT, "sources": rules.SOURCE, "slots": slot}
        self._state: Fields = {cell: self._room(*of_kind(kind)) for cell, kind in cells_of(rules.LAYOUT)}
        self._source: Fields = {}  # what beginning a game writes there
        self._next: list[tuple[Kept, Any]] = []  # what a cell becomes when its lane's next game begins
        self._word = self._room(0, MASK32)
        self._turn = self._room(-MOST32 - 1, MOST32)  # of a game, less the turns of the rollout
        self._game, self._played = self._room(*of_kind("i8")), self._room(0, MOST32)
        self._ready = self._room(0, AHEAD)

    def write(self, given: Given, play: Any, begin: Beginning) -> None:
        """Write it at the builder's place. `play(s, slot, actions)` and `begin(...)` are flat functions."""
        self._given = given
        self._bring()
        with self._counted(given.steps) as turn:
            self._play(play, begin, turn)
        self._bring_back()

    # --- memory

    def _room(self, low: int, high: int) -> Kept:
        with self._builder.goto_entry_block():
            found = self._builder.alloca(self._vectors.kind(self._bits(low, high)))
        found.align = 64
        return Kept(found, low, high)

    @staticmethod
    def _bits(low: int, high: int) -> int:
        return Cell(None, low, high).bits

    def _load(self, kept: Kept) -> Lanes:
        return Lanes(self._builder.load(kept.room), kept.low, kept.high)

    def _store(self, value: Any, kept: Kept) -> None:
        self._builder.store(self._vectors.at_width(value, self._bits(kept.low, kept.high)), kept.room)

    @contextmanager
    def _counted(self, times: Any) -> Iterator[Any]:
        """A loop; the number of the turn."""
        from numba.core import cgutils

        with cgutils.for_range(self._builder, times) as loop:
            yield loop.index

    # --- between records and lanes

    def _bring(self) -> None:
        """Take the slots' games into the lanes."""
        for kept in (self._played, self._ready):
            self._store(0, kept)
        with self._counted(self._number(self._lanes)) as lane:
            for (name, place), kept in self._state.items():
                self._move(lane, "states", name, place, kept, True)
            for name, kept in (("word", self._word), ("turn", self._turn), ("game", self._game)):
                self._move(lane, "slots", name, 0, kept, True)

    def _bring_back(self) -> None:
        """Leave them there again."""
        builder, number = self._builder, self._number
        turns = builder.trunc(self._given.steps, self._ir.IntType(32))
        turn = builder.add(self._builder.load(self._turn.room), self._vectors.splat(turns))
        self._store(Lanes(turn, 0, MOST32), self._turn)
        with self._counted(number(self._lanes)) as lane:
            for (name, place), kept in self._state.items():
                self._move(lane, "states", name, place, kept, False)
            for name, kept in (("word", self._word), ("turn", self._turn)):
                self._move(lane, "slots", name, 0, kept, False)
            played = builder.zext(builder.load(self._spot(self._played, lane)), self._ir.IntType(64))
            to = self._address(lane, "slots", "game", 0)
            builder.store(builder.add(builder.load(to), played), to)
            with builder.if_then(builder.icmp_unsigned("!=", played, number(0))):
                for (name, place), kept in self._source.items():
                    self._move(lane, "sources", name, place, kept, False)

    def _number(self, number: int) -> Any:
        return self._ir.Constant(self._ir.IntType(64), number)

    def _spot(self, kept: Kept, lane: Any) -> Any:
        """Where one lane's number is."""
        kind = self._ir.IntType(self._bits(kept.low, kept.high)).as_pointer()
        return self._builder.gep(self._builder.bitcast(kept.room, kind), [lane])

    def _address(self, lane: Any, records: str, name: str, place: int) -> Any:
        """Where a lane's record has a field."""
        builder, layout = self._builder, self._layouts[records]
        row = builder.mul(builder.add(self._given.at, lane), self._number(layout.dtype().itemsize))
        where = builder.add(
            builder.add(getattr(self._given, records), row), self._number(offset_of(layout, name, place))
        )
        return builder.inttoptr(where, self._ir.IntType(width_of(layout, name)).as_pointer())

    def _move(self, lane: Any, records: str, name: str, place: int, kept: Kept, to_lane: bool) -> None:
        """Copy one number of one lane."""
        address, spot = self._address(lane, records, name, place), self._spot(kept, lane)
        inner, outer = spot.type.pointee, address.type.pointee
        if to_lane:
            value = self._builder.load(address)
            self._builder.store(self._builder.trunc(value, inner) if inner.width < outer.width else value, spot)
        else:
            value = self._builder.load(spot)
            widened = self._builder.zext if kept.low >= 0 else self._builder.sext
            self._builder.store(widened(value, outer) if inner.width < outer.width else value, address)

    # --- a turn

    def _play(self, play: Any, begin: Beginning, turn: Any) -> None:
        """One turn in every lane."""
        code = Predicated(self._vectors, self._parts)
        contents = {cell: self._load(kept) for cell, kept in self._state.items()}
        state = record(self._rules.LAYOUT, contents)
        word = Cell(self._load(self._word), 0, MASK32)
        code.call(play, [state, Record({"word": word}), [Cell(0, *of_kind("i8")) for _ in range(self._seats)]])
        self._check_dice(code, state)
        ended = self._vectors.truth(code.call(self._parts["over"], [state]))
        for cell, each in state.cells():
            if each.was_written:
                self._store(each.content, self._state[cell])
        self._store(word.content, self._word)
        if not isinstance(ended, Mask):
            raise NoLanesError("a game that never ends, or always")
        with self._builder.if_then(self._vectors.any(ended)):
            self._end(code, state, ended)
            self._renew(code, begin, ended)
            fresh = self._builder.trunc(self._builder.not_(turn), self._ir.IntType(32))  # - (turn + 1)
            none = Lanes(self._vectors.splat(fresh), self._turn.low, self._turn.high)
            self._store(self._vectors.select(ended, none, self._load(self._turn)), self._turn)

    def _check_dice(self, code: Predicated, state: Record) -> None:
        """Raises `NoLanesError` where the dice may have to move after a turn."""
        written = {name for (name, _), cell in state.cells() if cell.was_written}
        again = record(self._rules.LAYOUT, {cell: each.content for cell, each in state.cells()})
        needs = code.call(self._parts["needs_dice"], [again])
        if needs is not False and again.was_read & written:
            raise NoLanesError("dice that move between turns")

    def _end(self, code: Predicated, state: Record, ended: Mask) -> None:
        """Count the games that have ended, by winner."""
        vectors = self._vectors
        won = code.call(self._parts["winner"], [state])
        for k in range(self._seats + 1):
            more = vectors.both(ended, vectors.compare(ast.Eq, won, k if k < self._seats else -1))
            if more is not False:
                self._count(more, k)
        self._store(
            vectors.operation(ast.Add, self._load(self._played)._replace(high=MOST32 - 1), ended), self._played
        )

    def _count(self, won: Mask, by: int) -> None:
        """Note how many lanes' games one of them has won, in the row of the first slot."""
        builder, whole = self._builder, self._ir.IntType(64)
        bits = builder.zext(builder.ctpop(builder.bitcast(won.value, self._ir.IntType(self._lanes))), whole)
        row = builder.mul(self._given.at, self._number(8 * (self._seats + 1)))
        where = builder.add(builder.add(self._given.wins, row), self._number(8 * by))
        spot = builder.inttoptr(where, whole.as_pointer())
        builder.store(builder.add(builder.load(spot), bits), spot)

    def _renew(self, code: Predicated, begin: Beginning, ended: Mask) -> None:
        """Let the next game begin in the lanes whose game has ended."""
        vectors, builder = self._vectors, self._builder
        ready = self._load(self._ready)
        blank = {cell: self._blank(*cell, kind) for cell, kind in cells_of(self._rules.LAYOUT)}
        needed = vectors.both(ended, vectors.compare(ast.Eq, ready, 0))
        with builder.if_then(vectors.any(needed)):
            self._make_ready(code, begin, blank, ended, ready)
        for kept, found in self._next:
            first = self._load(found[0]) if isinstance(found, list) else found
            self._store(vectors.select(ended, first, self._load(kept)), kept)
            for now, after in pairwise(found if isinstance(found, list) else ()):
                self._store(vectors.select(ended, self._load(after), self._load(now)), now)
        ready = self._load(self._ready)
        self._store(vectors.operation(ast.Sub, ready, ended), self._ready)

    def _make_ready(self, code: Predicated, begin: Beginning, blank: Fields, ended: Mask, ready: Lanes) -> None:
        """Begin another of its next games in each lane that has room for it, beside the one that is played."""
        vectors = self._vectors
        state = record(self._rules.LAYOUT, blank)
        source = record(self._rules.SOURCE, {cell: None for cell, _ in cells_of(self._rules.SOURCE)})
        word, turn, over = (Cell(None, *of_kind("i8")) for _ in range(3))
        slot = Record({"word": word, "turn": turn, "ended": over})
        dice = [Cell(0, *of_kind("i8")) for _ in range(max(1, self._rules.DICE))]
        deals = bool(self._parts["DEALS"])
        beginning = Predicated(vectors, {**self._parts, "needs_dice": begin.deals if deals else begin.never})
        beginning.call(begin.function, [state, source, slot, dice, *self._which_game(ended, ready)])
        if deals and code.call(self._parts["needs_dice"], [state]) is not False:
            raise NoLanesError("dice that move more than once before the first turn")
        for cell, each in state.cells():
            self._next.append(
                (self._state[cell], self._queued(each.content, ready) if each.was_written else blank[cell])
            )
        for cell, each in source.cells():
            if each.was_written:
                self._source[cell] = self._room(*vectors.bounds(each.content))
                self._next.append((self._source[cell], self._queued(each.content, ready)))
        self._next.append((self._word, self._queued(word.content, ready)))
        more = vectors.compare(ast.Lt, ready, AHEAD)
        self._store(vectors.operation(ast.Add, ready, more)._replace(high=AHEAD), self._ready)

    def _which_game(self, ended: Mask, ready: Lanes) -> list[Lanes]:
        """The batch's seed, two words, each lane's slot, and the number of its game that is to be made ready."""
        vectors, word = self._vectors, self._ir.IntType(32)
        seed = [self._builder.trunc(each, word) for each in (self._given.low, self._given.high)]
        lanes = self._ir.Constant(vectors.kind(64), list(range(self._lanes)))
        slots = Lanes(self._builder.add(vectors.splat(self._given.at), lanes), 0, 1 << 62)
        number = vectors.operation(ast.Add, self._load(self._game), self._load(self._played))
        for more in (ready, vectors.opposite(ended)):  # a game that has ended is among those played
            number = vectors.operation(ast.Add, number, more)
        return [*(Lanes(vectors.splat(each), 0, MASK32) for each in seed), slots, number]

    def _queued(self, content: Any, ready: Lanes) -> Any:
        """A number that is always the same, or memory for those of the next games, with it at its place."""
        if isinstance(content, int):
            return content
        rooms = [self._room(*self._vectors.bounds(content)) for _ in range(AHEAD)]
        for place, room in enumerate(rooms):
            here = self._vectors.compare(ast.Eq, ready, place)
            self._store(self._vectors.select(here, content, self._load(room)), room)
        return rooms

    def _blank(self, name: str, place: int, kind: str) -> Lanes:
        """A field of the blank state, in all lanes."""
        layout = self._rules.LAYOUT
        builder = self._builder
        where = builder.add(self._given.blank, self._number(offset_of(layout, name, place)))
        scalar = builder.load(builder.inttoptr(where, self._ir.IntType(width_of(layout, name)).as_pointer()))
        return Lanes(self._vectors.splat(scalar), *of_kind(kind))


def cells_of(layout: Layout) -> list[tuple[tuple[str, int], str]]:
    """A layout's cells, (field, place) and kind."""
    return [((name, place), kind) for name, kind, length in layout.fields for place in range(length or 1)]


def record(layout: Layout, contents: Mapping[tuple[str, int], Any]) -> Record:
    """A record of a layout with these contents."""
    fields: dict[str, Any] = {}
    for name, kind, length in layout.fields:
        cells = [Cell(contents[name, place], *of_kind(kind)) for place in range(length or 1)]
        fields[name] = cells if length else cells[0]
    return Record(fields)


def offset_of(layout: Layout, name: str, place: int) -> int:
    """Where in a record of NumPy's a field's place begins, in bytes."""
    _, offset = layout.dtype().fields[name][:2]  # type: ignore[index]
    return int(offset) + place * width_of(layout, name) // 8


def width_of(layout: Layout, name: str) -> int:
    """How many bits a number of the field has."""
    return int(layout.dtype().fields[name][0].base.itemsize) * 8  # type: ignore[index]
