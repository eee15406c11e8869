"""What is answered when something is wrong: a problem as RFC 9457 says, in the caller's language."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException, ValidationException

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker
from dohyo.series.store.errors import FULL

MEDIA_TYPE = "application/problem+json"
MAX_WRONG = 20
SAYS = {
    401: "serve.api-needs-token",
    404: "serve.nothing-here",
    405: "serve.api-method",
    413: "serve.too-large",
    415: "serve.api-media-type",
    429: "serve.api-too-often",
    500: "serve.broken",
    503: "serve.out-of-order",
}

STATUSES = {
    "serve-too-often": 429,
    "serve-no-room": 503,
    "serve-copy-is-made": 503,
}  # of errors of the site whose status is not 422


class Wrong(msgspec.Struct):
    """One value that cannot be taken: which, where it stood, and why."""

    name: str
    place: str
    detail: str


class Problem(msgspec.Struct, omit_defaults=True):
    """Why something was not done. `code` is a word for programs, `detail` a sentence for people."""

    title: str
    status: int
    detail: str
    code: str
    type: str = "about:blank"
    errors: list[Wrong] = []


class ScopeError(HTTPException):
    """A token that may not do this, for lack of a scope."""

    status_code = 403

    def __init__(self, scope: str) -> None:
        told = {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'}
        super().__init__(headers=told)
        self.scope = scope


def status_of(error: Exception) -> int:
    """The status that says what went wrong."""
    if isinstance(error, HTTPException):
        return error.status_code
    if isinstance(error, OperatorError):
        if error.key in STATUSES:
            return STATUSES[error.key]
        # What is not about the call, is about the machine: a full disk, a database that is away.
        return 422 if error.key.startswith("serve-") else 503
    if isinstance(error, OSError) and error.errno in FULL:
        return 503
    return 500


def answer(error: Exception, speaker: Speaker) -> Response[Any]:
    """The answer to what went wrong."""
    status = status_of(error)
    headers = dict(getattr(error, "headers", None) or {})
    if status in (429, 503):
        headers.setdefault("Retry-After", headers.get("RateLimit-Reset", "60" if status == 429 else "10"))
    if status == 401:
        headers.setdefault("WWW-Authenticate", "Bearer")
    found = problem(status, speaker)
    if isinstance(error, OperatorError) and (status != 503 or error.key in STATUSES):
        found.detail, found.code = error.say(speaker), error.key.removeprefix("serve-")
    elif isinstance(error, ScopeError):
        found.detail, found.code = speaker.say("serve.api-scope", scope=error.scope), "scope"
    elif isinstance(error, ValidationException):
        found.errors = _wrong(error)
    return Response(msgspec.json.encode(found), status_code=status, media_type=MEDIA_TYPE, headers=headers)


def problem(status: int, speaker: Speaker) -> Problem:
    """The problem that a status alone tells."""
    phrase = HTTPStatus(status).phrase
    told = speaker.say(SAYS.get(status, "serve.api-bad-request"))
    return Problem(phrase, status, told, phrase.lower().replace(" ", "-"))


def _wrong(error: ValidationException) -> list[Wrong]:
    """Which values cannot be taken."""
    found = error.extra if isinstance(error.extra, list) else []
    return [
        Wrong(*(clean.line(str(each.get(key, "")), 300) for key in ("key", "source", "message")))
        for each in found[:MAX_WRONG]
        if isinstance(each, dict)
    ]
