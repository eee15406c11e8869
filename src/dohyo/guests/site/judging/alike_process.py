"""Compare sources, in a process of its own: python -P -m dohyo.guests.site.judging.alike_process HERE SECONDS

Reads an `Asked` from standard input and writes a `Told`, both as MessagePack. What strangers wrote is read by
Pygments and copydetect here: memory and processor time of the process are limited, and each source is read in a
child, so that one that takes too long, or takes the memory, is left out and no other one with it.
"""

from __future__ import annotations

import io
import multiprocessing
import resource
import sys
import zipfile
from itertools import combinations
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

import msgspec

from dohyo.system import interpreter

NOISE = 25  # tokens in a row that two sources must have in common, to count
GUARANTEE = 30  # tokens in a row that are always found
MEMORY = 2 << 30  # bytes
EACH = 5  # seconds of processor time for one hand-in
WAIT = 60.0  # seconds after which the child that reads it is ended in any case
LONGEST = 200_000  # characters of a source
MAX_FILES = 20  # of a hand-in
MOST = 60  # pairs that are told, the most alike
MARKS = 400  # stretches that are marked in a source
LEAST = 0.2  # of either source, to be told


class Given(msgspec.Struct):
    """A hand-in: whose it is, as a number that says nothing else, its file's name and its bytes."""

    owner: int
    filename: str
    content: bytes


class Asked(msgspec.Struct):
    """What is compared; `common` are sources that everybody has, as names and texts."""

    given: list[Given]
    common: list[tuple[str, str]]


class Side(msgspec.Struct):
    """One of two sources: the hand-in by its number in what was asked, the share that the other one has, marks."""

    given: int
    filename: str
    share: float
    marks: list[tuple[int, int]]
    text: str = ""


class Told(msgspec.Struct):
    """The pairs that are most alike; hand-ins that could not be read; whether all pairs were compared.

    Those that were `late` might be readable: the time to read was over.
    """

    pairs: list[tuple[Side, Side]]
    unread: list[int]
    is_whole: bool = True
    late: list[int] = []


class Source(msgspec.Struct):
    """A file that was read: its fingerprint is copydetect's."""

    given: int
    owner: int
    filename: str
    text: str
    fingerprint: Any


def main() -> None:
    """Answer what is asked."""
    here, words = sys.argv[1:]
    interpreter.enter(here)
    seconds = float(words)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (round(seconds) + 30, round(seconds) + 30))
    asked = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Asked)
    sys.stdout.buffer.write(msgspec.msgpack.encode(compared(asked, monotonic() + seconds)))


def compared(asked: Asked, end: float) -> Told:
    """Compare all sources of different owners, until the moment `end` at most: half of the time is for reading."""
    from copydetect import CodeFingerprint, compare_files  # type: ignore[import-untyped,import-not-found,unused-ignore]

    now = monotonic()
    half = now + (end - now) / 2
    common: set[int] = set()
    for filename, text in asked.common:
        read = CodeFingerprint(filename, NOISE, 1, fp=io.StringIO(text))  # all of it: which part counts may differ
        common |= {int(each) for each in read.hashes}
    found, unread, late = [], [], []
    for number, given in enumerate(asked.given):
        if monotonic() >= half:
            late.append(number)
        elif (own := _read(number, given, sorted(common))) is None:
            unread.append(number)
        else:
            found += own
    pairs, is_whole = [], not late
    for one, other in combinations(found, 2):
        if one.owner == other.owner:
            continue
        if monotonic() > end:
            is_whole = False
            break
        _, shares, slices = compare_files(one.fingerprint, other.fingerprint)
        if max(shares) >= LEAST:
            pairs.append((_side(one, shares[0], slices[0]), _side(other, shares[1], slices[1])))
    pairs.sort(key=lambda pair: max(pair[0].share, pair[1].share), reverse=True)
    told = pairs[:MOST]
    texts = {(one.given, one.filename): one.text for one in found}
    for side in (side for pair in told for side in pair):
        side.text = texts[side.given, side.filename]
    return Told(told, unread, is_whole, late)


def _side(one: Source, share: float, slices: Any) -> Side:
    marks = [(int(start), int(end)) for start, end in zip(*slices.tolist(), strict=True)][:MARKS]
    return Side(one.given, one.filename, min(1.0, float(share)), marks)


def _read(number: int, one: Given, common: list[int]) -> list[Source] | None:
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
    for filename, text in _texts(one):
        fingerprint = CodeFingerprint(
            filename, NOISE, GUARANTEE - NOISE + 1, np.array(common, dtype=np.int64), fp=io.StringIO(text)
        )
        if len(fingerprint.hashes):
            found.append(Source(number, one.owner, filename, text, fingerprint))
    out.send(found)


def _texts(one: Given) -> list[tuple[str, str]]:
    """The sources in a hand-in: those of a zip, or itself."""
    from pygments.lexers import find_lexer_class_for_filename  # type: ignore[import-untyped,unused-ignore]

    files = [(one.filename, one.content)]
    if zipfile.is_zipfile(io.BytesIO(one.content)):
        with zipfile.ZipFile(io.BytesIO(one.content)) as archive:
            names = [each for each in archive.namelist() if find_lexer_class_for_filename(each) is not None]
            files = []
            for name in names[:MAX_FILES]:
                with archive.open(name) as file:
                    files.append((name, file.read(LONGEST + 1)))
    return [
        (name, content.decode("utf-8", "replace").replace("\r\n", "\n"))
        for name, content in files
        if len(content) <= LONGEST and find_lexer_class_for_filename(name) is not None
    ]


if __name__ == "__main__":
    main()
