"""What is still to be told to webhooks: written in the transaction in which it happened, so that nothing loses it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from time import time
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, select, update

from dohyo.guests.site import tables
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database

MAX_WAITING = 100  # messages of one webhook: of more, the newest are not told
PAUSES = (10.0, 60.0, 300.0, 1800.0, 7200.0, 21_600.0, 86_400.0)  # seconds between tries; then it is given up
HELD = 120.0  # seconds for which whoever sends a message has it for himself


class Message(msgspec.Struct, frozen=True):
    """A message that is sent now: to where, signed with which secret, for the how manieth time."""

    id: int
    webhook: int
    url: str
    key: str
    body: str
    tries: int

    @property
    def name(self) -> str:
        """What tells it from all others, the same at each try; a row's number comes again when it is free."""
        return f"msg_{hashlib.sha256(f'{self.id} {self.key} {self.body}'.encode()).hexdigest()[:32]}"


def note(connection: Connection, person: int, event: str, about: Mapping[str, Any]) -> None:
    """Let every webhook of a person be told of an event."""
    webhooks = tables.webhooks
    for number in connection.execute(select(webhooks.c.id).where(webhooks.c.person == person)).scalars().all():
        note_one(connection, number, event, about)


def note_one(connection: Connection, webhook: int, event: str, about: Mapping[str, Any]) -> None:
    """Let one webhook be told of an event."""
    messages, now = tables.messages, time()
    waiting = select(func.count()).where(messages.c.webhook == webhook)
    if connection.execute(waiting).scalar_one() < MAX_WAITING:
        body = msgspec.json.encode({"type": event, "timestamp": round(now), "data": about}).decode()
        inserted(connection, messages, {"webhook": webhook, "body": body, "tries": 0, "next": now})


def take(database: Database, most: int) -> list[Message]:
    """Messages whose time has come, at most one of each person's; nobody else sends them meanwhile.

    Those for addresses that do not answer come last: they keep nobody waiting.
    """
    messages, webhooks = tables.messages, tables.webhooks
    now, failed = time(), messages.alias()
    fails = select(func.max(failed.c.tries)).where(failed.c.webhook == webhooks.c.id).scalar_subquery()
    of_each = select(func.min(messages.c.id).label("id"), webhooks.c.person, fails.label("fails"))
    of_each = of_each.join(webhooks, messages.c.webhook == webhooks.c.id).where(messages.c.next <= now)
    of_each = of_each.group_by(webhooks.c.id, webhooks.c.person)

    def first(connection: Connection) -> list[int]:
        rows = sorted(connection.execute(of_each).all(), key=lambda row: (row.fails > 0, row.id))
        by_person = {row.person: row.id for row in reversed(rows)}  # of each the first
        return sorted(by_person.values(), key=[row.id for row in rows].index)[:most]

    def act(connection: Connection) -> list[Message]:
        found = []
        for number in first(connection):
            held = update(messages).where(messages.c.id == number, messages.c.next <= now).values(next=now + HELD)
            if connection.execute(held).rowcount:
                found.append(number)
        names = [webhooks.c.url, webhooks.c.key, messages.c.body, messages.c.tries]
        asked = select(messages.c.id, messages.c.webhook, *names).join(webhooks, messages.c.webhook == webhooks.c.id)
        rows: Any = connection.execute(asked.where(messages.c.id.in_(found))).mappings().all()
        return [Message(**row) for row in rows]

    if not database.read(first):
        return []
    return database.write(act)


def done(database: Database, message: Message, trouble: str) -> None:
    """Note what came of a message: empty, it was taken; otherwise it is tried again later, or given up."""
    messages, webhooks = tables.messages, tables.webhooks
    own = messages.c.id == message.id

    def act(connection: Connection) -> None:
        there = select(messages.c.body, webhooks.c.key).join(webhooks, messages.c.webhook == webhooks.c.id).where(own)
        if connection.execute(there).first() != (message.body, message.key):  # its webhook was removed meanwhile
            return
        if trouble and message.tries < len(PAUSES):
            later = {"tries": message.tries + 1, "next": time() + PAUSES[message.tries]}
            connection.execute(update(messages).where(own).values(later))
            return
        connection.execute(delete(messages).where(own))
        connection.execute(update(webhooks).where(webhooks.c.id == message.webhook).values(trouble=trouble))

    database.write(act)
