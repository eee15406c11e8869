"""Drop-Block, the protocol: from a state to the text that a program reads, from a line to an action.

Source: the rule texts' section on input and output, and the contest's referee for what they leave open.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dohyo.core.faults import KEPT, Fault, FaultCode, FaultKind
from dohyo.core.flat import flat, flat_as
from dohyo.core.text import MAX_KEPT, NEWLINE, SPACE, put, put_table, put_text
from dohyo.games.drop_block.rules import ACTIONS, BLOCKS, NOTHING, SEATS

LETTERS = "URDLAN"  # by action
READY = "READY"

# Bytes of the longest prompt, with room to spare: 36 blocks and four players of small numbers.
PROMPT_BYTES = 512

FACING_BYTES = (85, 82, 68, 76)  # U R D L
END_OF_DATA = b"EOD\n"


ACTION_OF = {letter: action for action, letter in enumerate(LETTERS)}


@flat
def prompt(s: Any, seat: int, buffer: Any) -> int:
    """Write what `seat` is sent at its turn into `buffer` (PROMPT_BYTES long); how many bytes it has.

    A player is row, column, facing and stun; column first if the setup says so.
    """
    at = put(buffer, 0, seat)
    buffer[at] = NEWLINE
    at = put(buffer, at + 1, s.turn)
    buffer[at] = NEWLINE
    at = put_table(buffer, at + 1, s.block, BLOCKS, BLOCKS)
    first, second = s.row, s.column
    if s.column_first:
        first, second = s.column, s.row
    at = put_players(buffer, at, first, second, s.facing, s.stun)
    return put_text(buffer, at, END_OF_DATA, 0, 4, 4)


@flat
def put_players_by_loop(buffer: Any, at: int, first: Any, second: Any, facing: Any, stun: Any) -> int:
    """`put_players`, player by player."""
    for p in range(SEATS):
        at = put_player(buffer, at, first[p], second[p], facing[p], stun[p])
    return at


@flat_as(put_players_by_loop)
def put_players(buffer: Any, at: int, first: Any, second: Any, facing: Any, stun: Any) -> int:
    """Write every player's line; where the next byte goes."""
    text = b"".join(map(_player, first, second, facing, stun))
    end = at + len(text)
    buffer[at:end] = text
    return end


@lru_cache(MAX_KEPT)
def _player(first: int, second: int, facing: int, stun: int) -> bytes:
    line = bytearray(PROMPT_BYTES)
    return bytes(line[: put_player(line, 0, first, second, facing, stun)])


@flat
def put_player(buffer: Any, at: int, first: int, second: int, facing: int, stun: int) -> int:
    """Write a player's line; where the next byte goes."""
    at = put(buffer, at, first)
    buffer[at] = SPACE
    at = put(buffer, at + 1, second)
    buffer[at] = SPACE
    buffer[at + 1] = FACING_BYTES[facing]
    buffer[at + 2] = SPACE
    at = put(buffer, at + 3, stun)
    buffer[at] = NEWLINE
    return at + 1


def parse(reply: str, s: Any, seat: int) -> int | Fault:
    """The action in a line, or the fault of a line that has none.

    As the contest's referee read: control characters and spaces are trimmed at both ends, then the first word up to
    a space must be exactly one of the six letters. A tab does not end a word, and lower case is not a letter.
    """
    word = trim(reply).split(" ", 1)[0]
    action = ACTION_OF.get(word)
    if action is None:
        if not word:
            return Fault(FaultKind.MALFORMED, FaultCode.EMPTY_LINE)
        values = {"written": word[:KEPT], "letters": " ".join(LETTERS)}
        return Fault(FaultKind.MALFORMED, "drop-block.detail.letter", values)
    return action


def trim(reply: str) -> str:
    """The line without the characters up to U+0020 at its ends."""
    start, end = 0, len(reply)
    while start < end and reply[start] <= " ":
        start += 1
    while end > start and reply[end - 1] <= " ":
        end -= 1
    return reply[start:end]


def text(action: int) -> str:
    """The letter of an action, which `parse` reads back."""
    return LETTERS[action]


def answer(s: Any, seat: int, fault: Fault) -> int:
    """The rules' answer to a fault: the player stays on the board and does nothing."""
    return NOTHING


def stops(fault: Fault) -> bool:
    """Whether a fault ends the program for the rest of the match: all do but a line that cannot be read."""
    return fault.kind not in (FaultKind.MALFORMED, FaultKind.ILLEGAL)


assert len(LETTERS) == ACTIONS
