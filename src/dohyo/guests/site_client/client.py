"""Asks a site: whatever it answers is bounded in size and time, and nobody else gets the token.

No redirection is followed: the token would go along. What a site says is a stranger's text.
"""

from __future__ import annotations

import http.client
import io
import secrets
import urllib.error
import urllib.request
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

import msgspec

from dohyo import __version__
from dohyo.core.errors import OperatorError
from dohyo.guests.site_client.login import Login, is_here
from dohyo.guests.site_client.values import SiteProblem

Answer = TypeVar("Answer")

PATIENCE = 30.0  # seconds for each piece of an answer
WHOLE = 300.0  # seconds for all of it
PIECE = 1 << 16  # bytes
MAX_ANSWER = 4 << 20
LONGEST_SAID = 2000  # characters of a site's sentence
PASSING = frozenset({429, 503})


class BusyError(OperatorError):
    """The site cannot do it now; `seconds` says when to ask again."""

    def __init__(self, seconds: float, **values: object) -> None:
        super().__init__("site-refuses", **values)
        self.seconds = seconds


class _Stays(urllib.request.HTTPRedirectHandler):
    """Follows no redirection."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Client:
    """A site that is asked in somebody's name; sentences come in his language."""

    def __init__(self, login: Login, language: str) -> None:
        self._login, self._language = login, language
        proxies = [urllib.request.ProxyHandler({})] if is_here(login.site) else []
        self._opener = urllib.request.build_opener(_Stays, *proxies)

    def get(self, path: str, kind: type[Answer]) -> Answer:
        """What is at a path, as a value of this kind. Raises `OperatorError`."""
        return self._read(self.fetch(path), kind)

    def fetch(self, path: str, most: int = MAX_ANSWER) -> bytes:
        """The bytes at a path. Raises `OperatorError`."""
        return self._ask(path, most)

    def hand_in(
        self, ladder: str, bot: str, filename: str, content: bytes, kind: type[Answer], word: str = ""
    ) -> Answer:
        """Hand in a file for a ladder, with the word of a contest that is entered by one. Raises `OperatorError`."""
        mark = secrets.token_hex(16)  # in no file, but by a chance of 2 to the power of 128
        head = f'--{mark}\r\nContent-Disposition: form-data; name="bot"\r\n\r\n{bot}\r\n'
        if word:
            head += f'--{mark}\r\nContent-Disposition: form-data; name="word"\r\n\r\n{word}\r\n'
        head += f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{filename}"\r\n'
        head += "Content-Type: application/octet-stream\r\n\r\n"
        body = head.encode("utf-8", "replace") + content + f"\r\n--{mark}--\r\n".encode()
        told = {"Content-Type": f"multipart/form-data; boundary={mark}", "Content-Length": str(len(body))}
        # As a file it is sent piece by piece, each of which has time; as bytes, all of it together.
        return self._read(self._ask(f"/ladders/{ladder}/hand-ins", MAX_ANSWER, io.BytesIO(body), told), kind)

    def _ask(self, path: str, most: int, body: io.BytesIO | None = None, more: dict[str, str] | None = None) -> bytes:
        headers = {
            "Authorization": f"Bearer {self._login.token}",
            "Accept-Language": self._language,
            "User-Agent": f"dohyo/{__version__}",
            **(more or {}),
        }
        asked = urllib.request.Request(f"{self._login.site}/api/v1{path}", data=body, headers=headers)
        try:
            with self._opener.open(asked, timeout=PATIENCE) as answer:
                return self._bounded(answer, most)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise OperatorError("site-unreachable", site=self._login.site, reason=reason) from error

    def _bounded(self, answer: Any, most: int) -> bytes:
        """An answer, to its end. Raises `OperatorError` for one that is too large or too slow."""
        end, pieces, size = monotonic() + WHOLE, [], 0
        while piece := answer.read1(PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > most or monotonic() > end:
                raise OperatorError("site-endless", site=self._login.site)
        return b"".join(pieces)

    def _refusal(self, error: urllib.error.HTTPError) -> OperatorError:
        """Why the site does not do it, in its own words where it has some."""
        if 300 <= error.code < 400:
            return OperatorError("site-elsewhere", site=self._login.site, to=error.headers.get("Location", "?"))
        said = f"{error.code} {error.reason}"
        with suppress(OSError, http.client.HTTPException, ValueError, RecursionError):  # some other program's answer
            said = msgspec.json.decode(self._bounded(error, MAX_ANSWER), type=SiteProblem).detail[:LONGEST_SAID]
        if error.code in PASSING:
            try:
                seconds = float(error.headers.get("Retry-After", "10"))
            except ValueError:
                seconds = 10.0
            return BusyError(min(max(seconds, 1.0), 60.0), site=self._login.site, said=said)
        if error.code == 401:
            return OperatorError("site-token-over", site=self._login.site)
        key = "site-nothing-there" if error.code == 404 else "site-refuses"
        return OperatorError(key, site=self._login.site, said=said)

    def _read(self, content: bytes, kind: type[Answer]) -> Answer:
        try:
            return msgspec.json.decode(content, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise OperatorError("site-other", site=self._login.site) from error
