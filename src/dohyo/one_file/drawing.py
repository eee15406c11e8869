"""How a game in one file is drawn: its fields by their names and shapes, with what the last turn has changed.

A frame holds

    fields    {name: field}, those that are drawn, in declared order; a field has its `shape` ([] a number, [length] a
              row, [rows, columns] a grid, [layers, rows, columns] several) and its `values`, null where the frame's
              seat may not see them; `signs` for its values, if it has them, and `pieces` that a page draws in their
              place; `label`, the key of what people call it, if it has one; `edges`, a text for
              each of its rows and each of its columns; `owners`, if a value 1 means seat 0; `bySeat`, if its first
              dimension is the seats; `faces`, if the rows of two seats face each other; `checkered`, if its cells
              have two colours by turns
    actions   what each seat has done, as text; null for a seat that was not asked, and for what is hidden
    changed   [[name, number of the value]]: what is other than before the turn
    scores    each seat's points, in a game that has some; not for a seat if they may be counted from a hidden field
    hidden    the seats whose actions the frame's seat is not told
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any

from dohyo.core.game import TAG, Event, Frame, plain_terminal
from dohyo.i18n import ENGLISH, Speaker
from dohyo.one_file.fields import StateField, values_of

# Okabe and Ito's colours, which people with any kind of colour vision can distinguish; as the viewer has them.
COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#f0e442", "#0072b2", "#8d8379")
QUIET = "#8a929e"
MAX_OF_NAME = 30  # of a terminal's cells
ABSENT = "?"  # stands for what is hidden
FIELDS = {"fields", "actions", "changed"}  # of a frame that can be drawn so


def drawing(
    fields: Sequence[StateField],
    labels: Mapping[str, str],
    text: Callable[[int], str],
    hides: bool,
    score: Callable[[Any, int], float] | None,
) -> Callable[..., Frame]:
    """The function that makes frames of a game's turns.

    `labels` has the key of what people call a field, by its name. `hides`: whether seats are not told what others do.
    """
    hidden = {field.name for field in fields if field.hidden}
    shown = [field for field in fields if field.drawn]
    is_open = not hidden or (score is not None and not may_read(score, hidden))

    def frame(
        before: Any, actions: Sequence[int | None], events: Sequence[Event], after: Any, seat: int | None = None
    ) -> Frame:
        """The fields after a turn, as the seat sees them (everything when none)."""
        drawn: Frame = {
            "fields": {field.name: _field(field, labels.get(field.name), after, seat) for field in shown},
            "actions": [
                None if action is None or (hides and seat not in (None, p)) else text(action)
                for p, action in enumerate(actions)
            ],
            "changed": [[field.name, at] for field in shown for at in _changed(field, before, after, seat)],
        }
        if score is not None and (is_open or seat is None):
            drawn["scores"] = [score(after, p) for p in range(len(actions))]
        if hides and seat is not None:
            drawn["hidden"] = [p for p in range(len(actions)) if p != seat]
        return drawn

    return frame


def may_read(function: Callable[..., Any], fields: Collection[str]) -> bool:
    """Whether a function, or one that it calls, may look at one of these fields.

    Rules are flat, so a field is read by its name; whatever is not flat may look at anything.
    """
    waiting: list[Any] = [function]
    known = {function}
    while waiting:
        one = waiting.pop()
        code, names = one.__code__, one.__globals__
        inner = any(isinstance(value, CodeType) for value in code.co_consts)
        if inner or code.co_freevars or "getattr" in code.co_names or not set(fields).isdisjoint(code.co_names):
            return True
        for value in (names[name] for name in code.co_names if name in names):
            if isinstance(value, FunctionType) and value not in known:
                waiting.append(value)
                known.add(value)
            elif not isinstance(value, FunctionType) and not _is_constant(value):
                return True
    return False


def _is_constant(value: Any) -> bool:
    """Whether it is a number or made of numbers."""
    return isinstance(value, int | float) or (isinstance(value, tuple) and all(map(_is_constant, value)))


def _field(field: StateField, label: str | None, state: Any, seat: int | None) -> dict[str, Any]:
    seen, values = field.seen_by(seat), values_of(field, state)
    drawn: dict[str, Any] = {
        "shape": list(field.shape),
        "values": [value if at in seen else None for at, value in enumerate(values)],
    }
    if label:
        drawn["label"] = label
    if field.signs:
        drawn["signs"] = field.signs
    if field.pieces:
        drawn["pieces"] = field.pieces
    if field.edges:
        drawn["edges"] = [list(edge) for edge in field.edges]
    if field.owners:
        drawn["owners"] = True
    if field.by_seat:
        drawn["bySeat"] = True
    if field.faces:
        drawn["faces"] = True
    if field.checkered:
        drawn["checkered"] = True
    return drawn


def _changed(field: StateField, before: Any, after: Any, seat: int | None) -> list[int]:
    old, new = values_of(field, before), values_of(field, after)
    return [at for at in field.seen_by(seat) if old[at] != new[at]]


def terminal(frame: Frame, names: Sequence[str], speaker: Speaker = ENGLISH) -> str:
    """A frame as rich's markup: numbers in one line, then the seats, then each grid and row below its name.

    A frame of the file's own that has not these fields is told as it is.
    """
    if not frame.keys() >= FIELDS:
        return plain_terminal(frame, names, speaker)
    changed = {(name, at) for name, at in frame["changed"]}
    fields: dict[str, Any] = frame["fields"]
    parts = []
    single = [(name, field) for name, field in fields.items() if not field["shape"]]
    if single:
        labels = [f"[{QUIET}]{_label(name, field, speaker)}[/]" for name, field in single]
        values = [_cell(name, field, 0, changed) for name, field in single]
        parts.append("   ".join(map(" ".join, zip(labels, values, strict=True))))
    parts.append(_seats(frame, names, changed, speaker))
    for name, field in fields.items():
        if field["shape"] and not _is_of_seats(field):
            parts.append("\n".join([f"[{QUIET}]{_label(name, field, speaker)}[/]", *_rows(name, field, changed)]))
    return "\n\n".join(part for part in parts if part)


def _label(name: str, field: dict[str, Any], speaker: Speaker) -> str:
    """What people call a field; by default its name, with blanks."""
    return _plain(speaker.say(field["label"]) if "label" in field else name.replace("_", " "))


def _is_of_seats(field: dict[str, Any]) -> bool:
    """Whether each seat has a single number or a row of it: then it stands beside the seat's name."""
    return bool(field.get("bySeat")) and len(field["shape"]) <= 2


