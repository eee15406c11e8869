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


class Shape(NamedTuple):
    """How slots are played: `groups` of them, each of `lanes` at once; they play each turn one after the other.

    The state's fields in `small` never hold negative numbers, nor any that the two upper bits are needed for. Then
    twice such a number is no wider, and AVX2, too, can shift them down.
    """

    lanes: int
    groups: int
    small: tuple[str, ...]


class LargeError(NoLanesError):
    """Fields that were taken for small get other numbers."""

    def __init__(self, fields: set[str]) -> None:
        super().__init__(f"large numbers in {sorted(fields)}")
        self.fields = fields


class RollCode:
    """Writes it for one game."""

    def __init__(self, rules: Rules, parts: Mapping[str, Any], slot: Layout, builder: Any, shape: Shape) -> None:
        """`parts` stand for the names that loops leave open, `slot` is what a batch keeps of a slot."""
        self._rules, self._parts, self._builder = rules, parts, builder
        self._lanes, self._groups, self._small = shape
        self._group: Any = None
        self._vectors = Vectors(builder, shape.lanes)
        self._ir = self._vectors.ir
        self._seats = int(parts["SEATS"])
        self._layouts = {"states": rules.LAYOUT, "sources": rules.SOURCE, "slots": slot}
        self._state: Fields = {cell: self._room(each.low, each.high) for cell, each in self._state_of({}).cells()}
        self._source: Fields = {}  # what beginning a game writes there
        self._next: list[tuple[Kept, Any]] = []  # what a cell becomes when its lane's next game begins
        self._word = self._room(0, MASK32)
        self._turn = self._room(-MOST32 - 1, MOST32)  # of a game, less the turns of the rollout
        self._game, self._played = self._room(*of_kind("i8")), self._room(0, MOST32)
        self._ready = self._room(0, AHEAD)

    def write(self, given: Given, play: Any, begin: Beginning) -> Any:
        """Write it at the builder's place; LLVM's bit that is 1 if the slots were played, 0 if they have to be
        otherwise. `play(s, slot, actions)` and `begin(...)` are flat functions."""
        self._given = given
        fit = self._bring()
        with self._builder.if_then(fit):
            with self._counted(given.steps) as turn, self._each_group():
                self._play(play, begin, turn)
            self._bring_back(begin)
        return fit

    # --- memory

    def _state_of(self, contents: Fields) -> Record:
        """A state with these contents."""
        state = record(self._rules.LAYOUT, contents)
        for (name, _), cell in state.cells():
            if name in self._small:
                cell.low, cell.high, cell.is_guess = 0, cell.high >> 1, True
        return state

    def _room(self, low: int, high: int) -> Kept:
        with self._builder.goto_entry_block():
            found = self._builder.alloca(self._vectors.kind(self._bits(low, high)), self._groups)
        found.align = 64
        return Kept(found, low, high)

    @staticmethod
    def _bits(low: int, high: int) -> int:
        return Cell(None, low, high).bits

    def _load(self, kept: Kept) -> Lanes:
        return Lanes(self._builder.load(self._here(kept)), kept.low, kept.high)

    def _store(self, value: Any, kept: Kept) -> None:
        store = self._builder.store(self._vectors.at_width(value, self._bits(kept.low, kept.high)), self._here(kept))
        if self._groups > 1:
            let_be_volatile(store)

    def _here(self, kept: Kept) -> Any:
        """Where this group's numbers are."""
        return kept.room if self._groups == 1 else self._builder.gep(kept.room, [self._group])

    @contextmanager
    def _counted(self, times: Any) -> Iterator[Any]:
        """A loop; the number of the turn."""
        from numba.core import cgutils

        with cgutils.for_range(self._builder, times) as loop:
            yield loop.index

    @contextmanager
    def _each_group(self) -> Iterator[None]:
        """A loop over the groups; what is loaded and stored in it is this group's."""
        if self._groups == 1:
            yield
        else:
            with self._counted(self._number(self._groups)) as self._group:
                yield

    # --- between records and lanes

    def _bring(self) -> Any:
        """Take the slots' games into the lanes; whether all their numbers, and the blank state's, fit in there."""
        builder = self._builder
        with self._each_group():
            for kept in (self._played, self._ready):
                self._store(0, kept)
        with builder.goto_entry_block():
            all_bits = builder.alloca(self._ir.IntType(64))
        builder.store(self._number(0), all_bits)
        with self._counted(self._number(self._lanes * self._groups)) as lane:
            for (name, place), kept in self._state.items():
                value = self._move(lane, "states", name, place, kept, True)
                if name in self._small:
                    given = builder.or_(value, self._blank_number(name, place))
                    upper = builder.lshr(given, given.type(given.type.width - 2))
                    widened = builder.zext(upper, self._ir.IntType(64))
                    builder.store(builder.or_(builder.load(all_bits), widened), all_bits)
            for name, kept in (("word", self._word), ("turn", self._turn), ("game", self._game)):
                self._move(lane, "slots", name, 0, kept, True)
        return builder.icmp_unsigned("==", builder.load(all_bits), self._number(0))

    def _bring_back(self, begin: Beginning) -> None:
        """Leave them there again, with the sources of games that have begun meanwhile."""
        builder, number = self._builder, self._number
        turns = builder.trunc(self._given.steps, self._ir.IntType(32))
        with self._each_group():
            turn = builder.add(self._load(self._turn).value, self._vectors.splat(turns))
            self._store(Lanes(turn, 0, MOST32), self._turn)
            _, source, _ = self._begun(begin, self._blank_state(), self._number_of_game())
            for cell, each in source.cells():
                if each.was_written:
                    if cell not in self._source:
                        self._source[cell] = self._room(*self._vectors.bounds(each.content))
                    self._store(each.content, self._source[cell])
        with self._counted(number(self._lanes * self._groups)) as lane:
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

    def _move(self, lane: Any, records: str, name: str, place: int, kept: Kept, to_lane: bool) -> Any:
        """Copy one number of one lane; the number."""
        address, spot = self._address(lane, records, name, place), self._spot(kept, lane)
        inner, outer = spot.type.pointee, address.type.pointee
        if to_lane:
            value = self._builder.load(address)
            self._builder.store(self._builder.trunc(value, inner) if inner.width < outer.width else value, spot)
        else:
            value = self._builder.load(spot)
            widened = self._builder.zext if kept.low >= 0 else self._builder.sext
            self._builder.store(widened(value, outer) if inner.width < outer.width else value, address)
        return value

    # --- a turn

    def _play(self, play: Any, begin: Beginning, turn: Any) -> None:
        """One turn in every lane."""
        code = Predicated(self._vectors, self._parts)
        contents = {cell: self._load(kept) for cell, kept in self._state.items()}
        state = self._state_of(contents)
        word = Cell(self._load(self._word), 0, MASK32)
        code.call(play, [state, Record({"word": word}), [Cell(0, *of_kind("i8")) for _ in range(self._seats)]])
        self._check_small(state)
        self._check_dice(code, state)
        ended = self._vectors.truth(code.call(self._parts["over"], [state]))
        if not isinstance(ended, Mask):
            raise NoLanesError("a game that never ends, or always")
        self._now = {self._state[cell]: each.content for cell, each in state.cells() if each.was_written}
        self._now[self._word] = word.content
        for kept, value in self._now.items():
            self._store(value, kept)
        with self._builder.if_then(self._vectors.any(ended)):
            self._end(code, state, ended)
            self._renew(begin, ended)
            fresh = self._builder.trunc(self._builder.not_(turn), self._ir.IntType(32))  # - (turn + 1)
            none = Lanes(self._vectors.splat(fresh), self._turn.low, self._turn.high)
            self._store(self._vectors.select(ended, none, self._load(self._turn)), self._turn)

    def _check_small(self, state: Record) -> None:
        """Raises `LargeError` where fields were wrongly taken for small."""
        if wrong := {name for (name, _), cell in state.cells() if cell.went_beyond}:
            raise LargeError(wrong)

    def _check_dice(self, code: Predicated, state: Record) -> None:
        """Raises `NoLanesError` where the dice may have to move after a turn."""
        written = {name for (name, _), cell in state.cells() if cell.was_written}
        again = self._state_of({cell: each.content for cell, each in state.cells()})
        needs = code.call(self._parts["needs_dice"], [again])
        if needs is not False and again.was_read & written:
            raise NoLanesError("dice that move between turns")

    def _end(self, code: Predicated, state: Record, ended: Mask) -> None:
        """Count the games that have ended, by winner."""
        vectors, builder = self._vectors, self._builder
        won = vectors.narrowed(code.call(self._parts["winner"], [state]))
        rest = self._how_many(ended)
        for seat in range(self._seats):
            more = self._how_many(vectors.both(ended, vectors.compare(ast.Eq, won, seat)))
            self._count(more, seat)
            rest = builder.sub(rest, more)
        self._count(rest, self._seats)
        self._store(
            vectors.operation(ast.Add, self._load(self._played)._replace(high=MOST32 - 1), ended), self._played
        )

    def _how_many(self, lanes: Any) -> Any:
        """How many lanes a mask has, in 64 bits."""
        if isinstance(lanes, bool):
            return self._number(self._lanes * lanes)
        bits = self._builder.bitcast(lanes.value, self._ir.IntType(self._lanes))
        return self._builder.zext(self._builder.ctpop(bits), self._ir.IntType(64))

    def _count(self, games: Any, by: int) -> None:
        """Note how many games one of them has won, in the row of the first slot."""
        builder = self._builder
        row = builder.mul(self._given.at, self._number(8 * (self._seats + 1)))
        where = builder.add(builder.add(self._given.wins, row), self._number(8 * by))
        spot = builder.inttoptr(where, self._ir.IntType(64).as_pointer())
        builder.store(builder.add(builder.load(spot), games), spot)

    def _renew(self, begin: Beginning, ended: Mask) -> None:
        """Let the next game begin in the lanes whose game has ended."""
        vectors, builder = self._vectors, self._builder
        ready = self._load(self._ready)
        blank = self._blank_state()
        needed = vectors.both(ended, vectors.compare(ast.Eq, ready, 0))
        with builder.if_then(vectors.any(needed)):
            self._make_ready(begin, blank, ended, ready)
        for kept, found in self._next:
            first = self._load(found[0]) if isinstance(found, list) else found
            before = self._now[kept] if kept in self._now else self._load(kept)
            self._store(vectors.select(ended, first, before), kept)
            for now, after in pairwise(found if isinstance(found, list) else ()):
                self._store(vectors.select(ended, self._load(after), self._load(now)), now)
        ready = self._load(self._ready)
        self._store(vectors.operation(ast.Sub, ready, ended), self._ready)

    def _make_ready(self, begin: Beginning, blank: Fields, ended: Mask, ready: Lanes) -> None:
        """Begin another of its next games in each lane that has room for it, beside the one that is played."""
        vectors = self._vectors
        number = self._number_of_game()
        for more in (ready, vectors.opposite(ended)):  # a game that has ended is among those played
            number = vectors.operation(ast.Add, number, more)
        state, _, word = self._begun(begin, blank, number)
        for cell, each in state.cells():
            self._next.append(
                (self._state[cell], self._queued(each.content, ready) if each.was_written else blank[cell])
            )
        self._next.append((self._word, self._queued(word.content, ready)))
        more = vectors.compare(ast.Lt, ready, AHEAD)
        self._store(vectors.operation(ast.Add, ready, more)._replace(high=AHEAD), self._ready)

    def _number_of_game(self) -> Lanes:
        """The number of each lane's game."""
        number: Lanes = self._vectors.operation(ast.Add, self._load(self._game), self._load(self._played))
        return number

    def _begun(self, begin: Beginning, blank: Fields, number: Lanes) -> tuple[Record, Record, Cell]:
        """Begin the game of this number in each lane: its state, its source, and the word that is drawn from."""
        vectors = self._vectors
        state = self._state_of(blank)
        source = record(self._rules.SOURCE, {})
        word, turn, over = (Cell(None, *of_kind("i8")) for _ in range(3))
        slot = Record({"word": word, "turn": turn, "ended": over})
        dice = [Cell(0, *of_kind("i8")) for _ in range(max(1, self._rules.DICE))]
        deals = bool(self._parts["DEALS"])
        code = Predicated(vectors, {**self._parts, "needs_dice": begin.deals if deals else begin.never})
        code.call(begin.function, [state, source, slot, dice, *self._seeds(), self._slots(), number])
        if deals and Predicated(vectors, self._parts).call(self._parts["needs_dice"], [state]) is not False:
            raise NoLanesError("dice that move more than once before the first turn")
        self._check_small(state)
        return state, source, word

    def _seeds(self) -> list[Lanes]:
        """The batch's seed, two words."""
        word = self._ir.IntType(32)
        seed = [self._builder.trunc(each, word) for each in (self._given.low, self._given.high)]
        return [Lanes(self._vectors.splat(each), 0, MASK32) for each in seed]

    def _slots(self) -> Lanes:
        """The lanes' slots."""
        vectors, at = self._vectors, self._given.at
        if self._groups > 1:
            at = self._builder.add(at, self._builder.mul(self._group, self._number(self._lanes)))
        lanes = self._ir.Constant(vectors.kind(64), list(range(self._lanes)))
        return Lanes(self._builder.add(vectors.splat(at), lanes), 0, 1 << 62)

    def _queued(self, content: Any, ready: Lanes) -> Any:
        """A number that is always the same, or memory for those of the next games, with it at its place."""
        if isinstance(content, int):
            return content
        rooms = [self._room(*self._vectors.bounds(content)) for _ in range(AHEAD)]
        for place, room in enumerate(rooms):
            here = self._vectors.compare(ast.Eq, ready, place)
            self._store(self._vectors.select(here, content, self._load(room)), room)
        return rooms

    def _blank_state(self) -> Fields:
        """The blank state, in all lanes."""
        return {cell: self._blank(*cell, kept) for cell, kept in self._state.items()}

    def _blank(self, name: str, place: int, kept: Kept) -> Lanes:
        """A field of the blank state, in all lanes."""
        return Lanes(self._vectors.splat(self._blank_number(name, place)), kept.low, kept.high)

    def _blank_number(self, name: str, place: int) -> Any:
        """The same as one number."""
        layout, builder = self._rules.LAYOUT, self._builder
        where = builder.add(self._given.blank, self._number(offset_of(layout, name, place)))
        return builder.load(builder.inttoptr(where, self._ir.IntType(width_of(layout, name)).as_pointer()))


