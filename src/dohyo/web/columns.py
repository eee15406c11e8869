"""JSON values of one shape, column by column: how the pages of a site carry a match in little room.

A list of frames says the same names again in each, and its numbers go on as they did. Its columns (the same number in
every frame, the same text, ...) are constant, or count up, or are those that another column has where it is known.

A node is the column of `n` values, as JSON; `n` is told by what is around it:

    ["=", value]              each is this one
    ["-"]                     each is missing: of an object, the member
    ["i", order, numbers]     whole numbers, of which differences were taken `order` times (0 to 2); numbers in a text
                              are characters: `P` is 0, `Q` is 1, `O` is -1
    ["d", digits, node]       numbers with so many digits behind the point, as whole numbers of the last one
    ["b", node]               true and false, as 1 and 0
    ["s", [text], node]       texts, by their place in the list
    ["t", [node]]             arrays of one length: a node for each place
    ["l", node, node]         arrays: their lengths, then all elements, array by array
    ["o", {name: node}]       objects
    ["v", node]               as in the reference, where the number in `node` is 0; null, where it is 1
    ["m", node, [node]]       of several kinds: the kind of each, then the values of each kind
    ["@", path, number]       as in the rows, by the names and places of the path; where these have null, this number
    ["j", [value]]            as they are

The rows are other values, one for each of the column's, that whoever reads this has already; `Rows` finds what
they have. The reference is another column of `n` values, which whoever reads this has already; its parts are the reference of the
parts. `viewer/columns.js` reads what `column` makes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, chain, repeat
from operator import is_, itemgetter, sub
from typing import Any

import msgspec

Json = Any
Node = list[Any]

ZERO = 80  # the character of 0
WITHIN = (-43, 46)  # numbers that are characters
MOST_PLACES = 200  # in arrays that are parted by places
MOST_DIGITS = 6  # behind the point
INSTEAD = -1  # of null, in texts of numbers
MOST_WHOLE = 1 << 50  # differences of such numbers are exact in a browser, too

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
        elif kinds <= {list, tuple} and kinds and len(set(map(len, values))) == 1:
            for at, part in enumerate(zip(*values, strict=True)):
                self._note(part, [*path, at])
        elif kinds in ({int}, {str}):
            self._found.setdefault(tuple(values), ["@", path, 0])
        elif kinds == {int, type(None)}:
            self._found.setdefault(tuple(INSTEAD if value is None else value for value in values), ["@", path, INSTEAD])

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
    """Whether equal values are equal as JSON: 1 and true, 0.0 and -0.0 are not."""
    if kind in (int, str, bool, type(None)):
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
    if max(values) > MOST_WHOLE or min(values) < -MOST_WHOLE:
        return _as_they_are(values)
    steps = [values[0], *map(sub, values[1:], values)]
    bends = [steps[0], *map(sub, steps[1:], steps)]
    order, best = 0, list(values)
    if 4 * steps.count(0) > len(values) or 2 * len(set(steps)) < len(set(values)):
        order, best = 1, steps
    if bends.count(0) > best.count(0) + len(values) // 16:
        order, best = 2, bends
    if min(best) >= WITHIN[0] and max(best) <= WITHIN[1]:
        return ["i", order, bytes(map(ZERO.__add__, best)).decode("ascii")]
    return ["i", order, best]


def _bools(values: Sequence[bool], reference: Sequence[Json] | None = None) -> Node:
    return ["b", _whole(list(map(int, values)))]


def _decimals(values: Sequence[float], reference: Sequence[Json] | None = None) -> Node:
    """Numbers whose last digits are near the point; all others stay as they are."""
    for digits in range(MOST_DIGITS + 1):
        scale = 10**digits
        if max(map(abs, values)) * scale > MOST_WHOLE:
            break
        scaled = list(map(round, map(float(scale).__mul__, values)))
        if [one / scale for one in scaled] == values and _encode(-0.0) not in map(_encode, values):
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
    if lengths.count(lengths[0]) == len(lengths) and 0 < lengths[0] <= MOST_PLACES:
        places = map(list, zip(*values, strict=True))
        return ["t", [column(place, _part(reference, at), rows) for at, place in enumerate(places)]]
    return ["l", _whole(lengths), column(list(chain.from_iterable(values)))]


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
