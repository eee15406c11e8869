"""What the dice may show next, each with its exact probability: found out from a game's own `roll`.

Theory of operation
-------------------
A roll gets its numbers from functions that carry the mark `@draws` of `dohyo.core.flat`. Here `roll` runs in plain
Python over copies of its functions in which these do not draw: each call is a branching, with a way for every number,
all as likely. Way after way is run from the beginning, until each has come to its end.

Rules that draw again until it fits have ways without an end. So at each branching it is noted where the rules stand:
the line of calls, with the place and the local numbers of each; the loops they are in; the dice so far; and what was
drawn in the statements that are not done yet. Where two ways stand at the same point they go on alike, and the second
is not followed. So all that can happen is a graph with finitely many points, a Markov chain; what it ends in, and how
probably, is worked out in fractions. Where a function does more than the common language of rules has, points are not
taken for the same: then a loop does not close, and it is said that there is too much to count.

No compiled rules, and no match, pass through here.
"""

from __future__ import annotations

import builtins
import dis
import inspect
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import CodeType, FrameType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from dohyo.core.errors import OperatorError
from dohyo.core.flat import row_of
from dohyo.core.game import Game, State

MAX_OUTCOMES = 10_000
DRAWS, DRAWS_PER_OUTCOME = 10_000, 5  # on all ways together so many at most, and so many more for each outcome
MAX_KEPT = 1024  # states of a game whose outcomes are kept
# What rules call that does not call them back.
SIMPLE = frozenset(("abs", "bool", "float", "int", "len", "max", "min", "range"))
# In such code something may lie between two draws that is no local number: a list in the making, a generator.
OPAQUE = frozenset(("LIST_APPEND", "SET_ADD", "MAP_ADD", "MAKE_FUNCTION", "YIELD_VALUE", "SEND"))


class Outcome(NamedTuple):
    """Numbers that the dice may show, and how probable that is; a whole number of parts, so that sums are exact."""

    dice: tuple[int, ...]
    probability: Fraction


class Dice:
    """What a game's dice may show: `outcomes(state)` lists it, where `game.rules.needs_dice(state)`.

    At most `most` different outcomes are listed. Some are kept, by what the roll looks at in a state.
    """

    def __init__(self, game: Game, most: int = MAX_OUTCOMES) -> None:
        self.game, self.most = game, most
        self._walk = _Walk(game, most)
        self._fields = _fields_read(game)
        self._kept: dict[Any, tuple[Outcome, ...]] = {}

    def outcomes(self, state: State) -> tuple[Outcome, ...]:
        """All that the dice may show in this state, in the order of their numbers; the probabilities' sum is 1.

        Raises `OperatorError` where there are more than `most`, or too many ways to them; where the rules would draw
        for ever; and where they draw by a function without the mark `@draws`.
        """
        key = tuple(_values(getattr(state, name)) for name in self._fields)
        if key not in self._kept:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            self._kept[key] = self._walk.outcomes(state)
        return self._kept[key]

    def after(self, state: State) -> Iterator[tuple[State, Outcome]]:
        """The state after each outcome, and the outcome; `state` itself stays as it is."""
        rules = self.game.rules
        for outcome in self.outcomes(state):
            follows = rules.LAYOUT.copy(state)
            dice = row_of(max(1, rules.DICE))
            dice[: len(outcome.dice)] = outcome.dice
            rules.deal(follows, dice, None)
            yield follows, outcome


