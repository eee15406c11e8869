"""Who takes part in a site: accounts with passwords, sessions, and invitations to become an organiser."""

from __future__ import annotations

import re
import secrets
import unicodedata
from time import time
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.people import browsers, limits
from dohyo.guests.site.people.passwords import digest_of, fits, hashed
from dohyo.guests.site.tables import inserted
from dohyo.i18n import LANGUAGES, Message, Speaker
from dohyo.series.store.database import Database

AUTHOR, ORGANISER = "author", "organiser"
LONGEST_NAME = 30
SESSION = 30 * 86_400.0  # seconds
INVITATION = 7 * 86_400.0
_NAME = re.compile(r"[LN]M{0,3}(?:-{0,2}[LN]M{0,3})*")
ALIKE = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"}
FILLERS = frozenset("\u115f\u1160\u3164\uffa0")  # letters that are drawn as nothing
RESERVED = frozenset({"dohyo", "organiser", "admin", "samplebot", "judge", "deleted"})


class Person(msgspec.Struct, frozen=True):
    """Somebody with an account."""

    id: int
    name: str
    role: str

    @property
    def is_organiser(self) -> bool:
        """Whether this person may make ladders."""
        return self.role == ORGANISER


def plain_name(name: str, what: str) -> str:
    """A name of a person or a bot as it is shown. Raises `OperatorError`, with the sentence about `what`.

    Letters with their marks, digits, blanks and . ' - _ in any script: nothing that is drawn as nothing, turns the
    line around, or is a pile of marks.
    """
    told = " ".join(unicodedata.normalize("NFKC", name[: 4 * LONGEST_NAME]).split())
    kinds = "".join(_kind(letter) for letter in told)
    is_unseen = clean.line(told) != told or not FILLERS.isdisjoint(told)
    if is_unseen or len(told) > LONGEST_NAME or not _NAME.fullmatch(kinds) or _mixes(told):
        wrong = next((letter for letter in told if _kind(letter) == "?" or letter in FILLERS), "")
        raise OperatorError(what, most=LONGEST_NAME, wrong=_said(wrong) if wrong else "")
    return told


def _said(letter: str) -> Message:
    """Which sign is wrong, by its number where it cannot be seen."""
    is_seen = letter.isprintable() and letter not in FILLERS
    return Message("serve-name-sign", {"sign": letter if is_seen else f"U+{ord(letter):04X}"})


def _mixes(name: str) -> bool:
    """Whether a name has letters of scripts that look alike: then one could be drawn as another one."""
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in name if letter.isalpha()}
    return len(scripts & ALIKE) > 1


def _kind(letter: str) -> str:
    """What a letter of a name is: L or N for letters and numbers, M for their marks, - for what stands between."""
    if letter in " .'-_":
        return "-"
    category = unicodedata.category(letter)
    return category[0] if category[0] in "LN" or category in ("Mn", "Mc") else "?"


def key_of(name: str) -> str:
    """The name as names are compared: two that differ in capitals or blanks alone are one.

    What is longer than any name is cut: to compose a hundred thousand marks takes ten seconds. A zero byte, which
    PostgreSQL does not take, becomes a sign that no name has.
    """
    plain = unicodedata.normalize("NFKC", name[: 4 * LONGEST_NAME])
    return plain.casefold().replace(" ", "").replace("\0", "\N{REPLACEMENT CHARACTER}")


def new_name(name: str) -> str:
    """The name of a new account. Raises `OperatorError` for one that is impossible, or the site's own."""
    shown = plain_name(name, "serve-name-bad")
    if key_of(shown) in RESERVED | {key_of(Speaker(language).say("serve.house")) for language in LANGUAGES}:
        raise OperatorError("serve-name-taken", name=shown)
    return shown


# --- accounts


def sign_up(database: Database, name: str, password: str, origin: str, invitation: str = "") -> Person:
    """Make an account. With a secret of an invitation it is an organiser's.

    Raises `OperatorError`: a name that is impossible or taken, a short password, an invitation that is over, too
    many new accounts from this address.
    """
    shown = new_name(name)
    limits.take(database, limits.SIGN_UP_FROM, origin)
    kept = hashed(password)

    def act(connection: Connection) -> Person:
        taken = (
            connection.execute(select(tables.people).where(tables.people.c.key == key_of(shown))).mappings().first()
        )
        if taken is not None and taken["password"] == kept:
            return _person(taken)  # the connection broke after it was made, and it is asked for again
        if taken is not None:
            raise OperatorError("serve-name-taken", name=shown)
        role = AUTHOR
        if invitation:
            _use(connection, invitation)
            role = ORGANISER
        row = {"name": shown, "key": key_of(shown), "password": kept, "role": role, "since": time()}
        return Person(inserted(connection, tables.people, row), shown, role)

    return database.write(act)


