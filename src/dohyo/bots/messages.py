"""Messages of the process that reads hand-ins (`reader_process.py`); writing down what it has unpacked."""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Callable, Iterator
from typing import Any

from dohyo.bots.bot import COMMANDS, TOML
from dohyo.bots.hand_in import HandInCopy

# A length, then so many bytes.
LENGTH = struct.Struct("=I")
LARGEST = 64 << 20  # bytes of one message
OF_COPY, WRITTEN = "copy", "written"  # whether a file of a build plan is one of the copy, or its content is told
PACKED = "packed"  # the kind of a hand-in that is to be unpacked

Message = list[Any]


def pack(content: bytes) -> bytes:
    """One message."""
    return LENGTH.pack(len(content)) + content


def take_unpacked(receive: Callable[[], Message], inside: HandInCopy) -> Message:
    """Write what is told into a hand-in; the last message, which is not of a file.

    A single folder that says itself how it runs is unwrapped: many programs pack a folder as one.
    Raises `OperatorError` for names and sizes that no hand-in has, `ValueError` for what is no message.
    """
    links: dict[str, str] = {}
    message = receive()
    while message[0] in ("file", "link"):
        if message[0] == "link":
            name, target = _text(message[1]), _text(message[2])
            inside.check_link(name, target, links)
            links[name] = target
            message = receive()
            continue
        pieces = _Pieces(receive)
        inside.write(_text(message[1]), message[2] is True, pieces)
        message = pieces.after
    if message[0] == "done":
        inside.link(links)
        _unwrap(inside)
    return message


def _unwrap(inside: HandInCopy) -> None:
    folders = {name.partition("/")[0] for name in (*inside.files, *inside.links)}
    if len(folders) == 1 and any(
        f"{folder}/{name}" in inside.files for folder in folders for name in (TOML, COMMANDS)
    ):
        inside.unwrap(folders.pop())


class _Pieces:
    """The pieces of one file; then `after` is the first message that is none."""

    def __init__(self, receive: Callable[[], Message]) -> None:
        self._receive = receive
        self.after: Message = []

    def __iter__(self) -> Iterator[bytes]:
        while (message := self._receive())[0] == "data":
            try:
                piece = base64.b64decode(_text(message[1]), validate=True)
            except binascii.Error as error:
                raise ValueError("an unknown answer") from error
            if not piece:
                raise ValueError("an unknown answer")
            yield piece
        self.after = message


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("an unknown answer")
    return value
