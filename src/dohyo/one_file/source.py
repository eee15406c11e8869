"""The default functions of a game in one file, written as Python source in the common language of `core.flat`.

A flat function can only read a state's fields by their names, so the default prompt and observation are written for
the fields of one game, and carried out in a namespace of their own that holds what they call. They count as functions
of the game's file: what Numba compiles of them is kept like the file's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dohyo.core.flat import TEXT, flat, row_of
from dohyo.core.starter import NamedLine, NamedRows, Starter
from dohyo.core.text import MINUS, NEWLINE, SPACE, ZERO, put, put_text
from dohyo.one_file.fields import DIGITS, StateField

POINT = 46
MAX_DECIMAL = 1_000_000_000_000.0
PLACES = 1_000_000

LEGAL = """
def legal(s, seat, out):
    count = 0
    for action in range(ACTIONS):
        if is_legal(s, seat, action):
            out[count] = action
            count += 1
    return count
"""
WINNER_BY_SCORE = """
def winner(s):
    best = -1
    shared = 0
    for p in range({seats}):
        if {counts}:
            if best < 0 or score(s, p) > score(s, best):
                best = p
                shared = 0
            elif score(s, p) == score(s, best):
                shared = 1
    return -1 if shared else best
"""
PLACES_BY_SCORE = """
def places(s, out):
    for p in range({seats}):
        out[p] = 1
        for q in range({seats}):
            if score(s, q) > score(s, p):
                out[p] += 1
    return reason(s)
"""
PLACES_BY_WINNER = """
def places(s, out):
    first = winner(s)
    for p in range({seats}):
        out[p] = 1 if first < 0 or first == p else 2
    return reason(s)
"""
SCORES = """
def scores(s, out):
    for p in range({seats}):
        out[p] = score(s, p)
"""
# To give up, in a game that says nothing of it: a seat that does comes after those that did not. A match goes on as
# long as two are left (or the only one), and for a seat that gave up one legal action after the other is played.
MAX_STAND_INS = 0xFFFFFF  # then they are counted from 0 again
FIELDS_OF_GIVING_UP = (("stand_ins", "i4", 0), ("gave_up", "i1"))
GIVING_UP = """
def is_legal(s, seat, action):
    return 0 <= action < GIVE_UP and own_is_legal(s, seat, action)

def stays(s):
    count = 0
    for p in range({seats}):
        count += 1 - s.gave_up[p]
    return count >= (2 if {seats} > 1 else 1)

def over(s):
    return not stays(s) or own_over(s)

def stand_in(s, seat):
    count = 0
    for action in range(GIVE_UP):
        if own_is_legal(s, seat, action):
            count += 1
    if count == 0:
        return 0
    s.stand_ins = s.stand_ins + 1 & MAX_STAND_INS
    left = s.stand_ins % count
    for action in range(GIVE_UP):
        if own_is_legal(s, seat, action):
            if left == 0:
                return action
            left -= 1
    return 0

def step(s, actions, events):
    gave = 0
    for p in range({seats}):
        if actions[p] == GIVE_UP and acts(s, p):
            s.gave_up[p] = 1
            gave |= 1 << p
    if gave == 0:
        own_step(s, actions, events)
    elif stays(s):
        for p in range({seats}):
            if gave >> p & 1:
                actions[p] = stand_in(s, p)
        own_step(s, actions, events)
        for p in range({seats}):
            if gave >> p & 1:
                actions[p] = GIVE_UP

def winner(s):
    if not stays(s):
        for p in range({seats}):
            if s.gave_up[p] == 0:
                return p
        return -1
    first = own_winner(s)
    return first if not 0 <= first < {seats} or s.gave_up[first] == 0 else -1

def places(s, out):
    found = own_places(s, out)
    for p in range({seats}):
        before = 1
        for q in range({seats}):
            if s.gave_up[q] == 0 and (s.gave_up[p] == 1 or out[q] % 1000 < out[p] % 1000):
                before += 1
        out[p] += 1000 * before
    for p in range({seats}):
        out[p] //= 1000
    return found if stays(s) else GAVE_UP
