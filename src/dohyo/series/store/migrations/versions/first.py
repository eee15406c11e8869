"""Bots, contests, matches, their results and what was ruled about these."""

from alembic import op
from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    Text,
    UniqueConstraint,
)

revision = "0001"
down_revision = None

APPLICATION = 0x444F4859  # "DOHY": what SQLite files of ours carry in their header


def _key(name: str, *more: ForeignKey) -> Column[int]:
    return Column(name, Integer, *more, primary_key=True, autoincrement=False)


def _contest() -> Column[int]:
    return _key("contest", ForeignKey("contests.id"))


def _whole(*names: str) -> list[Column[int]]:
    return [Column(name, Integer, nullable=False) for name in names]


def _real(*names: str) -> list[Column[float]]:
    return [Column(name, Float, nullable=False) for name in names]


def _text(*names: str) -> list[Column[str]]:
    return [Column(name, Text, nullable=False) for name in names]


def _checksum() -> Column[int]:
    return Column("checksum", BigInteger, nullable=False, server_default="0")


def _match() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["contest", "match"], ["matches.contest", "matches.number"])


def upgrade() -> None:
    """Make the tables of the first version."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"PRAGMA application_id = {APPLICATION}")
    op.create_table("facts", Column("name", Text, primary_key=True), *_text("value"))
    _make_bots()
    _make_contests()
    _make_results()
    _make_rulings()
    _make_others()
    _make_tallies()


def _make_bots() -> None:
    op.create_table(
        "bots",
        Column("id", Integer, primary_key=True),
        Column("name", Text, nullable=False, unique=True),
    )
    op.create_table(
        "bot_versions",
        Column("id", Integer, primary_key=True),
        Column("bot", Integer, ForeignKey("bots.id"), nullable=False),
        *_text("digest"),
        Column("archive", Text),
        *_text("language"),
        *_real("since"),
        UniqueConstraint("bot", "digest"),
    )


def _make_contests() -> None:
    op.create_table(
        "contests",
        Column("id", Integer, primary_key=True),
        Column("name", Text, nullable=False, unique=True),
        *_text("game"),
        Column("spec", JSON, nullable=False),
        *_text("state"),
        *_real("begun"),
        *_whole("lease"),
        _checksum(),
    )
    op.create_table(
        "entrants",
        _contest(),
        _key("number"),
        Column("version", Integer, ForeignKey("bot_versions.id"), nullable=False),
        *_whole("since"),
        Column("until", Integer),
        Column("absences", JSON, nullable=False),
        Column("follows", Integer),
        _checksum(),
    )
    op.create_table(
        "matches",
        _contest(),
        _key("number"),
        *_whole("batch"),
        *_text("seats"),
        Column("seed", BigInteger, nullable=False),
        _checksum(),
        UniqueConstraint("contest", "seats", "seed"),
        sqlite_with_rowid=False,
    )


def _make_results() -> None:
    op.create_table(
        "results",
        _key("contest"),
        _key("match"),
        Column("replay", Text),
        *_real("at", "seconds"),
        *_text("host", "worker"),
        _checksum(),
        _match(),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seatings",
        _key("contest"),
        _key("match"),
        _key("seat"),
        *_whole("entrant", "place"),
        Column("score", Float),
        Column("longest", Float),
        *_text("faults"),
        _checksum(),
        _match(),
        sqlite_with_rowid=False,
    )
    op.create_index("seatings_by_entrant", "seatings", ["contest", "entrant", "match"])


def _make_rulings() -> None:
    op.create_table(
        "rulings",
        _contest(),
        _key("number"),
        *_text("kind"),
        *_whole("undoes"),
        *_text("bot"),
        *_whole("drops"),
        *_text("because"),
        *_real("at"),
        *_whole("batches", "matches"),
        _checksum(),
    )
    op.create_table("ruled", _key("contest"), _key("ruling"), _key("match"), _match(), sqlite_with_rowid=False)
    op.create_table(
        "attempts",
        _key("contest"),
        _key("match"),
        _key("ruling"),
        Column("replay", Text),
        *_real("at", "seconds"),
        *_text("host", "worker"),
        *_whole("batches"),
        *_text("places", "scores", "longest", "faults"),
        _checksum(),
        _match(),
        sqlite_with_rowid=False,
    )


def _make_others() -> None:
    op.create_table(
        "failures",
        _key("contest"),
        _key("match"),
        Column("name", Text, primary_key=True),
        *_text("error"),
        *_real("at"),
        _checksum(),
        _match(),
    )
    op.create_table("set_aside", _key("contest"), _key("match"), _match())
    op.create_table(
        "keepsakes", _key("contest"), _key("entrant"), _key("match"), *_text("archive"), _checksum(), _match()
    )
    op.create_table(
        "ratings",
        _contest(),
        _key("batch"),
        _key("entrant"),
        *_real("rating"),
        *(Column(name, Float) for name in ("low", "high", "mu", "sigma")),
        _checksum(),
    )


def _make_tallies() -> None:
    counts = ("beaten", "tied", "lost")
    op.create_table(
        "batches", _contest(), _key("number"), *_whole("first", "last", "size", "played", "set_aside"), _checksum()
    )
    op.create_table(
        "tallies",
        _contest(),
        _key("entrant"),
        _key("seat"),
        *_whole("matches", "firsts", *counts),
        *_real("score", "longest"),
        _checksum(),
    )
    op.create_table(
        "pair_tallies", _contest(), _key("entrant"), _key("other"), *_whole("matches", *counts), _checksum()
    )
    op.create_table("faulty_tallies", _contest(), _key("entrant"), *_whole("matches"), _checksum())
    op.create_table(
        "fault_tallies",
        _contest(),
        _key("entrant"),
        Column("kind", Text, primary_key=True),
        *_whole("count"),
        _checksum(),
    )
