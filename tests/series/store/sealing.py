"""What somebody does who changes a store by hand and means harm: makes the rows' checksums anew."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Float

from dohyo.series.store.columns import COLUMN, VERSION_COLUMNS, covered, sealed
from dohyo.series.store.errors import DamagedError
from dohyo.series.store.tables import METADATA

JOINED = (
    "SELECT b.name, v.digest, v.language, v.archive FROM entrants e JOIN bot_versions v ON v.id = e.version"
    " JOIN bots b ON b.id = v.bot WHERE e.contest = ? AND e.number = ?"
)


def seal(where: Path | str) -> None:
    """Give each row of a store in SQLite the checksum of what it holds now, as far as it can have one."""
    with closing(sqlite3.connect(where)) as database:
        for table in METADATA.sorted_tables:
            if COLUMN not in table.c:
                continue
            names = [name for name, _ in covered(table)]
            key = [column.name for column in table.primary_key]
            found = []
            with suppress(sqlite3.Error):
                found = database.execute(f"SELECT {', '.join(names)} FROM {table.name}").fetchall()
            for row in found:
                with suppress(sqlite3.Error, DamagedError, ValueError, TypeError, OverflowError, RecursionError):
                    own = {name: _read(table.c[name].type, value) for name, value in zip(names, row, strict=True)}
                    more: Any = ()
                    if table.name == "entrants":
                        more = database.execute(JOINED, (own["contest"], own["number"])).fetchone() or (None,) * 4
                        assert len(more) == len(VERSION_COLUMNS)
                    at = " AND ".join(f"{name} IS ?" for name in key)
                    made = sealed(table, own, *more)[COLUMN]
                    raw = dict(zip(names, row, strict=True))
                    put = f"UPDATE {table.name} SET {COLUMN} = ? WHERE {at}"
                    database.execute(put, (made, *(raw[name] for name in key)))
        database.commit()


def _read(kind: object, value: Any) -> Any:
    if isinstance(kind, JSON):
        return json.loads(value)
    return float(value) if isinstance(kind, Float) and value is not None else value
