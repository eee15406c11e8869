"""Columns whose values are checked when they are read.

SQLite stores any value in any column, and a store may come from a stranger. PostgreSQL enforces its columns' types.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Dialect, Float, Integer, Text, type_coerce
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from dohyo.core.bounds import TooMuchError, check_json
from dohyo.series.store.errors import DamagedError

MOST = (1 << 31) - 1  # of a number that counts something
MAX_LONG = (1 << 63) - 1
MAX_REAL = 1e15
LAST_MOMENT = 253402300799.0  # seconds from 1970 to the end of the year 9999
LONGEST = 1 << 20  # characters of a text
LONGEST_JSON = 1 << 24  # characters: ten thousand bots' paths
DEEPEST = 32  # nested lists and objects
BYTES_A_VALUE = 8  # of a value or a key in JSON, or more: terms as they are written have 12 and more

Check = Callable[[Any], Any]


def _whole(nullable: bool, most: int) -> Check:
    def check(value: Any) -> int | None:
        if (value is None and nullable) or (type(value) is int and 0 <= value <= most):
            return value
        raise DamagedError(f"{_shown(value)} is no number that can stand there")

    return check


class Whole(Integer):
    """A whole number from 0 on; None only if it is `nullable`."""

    most = MOST

    def __init__(self, nullable: bool = False) -> None:
        self.nullable = nullable

    def result_processor(self, dialect: Dialect, coltype: object) -> Check:
        """Refuse anything else."""
        return _whole(self.nullable, self.most)


class Long(BigInteger):
    """A column of whole numbers from 0 to 2**63 - 1."""

    def result_processor(self, dialect: Dialect, coltype: object) -> Check:
        """Refuse anything else."""
        return _whole(False, MAX_LONG)


class Real(Float[float]):
    """A finite number; None only if it is `nullable`."""

    least, most = -MAX_REAL, MAX_REAL

    def __init__(self, nullable: bool = False) -> None:
        super().__init__()
        self.nullable = nullable

    def result_processor(self, dialect: Dialect, coltype: object) -> Check:
        """Refuse anything else."""
        nullable, least, most = self.nullable, self.least, self.most

        def check(value: Any) -> float | None:
            if value is None and nullable:
                return None
            if type(value) in (int, float) and least <= value <= most:
                return float(value)
            raise DamagedError(f"{_shown(value)} is no number that can stand there")

        return check


class Moment(Real):
    """Seconds since 1970, up to a year that can be written down."""

    least, most = 0.0, LAST_MOMENT


class _Cut(FunctionElement[str]):
    """A text column as it is read: of one that is too long, PostgreSQL sends no more than shows that it is."""

    inherit_cache = True
    type = Text()


@compiles(_Cut)
def _as_it_is(element: _Cut, compiler: SQLCompiler, **how: Any) -> str:
    return compiler.process(element.clauses, **how)  # SQLite has its own limit (`sqlite_tables.LIMITS`)


@compiles(_Cut, "postgresql")
def _cut(element: _Cut, compiler: SQLCompiler, **how: Any) -> str:
    return f"pg_catalog.left({compiler.process(element.clauses, **how)}, {LONGEST + 1})"


class Words(Text):
    """A text; None only if it is `nullable`."""

    render_bind_cast = True  # as the type of PostgreSQL's driver has it, in whose place this one stands

    def __init__(self, nullable: bool = False) -> None:
        super().__init__()
        self.nullable = nullable

    def adapt(self, cls: type[Any], **_: Any) -> Any:
        """For every database it stays the type that looks at what it reads."""
        return Words(self.nullable)

    def column_expression(self, column: ColumnElement[str]) -> ColumnElement[str]:
        """What is read of it."""
        return type_coerce(_Cut(column), self)

    def result_processor(self, dialect: Dialect, coltype: object) -> Check:
        """Refuse anything else."""
        nullable = self.nullable

        def check(value: Any) -> str | None:
            if (value is None and nullable) or (type(value) is str and len(value) <= LONGEST):
                return value
            raise DamagedError(f"{_shown(value)} is no text that can stand there")

        return check


def read_json(text: Any) -> Any:
    """The value in a column of JSON. Raises `DamagedError` for invalid JSON, or too much of it."""
    if not isinstance(text, str | bytes):
        raise DamagedError(f"{_shown(text)} is no JSON")
    try:
        check_json(text, LONGEST_JSON, DEEPEST, BYTES_A_VALUE)
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except TooMuchError as error:
        raise DamagedError(f"JSON with {error}") from error
    except ValueError as error:
        raise DamagedError(f"{_shown(text)} is no JSON") from error


def _no_number(word: str) -> None:
    raise ValueError(word)


def _finite(word: str) -> float:
    if not math.isfinite(number := float(word)):
        raise ValueError(word)
    return number


def _shown(value: object) -> str:
    """The beginning of a value, for a sentence."""
    return repr(value[:40] if isinstance(value, str | bytes) else value)
