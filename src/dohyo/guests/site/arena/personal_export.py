"""All that a site has of a person, as a zip: the account, what was handed in, what was found, results."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import zipfile
from datetime import UTC, datetime
from typing import IO, Any

import msgspec
from sqlalchemy import select

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import hand_ins, ladders, own_bots
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.own_bots import OwnBot
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.people.accounts import Person
from dohyo.match.hand_in_names import received_name
from dohyo.series.store import Store
from dohyo.series.store.database import Database
from dohyo.series.store.files import AnyFiles

MAX_MATCHES = 100_000  # of a bot
MAX_VERSIONS = 1_000_000  # of a bot: all
COLUMNS = ("ladder", "match", "seat", "bot", "place", "faults")
SECRETS = ("password", "digest", "key", "file", "found")  # columns that are of no use to anybody, or stand elsewhere


def export(site: SiteFolder, database: Database, arena: Arena, person: Person) -> IO[bytes]:
    """A file without a name that holds the zip, at its beginning; it is gone when it is closed."""
    file: IO[bytes] = tempfile.TemporaryFile(dir=site.home)  # noqa: SIM115
    try:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, rows in _rows(database, person).items():
                archive.writestr(f"{name}.json", _json(rows))
            bots = own_bots.of_person(database, person, MAX_VERSIONS)
            _write_bots(archive, site, database, bots)
            there = {ladder.id for ladder in ladders.all_of(database, person)}
            _write_results(archive, arena, person, [bot for bot in bots if bot.ladder.id in there])
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file


def _rows(database: Database, person: Person) -> dict[str, list[dict[str, Any]]]:
    """The rows about a person, by table: without secrets, of which only digests are kept anyway."""
    people = tables.people
    told: dict[str, list[dict[str, Any]]] = {}
    with database.reading() as connection:
        for table in tables.METADATA.sorted_tables:
            own = table.c.id == person.id if table is people else None
            if table is not people and "person" in table.c and table.c.person.references(people.c.id):
                own = table.c.person == person.id
            if own is None:
                continue
            columns = [column for column in table.c if column.name not in SECRETS]
            rows = connection.execute(select(*columns).where(own)).mappings().all()
            told["account" if table is people else table.name] = [_plain(dict(row)) for row in rows]
    return told


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its moments as people write them."""
    moments = {"since", "until", "at", "done", "used"} & {*row}
    told = {name: datetime.fromtimestamp(row[name], UTC).isoformat() for name in moments if row[name] is not None}
    return {**row, **told}


def _write_bots(archive: zipfile.ZipFile, site: SiteFolder, database: Database, bots: list[OwnBot]) -> None:
    """What was handed in, what the judge found, and the replays of the check matches."""
    files = site.files()
    for bot in bots:
        for one in bot.versions:
            place = f"hand-ins/{bot.ladder.slug}/{received_name(bot.name)}-{bot.id}/{one.version}"
            about = {
                "bot": bot.name,
                "version": one.version,
                "state": one.shown,
                "filename": one.filename,
                "at": one.at,
            }
            whole = hand_ins.find(database, one.id)
            found = json.loads(whole.found) if whole is not None and whole.found else {}
            found.pop("batch", None)  # older sites noted it: it says how much was played, also of a frozen ladder
            archive.writestr(f"{place}/about.json", _json({**_plain(about), "found": found or None}))
            for name, digest in ((one.filename, one.file), ("check.replay", one.replay)):
                if digest:
                    _write_file(archive, files, f"{place}/{name}", digest)


def _write_file(archive: zipfile.ZipFile, files: AnyFiles, name: str, digest: str) -> None:
    """Write a file; one that its author has deleted in another window meanwhile is not there any more."""
    try:
        content = files.get(digest)
    except OperatorError as error:
        if error.key != "store-file-missing":
            raise
        return
    archive.writestr(name, content)


def _write_results(archive: zipfile.ZipFile, arena: Arena, person: Person, bots: list[OwnBot]) -> None:
    """Who sat where in the matches of one's own bots, as a table, and with which place: what the person may see."""
    with archive.open("results.csv", "w") as raw, io.TextIOWrapper(raw, "utf-8", newline="") as text:
        table = csv.writer(text)
        table.writerow(COLUMNS)
        for bot in bots:
            with seen(arena, bot.ladder, person) as store:
                if store is not None:
                    table.writerows(_results(store, bot))


def _results(store: Store, bot: OwnBot) -> list[tuple[object, ...]]:
    try:
        contest = store.contest(bot.ladder.slug).id
    except OperatorError as error:
        if error.key in ("store-no-contest", "store-empty"):
            return []
        raise
    names = {entrant.number: entrant.name for entrant in store.entrants(contest)}
    mine = [number for number, name in names.items() if name == bot.name]
    return [
        (bot.ladder.slug, one.match, one.seat, names[one.entrant], one.place, " ".join(one.faults))
        for one in store.seated(contest, mine, MAX_MATCHES)
    ]


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2)
