"""An author's own bots: which version of each plays, and whether any does."""

from __future__ import annotations

from collections.abc import Sequence
from time import time

import msgspec
from sqlalchemy import Connection, select, update

from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError
from dohyo.core.rulings_in_force import Ruling
from dohyo.guests.site import tables
from dohyo.guests.site.arena import hand_ins
from dohyo.guests.site.arena.hand_ins import HandInRow
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.outs import out_error, outs_in, with_outs
from dohyo.guests.site.people import leaving
from dohyo.guests.site.people.accounts import Person, key_of
from dohyo.series import taking_part
from dohyo.series.store import Store
from dohyo.series.store.database import Database
from dohyo.series.store.files import AnyFiles

MAX_VERSIONS = 500  # of a bot that are shown
DELETED = "deleted"  # why code is not in the store any more: by its author
DONE = ("contest-takes-part", "contest-no-entrant")  # what was asked for is so already


class OwnBot(msgspec.Struct, frozen=True):
    """A bot of somebody's, with its versions, the newest first; `plays` is the number of that which plays, or 0."""

    id: int
    name: str
    ladder: Ladder
    plays: int
    versions: list[HandInRow]

    @property
    def out(self) -> Ruling | None:
        """By which ruling it is disqualified, if that was asked for (`with_outs_of`) and it is."""
        return self.versions[0].out

    @property
    def entered(self) -> list[HandInRow]:
        """The versions that can play."""
        return [one for one in self.versions if one.state == "entered" and one.digest and one.file]

    @property
    def deletable(self) -> list[HandInRow]:
        """The versions whose files can be deleted: they were checked, and do not play."""
        return [one for one in self.versions if one.file and one.shown in ("refused", "replaced", "retired")]


def of_person(database: Database, person: Person, most: int | None = None) -> list[OwnBot]:
    """All of a person's bots, that with the newest hand-in first, each with so many of its newest versions."""
    found: dict[int, OwnBot] = {}
    for one in hand_ins.of_bots(database, person, most or MAX_VERSIONS):
        bot = found.setdefault(one.bot_id, OwnBot(one.bot_id, one.bot, one.ladder, one.plays, []))
        bot.versions.append(one)
    return list(found.values())


def with_outs_of(arena: Arena, bots: Sequence[OwnBot], person: Person) -> list[OwnBot]:
    """A person's bots, each with the ruling by which it is disqualified, if it is."""
    rows = iter(with_outs(arena, [one for bot in bots for one in bot.versions], person))
    return [msgspec.structs.replace(bot, versions=[next(rows) for _ in bot.versions]) for bot in bots]


def find(database: Database, person: Person, number: int) -> OwnBot | None:
    """A person's bot of this number; none if there is none, or it is somebody else's."""
    versions = hand_ins.of_bot(database, person, number, MAX_VERSIONS)
    if not versions:
        return None
    first = versions[0]
    return OwnBot(number, first.bot, first.ladder, first.plays, versions)


def choose(database: Database, arena: Arena, bot: OwnBot, version: int) -> None:
    """Let this version of a bot play from now on, in the place of the one that does.

    In a contest this decides who takes part when it begins. Raises `OperatorError` for a version that cannot play: it
    was refused, or the contest has begun.
    """
    if bot.ladder.terms is not None and bot.ladder.terms.phase(time()) != "open":
        raise OperatorError("serve-closed")
    wanted = next((one for one in bot.entered if one.version == version), None)
    if wanted is None:
        raise OperatorError("serve-no-version", version=version)
    _in_store(arena, bot, wanted.digest)
    _note(database, bot, version)


def retire(database: Database, arena: Arena, bot: OwnBot, *, for_good: bool = False) -> None:
    """Let a bot leave its ladder; its results stay.

    Raises `OperatorError` in a contest that has begun. Where the author goes `for_good` it leaves there too; of one
    that is over the standings stay, and the bot is noted as retired.
    """
    if not for_good and bot.ladder.terms is not None and bot.ladder.terms.phase(time()) == "playing":
        raise OperatorError("serve-version-fixed")  # also while the judge has not begun it yet
    try:
        _in_store(arena, bot, "", for_good)
    except OperatorError as error:
        if not (for_good and error.key == "serve-over"):
            raise
    _note(database, bot, 0)


def delete_version(database: Database, files: AnyFiles, bot: OwnBot, version: int) -> None:
    """Delete what was handed in as a version of a bot, and its check match; results stay, and what was found.

    From the store of the matches its code goes when no match needs it any more. Raises `OperatorError` for a version
    that plays, or waits for the judge, and where nothing is there to be deleted.
    """
    hand_ins, bots = tables.hand_ins, tables.bots

    def act(connection: Connection) -> set[str]:
        joined = hand_ins.join(bots, hand_ins.c.bot == bots.c.id)
        asked = select(hand_ins.c.id, hand_ins.c.file, hand_ins.c.replay, hand_ins.c.state, bots.c.plays)
        here = hand_ins.c.bot == bot.id, hand_ins.c.version == version, hand_ins.c.file != ""
        row = connection.execute(asked.select_from(joined).where(*here)).first()
        if row is None:
            raise OperatorError("serve-version-gone", version=version)
        if row.state in ("waiting", "examined") or row.plays == version:
            raise OperatorError("serve-version-needed", version=version)
        gone = {"file": "", "replay": None, "size": 0}
        connection.execute(update(hand_ins).where(hand_ins.c.id == row.id).values(gone))
        return {digest for digest in (row.file, row.replay) if digest}

    leaving.remove_files(database, files, database.write(act))