"""


@flat
def put_decimal(buffer: Any, at: int, value: float) -> int:
    """Write a double with six digits after its point; one that is too large, or no number, as 0."""
    if value < 0:
        buffer[at] = MINUS
        at += 1
        value = 0 - value
    if not value < MAX_DECIMAL:
        value = 0.0
    scaled = int(value * PLACES + 0.5)
    at = put(buffer, at, scaled // PLACES)
    buffer[at] = POINT
    rest = scaled % PLACES
    place = at + 6
    while place > at:
        buffer[place] = ZERO + rest % 10
        rest //= 10
        place -= 1
    return at + 7


@flat
def fill(out: Any, at: int, value: float, count: int) -> int:
    """Write a number `count` times; returns where the next one goes."""
    for i in range(count):
        out[at + i] = value
    return at + count


def made(source: str, file: str, known: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """The functions of some source, flat, over the names that they may use."""
    namespace: dict[str, Any] = {"__name__": f"{known['__name__']}.defaults", TEXT: source.encode(), **known}
    before = set(namespace)
    exec(compile(source, file, "exec"), namespace)  # our own text, in which names of fields are identifiers
    return {name: flat(namespace[name]) for name in namespace if name not in before and name != "__builtins__"}


def simple_rules(
    seats: str, simultaneous: bool, has: Callable[[str], bool], fields: Sequence[str], gives_up: bool
) -> dict[str, str]:
    """Sources for the rules that a file may omit, by name, as far as its other functions and fields allow.

    `gives_up`: whether the state says by `gave_up` which seats have given up.
    """
    found = {"legal": LEGAL}
    if simultaneous:
        found["acts"] = "def acts(s, seat):\n    return True\n"
    elif "turn" in fields:
        found["acts"] = f"def acts(s, seat):\n    return s.turn % {seats} == seat\n"
    if "ended" in fields:
        found["over"] = "def over(s):\n    return s.ended != 0\n"
    found["reason"] = f"def reason(s):\n    return {'s.ended' if 'ended' in fields else 1}\n"
    if has("score"):
        found["scores"] = SCORES.format(seats=seats)
    if has("winner"):
        found["places"] = PLACES_BY_WINNER.format(seats=seats)
    elif has("score"):
        counts = "s.gave_up[p] == 0" if gives_up else "True"
        found["winner"] = WINNER_BY_SCORE.format(seats=seats, counts=counts)
        found["places"] = PLACES_BY_SCORE.format(seats=seats)
    return found


# --- the prompt


def prompt(
    starter: Starter, fields: Sequence[StateField], texts: Sequence[str], actions: int, concessions: Sequence[int]
) -> tuple[str, dict[str, Any], int]:
    """The source of the default prompt, the constants that it reads, and how many bytes it has at most.

    `starter` says which lines there are, and how they begin (`default_prompt.described`), and `fields` what stands on
    them. `texts` are the words of all actions, concessions among them.
    """
    letters = "".join(texts).encode("ascii")
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + len(text))
    known: dict[str, Any] = {"LETTERS": letters or b" ", "STARTS": tuple(starts)}
    known |= {"put": put, "put_text": put_text, "put_decimal": put_decimal}
    seat, *parts, legal = (part for part in starter.turn if isinstance(part, NamedLine | NamedRows))
    lines = [
        "def put_action(buffer, at, action):",
        "    for i in range(STARTS[action], STARTS[action + 1]):",
        "        buffer[at] = LETTERS[i]",
        "        at += 1",
        "    return at",
        "def prompt(s, seat, buffer):",
        "    at = 0",
        *_word_lines(seat, "SEAT_WORD", 1, known),
        f"    buffer[at] = {SPACE}",
        "    at = put(buffer, at + 1, seat)",
        *_newline(1),
    ]
    size = 5 + 20 + 1
    for number, (part, field) in enumerate(zip(parts, [each for each in fields if each.is_told], strict=True)):
        known[f"SIGNS_{number}"] = field.signs.encode("ascii") or b" "
        lines += _field_lines(part, field, number, known)
        size += field.size * (DIGITS[field.kind] + 1) + field.rows * (len(known[f"WORD_{number}"]) + 1)
    lines += [*_word_lines(legal, "LEGAL_WORD", 1, known), *_legal_lines(actions, concessions)]
    return "\n".join(lines), known, size + 6 + len(letters) + len(texts)


def _word_lines(part: NamedLine | NamedRows, name: str, deep: int, known: dict[str, Any]) -> list[str]:
    """What writes the word with which a part's lines begin, and the constant of this name that it reads."""
    known[name] = part.word.encode()
    return [f"{'    ' * deep}at = put_text(buffer, at, {name}, 0, {len(known[name])}, {len(known[name])})"]


ASKED = """    for action in range({actions}):
        if is_legal(s, seat, action):
"""
LISTED = """    for action in listed(s, seat):
        if True:
"""


def by_list(prompt: str, actions: int) -> str:
    """The default prompt's source for plain Python, which takes the legal actions from `listed(s, seat)`."""
    return prompt.replace(ASKED.format(actions=actions), LISTED)


