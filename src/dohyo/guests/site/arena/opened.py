"""The store of the matches, kept open by the web server: opening it anew for each page takes longer than the page.

An opened store is for one thread at a time. So there are as many as there are pages made at the same moment, and the
next page takes one that is free. Of a contest whose standings are frozen there is a copy that ends at that moment
(`moments.py`), kept open in the same way.

Of a large contest such a copy takes a while. It is made in a thread of its own, and nothing is locked meanwhile: a
few pages that need it wait for a moment, then they ask their readers to come again; all others are made as ever.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore, Lock, Thread
from time import time

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import moments
from dohyo.series.store import Store, open_store
from dohyo.series.store.database import PATIENCE
from dohyo.series.store.files import AnyFiles

KEPT = 8  # opened stores that nobody uses
WAIT = 10.0  # seconds for which a page waits for a copy that is being made
WAITING = 8  # pages that wait at once: each keeps a thread from making others
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
        self._making: dict[Path, Future[Opened]] = {}
        self._lock = Lock()  # of these two, never while anything is read or written
        self._places = BoundedSemaphore(WAITING)

    @contextmanager
    def opened(self) -> Iterator[Store | None]:
        """The store, for a block; none before there is one."""
        with self._all.one() if self._exists() else _nothing() as store:
            yield store

    @contextmanager
    def opened_at(self, slug: str, until: float) -> Iterator[Store | None]:
        """A store with this one contest as it was at that moment, for a block; none before there was one.

        Raises `OperatorError` where it is still being made, and that takes longer than somebody waits.
        """
        copy = self._copy_at(slug, until)
        with _nothing() if copy is None else copy.one() as store:
            yield store

    def forget(self, slug: str) -> None:
        """Remove the copies of a contest: its standings are not frozen any more, or from another moment on."""
        with self._lock:
            copies = [self._copies.pop(path) for path in [*self._copies] if _is_of(slug, path)]
            for path in [*self._making]:
                if _is_of(slug, path):
                    del self._making[path]  # who makes it removes it
        for copy in copies:
            copy.close()
        for path in self._frozen.glob(f"{slug}@*.db"):
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

    def _copy_at(self, slug: str, until: float) -> Opened | None:
        """The copy, made if it is not there yet; none if there is nothing to copy."""
        name = f"{slug}@{round(until * 1000)}"
        early, settled = (self._frozen / f"{name}{word}.db" for word in (" early", ""))
        path = settled if time() > until + SETTLED else early
        with self._lock:
            if path in self._copies:
                return self._copies[path]
            before = self._copies.get(early)  # which lacks a result at most that was on its way then
        with self.opened() as store:
            if store is None or slug not in {contest.name for contest in store.contests()}:
                return None
            files = store.files
        made = self._made(slug, until, path, files)
        if before is not None:
            return before
        may_wait = self._places.acquire(blocking=False)
        try:
            return made.result(WAIT if may_wait else 0.0)
        except TimeoutError as error:
            raise OperatorError("serve-copy-is-made") from error
        finally:
            if may_wait:
                self._places.release()

    def _made(self, slug: str, until: float, path: Path, files: AnyFiles) -> Future[Opened]:
        """The copy that is made at this moment, by one thread for all who ask for it."""
        with self._lock:
            made = self._making.get(path)
            if made is not None or path in self._copies:
                return made or _done(self._copies[path])
            made = self._making[path] = Future()
        if path.exists():
            self._make(slug, until, path, files, made)
        else:
            Thread(target=self._make, args=(slug, until, path, files, made), daemon=True).start()
        return made

    def _make(self, slug: str, until: float, path: Path, files: AnyFiles, made: Future[Opened]) -> None:
        """Make a copy, if it is not there yet, and let those have it who wait."""
        try:
            if not path.exists():
                with self.opened() as store:
                    assert store is not None
                    moments.make_copy(store, slug, until, path)
            copy = Opened(lambda: moments.open_copy(files, path))
        except BaseException as error:
            with self._lock:
                if self._making.get(path) is made:
                    del self._making[path]
            made.set_exception(error)
            return
        with self._lock:
            is_wanted = self._making.pop(path, None) is made
            if is_wanted:
                self._copies[path] = copy
        if is_wanted:
            made.set_result(copy)
        else:
            moments.remove(path)
            made.set_exception(OperatorError("serve-copy-is-made"))


def _is_of(slug: str, path: Path) -> bool:
    """Whether a copy is of this contest."""
    return path.name.rpartition("@")[0] == slug


def _done(copy: Opened) -> Future[Opened]:
    done: Future[Opened] = Future()
    done.set_result(copy)
    return done


@contextmanager
def _nothing() -> Iterator[None]:
    yield None
