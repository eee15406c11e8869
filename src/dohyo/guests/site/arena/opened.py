"""The store of the matches, kept open by the web server: opening it anew for each page takes longer than the page.

An opened store is for one thread at a time. So there are as many as there are pages made at the same moment, and the
next page takes one that is free. Of a contest whose standings are frozen there is a copy that ends at that moment
(`moments.py`), kept open in the same way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from time import time

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import moments
from dohyo.series.store import Store, open_store
from dohyo.series.store.database import PATIENCE
from dohyo.series.store.files import AnyFiles

KEPT = 8  # opened stores that nobody uses
SETTLED = 5.0  # seconds after which no result of before is still on its way into the store


class Opened:
    """Stores that are opened alike."""

    def __init__(self, opening: Callable[[], Store]) -> None:
        self._opening = opening
        self._free: deque[Store] = deque()

    @contextmanager
    def one(self) -> Iterator[Store]:
        """One of them, for a block. What goes wrong with it closes it."""
        try:
            store = self._free.pop() if self._free else self._opening()  # the last one: what it has read is newest
        except IndexError:  # another thread was quicker
            store = self._opening()
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
        """Close those that nobody uses."""
        while self._free:
            self._free.pop().close()


class Arena:
    """The store of a site's matches at `where`; none before the judge has made it. Copies are in `frozen`.

    `files` are the store's, if not in the usual place.
    """

    def __init__(self, where: str, frozen: Path, files: AnyFiles | None = None, patience: float = PATIENCE) -> None:
        self._all = Opened(lambda: open_store(where, files=files, patience=patience))
        self._frozen = frozen
        self._copies: dict[Path, Opened] = {}
        self._making = Lock()

    @contextmanager
    def opened(self) -> Iterator[Store | None]:
        """The store, for a block; none before there is one."""
        with self._all.one() if self._exists() else _nothing() as store:
            yield store

    @contextmanager
    def opened_at(self, slug: str, until: float) -> Iterator[Store | None]:
        """A store with this one contest as it was at that moment, for a block; none before there was one."""
        early = "" if time() > until + SETTLED else " early"
        path = self._frozen / f"{slug}@{round(until * 1000)}{early}.db"
        with self._making:
            copy = self._copies.get(path) or self._copy(slug, until, path)
        with _nothing() if copy is None else copy.one() as store:
            yield store

    def forget(self, slug: str) -> None:
        """Remove the copies of a contest: its standings are not frozen any more, or from another moment on."""
        with self._making:
            for path in self._frozen.glob(f"{slug}@*.db"):
                if (copy := self._copies.pop(path, None)) is not None:
                    copy.close()
                moments.remove(path)

    def close(self) -> None:
        """Close what is open."""
        for each in (self._all, *self._copies.values()):
            each.close()

    def _exists(self) -> bool:
        try:
            with self._all.one():
                return True
        except OperatorError as error:
            if error.key != "store-missing":
                raise
            return False

    def _copy(self, slug: str, until: float, path: Path) -> Opened | None:
        """The copy, made if it is not there yet; none if there is nothing to copy."""
        with self.opened() as store:
            if store is None or slug not in {contest.name for contest in store.contests()}:
                return None
            if not path.exists():
                moments.make_copy(store, slug, until, path)
            files = store.files
        self._copies[path] = made = Opened(lambda: moments.open_copy(files, path))
        return made


@contextmanager
def _nothing() -> Iterator[None]:
    yield None
