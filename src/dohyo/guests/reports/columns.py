"""JSON values of one shape, column by column: how the pages of a site carry a match in little room.

A list of frames says the same names again in each, and its numbers go on as they did. Its columns (the same number in
every frame, the same text, ...) are constant, or count up, or are those that another column has where it is known.

A node is the column of `n` values, as JSON; `n` is told by what is around it:

    ["=", value]              each is this one
    ["-"]                     each is missing: of an object, the member
    ["i", order, numbers]     whole numbers, of which differences were taken `order` times (0 to 2)
    ["i", order, text, far]   the same: in the text `P` is 0, `Q` is 1, `O` is -1; `~` is the next number of `far`
    ["d", digits, node]       numbers with so many digits behind the point, as whole numbers of the last one
    ["b", node]               true and false, as 1 and 0
    ["s", [text], node]       texts, by their place in the list
    ["t", [node]]             arrays of one length: a node for each place
    ["l", node, node]         arrays: their lengths, then all elements, array by array
    ["k", node, node, node]   arrays of things that stay: how many come, after those that stay; then for each thing
                              in how many arrays it is, and its values, thing by thing
    ["p", node, node]         arrays of elements of the reference's: their lengths, then the places of all elements
    ["o", {name: node}]       objects
    ["v", node]               as in the reference, where the number in `node` is 0; null, where it is 1
    ["m", node, [node]]       of several kinds: the kind of each, then the values of each kind
    ["@", path, number]       as in the rows, by the names and places of the path; where these have null, this number
    ["j", [value]]            as they are

The rows are other values, one for each of the column's, that whoever reads this has already; `Rows` finds what they
have. Zeros lose their sign. The reference is another column of `n` values, which whoever reads this has already; its
parts are the reference of the parts. `viewer/columns.js` reads what `column` makes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, repeat
from math import isfinite
from operator import is_, itemgetter, sub
from typing import Any

import msgspec

Json = Any
Node = list[Any]

ZERO, FAR = 80, 126  # the characters of 0, and of a number that is no character
WITHIN = range(-43, 46)  # numbers that are characters
FAR_ONES = 4  # of so many numbers one may be far
MAX_PLACES = 1000  # in arrays that are parted by places
MIN_OF_THING = 4  # numbers that are said of a thing that moves: where it is, how it goes on
MAX_DIGITS = 6  # behind the point
INSTEAD = -1  # of null, in texts of numbers
MAX_WHOLE = 1 << 50  # differences of such numbers are exact in a browser, too

_ARRAYS = (list, tuple)
_encode = msgspec.json.Encoder().encode


class _Missing:
    """A member that an object does not have."""


MISSING = _Missing()


class Rows:
    """The columns of whole numbers and of texts in some values, to be found again elsewhere."""

    def __init__(self, values: Sequence[Json]) -> None:
        self._found: dict[tuple[int | str, ...], Node] = {}
        self._note(values, [])

    def _note(self, values: Sequence[Json], path: list[str | int]) -> None:
        kinds = set(map(type, values))
        if kinds == {dict} and len(set(map(frozenset, values))) == 1:
            for name in values[0]:
                self._note([value[name] for value in values], [*path, name])
        elif kinds and kinds.issubset(_ARRAYS) and len(set(map(len, values))) == 1:
            for at, part in enumerate(zip(*values, strict=True)):
                self._note(part, [*path, at])
        elif kinds in ({int}, {str}):
            self._found.setdefault(tuple(values), ["@", path, 0])
        elif kinds == {int, type(None)}:
            self._found.setdefault(
                tuple(INSTEAD if value is None else value for value in values), ["@", path, INSTEAD]
            )

    def find(self, values: Sequence[int | str]) -> Node | None:
        """These whole numbers or texts as a node, if they are among the values."""
        return self._found.get(tuple(values))


def column(values: Sequence[Json], reference: Sequence[Json] | None = None, rows: Rows | None = None) -> Node:
    """The values as a node; tuples are arrays. A reference, and the rows, have as many values.

    With rows, whole numbers and texts are looked for there, also in arrays of one length.
    """
    if not values:
        return ["j", []]
    kinds = set(map(type, values))
    if len(kinds) == 1:
        (kind,) = kinds
        if kind is _Missing:
            return ["-"]
        if values[0] == values[-1] and values.count(values[0]) == len(values) and _are_alike(values, kind):
            return ["=", values[0]]
    if reference is not None and (node := _as_known(values, reference)):
        return node
    if len(kinds) > 1:
        return _mixed(values, reference)
    if rows is not None:
        if kind in (int, str) and (node := rows.find(values)):
            return node
        if kind is list:
            return _arrays(values, None, rows)
    return _BY_KIND.get(kind, _as_they_are)(values, reference)


def _are_alike(values: Sequence[Json], kind: type) -> bool:
    """Whether equal values are equal as JSON, in which 1 and true are not."""
    if kind in (int, float, str, bool, type(None)):
        return True
    first = _encode(values[0])
    return all(_encode(value) == first for value in values)


def _as_known(values: Sequence[Json], reference: Sequence[Json]) -> Node | None:
    """The values as those of the reference, where they are not null; none if they are others."""
    hidden = list(map(is_, values, repeat(None)))
    if MISSING in values or MISSING in reference:
        return None
    known = [None if gone else value for gone, value in zip(hidden, reference, strict=True)]
    return ["v", _whole(list(map(int, hidden)))] if known == values and _encode(known) == _encode(values) else None


def _mixed(values: Sequence[Json], reference: Sequence[Json] | None) -> Node:
    order = list(dict.fromkeys(map(type, values)))
    number = {kind: at for at, kind in enumerate(order)}
    which = [number[type(value)] for value in values]
    groups = []
    for at in range(len(order)):
        own = [value for value, kind in zip(values, which, strict=True) if kind == at]
        known = None
        if reference is not None:
            known = [value for value, kind in zip(reference, which, strict=True) if kind == at]
        groups.append(column(own, known))
    return ["m", column(which), groups]


def _as_they_are(values: Sequence[Json], reference: Sequence[Json] | None = None) -> Node:
    return ["j", list(values)]


def _whole(values: Sequence[int], reference: Sequence[Json] | None = None) -> Node:
    if max(values) > MAX_WHOLE or min(values) < -MAX_WHOLE:
        return _as_they_are(values)
    order, best = _shortest(values)
    if min(best) in WITHIN and max(best) in WITHIN:
        return ["i", order, bytes(map(ZERO.__add__, best)).decode("ascii")]
    far = [number for number in best if number not in WITHIN]
    if FAR_ONES * len(far) > len(best):
        return ["i", order, list(best)]
    text = bytes([ZERO + number if number in WITHIN else FAR for number in best])
    return ["i", order, text.decode("ascii"), far]


def _shortest(values: Sequence[int]) -> tuple[int, Sequence[int]]:
    """The numbers, their differences or the differences of these, whichever have the fewest bits."""
    steps = [values[0], *map(sub, values[1:], values)]
    bits, bits_of_steps = sum(map(int.bit_length, values)), sum(map(int.bit_length, steps))
    if bits <= bits_of_steps:
        return 0, values
    if 4 * bits_of_steps < len(values):  # they hardly change
        return 1, steps
    bends = [steps[0], *map(sub, steps[1:], steps)]
    return (2, bends) if sum(map(int.bit_length, bends)) < bits_of_steps else (1, steps)


def _bools(values: Sequence[bool], reference: Sequence[Json] | None = None) -> Node:
    return ["b", _whole(list(map(int, values)))]


def _decimals(values: Sequence[float], reference: Sequence[Json] | None = None) -> Node:
    """Numbers whose last digits are near the point; all others stay as they are, also what is no number."""
    if not all(map(isfinite, values)):
        return _as_they_are(values)
    for digits in range(MAX_DIGITS + 1):
        scale = 10**digits
        if max(map(abs, values)) * scale > MAX_WHOLE:
            break
        scaled = list(map(round, map(float(scale).__mul__, values)))
        if [one / scale for one in scaled] == values:
            return ["d", digits, _whole(scaled)]
    return _as_they_are(values)


def _texts(values: Sequence[str], reference: Sequence[Json] | None = None) -> Node:
    table = list(dict.fromkeys(values))
    if 2 * len(table) < len(values):
        table.sort()
    number = {text: at for at, text in enumerate(table)}
    return ["s", table, column([number[value] for value in values])]


def _arrays(
    values: Sequence[Sequence[Json]], reference: Sequence[Json] | None = None, rows: Rows | None = None
) -> Node:
    lengths = list(map(len, values))
    if lengths.count(lengths[0]) == len(lengths) and 0 < lengths[0] <= MAX_PLACES:
        places = map(list, zip(*values, strict=True))
        return ["t", [column(place, _part(reference, at), rows) for at, place in enumerate(places)]]
    if reference is not None and (picked := _picked(values, reference)):
        return ["p", _whole(lengths), column(picked)]
    return _things(values) or ["l", _whole(lengths), column(list(chain.from_iterable(values)))]


def _picked(values: Sequence[Sequence[Json]], reference: Sequence[Json]) -> list[int] | None:
    """The places of all elements in the reference's arrays; none if one is not there."""
    found: list[int] = []
    for own, known in zip(values, reference, strict=True):
        if not own:
            continue
        if not isinstance(known, _ARRAYS):
            return None
        places = {_encode(element): at for at, element in enumerate(known)}
        try:
            found += [places[_encode(element)] for element in own]
        except KeyError:
            return None
    return found


