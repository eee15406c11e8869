"""Which browsers have signed in as somebody before: these have tries of their own at a password.

Others use up the tries of a name from one address, in a class room without much trouble. Whoever has signed in there
before has a mark in a cookie, which nobody else can make: it is signed with the site's secret. It signs nobody in,
and is worth nothing once the password is another one: somebody else may have signed in with the old one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from sqlalchemy import select

from dohyo.guests.site import tables
from dohyo.series.store.database import Database

LONGEST = 200  # characters of a mark


def mark_of(database: Database, person: int) -> str:
    """A new mark of a browser in which this person has signed in."""
    own = f"{person}.{secrets.token_urlsafe(12)}"
    return f"{own}.{_signed(database, person, own)}"


def is_marked(database: Database, mark: str, person: int) -> bool:
    """Whether a mark is one that a browser got when this person signed in, with the password of now."""
    own, _, signature = mark[:LONGEST].rpartition(".")
    if not own.startswith(f"{person}.") or not signature.isascii():
        return False
    return hmac.compare_digest(signature, _signed(database, person, own))


def _signed(database: Database, person: int, own: str) -> str:
    asked = select(tables.settings.c.value).where(tables.settings.c.name == "secret")
    secret = str(database.read(lambda connection: connection.execute(asked).scalar_one()))
    of = select(tables.people.c.password).where(tables.people.c.id == person)
    kept = str(database.read(lambda connection: connection.execute(of).scalar()) or "")
    told = f"browser {own} {hashlib.sha256(kept.encode()).hexdigest()}"
    return hmac.new(secret.encode(), told.encode(), hashlib.sha256).hexdigest()
