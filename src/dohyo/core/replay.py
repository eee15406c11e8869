"""Replays: a match as data. Converts from and to bytes; the caller reads and writes files.

A replay is a setup and a list of moves, the dice's too; every other fact follows from the rules. On disk it is JSON
lines: a header, one line for each turn, a result, and a checksum. `docs/replay-format.md` is the format's reference.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from dohyo import clean
from dohyo.core.bounds import depth_of
from dohyo.core.clock import Clock, Seconds
from dohyo.core.errors import ReplayError
from dohyo.core.faults import Fault
from dohyo.core.flat import digest_of

FORMAT = 2  # in 1, a turn's digest was made of SHA-256
INTERRUPTED = "unfinished"  # the reason of the end of an interrupted match

# A zstd frame that decoders skip: it ends a compressed replay and holds SHA-256 of the bytes before it, because a
# zstd frame has bits of its own that no decoder reads.
SEAL = b"\x5e\x2a\x4d\x18\x20\x00\x00\x00"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"

# A replay may come from anybody, and a small file must not fill the memory: limits apply before it is decoded. The
# longest matches (a million turns; four seats for a thousand turns with all the standard error that is stored, each
# byte written as `\u0000`) need less than half of each limit.
MOST_BYTES = 1 << 28  # of the unpacked replay, and of the file
MOST_TEXT = 1 << 28  # bytes that the texts in it take in memory
MOST_PARTS = 4_000_000  # turns, moves, dice and faults together
LONGEST_LINE = 1 << 26  # bytes of one turn, or of the result
LONGEST_HEADER = 1 << 20
DEEPEST = 16  # nested lists and objects, in the header
WINDOW_LOG = 25  # how far back a zstd frame may refer, as a power of two: so much is kept in memory
CHUNK = 1 << 20  # bytes that are unpacked at once

# Moves and turns contain no cycles (`gc=False`): a contest makes millions of them, which the collector can ignore.

# What decoding raises for a line that is not ours: wrong names, bytes that are not text, too deeply nested lists.
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

# Numbers that the compiled rules and any JSON reader can hold.
Whole = Annotated[int, Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
Count = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Points = Whole | Annotated[float, Meta(ge=-1e15, le=1e15)]


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sat where: the bot's name, SHA-256 of its content in hex, and its language.

    A name may come from a file's name with bytes that are not UTF-8; a replay has a sign for each of them.
    """

    name: str
    digest: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        """Make the name one that can be stored."""
        if (name := clean.storable(self.name)) != self.name:
            msgspec.structs.force_setattr(self, "name", name)


