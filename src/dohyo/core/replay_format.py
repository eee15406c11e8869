"""A replay's bytes. Bytes in, bytes out; files are the caller's.

A replay is JSON lines: a header, one line a turn, a result, and a checksum. `docs/replay-format.md` is the format's
reference.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from dohyo.core.bounds import TooMuchError, check_values, is_too_deep
from dohyo.core.clock import Seconds
from dohyo.core.errors import ReplayError
from dohyo.core.replay import FORMAT, Header, Replay, Result, Turn

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
MAX_OF_FAULTS = 1_000_000  # a fault or a message beside it is 4 of these, a value 2, a message as one 12 more
MAX_VALUES = 1 << 18  # of a line that is longer than `CHUNK`: such lines are of long texts
LONGEST_LINE = 1 << 24  # bytes of one turn, or of the result
LONGEST_HEADER = 1 << 20
DEEPEST = 16  # lists and objects in each other, in the header
WINDOW_LOG = 25  # how far back a zstd frame may refer, as a power of two: that is kept in memory
CHUNK = 1 << 20  # bytes that are unpacked, and lines of so many that are decoded, at once
SURE = 1 << 22  # bytes of a replay that never becomes too much: two or more make a part, of a text 20 in memory
# Names and texts of a packed replay that is longer than that: so many, and so many a byte. A turn has 8 to 12, and
# what is by chance in it (the digest, seconds) takes as many bytes. A move with a fault has 12, of which nothing need
# be by chance: as many such are free as `MAX_OF_FAULTS` lets pass.
FREE_NAMES, NAMES_A_BYTE = MAX_OF_FAULTS // 4 * 12, 3

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
    return decode_plain(unpacked(content))


def unpacked(content: bytes) -> bytes | bytearray:
    """The lines in a file's bytes, for `decode_plain`. Raises what `decode` raises."""
    if len(content) > MAX_BYTES:
        raise ReplayError("replay-too-large", most=MAX_BYTES)
    return _unpack(content) if content[:4] == ZSTD_MAGIC else content


def decode_plain(plain: bytes | bytearray) -> Replay:
    """The replay that `unpacked` lines tell. Raises what `decode` raises."""
    return _whole(plain, _checked(plain))


class Frame(NamedTuple):
    """What stands around the turns of a replay, which are not read yet."""

    plain: bytes | bytearray
    cut: int
    lines: bytes  # of the turns, each with its newline
    header: Header
    result: Result


def framed(plain: bytes | bytearray) -> Frame | Replay:
    """A replay without its turns; with them, where it is longer than `SURE`. Raises what `decode` raises."""
    cut = _checked(plain)
    first, last = plain.find(b"\n", 0, cut) + 1, plain.rfind(b"\n", 0, cut - 1) + 1
    if cut <= SURE and first <= last and cut - last <= CHUNK:  # a longer result is looked at before it is decoded
        try:
            head = bytes(plain[: first - 1])
            header, found = _HEADER.decode(head), _END.decode(plain[last : cut - 1])
            if not is_too_deep(head, DEEPEST) and len(found.cpu) in (0, len(header.seats)):
                return Frame(plain, cut, bytes(plain[first:last]), header, found.result)
        except UNREADABLE:
            pass  # it is told as for any replay
    return _whole(plain, cut)


def whole(frame: Frame) -> Replay:
    """The replay of a frame, with its turns. Raises what `decode` raises."""
    return _whole(frame.plain, frame.cut)


def _whole(plain: bytes | bytearray, cut: int) -> Replay:
    try:
        return _read(plain, cut)
    except UNREADABLE as error:
        raise ReplayError("replay-malformed", error=error) from error


def _checked(plain: bytes | bytearray) -> int:
    """Where the checksum's line begins. Raises `ReplayError` for what is no whole replay that we know."""
    _check_version(plain[: plain.find(b"\n", 0, LONGEST_HEADER) + 1])
    cut = plain.rfind(b"\n", 0, len(plain) - 1) + 1
    with memoryview(plain) as view:
        tail, digest = bytes(view[cut : cut + 1024]), hashlib.sha256(view[:cut]).hexdigest()
    wanted = b'{"sha256":"%b"}\n' % digest.encode()
    if tail != wanted:
        is_there = tail.startswith(b'{"sha256":') and len(tail) >= len(wanted)
        raise ReplayError("replay-changed" if is_there else "replay-cut-off")
    return cut


def begins(content: bytes) -> bool:
    """Whether bytes are how a replay begins, compressed or not; of the rest nothing is read.

    They may be cut off: a header takes at most `LONGEST_HEADER` bytes, packed or not.
    """
    plain: bytes | bytearray = content[:LONGEST_HEADER]
    if content[:4] == ZSTD_MAGIC:
        reader = _reader()
        try:
            plain = reader.decompress(bytes(plain), LONGEST_HEADER)
        except _zstd().ZstdError:
            return False
    first = bytes(plain[: plain.find(b"\n") + 1])
    try:
        _check_version(first)
        return not is_too_deep(first, DEEPEST) and bool(_HEADER.decode(first))
    except (ReplayError, *UNREADABLE):
        return False


