"""What a long replay takes in memory, counted while it is decoded: a stranger's may be made to take much.

Only a long one is counted: this module is loaded with the first of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dohyo.core.errors import ReplayError
from dohyo.core.faults import Fault
from dohyo.core.replay import Move
from dohyo.i18n import Message


class Budget:
    """What is left of the memory that a replay may take."""

    def __init__(self, parts: int, text: int, of_faults: int, most: int) -> None:
        """So much of each kind; what is refused is said to unpack to more than `most` bytes."""
        self._parts, self._text, self._of_faults, self._most = parts, text, of_faults, most

    def take(self, told: bytes | bytearray, moves: Sequence[Move], parts: int) -> None:
        """Take what became of some lines. Raises `ReplayError` where that is too much."""
        faults = [fault for move in moves for fault in move.faults]
        self._parts -= parts + len(moves) + len(faults)
        self._of_faults -= sum(map(_size_of_fault, faults))
        # One letter of another script makes a whole text take two or four bytes a letter.
        plain = told.isascii() and b"\\u" not in told
        self._text -= len(told) if plain else sum(map(_weight, moves))
        if min(self._parts, self._text, self._of_faults) < 0:
            raise ReplayError("replay-too-large", most=self._most)


def _size_of_fault(fault: Fault) -> int:
    return 4 + _size_of_values(fault.values) + sum(4 + _size_of_values(message.values) for message in fault.also)


def _size_of_values(values: Mapping[str, Any]) -> int:
    inner = (12 + _size_of_values(value.values) for value in values.values() if isinstance(value, Message))
    return 2 * len(values) + sum(inner) if values else 0


def _weight(move: Move) -> int:
    """Bytes that a move's texts take in memory."""
    texts = (move.action, move.reply or "", move.stderr, move.comments)
    return sum(text.__sizeof__() for text in texts) + sum(_weight_of_fault(fault) for fault in move.faults)


def _weight_of_fault(fault: Fault) -> int:
    told = ((fault.code, fault.values), *((message.key, message.values) for message in fault.also))
    return sum(key.__sizeof__() + _weight_of_values(values) for key, values in told)


def _weight_of_values(values: Mapping[str, Any]) -> int:
    return sum(
        name.__sizeof__()
        + (
            value.key.__sizeof__() + _weight_of_values(value.values)
            if isinstance(value, Message)
            else value.__sizeof__()
        )
        for name, value in values.items()
    )