def _seats(frame: Frame, names: Sequence[str], changed: set[tuple[str, int]], speaker: Speaker) -> str:
    """A line about each seat: its name, what it has just done, and what each field has for it."""
    from rich.cells import cell_len, set_cell_size

    width = min(MAX_OF_NAME, max(map(cell_len, names), default=0))
    deeds = [done or "" for done in frame["actions"]]
    wide = max(map(cell_len, deeds), default=0)
    lines = []
    for p, name in enumerate(names):
        colour = COLOURS[p % len(COLOURS)]
        words = [f"[bold #000000 on {colour}] {p} [/] [{colour}]{_plain(set_cell_size(name, width))}[/]"]
        words.append(f"[bold]{_plain(set_cell_size(deeds[p], wide))}[/]" if wide else "")
        if "scores" in frame:
            words.append(speaker.say("viewer.general.points", score=f"{frame['scores'][p]:g}"))
        for key, field in frame["fields"].items():
            if _is_of_seats(field):
                size = len(field["values"]) // field["shape"][0]
                own = [
                    f"{_edge(field, at - p * size)}{_cell(key, field, at, changed)}"
                    for at in range(p * size, (p + 1) * size)
                ]
                words.append(f"[{QUIET}]{_label(key, field, speaker)}[/] {' '.join(own)}")
        lines.append("   ".join(word for word in words if word))
    return "\n".join(lines)


def _edge(field: dict[str, Any], column: int) -> str:
    """What stands before a number in a seat's row: its column's name, if the columns have names."""
    edges = field.get("edges")
    return f"[{QUIET}]{_plain(edges[1][column])}:[/]" if edges else ""


def _rows(name: str, field: dict[str, Any], changed: set[tuple[str, int]]) -> list[str]:
    """The lines of a row or a grid; an empty one between two layers."""
    from rich.cells import cell_len

    shape = field["shape"]
    columns, rows = shape[-1], shape[-2] if len(shape) > 1 else 1
    values = field["values"]
    width = max((cell_len(_text(field, value)) for value in values), default=1)
    edges = field.get("edges")
    side = max(map(cell_len, edges[0])) if edges else 0
    if edges:
        width = max(width, *map(cell_len, edges[1]))
    lines = []
    for first in range(0, len(values), columns):
        if first and first % (rows * columns) == 0:
            lines.append("")
        row = " ".join(_cell(name, field, at, changed, width) for at in range(first, first + columns))
        lines.append(f"[{QUIET}]{_plain(_right(edges[0][first // columns % rows], side))}[/] {row}" if edges else row)
        if edges and (first // columns + 1) % rows == 0:
            below = " ".join(_plain(_right(letter, width)) for letter in edges[1])
            lines.append(f"{' ' * side} [{QUIET}]{below}[/]")
    return lines


def _cell(name: str, field: dict[str, Any], at: int, changed: set[tuple[str, int]], width: int = 0) -> str:
    """One value, in its owner's colour; what has changed is underlined and bold."""
    value = field["values"][at]
    text = _plain(_right(_text(field, value), width))
    style = ["bold underline"] if (name, at) in changed else []
    if field.get("owners") and value is not None and value > 0:
        style.append(COLOURS[(int(value) - 1) % len(COLOURS)])
    elif value == 0 and len(field["shape"]) > 1 and not style:
        style.append(QUIET)
    return f"[{' '.join(style)}]{text}[/]" if style else text


def _right(text: str, width: int) -> str:
    """The text at the right of so many columns of a terminal; some letters take two."""
    from rich.cells import cell_len

    return " " * (width - cell_len(text)) + text


def _text(field: dict[str, Any], value: float | None) -> str:
    if value is None:
        return ABSENT
    signs = field.get("signs", "")
    if signs and 0 <= value < len(signs):
        return str(signs[int(value)])
    if value == 0 and field.get("owners"):
        return "."
    return f"{value:g}" if isinstance(value, float) else str(value)


def _plain(text: str) -> str:
    """Text that rich takes for no markup."""
    return TAG.sub(r"\1\1\\\2", text)