def _read(plain: bytes | bytearray, end: int) -> Replay:
    """The replay that the lines before `end` tell, in the memory that it may take."""
    first, last = plain.find(b"\n", 0, end) + 1, plain.rfind(b"\n", 0, end - 1) + 1
    head = bytes(plain[: first - 1])
    if is_too_deep(head, DEEPEST):
        raise ReplayError("replay-malformed", error="a header of too many lists in each other")
    header = _HEADER.decode(head)
    if last < first:
        raise ReplayError("replay-malformed", error="no result")
    _check_line(plain, last, end)
    seats, budget = len(header.seats), _budget() if end > SURE else None
    turns: list[Turn] = []
    for piece in _pieces(plain, first, last):
        some = _TURN.decode_lines(piece)
        if not len(some) == piece.count(b"\n") == piece.count(b"}\n{") + 1:  # a line may hold spaces, too
            some = [_TURN.decode(line) for line in piece[:-1].split(b"\n")]
        if (most := max(map(len, map(_MOVES, some)))) > seats:
            raise ReplayError("replay-malformed", error=f"{most} moves of {seats} seats")
        if budget is not None:
            _check_numbers(some, header.first + len(turns))
            moves = [move for turn in some for move in turn.moves]
            budget.take(piece, moves, len(some) + sum(len(turn.dice) for turn in some))
        turns += some
    found = _END.decode(plain[last : end - 1])
    if budget is not None:
        told = found.result
        budget.take(plain[last:end], told.last, len(told.places) + len(told.scores) + len(found.cpu))
    if found.cpu and len(found.cpu) != seats:
        raise ReplayError("replay-malformed", error="processor times of other seats than there are")
    return Replay(header, turns, found.result, found.cpu, found.disturbed, found.disturbed_by)


def _pieces(plain: bytes | bytearray, start: int, end: int) -> Iterable[bytes]:
    """The lines from `start` to `end`, many together: each at most so long as a line may be."""
    if end - start <= CHUNK:
        return [bytes(plain[start:end])] if start < end else []
    return _long_pieces(plain, start, end)


def _long_pieces(plain: bytes | bytearray, start: int, end: int) -> Iterator[bytes]:
    while start < end:
        stop = plain.find(b"\n", min(start + CHUNK, end) - 1, end) + 1
        _check_line(plain, max(start, plain.rfind(b"\n", start, stop - 1) + 1), stop)
        yield bytes(plain[start:stop])
        start = stop


def _check_line(plain: bytes | bytearray, start: int, end: int) -> None:
    """Refuse a line that is too long, or becomes far more in memory than it is: before it is decoded."""
    if end - start > LONGEST_LINE + 1:
        raise ReplayError("replay-too-large", most=LONGEST_LINE)
    if end - start > CHUNK:
        try:
            check_values(bytes(plain[start:end]), MAX_VALUES)
        except TooMuchError as error:
            raise ReplayError("replay-too-large", most=MAX_BYTES) from error


def _budget() -> Any:
    from dohyo.core.replay_budget import Budget

    return Budget(MAX_PARTS, MAX_TEXT, MAX_OF_FAULTS, MAX_BYTES)


def _check_numbers(some: Sequence[Turn], first: int) -> None:
    """Refuse lines whose turns are not numbered from `first` on: the same line a million times packs to nothing."""
    for number, turn in enumerate(some, first):
        if turn.turn != number:
            raise ReplayError("replay-turn-missing", turn=number)


PAGE = b"<!doctype html"  # how a page of a match begins
_VERSION, _HEADER = msgspec.json.Decoder(_Version), msgspec.json.Decoder(Header)
_TURN, _END = msgspec.json.Decoder(Turn), msgspec.json.Decoder(_Line)
_MOVES = attrgetter("moves")


def _check_version(first_line: bytes | bytearray) -> None:
    """Refuse what is no replay, or is of a format that came after this software."""
    try:
        version = _VERSION.decode(first_line).dohyo
    except UNREADABLE as error:
        is_page = first_line[: len(PAGE)].lower() == PAGE
        raise ReplayError("replay-is-page" if is_page else "not-a-replay") from error
    if version > FORMAT:
        raise ReplayError("replay-too-new", version=version, known=FORMAT)


def _unpack(content: bytes) -> bytes | bytearray:
    packed, seal = content[: -len(SEAL) - 32], content[-len(SEAL) - 32 :]
    if seal[: len(SEAL)] != SEAL:
        raise ReplayError("replay-cut-off")
    if seal[len(SEAL) :] != hashlib.sha256(packed).digest():
        raise ReplayError("replay-changed")
    reader = _reader()
    try:
        plain: bytes | bytearray = reader.decompress(packed, CHUNK)
        if not reader.eof:  # nor is a longer one of many pieces copied with each of them
            plain, left = bytearray(plain), 2 * (FREE_NAMES + NAMES_A_BYTE * len(content))
            while not reader.eof and len(plain) <= MAX_BYTES and not reader.needs_input:
                plain += (piece := reader.decompress(b"", CHUNK))
                left -= piece.count(b'"') - piece.count(b'\\"')  # not those that a bot has written
                if left < 0:
                    raise ReplayError("replay-too-large", most=MAX_BYTES)
    except _zstd().ZstdError as error:
        raise ReplayError("replay-changed") from error
    if len(plain) > MAX_BYTES:
        raise ReplayError("replay-too-large", most=MAX_BYTES)
    if not reader.eof:
        raise ReplayError("replay-cut-off")
    if reader.unused_data:  # other readers of zstd would show it
        raise ReplayError("replay-changed")
    return plain


def _reader() -> Any:
    return _zstd().ZstdDecompressor(options=_options())


@cache
def _options() -> dict[Any, int]:
    return {_zstd().DecompressionParameter.window_log_max: WINDOW_LOG}


@cache  # where the standard library has none, each import would look for it on the disk again
def _zstd() -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found]  # the standard library's, from 3.14 on
    except ImportError:
        from backports import zstd
    return zstd
