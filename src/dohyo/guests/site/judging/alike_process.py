"""Compare sources, in a process of its own: python -P -m dohyo.guests.site.judging.alike_process HERE SECONDS

Reads pieces of MessagePack from standard input, each after its length: first the sources that everybody has, then one
hand-in after the other, and writes a `Told`. What strangers wrote is read by Pygments and copydetect here: memory and
processor time of the process are limited, and each hand-in is read in a child, so that one that takes too long, or
takes the memory, is left out and no other one with it. However many and large they are, one of them is in memory at
a time, and of each no more is kept than of `LONGEST` bytes of sources.
"""

from __future__ import annotations

import io
import multiprocessing
import resource
import sys
import zipfile
from collections.abc import Iterable, Iterator
from itertools import combinations
from multiprocessing.connection import Connection
from time import monotonic
from typing import IO, Any

import msgspec

from dohyo.system import interpreter

NOISE = 25  # tokens in a row that two sources must have in common, to count
GUARANTEE = 30  # tokens in a row that are always found
MEMORY = 2 << 30  # bytes
EACH = 5  # seconds of processor time for one hand-in
WAIT = 60.0  # seconds after which the child that reads it is ended in any case
LONGEST = 200_000  # bytes of all sources of a hand-in: what is behind them is left out
MAX_FILES = 20  # of a hand-in
HEAD = 4  # bytes of a length
MOST = 60  # pairs that are told, the most alike
MARKS = 400  # stretches that are marked in a source
LEAST = 0.2  # of either source, to be told


class Given(msgspec.Struct):
    """A hand-in: whose it is, as a number that says nothing else, its file's name and its bytes."""

    owner: int
    filename: str
    content: bytes


Common = list[tuple[str, str]]  # sources that everybody has, as names and texts


class Side(msgspec.Struct):
    """One of two sources: the hand-in by its number in what was asked, the share that the other one has, marks."""

    given: int
    filename: str
    share: float
    marks: list[tuple[int, int]]
    text: str = ""


class Told(msgspec.Struct):
    """The pairs that are most alike; hand-ins that could not be read; whether all pairs were compared.

    Those that were `late` might be readable: the time to read was over. Of those that were `cut` only a part was
    read, and in those that are `bare` there is no source that can be compared.
    """

    pairs: list[tuple[Side, Side]]
    unread: list[int]
    is_whole: bool = True
    late: list[int] = []
    cut: list[int] = []
    bare: list[int] = []


class Source(msgspec.Struct):
    """A file that was read: its fingerprint is copydetect's."""

    given: int
    owner: int
    filename: str
    text: str
    fingerprint: Any


class Read(msgspec.Struct):
    """What was read of a hand-in; whether that is not all, or nothing can be compared."""

    sources: list[Source]
    is_cut: bool
    is_bare: bool


def main() -> None:
    """Answer what is asked."""
    here, words = sys.argv[1:]
    interpreter.enter(here)
    seconds = float(words)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (round(seconds) + 30, round(seconds) + 30))
    end, pieces = monotonic() + seconds, _pieces(sys.stdin.buffer)
    common = msgspec.msgpack.decode(next(pieces), type=Common)
    given = (msgspec.msgpack.decode(piece, type=Given) for piece in pieces)
    sys.stdout.buffer.write(msgspec.msgpack.encode(compared(given, common, end)))


def piece(value: object) -> bytes:
    """A value as it is sent to this process."""
    content = msgspec.msgpack.encode(value)
    return len(content).to_bytes(HEAD, "big") + content


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while len(head := file.read(HEAD)) == HEAD:
        yield file.read(int.from_bytes(head, "big"))


