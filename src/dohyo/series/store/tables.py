"""The tables of a store.

Times are seconds since 1970 (UTC), digests SHA-256 in hex. `number` counts from 0 within its contest.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
)

from dohyo.series.store.columns import Long, Moment, Real, Whole, Words

METADATA = MetaData()
VERSION_TABLE = "dohyo_version"
# Of these tables. Whoever changes them takes the next number, or a store of the old ones would be called damaged;
# after 0.1.0 with the step that brings older ones up. Development versions before had 0001 to 0005.
VERSION = "0006"
APPLICATION = 0x444F4859  # "DOHY": what SQLite files of ours carry in their header

# Which version the tables are of: the table that alembic, which could take such steps, makes for this.
STAMP = Table(
    VERSION_TABLE,
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)


def _contest() -> Column[int]:
    return Column("contest", Whole(), ForeignKey("contests.id"), primary_key=True, autoincrement=False)


def _key(name: str) -> Column[int]:
    return Column(name, Whole(), primary_key=True, autoincrement=False)


def _checksum() -> Column[int]:
    """Of the columns before it (`columns.py`); a row that another program inserted has none, and is refused."""
    return Column("checksum", Long(), nullable=False, server_default="0")


# Facts about the store itself: where its files are, and which were removed on purpose (`removals.py`).
facts = Table("facts", METADATA, Column("name", Words(), primary_key=True), Column("value", Words(), nullable=False))

bots = Table(
    "bots",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("name", Words(), nullable=False, unique=True),
)

# Never changed once written. `digest` is of the bot's content, `archive` of the file that holds all of it.
bot_versions = Table(
    "bot_versions",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("bot", Whole(), ForeignKey("bots.id"), nullable=False),
    Column("digest", Words(), nullable=False),
    Column("archive", Words(nullable=True)),
    Column("language", Words(), nullable=False),
    Column("since", Moment(), nullable=False),
    UniqueConstraint("bot", "digest"),
)

# `spec` holds the contest's terms, `lease` the number of the last lease.
contests = Table(
    "contests",
    METADATA,
    Column("id", Whole(), primary_key=True),
    Column("name", Words(), nullable=False, unique=True),
    Column("game", Words(), nullable=False),
    Column("spec", JSON, nullable=False),
    Column("begun", Moment(), nullable=False),
    _checksum(),
    Column("state", Words(), nullable=False),
    Column("lease", Whole(), nullable=False),
)

# A bot's version in a contest: from batch `since` on, before `until`, not in `absences` ([[from, before], ...]).
entrants = Table(
    "entrants",
    METADATA,
    _contest(),
    _key("number"),
    Column("version", Whole(), ForeignKey("bot_versions.id"), nullable=False),
    Column("since", Whole(), nullable=False),
    Column("until", Whole(nullable=True)),
    Column("absences", JSON, nullable=False),
    Column("follows", Whole(nullable=True)),
    _checksum(),
)

# The schedule. `seats` holds the entrants' numbers, separated by commas; with the seed it is the match's key.
matches = Table(
    "matches",
    METADATA,
    _contest(),
    _key("number"),
    Column("batch", Whole(), nullable=False),
    Column("seats", Words(), nullable=False),
    Column("seed", Long(), nullable=False),
    _checksum(),
    UniqueConstraint("contest", "seats", "seed"),
    sqlite_with_rowid=False,
)


def _match() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["contest", "match"], ["matches.contest", "matches.number"])


# `seconds` is how long the match took, in wall time; `replay` names its file.
results = Table(
    "results",
    METADATA,
    _key("contest"),
    _key("match"),
    Column("replay", Words(nullable=True)),
    Column("at", Moment(), nullable=False),
    Column("seconds", Real(), nullable=False),
    Column("host", Words(), nullable=False),
    Column("worker", Words(), nullable=False),
    _checksum(),
    _match(),
    sqlite_with_rowid=False,
)

# One row for each seat of each result. `longest` is the longest time it thought, in seconds; `faults` its kinds, by
# commas.
seatings = Table(
    "seatings",
    METADATA,
    _key("contest"),
    _key("match"),
    _key("seat"),
    Column("entrant", Whole(), nullable=False),
    Column("place", Whole(), nullable=False),
    Column("score", Real(nullable=True)),
    Column("longest", Real(nullable=True)),
    Column("faults", Words(), nullable=False),
    _checksum(),
    _match(),
    Index("seatings_by_entrant", "contest", "entrant", "match"),
    sqlite_with_rowid=False,
)

# Attempts at a match that crashed their worker. `name` distinguishes attempts, and begins with the number of the
# lease under which it was made; `error` says what happened.
failures = Table(
    "failures",
    METADATA,
    _key("contest"),
    _key("match"),
    Column("name", Words(), primary_key=True),
    Column("error", Words(), nullable=False),
    Column("at", Moment(), nullable=False),
    _checksum(),
    _match(),
)

# Matches that are not tried any more until the contest is continued.
set_aside = Table("set_aside", METADATA, _key("contest"), _key("match"), _match())

# What the operator decided about results later; never changed. `undoes` and `drops` are 0 or 1. `matches` says how
# many rows of `ruled` belong to it, `batches` how many batches were drawn then.
rulings = Table(
    "rulings",
    METADATA,
    _contest(),
    _key("number"),
    Column("kind", Words(), nullable=False),
    Column("undoes", Whole(), nullable=False),
    Column("bot", Words(), nullable=False),
    Column("drops", Whole(), nullable=False),
    Column("because", Words(), nullable=False),
    Column("at", Moment(), nullable=False),
    Column("batches", Whole(), nullable=False),
    Column("matches", Whole(), nullable=False),
    _checksum(),
)

# The matches that a ruling concerns.
ruled = Table("ruled", METADATA, _key("contest"), _key("ruling"), _key("match"), _match(), sqlite_with_rowid=False)

# Every result of the matches in `ruled`, and of those of a disqualified bot, whether it counts or not; the one that
# counts is in `results` too. `ruling` asked for it, 0 for a match's first result. `by_seat` has places, scores,
# faults and longest times as JSON. `batches` were drawn when it was stored.
attempts = Table(
    "attempts",
    METADATA,
    _key("contest"),
    _key("match"),
    _key("ruling"),
    Column("replay", Words(nullable=True)),
    Column("at", Moment(), nullable=False),
    Column("seconds", Real(), nullable=False),
    Column("host", Words(), nullable=False),
    Column("worker", Words(), nullable=False),
    Column("batches", Whole(), nullable=False),
    Column("by_seat", Words(), nullable=False),
    _checksum(),
    _match(),
    sqlite_with_rowid=False,
)

# The folder that an entrant kept after a match: the digest of its archive among the files.
keepsakes = Table(
    "keepsakes",
    METADATA,
    _key("contest"),
    _key("entrant"),
    _key("match"),
    Column("archive", Words(), nullable=False),
    _checksum(),
    _match(),
)

# Published after a batch; `low` and `high` bound the 95 % interval, `mu` and `sigma` are the ladder's.
ratings = Table(
    "ratings",
    METADATA,
    _contest(),
    _key("batch"),
    _key("entrant"),
    Column("rating", Real(), nullable=False),
    Column("low", Real(nullable=True)),
    Column("high", Real(nullable=True)),
    Column("mu", Real(nullable=True)),
    Column("sigma", Real(nullable=True)),
    _checksum(),
)

# --- tallies, updated with each result

# `first` and `last` are numbers of matches.
batches = Table(
    "batches",
    METADATA,
    _contest(),
    _key("number"),
    Column("first", Whole(), nullable=False),
    Column("last", Whole(), nullable=False),
    Column("size", Whole(), nullable=False),
    Column("played", Whole(), nullable=False),
    Column("set_aside", Whole(), nullable=False),
    _checksum(),
)

# `firsts` are places 1, shared ones too; `beaten`, `tied` and `lost` count opponents.
tallies = Table(
    "tallies",
    METADATA,
    _contest(),
    _key("entrant"),
    _key("seat"),
    Column("matches", Whole(), nullable=False),
    Column("firsts", Whole(), nullable=False),
    Column("beaten", Whole(), nullable=False),
    Column("tied", Whole(), nullable=False),
    Column("lost", Whole(), nullable=False),
    Column("score", Real(), nullable=False),
    Column("longest", Real(), nullable=False),
    _checksum(),
)

# Of two entrants, the one with the lower number first; `beaten` counts how often it was placed before the other.
pair_tallies = Table(
    "pair_tallies",
    METADATA,
    _contest(),
    _key("entrant"),
    _key("other"),
    Column("matches", Whole(), nullable=False),
    Column("beaten", Whole(), nullable=False),
    Column("tied", Whole(), nullable=False),
    Column("lost", Whole(), nullable=False),
    _checksum(),
)

# `matches` counts those in which the entrant had a fault, however many.
faulty_tallies = Table(
    "faulty_tallies",
    METADATA,
    _contest(),
    _key("entrant"),
    Column("matches", Whole(), nullable=False),
    _checksum(),
)

fault_tallies = Table(
    "fault_tallies",
    METADATA,
    _contest(),
    _key("entrant"),
    Column("kind", Words(), primary_key=True),
    Column("count", Whole(), nullable=False),
    _checksum(),
)
