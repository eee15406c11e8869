"""Flat states, on which rules work; the only module that a `rules.py` may import.

Theory of operation
-------------------
A state is a fixed set of fields, each a small integer, a double, or a fixed-length row of them. They are declared
once, by a `Layout`, and the same rule functions run over two substrates:

* a plain Python object with one slot for each field (rows are lists): used by the referee and every tool, with no
  compiler and no NumPy;
* a record of a NumPy structured array, with the rule functions compiled by Numba (`dohyo.sim`).

Therefore a rule may use only what both can do: `s.turn`, `s.row[p]`, integers, doubles, `if`, `for` over a `range`,
`while`, calls of other rule functions, module constants. No allocation, no exceptions, no I/O, no clock.

Functions that belong to this common language carry the mark `@flat`. It does nothing here; `dohyo.sim` compiles the
functions that have it.

Integers are 64 bits wide in the compiled form, and mixing int64 with uint64 would make Numba fall back to doubles:
states and random numbers stay non-negative int64 values, masked where they could grow.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from math import prod
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    import numpy

Function = TypeVar("Function", bound=Callable[..., Any])

TEXT = "MADE_OF"  # where functions that a program wrote have their text, as bytes, among the names they read


def flat(function: Function) -> Function:
    """Mark a function as written in the common language of both substrates."""
    function.__flat__ = True  # type: ignore[attr-defined]
    return function


def flat_as(twin: Callable[..., Any]) -> Callable[[Function], Function]:
    """Mark a function for plain Python, whose flat `twin` is compiled instead (the twin is slow in plain Python).

    Only for small functions; a test compares the two.
    """

    def mark(function: Function) -> Function:
        function.__flat__ = True  # type: ignore[attr-defined]
        function.__twin__ = twin  # type: ignore[attr-defined]
        return function

    return mark


def draws(function: Function) -> Function:
    """Mark a flat function(source, n) that draws from 0 .. n-1, each as likely: `dohyo.core.chance` counts by it."""
    function.__draws__ = True  # type: ignore[attr-defined]
    return function


def seldom(function: Function) -> Function:
    """Mark a flat function that is called seldom, from where much is done often: it is compiled as one of its own."""
    function.__seldom__ = True  # type: ignore[attr-defined]
    return function


# --- layouts -------------------------------------------------------------------------------------------------------

# NumPy's name of a kind -> struct's letter, widest first: the order in which fields are kept, so that a record needs
# no padding between them and its bytes are the same on every substrate.
KINDS = {"i8": "q", "f8": "d", "i4": "i", "i2": "h", "i1": "b"}
WIDTH = {"i8": 8, "f8": 8, "i4": 4, "i2": 2, "i1": 1}


class OverflowsError(struct.error):
    """A state's field got a number that its kind cannot hold."""

    def __init__(self, layout: str, field: str, kind: str, value: object, reason: object) -> None:
        super().__init__(f"{layout}.{field} got {value!r}: {reason}")
        self.layout, self.field, self.kind, self.value = layout, field, kind, value


