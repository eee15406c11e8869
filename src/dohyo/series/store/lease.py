"""One writer for each contest: a lock that ends with its process, and a number that shows when the lock was lost."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, ClassVar

from sqlalchemy import Connection, select, text, update
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from dohyo.core.errors import OperatorError
from dohyo.series.store.database import Database
from dohyo.series.store.errors import of_files
from dohyo.series.store.tables import contests

KIND = 0x444F48  # distinguishes our locks from those of other programs in the same PostgreSQL: "DOH"


class Lease:
    """The right to write to a contest, until it is closed or the process ends.

    Raises `OperatorError` when another process has it.
    """

    def __init__(self, database: Database, contest: int, name: str, folder: Path) -> None:
        self.contest = contest
        self.name = name
        self._database = database
        self._lock = _FileLock(folder / f"{contest}.lock") if database.is_sqlite else _ServerLock(database, contest)
        if not self._lock.take():
            raise OperatorError("contest-runs", name=name)
        try:
            # If it is repeated after a connection broke, the number grows twice, which does no harm.
            self.number = database.write(self._announce)
        except BaseException:
            self._lock.let_go()
            raise
        self._seen = database.connections
        self.closed = False

    def check(self, connection: Connection) -> None:
        """Lock the contest's row in a transaction.

        Raises `OperatorError` when another process has taken the contest over.
        """
        if self._database.connections != self._seen:  # the connection was lost, perhaps with the lock
            self._lock.renew()
            self._seen = self._database.connections
        if lock(connection, self.contest) != self.number:
            raise OperatorError("contest-taken-over", name=self.name)

    def close(self) -> None:
        """Release the lease."""
        self.closed = True
        self._lock.let_go()

    def __enter__(self) -> Lease:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _announce(self, connection: Connection) -> int:
        own = contests.c.id == self.contest
        connection.execute(update(contests).where(own).values(lease=contests.c.lease + 1))
        return int(connection.execute(select(contests.c.lease).where(own)).scalar_one())


def lock(connection: Connection, contest: int) -> int:
    """Let no other transaction of this contest write until ours is done; returns the contest's last lease number."""
    query = select(contests.c.lease).where(contests.c.id == contest).with_for_update()
    return int(connection.execute(query).scalar_one())


class _FileLock:
    """A file locked by this process only, not by its forks; the system releases it when the process ends."""

    held: ClassVar[set[Path]] = set()  # the system would give a process the same lock twice

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def take(self) -> bool:
        import fcntl

        if self._path in self.held:
            return False
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # No link is followed to another file, and a pipe in its place is not waited for.
            flags = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
            self._file = os.fdopen(os.open(self._path, flags, 0o666), "ab")
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._close()
            if error.errno in (errno.EACCES, errno.EAGAIN):
                return False
            raise of_files(error, self._path) from error
        self.held.add(self._path)
        return True

    def renew(self) -> None:
        """Does nothing: a file lock cannot be lost."""

    def let_go(self) -> None:
        if self._file is not None:
            self.held.discard(self._path)
            self._close()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class _ServerLock:
    """A lock with its own connection; the server releases it when the connection ends."""

    def __init__(self, database: Database, contest: int) -> None:
        self._database = database
        self._contest = contest
        self._connection: Any = None

    def take(self) -> bool:
        return self._database.again(self._take)

    def _take(self) -> bool:
        self.let_go()
        connection = self._database.engine.connect()
        connection = connection.execution_options(isolation_level="AUTOCOMMIT")
        try:
            query = text("SELECT pg_try_advisory_lock(:kind, :contest)")
            taken = connection.execute(query, self._key()).scalar_one()
        except BaseException:
            connection.invalidate()
            connection.close()
            raise
        if taken:
            self._connection = connection
        else:
            connection.close()
        return bool(taken)

    def renew(self) -> None:
        """Take the lock again if its connection was lost; if that fails, the contest's number decides."""
        with suppress(SQLAlchemyError):
            if self._connection is not None:
                try:
                    self._connection.execute(text("SELECT 1"))
                    return
                except DBAPIError:
                    pass
            self._take()

    def let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            # Release it explicitly, because the server needs a moment to notice that a connection ended; and end the
            # connection, because in the pool a lock that could not be released would stay.
            with suppress(SQLAlchemyError):
                connection.execute(text("SELECT pg_advisory_unlock(:kind, :contest)"), self._key())
            with suppress(SQLAlchemyError):
                connection.invalidate()
            connection.close()

    def _key(self) -> dict[str, int]:
        return {"kind": KIND, "contest": self._contest}
