"""Rows for a search, on either substrate: lists in plain Python, arrays of NumPy's for the compiled form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

from dohyo.core import flat
from dohyo.core.flat import Layout
from dohyo.core.game import Game, State
from dohyo.search.bound import bound
from dohyo.search.luck import LAST31, any_of
from dohyo.search.playing import RULES, Desk, nothing, put_record

Function = Callable[..., Any]
MOST_WORLDS = 1024  # that are taken from an iterable without a length
NONE = -1


class Rooms(Protocol):
    """What differs between the substrates."""

    def whole(self, count: int) -> Any:
        """A row of so many integers, all 0."""

    def real(self, count: int) -> Any:
        """A row of so many doubles, all 0."""

    def blank(self, layout: Layout, count: int) -> Any:
        """A row of so many states (or sources), all fields 0."""

    def worlds(self, layout: Layout, states: Iterable[State]) -> Any:
        """These plain states as a row of states. Raises `ValueError` when there is none."""

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        """A flat function over what it leaves open."""


class PlainRooms:
    """Lists and plain states."""

    def whole(self, count: int) -> list[int]:
        """See `Rooms`, as for all here."""
        return [0] * count

    def real(self, count: int) -> list[float]:
        return [0.0] * count

    def blank(self, layout: Layout, count: int) -> list[State]:
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

    def whole(self, count: int) -> Any:
        """See `Rooms`, as for all here."""
        return self._numpy.zeros(count, self._numpy.int64)

    def real(self, count: int) -> Any:
        return self._numpy.zeros(count, self._numpy.float64)

    def blank(self, layout: Layout, count: int) -> Any:
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


def rooms_of(compiled: bool) -> Rooms:
    """The rooms of a substrate. Raises `OperatorError` for the compiled one without the extra `fast`."""
    return CompiledRooms() if compiled else PlainRooms()


def taken(states: Iterable[State]) -> Sequence[State]:
    """All states of a sequence; of an iterable without a length, at most `MOST_WORLDS`."""
    found = states if isinstance(states, Sequence) else list(islice(states, MOST_WORLDS))
    if not found:
        raise ValueError("there is no world to search in: `worlds` is empty")
    return found


def desk_of(rooms: Rooms, game: Game, seats: int, seed: int, path: int) -> Desk:
    """A desk for a search in `game`, whose playouts take at most `path` edges."""
    rules = game.rules
    luck = rooms.whole(1)
    luck[0] = seed & LAST31
    edge_of = rooms.whole(rules.ACTIONS)
    for action in range(rules.ACTIONS):
        edge_of[action] = NONE
    return Desk(
        states=rooms.blank(rules.LAYOUT, 2),
        sources=rooms.worlds(getattr(rules, "SOURCE", flat.SOURCE), [game.source(seed)]),
        luck=luck,
        options=rooms.whole(rules.ACTIONS),
        own=rooms.whole(rules.ACTIONS),
        edge_of=edge_of,
        actions=rooms.whole(seats),
        dice=rooms.whole(max(rules.DICE, 1)),
        ranks=rooms.whole(seats),
        result=rooms.real(seats),
        path=rooms.whole(path),
        path_at=rooms.whole(path),
    )


def parts_of(
    game: Game, seats: int, value: Function | None, policy: Function | None, moves: Function | None
) -> dict[str, Function]:
    """What a search's flat functions leave open, but for `put`. Raises `ValueError` for what cannot be meant."""
    fewest, most = game.seats
    if not fewest <= seats <= most:
        raise ValueError(f"{game.name} has {fewest} to {most} seats, not {seats}")
    own = {"value": value or nothing, "policy": policy or any_of, "legal": moves or game.rules.legal}
    for name, function in own.items():
        if not getattr(function, "__flat__", False):
            raise ValueError(f"`{'moves' if name == 'legal' else name}` must carry the mark @flat of dohyo.core.flat")
    return {**{name: getattr(game.rules, name) for name in RULES}, **own}
