"""A gradebook with one column filled or added: all else stays byte for byte as it came.

But for cells that a spreadsheet would take for formulas, and that are no numbers: a student may have written his name
so, and whoever opens the file must come to no harm.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping

from dohyo import clean
from dohyo.guests.site.groups.gradebook import Gradebook, Record

LONGEST_TITLE = 80  # characters of a column's name that we add
NUMBER = re.compile(r"\s*[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)?\s*%?")  # "-" alone is Moodle's word for no grade
ENDING = re.compile(r"[\r\n]*\Z")
POSSIBLE = "points possible"  # Canvas's line with what can be had


def filled(gradebook: Gradebook, column: int | None, title: str, values: Mapping[int, str], most: str) -> bytes:
    """The file with `values` by the lines of its records, in a column that is there or, for none, in a new one.

    In Canvas's line of what can be had a new column gets `most`.
    """
    width = len(gradebook.header.cells)
    at = width if column is None else column
    texts = []
    for record in gradebook.all:
        if record is gradebook.header:
            value = clean.cell(clean.line(title, LONGEST_TITLE)) if column is None else None
        elif column is None and record.cells and record.cells[0].strip().casefold() == POSSIBLE:
            value = most
        else:
            value = values.get(record.line, "" if column is None and record.cells else None)
        texts.append(_with(record, at, value, gradebook.delimiter))
    return gradebook.mark + "".join(texts).encode(gradebook.encoding, "replace")


def _with(record: Record, at: int, value: str | None, delimiter: str) -> str:
    """A record's text with a value in its column `at`; none leaves it as it is."""
    ending = ENDING.search(record.raw)
    assert ending is not None
    body = record.raw[: ending.start()]
    cells = [
        _harmless(text, cell, delimiter) for text, cell in zip(_pieces(body, delimiter), record.cells, strict=True)
    ]
    if value is not None:
        cells += [""] * (at + 1 - len(cells))
        cells[at] = _written(value, delimiter)
    return delimiter.join(cells) + ending[0]


def _pieces(body: str, delimiter: str) -> Iterator[str]:
    """The cells of a record as they are written, with their quotation marks."""
    if not body:
        return
    start, quoted = 0, False
    for at, letter in enumerate(body):
        if letter == '"' and body[start] == '"':
            quoted = not quoted  # twice for a pair within a cell
        elif letter == delimiter and not quoted:
            yield body[start:at]
            start = at + 1
    yield body[start:]


def _harmless(text: str, cell: str, delimiter: str) -> str:
    is_formula = clean.FORMULA.match(cell) or clean.PARTED.search(cell)
    return _written(clean.cell(cell), delimiter) if is_formula and not NUMBER.fullmatch(cell) else text


def _written(value: str, delimiter: str) -> str:
    """A cell as CSV has it."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="").writerow([value])
    return "" if value == "" else out.getvalue()
