"""What the sandboxed process reads from a packed hand-in, written to the disk: its names and sizes are checked here.

["file", NAME, EXECUTABLE]   begins a file
["data", BASE64]             a piece of it
["link", NAME, TARGET]       a link; all are made in the end
["done"]                     that was all; or "wrong" or "broken", as for a recipe
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator
from typing import Any

from dohyo.bots.declared import COMMANDS, TOML
from dohyo.bots.packed import Entry
from dohyo.bots.staging import HandIn

Message = list[Any]


def tell(entries: Iterator[Entry], send: Callable[[Message], None]) -> Message:
    """Send what is packed, in the process that reads it; the last message."""
    for entry in entries:
        if entry.target:
            send(["link", entry.name, entry.target])
            continue
        send(["file", entry.name, entry.executable])
        for piece in entry.pieces:
            send(["data", base64.b64encode(piece).decode()])
    return ["done"]


def take(receive: Callable[[], Message], inside: HandIn) -> Message:
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


def _unwrap(inside: HandIn) -> None:
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
