"""Files in an object store, named by their content as those in a folder are: `ab/cdef...` for the digest `abcdef...`.

Who may read and write there, and under which address it answers, the environment says, by the usual names
(`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL`, ...). An object is there whole or not at all; once its name is answered for,
the object store keeps it. Everybody who may write to the bucket could change one, so what is read is compared with
its digest.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cache
from typing import Any

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.series.store.files import LARGEST

ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
WAITING = {"timeout": "30s", "connect_timeout": "5s"}
RETRYING = {"max_retries": 3, "retry_timeout": timedelta(seconds=20)}
_DIGEST = re.compile(r"[0-9a-f]{64}")


@cache
def reach(address: str) -> ObjectFiles:
    """The files at an address as s3://BUCKET/NAME.

    Raises `OperatorError`: obstore is not installed, no such bucket, no right, nobody answers.
    """
    try:
        from obstore.store import S3Store
    except ImportError as error:
        raise OperatorError("needs-object-store") from error
    endpoint = next((os.environ[name] for name in ENDPOINTS if os.environ.get(name)), None)
    told: Any = {} if endpoint is None else {"endpoint": endpoint}
    waiting: Any = {**WAITING, "allow_http": endpoint is not None and endpoint.startswith("http://")}
    retrying: Any = RETRYING
    with _told(address):
        files = ObjectFiles(
            address, S3Store.from_url(address, config=told, client_options=waiting, retry_config=retrying)
        )
    files.look()
    return files


class ObjectFiles:
    """Files in an object store, under an address."""

    def __init__(self, address: str, store: Any) -> None:
        self._address = address
        self._store = store

    def look(self) -> None:
        """Raise `OperatorError` where nothing can be looked for."""
        import obstore

        with _told(self._address):
            next(iter(obstore.list(self._store, chunk_size=1)), None)

    def put(self, content: bytes, *, sync: bool = True) -> str:
        """Store `content`, whole or not at all, and wait until it is kept; returns its digest."""
        import obstore

        digest = hashlib.sha256(content).hexdigest()
        with _told(self._address):
            if self._size(digest) != len(content):
                obstore.put(self._store, _name(digest), content)
        return digest

    def get(self, digest: str, most: int = LARGEST) -> bytes:
        """The content stored under `digest`, at most so many bytes.

        Raises `OperatorError` when it is not there, is larger, or is not what was put.
        """
        import obstore

        place = clean.line(f"{self._address}/{digest}", 300)
        if not _DIGEST.fullmatch(digest):
            raise OperatorError("store-file-missing", digest=clean.line(digest, 80), folder=self._address)
        with _told(self._address):
            try:
                found = obstore.get(self._store, _name(digest))
                content = bytes(found.bytes()) if found.meta["size"] <= most else b""
            except FileNotFoundError as error:
                raise OperatorError("store-file-missing", digest=digest, folder=self._address) from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise OperatorError("object-damaged", place=place)
        return content

    def remove(self, digest: str) -> None:
        """Remove the file of this name, if there is one and it can be removed."""
        import obstore

        with suppress(OperatorError), _told(self._address):
            if _DIGEST.fullmatch(digest):
                obstore.delete(self._store, _name(digest))

    def sweep(self) -> None:
        """Does nothing: an object store leaves nothing unfinished that has a name."""

    def _size(self, digest: str) -> int | None:
        import obstore

        try:
            return int(obstore.head(self._store, _name(digest))["size"])
        except FileNotFoundError:
            return None


def _name(digest: str) -> str:
    return f"{digest[:2]}/{digest[2:]}"


@contextmanager
def _told(address: str) -> Iterator[None]:
    """A block whose errors of the object store become an `OperatorError`."""
    from obstore.exceptions import BaseError

    try:
        yield
    except FileNotFoundError:
        raise
    except (BaseError, OSError, ValueError) as error:
        reason = clean.line(next(iter(str(error).strip().splitlines()), type(error).__name__), 300)
        raise OperatorError("object-store-fails", place=address, reason=reason) from error
