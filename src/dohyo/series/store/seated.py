"""Reads who sat where in the last matches of some entrants: found by indices, however many others there are."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, select

from dohyo.core.faults import KINDS
from dohyo.series.store import tables
from dohyo.series.store.errors import DamagedError
from dohyo.series.store.records import Seated

AT_ONCE = 5000  # matches in one query


def seated(connection: Connection, contest: int, entrants: Collection[int], most: int) -> list[Seated]:
    """Every seat of the last `most` matches of these entrants whose results count, ascending by match and seat."""
    of = tables.seatings.c
    mine = select(of.match).where(of.contest == contest, of.entrant.in_(entrants)).distinct()
    numbers = sorted(connection.execute(mine.order_by(of.match.desc()).limit(most)).scalars())
    found = []
    for at in range(0, len(numbers), AT_ONCE):
        query = select(of.match, of.seat, of.entrant, of.place, of.faults).where(of.contest == contest)
        query = query.where(of.match.in_(numbers[at : at + AT_ONCE])).order_by(of.match, of.seat)
        for match, seat, entrant, place, faults in connection.execute(query):
            kinds = tuple(faults.split(",")) if faults else ()
            if not KINDS.issuperset(kinds):
                raise DamagedError(f"the faults {faults[:40]!r}")
            found.append(Seated(match, seat, entrant, place, kinds))
    return found