class Header(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is known before the first turn.

    `rules` is the version of the game's rules. `start` holds the fields of the state that the match began with, if
    that was not the setup's own beginning (a match that continues another replay), `first` the number of its first
    turn: turn numbers and dice continue those of the other match. `pondering` says whether programs ran while they
    were not to move.
    """

    dohyo: int = msgspec.field(default=0)
    game: str
    rules: Whole
    setup: dict[str, Any]
    seats: tuple[Seat, ...]
    clock: Clock | None = None
    seed: Whole
    software: str
    sandbox: str = ""
    start: dict[str, Any] | None = None
    first: Whole = 0
    pondering: bool = True


class Move(msgspec.Struct, omit_defaults=True, gc=False):
    """One seat's part in a turn.

    `action` is the canonical text of what was carried out; `reply` what the program wrote, if that differs; `seconds`
    the time it was charged, None if it was not asked; `cpu` the processor time of its program, if that was measured,
    and `wall` the wall time, if that is not what was charged; `bank` what was left of its reserve, if its clock has
    one. `faults` are in the order in which they were noticed. `stderr` is the end of what it wrote to standard error
    since its last turn, `stderr_dropped` the number of bytes that came before and were not stored; `comments` and
    `comments_dropped` the same for its comment lines, if the game's protocol has them.
    """

    seat: Whole
    action: str
    seconds: Seconds | None = None
    reply: str | None = None
    faults: tuple[Fault, ...] = ()
    stderr: str = ""
    stderr_dropped: Count = 0
    comments: str = ""
    comments_dropped: Count = 0
    cpu: Seconds | None = None
    wall: Seconds | None = None
    bank: Seconds | None = None


class Turn(msgspec.Struct, omit_defaults=True, gc=False):
    """One line: the dice's move if they moved first, the seats' moves, and the digest of the state after all that.

    A match that ended before its first turn has one line without moves.
    """

    turn: Whole
    dice: tuple[Whole, ...] = ()
    moves: tuple[Move, ...] = ()
    digest: str = ""


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """How it ended: each seat's place (1 the best, equal ones shared), the winner's seat if there is one, and why.

    `unfinished` says that the match was interrupted; `places` is then empty. `last` holds what seats wrote to
    standard error, and as comments, after their last turn. `scores` holds each seat's points, in a game that gives
    points.
    """

    places: tuple[Whole, ...]
    winner: Whole | None
    reason: str
    unfinished: bool = False
    last: tuple[Move, ...] = ()
    scores: tuple[Points, ...] = ()


class Replay(msgspec.Struct):
    """A whole match.

    `cpu` holds, if it could be measured, the processor seconds of each seat's program from its start to its end, with
    all that it started. `disturbed` is for how many seconds the referee itself stood still when that may have changed
    the match: then the match says nothing about its bots.
    """

    header: Header
    turns: list[Turn]
    result: Result
    cpu: tuple[Seconds | None, ...] = ()
    disturbed: Seconds = 0.0

    @property
    def played(self) -> int:
        """How many turns were played; a last line without moves does not count."""
        return sum(1 for turn in self.turns if turn.moves)


class _Line(msgspec.Struct, omit_defaults=True):
    result: Result
    cpu: tuple[Seconds | None, ...] = ()
    disturbed: Seconds = 0.0


class _Checksum(msgspec.Struct):
    sha256: str


class _Version(msgspec.Struct):
    dohyo: Annotated[int, Meta(ge=1, le=(1 << 63) - 1)]


def encode(replay: Replay, compressed: bool = False) -> bytes:
    """The replay as a file's bytes; the last line holds SHA-256 of all bytes before it."""
    encoder = msgspec.json.Encoder()
    header = msgspec.structs.replace(replay.header, dohyo=replay.header.dohyo or FORMAT)
    lines = encoder.encode_lines([header, *replay.turns, _Line(replay.result, replay.cpu, replay.disturbed)])
    plain = lines + encoder.encode(_Checksum(hashlib.sha256(lines).hexdigest())) + b"\n"
    if not compressed:
        return plain
    packed: bytes = _zstd().compress(plain, 12)
    return packed + SEAL + hashlib.sha256(packed).digest()


def decode(content: bytes) -> Replay:
    """The replay in a file's bytes, compressed or not.

    Raises `ReplayError` when it is cut off, changed, not a replay, of a newer version, or larger than any match
    needs; the last before it takes memory.
    """
    if len(content) > MOST_BYTES:
        raise ReplayError("replay-too-large", most=MOST_BYTES)
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


def _lines(plain: bytes | bytearray, end: int) -> Iterator[bytes]:
    """The lines before `end`, one after the other, each with its limit of length."""
    start = 0
    while start < end:
        stop = plain.find(b"\n", start, end)
        if stop - start > LONGEST_LINE:
            raise ReplayError("replay-too-large", most=LONGEST_LINE)
        yield bytes(plain[start:stop])
        start = stop + 1


def _read(lines: Iterator[bytes]) -> Replay:
    """The replay in these lines, within the memory that it may take."""
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
    return Replay(header, turns, found.result, found.cpu, found.disturbed)


_TURN = msgspec.json.Decoder(Turn)


class _Budget:
    """How much of a replay's allowed memory is left."""

    def __init__(self) -> None:
        self._parts, self._text = MOST_PARTS, MOST_TEXT

    def take(self, line: bytes, moves: Sequence[Move], parts: int) -> None:
        """Subtract what a line takes. Raises `ReplayError` if that is too much."""
        self._parts -= parts + len(moves)
        for move in moves:
            self._parts -= len(move.faults)
        # One letter outside Latin-1 makes a whole text take two or four bytes for each letter.
        plain = line.isascii() and b"\\u" not in line
        self._text -= len(line) if plain else sum(map(_weight, moves))
        if self._parts < 0 or self._text < 0:
            raise ReplayError("replay-too-large", most=MOST_BYTES)


def _weight(move: Move) -> int:
    """Bytes that a move's texts take in memory."""
    texts = (move.action, move.reply or "", move.stderr, move.comments, *(fault.detail for fault in move.faults))
    return sum(text.__sizeof__() for text in texts)


def _check_version(first_line: bytes | bytearray) -> None:
    """Refuse what is not a replay, or has a newer format than this software."""
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
        while not reader.eof and len(plain) <= MOST_BYTES and (packed or not reader.needs_input):
            plain += reader.decompress(packed, CHUNK)
            packed = b""
    except zstd.ZstdError as error:
        raise ReplayError("replay-changed") from error
    if len(plain) > MOST_BYTES:
        raise ReplayError("replay-too-large", most=MOST_BYTES)
    if not reader.eof:
        raise ReplayError("replay-cut-off")
    return plain


def _zstd() -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found]  # the standard library's, from 3.14 on
    except ImportError:
        from backports import zstd
    return zstd


def digest_in(version: int, packed: bytes) -> str:
    """A turn's digest, made of the packed state after it, in a replay of this format number."""
    return hashlib.sha256(packed).hexdigest()[:8] if version == 1 else digest_of(packed)


def faults_of(turns: Sequence[Turn], seat: int) -> list[tuple[int, Fault]]:
    """Every fault of a seat with the number of its turn."""
    return [(turn.turn, fault) for turn in turns for move in turn.moves if move.seat == seat for fault in move.faults]
