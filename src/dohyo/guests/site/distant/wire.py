"""The messages between the site and a bot that stays at home: JSON, one in each text message of the WebSocket.

docs/connect.md explains them to authors. What comes is a stranger's: each field has a bound, and what has none of
these forms ends the connection.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

VERSION = 1
PATH = "/connect"
MAX_MESSAGE = 16 << 10  # bytes of a message that comes
LONGEST_LINE = 4096  # characters of an answer
LONGEST_SAID = 500
MAX_AT_ONCE = 8  # matches of one bot
# Why a connection is ended by the site, beside the standard's own codes.
BAD_MESSAGE, NO_TOKEN, REFUSED, REPLACED, TOO_MUCH = 4400, 4401, 4403, 4409, 4429

Match = Annotated[str, Meta(max_length=40)]
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
Said = Annotated[str, Meta(max_length=LONGEST_SAID)]


class Message(msgspec.Struct, tag_field="type", tag=str.lower, frozen=True):
    """A message; its type is its name in small letters."""


# --- from the bot's machine


class Hello(Message, frozen=True):
    """The first message: who plays where, and in how many matches at once; in none: it only asks which game it is."""

    token: Annotated[str, Meta(max_length=200)]
    ladder: Annotated[str, Meta(max_length=100)]
    bot: Annotated[str, Meta(max_length=200)]
    at_once: Annotated[int, Meta(ge=0, le=MAX_AT_ONCE)] = 1
    version: Number = VERSION


class Ready(Message, frozen=True):
    """The bot's program runs, and the match may begin."""

    match: Match


class Answer(Message, frozen=True):
    """The line with which the bot answers a turn."""

    match: Match
    number: Number
    line: Annotated[str, Meta(max_length=LONGEST_LINE)]


class Failed(Message, frozen=True):
    """The bot plays this match no more, and what its machine says of that."""

    match: Match
    said: Said = ""


FromHome = Hello | Ready | Answer | Failed


# --- to the bot's machine


class Welcome(Message, frozen=True):
    """The bot is connected; the matches in which it plays already, from before a connection was lost."""

    ladder: str
    game: str
    bot: str
    matches: list[str]
    version: int = VERSION


class Refused(Message, frozen=True):
    """The bot cannot play: a word for programs, and a sentence."""

    code: str
    why: str


class Start(Message, frozen=True):
    """A match begins, or is told again after a lost connection.

    `seed` is the bot's own for this match. `limit`, `first_limit` and `ready` are seconds; `forgiven` is how many
    seconds of the way's delay may be given back for one answer. `patience` is for how many seconds in all the match
    waits for lost connections.
    """

    match: str
    game: str
    seat: int
    seats: int
    setup: dict[str, Any]
    seed: int
    limit: float
    first_limit: float
    mode: str
    ready: float
    forgiven: float
    patience: float
    again: bool = False


class Turn(Message, frozen=True):
    """The bot is asked: what a program reads, and the seconds that it has."""

    match: str
    number: int
    limit: float
    input: str


class End(Message, frozen=True):
    """A match is over for the bot.

    `places` are by seat, empty where it goes on without the bot or does not count; `stopped` says why the bot was
    stopped; `void`: the match was broken off, and is played again. `input` is what a program reads at the end.
    """

    match: str
    places: list[int] = []
    stopped: str = ""
    input: str = ""
    void: bool = False


_reader = msgspec.json.Decoder(FromHome)
_writer = msgspec.json.Encoder()


def read(content: bytes) -> Hello | Ready | Answer | Failed:
    """A message that came. Raises `ValueError` for what is none."""
    try:
        found: FromHome = _reader.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)[:LONGEST_SAID]) from error
    return found


def written(message: Message) -> bytes:
    """A message to be sent."""
    return _writer.encode(message)
