"""What a page of the site may do, and which requests are answered.

Every answer says that it is nobody's frame, that its type is what it says, and what it may load: nothing from
elsewhere, no script in the page itself. Pages of the viewer bring a stricter policy of their own.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.datastructures import MutableScopeHeaders
from litestar.exceptions import PermissionDeniedException
from litestar.types import Message, Scope

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
# A viewer's page has its policy in itself; this stands beside it, and lets our own pages show it in a frame.
# What draws a game may be a stranger's, so neither has the site's origin: no cookie, no request as whoever looks.
VIEWER_POLICY = (
    "sandbox allow-scripts allow-downloads; "
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'; object-src 'none'"
)
BOARD_POLICY = "; ".join(
    (
        "sandbox allow-scripts",
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
    )
)
# What a frame without an origin loads: nothing of it is anybody's secret.
FOR_ALL = ("/modules/", "/static/", "/broadcast/files/")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


async def guard_headers(message: Message, scope: Scope) -> None:
    """Add what every answer says, where the page has not said it itself."""
    if message["type"] != "http.response.start":
        return
    if scope.get("method") not in SAFE:
        forget_forms()
    headers = MutableScopeHeaders.from_message(message)
    if str(scope.get("path", "")).startswith(FOR_ALL):
        headers["Access-Control-Allow-Origin"] = "*"
    for name, value in {**HEADERS, "Content-Security-Policy": POLICY}.items():
        if name.lower() not in headers:
            headers[name] = value


def forget_forms() -> None:
    """Let Litestar forget the forms that it has read: it keeps the last 1024 bodies, with the passwords in them."""
    with suppress(ImportError):  # it is Litestar's own, and may be somewhere else in another version
        from litestar import _parsers

        for name in ("parse_url_encoded_form_data", "parse_query_string"):
            clear = getattr(getattr(_parsers, name, None), "cache_clear", None)
            if clear is not None:
                clear()


def refuse_foreign(request: Request[Any, Any, Any]) -> None:
    """Raise `PermissionDeniedException` for a form that another site sends.

    The forms are signed as well; a browser that says where a request comes from settles it at once.
    """
    if request.method in SAFE:
        return
    origin = request.headers.get("origin")
    try:
        ours = (request.headers.get("host"), request.app.state.outside.host)  # a proxy may name another host
        is_ours = origin is None or urlsplit(origin).netloc in ours
    except ValueError:  # no address at all
        is_ours = False
    if not is_ours:
        raise PermissionDeniedException("another site")
    if request.headers.get("sec-fetch-site") == "cross-site":
        raise PermissionDeniedException("another site")
