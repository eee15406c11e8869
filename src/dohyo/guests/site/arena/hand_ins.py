"""Hand-ins: what somebody handed in, under which name, and what became of it.

A hand-in is accepted when its bytes and its row are on the disk; from then on nothing loses it. It waits until the
judge examines it. A judge that was killed meanwhile finds it again, as `examined` says only that one has begun.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from time import time
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, Select, exists, func, or_, select, update

from dohyo.bots.content import listed
from dohyo.core.errors import OperatorError
from dohyo.core.rulings_in_force import Ruling
from dohyo.guests.site import tables
from dohyo.guests.site.arena import quota
from dohyo.guests.site.arena.contests import check_entry, most_bots
from dohyo.guests.site.arena.judges import LOST, moment
from dohyo.guests.site.arena.ladders import Ladder, of_row
from dohyo.guests.site.arena.quota import USUAL, Quota
from dohyo.guests.site.hooks import outbox
from dohyo.guests.site.people import limits
from dohyo.guests.site.people.accounts import Person, key_of, plain_name
from dohyo.guests.site.people.pseudonyms import pseudonym
from dohyo.guests.site.tables import inserted
from dohyo.match.hand_in_names import received_name
from dohyo.series.store.database import Database
from dohyo.series.store.files import AnyFiles

State = Literal["waiting", "examined", "refused", "entered"]
LONGEST_FILENAME = 100
MAX_WAITING = 5  # hand-ins of one person that wait at the same time
TURNS = 3600.0  # seconds in which hand-ins of one author count, when it is decided who comes next
MAX_BOTS = 10  # names of one person in one ladder


class HandInRow(msgspec.Struct, frozen=True):
    """One hand-in: whose it is, of which bot and ladder, where it lies, and what became of it (see `tables.py`).

    What was `found` is there only where one is asked for by its number (`find`), and `out`, by which ruling its bot
    is disqualified, only where the store of the matches was asked as well (`outs.with_outs`).
    """

    id: int
    bot: str
    version: int
    person: int
    author: str
    ladder: Ladder
    filename: str
    file: str
    at: float
    state: State
    found: str = ""
    replay: str | None = None
    plays: int = 0  # the version of the bot that plays, 0 for none
    digest: str = ""
    bot_id: int = 0
    out: Ruling | None = None

    @property
    def shown(self) -> str:
        """Its state as people see it: one that was replaced, is retired or disqualified plays no more."""
        if self.state == "entered" and self.version == self.plays and self.out is not None:
            return "disqualified"
        if self.state != "entered" or self.version == self.plays:
            return self.state
        return "replaced" if self.plays else "retired"


def hand_in(
    database: Database,
    files: AnyFiles,
    ladder: Ladder,
    person: Person,
    bot: str,
    filename: str,
    content: bytes,
    allowed: Quota = USUAL,
) -> int:
    """Accept a hand-in: it is stored, and waits for the judge; its number. A person keeps as much as is `allowed`.

    Raises `OperatorError`: an impossible name, one of another person's, an empty file, too many of one person.
    """
    if not content:
        raise OperatorError("serve-hand-in-empty")
    name = plain_name(bot, "serve-bot-name-bad")
    limits.take(database, limits.HAND_IN, str(person.id))
    checked = partial(_check, ladder=ladder, person=person, name=name)
    within = partial(quota.check, person=person, more=len(content), quota=allowed)
    database.read(within)
    database.read(checked)  # before anything is kept
    digest, ticket = files.put(content), secrets.token_hex(16)

    def act(connection: Connection) -> int:
        hand_ins = tables.hand_ins
        if (
            known := connection.execute(select(hand_ins.c.id).where(hand_ins.c.ticket == ticket)).scalar()
        ) is not None:
            return int(known)  # the connection broke after it was accepted, and it is asked for again
        within(connection)
        own = checked(connection)
        if own is None:
            values = {"ladder": ladder.id, "person": person.id, "name": name, "key": key_of(name)}
            own = inserted(connection, tables.bots, values)
        given = {"filename": received_name(filename), "file": digest, "size": len(content), "ticket": ticket}
        return _insert(connection, own, given)

    number = database.write(act)
    with suppress(OperatorError):  # it is there already, but for one that was removed until a row named it
        files.put(content)
    return number


def _insert(connection: Connection, bot: int, given: dict[str, Any]) -> int:
    """Insert what was given as the next version of a bot; its number."""
    hand_ins = tables.hand_ins
    before = select(func.count()).where(hand_ins.c.bot == bot)
    version = connection.execute(before).scalar_one() + 1
    row = {"bot": bot, "version": version, "at": time(), "state": "waiting", "found": "", **given}
    return inserted(connection, hand_ins, row)


def _check(connection: Connection, ladder: Ladder, person: Person, name: str) -> int | None:
    """The number of the person's bot of this name; none if it is a new one.

    Raises `OperatorError` where it is somebody else's, where this person has too many bots or waiting hand-ins, and
    where a contest takes none of this person at this moment.
    """
    check_entry(connection, ladder, person)
    bots, hand_ins = tables.bots, tables.hand_ins
    joined = hand_ins.join(bots, hand_ins.c.bot == bots.c.id)
    mine = bots.c.person == person.id
    waiting = select(func.count()).select_from(joined).where(mine, hand_ins.c.state.in_(("waiting", "examined")))
    if connection.execute(waiting).scalar_one() >= MAX_WAITING:
        raise OperatorError("serve-hand-ins-wait", most=MAX_WAITING)
    here = bots.c.ladder == ladder.id
    row = connection.execute(select(bots).where(here, bots.c.key == key_of(name))).mappings().first()
    if row is not None and (row["person"] != person.id or row["house"]):
        raise OperatorError("serve-bot-taken", bot=name)
    if row is not None and row["distant"]:
        raise OperatorError("serve-bot-distant", bot=name)
    number = None if row is None else int(row["id"])
    _check_count(connection, ladder, person, number)
    return number


def _check_count(connection: Connection, ladder: Ladder, person: Person, number: int | None) -> None:
    """Raise `OperatorError` where a person has too many bots for the one of this number, or for a new one, to play.

    One of which every hand-in was refused takes nobody's place. But its name is taken, and names are bounded as well.
    """
    bots, own = tables.bots, tables.hand_ins
    can_play = bots.c.distant == 1, exists().where(own.c.bot == bots.c.id, own.c.state != "refused")
    mine = bots.c.ladder == ladder.id, bots.c.person == person.id, bots.c.house == 0
    asked = select(bots.c.id, bots.c.name, or_(*can_play).label("can_play")).where(*mine).order_by(bots.c.id)
    rows = connection.execute(asked).all()
    playing = {row.id: row.name for row in rows if row.can_play}
    if number not in playing and len(playing) >= (most := most_bots(ladder, MAX_BOTS)):
        raise OperatorError("serve-bots-many", most=most, bots=listed(playing.values()))
    if number is None and len(rows) >= (most := max(most_bots(ladder, MAX_BOTS), MAX_BOTS)):
        raise OperatorError("serve-bot-names-many", most=most, bots=listed(row.name for row in rows))


# --- reading


def _asked(*, whole: bool = False) -> Select[Any]:
    """What is asked of hand-ins. Only of a `whole` one what was found: it may be long, and lists have very many."""
    hand_ins, bots, ladders, people = tables.hand_ins, tables.bots, tables.ladders, tables.people
    joined = hand_ins.join(bots, hand_ins.c.bot == bots.c.id).join(ladders, bots.c.ladder == ladders.c.id)
    joined = joined.join(people, bots.c.person == people.c.id)
    left_out = ("bot", "done", "ticket", "judge", "size", *(() if whole else ("found",)))
    own = [column for column in hand_ins.c if column.name not in left_out]
    return select(
        *own,
        bots.c.name.label("bot_name"),
        bots.c.id.label("bot_id"),
        bots.c.person,
        people.c.name.label("author"),
        bots.c.plays,
        *(column.label(f"ladder_{column.name}") for column in ladders.c),
    ).select_from(joined)


def _row(found: Any) -> HandInRow:
    ladder = of_row(found, "ladder_")
    same = ["id", "version", "person", "author", "filename", "file", "at", "state", "replay", "plays", "digest"]
    more = {"found": found.get("found", ""), "bot_id": found["bot_id"]}
    return HandInRow(bot=found["bot_name"], ladder=ladder, **{name: found[name] for name in same}, **more)


def find(database: Database, number: int) -> HandInRow | None:
    """The hand-in of this number, with what was found; none if there is none."""
    asked = _asked(whole=True).where(tables.hand_ins.c.id == number)
    row = database.read(lambda connection: connection.execute(asked).mappings().first())
    return None if row is None else _row(row)


def state_of(database: Database, number: int) -> State | None:
    """The state of the hand-in of this number; none if there is none."""
    asked = select(tables.hand_ins.c.state).where(tables.hand_ins.c.id == number)
    found: State | None = database.read(lambda connection: connection.execute(asked).scalar())
    return found


def of_person(
    database: Database, person: Person, ladder: Ladder | None = None, most: int = 50, before: int | None = None
) -> list[HandInRow]:
    """A person's hand-ins, the newest first; those before the one of a number, to go on page by page."""
    asked = _asked().where(tables.bots.c.person == person.id).order_by(tables.hand_ins.c.id.desc()).limit(most)
    if ladder is not None:
        asked = asked.where(tables.bots.c.ladder == ladder.id)
    if before is not None:
        asked = asked.where(tables.hand_ins.c.id < before)
    return [_row(row) for row in database.read(lambda connection: connection.execute(asked).mappings().all())]


