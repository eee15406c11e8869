"""The data and functions of a search, in plain Python or compiled: rows of states, and its flat functions.

`backend_of` returns one or the other; `workspace_of` makes a search's working states and its scratch record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from types import FunctionType
from typing import Any, NamedTuple, Protocol

from dohyo.core.cheap_random import mixed
from dohyo.core.flat import MASK32, Layout
from dohyo.core.game import Chance, Game, State, check_seats, no_deal, no_dice, no_roll
from dohyo.core.possible import check_possible
from dohyo.core.rewards import Rewards, pay_places
from dohyo.search.playout import RULES, nothing, rate_nothing, scratch_layout, the_answer
from dohyo.sim.records import put_record
from dohyo.sim.turns import any_place, uniform_legal

Function = Callable[..., Any]
MAX_WORLDS = 1024  # that are taken from an iterable without a length
NONE = -1


class Backend(Protocol):
    """What differs between plain Python and compiled code."""

    def blank(self, layout: Layout, count: int) -> Any:
        """A row of `count` states (or sources), all fields 0."""

    def worlds(self, layout: Layout, states: Iterable[State]) -> Any:
        """These plain states, or a row of records, as a row of states. Raises `ValueError` if there is none."""

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        """A flat function, with values for the names that it leaves open."""

    def in_numpy(self) -> Backend:
        """This backend over NumPy's records, if it is compiled: for a search that works with arrays."""
        return self


class PlainBackend(Backend):
    """Lists and plain states."""

    def blank(self, layout: Layout, count: int) -> list[State]:
        """A list of `count` states, all fields 0."""
        return [layout.new() for _ in range(count)]

    def worlds(self, layout: Layout, states: Any) -> Sequence[State]:
        return plain_states(layout, states)

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        copy = layout.copy

        def put(states: Any, to: int, others: Any, at: int) -> None:
            states[to] = copy(others[at])

        return bound(function, {**parts, "put": put})


def bound(function: Function, parts: Mapping[str, Function]) -> Any:
    """`function`, and every flat function of this package that it may call, with `parts` for the open names.

    The modules themselves do not change: several searches can exist at once. They need not stay in `sys.modules`.
    """
    spaces: dict[str, dict[str, Any]] = {}

    def space(within: dict[str, Any]) -> dict[str, Any]:
        """A copy of a module's names, in which its flat functions use this copy."""
        name = within["__name__"]
        if name not in spaces:
            names = dict(within)
            spaces[name] = names
            for key, found in list(names.items()):
                if not isinstance(found, FunctionType) or not getattr(found, "__flat__", False):
                    continue
                if found.__module__ == name:
                    names[key] = FunctionType(found.__code__, names, key, found.__defaults__)
                elif found.__module__.rpartition(".")[0] == __package__:
                    names[key] = space(found.__globals__)[found.__name__]
            names.update(parts)
        return spaces[name]

    return space(function.__globals__)[function.__name__]


def plain_states(layout: Layout, states: Any) -> Sequence[State]:
    """Plain states as they are; a row of records, or an iterable, as a list of plain states.

    Raises `ValueError` if there is none, and for records of another layout.
    """
    if not hasattr(states, "dtype"):
        return taken(states)
    from dohyo.sim import records

    check_row(layout, states)
    return [records.read(layout, states, at) for at in range(len(states))]


def check_row(layout: Layout, rows: Any) -> None:
    """Raise `ValueError` for what is no row of at least one record of this layout."""
    if rows.dtype != layout.dtype() or rows.ndim != 1 or len(rows) == 0:
        raise ValueError(f"worlds must be a row of at least one record of {layout.name}")


class NumpyRecords(Backend):
    """Arrays and records of NumPy, which a compiled search works on."""

    def __init__(self) -> None:
        """Raises `OperatorError` where NumPy is not installed."""
        from dohyo.sim import records

        self._records, self._numpy = records, records.import_numpy()

    def blank(self, layout: Layout, count: int) -> Any:
        """An array of `count` records, all fields 0."""
        return self._records.blank(layout, count)

    def is_row(self, states: Any) -> bool:
        """Whether these are records already."""
        return isinstance(states, self._numpy.ndarray)

    def worlds(self, layout: Layout, states: Any) -> Any:
        if self.is_row(states):
            check_row(layout, states)
            return states
        found = taken(states)
        records = self._records.blank(layout, len(found))
        for at, state in enumerate(found):
            self._records.write(layout, records, at, state)
        return records


class CompiledBackend(NumpyRecords):
    """Compiled by Numba, over these. Needs the extra `fast`."""

    def __init__(self) -> None:
        """Raises `OperatorError` where the extra is not installed."""
        from dohyo.sim import compiled, whole_program

        compiled.import_numba()
        super().__init__()
        self._whole = whole_program

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        return self._whole.compile_loops([function], {**parts, "put": put_record})[0]


