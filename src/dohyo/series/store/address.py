"""Which store is meant: a path, or a URL."""

from __future__ import annotations

from pathlib import Path

import msgspec
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from dohyo.core.errors import OperatorError

POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")
SECRETS = ("password", "sslpassword", "passfile")  # parameters with secrets in a URL's query


class Address(msgspec.Struct, frozen=True):
    """A store's database, and where SQLite keeps it. `shown` is its name in sentences, without passwords."""

    url: URL
    path: Path | None
    shown: str

    @property
    def beside(self) -> Path:
        """The database's usual folder for files: beside SQLite's file; otherwise in the current folder, by its
        name."""
        if self.path is not None:
            return self.path.with_name(self.path.name + ".files")
        return Path(f"{self.url.database or 'dohyo'}.files").absolute()


def read_address(where: str) -> Address:
    """`results.db`, `sqlite:///results.db` or `postgresql://user@host/name`.

    Raises `OperatorError` for anything else, and if the driver for PostgreSQL is not installed.
    """
    scheme, parted, rest = where.partition("://")
    if not parted:
        return _sqlite(where)
    if scheme == "sqlite":
        # sqlite:///relative, sqlite:////absolute
        return _sqlite(rest.removeprefix("/"))
    if scheme not in POSTGRES:
        raise OperatorError("store-unknown-url", scheme=scheme)
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise OperatorError("needs-postgres") from error
    try:
        url = make_url(f"postgresql+psycopg://{rest}")
    except (ArgumentError, ValueError) as error:
        raise OperatorError("store-bad-url") from error
    shown = url.set(drivername="postgresql").difference_update_query(SECRETS).render_as_string(hide_password=True)
    return Address(url, None, shown)


def _sqlite(name: str) -> Address:
    """A file; its whole path, so that it stays the same store when this process changes its current folder."""
    if not name or name == ":memory:":
        raise OperatorError("store-no-name")
    try:
        path = Path(name).expanduser().resolve()
    except (OSError, ValueError, RuntimeError) as error:  # a NUL, an unknown user's ~, links that lead in a circle
        raise OperatorError("store-not-writable", store=name, reason=error) from error
    return Address(URL.create("sqlite+pysqlite", database=str(path)), path, name)