def of_bot(database: Database, person: Person, bot: int, most: int = 50) -> list[HandInRow]:
    """The hand-ins of a person's bot, the newest first; none if it is somebody else's."""
    bots = tables.bots
    asked = _asked().where(bots.c.id == bot, bots.c.person == person.id, bots.c.house == 0)
    asked = asked.order_by(tables.hand_ins.c.id.desc()).limit(most)
    return [_row(row) for row in database.read(lambda connection: connection.execute(asked).mappings().all())]


def of_bots(database: Database, person: Person, most: int) -> list[HandInRow]:
    """The newest hand-ins of each of a person's bots, so many of one; the newest of all first."""
    bots, own = tables.bots, tables.hand_ins
    place = func.row_number().over(partition_by=own.c.bot, order_by=own.c.id.desc()).label("place")
    mine = select(own.c.id, place).join(bots, own.c.bot == bots.c.id).where(bots.c.person == person.id)
    counted = mine.subquery()
    asked = _asked().where(own.c.id.in_(select(counted.c.id).where(counted.c.place <= most)))
    asked = asked.order_by(own.c.id.desc())
    return [_row(row) for row in database.read(lambda connection: connection.execute(asked).mappings().all())]


def of_ladder(database: Database, ladder: Ladder, most: int = 50) -> list[HandInRow]:
    """The hand-ins of a ladder, the newest first: for its organisers."""
    asked = _asked().where(tables.bots.c.ladder == ladder.id).order_by(tables.hand_ins.c.id.desc()).limit(most)
    return [_row(row) for row in database.read(lambda connection: connection.execute(asked).mappings().all())]