def _things(values: Sequence[Sequence[Json]]) -> Node | None:
    """Arrays of things that move: the second half of what is said of each stays. None if they are no such arrays."""
    every = list(chain.from_iterable(values))
    if not every or set(map(type, every)) - set(_ARRAYS):
        return None
    length = len(every[0])
    if length < MIN_OF_THING or any(len(element) != length for element in every):
        return None
    things: list[list[Json]] = []
    come: list[int] = []
    now: list[list[Json]] = []
    for elements in values:
        before, new = iter(now), 0
        now = []
        for element in elements:
            same = next((thing for thing in before if thing[-1][length // 2 :] == element[length // 2 :]), None)
            if same is None:
                new += 1
                things.append([element])
            else:
                same.append(element)
            now.append(same or things[-1])
        come.append(new)
    if 2 * len(things) > len(every):
        return None
    return ["k", column(come), column(list(map(len, things))), column(list(chain.from_iterable(things)))]


def _objects(values: Sequence[dict[str, Json]], reference: Sequence[Json] | None = None) -> Node:
    names = list(dict.fromkeys(chain.from_iterable(values)))
    parts = {}
    for name in names:
        own = [value.get(name, MISSING) for value in values]
        parts[name] = column(own, _part(reference, name))
    return ["o", parts]


def _part(reference: Sequence[Json] | None, at: str | int) -> list[Json] | None:
    """The parts of the reference's values; none if one has no such part."""
    if reference is None:
        return None
    try:
        return list(map(itemgetter(at), reference))
    except (TypeError, LookupError):
        return None


_BY_KIND: dict[type, Callable[[Sequence[Any], Sequence[Json] | None], Node]] = {
    int: _whole,
    bool: _bools,
    float: _decimals,
    str: _texts,
    list: _arrays,
    tuple: _arrays,
    dict: _objects,
}
