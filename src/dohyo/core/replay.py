"""Replays: a match as data. Bytes in, bytes out; files are the caller's.

A replay is a setup and a list of moves, the dice's too; every other fact follows from the rules. On disk it is JSON
lines: a header, one line a turn, a result, and a checksum. `docs/replay-format.md` is the format's reference.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from dohyo.core import clean
from dohyo.core.clock import Clock
from dohyo.core.errors import ReplayError
from dohyo.core.faults import Fault
from dohyo.core.flat import digest_of

FORMAT = 2  # in 1, a turn's digest was made of SHA-256

# A zstd frame that decoders skip: it ends a compressed replay and holds SHA-256 of the bytes before it, because a
# zstd frame has bits of its own that no decoder reads.
SEAL = b"\x5e\x2a\x4d\x18\x20\x00\x00\x00"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
MOST_BYTES = 1 << 30  # of an unpacked replay: a small file cannot be made to fill the memory

# Moves and turns hold no cycles (`gc=False`): a contest makes millions of them, and the collector need not look.

# What a line raises that is no JSON of ours: wrong words, bytes that are no text, lists in lists without end.
UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sat where: the bot's name, SHA-256 of its content in hex, and its language.

    A name may come from a file's name, and hold bytes there that are no UTF-8; a replay holds a sign for each.
    """

    name: str
    digest: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        """Make the name one that can be written down."""
        if (name := clean.storable(self.name)) != self.name:
            msgspec.structs.force_setattr(self, "name", name)