def _in_store(arena: Arena, bot: OwnBot, digest: str, for_good: bool = False) -> None:
    """Let the version of this digest take part, or none; nothing happens where that is so already.

    Who takes part in a contest that has begun stays, unless the author goes `for_good`.
    """
    with arena.opened() as store:
        if store is None:
            return
        try:
            contest = store.contest(bot.ladder.slug)
            if bot.ladder.terms is not None and (digest or not for_good) and contest.state != "over":
                raise OperatorError("serve-version-fixed")
            if digest:
                taking_part.choose_version(store, contest, bot.name, digest)
            else:
                taking_part.leave(store, contest, bot.name)
        except OperatorError as error:
            if error.key == "contest-is-disqualified":
                out = outs_in(store, [contest.name])[contest.name][bot.name]
                raise out_error(bot.name, out) from error
            if error.key == "contest-over":
                raise OperatorError("serve-over", bot=bot.name) from error
            if error.key not in (*DONE, "store-no-contest"):
                raise


def _note(database: Database, bot: OwnBot, version: int) -> None:
    bots = tables.bots

    def act(connection: Connection) -> None:
        connection.execute(update(bots).where(bots.c.id == bot.id).values(plays=version))

    database.write(act)


def entrants_of(store: Store | None, ladder: Ladder) -> list[Entrant]:
    """Everybody who takes part in a ladder, or did; nobody before the judge has begun it."""
    if store is None or ladder.slug not in {contest.name for contest in store.contests()}:
        return []
    return store.entrants(store.contest(ladder.slug).id)


def whose(database: Database, ladder: Ladder, person: Person) -> set[str]:
    """The names of a person's bots in a ladder."""
    bots = tables.bots
    asked = select(bots.c.name).where(bots.c.ladder == ladder.id, bots.c.person == person.id, bots.c.house == 0)
    return {*database.read(lambda connection: connection.execute(asked).scalars().all())}


# --- the judge's part: the code of those who have gone


class Left(msgspec.Struct, frozen=True):
    """A bot whose author has deleted the account or versions of it, with these versions' digests in the store."""

    id: int
    name: str
    slug: str
    digests: frozenset[str]


def left_behind(database: Database) -> list[Left]:
    """The bots of deleted accounts, and those with deleted versions, whose code the store still has.

    A version with the same files as one that is there still is not deleted in the store.
    """
    bots, hand_ins, ladders = tables.bots, tables.hand_ins, tables.ladders
    joined = hand_ins.join(bots, hand_ins.c.bot == bots.c.id).join(ladders, bots.c.ladder == ladders.c.id)
    asked = select(bots.c.id, bots.c.name, ladders.c.slug, hand_ins.c.digest).select_from(joined)
    same = hand_ins.alias()
    there = select(same.c.id).where(
        same.c.bot == hand_ins.c.bot, same.c.digest == hand_ins.c.digest, same.c.file != ""
    )
    asked = asked.where(hand_ins.c.file == "", hand_ins.c.digest != "", ~there.correlate(hand_ins).exists())
    rows = database.read(lambda connection: connection.execute(asked).all())
    found: dict[int, Left] = {}
    for row in rows:
        known = found.get(row.id, Left(row.id, row.name, row.slug, frozenset()))
        found[row.id] = msgspec.structs.replace(known, digests=known.digests | {row.digest})
    return list(found.values())


def forget_code(database: Database, store: Store, left: Left) -> bool:
    """Remove the code of versions from the store of the matches; not while a match of one is still to be played."""
    found = next((each for each in store.contests() if each.name == left.slug), None)
    if found is None:
        return False
    contest, is_over = found.id, found.state == "over"  # nobody leaves a contest that is over
    if is_over and store.pending(contest):
        return False
    entrants = [each for each in store.entrants(contest) if each.name == left.name]
    entrants = [each for each in entrants if each.version.digest in left.digests]
    numbers = {each.number for each in entrants}
    batches = store.progress(contest)
    waiting = store.unplayed(contest, batches[-1].batch) if batches and not batches[-1].complete else []
    if not is_over and any(each.until is None for each in entrants):
        return False
    if not is_over and any(not numbers.isdisjoint(each.seats) for each in waiting):
        return False
    others = {
        each.version.archive
        for of in store.contests()
        for each in store.entrants(of.id)
        if (of.id, each.name) != (contest, left.name) or each.version.digest not in left.digests
    }
    for entrant in entrants:
        if entrant.version.archive not in (None, *others):
            store.remove_code(str(entrant.version.archive), DELETED)
    hand_ins = tables.hand_ins
    done = update(hand_ins).where(hand_ins.c.bot == left.id, hand_ins.c.digest.in_(left.digests)).values(digest="")
    database.write(lambda connection: connection.execute(done))
    return True


def refuse_out(database: Database, arena: Arena, ladder: Ladder, person: Person, bot: str) -> None:
    """Raises `OperatorError`, with the reason, where a bot of this name is this person's, and is disqualified.

    Of another's bot nothing is said here: while standings are frozen nobody else may know it.
    """
    own = {key_of(name) for name in whose(database, ladder, person)}
    if key_of(bot) not in own:
        return
    with arena.opened() as store:
        found = outs_in(store, [ladder.slug]).get(ladder.slug, {})
    for name, ruling in found.items():
        if key_of(name) == key_of(bot):
            raise out_error(name, ruling)