def sign_in(database: Database, name: str, password: str, origin: str, mark: str = "") -> Person:
    """The person of this name and password. A browser in which it has signed in before has tries of its own.

    Raises `OperatorError`, the same for an unknown name and for a wrong password, after too many tries, and
    to whoever knows the password of an account that is closed.
    """
    key = key_of(name)[:100]
    people = tables.people
    asked = select(people).where(people.c.key == key)
    row = database.read(lambda connection: connection.execute(asked).mappings().first())
    if mark and row is not None and browsers.is_marked(database, mark, row["id"]):
        tries = f"{key} browser {digest_of(mark)[:32]}"
    else:
        limits.take(database, limits.SIGN_IN_FROM, origin)
        tries = f"{key} {origin}"
    limits.take(database, limits.SIGN_IN, tries)
    if not fits(None if row is None else row["password"], password) or row is None:
        raise OperatorError("serve-sign-in-wrong")
    if row["closed"]:
        raise OperatorError("serve-account-closed")
    limits.forgive(database, limits.SIGN_IN, tries)
    return _person(row)


def _person(row: Any) -> Person:
    return Person(row["id"], row["name"], row["role"])


def of_number(database: Database, number: int) -> Person | None:
    """Whose number it is; none if there is nobody, or the account is closed."""
    people = tables.people
    wanted = select(people).where(people.c.id == number, people.c.closed == 0)
    row = database.read(lambda connection: connection.execute(wanted).mappings().first())
    return None if row is None else _person(row)


# --- sessions


def begin_session(database: Database, person: Person, browser: str = "") -> str:
    """A new session of a browser that calls itself so; the secret that it keeps."""
    secret, now = secrets.token_urlsafe(32), time()

    def act(connection: Connection) -> None:
        connection.execute(delete(tables.sessions).where(tables.sessions.c.until < now))
        row = {"digest": digest_of(secret), "person": person.id, "until": now + SESSION}
        connection.execute(insert(tables.sessions).values(**row, since=now, browser=clean.line(browser, 300)))

    database.write(act)
    return secret


def of_session(database: Database, secret: str) -> Person | None:
    """Whose session it is; none if there is no such session any more."""
    people, sessions = tables.people, tables.sessions
    wanted = (
        select(people)
        .join(sessions, sessions.c.person == people.c.id)
        .where(sessions.c.digest == digest_of(secret), sessions.c.until > time(), people.c.closed == 0)
    )
    row = database.read(lambda connection: connection.execute(wanted).mappings().first())
    return None if row is None else _person(row)


def end_session(database: Database, secret: str) -> None:
    """End a session, in every window of its browser."""
    sessions = tables.sessions
    database.write(
        lambda connection: connection.execute(delete(sessions).where(sessions.c.digest == digest_of(secret)))
    )


# --- organisers


def has_organiser(database: Database) -> bool:
    """Whether anybody can make ladders."""
    people = tables.people
    asked = select(func.count()).where(people.c.role == ORGANISER)
    return bool(database.read(lambda connection: connection.execute(asked).scalar_one()))


def invite(database: Database) -> str:
    """A new invitation to become an organiser; its secret. It can be used once, within a week."""
    secret = secrets.token_urlsafe(24)
    row = {"digest": digest_of(secret), "until": time() + INVITATION}
    database.write(lambda connection: connection.execute(insert(tables.invitations).values(row)))
    return secret


def is_open(database: Database, secret: str) -> bool:
    """Whether an invitation can be used."""
    invitations = tables.invitations
    asked = select(func.count()).where(invitations.c.digest == digest_of(secret), invitations.c.until > time())
    return bool(database.read(lambda connection: connection.execute(asked).scalar_one()))


def promote(database: Database, person: Person, invitation: str) -> Person:
    """Make a person with an account an organiser. Raises `OperatorError` for an invitation that is over."""

    def act(connection: Connection) -> None:
        own = tables.people.c.id == person.id
        if connection.execute(select(tables.people.c.role).where(own)).scalar() == ORGANISER:
            return  # already, or the connection broke after it was done: then the invitation is used up
        _use(connection, invitation)
        connection.execute(update(tables.people).where(own).values(role=ORGANISER))

    database.write(act)
    return msgspec.structs.replace(person, role=ORGANISER)


def _use(connection: Connection, secret: str) -> None:
    invitations = tables.invitations
    used = connection.execute(
        delete(invitations).where(invitations.c.digest == digest_of(secret), invitations.c.until > time())
    )
    if used.rowcount != 1:
        raise OperatorError("serve-invitation-over")
