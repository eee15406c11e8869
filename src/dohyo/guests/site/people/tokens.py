"""Tokens: what programs sign in with. Each belongs to a person, may do what its scopes say, and ends by itself."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from contextlib import suppress
from time import time
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, select, update

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.people.accounts import AUTHOR, Person
from dohyo.guests.site.people.passwords import digest_of
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database

READ, HAND_IN, ORGANISE, PLAY_DISTANT = "read", "hand-in", "organise", "play-distant"
SCOPES = (READ, HAND_IN, PLAY_DISTANT, ORGANISE)
PREFIX = "dohyo_"  # by which those who look for secrets in public places know one
LONGEST_NAME = 60
LONGEST_SECRET = 200
LONGEST_DAYS, USUAL_DAYS = 366, 90
MAX_TOKENS = 20  # of one person
DAY = 86_400.0
NOTED = 60.0  # seconds in which a second use of a token is not noted again


class Token(msgspec.Struct, frozen=True):
    """A token: whose it is, what it may do, and when it was last used (0: never)."""

    id: int
    person: Person
    name: str
    scopes: tuple[str, ...]
    since: float
    until: float
    used: float

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.until <= time()


def make(database: Database, person: Person, name: str, scopes: Collection[str], days: int) -> str:
    """Make a token that ends after some days; its secret, which is kept nowhere.

    Raises `OperatorError`: no name, no scope, one that this person may not give, too long a time, too many tokens.
    """
    told = " ".join(clean.line(name, LONGEST_NAME + 1).split())
    if not 1 <= len(told) <= LONGEST_NAME:
        raise OperatorError("serve-token-name", most=LONGEST_NAME)
    chosen = [scope for scope in SCOPES if scope in scopes]
    if not chosen or len(chosen) < len(set(scopes)) or (ORGANISE in chosen and not person.is_organiser):
        raise OperatorError("serve-token-scopes")
    if not 1 <= days <= LONGEST_DAYS:
        raise OperatorError("serve-token-days", most=LONGEST_DAYS)
    secret, now = PREFIX + secrets.token_urlsafe(32), time()

    def act(connection: Connection) -> None:
        own = tables.tokens.c.person == person.id
        connection.execute(delete(tables.tokens).where(own, tables.tokens.c.until < now - LONGEST_DAYS * DAY))
        held = select(func.count()).where(own)
        if connection.execute(held).scalar_one() >= MAX_TOKENS:
            raise OperatorError("serve-tokens-many", most=MAX_TOKENS)
        row = {"person": person.id, "name": told, "digest": digest_of(secret), "scopes": " ".join(chosen)}
        inserted(connection, tables.tokens, {**row, "since": now, "until": now + days * DAY, "used": 0.0})

    database.write(act)
    return secret


def of_person(database: Database, person: Person) -> list[Token]:
    """A person's tokens, the newest first: also those that have ended."""
    asked = _asked().where(tables.tokens.c.person == person.id).order_by(tables.tokens.c.id.desc())
    return [_token(row) for row in database.read(lambda connection: connection.execute(asked).mappings().all())]


def find(database: Database, secret: str) -> Token | None:
    """The token with this secret, noted as used; none if there is none that is still good."""
    if not secret.startswith(PREFIX) or len(secret) > LONGEST_SECRET:
        return None
    now = time()
    is_good = tables.tokens.c.until > now, tables.people.c.closed == 0
    asked = _asked().where(tables.tokens.c.digest == digest_of(secret), *is_good)
    row = database.read(lambda connection: connection.execute(asked).mappings().first())
    if row is None:
        return None
    if row["used"] < now - NOTED:
        noted = update(tables.tokens).where(tables.tokens.c.id == row["id"]).values(used=now)
        with suppress(OperatorError):  # a full disk keeps nobody from reading
            database.write(lambda connection: connection.execute(noted))
    return _token(row)


def revoke(database: Database, person: Person, number: int) -> bool:
    """Remove one of a person's own tokens; whether there was one."""
    tokens = tables.tokens
    gone = delete(tokens).where(tokens.c.id == number, tokens.c.person == person.id)
    return bool(database.write(lambda connection: connection.execute(gone).rowcount))


def bearer(token: Token) -> Person:
    """The person whom a token stands for: an organiser only where it may organise."""
    if ORGANISE in token.scopes:
        return token.person
    return msgspec.structs.replace(token.person, role=AUTHOR)


def _asked() -> Any:
    tokens, people = tables.tokens, tables.people
    whose = [column.label(f"person_{column.name}") for column in (people.c.name, people.c.role)]
    return select(tokens, *whose).join(people, tokens.c.person == people.c.id)


def _token(row: Any) -> Token:
    person = Person(row["person"], row["person_name"], row["person_role"])
    scopes = tuple(row["scopes"].split())
    return Token(row["id"], person, row["name"], scopes, row["since"], row["until"], row["used"])
