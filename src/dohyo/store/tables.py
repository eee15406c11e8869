"""The tables as they are now. How they came to be stands in `migrations`; a test holds the two together.

Times are seconds since 1970 (UTC), digests SHA-256 in hex. `number` counts from 0 within its contest.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()
VERSION_TABLE = "dohyo_version"


def _contest() -> Column[int]:
    return Column("contest", Integer, ForeignKey("contests.id"), primary_key=True, autoincrement=False)


def _key(name: str) -> Column[int]:
    return Column(name, Integer, primary_key=True, autoincrement=False)


# Facts about the store itself: where its files are.
facts = Table("facts", METADATA, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

bots = Table(
    "bots",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
)

# Never changed once written. `digest` is of the bot's content, `archive` of the file that holds all of it.
bot_versions = Table(
    "bot_versions",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("bot", Integer, ForeignKey("bots.id"), nullable=False),
    Column("digest", Text, nullable=False),
    Column("archive", Text),
    Column("language", Text, nullable=False),
    Column("since", Float, nullable=False),
    UniqueConstraint("bot", "digest"),
)

# `spec` is what the contest was begun with, `lease` the number of the last lease.
contests = Table(
    "contests",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("spec", JSON, nullable=False),
    Column("state", Text, nullable=False),
    Column("begun", Float, nullable=False),
    Column("lease", Integer, nullable=False),
)

# A bot's version in a contest: from batch `since` on, before `until`, not in `absences` ([[from, before], ...]).
entrants = Table(
    "entrants",
    METADATA,
    _contest(),
    _key("number"),
    Column("version", Integer, ForeignKey("bot_versions.id"), nullable=False),
    Column("since", Integer, nullable=False),
    Column("until", Integer),
    Column("absences", JSON, nullable=False),
    Column("follows", Integer),
)

# The schedule. `seats` holds the entrants' numbers, parted by commas; with the seed it is the match's key.
matches = Table(
    "matches",
    METADATA,
    _contest(),
    _key("number"),
    Column("batch", Integer, nullable=False),
    Column("seats", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    UniqueConstraint("contest", "seats", "seed"),
    sqlite_with_rowid=False,
)


def _match() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["contest", "match"], ["matches.contest", "matches.number"])


# `seconds` is how long the match took, by the watch; `replay` names its file.
results = Table(
    "results",
    METADATA,
    _key("contest"),
    _key("match"),
    Column("replay", Text),
    Column("at", Float, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("host", Text, nullable=False),
    Column("worker", Text, nullable=False),
    _match(),
    sqlite_with_rowid=False,
)

# One row a seat of each result. `longest` is the longest time it thought, in seconds; `faults` its kinds, by commas.
seatings = Table(
    "seatings",
    METADATA,
    _key("contest"),
    _key("match"),
    _key("seat"),
    Column("entrant", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("score", Float),
    Column("longest", Float),
    Column("faults", Text, nullable=False),
    _match(),
    Index("seatings_by_entrant", "contest", "entrant", "match"),
    sqlite_with_rowid=False,
)

# Attempts at a match that broke what they ran on. `name` tells attempts apart, and begins with the number of the
# lease under which it was made; `error` says what happened.
failures = Table(
    "failures",
    METADATA,
    _key("contest"),
    _key("match"),
    Column("name", Text, primary_key=True),
    Column("error", Text, nullable=False),
    Column("at", Float, nullable=False),
    _match(),
)

# Matches that are not tried any more, until somebody goes on with the contest.
set_aside = Table("set_aside", METADATA, _key("contest"), _key("match"), _match())

# The folder that an entrant kept after a match: the digest of its archive among the files.
keepsakes = Table(
    "keepsakes",
    METADATA,
    _key("contest"),
    _key("entrant"),
    _key("match"),
    Column("archive", Text, nullable=False),
    _match(),
)

# Published after a batch; `low` and `high` bound the 95 % interval, `mu` and `sigma` are the ladder's.
ratings = Table(
    "ratings",
    METADATA,
    _contest(),
    _key("batch"),
    _key("entrant"),
    Column("rating", Float, nullable=False),
    Column("low", Float),
    Column("high", Float),
    Column("mu", Float),
    Column("sigma", Float),
)

# --- tallies, kept up with each result

# `first` and `last` are numbers of matches.
batches = Table(
    "batches",
    METADATA,
    _contest(),
    _key("number"),
    Column("first", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    Column("played", Integer, nullable=False),
    Column("set_aside", Integer, nullable=False),
)

# `firsts` are places 1, shared ones too; `beaten`, `tied` and `lost` count opponents.
tallies = Table(
    "tallies",
    METADATA,
    _contest(),
    _key("entrant"),
    _key("seat"),
    Column("matches", Integer, nullable=False),
    Column("firsts", Integer, nullable=False),
    Column("beaten", Integer, nullable=False),
    Column("tied", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("score", Float, nullable=False),
    Column("longest", Float, nullable=False),
)

# Of two entrants, the one with the lower number first; `beaten` counts how often it was placed before the other.
pair_tallies = Table(
    "pair_tallies",
    METADATA,
    _contest(),
    _key("entrant"),
    _key("other"),
    Column("matches", Integer, nullable=False),
    Column("beaten", Integer, nullable=False),
    Column("tied", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
)

fault_tallies = Table(
    "fault_tallies",
    METADATA,
    _contest(),
    _key("entrant"),
    Column("kind", Text, primary_key=True),
    Column("count", Integer, nullable=False),
)
