"""What pages weigh: answers are compressed, and what never changes is fetched once.

A static file's address has the digest of all static files in it, so a browser may keep it for ever: after an update
the address is another one. Templates write `/static/NAME`, and `Templates` puts the digest in.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable
from gzip import GzipFile
from io import BytesIO
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from litestar import Router
from litestar.datastructures import CacheControlHeader
from litestar.static_files import create_static_files_router

from dohyo.guests.site.edge.patience import Application, Message, Receive, Scope, Send

STATIC = Path(__file__).parents[1] / "static"
YEAR = 365 * 86_400
LEAST, MOST = 500, 4 << 20  # bytes of an answer that is compressed
LONGEST_NAME = 64  # bytes
LEVEL = 5  # of 9: more takes longer, and makes a page of standings a hundredth smaller


def _digest(folder: Path) -> str:
    """Of the names and the content of all files in a folder."""
    found = hashlib.sha256()
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        content = path.read_bytes()
        found.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return found.hexdigest()[:16]


DIGEST = _digest(STATIC)


class Templates(FileSystemLoader):
    """Loads templates, with whole addresses of static files."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """A template's source."""
        source, filename, is_current = super().get_source(environment, template)
        return source.replace('"/static/', f'"/static/{DIGEST}/'), filename, is_current


def static_routers() -> list[Router]:
    """The static files, to be kept for ever under their whole address, and as they are now under the short one."""
    kept = CacheControlHeader(max_age=YEAR, public=True, immutable=True)
    return [
        create_static_files_router(
            path=f"/static/{DIGEST}", directories=[STATIC], name="kept-static", cache_control=kept
        ),
        create_static_files_router(path="/static", directories=[STATIC], name="static"),
    ]


class Compressed:
    """Wraps an application: answers are compressed for whoever can read that, streams go on as they come.

    A name of random length stands in front. Pages contain the secret that forms are signed with, and words of an
    address: whoever can let a browser ask again and again, and sees how long the encrypted answers are, could find
    out the secret letter by letter (BREACH).
    """

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        accepted = next((value for name, value in scope.get("headers", ()) if name == b"accept-encoding"), b"")
        if scope["type"] != "http" or b"gzip" not in accepted or scope["method"] == "HEAD":
            await self._app(scope, receive, send)
            return
        start: Message = {}
        pieces: list[bytes] = []

        async def whole(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                if not _may_wait(message):
                    await send(message)
            elif not _may_wait(start):
                await send(message)
            else:
                pieces.append(message.get("body", b""))
                if not message.get("more_body", False):
                    body, headers = _compressed(b"".join(pieces), start["headers"])
                    await send({**start, "headers": headers})
                    await send({"type": "http.response.body", "body": body})

        await self._app(scope, receive, whole)


def _may_wait(start: Message) -> bool:
    """Whether an answer is whole soon, and a text: by what it says of its length and its type."""
    headers = {name.lower(): value for name, value in start["headers"]}
    length, kind = headers.get(b"content-length", b""), headers.get(b"content-type", b"")
    is_text = kind.startswith(b"text/") or any(word in kind for word in (b"json", b"javascript", b"xml"))
    known = length.isdigit() and LEAST <= int(length) <= MOST
    return known and is_text and b"content-encoding" not in headers


def _compressed(body: bytes, headers: Iterable[tuple[bytes, bytes]]) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    name = secrets.token_hex(LONGEST_NAME)[: secrets.randbelow(LONGEST_NAME)]
    into = BytesIO()
    with GzipFile(name, "wb", LEVEL, into, mtime=0) as file:
        file.write(body)
    own = [
        (b"content-encoding", b"gzip"),
        (b"content-length", str(into.tell()).encode()),
        (b"vary", b"accept-encoding"),
    ]
    return into.getvalue(), [each for each in headers if each[0].lower() != b"content-length"] + own
