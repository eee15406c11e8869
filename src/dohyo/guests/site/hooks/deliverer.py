"""A thread of the web server that tells webhooks what there is to tell: nobody else waits for a slow receiver.

That bots played is noticed here, from the store, some minutes after they did: what a person sees of his own bots is
told, and no more. Several web servers share the work by the database.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import time
from typing import Any

import msgspec
from sqlalchemy import Connection, select, update

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import ladders, own_bots
from dohyo.guests.site.arena.contest_page import contest_lines
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.own_bots import OwnBot
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.arena.standings import bot_page
from dohyo.guests.site.hooks import outbox
from dohyo.guests.site.hooks.outbox import Message
from dohyo.guests.site.hooks.sending import send, signature
from dohyo.guests.site.people.accounts import Person
from dohyo.series.store.database import Database

PAUSE = 2.0  # seconds between two looks for something to tell
BATCH = 300.0  # seconds after which matches that were played are told together
AT_ONCE = 4  # messages that are sent at the same time
LOST = 30.0  # seconds after which a database is asked again that did not answer

Send = Callable[[str, dict[str, str], bytes], str]


class Deliverer:
    """Tells webhooks what there is to tell; a context manager, which ends its thread."""

    def __init__(self, database: Database, arena: Arena, sends: Send = send) -> None:
        self._database, self._arena, self._send = database, arena, sends
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Deliverer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join(PAUSE)

    def _run(self) -> None:
        pause = PAUSE
        while not self._ends.wait(pause):
            try:
                self.step()
                pause = PAUSE
            except OperatorError:  # the database is away: pages say so to whoever runs the site
                pause = LOST
            except Exception:  # a defect of ours
                if self._ends.is_set():  # what it works with has been closed
                    return
                sys.stderr.write(clean.block(traceback.format_exc().rstrip()) + "\n")
                pause = LOST

    def step(self) -> None:
        """Notice what was played, and tell what waits."""
        for _ in range(AT_ONCE):
            if not self._notice():
                break
        if found := outbox.take(self._database, AT_ONCE):
            with ThreadPoolExecutor(AT_ONCE) as pool:
                for message, trouble in zip(found, pool.map(self._tell, found), strict=True):
                    outbox.done(self._database, message, trouble)

    def _tell(self, message: Message) -> str:
        body, now, number = message.body.encode(), round(time()), message.name
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "dohyo-webhook",
            "webhook-id": number,
            "webhook-timestamp": str(now),
            "webhook-signature": signature(message.key, number, now, body),
        }
        return self._send(message.url, headers, body)

    # --- matches

    def _notice(self) -> bool:
        """Put what a person's bots have played since the last look among what is to be told; whether it was time."""
        webhooks, people, now = tables.webhooks, tables.people, time()
        asked = select(webhooks.c.id, webhooks.c.told, people.c.id.label("person"), people.c.name, people.c.role)
        asked = asked.join(people, webhooks.c.person == people.c.id)
        asked = asked.where(webhooks.c.looked <= now, people.c.closed == 0).limit(1)
        row = self._database.read(lambda connection: connection.execute(asked).mappings().first())
        if row is None:
            return False
        person = Person(row["person"], row["name"], row["role"])
        before = msgspec.json.decode(row["told"], type=dict[str, int])
        told, events = {}, []
        there = {
            ladder.id for ladder in ladders.all_of(self._database, person)
        }  # not those of a class that he has left
        for bot in own_bots.of_person(self._database, person):
            if bot.ladder.id not in there:
                continue
            about = self._about(bot, person)
            told[str(bot.id)] = about["matches"]
            if about["matches"] > before.get(str(bot.id), 0):
                events.append(about)

        def act(connection: Connection) -> None:
            own = update(webhooks).where(webhooks.c.id == row["id"], webhooks.c.looked <= now)
            values = {"looked": now + BATCH, "told": msgspec.json.encode(told).decode()}
            if connection.execute(own.values(values)).rowcount:
                for about in events:
                    outbox.note_one(connection, row["id"], "bot.played", about)

        self._database.write(act)
        return True

    def _about(self, bot: OwnBot, person: Person) -> dict[str, Any]:
        """How an own bot stands, as its author sees it."""
        page = None
        with suppress(OperatorError), seen(self._arena, bot.ladder, person) as store:
            page = bot_page(store, bot.ladder.slug, bot.name)
        told: dict[str, Any] = {"ladder": bot.ladder.slug, "bot": bot.name, "matches": 0}
        if page is not None:
            told |= {"matches": page.line.matches, "place": page.line.place, "rating": page.line.rating}
            if bot.ladder.terms is not None:  # there places follow from the format
                lines = contest_lines(self._arena, self._database, bot.ladder, person)
                told["place"] = next((line.place for line in lines if line.bot == bot.name), None)
        return told