def compared(given: Iterable[Given], everybodys: Common, end: float) -> Told:
    """Compare all sources of different owners, until the moment `end` at most: half of the time is for reading."""
    from copydetect import CodeFingerprint  # type: ignore[import-untyped,import-not-found,unused-ignore]

    now = monotonic()
    half = now + (end - now) / 2
    common: set[int] = set()
    for filename, text in everybodys:
        read = CodeFingerprint(filename, NOISE, 1, fp=io.StringIO(text))  # all of it: which part counts may differ
        common |= {int(each) for each in read.hashes}
    found: list[Source] = []
    told = Told([], [])
    for number, one in enumerate(given):
        if monotonic() >= half:
            told.late.append(number)
        elif (own := _read(number, one, sorted(common))) is None:
            told.unread.append(number)
        else:
            found += own.sources
            for which in [told.cut] * own.is_cut + [told.bare] * own.is_bare:
                which.append(number)
    told.is_whole = not told.late
    _compare(found, end, told)
    return told


def _compare(found: list[Source], end: float, told: Told) -> None:
    """Tell the pairs that are most alike."""
    from copydetect import compare_files

    pairs = []
    for one, other in combinations(found, 2):
        if one.owner == other.owner:
            continue
        if monotonic() > end:
            told.is_whole = False
            break
        _, shares, slices = compare_files(one.fingerprint, other.fingerprint)
        if max(shares) >= LEAST:
            pairs.append((_side(one, shares[0], slices[0]), _side(other, shares[1], slices[1])))
    pairs.sort(key=lambda pair: max(pair[0].share, pair[1].share), reverse=True)
    told.pairs = pairs[:MOST]
    texts = {(one.given, one.filename): one.text for one in found}
    for side in (side for pair in told.pairs for side in pair):
        side.text = texts[side.given, side.filename]


def _side(one: Source, share: float, slices: Any) -> Side:
    marks = [(int(start), int(end)) for start, end in zip(*slices.tolist(), strict=True)][:MARKS]
    return Side(one.given, one.filename, min(1.0, float(share)), marks)


def _read(number: int, one: Given, common: list[int]) -> Read | None:
    """The sources of a hand-in, read in a child of this process; none if that takes too much."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_read_here, args=(number, one, common, there))
    child.start()
    there.close()
    try:
        found = here.recv() if here.poll(WAIT) else None
    except EOFError:
        found = None
    child.kill()
    child.join()
    return found


def _read_here(number: int, one: Given, common: list[int], out: Connection) -> None:
    import numpy as np
    from copydetect import CodeFingerprint

    resource.setrlimit(resource.RLIMIT_CPU, (EACH, EACH))
    found = []
    texts, is_cut = _texts(one)
    for filename, text in texts:
        fingerprint = CodeFingerprint(
            filename, NOISE, GUARANTEE - NOISE + 1, np.array(common, dtype=np.int64), fp=io.StringIO(text)
        )
        if len(fingerprint.hashes):
            found.append(Source(number, one.owner, filename, text, fingerprint))
    out.send(Read(found, is_cut, not texts))


def _texts(one: Given) -> tuple[list[tuple[str, str]], bool]:
    """The sources in a hand-in, those of a zip or itself, up to their bounds; whether there is more of them."""
    from pygments.lexers import find_lexer_class_for_filename  # type: ignore[import-untyped,unused-ignore]

    def is_source(name: str) -> bool:
        return find_lexer_class_for_filename(name) is not None

    if not zipfile.is_zipfile(io.BytesIO(one.content)):
        if not is_source(one.filename):
            return [], False
        return [(one.filename, _text(one.content[:LONGEST]))], len(one.content) > LONGEST
    texts, left = [], LONGEST
    with zipfile.ZipFile(io.BytesIO(one.content)) as archive:
        names = [each for each in archive.namelist() if is_source(each)]
        is_cut = len(names) > MAX_FILES
        for name in names[:MAX_FILES]:
            with archive.open(name) as file:
                content = file.read(left + 1)
            is_cut = is_cut or len(content) > left
            if content := content[:left]:
                texts.append((name, _text(content)))
                left -= len(content)
    return texts, is_cut


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace").replace("\r\n", "\n")


if __name__ == "__main__":
    main()
