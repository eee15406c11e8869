"""How much one person may keep on a site: bytes and versions of what was handed in, in all ladders together.

What was handed in stays until its author deletes it, so that an older version can play again. Without a bound, one
author could fill the disk in a night, within every limit of tries. Files that are deleted count no more.
"""

from __future__ import annotations

from functools import partial

import msgspec
from sqlalchemy import Connection, func, select, update

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.people.accounts import Person
from dohyo.series.store.database import Database
from dohyo.series.store.files import AnyFiles

MEGABYTE = 1_000_000
AT_ONCE = 200  # sizes that are written in one transaction


class Quota(msgspec.Struct, frozen=True):
    """What one person may keep: so many bytes in so many versions; what is handed in twice is kept once."""

    size: int = 500 * MEGABYTE
    versions: int = 1000


USUAL = Quota()


class Kept(msgspec.Struct, frozen=True):
    """What one person keeps."""

    size: int
    versions: int

    @property
    def megabytes(self) -> str:
        """The size as pages say it."""
        return in_megabytes(self.size)


def in_megabytes(size: int) -> str:
    """A size for people, never less than there is."""
    return f"{-(-size * 10 // MEGABYTE) / 10:g}"


def kept(connection: Connection, person: Person) -> Kept:
    """What a person keeps at this moment; files of an older site whose size is not known yet count as nothing."""
    hand_ins, bots = tables.hand_ins, tables.bots
    own = select(hand_ins.c.file, func.max(hand_ins.c.size).label("size"), func.count().label("versions"))
    own = own.join(bots, hand_ins.c.bot == bots.c.id).where(bots.c.person == person.id, hand_ins.c.file != "")
    files = own.group_by(hand_ins.c.file).subquery()
    row = connection.execute(select(func.sum(files.c.size), func.sum(files.c.versions))).one()
    return Kept(int(row[0] or 0), int(row[1] or 0))


def kept_by(database: Database, person: Person) -> Kept:
    """What a person keeps, for a page."""
    return database.read(lambda connection: kept(connection, person))


def check(connection: Connection, person: Person, more: int, quota: Quota) -> None:
    """Raise `OperatorError` where a person may not keep one more hand-in of so many bytes."""
    now = kept(connection, person)
    if now.versions >= quota.versions:
        raise OperatorError("serve-quota-versions", used=now.versions, most=quota.versions)
    if now.size + more > quota.size:
        sizes = {"used": now.megabytes, "more": in_megabytes(more), "most": in_megabytes(quota.size)}
        raise OperatorError("serve-quota-size", **sizes)


# --- the judge's part


def measure(database: Database, files: AnyFiles) -> None:
    """Note the size of each hand-in of an older site, which did not; one that is gone has none."""
    hand_ins = tables.hand_ins
    asked = select(hand_ins.c.file).where(hand_ins.c.size.is_(None), hand_ins.c.file != "").distinct().limit(AT_ONCE)
    while digests := database.read(lambda connection: connection.execute(asked).scalars().all()):
        sizes = {digest: _size(files, digest) for digest in digests}
        database.write(partial(_note, sizes=sizes))


def _size(files: AnyFiles, digest: str) -> int:
    try:
        return len(files.get(digest))
    except OperatorError as error:
        if not error.key.startswith("store-file-"):
            raise
        return 0


def _note(connection: Connection, sizes: dict[str, int]) -> None:
    of = tables.hand_ins
    for digest, size in sizes.items():
        connection.execute(update(of).where(of.c.file == digest).values(size=size))
