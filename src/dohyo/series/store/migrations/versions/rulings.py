"""What operators decide about results later, and the results that these matches have besides."""

from alembic import op
from sqlalchemy import BigInteger, Column, Float, ForeignKey, ForeignKeyConstraint, Integer, Text

revision = "0005"
down_revision = "0004"


def _key(name: str, *more: ForeignKey) -> Column[int]:
    return Column(name, Integer, *more, primary_key=True, autoincrement=False)


def _whole(*names: str) -> list[Column[int]]:
    return [Column(name, Integer, nullable=False) for name in names]


def _text(*names: str) -> list[Column[str]]:
    return [Column(name, Text, nullable=False) for name in names]


def _checksum() -> Column[int]:
    return Column("checksum", BigInteger, nullable=False, server_default="0")


def _match() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["contest", "match"], ["matches.contest", "matches.number"])


def upgrade() -> None:
    """Make the tables; nobody has ruled yet."""
    op.create_table(
        "rulings",
        _key("contest", ForeignKey("contests.id")),
        _key("number"),
        *_text("kind"),
        *_whole("undoes"),
        *_text("bot"),
        *_whole("drops"),
        *_text("because"),
        Column("at", Float, nullable=False),
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
        *(Column(name, Float, nullable=False) for name in ("at", "seconds")),
        *_text("host", "worker"),
        *_whole("batches"),
        *_text("places", "scores", "longest", "faults"),
        _checksum(),
        _match(),
        sqlite_with_rowid=False,
    )