class Header(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is known before the first turn.

    `rules` is the version of the game's rules. `start` holds the fields of the state that the match began with, when
    that was not the setup's own beginning (a match taken up from another replay), `first` the number of its first
    turn: turns are numbered, and the dice go on, as in the match that it was taken up from. `pondering` says whether
    programs ran on while they were not to move.
    """

    dohyo: int = msgspec.field(default=0)
    game: str
    rules: int
    setup: dict[str, Any]
    seats: tuple[Seat, ...]
    clock: Clock | None = None
    seed: int
    software: str
    sandbox: str = ""
    start: dict[str, Any] | None = None
    first: int = 0
    pondering: bool = True


class Move(msgspec.Struct, omit_defaults=True, gc=False):
    """One seat's part in a turn.

    `action` is the canonical text of what was carried out; `reply` what the program wrote, when that differs;
    `seconds` the time it was charged, none when it was not asked; `cpu` the processor time of its program, where that
    was measured, and `wall` the time by the watch, where that is not what was charged; `bank` what was left of its
    reserve, where its clock has one. `faults` are in the order in which they were noticed.
    `stderr` is the end of what it wrote to standard error since its last turn, `stderr_dropped` the number of bytes
    that came before and were not kept; `comments` and `comments_dropped` the same for its comment lines, where the
    game's protocol has such.
    """

    seat: int
    action: str
    seconds: float | None = None
    reply: str | None = None
    faults: tuple[Fault, ...] = ()
    stderr: str = ""
    stderr_dropped: int = 0
    comments: str = ""
    comments_dropped: int = 0
    cpu: float | None = None
    wall: float | None = None
    bank: float | None = None


class Turn(msgspec.Struct, omit_defaults=True, gc=False):
    """One line: the dice's move if they moved first, the seats' moves, and the digest of the state after all that.

    A line without moves stands where a match ended before its first turn.
    """

    turn: int
    dice: tuple[int, ...] = ()
    moves: tuple[Move, ...] = ()
    digest: str = ""


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """How it ended: each seat's place (1 the best, equal ones shared), the winner's seat if there is one, and why.

    `unfinished` says that the match was interrupted; `places` is then empty. `last` holds what seats wrote to
    standard error, and as comments, after their last turn. `scores` holds each seat's points, in a game that gives
    points.
    """

    places: tuple[int, ...]
    winner: int | None
    reason: str
    unfinished: bool = False
    last: tuple[Move, ...] = ()
    scores: tuple[int | float, ...] = ()


class Replay(msgspec.Struct):
    """A whole match.

    `cpu` holds, where it could be measured, the seconds of processor time that each seat's program took from its
    start to its end, with all that it started.
    """

    header: Header
    turns: list[Turn]
    result: Result
    cpu: tuple[float | None, ...] = ()

    @property
    def played(self) -> int:
        """How many turns were played; a last line without moves is none."""
        return sum(1 for turn in self.turns if turn.moves)


class _Line(msgspec.Struct, omit_defaults=True):
    result: Result
    cpu: tuple[float | None, ...] = ()


class _Checksum(msgspec.Struct):
    sha256: str


def encode(replay: Replay, compressed: bool = False) -> bytes:
    """The replay as a file's bytes; the last line holds SHA-256 of all bytes before it."""
    encoder = msgspec.json.Encoder()
    header = msgspec.structs.replace(replay.header, dohyo=replay.header.dohyo or FORMAT)
    lines = encoder.encode_lines([header, *replay.turns, _Line(replay.result, replay.cpu)])
    plain = lines + encoder.encode(_Checksum(hashlib.sha256(lines).hexdigest())) + b"\n"
    if not compressed:
        return plain
    packed: bytes = _zstd().compress(plain, 12)
    return packed + SEAL + hashlib.sha256(packed).digest()


def decode(content: bytes) -> Replay:
    """The replay in a file's bytes, compressed or not.

    Raises `ReplayError` when it is cut off, changed, not a replay, or of a newer version.
    """
    plain = _unpack(content) if content[:4] == ZSTD_MAGIC else content
    first = plain.split(b"\n", 1)[0]
    _check_version(first)
    cut = plain.rfind(b"\n", 0, len(plain) - 1) + 1
    body, tail = plain[:cut], plain[cut:]
    wanted = msgspec.json.encode(_Checksum(hashlib.sha256(body).hexdigest())) + b"\n"
    if tail != wanted:
        is_there = tail.startswith(b'{"sha256":') and len(tail) >= len(wanted)
        raise ReplayError("replay-changed" if is_there else "replay-cut-off")
    lines = body.split(b"\n")[:-1]
    try:
        header = msgspec.json.decode(lines[0], type=Header)
        turns = [_TURN.decode(line) for line in lines[1:-1]]
        last = msgspec.json.decode(lines[-1], type=_Line)
    except UNREADABLE as error:
        raise ReplayError("replay-malformed", error=error) from error
    if last.cpu and len(last.cpu) != len(header.seats):
        raise ReplayError("replay-malformed", error="processor times of other seats than there are")
    return Replay(header, turns, last.result, last.cpu)


_TURN = msgspec.json.Decoder(Turn)


def _check_version(first_line: bytes) -> None:
    """Refuse what is no replay, or is of a format that came after this software."""
    try:
        header = msgspec.json.decode(first_line)
        version = header["dohyo"]
    except (*UNREADABLE, KeyError, TypeError) as error:
        raise ReplayError("not-a-replay") from error
    if not isinstance(version, int) or version < 1:
        raise ReplayError("not-a-replay")
    if version > FORMAT:
        raise ReplayError("replay-too-new", version=version, known=FORMAT)


def _unpack(content: bytes) -> bytes:
    packed, seal = content[: -len(SEAL) - 32], content[-len(SEAL) - 32 :]
    if seal[: len(SEAL)] != SEAL:
        raise ReplayError("replay-cut-off")
    if seal[len(SEAL) :] != hashlib.sha256(packed).digest():
        raise ReplayError("replay-changed")
    zstd = _zstd()
    reader = zstd.ZstdDecompressor()
    try:
        plain: bytes = reader.decompress(packed, MOST_BYTES)
    except zstd.ZstdError as error:
        raise ReplayError("replay-changed") from error
    if not reader.eof:
        raise ReplayError("replay-too-large" if len(plain) >= MOST_BYTES else "replay-cut-off", most=MOST_BYTES)
    return plain


def _zstd() -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found]  # the standard library's, from 3.14 on
    except ImportError:
        from backports import zstd
    return zstd


def digest_in(version: int, packed: bytes) -> str:
    """A turn's digest of the packed state after it, in a replay whose format has this number."""
    return hashlib.sha256(packed).hexdigest()[:8] if version == 1 else digest_of(packed)


def faults_of(turns: Sequence[Turn], seat: int) -> list[tuple[int, Fault]]:
    """Every fault of a seat with the number of its turn."""
    return [(turn.turn, fault) for turn in turns for move in turn.moves if move.seat == seat for fault in move.faults]