def finals(database: Database, ladder: Ladder) -> list[HandInRow]:
    """The version of each bot that plays in a contest: the one that plays when nobody hands in any more."""
    bots, own = tables.bots.c, tables.hand_ins.c
    asked = _asked().where(bots.ladder == ladder.id, own.state == "entered", own.version == bots.plays)
    asked = asked.order_by(own.id)
    return [_row(row) for row in database.read(lambda connection: connection.execute(asked).mappings().all())]


def authors(
    database: Database, ladder: Ladder, names: Collection[str], reader: Person | None = None
) -> dict[str, str]:
    """Who handed in what in a ladder, by the names of these bots, as `reader` may know it (none: a visitor).

    Where the ladder shows pseudonyms, authors' own names are for themselves and organisers. Bots of the house are
    nobody's.
    """
    bots, people, settings = tables.bots.c, tables.people, tables.settings.c
    asked = select(bots.name, bots.person, people.c.name.label("author")).join(people, bots.person == people.c.id)
    asked = asked.where(bots.ladder == ladder.id, bots.key.in_({key_of(name) for name in names}), bots.house == 0)
    found = database.read(lambda connection: connection.execute(asked).all())
    if not ladder.pseudonyms or (reader is not None and reader.is_organiser):
        return {name: author for name, _, author in found}
    asked_secret = select(settings.value).where(settings.name == "secret")
    secret = str(database.read(lambda connection: connection.execute(asked_secret).scalar_one()))
    own = None if reader is None else reader.id
    return {name: author if person == own else pseudonym(secret, ladder.id, person) for name, person, author in found}


