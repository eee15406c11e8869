"""Which accounts belong to whom a provider names: by issuer and subject, never by a name or an address of mail."""

from __future__ import annotations

import secrets
from time import time

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.people import accounts, limits
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.people.passwords import digest_of
from dohyo.guests.site.people.provider import Visitor
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database

VISIT = 900.0  # seconds for signing in at the provider, and for choosing a name


class Visit(msgspec.Struct, frozen=True):
    """A browser that is on its way to the provider, or has come back from it: then `subject` says who it is."""

    nonce: str
    verifier: str
    next: str
    issuer: str
    subject: str
    name: str


def begin(database: Database, to: str, origin: str) -> tuple[str, Visit]:
    """A browser sets out, and wants to go `to` a page afterwards: the secret that it keeps, and what was drawn.

    Raises `OperatorError` after too many tries from one address.
    """
    limits.take(database, limits.SIGN_IN_FROM, origin)
    secret = secrets.token_urlsafe(32)
    visit = Visit(secrets.token_urlsafe(32), secrets.token_urlsafe(48), to, "", "", "")

    def act(connection: Connection) -> None:
        visits = tables.visits
        connection.execute(delete(visits).where(visits.c.until < time()))
        row = {"digest": digest_of(secret), "until": time() + VISIT, **msgspec.structs.asdict(visit)}
        connection.execute(insert(visits).values(row))

    database.write(act)
    return secret, visit


def find(database: Database, secret: str) -> Visit | None:
    """What is known of a browser with this secret."""
    visits = tables.visits
    asked = select(visits).where(visits.c.digest == digest_of(secret), visits.c.until > time())
    row = database.read(lambda connection: connection.execute(asked).mappings().first())
    return None if row is None else Visit(**{name: row[name] for name in Visit.__struct_fields__})


def end(database: Database, secret: str) -> None:
    """A browser has arrived."""
    gone = delete(tables.visits).where(tables.visits.c.digest == digest_of(secret))
    database.write(lambda connection: connection.execute(gone))


def come_back(database: Database, secret: str, visitor: Visitor) -> str:
    """Keep who a browser is that has come back, until it has an account; its new secret: the old one is used up."""
    new = secrets.token_urlsafe(32)
    visits = tables.visits
    values = {"digest": digest_of(new), "until": time() + VISIT, **msgspec.structs.asdict(visitor)}
    changed = update(visits).where(visits.c.digest == digest_of(secret)).values(values)
    database.write(lambda connection: connection.execute(changed))
    return new


def owner(database: Database, visitor: Visitor) -> Person | None:
    """Whose account it is; none if there is none. Raises `OperatorError` for an account that is closed."""
    people, identities = tables.people, tables.identities
    asked = select(people).join(identities, identities.c.person == people.c.id)
    asked = asked.where(identities.c.issuer == visitor.issuer, identities.c.subject == visitor.subject)
    row = database.read(lambda connection: connection.execute(asked).mappings().first())
    if row is None:
        return None
    if row["closed"]:
        raise OperatorError("serve-account-closed")
    return Person(row["id"], row["name"], row["role"])


def is_tied(database: Database, person: Person, issuer: str) -> bool:
    """Whether somebody signs in by this issuer."""
    identities = tables.identities
    asked = select(identities.c.id).where(identities.c.person == person.id, identities.c.issuer == issuer)
    return database.read(lambda connection: connection.execute(asked).first()) is not None


def tie(database: Database, person: Person, visit: Visit) -> None:
    """Let somebody sign in so from now on. Raises `OperatorError` where that is another account's already."""
    database.write(lambda connection: _tie(connection, person.id, visit))


def _tie(connection: Connection, person: int, visit: Visit) -> None:
    identities = tables.identities
    asked = select(identities.c.person).where(
        identities.c.issuer == visit.issuer, identities.c.subject == visit.subject
    )
    known = connection.execute(asked).scalar()
    if known is not None and known != person:
        raise OperatorError("serve-provider-tied")
    if known is None:
        row = {"issuer": visit.issuer, "subject": visit.subject, "person": person, "since": time()}
        inserted(connection, identities, row)


def sign_up(database: Database, name: str, visit: Visit, origin: str) -> Person:
    """Make an account without a password. Raises `OperatorError` for a name that is impossible or taken."""
    shown = accounts.new_name(name)
    limits.take(database, limits.SIGN_UP_FROM, origin)

    def act(connection: Connection) -> Person:
        people = tables.people
        if connection.execute(select(people.c.id).where(people.c.key == accounts.key_of(shown))).first():
            raise OperatorError("serve-name-taken", name=shown)
        row = {"name": shown, "key": accounts.key_of(shown), "password": "", "role": accounts.AUTHOR, "since": time()}
        person = Person(inserted(connection, people, row), shown, accounts.AUTHOR)
        _tie(connection, person.id, visit)
        return person

    return database.write(act)
