"""Statements of SQL are written once in a process, not once for each store that a test opens.

SQLAlchemy keeps the text that it has made of a statement with the engine. A command opens one store or two; a worker
of the tests opens thousands, and a sixth of the time of tests of contests went into the same texts. Here all engines
of one kind share them, as they would if they were one engine. With `--full` they do not.
"""

from __future__ import annotations

import sys
from typing import Any

CAPACITY = 3000  # statements


def share() -> None:
    """From now on, engines share what they have written; where nothing has imported SQLAlchemy, nothing is done."""
    if "sqlalchemy" not in sys.modules:
        return
    from sqlalchemy import Engine
    from sqlalchemy.util import LRUCache

    class Shared(LRUCache[Any, Any]):
        """Texts of statements, by all that they depend on but the engine."""

        def get(self, key: Any, default: Any = None) -> Any:
            return super().get(_without_engine(key), default)

        def __setitem__(self, key: Any, value: Any) -> None:
            super().__setitem__(_without_engine(key), value)

    shared, begin = Shared(CAPACITY), Engine.__init__

    def init(engine: Engine, *given: Any, **named: Any) -> None:
        begin(engine, *given, **named)
        engine._compiled_cache = shared

    Engine.__init__ = init  # type: ignore[method-assign]


def _without_engine(key: Any) -> Any:
    """A key of SQLAlchemy's cache, with the kind of its dialect in the place of the engine's own."""
    dialect, *rest = key
    reads = getattr(dialect, "_json_deserializer", None)
    return (type(dialect), dialect.server_version_info, reads, *rest)