def numbers(database: Database, ladder: Ladder, bot: str) -> dict[str, int]:
    """The numbers of a bot's versions as its author knows them, by their digests in the store.

    Of the same files handed in twice the newer number.
    """
    bots, own = tables.bots.c, tables.hand_ins.c
    asked = select(own.digest, own.version).join(tables.bots, own.bot == bots.id).order_by(own.version)
    asked = asked.where(bots.ladder == ladder.id, bots.key == key_of(bot), own.digest != "", own.state == "entered")
    found = database.read(lambda connection: connection.execute(asked).all())
    return {digest: version for digest, version in found}  # noqa: C416


def newest(database: Database, ladder: Ladder, most: int) -> list[HandInRow]:
    """The newest hand-in of each bot of a ladder whose files are still there, the newest first."""
    bots, own = tables.bots, tables.hand_ins
    last = select(func.max(own.c.id)).join(bots, own.c.bot == bots.c.id)
    last = last.where(bots.c.ladder == ladder.id, bots.c.house == 0, own.c.file != "").group_by(own.c.bot)
    asked = _asked().where(own.c.id.in_(last)).order_by(own.c.id.desc()).limit(most)
    return [_row(row) for row in database.read(lambda connection: connection.execute(asked).mappings().all())]


def count_newest(database: Database, ladder: Ladder) -> int:
    """How many bots of a ladder have a hand-in whose files are still there."""
    bots, own = tables.bots, tables.hand_ins
    asked = select(func.count(own.c.bot.distinct())).join(bots, own.c.bot == bots.c.id)
    asked = asked.where(bots.c.ladder == ladder.id, bots.c.house == 0, own.c.file != "")
    return int(database.read(lambda connection: connection.execute(asked).scalar_one()))


def owners(database: Database, ladder: Ladder) -> dict[str, int]:
    """Whose the bots of a ladder are, by their names; without those of the house."""
    bots = tables.bots.c
    asked = select(bots.name, bots.person).where(bots.ladder == ladder.id, bots.house == 0)
    found = database.read(lambda connection: connection.execute(asked).all())
    return {name: person for name, person in found}  # noqa: C416


def bots_of(database: Database, person: Person, ladder: Ladder) -> list[str]:
    """The names of a person's bots in a ladder; `names_of` is for within a transaction."""
    return database.read(lambda connection: names_of(connection, person, ladder))


def names_of(connection: Connection, person: Person, ladder: Ladder) -> list[str]:
    """The names of a person's bots in a ladder, the oldest first, those that stay at home among them."""
    bots = tables.bots.c
    asked = (
        select(bots.name).where(bots.ladder == ladder.id, bots.person == person.id, bots.house == 0).order_by(bots.id)
    )
    return [*connection.execute(asked).scalars().all()]


# --- the judge's part


