"""In how many matches each entrant had a fault."""

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, text

from dohyo.series.store.checksums import checksum

revision = "0004"
down_revision = "0003"

COUNTED = "SELECT contest, entrant, COUNT(*) FROM seatings WHERE faults <> '' GROUP BY contest, entrant"


def upgrade() -> None:
    """Make the table, and count what has been played so far."""
    made = op.create_table(
        "faulty_tallies",
        Column("contest", Integer, ForeignKey("contests.id"), primary_key=True, autoincrement=False),
        Column("entrant", Integer, primary_key=True, autoincrement=False),
        Column("matches", Integer, nullable=False),
        Column("checksum", BigInteger, nullable=False, server_default="0"),
    )
    counted = [tuple(row) for row in op.get_bind().execute(text(COUNTED))]
    op.bulk_insert(
        made,
        [
            {"contest": row[0], "entrant": row[1], "matches": row[2], "checksum": checksum("faulty_tallies", row)}
            for row in counted
        ],
    )
