"""Webhooks: the addresses at which people want to be told of their own bots."""

from __future__ import annotations

import base64
import secrets
from time import time
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, select

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.hooks.sending import SECRET, checked
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database

MAX_WEBHOOKS = 5  # of one person


class Webhook(msgspec.Struct, frozen=True):
    """A webhook: `waiting` messages are still to be sent, `trouble` is a word for why the last was given up."""

    id: int
    url: str
    since: float
    trouble: str
    waiting: int


def make(database: Database, person: Person, url: str) -> str:
    """Register an address; the secret by which its messages are signed, for its owner to see once.

    Raises `OperatorError` for an impossible address, and for too many.
    """
    told = checked(url)
    secret = SECRET + base64.b64encode(secrets.token_bytes(32)).decode()

    def act(connection: Connection) -> None:
        held = select(func.count()).where(tables.webhooks.c.person == person.id)
        if connection.execute(held).scalar_one() >= MAX_WEBHOOKS:
            raise OperatorError("serve-hooks-many", most=MAX_WEBHOOKS)
        row = {"person": person.id, "url": told, "key": secret, "since": time(), "told": "{}"}
        inserted(connection, tables.webhooks, {**row, "looked": 0.0, "trouble": ""})

    database.write(act)
    return secret


def of_person(database: Database, person: Person) -> list[Webhook]:
    """A person's webhooks, the oldest first."""
    webhooks, messages = tables.webhooks, tables.messages
    waiting = select(func.count()).where(messages.c.webhook == webhooks.c.id).correlate(webhooks).scalar_subquery()
    names = [webhooks.c[name] for name in ("id", "url", "since", "trouble")]
    asked = select(*names, waiting.label("waiting")).where(webhooks.c.person == person.id).order_by(webhooks.c.id)
    rows: Any = database.read(lambda connection: connection.execute(asked).mappings().all())
    return [Webhook(**row) for row in rows]


def remove(database: Database, person: Person, number: int) -> bool:
    """Remove one of a person's own webhooks, with what was to be told there; whether there was one."""
    webhooks, messages = tables.webhooks, tables.messages

    def act(connection: Connection) -> bool:
        own = select(webhooks.c.id).where(webhooks.c.id == number, webhooks.c.person == person.id)
        connection.execute(delete(messages).where(messages.c.webhook.in_(own)))
        return bool(connection.execute(delete(webhooks).where(webhooks.c.id.in_(own))).rowcount)

    return database.write(act)