CHOSEN: list[Backend] = []  # at most one: the backend that `dohyo.search.ahead` uses instead of the compiled one


def backend_of(compiled: bool) -> Backend:
    """The plain or the compiled backend. Raises `OperatorError` for the compiled one without the extra `fast`."""
    if not compiled:
        return PlainBackend()
    return CHOSEN[0] if CHOSEN else CompiledBackend()


def taken(states: Iterable[State]) -> Sequence[State]:
    """All states of a sequence; of an iterable without a length, at most `MAX_WORLDS`."""
    found = states if isinstance(states, Sequence) else list(islice(states, MAX_WORLDS))
    if not found:
        raise ValueError("there is no world to search in: `worlds` is empty")
    return found


def whole(backend: Backend, game: Game, seats: int, states: Iterable[State], *, before_dice: bool = False) -> Any:
    """States that a search of so many seats may begin with: compiled rules do not ask if a number leads out of a row.

    Raises `ValueError` for one in which nobody can move yet as dice are still to be rolled, where it is not said that
    this may be (`before_dice`), and for one that no match can come to, such as one in which something hidden is not
    filled in. Rows of records are taken as they are: `BatchMatch.pack` has asked. In a bot's own sandbox, by code
    compiled ahead of time, there is no time to ask whether a match can come to them, and the memory is the bot's.
    """
    if hasattr(states, "dtype"):
        return states
    found = taken(states)
    for state in found:
        if not before_dice:
            check_rolled(game, state)
        if isinstance(backend, CompiledBackend):
            check_possible(game, state, seats)
    return found


def check_rolled(game: Game, state: State) -> None:
    """Raise `ValueError` for a state in which nobody can move yet, as dice are still to be rolled, or cards dealt.

    Raises `TypeError` for what is no state of the game.
    """
    if not hasattr(state, game.rules.LAYOUT.fields[0][0]):
        raise TypeError(f"`state` must be one of {game.name}, as game.first_state(seed) returns, not {state!r}")
    if game.rules.needs_dice(state) and not game.rules.over(state):
        raise ValueError(
            f"the dice of {game.name} are still to be rolled in this state, so nobody can move in it: "
            "game.first_state(seed) has rolled a match's first ones, and rules.deal(state, dice, None) takes others"
        )


class Workspace(NamedTuple):
    """The working memory of the searches' flat functions, on one backend."""

    states: Any  # two working states
    source: Any  # of the dice
    scratch: Any  # see `playout.scratch_layout`


def workspace_of(
    backend: Backend,
    game: Game,
    seats: int,
    seed: int,
    path: int = 1,
    room: Sequence[tuple[str, str, int]] = (),
    **told: float,
) -> Workspace:
    """A workspace for a search in `game`, whose playouts take at most `path` edges.

    `room` are fields of the game's own in its scratch record, `told` are values for fields of it.
    """
    rules = game.rules
    scratch = backend.blank(scratch_layout(rules.ACTIONS, rules.DICE, seats, path, room), 1)[0]
    edge_of = field(scratch, "edge_of")
    for action in range(rules.ACTIONS):
        edge_of[action] = NONE
    for name, found in {"word": mixed(seed & MASK32), "seats": seats, **told}.items():
        put_field(scratch, name, found)
    source = backend.worlds(rules.SOURCE, [game.source(seed)])[0]
    return Workspace(backend.blank(rules.LAYOUT, 2), source, scratch)


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
    game: Game,
    seats: int,
    value: Function | None,
    policy: Function | None,
    moves: Function | None,
    rate: Function | None = None,
    rewards: Rewards | None = None,
) -> dict[str, Function]:
    """Values for the open names of a search's flat functions, except `put`; without `rewards`, places count.

    Raises `ValueError` for invalid ones.
    """
    rules = rules_of(game, seats)
    own = {"value": value or nothing, "policy": policy or uniform_legal, "legal": moves or game.rules.legal}
    rules["payoffs"] = pay_places if rewards is None else rewards.payoffs
    own["rate"] = rate or rate_nothing
    for name, function in own.items():
        if not getattr(function, "__flat__", False):
            raise ValueError(f"`{'moves' if name == 'legal' else name}` must carry the mark @flat of dohyo.core.flat")
    if policy is None and moves is None:  # the same actions as `uniform_legal` takes, without their list
        own |= {"policy": any_place, "candidates": game.rules.count_legal, "taken": game.rules.kth_legal}
        return {**rules, **own}
    return {**rules, **own, "candidates": own["legal"], "taken": the_answer}


def rules_of(game: Game, seats: int) -> dict[str, Function]:
    """The rules' functions for a match of so many seats. Raises `ValueError` for a number that the game has not."""
    check_seats(game, seats)
    rules = {name: getattr(game.rules, name) for name in RULES}
    if game.chance is not Chance.EVERY_TURN:  # dice are never rolled later: they need not be compiled
        rules |= {"needs_dice": no_dice, "roll": no_roll, "deal": no_deal}
    return rules
