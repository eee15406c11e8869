"""How the site looks from outside: at its address, perhaps below a path, perhaps by https through a proxy.

Inside, every address begins at the site's first page, as `/ladders/new` does, and whoever writes a page or an answer
thinks of nothing else. Here it becomes what browsers use: `rooted` puts the path in front of the addresses of a
template, `AtAddress` in front of those in an answer's headers, and takes it off what is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from jinja2.ext import Extension

Scope = Any
Message = Any
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

BY_HTTPS_ALONE = b"max-age=15552000"  # half a year: a site that moves back to http is lost to its visitors no longer
# In a template, what begins with an address of the site: an attribute's value, a value of an import map.
ADDRESS = re.compile(r"""((?:\s(?:href|src|action|formaction|poster|hx-[a-z]+|data-[a-z-]+)=|":\s)")/(?!/)""")
COOKIE_PATH = re.compile(rb"(?i)(;\s*path=)/(?=;|$)")


class Outside(msgspec.Struct, frozen=True):
    """The site's address as browsers have it, `https://club.example/arena`, without a slash at its end.

    It `is_told` if the operator has said it; otherwise it is this machine's, and browsers may have another one.
    """

    url: str
    is_told: bool = False

    @property
    def base(self) -> str:
        """The path below which the site is; empty for a site that has its host alone."""
        return urlsplit(self.url).path

    @property
    def host(self) -> str:
        """Its host, with the port if that is not the usual one."""
        return urlsplit(self.url).netloc

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach it by https alone."""
        return self.url.startswith("https://")

    def address(self, path: str) -> str:
        """The whole address of a page of the site: for what is read elsewhere."""
        return self.url + path


def outside(told: str | None, otherwise: str) -> Outside:
    """The address that the operator has told; without one, the other."""
    return Outside((told or otherwise).rstrip("/"), bool(told))


def rooted(markup: str, base: str) -> str:
    """A template's source with `base` before each address of the site: what begins with /."""
    return ADDRESS.sub(lambda found: f"{found[1]}{base}/", markup)


class Rooted(Extension):
    """Templates whose addresses get the value `base` of the environment in front."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """A template's source, before it is read."""
        return rooted(source, "{{ base }}")


class AtAddress:
    """Wraps an application whose addresses begin at its first page, for browsers that see it at another address.

    What is asked for may have the path in front, or may come without it from a proxy that has taken it off.
    """

    def __init__(self, app: Application, place: Outside) -> None:
        self._app = app
        self._base = place.base.encode()
        self._is_secure = place.is_secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        base = self._base.decode()
        if base and (scope["path"] == base or scope["path"].startswith(f"{base}/")):
            raw = scope.get("raw_path") or b""
            raw = raw[len(self._base) :] if raw.startswith(self._base) else raw
            scope = {**scope, "path": scope["path"][len(base) :] or "/", "raw_path": raw or b"/"}

        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*self._headers(message.get("headers", ()))]}
            await send(message)

        await self._app(scope, receive, told)

    def _headers(self, headers: Any) -> Any:
        for key, value in headers:
            name = key.lower()
            if name == b"location" and value.startswith(b"/") and not value.startswith(b"//"):
                yield name, self._base + value
            elif name == b"set-cookie" and self._base:
                yield name, COOKIE_PATH.sub(rb"\1" + self._base, value)
            else:
                yield name, value
            if name == b"content-type" and value.startswith(b"text/event-stream"):
                yield b"x-accel-buffering", b"no"  # a proxy hands events on as they come
        if self._is_secure:
            yield b"strict-transport-security", BY_HTTPS_ALONE