def let_be_volatile(store: Any) -> None:
    """Make a store volatile, which llvmlite cannot say.

    LLVM makes one of a number that is chosen between another and what is there already a store under a mask. Without
    AVX-512 that is some twenty instructions on AMD's processors.
    """
    plain = store.descr

    def volatile(text: list[str]) -> None:
        plain(text)
        text[-1] = text[-1].replace("store", "store volatile", 1)

    store.descr = volatile


def cells_of(layout: Layout) -> list[tuple[tuple[str, int], str]]:
    """A layout's cells, (field, place) and kind."""
    return [((name, place), kind) for name, kind, length in layout.fields for place in range(length or 1)]


def record(layout: Layout, contents: Mapping[tuple[str, int], Any]) -> Record:
    """A record of a layout with these contents; nothing where there are none."""
    fields: dict[str, Any] = {}
    for name, kind, length in layout.fields:
        cells = [Cell(contents.get((name, place)), *of_kind(kind)) for place in range(length or 1)]
        fields[name] = cells if length else cells[0]
    return Record(fields)


def offset_of(layout: Layout, name: str, place: int) -> int:
    """Where in a record of NumPy's a field's place begins, in bytes."""
    _, offset = layout.dtype().fields[name][:2]  # type: ignore[index]
    return int(offset) + place * width_of(layout, name) // 8


def width_of(layout: Layout, name: str) -> int:
    """How many bits a number of the field has."""
    return int(layout.dtype().fields[name][0].base.itemsize) * 8  # type: ignore[index]