def _values(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# --- which functions draw, and what they look at


def _reachable(function: FunctionType) -> dict[FunctionType, list[Any]]:
    """A function and all that it may call but the drawing ones, each with the values of the names in it."""
    found: dict[FunctionType, list[Any]] = {}
    waiting = [function]
    while waiting:
        one = waiting.pop()
        if one not in found and not _is_drawing(one):
            found[one] = _named(one)
            waiting += [value for value in found[one] if isinstance(value, FunctionType)]
    return found


def _named(function: FunctionType) -> list[Any]:
    """The values of the names in a function, with those that it takes out of modules."""
    within, names = function.__globals__, _names(function.__code__)
    values = [within[name] for name in names if name in within]
    modules = [vars(value) for value in values if isinstance(value, ModuleType)]
    return values + [module[name] for module in modules for name in names if name in module]


def _is_drawing(function: Any) -> bool:
    """Whether it carries the mark `@draws` of `dohyo.core.flat`."""
    return getattr(function, "__draws__", False) is True


def _names(code: CodeType) -> set[str]:
    """The names that stand in a function, and in functions within it."""
    inner = [_names(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inner)


def _fields_read(game: Game) -> tuple[str, ...]:
    """The fields of a state that the game's roll may look at."""
    fields = tuple(name for name, _, _ in game.rules.LAYOUT.fields)
    roll = game.rules.roll
    if not isinstance(roll, FunctionType):
        return fields
    found = _reachable(roll)
    names = set[str]().union(*(_names(one.__code__) for one in found))
    plain = all(map(_is_known, (value for values in found.values() for value in values)))
    plain = plain and not any(one.__closure__ for one in found)
    return tuple(name for name in fields if name in names) if plain and "getattr" not in names else fields


def _is_known(value: Any) -> bool:
    """Whether it is a number, made of numbers, or a function whose code can be read."""
    if isinstance(value, tuple | list):
        return all(map(_is_known, value))
    return isinstance(value, int | float | bytes | FunctionType)


def _is_plain(code: CodeType) -> bool:
    """Whether all that a function has in hand at a draw can be seen: its local numbers, and ranges that it goes over.

    Its stack may hold what was drawn in the same statement besides; of that `_Standing` takes care.
    """
    if any(hasattr(builtins, name) and name not in SIMPLE for name in code.co_names):
        return False
    steps = list(dis.get_instructions(code))
    loops = (at for at, step in enumerate(steps) if step.opname == "GET_ITER")
    return all(_is_over_range(steps, at) for at in loops) and not any(step.opname in OPAQUE for step in steps)


def _is_over_range(steps: Sequence[dis.Instruction], at: int) -> bool:
    """Whether the loop that begins at this step goes over `range(...)`, called there and on every way to it."""
    missing = 1  # what the steps looked at take from the stack, and was put there by steps before them
    while at > 0 and missing > 0 and not steps[at].is_jump_target:
        at -= 1
        missing -= dis.stack_effect(steps[at].opcode, steps[at].arg)
        if steps[at + 1].opname == "GET_ITER" and steps[at].opname != "CALL":
            return False
    return missing == 0 and steps[at].opname == "LOAD_GLOBAL" and steps[at].argval == "range"


# --- one way after the other


class _KnownError(Exception):
    """The way has come to a point from which it was followed before."""


class _UnmarkedError(Exception):
    """The rules draw by a function without the mark."""


class _NoSource:
    """In the place of a source: nothing but a drawing function may look into it."""

    def __getattr__(self, name: str) -> Any:
        raise _UnmarkedError

    def __setattr__(self, name: str, value: Any) -> None:
        raise _UnmarkedError


class _Range:
    """A `range` whose loops can be seen, and how far they are."""

    def __init__(self, walk: _Walk, *bounds: int) -> None:
        self._walk, self._numbers = walk, range(*bounds)

    def __iter__(self) -> _Loop:
        loop = _Loop(self._numbers)
        self._walk.loops.append(weakref.ref(loop))
        return loop

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, at: Any) -> Any:
        return self._numbers[at]

    def __contains__(self, number: object) -> bool:
        return number in self._numbers


class _Loop:
    """An iterator over a `_Range`."""

    __slots__ = ("__weakref__", "at", "numbers")

    def __init__(self, numbers: range) -> None:
        self.numbers, self.at = numbers, 0

    def __iter__(self) -> _Loop:
        return self

    def __next__(self) -> int:
        if self.at >= len(self.numbers):
            raise StopIteration
        self.at += 1
        return self.numbers[self.at - 1]


class _Standing:
    """A call that is under way: where in its code it stands, and which draws its stack may still hold.

    `held` stands for the numbers drawn in statements that may not be done: those since the code last went back to a
    place before. `inside` stands for these and those of the call that it has made last, and may not have come back
    from. Both are numbers that `_Walk` has for such lists; 0 is the empty one.
    """

    __slots__ = ("at", "frame", "held", "inside")

    def __init__(self, frame: FrameType) -> None:
        self.frame, self.at = frame, frame.f_lasti
        self.held = self.inside = 0

    def go_on(self, plain: bool) -> None:
        """The next draw has come, and the call that it has made last is over."""
        at = self.frame.f_lasti
        self.held = 0 if plain and at <= self.at else self.inside
        self.at, self.inside = at, self.held


class _Walk:
    """Goes all ways of a game's roll, and keeps the graph of their points.

    `ways[point]` are what follows on each number drawn there: a point, or -1 - the number of an outcome.
    """

    def __init__(self, game: Game, most: int) -> None:
        self._game, self._most = game, most
        self._most_draws = DRAWS + DRAWS_PER_OUTCOME * most
        self._plain: dict[CodeType, bool] = {}
        self._spaces: dict[int, dict[str, Any]] = {}
        self._source = _NoSource()
        roll = game.rules.roll
        self._drawing: set[FunctionType] = set()
        if isinstance(roll, FunctionType):
            self._find_drawing(roll)
        self._roll = self._copied(roll) if roll in self._drawing else roll

    def outcomes(self, state: State) -> tuple[Outcome, ...]:
        """What `Dice.outcomes` gives, worked out."""
        self._state, self._draws = state, 0
        self.ways: list[list[int | None]] = []
        self._points: dict[Any, int] = {}
        self._results: dict[tuple[int, ...], int] = {}
        self._before: list[tuple[int, int] | None] = []  # by point: the one before it, and the way from there
        self._open: deque[list[int]] = deque()  # points with ways that were not gone, and the next of these
        self._lists: dict[tuple[int, int], int] = {}  # by a list's number and one more number: the longer one's
        try:
            first = self._go(None)
            while self._open:
                point, way = self._open[0]
                self._open[0][1] += 1
                if way == len(self.ways[point]) - 1:
                    self._open.popleft()
                self._go((point, way))
        except _UnmarkedError:
            raise OperatorError("chance-unmarked", game=self._game.name) from None
        finally:
            self._state = None
        shares = _absorbed(self.ways, first, len(self._results))
        if sum(shares) != 1:
            raise OperatorError("chance-endless", game=self._game.name)
        return tuple(sorted(map(Outcome, self._results, shares)))

    def _go(self, came: tuple[int, int] | None) -> int:
        """Run the roll to a point and on by this way, then by zeros, up to its end or a known point.

        Returns what comes first on it: a point, or an outcome.
        """
        self._path, self._at, self._came, self._first = self._path_by(came), 0, came, 0
        self._calls: list[_Standing] = []
        self.loops: list[weakref.ref[_Loop]] = []
        self._row = row_of(max(1, self._game.rules.DICE))
        self._bottom = inspect.currentframe()
        try:
            count = self._roll(self._state, self._source, self._row)
        except _KnownError:
            return self._first
        finally:
            self._bottom = None
            self._calls.clear()
        dice = tuple(self._row[:count])
        number = self._results.setdefault(dice, len(self._results))
        if len(self._results) > self._most:
            self._refuse()
        self._arrive(-1 - number)
        return self._first

    def _path_by(self, came: tuple[int, int] | None) -> list[int]:
        """The numbers that are drawn on a way, from the beginning."""
        found = []
        while came is not None:
            found.append(came[1])
            came = self._before[came[0]]
        return found[::-1]

    def draw(self, source: Any, count: int) -> int:
        """In the place of a drawing function: the number that this way has there."""
        if count < 1:
            raise ZeroDivisionError("a number is drawn from none")
        if count == 1:
            return 0
        self._draws += 1
        if max(self._draws, count) > self._most_draws:
            self._refuse()
        self._stand()
        number = self._path[self._at] if self._at < len(self._path) else self._branch(count)
        self._at += 1
        for call in self._calls:
            call.inside = self._lists.setdefault((call.inside, number), len(self._lists) + 1)
        return number

    def _branch(self, count: int) -> int:
        """A point after the path's end: a new one, whose first way is gone, or a known one."""
        key = (*map(self._told, self._calls), tuple(self._row), *self._loops())
        point = self._points.setdefault(key, len(self.ways))
        self._arrive(point)
        if point < len(self.ways):
            raise _KnownError
        self.ways.append([None] * count)
        self._before.append(self._came)
        self._open.append([point, 1])
        self._path.append(0)
        self._came = (point, 0)
        return 0

    def _arrive(self, at: int) -> None:
        """Note that this follows on where the way came from."""
        if self._came is None:
            self._first = at
        else:
            point, way = self._came
            self.ways[point][way] = at

    def _refuse(self) -> None:
        raise OperatorError("chance-too-many", game=self._game.name, most=self._most, draws=self._most_draws)

    # --- where the rules stand

    def _stand(self) -> None:
        """Bring `_calls` up to date: the calls from the roll down to the one that draws."""
        frames: list[FrameType] = []
        frame = inspect.currentframe()
        frame = frame.f_back.f_back if frame is not None and frame.f_back is not None else None  # who called `draw`
        while frame is not None and frame is not self._bottom:
            frames.append(frame)
            frame = frame.f_back
        frames.reverse()
        same = 0
        while same < min(len(frames), len(self._calls)) and frames[same] is self._calls[same].frame:
            same += 1
        for call in self._calls[same - 1 : same]:  # those above it still wait for the call below them
            call.go_on(self._sees(call.frame.f_code))
        self._calls[same:] = [_Standing(frame) for frame in frames[same:]]

    def _sees(self, code: CodeType) -> bool:
        if code not in self._plain:
            self._plain[code] = _is_plain(code)
        return self._plain[code]

    def _told(self, call: _Standing) -> Any:
        """All that says how a call will go on."""
        known = tuple((name, self._number(value)) for name, value in call.frame.f_locals.items())
        return call.frame.f_code, call.frame.f_lasti, call.held, known

    def _number(self, value: Any) -> Any:
        """A local value as something that is equal only to what goes on alike."""
        if value is None or isinstance(value, int | float | str | bytes):
            return value
        if isinstance(value, tuple):
            return tuple(map(self._number, value))
        for known, name in ((self._state, "state"), (self._source, "source"), (self._row, "dice")):
            if value is known:
                return name
        return object()

    def _loops(self) -> list[tuple[range, int]]:
        """The loops over ranges that are not left, and how far they are."""
        alive = [loop for each in self.loops if (loop := each()) is not None]
        self.loops = [weakref.ref(loop) for loop in alive]
        return [(loop.numbers, loop.at) for loop in alive]

    # --- the copies of the rules' functions

    def _find_drawing(self, roll: FunctionType) -> None:
        """Find the functions, from the roll on, that call one that draws."""
        found = _reachable(roll)
        more = True
        while more:
            calls = {one for one, values in found.items() if any(map(self._leads_to_draws, values))}
            more = not calls <= self._drawing
            self._drawing |= calls

    def _leads_to_draws(self, value: Any) -> bool:
        return isinstance(value, FunctionType) and (value in self._drawing or _is_drawing(value))

    def _copied(self, function: FunctionType) -> Any:
        """A function that draws, over names in which the drawing functions are this walk's `draw`."""
        if _is_drawing(function):
            return self.draw
        within = function.__globals__
        if id(within) not in self._spaces:
            names = self._spaces[id(within)] = dict(within)
            names.setdefault("range", lambda *bounds: _Range(self, *bounds))
            for name, value in within.items():
                if self._leads_to_draws(value):
                    names[name] = self._copied(value)
                elif isinstance(value, ModuleType):
                    inner = {key: one for key, one in vars(value).items() if self._leads_to_draws(one)}
                    if inner:
                        copies = {key: self._copied(one) for key, one in inner.items()}
                        names[name] = SimpleNamespace(**{**vars(value), **copies})
        names = self._spaces[id(within)]
        copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
        copy.__kwdefaults__ = function.__kwdefaults__
        return copy


# --- the Markov chain


def _absorbed(ways: Sequence[Sequence[int | None]], first: int, ends: int) -> list[Fraction]:
    """How probably a chain that starts at `first` comes to each of its ends; see `_Walk.ways`.

    Groups of points that can be reached from each other are passed one by one, each out of it at once.
    """
    shares = [Fraction(0)] * ends
    if first < 0:
        shares[-1 - first] = Fraction(1)
        return shares
    mass = {first: Fraction(1)}
    for group in _groups(ways, first):
        leads = {point: _leads(ways[point]) for point in group}
        if len(group) > 1 or group[0] in leads[group[0]]:
            leads = _out_of(leads)
        for point in group:
            arrived = mass.pop(point, Fraction(0))
            for to, share in leads[point].items():
                if to < 0:
                    shares[-1 - to] += arrived * share
                else:
                    mass[to] = mass.get(to, Fraction(0)) + arrived * share
    return shares


def _leads(ways: Sequence[int | None]) -> dict[int, Fraction]:
    """Where a point leads, with the probabilities."""
    found: dict[int, Fraction] = {}
    for to in ways:
        assert to is not None  # every way was gone
        found[to] = found.get(to, Fraction(0)) + Fraction(1, len(ways))
    return found


def _out_of(leads: dict[int, dict[int, Fraction]]) -> dict[int, dict[int, Fraction]]:
    """Where each point of a group leads to outside of it; nowhere, where it never leaves.

    Points that go on alike count as one; then one after the other is taken out.
    """
    kind = _kinds(leads)
    each: dict[Any, dict[Any, Fraction]] = {}
    for point, follows in leads.items():
        if kind[point] not in each:
            each[kind[point]] = _by_kind(follows, kind)
    for out in each:
        own = each[out].pop(out, Fraction(0))
        each[out] = {} if own == 1 else {to: share / (1 - own) for to, share in each[out].items()}
        for one, follows in each.items():
            if one != out and (share := follows.pop(out, None)) is not None:
                for to, rest in each[out].items():
                    follows[to] = follows.get(to, Fraction(0)) + share * rest
    return {point: each[kind[point]] for point in leads}


def _kinds(leads: dict[int, dict[int, Fraction]]) -> dict[int, tuple[int]]:
    """By point its kind: points of one kind lead to each kind, and out of the group, with the same probabilities.

    All are one kind at first, which is split up until that is true.
    """
    kind, count = dict.fromkeys(leads, (0,)), 1
    while True:
        seen: dict[Any, tuple[int]] = {}
        for point, follows in leads.items():
            seen.setdefault((kind[point], frozenset(_by_kind(follows, kind).items())), (len(seen),))
        found = {
            point: seen[kind[point], frozenset(_by_kind(follows, kind).items())] for point, follows in leads.items()
        }
        if len(seen) == count:
            return found
        kind, count = found, len(seen)


def _by_kind(follows: dict[int, Fraction], kind: dict[int, tuple[int]]) -> dict[Any, Fraction]:
    """Where a point leads: to kinds of points of its group, and to what is outside of it."""
    found: dict[Any, Fraction] = {}
    for to, share in follows.items():
        at = kind.get(to, to)
        found[at] = found.get(at, Fraction(0)) + share
    return found


def _groups(ways: Sequence[Sequence[int | None]], first: int) -> list[list[int]]:
    """The points in groups that can be reached from each other, each group before those that it leads to.

    Source: Tarjan, Depth-first search and linear graph algorithms (1972), without recursion.
    """
    found: list[list[int]] = []
    number: dict[int, int] = {first: 0}
    low: dict[int, int] = {first: 0}
    stack, on_stack = [first], {first}
    work = [(first, iter(_points_after(ways[first])))]
    while work:
        point, follows = work[-1]
        for to in follows:
            if to not in number:
                number[to] = low[to] = len(number)
                stack.append(to)
                on_stack.add(to)
                work.append((to, iter(_points_after(ways[to]))))
                break
            if to in on_stack:
                low[point] = min(low[point], number[to])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[point])
            if low[point] == number[point]:
                found.append([])
                while point in on_stack:
                    found[-1].append(stack.pop())
                    on_stack.remove(found[-1][-1])
    return found[::-1]


def _points_after(ways: Sequence[int | None]) -> set[int]:
    return {to for to in ways if to is not None and to >= 0}