class Layout:
    """The declared fields of a state.

    `fields` holds `(name, kind, length)`: kind is one of i8, f8, i4, i2, i1 (bytes wide, as in NumPy); length 0 is a
    single number, otherwise a row of that many. A row may be a grid: with the shape `(rows, columns)` in the place
    of its length, the number at (row, column) is `s.name[row * columns + column]`; `shapes` has every field's shape.
    `fields` are in order of width, widest first, whatever the order in which they were declared; `shapes` keeps that.
    Raises `ValueError` for an unknown kind, a length below 0, or a name that is declared twice.
    """

    def __init__(self, name: str, *declared: tuple[str, str, int | tuple[int, ...]]) -> None:
        self.shapes = {field: _shape(length) for field, _, length in declared}
        for field, kind, length in declared:
            if kind not in WIDTH:
                raise ValueError(f"the kind of {name}.{field} is {kind!r}, and must be one of {', '.join(WIDTH)}")
            sizes = length if isinstance(length, tuple) else (length or 1,)
            if not sizes or any(not isinstance(size, int) or size < 1 for size in sizes):
                raise ValueError(f"the length of {name}.{field} is {length!r}, and must be a number or a shape")
        if len(self.shapes) < len(declared):
            raise ValueError(f"two fields of {name} have the same name")
        sized = [(field, kind, prod(self.shapes[field]) if length else 0) for field, kind, length in declared]
        fields = tuple(sorted(sized, key=lambda each: WIDTH[each[1]], reverse=True))  # stable
        self.name = name
        self.fields = fields
        slots = {"__slots__": tuple(field for field, _, _ in fields)}
        self.State: type[Any] = type(name, (), {**slots, "__reduce__": lambda state: (_state, (self, _slots(state)))})
        self._struct = struct.Struct("<" + "".join(f"{length or 1}{KINDS[kind]}" for _, kind, length in fields))
        self._values = attrgetter(*(field for field, _, _ in fields), "__class__")
        self._parts = _parts(fields)
        self.size = self._struct.size
        _LAYOUTS.setdefault(self._key(), self)

    def _key(self) -> tuple[Any, ...]:
        """What it was declared as: the same for two layouts whose states are the same."""
        kinds = {field: kind for field, kind, _ in self.fields}
        return (self.name, *((field, kinds[field], shape or 0) for field, shape in self.shapes.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles: what it was declared as."""
        return _layout, self._key()

    def __deepcopy__(self, memo: Any) -> Layout:
        """Itself: a layout never changes."""
        return self

    def new(self) -> Any:
        """A state with every field zero."""
        state = self.State()
        for name, kind, length in self.fields:
            zero = 0.0 if kind == "f8" else 0
            setattr(state, name, [zero] * length if length else zero)
        return state

    def pack(self, state: Any) -> bytes:
        """The state as `size` bytes: its fields in declared order, little-endian.

        Raises `OverflowsError` when a value does not fit its field: the compiled form would have wrapped silently.
        """
        return self.pack_values(self.values(state))

    def values(self, state: Any) -> list[float]:
        """All numbers of the state, rows unrolled, in declared order: what `pack_values` packs."""
        values: list[float] = []
        for part in self._parts:
            values += part(state)
        return values

    def pack_values(self, values: Sequence[float]) -> bytes:
        """What `pack` makes of the state that had these `values`."""
        try:
            return self._struct.pack(*values)
        except struct.error as error:
            raise self._misfit(values) or error from error

    def _misfit(self, values: Sequence[float]) -> OverflowsError | None:
        """What is wrong with the first of these values that does not fit its field."""
        kinds = ((name, kind) for name, kind, length in self.fields for _ in range(length or 1))
        for (name, kind), value in zip(kinds, values, strict=False):  # a rule may have made a row longer
            try:
                struct.pack(f"<{KINDS[kind]}", value)
            except struct.error as error:
                return OverflowsError(self.name, name, kind, value, error)
        return None

    def unpack(self, packed: bytes | memoryview) -> Any:
        """The state that `pack` wrote."""
        values = self._struct.unpack_from(packed)
        state = self.State()
        at = 0
        for name, _, length in self.fields:
            setattr(state, name, list(values[at : at + length]) if length else values[at])
            at += length or 1
        return state

    def copy(self, state: Any) -> Any:
        """An independent copy of a plain state."""
        twin = self.State()
        for (name, _, length), value in zip(self.fields, self._values(state), strict=False):
            setattr(twin, name, value.copy() if length else value)
        return twin

    def as_dict(self, state: Any) -> dict[str, Any]:
        """The fields by name, as JSON would hold them."""
        return {name: list(value) if length else value for (name, _, length), value in self._pairs(state)}

    def from_dict(self, values: dict[str, Any]) -> Any:
        """The state from the result of `as_dict`; `ValueError` if one is missing, unknown, or of another length."""
        state = self.new()
        if set(values) != set(self.shapes):
            raise ValueError("other fields than declared")
        for name, kind, length in self.fields:
            value = values[name]
            numbers = value if length else [value]
            wanted = (int, float) if kind == "f8" else int
            if not isinstance(numbers, list) or len(numbers) != (length or 1):
                raise ValueError(name)
            if any(not isinstance(number, wanted) or isinstance(number, bool) for number in numbers):
                raise ValueError(name)
            setattr(state, name, list(numbers) if length else value)
        try:
            self.pack(state)
        except struct.error as error:
            raise ValueError(str(error)) from error
        return state

    def digest(self, state: Any) -> str:
        """`digest_of` the packed state."""
        return digest_of(self.pack(state))

    def dtype(self) -> numpy.dtype[Any]:
        """The fields as a NumPy record type (imports NumPy); its first `size` bytes equal `pack`."""
        import numpy

        return numpy.dtype(
            [(name, f"<{kind}", (length,)) if length else (name, f"<{kind}") for name, kind, length in self.fields],
            align=True,
        )

    def _pairs(self, state: Any) -> Any:
        return zip(self.fields, self._values(state), strict=False)


_LAYOUTS: WeakValueDictionary[tuple[Any, ...], Layout] = WeakValueDictionary()  # each, by what it was declared as


def _layout(name: str, *declared: Any) -> Layout:
    """From a pickle: the layout of this process that was declared so, or a new one."""
    return _LAYOUTS.get((name, *declared)) or Layout(name, *declared)


def _slots(state: Any) -> list[Any]:
    """For pickles: a state's values, in order."""
    return [getattr(state, name) for name in type(state).__slots__]


def _state(layout: Layout, values: Sequence[Any]) -> Any:
    """From a pickle: the state with these values, which it keeps."""
    state = layout.State()
    for name, value in zip(layout.State.__slots__, values, strict=True):
        setattr(state, name, value)
    return state


def _shape(length: int | tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a field that was declared with this length or shape; empty for a single number."""
    if isinstance(length, tuple):
        return length
    return (length,) if length else ()


def _parts(fields: Sequence[tuple[str, str, int]]) -> list[Callable[[Any], Sequence[float]]]:
    """Functions that get a state's values, in order: one for each row and each group of neighbouring numbers."""
    parts: list[Callable[[Any], Sequence[float]]] = []
    for is_row, group in groupby(fields, lambda field: bool(field[2])):
        names = [name for name, _, _ in group]
        if is_row:
            parts += [attrgetter(name) for name in names]
        elif len(names) > 1:
            parts.append(attrgetter(*names))
        else:
            parts.append(lambda state, get=attrgetter(*names): (get(state),))  # type: ignore[misc]
    return parts


def digest_of(packed: bytes | memoryview) -> str:
    """CRC-32 (zlib's) of a packed state as 8 hex digits: it distinguishes states; it is not cryptographic."""
    return f"{zlib.crc32(packed):08x}"


def digits(checksums: Sequence[int]) -> str:
    """The digests of packed states with these CRC-32 values, one after the other."""
    return struct.pack(f">{len(checksums)}I", *checksums).hex()


def _crc_tables() -> tuple[int, ...]:
    """What a byte does to the remainder of CRC-32 (polynomial 0xEDB88320, the lowest bit first), four tables of 256.

    The first is for a single byte; the others for a byte followed by one, two and three more.
    """
    nothing = zlib.crc32(bytes(1))
    tables = [zlib.crc32(bytes([byte])) ^ nothing for byte in range(256)]
    for at in range(3 * 256):
        tables.append(tables[at] >> 8 ^ tables[tables[at] & 255])
    return tuple(tables)


CRC = _crc_tables()
ALL32 = 0xFFFFFFFF


# --- events --------------------------------------------------------------------------------------------------------

EVENT_WIDTH = 4


@cache
def event_log(capacity: int) -> Layout:
    """The layout of an event log: `count`, then up to `capacity` events of four numbers each (kind, a, b, c)."""
    return Layout("EventLog", ("count", "i4", 0), ("numbers", "i4", capacity * EVENT_WIDTH))


@flat
def emit(events: Any, kind: int, a: int, b: int, c: int) -> None:
    """Note that something happened.

    `events` may be `None`; then nothing is noted, and the compiled form has no trace of the call. A full log drops
    further events.
    """
    if events is not None:
        at = events.count * 4
        if at + 4 <= len(events.numbers):
            events.numbers[at] = kind
            events.numbers[at + 1] = a
            events.numbers[at + 2] = b
            events.numbers[at + 3] = c
            events.count += 1


def read_events(events: Any) -> list[tuple[int, int, int, int]]:
    """The events of a log, in the order in which they happened."""
    numbers = events.numbers
    return [(numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]) for at in range(0, events.count * 4, 4)]


# --- random numbers ------------------------------------------------------------------------------------------------

MASK32 = 0xFFFFFFFF
PHILOX_M0 = 0xD2511F53 - (1 << 32)  # the multipliers less 2**32: their products with a word fit into 64 bits
PHILOX_M1 = 0xCD9E8D57 - (1 << 32)
PHILOX_W0 = 0x9E3779B9
PHILOX_W1 = 0xBB67AE85

# A source of random numbers is counter-based: the number is a function of (seed, stream, game, turn, draw), so that a
# match can be continued from any turn. `word` holds the last block's four words.
SOURCE = Layout(
    "Source",
    *((name, "i8", 0) for name in ("seed_low", "seed_high", "stream", "game", "turn", "draw")),
    ("word", "i8", 4),
)

MATCH_STREAM = 0


def source(seed: int, game: int = 0, stream: int = MATCH_STREAM) -> Any:
    """A source for `seed` (any integer from 0 to 2**63 - 1), one for each `game` of a batch."""
    s = SOURCE.new()
    s.seed_low = seed & MASK32
    s.seed_high = (seed >> 32) & MASK32
    s.stream = stream
    s.game = game
    return s


@flat
def reseed(s: Any, seed: int) -> None:
    """Make it the source that `source(seed)` would be, of the same game and stream; its turn and draw stay."""
    s.seed_low = seed & MASK32
    s.seed_high = (seed >> 32) & MASK32


@flat
def philox(s: Any) -> None:
    """Fill `s.word` with one block of philox4x32-10: key = seed, counter = (draw, turn, game, stream).

    Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC11). A product with a multiplier less 2**32
    has the lower word of the whole product, and its upper word less the other factor.
    """
    x0, x1, x2, x3 = s.draw & MASK32, s.turn & MASK32, s.game & MASK32, s.stream & MASK32
    k0, k1 = s.seed_low, s.seed_high
    for _ in range(10):
        first, second = x0 * PHILOX_M0, x2 * PHILOX_M1
        upper0, upper2 = (second >> 32) + x2, (first >> 32) + x0
        x0, x1, x2, x3 = upper0 ^ x1 ^ k0, second & MASK32, upper2 ^ x3 ^ k1, first & MASK32
        k0 = (k0 + PHILOX_W0) & MASK32
        k1 = (k1 + PHILOX_W1) & MASK32
    s.word[0] = x0
    s.word[1] = x1
    s.word[2] = x2
    s.word[3] = x3


@draws
@flat
def uniform(s: Any, n: int) -> int:
    """A number drawn uniformly from 0 .. n-1 (1 <= n <= 2**32); words that would favour some numbers are skipped."""
    unfair = 4294967296 % n
    while True:
        philox(s)
        s.draw += 1
        if s.word[0] >= unfair:
            return s.word[0] % n  # type: ignore[no-any-return]


# --- masks ----------------------------------------------------------------------------------------------------------


@flat
def _popcount(bits: int) -> int:
    """`popcount`, in the form that compilers replace by one instruction."""
    pairs = bits - (bits >> 1 & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
    return ((fours + (fours >> 4) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56) & 0xFF


@flat_as(_popcount)
def popcount(bits: int) -> int:
    """How many bits are set in a mask of up to 63 bits."""
    return bits.bit_count()


@flat
def put_bits(
    bits: int, first: int, row_step: int, column_step: int, rows: int, columns: int, out: Any, start: int
) -> None:
    """Write `rows` times `columns` bits of a mask into `out`, from `start` on, row by row, each as 0 or 1.

    `first` is the number of the bit that comes first; from a row to the next one the numbers grow by `row_step`, from
    a column to the next one by `column_step`. All lie in 0 to 63. Where these five are constants of a module (not
    computed from such), a processor writes all of them at once.
    """
    for row in range(rows):
        for column in range(columns):
            out[start + row * columns + column] = bits >> (first + row * row_step + column * column_step) & 1


LOWEST = bytes(bin(bits)[::-1].find("1") & 7 for bits in range(256))  # by a mask of 8 bits: its lowest bit's number


# --- index arithmetic ----------------------------------------------------------------------------------------------


@flat
def index(row: int, column: int, width: int) -> int:
    """The place of (row, column) in a flattened board; row and column are not negative."""
    return row * width + column


@flat
def absolute(value: int) -> int:
    """The value without its sign, by a branch that works on both substrates."""
    return value if value >= 0 else -value


def row_of(length: int) -> list[int]:
    """A plain buffer of `length` numbers, for what a rule fills (`legal`, `roll`, `places`)."""
    return [0] * length


Numbers = Sequence[int]


# --- sets of up to 64 squares in an `i8` ---------------------------------------------------------------------------

# Bit 63 is the sign, in both forms: a set with square 63 in it is a negative number. Never write a constant of 2**63
# or more: plain Python could not keep it in a field, and Numba would count in doubles. `&`, `|`, `^` and `~` need no
# care; for all else there are these functions.

ALL63 = 0x7FFFFFFFFFFFFFFF
_ALL64 = 0xFFFFFFFFFFFFFFFF
_SIGN = 1 << 63
SQUARE63 = -_SIGN


@flat
def _bit_compiled(square: int) -> int:
    return 1 << square


@flat_as(_bit_compiled)
def bit(square: int) -> int:
    """The set of this square alone, 0 to 63."""
    return 1 << square if square < 63 else SQUARE63


@flat
def _shifted_up_compiled(squares: int, by: int) -> int:
    return squares << by


@flat_as(_shifted_up_compiled)
def shifted_up(squares: int, by: int) -> int:
    """All squares moved to higher numbers by 0 to 63; what leaves the 64 is gone."""
    return ((squares << by & _ALL64) ^ _SIGN) - _SIGN


@flat
def shifted_down(squares: int, by: int) -> int:
    """All squares moved to lower numbers by 1 to 63; what leaves the 64 is gone, and no sign is dragged along."""
    return squares >> by & ALL63 >> (by - 1)


@flat
def _count_compiled(squares: int) -> int:
    return _popcount(squares & ALL63) + (1 if squares < 0 else 0)


@flat_as(_count_compiled)
def count_of(squares: int) -> int:
    """How many squares are in the set, 0 to 64."""
    return (squares & _ALL64).bit_count()


@flat
def _lowest_compiled(squares: int) -> int:
    return 63 if squares == SQUARE63 else _count_compiled(squares - 1 & ~squares)


@flat_as(_lowest_compiled)
def lowest(squares: int) -> int:
    """The number of the lowest square of a set that is not empty."""
    return (squares & -squares).bit_length() - 1


@flat
def without_lowest(squares: int) -> int:
    """The set without its lowest square; the empty set stays empty."""
    return 0 if squares == SQUARE63 else squares & squares - 1


@flat
def _nth_compiled(squares: int, k: int) -> int:
    at = 0
    width = 32
    while width >= 8:
        before = _popcount(squares & (1 << width) - 1)
        if k >= before:
            k -= before
            squares >>= width
            at += width
        width >>= 1
    for _ in range(k):
        squares &= squares - 1
    return at + _popcount((squares & -squares) - 1 & 255)


@flat_as(_nth_compiled)
def nth_of(squares: int, k: int) -> int:
    """The number of the square at place k of a set, from 0, in the order of their numbers; k is below its count."""
    for _ in range(k):
        squares &= squares - 1
    return (squares & -squares).bit_length() - 1
