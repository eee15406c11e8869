"""A checksum in each row, so that a byte that changed on a disk is noticed."""

from collections.abc import Iterator, Sequence
from typing import Any

from alembic import op
from sqlalchemy import JSON, BigInteger, Column, bindparam, column, select, table, text, tuple_, update

from dohyo.series.store.checksums import checksum

revision = "0003"
down_revision = "0002"

AT_ONCE = 5000  # rows

# The columns of each table that its checksum covers, in their order, those of its key first.
COVERED = {
    "contests": ("id", "name game spec begun"),
    "entrants": ("contest number", "version since until absences follows"),
    "matches": ("contest number", "batch seats seed"),
    "results": ("contest match", "replay at seconds host worker"),
    "seatings": ("contest match seat", "entrant place score longest faults"),
    "failures": ("contest match name", "error at"),
    "keepsakes": ("contest entrant match", "archive"),
    "ratings": ("contest batch entrant", "rating low high mu sigma"),
    "batches": ("contest number", "first last size played set_aside"),
    "tallies": ("contest entrant seat", "matches firsts beaten tied lost score longest"),
    "pair_tallies": ("contest entrant other", "matches beaten tied lost"),
    "fault_tallies": ("contest entrant kind", "count"),
}
JSONS = ("spec", "absences")

VERSIONS = """
SELECT e.contest, e.number, b.name, v.digest, v.language, v.archive
FROM entrants e JOIN bot_versions v ON v.id = e.version JOIN bots b ON b.id = v.bot
"""


def upgrade() -> None:
    """Add the column everywhere, and fill it in."""
    versions = {(contest, number): tuple(more) for contest, number, *more in op.get_bind().execute(text(VERSIONS))}
    for name, (key, others) in COVERED.items():
        op.add_column(name, Column("checksum", BigInteger, nullable=False, server_default="0"))
        _fill(name, key.split(), others.split(), versions if name == "entrants" else {})


def _fill(name: str, key: Sequence[str], others: Sequence[str], more: dict[tuple[int, int], Any]) -> None:
    """Write the checksums of a table's rows, some at a time: memory stays flat."""
    names = [*key, *others]
    own = table(name, *(column(each, JSON if each in JSONS else None) for each in (*names, "checksum")))
    put = update(own).values(checksum=bindparam("made"))
    for each in key:
        put = put.where(own.c[each] == bindparam(f"of_{each}"))
    for rows in _pieces(own, names, len(key)):
        made = [
            {
                "made": checksum(name, (*row, *more.get(tuple(row[: len(key)]), ()))),
                **{f"of_{each}": value for each, value in zip(key, row, strict=False)},
            }
            for row in rows
        ]
        op.get_bind().execute(put, made)


def _pieces(own: Any, names: Sequence[str], key: int) -> Iterator[list[tuple[Any, ...]]]:
    """The rows in pieces, in the order of their key, each piece read to its end before anything is written."""
    columns = [own.c[each] for each in names]
    asked, last = select(*columns).order_by(*columns[:key]).limit(AT_ONCE), None
    while True:
        further = asked if last is None else asked.where(tuple_(*columns[:key]) > tuple_(*last))
        rows = [tuple(row) for row in op.get_bind().execute(further)]
        if not rows:
            return
        yield rows
        last = rows[-1][:key]
