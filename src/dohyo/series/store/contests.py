"""Contests, bots with their versions, and who takes part in what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, exists, func, select, update

from dohyo.core.contest import Entrant, Version
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest
from dohyo.series.store import tables
from dohyo.series.store.columns import MOST, VERSION_COLUMNS, checksum, covered, in_pieces, read, sealed, whole
from dohyo.series.store.database import insert
from dohyo.series.store.errors import DamagedError
from dohyo.series.store.records import Contest

Batch = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
STATES = ("running", "stopped", "over")


def begin(connection: Connection, name: str, game: str, spec: dict[str, Any], at: float) -> Contest:
    """The contest of this name, a new one if there is none; the caller checks that game and spec are the same."""
    new = {"name": name, "game": game, "spec": spec, "state": "running", "begun": at, "lease": 0}
    put = insert(connection, tables.contests).values(new).on_conflict_do_nothing(index_elements=["name"])
    number = connection.execute(put.returning(tables.contests.c.id)).scalar_one_or_none()
    if number is not None:
        _seal(connection, {"id": number, **new})
    (found,) = _rows(connection, tables.contests.c.name == name)
    return found


def find(connection: Connection, name: str | None, shown: str) -> Contest:
    """The contest of this name, or the only one. Raises `OperatorError` if there is none, or several."""
    found = all_of(connection)
    names = [contest.name for contest in found]
    if not found:
        raise OperatorError("store-empty", store=shown)
    if name is None:
        if len(found) > 1:
            raise OperatorError("store-many-contests", store=shown, known=", ".join(names))
        return found[0]
    if name not in names:
        raise OperatorError(
            "store-no-contest", name=name, store=shown, nearest=nearest(name, names), known=", ".join(names)
        )
    return found[names.index(name)]


def all_of(connection: Connection) -> list[Contest]:
    """Every contest, in the order of their beginnings."""
    return _rows(connection)


def set_state(connection: Connection, contest: int, state: str) -> None:
    """Store that the contest is `running`, `stopped` or `over`."""
    connection.execute(update(tables.contests).where(tables.contests.c.id == contest).values(state=state))


def set_spec(connection: Connection, contest: int, spec: dict[str, Any]) -> None:
    """Store other terms; the caller knows that the played matches remain valid under them."""
    (found,) = _rows(connection, tables.contests.c.id == contest)
    own = {"id": found.id, "name": found.name, "game": found.game, "spec": spec, "begun": found.begun}
    _seal(connection, own, spec=spec)


def delete(connection: Connection, contest: int) -> list[str]:
    """Delete a contest and all that belongs to it; the digests of its replays that no other contest has."""
    replays: set[str] = set()
    for of in (tables.results, tables.attempts):
        shared = [
            exists().where(each.c.replay == of.c.replay, each.c.contest != contest)
            for each in (tables.results.alias(), tables.attempts.alias())
        ]
        own = select(of.c.replay).distinct().where(of.c.contest == contest, of.c.replay.is_not(None))
        replays.update(map(str, connection.execute(own.where(*(~each for each in shared))).scalars()))
    for table in reversed(tables.METADATA.sorted_tables):
        column = table.c.id if table is tables.contests else table.c.get("contest")
        if column is not None:
            connection.execute(table.delete().where(column == contest))
    return sorted(replays)


def _seal(connection: Connection, row: dict[str, Any], **values: Any) -> None:
    """Write a contest's changed values, and its checksum."""
    values["checksum"] = sealed(tables.contests, row)["checksum"]
    connection.execute(update(tables.contests).where(tables.contests.c.id == row["id"]).values(values))


def _rows(connection: Connection, *where: ColumnElement[bool]) -> list[Contest]:
    query = whole(tables.contests).where(*where).order_by(tables.contests.c.id)
    return [_contest(row) for row in read(connection, query, tables.contests)]


def _contest(row: Any) -> Contest:
    if row.state not in STATES or not isinstance(row.spec, dict):
        raise DamagedError(f"the terms or the state of contest {row.id}")
    return Contest(row.id, row.name, row.game, row.spec, row.state, row.begun)


