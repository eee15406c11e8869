"""Bots that stay at home: who may connect one, and which there are in a ladder."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from dohyo.bots.content import listed
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.hand_ins import MAX_BOTS, names_of
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.distant.wire import Hello
from dohyo.guests.site.people import tokens
from dohyo.guests.site.people.accounts import Person, key_of, plain_name
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database


class Admitted(NamedTuple):
    """Who may play: the bot's number, its name, whose it is, its ladder's name in addresses, and its game."""

    bot: int
    name: str
    person: int
    ladder: str
    game: str


def admit(database: Database, hello: Hello) -> Admitted:
    """The bot that says hello; a name that is nobody's yet becomes this person's.

    Raises `OperatorError` for a token that is not good for it, a ladder that takes no such bots, and for a name that
    is another bot's.
    """
    token = tokens.find(database, hello.token)
    if token is None:
        raise OperatorError("serve-distant-token")
    if tokens.PLAY_DISTANT not in token.scopes:
        raise OperatorError("serve-distant-scope")
    ladder = ladders.find(database, hello.ladder, token.person)
    if ladder is None:
        raise OperatorError("serve-distant-no-ladder")
    name = plain_name(hello.bot, "serve-bot-name-bad")
    number = database.read(lambda connection: _bot(connection, ladder, token.person, name))
    if number is None:
        number = database.write(lambda connection: _made(connection, ladder, token.person, name))
    return Admitted(number, name, token.person.id, ladder.slug, ladder.game)


def _bot(connection: Connection, ladder: Ladder, person: Person, name: str) -> int | None:
    """The number of a person's bot; none where the name is nobody's yet."""
    asked = select(tables.ladders).where(tables.ladders.c.id == ladder.id)
    now = ladders.of_row(connection.execute(asked).mappings().one())
    if now.retired is not None:
        raise OperatorError("serve-retired")
    if not now.distant or now.terms is not None:
        raise OperatorError("serve-distant-not-here", ladder=ladder.title)
    bots = tables.bots
    here = bots.c.ladder == ladder.id
    row = connection.execute(select(bots).where(here, bots.c.key == key_of(name))).mappings().first()
    if row is None:
        if len(own := names_of(connection, person, ladder)) >= MAX_BOTS:
            raise OperatorError("serve-bot-names-many", most=MAX_BOTS, bots=listed(own))
        return None
    if row["person"] != person.id or row["house"]:
        raise OperatorError("serve-bot-taken", bot=name)
    if not row["distant"]:
        raise OperatorError("serve-distant-handed-in", bot=name)
    return int(row["id"])


def _made(connection: Connection, ladder: Ladder, person: Person, name: str) -> int:
    """The number of a person's bot, made where there is none."""
    found = _bot(connection, ladder, person, name)
    values = {"ladder": ladder.id, "person": person.id, "name": name, "key": key_of(name), "distant": 1}
    return inserted(connection, tables.bots, values) if found is None else found


def of_ladder(database: Database, ladder: Ladder) -> dict[int, str]:
    """The bots of a ladder that stay at home, by their numbers: their names."""
    bots: Any = tables.bots.c
    asked = select(bots.id, bots.name).where(bots.ladder == ladder.id, bots.distant == 1).order_by(bots.id)
    found = database.read(lambda connection: connection.execute(asked).all())
    return {number: name for number, name in found}  # noqa: C416
