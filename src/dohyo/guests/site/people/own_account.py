"""One's own account: another password, the browsers that are signed in, a link for who has forgotten the password."""

from __future__ import annotations

import re
import secrets
from time import time

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.people import limits
from dohyo.guests.site.people.accounts import Person, key_of
from dohyo.guests.site.people.audit import audit
from dohyo.guests.site.people.passwords import digest_of, fits, hashed
from dohyo.series.store.database import Database

RESET = 2 * 86_400.0  # seconds for which a link for a new password is good
BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
)


class Session(msgspec.Struct, frozen=True):
    """One browser that is signed in: `name` ends this session, and is of no use for anything else."""

    name: str
    since: float
    browser: str
    is_this: bool


def check_password(database: Database, person: Person, password: str) -> None:
    """Raise `OperatorError` if it is not this person's password, or was tried too often."""
    limits.take(database, limits.PASSWORD, str(person.id))
    if not fits(_kept(database, person), password):
        raise OperatorError("serve-password-wrong")
    limits.forgive(database, limits.PASSWORD, str(person.id))


def has_password(database: Database, person: Person) -> bool:
    """Whether the person signs in by a password, and so can be asked for it."""
    return bool(_kept(database, person))


def _kept(database: Database, person: Person) -> str:
    asked = select(tables.people.c.password).where(tables.people.c.id == person.id)
    return str(database.read(lambda connection: connection.execute(asked).scalar()) or "")


def change_password(database: Database, person: Person, new: str, but: str = "") -> None:
    """Give a person another password; all sessions end, but for that with this secret. Links for another one too.

    Raises `OperatorError` for a short password.
    """
    kept = hashed(new)

    def act(connection: Connection) -> None:
        connection.execute(update(tables.people).where(tables.people.c.id == person.id).values(password=kept))
        connection.execute(delete(tables.resets).where(tables.resets.c.person == person.id))
        _end_others(connection, person, but)

    database.write(act)


# --- sessions


def sessions_of(database: Database, person: Person, secret: str) -> list[Session]:
    """The sessions of a person, the newest first; `secret` is that of the one who asks."""
    sessions = tables.sessions
    asked = select(sessions).where(sessions.c.person == person.id, sessions.c.until > time())
    asked = asked.order_by(sessions.c.since.desc()).limit(100)
    rows = database.read(lambda connection: connection.execute(asked).mappings().all())
    mine = digest_of(secret)
    return [Session(row["digest"], row["since"], shown(row["browser"]), row["digest"] == mine) for row in rows]


def shown(browser: str) -> str:
    """A browser and its system in two words, as far as it tells them."""
    name = next((told for mark, told in BROWSERS if mark in browser), "")
    system = next((told for mark, told in SYSTEMS if mark in browser), "Linux" if "Linux" in browser else "")
    return " · ".join(filter(None, (name, system))) or re.sub(r"[^\w./ -].*", "", browser)[:40].strip()


def end_session(database: Database, person: Person, name: str) -> None:
    """End one of a person's sessions."""
    sessions = tables.sessions
    ended = delete(sessions).where(sessions.c.digest == name, sessions.c.person == person.id)
    database.write(lambda connection: connection.execute(ended))


def end_others(database: Database, person: Person, secret: str) -> None:
    """End all sessions of a person but that with this secret."""
    database.write(lambda connection: _end_others(connection, person, secret))


def _end_others(connection: Connection, person: Person, secret: str) -> None:
    sessions = tables.sessions
    others = sessions.c.person == person.id, sessions.c.digest != digest_of(secret)
    connection.execute(delete(sessions).where(*others))


# --- a password that somebody has forgotten


def make_reset(database: Database, by: Person, name: str) -> tuple[str, Person]:
    """The secret of a link by which the person of this name chooses another password, once; and who that is.

    An earlier one is good no more. The log says `by` whom. Raises `OperatorError` where nobody is called so.
    """
    secret = secrets.token_urlsafe(24)

    def act(connection: Connection) -> Person:
        people, resets = tables.people, tables.resets
        row = connection.execute(select(people).where(people.c.key == key_of(name)[:100])).mappings().first()
        if row is None or ":" in name:  # which only accounts have that were deleted
            raise OperatorError("serve-nobody-called", name=name)
        connection.execute(delete(resets).where((resets.c.person == row["id"]) | (resets.c.until < time())))
        made = {"digest": digest_of(secret), "person": row["id"], "until": time() + RESET}
        connection.execute(insert(resets).values(made))
        audit(connection, by, "reset-link", {"name": row["name"]})
        return Person(row["id"], row["name"], row["role"])

    return secret, database.write(act)


def of_reset(database: Database, secret: str) -> Person | None:
    """Whose link it is; none if it is used up or too old."""
    people, resets = tables.people, tables.resets
    asked = select(people).join(resets, resets.c.person == people.c.id)
    asked = asked.where(resets.c.digest == digest_of(secret), resets.c.until > time())
    row = database.read(lambda connection: connection.execute(asked).mappings().first())
    return None if row is None else Person(row["id"], row["name"], row["role"])


def use_reset(database: Database, secret: str, new: str) -> None:
    """Give the person of a link another password; all by which somebody else may still come in or listen ends.

    That is all sessions, tokens, webhooks, and accounts elsewhere that sign this person in; and the link.

    Raises `OperatorError` for a short password, and for a link that is used up or too old.
    """
    if of_reset(database, secret) is None:  # before the work of a password is done for nobody
        raise OperatorError("serve-reset-over")
    kept = hashed(new)

    def act(connection: Connection) -> None:
        resets = tables.resets
        mine = resets.c.digest == digest_of(secret), resets.c.until > time()
        number = connection.execute(select(resets.c.person).where(*mine)).scalar()
        if number is None or connection.execute(delete(resets).where(*mine)).rowcount != 1:
            raise OperatorError("serve-reset-over")
        connection.execute(update(tables.people).where(tables.people.c.id == number).values(password=kept))
        hooks = select(tables.webhooks.c.id).where(tables.webhooks.c.person == number)
        connection.execute(delete(tables.messages).where(tables.messages.c.webhook.in_(hooks)))
        for table in (tables.sessions, tables.tokens, tables.webhooks, tables.identities):
            connection.execute(delete(table).where(table.c.person == number))

    database.write(act)
