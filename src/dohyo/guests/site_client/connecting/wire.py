"""What a site says to a bot that stays at home, as far as it is looked at; and what is answered. See docs/connect.md.

All that comes is a stranger's: it is bounded where it is read, and cleaned where it is shown.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

VERSION = 1
PATH = "/connect"
MAX_MESSAGE = 4 << 20  # bytes
LONGEST_LINE, LONGEST_SENT = 4096, 16 << 10  # characters and bytes that a site takes: of a line, of a message
NO_TOKEN, REFUSED, REPLACED = 4401, 4403, 4409

Seconds = Annotated[float, Meta(ge=0.0, le=1e6)]
Match = Annotated[str, Meta(max_length=100)]
Number = Annotated[int, Meta(ge=0, le=1 << 31)]


class _Said(msgspec.Struct, tag_field="type", tag=str.lower, frozen=True):
    """A message; its type is its name in small letters."""


class Welcome(_Said, frozen=True):
    """The bot is connected; it plays in these matches already."""

    ladder: str
    game: str
    bot: str
    matches: list[str]


class Refused(_Said, frozen=True):
    """The bot cannot play, and why."""

    code: str
    why: str


class Start(_Said, frozen=True):
    """A match begins, or is told again after a lost connection."""

    match: Match
    game: str
    seat: Annotated[int, Meta(ge=0, le=63)]
    seats: Annotated[int, Meta(ge=1, le=64)]
    setup: dict[str, Any]
    seed: Annotated[int, Meta(ge=0, le=(1 << 31) - 1)]
    limit: Seconds
    first_limit: Seconds
    ready: Seconds
    again: bool = False


class Turn(_Said, frozen=True):
    """The bot is asked."""

    match: Match
    number: Number
    limit: Seconds
    input: str


class End(_Said, frozen=True):
    """A match is over for the bot."""

    match: Match
    places: list[int] = []
    stopped: str = ""
    input: str = ""
    void: bool = False


Said = Welcome | Refused | Start | Turn | End
_reader = msgspec.json.Decoder(Said)


def read(content: bytes) -> Said:
    """A message. Raises `ValueError` for what is none."""
    try:
        found: Said = _reader.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from error
    return found


def written(kind: str, **values: object) -> bytes:
    """A message to the site."""
    return msgspec.json.encode({"type": kind, **values})


def answer(match: str, number: int, line: str) -> bytes:
    """The message with a bot's line, which a site takes however long it is: it is cut, and no action is so long."""
    made = written("answer", match=match, number=number, line=line[:LONGEST_LINE])
    if len(made) > LONGEST_SENT:  # each character may take six bytes
        made = written("answer", match=match, number=number, line=line[: LONGEST_SENT // 8])
    return made
