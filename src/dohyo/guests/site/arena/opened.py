"""The store of the matches, kept open by the web server: opening it anew for each page takes longer than the page.

An opened store is for one thread at a time. So there are as many as there are pages made at the same moment, and the
next page takes one that is free.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from dohyo.core.errors import OperatorError
from dohyo.series.store import Store, open_store

KEPT = 8  # opened stores that nobody uses


class Arena:
    """The store of a site's matches at `where`; none before the judge has made it."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._free: deque[Store] = deque()

    @contextmanager
    def opened(self) -> Iterator[Store | None]:
        """The store, for a block; none before there is one. What goes wrong with it closes it."""
        try:
            store = self._free.popleft() if self._free else open_store(self._where)
        except IndexError:  # another thread was quicker
            store = open_store(self._where)
        except OperatorError as error:
            if error.key != "store-missing":
                raise
            yield None
            return
        try:
            yield store
        except BaseException:
            store.close()
            raise
        if len(self._free) < KEPT:
            self._free.append(store)
        else:
            store.close()

    def close(self) -> None:
        """Close what is open."""
        while self._free:
            self._free.pop().close()
