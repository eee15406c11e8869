"""Who calls: somebody's program with a token, or nobody. A browser's cookies are not looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import monotonic
from typing import Any

import msgspec
from litestar.di import NamedDependency
from litestar.enums import ScopeType
from litestar.exceptions import NotAuthorizedException
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.stores.memory import MemoryStore
from litestar.types import ASGIApp, Middleware, Receive, Scope, Send

from dohyo.guests.site.api.problems import ScopeError
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.quota import Quota
from dohyo.guests.site.edge.asking import AnyRequest, first_language, place_of
from dohyo.guests.site.edge.senders import secret_of
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.people import tokens
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.people.tokens import Token
from dohyo.i18n import Speaker
from dohyo.series.store.database import Database

A_MINUTE = 300  # calls of a token, or without one of an address
SWEEP = 300.0  # seconds between two times that the counts of earlier minutes are forgotten
NEEDED: Any = [{"token": []}]  # for the description: whether there has to be one
OPEN: Any = [{}, *NEEDED]
WRONG = {"WWW-Authenticate": 'Bearer error="invalid_token"'}


class Call(msgspec.Struct):
    """One call: the site, whose token it has (none: no token), and who says sentences."""

    site: SiteFolder
    database: Database
    arena: Arena
    token: Token | None
    speaker: Speaker
    quota: Quota

    @property
    def person(self) -> Person | None:
        """Whose results are looked at: nobody's without a token. Raises `ScopeError` if the token may not read."""
        return None if self.token is None else self.needs(tokens.READ)

    def needs(self, *scopes: str) -> Person:
        """The person of a token with one of these scopes.

        Raises `NotAuthorizedException` without a token, and `ScopeError` where it has none of them.
        """
        if self.token is None:
            raise NotAuthorizedException
        if not {*scopes} & {*self.token.scopes}:
            raise ScopeError(scopes[0])
        return tokens.bearer(self.token)


class Identified:
    """Finds out whose token a call has, before it is counted."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._swept = monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note it among the call's own values."""
        if scope["type"] == ScopeType.HTTP:
            header = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
            site = scope["litestar_app"]
            if monotonic() - self._swept > SWEEP:
                self._swept = monotonic()
                if isinstance(counted := site.stores.get("rate_limit"), MemoryStore):
                    await counted.delete_expired()
            database = site.state.database
            token = await asyncio.to_thread(tokens.find, database, secret_of(header)) if header else None
            client = scope.get("client")
            own: Any = scope["state"]
            own["token"], own["is_wrong"] = token, bool(header) and token is None
            own["who"] = f"token {token.id}" if token else f"from {place_of(client[0] if client else None)}"
        await self._app(scope, receive, send)


def _who(request: AnyRequest) -> str:
    return str(request.scope["state"]["who"])


MIDDLEWARE: list[Middleware] = [
    Identified,
    RateLimitConfig(("minute", A_MINUTE), identifier_for_request=_who).middleware,
]


Called = NamedDependency[Call]


def calling(request: AnyRequest) -> Call:
    """What is known of a call. Raises `NotAuthorizedException` for a token that is not, or no longer, good."""
    own: Mapping[str, Any] = request.scope["state"]
    if own["is_wrong"]:
        raise NotAuthorizedException(headers=WRONG)
    state = request.app.state
    speaker = Speaker(first_language(request.headers.get("accept-language", "")))
    return Call(state.site, state.database, state.arena, own["token"], speaker, state.quota)
