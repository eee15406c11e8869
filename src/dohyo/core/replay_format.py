"""A replay's bytes. Bytes in, bytes out; files are the caller's.

A replay is JSON lines: a header, one line a turn, a result, and a checksum. `docs/replay-format.md` is the format's
reference.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from dohyo.core.bounds import depth_of
from dohyo.core.clock import Seconds
from dohyo.core.errors import ReplayError
from dohyo.core.faults import Fault
from dohyo.core.replay import FORMAT, Header, Move, Replay, Result, Turn
from dohyo.i18n import Message

# A zstd frame that decoders skip: it ends a compressed replay and holds SHA-256 of the bytes before it, because a
# zstd frame has bits of its own that no decoder reads.
SEAL = b"\x5e\x2a\x4d\x18\x20\x00\x00\x00"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"

# A replay may come from anybody, and a small file must not fill the memory: it is bounded before it is decoded. The
# longest matches (a million turns; four seats for a thousand turns with all the standard error that is kept, each
# byte written as `\u0000`) take less than half of each.
MAX_BYTES = 1 << 28  # of the unpacked replay, and of the file
MAX_TEXT = 1 << 28  # bytes that the texts in it take in memory
MAX_PARTS = 4_000_000  # turns, moves, dice and faults together
LONGEST_LINE = 1 << 26  # bytes of one turn, or of the result
LONGEST_HEADER = 1 << 20
DEEPEST = 16  # lists and objects in each other, in the header
WINDOW_LOG = 25  # how far back a zstd frame may refer, as a power of two: that is kept in memory
CHUNK = 1 << 20  # bytes that are unpacked at once

# What a line raises that is no JSON of ours: wrong words, bytes that are no text, lists in lists without end.
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class _Line(msgspec.Struct, omit_defaults=True):
    result: Result
    cpu: tuple[Seconds | None, ...] = ()
    disturbed: Seconds = 0.0
    disturbed_by: Annotated[str, Meta(max_length=20)] = ""


class _Checksum(msgspec.Struct):
    sha256: str


class _Version(msgspec.Struct):
    dohyo: Annotated[int, Meta(ge=1, le=(1 << 63) - 1)]


def encode(replay: Replay, compressed: bool = False) -> bytes:
    """The replay as a file's bytes; the last line holds SHA-256 of all bytes before it."""
    encoder = msgspec.json.Encoder()
    header = msgspec.structs.replace(replay.header, dohyo=replay.header.dohyo or FORMAT)
    lines = encoder.encode_lines(
        [header, *replay.turns, _Line(replay.result, replay.cpu, replay.disturbed, replay.disturbed_by)]
    )
    plain = with_checksum(lines)
    if not compressed:
        return plain
    packed: bytes = _zstd().compress(plain, 12)
    return packed + SEAL + hashlib.sha256(packed).digest()


def with_checksum(lines: bytes) -> bytes:
    """The lines of a replay with the last one, which holds SHA-256 of all bytes before it."""
    return lines + msgspec.json.encode(_Checksum(hashlib.sha256(lines).hexdigest())) + b"\n"


def decode(content: bytes) -> Replay:
    """The replay in a file's bytes, compressed or not.

    Raises `ReplayError` when it is cut off, changed, not a replay, of a newer version, or larger than any match
    needs: then before it takes memory.
    """
    if len(content) > MAX_BYTES:
        raise ReplayError("replay-too-large", most=MAX_BYTES)
    plain = _unpack(content) if content[:4] == ZSTD_MAGIC else content
    _check_version(plain[: plain.find(b"\n", 0, LONGEST_HEADER) + 1])
    cut = plain.rfind(b"\n", 0, len(plain) - 1) + 1
    with memoryview(plain) as whole:
        tail, digest = bytes(whole[cut : cut + 1024]), hashlib.sha256(whole[:cut]).hexdigest()
    wanted = msgspec.json.encode(_Checksum(digest)) + b"\n"
    if tail != wanted:
        is_there = tail.startswith(b'{"sha256":') and len(tail) >= len(wanted)
        raise ReplayError("replay-changed" if is_there else "replay-cut-off")
    try:
        return _read(_lines(plain, cut))
    except UNREADABLE as error:
        raise ReplayError("replay-malformed", error=error) from error


def begins(content: bytes) -> bool:
    """Whether bytes are how a replay begins, compressed or not; of the rest nothing is read.

    They may be cut off: a header takes at most `LONGEST_HEADER` bytes, packed or not.
    """
    plain: bytes | bytearray = content[:LONGEST_HEADER]
    if content[:4] == ZSTD_MAGIC:
        zstd = _zstd()
        reader = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: WINDOW_LOG})
        try:
            plain = reader.decompress(bytes(plain), LONGEST_HEADER)
        except zstd.ZstdError:
            return False
    first = bytes(plain[: plain.find(b"\n") + 1])
    try:
        _check_version(first)
        return depth_of(first) <= DEEPEST and bool(msgspec.json.decode(first, type=Header))
    except (ReplayError, *UNREADABLE):
        return False