def enter(connection: Connection, contest: int, changed: Sequence[Entrant], at: float) -> None:
    """Store entrants. For a known entrant, only `since`, `until` and `absences` may change.

    Raises `ValueError` for an entrant that is known as another version.
    """
    known = {each.number: each for each in entrants(connection, contest)}
    for entrant in changed:
        absences = [list(absence) for absence in entrant.absences]
        when = {"since": entrant.since, "until": entrant.until, "absences": absences}
        before = known.get(entrant.number)
        if before is None:
            row = {"contest": contest, "number": entrant.number, "follows": entrant.follows, **when}
            row["version"] = add_version(connection, entrant.version, at)
            connection.execute(tables.entrants.insert().values(_sealed(row, entrant.version)))
        elif (before.version.name, before.version.digest) != (entrant.version.name, entrant.version.digest):
            raise ValueError(f"entrant {entrant.number} is {before.version}, not {entrant.version}")
        elif before != entrant:
            own = (tables.entrants.c.contest == contest) & (tables.entrants.c.number == entrant.number)
            row = dict(connection.execute(select(*tables.entrants.c).where(own)).mappings().one())
            connection.execute(update(tables.entrants).where(own).values(_sealed({**row, **when}, entrant.version)))


def rename(connection: Connection, contest: int, names: Mapping[str, str], at: float) -> None:
    """Give bots other names, by those that they have: all their versions in this contest. `at`: when, from 1970."""
    for each in entrants(connection, contest):
        if each.name in names:
            version = replace(each.version, name=names[each.name])
            own = (tables.entrants.c.contest == contest) & (tables.entrants.c.number == each.number)
            row = dict(connection.execute(select(*tables.entrants.c).where(own)).mappings().one())
            row["version"] = add_version(connection, version, at)
            connection.execute(update(tables.entrants).where(own).values(_sealed(row, version)))


def _sealed(row: dict[str, Any], version: Version) -> dict[str, Any]:
    """An entrant's row with its checksum, which covers its version too."""
    return sealed(tables.entrants, row, *(getattr(version, name) for name in VERSION_COLUMNS))


def add_version(connection: Connection, version: Version, at: float) -> int:
    """The id of a bot's version, which is stored if it is new. `at`: when, from 1970."""
    bots, versions = tables.bots, tables.bot_versions
    named = insert(connection, bots).values(name=version.name).on_conflict_do_nothing(index_elements=["name"])
    connection.execute(named)
    bot = connection.execute(select(bots.c.id).where(bots.c.name == version.name)).scalar_one()
    row = {"bot": bot, "digest": version.digest, "archive": version.archive, "language": version.language}
    new = insert(connection, versions).values(since=at, **row)
    connection.execute(new.on_conflict_do_nothing(index_elements=["bot", "digest"]))
    own = (versions.c.bot == bot) & (versions.c.digest == version.digest)
    return int(connection.execute(select(versions.c.id).where(own)).scalar_one())


def entrants(connection: Connection, contest: int) -> list[Entrant]:
    """The entrants, ascending by number, from 0 on."""
    of, version, bot = tables.entrants.c, tables.bot_versions.c, tables.bots.c
    query = (
        select(*of, bot.name, version.digest, version.language, version.archive)
        .join_from(tables.entrants, tables.bot_versions)
        .join(tables.bots)
        .where(of.contest == contest)
        .order_by(of.number)
    )
    found = []
    last = len(covered(tables.entrants))
    for row in connection.execute(in_pieces(connection, query, tables.bots, tables.bot_versions)):
        known = row[-len(VERSION_COLUMNS) :]
        if row[last] != checksum(tables.entrants.name, (*row[:last], *known)):
            raise DamagedError(f"entrant {row.number} is not what was written")
        absences = () if row.absences == [] else _pairs(row.absences)
        found.append(Entrant(row.number, Version(*known), row.since, row.until, absences, row.follows))
    if len(found) != count(connection, contest):
        raise DamagedError("entrants without a version")
    for at, entrant in enumerate(found):
        if entrant.number != at or (entrant.follows is not None and entrant.follows >= at):
            raise DamagedError(f"entrant {entrant.number}")
    return found


def count(connection: Connection, contest: int) -> int:
    """How many entrants there are."""
    of = tables.entrants.c
    return int(connection.execute(select(func.count()).where(of.contest == contest)).scalar_one())


def _pairs(absences: Any) -> tuple[tuple[int, int | None], ...]:
    try:
        pairs = msgspec.convert(absences, list[tuple[Batch | None, Batch | None]])
    except msgspec.ValidationError as error:
        raise DamagedError(f"absences: {error}") from error
    return tuple((start or 0, end) for start, end in pairs)
