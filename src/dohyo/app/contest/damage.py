"""What a store says of a contest may be no contest at all: rows that fit their columns, and not each other.

The store itself looks at each value (`store/columns.py`). Whether results are those of a format, say, only the format
knows, and it says so by whatever it stumbles over.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dohyo.bots.content import printable
from dohyo.core.errors import OperatorError
from dohyo.store import Store

# What formats, standings and ratings raise over results and terms that they never had a part in.
OUT_OF_THE_FORMAT = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
SHOWN = 200  # characters of a reason


@contextmanager
def reporting_damage(store: Store) -> Iterator[None]:
    """Work with what a store has of a contest. Raises `OperatorError` where that makes no sense."""
    try:
        yield
    except OUT_OF_THE_FORMAT as error:
        reason = printable(f"{type(error).__name__}: {error}"[:SHOWN])
        raise OperatorError("store-damaged", store=store.database.address.shown, reason=reason) from error