def _lines(plain: bytes | bytearray, end: int) -> Iterator[bytes]:
    """The lines before `end`, one after the other, each at most so long as it may be."""
    start = 0
    while start < end:
        stop = plain.find(b"\n", start, end)
        if stop - start > LONGEST_LINE:
            raise ReplayError("replay-too-large", most=LONGEST_LINE)
        yield bytes(plain[start:stop])
        start = stop + 1


def _read(lines: Iterator[bytes]) -> Replay:
    """The replay that lines tell, in the memory that it may take."""
    head = next(lines)
    if depth_of(head) > DEEPEST:
        raise ReplayError("replay-malformed", error="a header of too many lists in each other")
    header = msgspec.json.decode(head, type=Header)
    seats, turns, budget = len(header.seats), [], _Budget()
    last = next(lines, None)
    for line in lines:
        turn = _TURN.decode(last or b"")
        if len(turn.moves) > seats:
            raise ReplayError("replay-malformed", error=f"{len(turn.moves)} moves of {seats} seats")
        budget.take(last or b"", turn.moves, 1 + len(turn.dice))
        turns.append(turn)
        last = line
    if last is None:
        raise ReplayError("replay-malformed", error="no result")
    found = msgspec.json.decode(last, type=_Line)
    budget.take(last, found.result.last, len(found.result.places) + len(found.result.scores) + len(found.cpu))
    if found.cpu and len(found.cpu) != seats:
        raise ReplayError("replay-malformed", error="processor times of other seats than there are")
    return Replay(header, turns, found.result, found.cpu, found.disturbed, found.disturbed_by)


_TURN = msgspec.json.Decoder(Turn)


class _Budget:
    """What is left of the memory that a replay may take."""

    def __init__(self) -> None:
        self._parts, self._text = MAX_PARTS, MAX_TEXT

    def take(self, line: bytes, moves: Sequence[Move], parts: int) -> None:
        """Take what became of a line. Raises `ReplayError` where that is too much."""
        self._parts -= parts + len(moves)
        for move in moves:
            self._parts -= len(move.faults)
        # One letter of another script makes a whole text take two or four bytes a letter.
        plain = line.isascii() and b"\\u" not in line
        self._text -= len(line) if plain else sum(map(_weight, moves))
        if self._parts < 0 or self._text < 0:
            raise ReplayError("replay-too-large", most=MAX_BYTES)


def _weight(move: Move) -> int:
    """Bytes that a move's texts take in memory."""
    texts = (move.action, move.reply or "", move.stderr, move.comments)
    return sum(text.__sizeof__() for text in texts) + sum(_weight_of_fault(fault) for fault in move.faults)


def _weight_of_fault(fault: Fault) -> int:
    told = (Message(fault.code, fault.values), *fault.also)
    return sum(_weight_of_message(message) for message in told)


def _weight_of_message(message: Message) -> int:
    return message.key.__sizeof__() + sum(
        name.__sizeof__() + (_weight_of_message(value) if isinstance(value, Message) else value.__sizeof__())
        for name, value in message.values.items()
    )


def _check_version(first_line: bytes | bytearray) -> None:
    """Refuse what is no replay, or is of a format that came after this software."""
    try:
        version = msgspec.json.decode(first_line, type=_Version).dohyo
    except UNREADABLE as error:
        raise ReplayError("not-a-replay") from error
    if version > FORMAT:
        raise ReplayError("replay-too-new", version=version, known=FORMAT)


def _unpack(content: bytes) -> bytearray:
    packed, seal = content[: -len(SEAL) - 32], content[-len(SEAL) - 32 :]
    if seal[: len(SEAL)] != SEAL:
        raise ReplayError("replay-cut-off")
    if seal[len(SEAL) :] != hashlib.sha256(packed).digest():
        raise ReplayError("replay-changed")
    zstd = _zstd()
    reader = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: WINDOW_LOG})
    plain = bytearray()
    try:
        while not reader.eof and len(plain) <= MAX_BYTES and (packed or not reader.needs_input):
            plain += reader.decompress(packed, CHUNK)
            packed = b""
    except zstd.ZstdError as error:
        raise ReplayError("replay-changed") from error
    if len(plain) > MAX_BYTES:
        raise ReplayError("replay-too-large", most=MAX_BYTES)
    if not reader.eof:
        raise ReplayError("replay-cut-off")
    return plain


@cache  # where the standard library has none, each import would look for it on the disk again
def _zstd() -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found]  # the standard library's, from 3.14 on
    except ImportError:
        from backports import zstd
    return zstd
