"""Where replays are: objects, files, folders, a contest's store, or a Parquet file that names some of a store."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.core.replay_format import MAX_BYTES
from dohyo.match.files import read_bounded
from dohyo.match.replays import last
from dohyo.match.replays.places import ENDINGS, is_store, replay_files

if TYPE_CHECKING:
    from dohyo.series.store import Store

Source = Replay | str | os.PathLike[str]
ONE = (Replay, str, os.PathLike)  # the same, for `isinstance`
PARQUET = b"PAR1"  # how such a file begins
LIBRARIES = ("polars", "pyarrow")
MAX_ROWS = 10_000_000  # of a Parquet file
DIGEST = 64  # characters of one, by which a store names a replay
MAX_REPLAY = MAX_BYTES  # of a file


class Found(NamedTuple):
    """A replay to be read; `content` gives it, or a file's bytes.

    `named`: the caller has named this very one, so that it must be there and whole. `seats` are those that are
    wanted of it; none: all.
    """

    label: str
    content: Callable[[], Replay | bytes]
    named: bool = False
    seats: frozenset[int] | None = None


def found(sources: Source | Iterable[Source], contest: str | None, store: str | None) -> Iterator[Found]:
    """The replays of these sources, one after the other; a store is open meanwhile.

    Raises `OperatorError` for a word that names nothing, and for a folder without replays.
    """
    every = [sources] if isinstance(sources, ONE) else sources
    for number, source in enumerate(every):
        if isinstance(source, Replay):
            yield of_object(number, source)
            continue
        word = os.fspath(source)
        if last.is_meant(word):
            yield Found(word, _reader(word), named=True)
        elif os.path.isdir(word):
            yield from _of_folder(word)
        elif word.endswith(ENDINGS):
            yield Found(word, _reader(word), named=True)
        elif _is_parquet(word):
            yield from _of_parquet(word, store)
        elif is_store(word):
            yield from _of_store(word, contest)
        else:
            yield Found(word, _reader(word), named=True)


def of_object(number: int, replay: Replay) -> Found:
    """A replay of the caller's, by its place among the sources."""
    return Found(f"replay {number}", lambda: replay, named=True)


def _of_folder(word: str) -> Iterator[Found]:
    files = replay_files([word])
    if not files:
        raise OperatorError("data-no-replays", place=word)
    for path in files:
        yield Found(path, _reader(path))


def _reader(path: str) -> Callable[[], Replay | bytes]:
    if last.is_meant(path):
        return lambda: last.load(path)[0]
    return lambda: read_bounded(path, MAX_REPLAY + 1)


# --- stores


def _of_store(word: str, contest: str | None) -> Iterator[Found]:
    """The replays of all matches whose results count."""
    from dohyo.series.exports.export import lines
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    with open_store(word) as store:
        for line in lines(look(store, contest, results=False)):
            if line.replay is not None:
                yield Found(f"{word}: {line.match}", _stored(store, line.replay))


def _stored(store: Store, digest: str) -> Callable[[], bytes]:
    return lambda: store.files.get(digest, MAX_REPLAY)


# --- Parquet


def _is_parquet(word: str) -> bool:
    return "://" not in word and read_bounded(word, len(PARQUET)) == PARQUET


def _of_parquet(word: str, store: str | None) -> Iterator[Found]:
    """The replays that a file names by their digests, and of each the seats that have a row there."""
    if store is None:
        raise OperatorError("data-parquet-store", path=word)
    wanted: dict[str, set[int]] = {}
    for digest, seat in _rows(word):
        wanted.setdefault(digest, set()).add(seat)
    from dohyo.series.store import open_store

    with open_store(store) as opened:
        for digest, seats in wanted.items():
            label = clean.line(f"{word}: {digest[:12]}")
            yield Found(label, _stored(opened, digest), seats=frozenset(seats))


def _rows(word: str) -> Iterable[tuple[str, int]]:
    """What the columns `replay` and `seat` hold, each pair once. Raises `OperatorError`."""
    library = next((name for name in LIBRARIES if importlib.util.find_spec(name) is not None), None)
    if library is None:
        raise OperatorError("data-needs-parquet")
    try:
        return (_by_polars if library == "polars" else _by_pyarrow)(word)
    except OperatorError:
        raise
    except Exception as error:  # each library has errors of its own
        raise OperatorError("data-no-column", path=word, reason=clean.line(str(error))[:200]) from error


# A file of some kB may name one long word in each of its rows: nothing is made an object of Python's before what no
# digest is, and what is there twice, is left out.


def _by_polars(word: str) -> Iterable[tuple[str, int]]:
    polars = importlib.import_module("polars")
    scan = polars.scan_parquet(word, glob=False)
    _check_rows(word, scan.select(polars.len()).collect().item())
    digest, seat = polars.col("replay").cast(polars.String), polars.col("seat").cast(polars.Int64)
    pairs = scan.head(MAX_ROWS).select(digest, seat).filter(digest.str.len_bytes() == DIGEST, seat.is_not_null())
    rows: Iterable[tuple[str, int]] = pairs.unique(maintain_order=True).collect().rows()
    return rows


def _by_pyarrow(word: str) -> Iterable[tuple[str, int]]:
    parquet, compute = (importlib.import_module(f"pyarrow.{name}") for name in ("parquet", "compute"))
    file = parquet.ParquetFile(word, read_dictionary=["replay"])
    _check_rows(word, file.metadata.num_rows)
    pairs: dict[tuple[str, int], None] = {}  # in the order of the rows
    for piece in file.iter_batches(columns=["replay", "seat"]):
        column = piece.column("replay")
        lengths = compute.binary_length(column.dictionary)
        fits = compute.take(compute.equal(lengths, DIGEST), column.indices)
        some = piece.filter(compute.and_(fits, compute.is_valid(piece.column("seat"))))
        seats = compute.cast(some.column("seat"), "int64").to_pylist()
        pairs.update(dict.fromkeys(zip(some.column("replay").to_pylist(), seats, strict=True)))
    return pairs


def _check_rows(word: str, rows: int) -> None:
    if rows > MAX_ROWS:
        raise OperatorError("data-many-rows", path=word, rows=rows, most=MAX_ROWS)
