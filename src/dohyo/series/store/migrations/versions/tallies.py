"""Tallies by batch, by entrant and seat, by pair and by fault: standings without counting every result."""

from collections import Counter

from alembic import op
from sqlalchemy import Column, Float, ForeignKey, Integer, Text, text

revision = "0002"
down_revision = "0001"

COUNTS = ("beaten", "tied", "lost")

BATCHES = """
INSERT INTO batches (contest, number, first, last, size, played, set_aside)
SELECT m.contest, m.batch, MIN(m.number), MAX(m.number), COUNT(*), COUNT(r.match), COUNT(s.match)
FROM matches m
LEFT JOIN results r ON r.contest = m.contest AND r.match = m.number
LEFT JOIN set_aside s ON s.contest = m.contest AND s.match = m.number
GROUP BY m.contest, m.batch
"""

TALLIES = """
INSERT INTO tallies (contest, entrant, seat, matches, firsts, beaten, tied, lost, score, longest)
SELECT contest, entrant, seat, COUNT(*), SUM(CASE WHEN place = 1 THEN 1 ELSE 0 END),
       SUM(beaten), SUM(tied), SUM(lost), SUM(COALESCE(score, 0)), MAX(COALESCE(longest, 0))
FROM (
    SELECT a.contest, a.match, a.seat, a.entrant, a.place, a.score, a.longest,
           SUM(CASE WHEN a.place < b.place THEN 1 ELSE 0 END) AS beaten,
           SUM(CASE WHEN a.place = b.place AND a.seat <> b.seat THEN 1 ELSE 0 END) AS tied,
           SUM(CASE WHEN a.place > b.place THEN 1 ELSE 0 END) AS lost
    FROM seatings a JOIN seatings b ON b.contest = a.contest AND b.match = a.match
    GROUP BY a.contest, a.match, a.seat, a.entrant, a.place, a.score, a.longest
) AS of_match
GROUP BY contest, entrant, seat
"""

PAIRS = """
INSERT INTO pair_tallies (contest, entrant, other, matches, beaten, tied, lost)
SELECT a.contest, a.entrant, b.entrant, COUNT(*),
       SUM(CASE WHEN a.place < b.place THEN 1 ELSE 0 END),
       SUM(CASE WHEN a.place = b.place THEN 1 ELSE 0 END),
       SUM(CASE WHEN a.place > b.place THEN 1 ELSE 0 END)
FROM seatings a JOIN seatings b ON b.contest = a.contest AND b.match = a.match AND a.entrant < b.entrant
GROUP BY a.contest, a.entrant, b.entrant
"""


def _key(name: str, *more: ForeignKey) -> Column[int]:
    return Column(name, Integer, *more, primary_key=True, autoincrement=False)


def _contest() -> Column[int]:
    return _key("contest", ForeignKey("contests.id"))


def _count(*names: str) -> list[Column[int]]:
    return [Column(name, Integer, nullable=False) for name in names]


def upgrade() -> None:
    """Make the tallies, and count what has been played so far."""
    op.create_table("batches", _contest(), _key("number"), *_count("first", "last", "size", "played", "set_aside"))
    op.create_table(
        "tallies",
        _contest(),
        _key("entrant"),
        _key("seat"),
        *_count("matches", "firsts", *COUNTS),
        Column("score", Float, nullable=False),
        Column("longest", Float, nullable=False),
    )
    op.create_table("pair_tallies", _contest(), _key("entrant"), _key("other"), *_count("matches", *COUNTS))
    faults = op.create_table(
        "fault_tallies", _contest(), _key("entrant"), Column("kind", Text, primary_key=True), *_count("count")
    )
    for statement in (BATCHES, TALLIES, PAIRS):
        op.execute(statement)
    counted: Counter[tuple[int, int, str]] = Counter()
    for contest, entrant, kinds in op.get_bind().execute(
        text("SELECT contest, entrant, faults FROM seatings WHERE faults <> ''")
    ):
        counted.update((contest, entrant, kind) for kind in kinds.split(","))
    op.bulk_insert(
        faults, [{"contest": c, "entrant": e, "kind": k, "count": n} for (c, e, k), n in sorted(counted.items())]
    )
