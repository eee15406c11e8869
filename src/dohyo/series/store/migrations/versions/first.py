"""Bots, contests, matches and their results."""

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


def _match() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["contest", "match"], ["matches.contest", "matches.number"])


def upgrade() -> None:
    """Make the tables of the first version."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"PRAGMA application_id = {APPLICATION}")
    op.create_table("facts", Column("name", Text, primary_key=True), Column("value", Text, nullable=False))
    _make_bots()
    _make_contests()
    _make_results()
    _make_others()


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
        Column("digest", Text, nullable=False),
        Column("archive", Text),
        Column("language", Text, nullable=False),
        Column("since", Float, nullable=False),
        UniqueConstraint("bot", "digest"),
    )


def _make_contests() -> None:
    op.create_table(
        "contests",
        Column("id", Integer, primary_key=True),
        Column("name", Text, nullable=False, unique=True),
        Column("game", Text, nullable=False),
        Column("spec", JSON, nullable=False),
        Column("state", Text, nullable=False),
        Column("begun", Float, nullable=False),
        Column("lease", Integer, nullable=False),
    )
    op.create_table(
        "entrants",
        _contest(),
        _key("number"),
        Column("version", Integer, ForeignKey("bot_versions.id"), nullable=False),
        Column("since", Integer, nullable=False),
        Column("until", Integer),
        Column("absences", JSON, nullable=False),
        Column("follows", Integer),
    )
    op.create_table(
        "matches",
        _contest(),
        _key("number"),
        Column("batch", Integer, nullable=False),
        Column("seats", Text, nullable=False),
        Column("seed", BigInteger, nullable=False),
        UniqueConstraint("contest", "seats", "seed"),
        sqlite_with_rowid=False,
    )


def _make_results() -> None:
    op.create_table(
        "results",
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
    op.create_table(
        "seatings",
        _key("contest"),
        _key("match"),
        _key("seat"),
        Column("entrant", Integer, nullable=False),
        Column("place", Integer, nullable=False),
        Column("score", Float),
        Column("longest", Float),
        Column("faults", Text, nullable=False),
        _match(),
        sqlite_with_rowid=False,
    )
    op.create_index("seatings_by_entrant", "seatings", ["contest", "entrant", "match"])


def _make_others() -> None:
    op.create_table(
        "failures",
        _key("contest"),
        _key("match"),
        Column("name", Text, primary_key=True),
        Column("error", Text, nullable=False),
        Column("at", Float, nullable=False),
        _match(),
    )
    op.create_table("set_aside", _key("contest"), _key("match"), _match())
    op.create_table(
        "keepsakes",
        _key("contest"),
        _key("entrant"),
        _key("match"),
        Column("archive", Text, nullable=False),
        _match(),
    )
    op.create_table(
        "ratings",
        _contest(),
        _key("batch"),
        _key("entrant"),
        Column("rating", Float, nullable=False),
        Column("low", Float),
        Column("high", Float),
        Column("mu", Float),
        Column("sigma", Float),
    )
