"""Who may send much: whoever is signed in by a cookie, or a program whose token may hand in."""

from __future__ import annotations

from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

from dohyo.guests.site.edge.asking import SESSION
from dohyo.guests.site.people import accounts, tokens
from dohyo.series.store.database import Database

API = "/api/"  # the addresses of programs, where no cookie counts


def secret_of(header: str) -> str:
    """The secret in an `Authorization` header; empty where it has none."""
    scheme, _, secret = header.partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


def may_send_much(database: Database, path: str, headers: Mapping[bytes, bytes]) -> str | None:
    """Who sends a request, so that each sends one large body at once; none if it is nobody who may send one."""
    if path.startswith(API):
        token = tokens.find(database, secret_of(headers.get(b"authorization", b"").decode("latin-1")))
        return None if token is None or tokens.HAND_IN not in token.scopes else f"person {token.person.id}"
    try:
        found = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1")).get(SESSION)
    except CookieError:
        return None
    person = None if found is None else accounts.of_session(database, found.value)
    return None if person is None else f"person {person.id}"