def next_waiting(database: Database, judge: str, without: Collection[int] = ()) -> HandInRow | None:
    """The next hand-in that nobody has examined to its end; it counts as being examined by this judge from now on.

    Those of the ladders `without`, by number, wait on. Of one bot's versions, one is examined after the other: the
    newer one has to enter last.
    """
    hand_ins, bots = tables.hand_ins, tables.bots

    def act(connection: Connection) -> int | None:
        # Authors take turns: who had fewer hand-ins examined in the last hour comes first.
        others, theirs = hand_ins.alias(), bots.alias()
        joined = others.join(theirs, others.c.bot == theirs.c.id)
        lately = (
            select(func.count())
            .select_from(joined)
            .where(theirs.c.person == bots.c.person, others.c.done > time() - TURNS)
        )
        earlier = hand_ins.alias()
        busy = select(earlier.c.bot).where(earlier.c.state == "examined")
        asked = select(hand_ins.c.id).join(bots, hand_ins.c.bot == bots.c.id).where(hand_ins.c.state == "waiting")
        asked = asked.where(bots.c.ladder.not_in(without), bots.c.id.not_in(busy))
        asked = asked.order_by(lately.correlate(bots).scalar_subquery(), hand_ins.c.id).limit(1)
        number = connection.execute(asked).scalar()
        if number is not None:
            taken = update(hand_ins).where(hand_ins.c.id == number)
            connection.execute(taken.values(state="examined", judge=judge))
        return number

    number = database.write(act)
    return None if number is None else find(database, number)


def waits(database: Database) -> bool:
    """Whether a hand-in waits."""
    asked = select(func.count()).where(tables.hand_ins.c.state == "waiting")
    return bool(database.read(lambda connection: connection.execute(asked).scalar_one()))


def begin_again(database: Database, judge: str) -> None:
    """Let hand-ins wait again that this judge, or one that is no more, has begun with and not finished."""
    hand_ins, judges = tables.hand_ins, tables.judges

    def act(connection: Connection) -> None:
        there = select(judges.c.name).where(judges.c.name != judge, judges.c.seen > moment(connection) - LOST)
        left = or_(hand_ins.c.judge.is_(None), hand_ins.c.judge.not_in(there))
        connection.execute(update(hand_ins).where(hand_ins.c.state == "examined", left).values(state="waiting"))

    database.write(act)


def is_examined(database: Database, number: int) -> bool:
    """Whether a hand-in is still to be examined: its author may have withdrawn it by deleting the account."""
    asked = select(tables.hand_ins.c.state).where(tables.hand_ins.c.id == number)
    return database.read(lambda connection: connection.execute(asked).scalar()) == "examined"


def finish(
    database: Database,
    number: int,
    judge: str,
    state: State,
    found: str,
    replay: str | None,
    digest: str = "",
    size: int = 0,
) -> bool:
    """Store what became of a hand-in; one that was entered plays from now on, under this digest in the store.

    Its author keeps `size` bytes of it, if that is more than what was handed in: so much it has unpacked.
    Returns whether it was still this judge's: if not, nothing is stored.
    """
    hand_ins, bots = tables.hand_ins, tables.bots
    values = {"state": state, "found": found, "replay": replay, "done": time(), "digest": digest}

    def act(connection: Connection) -> bool:
        own = [hand_ins.c.id == number, hand_ins.c.judge == judge, hand_ins.c.state.in_(("examined", state))]
        if not connection.execute(update(hand_ins).where(*own).values(values)).rowcount:
            return False
        if state == "entered":
            wanted = select(hand_ins.c.bot, hand_ins.c.version, hand_ins.c.size).where(hand_ins.c.id == number)
            row = connection.execute(wanted).one()
            if size > (row.size or 0):
                connection.execute(update(hand_ins).where(hand_ins.c.id == number).values(size=size))
            connection.execute(update(bots).where(bots.c.id == row.bot).values(plays=row.version))
        one = _row(connection.execute(_asked().where(hand_ins.c.id == number)).mappings().one())
        about = {"hand_in": number, "ladder": one.ladder.slug, "bot": one.bot, "version": one.version, "state": state}
        outbox.note(connection, one.person, "hand-in.examined", about)
        return True

    return database.write(act)


def refuse(database: Database, number: int, found: str) -> None:
    """Refuse a hand-in that had passed the check: when its contest began, it could not be built any more."""
    hand_ins = tables.hand_ins
    database.write(
        lambda connection: connection.execute(
            update(hand_ins).where(hand_ins.c.id == number).values(state="refused", found=found)
        )
    )
