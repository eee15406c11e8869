"""For whoever watches over the site: whether it is well, and figures about it."""

from __future__ import annotations

import ipaddress
import secrets
from typing import Any

import msgspec
from litestar import Response, get
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from dohyo.guests.site.arena import judges
from dohyo.guests.site.edge.asking import AnyRequest
from dohyo.guests.site.upkeep.room import is_scarce


@get("/health", sync_to_thread=True)
def health(request: AnyRequest) -> Response[Any]:
    """Whether the site answers and its database can be read; and in its body, whether judge and disk are well."""
    judge = "ok" if judges.living(request.app.state.database) else "silent"
    disk = "scarce" if is_scarce(request.app.state.site.home) else "ok"
    return _json(200, {"status": "ok", "judge": judge, "disk": disk})


@get("/health/judge", sync_to_thread=True)
def judge_health(request: AnyRequest) -> Response[Any]:
    """Whether a judge has shown a sign of life within a minute."""
    lives = bool(judges.living(request.app.state.database))
    return _json(200 if lives else 503, {"judge": "ok" if lives else "silent"})


@get("/metrics", sync_to_thread=True)
def metrics(request: AnyRequest) -> Response[Any]:
    """Figures for Prometheus: for this machine itself, and for who has the operator's token."""
    state = request.app.state
    if not (_is_here(request) or _has(request, state.metrics_token)):
        return Response("nothing here\n", status_code=404, media_type="text/plain")
    return Response(state.metrics.page(), media_type=CONTENT_TYPE_LATEST)


def _is_here(request: AnyRequest) -> bool:
    """Whether a program of this machine asks, and no proxy for somebody else."""
    if request.client is None or {"x-forwarded-for", "forwarded", "via"} & {*request.headers.keys()}:
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def _has(request: AnyRequest, token: str) -> bool:
    given = request.headers.get("authorization", "")
    return bool(token) and secrets.compare_digest(given.encode(), f"Bearer {token}".encode())


def _json(status: int, told: dict[str, str]) -> Response[bytes]:
    return Response(msgspec.json.encode(told), status_code=status, media_type="application/json")


HANDLERS = [health, judge_health, metrics]