def listing(legal: Callable[[Any, int, Any], int], actions: int) -> Callable[[Any, int], list[int]]:
    """A function `listed(s, seat)` by a game's own `legal`: in order of their numbers, as a prompt has them."""

    def listed(s: Any, seat: int) -> list[int]:
        out = row_of(actions)
        return sorted(out[: legal(s, seat, out)])

    return listed


def _legal_lines(actions: int, concessions: Sequence[int]) -> list[str]:
    """What writes the rest of the last line: every legal action, or what is always accepted where there is none."""
    lines = [
        "    count = 0",
        *ASKED.format(actions=actions).splitlines(),
        f"            buffer[at] = {SPACE}",
        "            at = put_action(buffer, at + 1, action)",
        "            count += 1",
    ]
    for action in concessions:
        lines += [
            "    if count == 0:",
            f"        buffer[at] = {SPACE}",
            f"        at = put_action(buffer, at + 1, {action})",
        ]
    return [*lines, *_newline(1), "    return at", ""]


def _newline(deep: int) -> list[str]:
    indent = "    " * deep
    return [f"{indent}buffer[at] = {NEWLINE}", f"{indent}at += 1"]


def _field_lines(part: NamedLine | NamedRows, field: StateField, number: int, known: dict[str, Any]) -> list[str]:
    """What writes a field: for each of its rows a line that begins with its name."""
    if not isinstance(part, NamedRows):
        word = _word_lines(part, f"WORD_{number}", 1, known)
        return [*word, *_value_lines(field, number, f"s.{field.name}", 1), *_newline(1)]
    start = f"seat * {field.part} + " if field.is_own else ""
    return [
        f"    for row in range({part.rows}):",
        *_word_lines(part, f"WORD_{number}", 2, known),
        f"        for column in range({part.columns}):",
        *_value_lines(field, number, f"s.{field.name}[{start}row * {part.columns} + column]", 3),
        *_newline(2),
    ]


def _value_lines(field: StateField, number: int, value: str, deep: int) -> list[str]:
    """What writes a space and a number, or its sign."""
    indent = "    " * deep
    plain = "put_decimal" if field.kind == "f8" else "put"
    lines = [f"{indent}buffer[at] = {SPACE}"]
    if not field.signs or field.kind == "f8":
        return [*lines, f"{indent}at = {plain}(buffer, at + 1, {value})"]
    return [
        *lines,
        f"{indent}if 0 <= {value} < {len(field.signs)}:",
        f"{indent}    buffer[at + 1] = SIGNS_{number}[{value}]",
        f"{indent}    at += 2",
        f"{indent}else:",
        f"{indent}    at = put(buffer, at + 1, {value})",
    ]


# --- the observation


def observe(fields: Sequence[StateField], cells: int, grid: tuple[int, ...], most: int, seats: str) -> str:
    """The source of the default observation: the seat's number, then every field that it may see.

    A grid of the shape `grid`, of so many `cells`, becomes a plane, every other number a plane that is the same
    everywhere. What belongs to the seats comes in their order from the observing seat on.
    """
    lines = ["def observe(s, seat, out):", f"    at = fill(out, 0, seat, {cells})"]
    for field in fields:
        if not field.is_told:
            continue
        is_plane = bool(grid) and field.board == grid
        count = 1 if is_plane else cells
        if not field.shape:
            lines += [f"    at = fill(out, at, {_own(field, f's.{field.name}', seats)}, {cells})"]
        elif field.is_own:
            lines += [f"    for i in range({field.part}):", *_put(field, f"seat * {field.part} + i", count, 2, seats)]
        elif field.by_seat:
            lines += [
                f"    for k in range({most}):",
                f"        p = (seat + k) % {seats} if k < {seats} else k",
                f"        for i in range({field.part}):",
                *_put(field, f"p * {field.part} + i", count, 3, seats),
            ]
        else:
            lines += [f"    for i in range({field.size}):", *_put(field, "i", count, 2, seats)]
    return "\n".join([*lines, ""])


def _put(field: StateField, at: str, count: int, deep: int, seats: str) -> list[str]:
    return ["    " * deep + f"at = fill(out, at, {_own(field, f's.{field.name}[{at}]', seats)}, {count})"]


def _own(field: StateField, value: str, seats: str) -> str:
    """A value as the seat sees it: where it names an owner, 1 is the seat itself, 2 the next one."""
    if not field.owners:
        return value
    return f"(1 + ({value} - 1 - seat) % {seats} if 1 <= {value} <= {seats} else {value})"
