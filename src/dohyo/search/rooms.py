"""Rows for a search, on either substrate: lists in plain Python, arrays of NumPy's for the compiled form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol

from dohyo.core.flat import MASK32, Layout
from dohyo.core.game import Chance, Game, State
from dohyo.search.bound import bound
from dohyo.search.playing import RULES, desk_layout, never, no_deal, no_roll, nothing, put_record
from dohyo.sim.luck import mixed
from dohyo.sim.turns import uniform_legal

Function = Callable[..., Any]
MOST_WORLDS = 1024  # that are taken from an iterable without a length
NONE = -1


class Rooms(Protocol):
    """What differs between the substrates."""

    def blank(self, layout: Layout, count: int) -> Any:
        """A row of so many states (or sources), all fields 0."""

    def worlds(self, layout: Layout, states: Iterable[State]) -> Any:
        """These plain states as a row of states. Raises `ValueError` when there is none."""

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        """A flat function over what it leaves open."""


class PlainRooms:
    """Lists and plain states."""

    def blank(self, layout: Layout, count: int) -> list[State]:
        """See `Rooms`, as for all here."""
        return [layout.new() for _ in range(count)]

    def worlds(self, layout: Layout, states: Iterable[State]) -> Sequence[State]:
        return taken(states)

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        copy = layout.copy

        def put(states: Any, to: int, others: Any, at: int) -> None:
            states[to] = copy(others[at])

        return bound(function, {**parts, "put": put})


class CompiledRooms:
    """Arrays and records. Needs the extra `fast`."""

    def __init__(self) -> None:
        """Raises `OperatorError` where the extra is not installed."""
        from dohyo.sim import compiled, records

        compiled.import_numba()
        import numpy

        self._compiled, self._records, self._numpy = compiled, records, numpy

    def blank(self, layout: Layout, count: int) -> Any:
        """See `Rooms`, as for all here."""
        return self._records.blank(layout, count)

    def worlds(self, layout: Layout, states: Iterable[State]) -> Any:
        if isinstance(states, self._numpy.ndarray):
            if states.dtype != layout.dtype() or states.ndim != 1 or len(states) == 0:
                raise ValueError(f"worlds must be a row of at least one record of {layout.name}")
            return states
        found = taken(states)
        records = self._records.blank(layout, len(found))
        for at, state in enumerate(found):
            self._records.write(layout, records, at, state)
        return records

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        return self._compiled.compile_over(function, {**parts, "put": put_record}, {})


CHOSEN: list[Rooms] = []  # at most one: what `dohyo.search.ahead` has put in the place of the compiled rooms


def rooms_of(compiled: bool) -> Rooms:
    """The rooms of a substrate. Raises `OperatorError` for the compiled one without the extra `fast`."""
    if not compiled:
        return PlainRooms()
    return CHOSEN[0] if CHOSEN else CompiledRooms()


def taken(states: Iterable[State]) -> Sequence[State]:
    """All states of a sequence; of an iterable without a length, at most `MOST_WORLDS`."""
    found = states if isinstance(states, Sequence) else list(islice(states, MOST_WORLDS))
    if not found:
        raise ValueError("there is no world to search in: `worlds` is empty")
    return found


class Table(NamedTuple):
    """What the searches' flat functions work with, on one substrate."""

    states: Any  # two working states
    source: Any  # of the dice
    desk: Any  # see `playing.desk_layout`


def table_of(rooms: Rooms, game: Game, seats: int, seed: int, path: int = 1, **told: float) -> Table:
    """A table for a search in `game`, whose playouts take at most `path` edges. `told` are fields of the desk."""
    rules = game.rules
    desk = rooms.blank(desk_layout(rules.ACTIONS, rules.DICE, seats, path), 1)[0]
    edge_of = field(desk, "edge_of")
    for action in range(rules.ACTIONS):
        edge_of[action] = NONE
    for name, found in {"word": mixed(seed & MASK32), "seats": seats, **told}.items():
        put_field(desk, name, found)
    source = rooms.worlds(rules.SOURCE, [game.source(seed)])[0]
    return Table(rooms.blank(rules.LAYOUT, 2), source, desk)


def field(record: Any, name: str) -> Any:
    """A field of a plain state, or of a NumPy record."""
    return record[name] if hasattr(record, "dtype") else getattr(record, name)


def put_field(record: Any, name: str, number: float) -> None:
    """Write a field of a plain state, or of a NumPy record."""
    if hasattr(record, "dtype"):
        record[name] = number
    else:
        setattr(record, name, number)


def parts_of(
    game: Game, seats: int, value: Function | None, policy: Function | None, moves: Function | None
) -> dict[str, Function]:
    """What a search's flat functions leave open, but for `put`. Raises `ValueError` for what cannot be meant."""
    fewest, most = game.seats
    if not fewest <= seats <= most:
        raise ValueError(f"{game.name} has {fewest} to {most} seats, not {seats}")
    own = {"value": value or nothing, "policy": policy or uniform_legal, "legal": moves or game.rules.legal}
    for name, function in own.items():
        if not getattr(function, "__flat__", False):
            raise ValueError(f"`{'moves' if name == 'legal' else name}` must carry the mark @flat of dohyo.core.flat")
    parts = {name: getattr(game.rules, name) for name in RULES}
    if game.chance is not Chance.EVERY_TURN:  # the dice lie: they need not be compiled
        parts |= {"needs_dice": never, "roll": no_roll, "deal": no_deal}
    return {**parts, **own}
