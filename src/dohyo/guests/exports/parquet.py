"""All matches of a contest as a Parquet file, for data frames: one row for each match and seat.

polars writes it, or pyarrow, which pandas writes with: whichever is installed. Rows go there in pieces, so that
memory stays flat.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from dohyo.core.errors import OperatorError
from dohyo.series.exports.export import COLUMNS, NUMBERS, TIME, ResultLine, columns_of

LIBRARIES = ("polars", "pyarrow")
AT_ONCE = 2_000  # matches: some megabytes
GROUP = 20_000  # rows that the file keeps together
WHOLE = ("match", "batch", "seed", "seat", "place", "ruling", "by")


def chosen() -> str:
    """The library that writes. Raises `OperatorError` where there is none."""
    for name in LIBRARIES:
        if importlib.util.find_spec(name) is not None:
            return name
    raise OperatorError("needs-parquet")


def write(path: Path, found: Iterable[ResultLine]) -> None:
    """Write the file. Raises `OperatorError` where no library can."""
    {"polars": _by_polars, "pyarrow": _by_pyarrow}[chosen()](path, found)


def _pieces(found: Iterable[ResultLine]) -> Iterator[dict[str, list[Any]]]:
    """The columns of a few matches at a time; at least one piece, which may be empty."""
    lines = iter(found)
    first = list(islice(lines, AT_ONCE))
    yield columns_of(first)
    while some := list(islice(lines, AT_ONCE)):
        yield columns_of(some)


def _by_polars(path: Path, found: Iterable[ResultLine]) -> None:
    import polars
    from polars.io.plugins import register_io_source

    kinds: dict[str, Any] = {name: polars.String() for name in COLUMNS.split()}
    kinds |= {name: polars.Int64() for name in WHOLE} | {name: polars.Float64() for name in NUMBERS}
    schema = polars.Schema({**kinds, TIME: polars.Datetime("ms", "UTC")})
    pieces = _pieces(found)

    def frames(columns: list[str] | None, *_: object) -> Iterator[Any]:
        for piece in pieces:
            made = polars.DataFrame(piece, schema=schema)
            yield made if columns is None else made.select(columns)

    register_io_source(frames, schema=schema).sink_parquet(path, row_group_size=GROUP)


def _by_pyarrow(path: Path, found: Iterable[ResultLine]) -> None:
    # Looked up by their names: polars writes the tests' files, and no stubs of pyarrow are installed with it.
    pyarrow, parquet = map(importlib.import_module, ("pyarrow", "pyarrow.parquet"))

    kinds = dict.fromkeys(COLUMNS.split(), pyarrow.string())
    kinds |= dict.fromkeys(WHOLE, pyarrow.int64()) | dict.fromkeys(NUMBERS, pyarrow.float64())
    schema = pyarrow.schema(list({**kinds, TIME: pyarrow.timestamp("ms", "UTC")}.items()))
    with parquet.ParquetWriter(path, schema) as writer:
        for piece in _pieces(found):
            writer.write_table(pyarrow.table(piece, schema=schema))
