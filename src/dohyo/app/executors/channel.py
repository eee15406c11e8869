"""Messages between a pool and its workers, over a pair of sockets: a length, then MessagePack."""

from __future__ import annotations

import socket
import struct
from typing import Any

import msgspec

LENGTH = struct.Struct("=I")
AT_ONCE = 1 << 18  # bytes


class Channel:
    """One end. Of the pool's, neither reading nor writing waits; of the worker's, both do.

    `wanted` is the type of the messages that come.
    """

    def __init__(self, end: socket.socket, wanted: Any) -> None:
        self.socket = end
        self.open = True
        self.heard = True  # whether the other end still takes what is sent
        self._in = bytearray()
        self._out = bytearray()
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(wanted)

    @property
    def has_unsent(self) -> bool:
        """Whether something waits until the other end reads."""
        return bool(self._out)

    def send(self, message: object = None) -> None:
        """Send a message, as much of it as is taken now; without one, the rest of those before it."""
        if message is not None:
            content = self._encoder.encode(message)
            self._out += LENGTH.pack(len(content)) + content
        try:
            while self._out:
                del self._out[: self.socket.send(self._out)]
        except BlockingIOError:
            return
        except OSError:  # the other end is gone; what it sent before that can still be read
            self.heard = False
            self._out.clear()

    def receive(self) -> list[Any]:
        """The messages that are there; none, and no longer `open`, once the other end is gone."""
        try:
            content = self.socket.recv(AT_ONCE)
        except BlockingIOError:
            return []
        except OSError:
            content = b""
        if not content:
            self.open = False
        self._in += content
        return list(self._complete())

    def _complete(self) -> list[Any]:
        found: list[Any] = []
        start = 0
        while len(self._in) - start >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._in, start)
            end = start + LENGTH.size + length
            if len(self._in) < end:
                break
            found.append(self._decoder.decode(memoryview(self._in)[start + LENGTH.size : end].tobytes()))
            start = end
        del self._in[:start]
        return found

    def close(self) -> None:
        """Let go of this end."""
        self.open = False
        self.socket.close()
