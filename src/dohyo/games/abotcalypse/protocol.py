"""aBOTcalypse, what travels: a view as text, an action as words. No pipes here.

Source: the challenge's text, and what its controller did with a program's output.
"""

from __future__ import annotations

import re
import string
from functools import lru_cache
from typing import Any

from dohyo.core.faults import KEPT, Fault, FaultKind
from dohyo.core.flat import flat, flat_as, index
from dohyo.core.text import MAX_KEPT, NEWLINE
from dohyo.games.abotcalypse.board import ALIVE, WIDTH, column_of, holds_rock, inside
from dohyo.games.abotcalypse.rules import DISTANCES, DROP, FAR, MOVE, REST, THROW

CLOSING = b"\n\n"  # what follows a view where one process lives for a match: its last line ends, and an empty one
SIGHT = 20  # squares in each direction, by Chebyshev distance
PROMPT_BYTES = (2 * SIGHT + 1) * (2 * SIGHT + 2)

AIR, EDGE, ROCK, METEOR = 46, 35, 38, 64  # . # & @
SELF, ENEMY, ON_ROCK = 115, 101, -32  # s e, and what makes them capitals

DIRECTIONS = ("up", "right", "down", "left")


@flat
def prompt(s: Any, seat: int, buffer: Any) -> int:
    """Write what the bot sees into `buffer`, the top row first; how many bytes. No newline at the end.

    The window ends one square outside the board, where its edge is drawn.
    """
    left = max(s.x[seat] - SIGHT, -1)
    right = min(s.x[seat] + SIGHT, WIDTH)
    bottom = max(s.y[seat] - SIGHT, -1)
    top = min(s.y[seat] + SIGHT, WIDTH)
    across = right - left + 2  # with the newline
    put_ground(s, buffer, left, right, bottom, top)
    for b in range(s.bots):
        if s.status[b] == ALIVE and left <= s.x[b] <= right and bottom <= s.y[b] <= top:
            put_bot(s, b, seat, buffer, index(top - s.y[b], s.x[b] - left, across))
    for m in range(s.meteors):
        x = int(s.meteor_x[m])
        y = int(s.meteor_y[m])
        if left <= x <= right and bottom <= y <= top:
            buffer[index(top - y, x - left, across)] = METEOR
    return (top - bottom + 1) * across - 1  # type: ignore[no-any-return]


@flat
def put_ground_by_loop(s: Any, buffer: Any, left: int, right: int, bottom: int, top: int) -> None:
    """`put_ground`, square by square."""
    at = 0
    for y in range(top, bottom - 1, -1):
        for x in range(left, right + 1):
            buffer[at] = AIR
            if not inside(x, y):
                buffer[at] = EDGE
            elif holds_rock(s, x, y):
                buffer[at] = ROCK
            at += 1
        if y > bottom:
            buffer[at] = NEWLINE
        at += 1


@flat_as(put_ground_by_loop)
def put_ground(s: Any, buffer: Any, left: int, right: int, bottom: int, top: int) -> None:
    """Air, rocks, the board's edge, and the line ends."""
    across = right - left + 2
    end = (top - bottom + 1) * across
    for x in range(left, right + 1):
        rocks = column_of(s, x) if 0 <= x < WIDTH else BEYOND
        buffer[x - left : end : across] = _column(rocks, bottom, top)
    buffer[across - 1 : end - 1 : across] = b"\n" * (top - bottom)


BEYOND = -1  # in the place of a column's rocks: the board's edge


@lru_cache(MAX_KEPT)
def _column(rocks: int, bottom: int, top: int) -> bytes:
    """What is drawn of a column with these rocks, from the top."""
    drawn = [ROCK if rocks >> y & 1 else AIR for y in range(top, -1, -1)][: top - bottom + 1]
    if rocks == BEYOND:
        return bytes([EDGE]) * (top - bottom + 1)
    if top == WIDTH:
        drawn[0] = EDGE
    return bytes(drawn) if bottom >= 0 else bytes([*drawn, EDGE])


@flat
def put_bot(s: Any, b: int, seat: int, buffer: Any, at: int) -> None:
    """One bot in its square: itself over an enemy, a capital on a rock."""
    letter = SELF if b == seat or (s.x[b] == s.x[seat] and s.y[b] == s.y[seat]) else ENEMY
    if holds_rock(s, s.x[b], s.y[b]):
        letter += ON_ROCK
    buffer[at] = letter


ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
SPACES = re.compile(r"[ \t\n\r\f\v]+")
INTEGER = re.compile(r"[+-]?[0-9]+")


def parse(reply: str, s: Any, seat: int) -> int | Fault:
    """The action in a program's whole output, or the fault of one that has none.

    Lower-cased and split at white space, newlines included. A third word must be an integer, for every action;
    words from the fourth on are not looked at.
    """
    words = [word for word in SPACES.split(reply.translate(ASCII_LOWER)) if word]
    if not words:
        return Fault(FaultKind.MALFORMED, "abotcalypse.detail.no-output")
    if words[0] == "rest":
        return REST
    first = {"move": MOVE, "drop": DROP, "throw": THROW}.get(words[0])
    if first is None:
        return Fault(FaultKind.MALFORMED, "abotcalypse.detail.no-action", {"written": words[0][:KEPT]})
    if len(words) < 2 or words[1] not in DIRECTIONS:
        return Fault(FaultKind.MALFORMED, "abotcalypse.detail.no-direction", {"action": words[0]})
    if len(words) > 2 and not INTEGER.fullmatch(words[2]):
        return Fault(FaultKind.MALFORMED, "abotcalypse.detail.no-number", {"written": words[2][:KEPT]})
    direction = DIRECTIONS.index(words[1])
    if first != THROW:
        return first + direction
    return THROW + direction * DISTANCES + _distance(words) + 1


def _distance(words: list[str]) -> int:
    """A throw's distance; all below 0 are one, and so are all that reach over the board."""
    if len(words) < 3:
        return FAR
    digits = words[2].lstrip("+-").lstrip("0")
    if not digits:
        return 0
    if words[2][0] == "-":
        return -1
    return FAR if len(digits) > 2 else int(digits)


def text(action: int) -> str:
    """An action as words, which `parse` reads back."""
    if action < THROW:
        return "rest" if action == REST else f"{'move' if action < DROP else 'drop'} {DIRECTIONS[(action - 1) % 4]}"
    direction, distance = divmod(action - THROW, DISTANCES)
    tail = "" if distance - 1 == FAR else f" {distance - 1}"
    return f"throw {DIRECTIONS[direction]}{tail}"


def stops(fault: Fault) -> bool:
    """Whether a fault ends the program: a bot that fails rests that turn, and is asked again."""
    return False
