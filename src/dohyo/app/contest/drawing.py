"""What is drawn of a contest beside its table: the bracket of a knock-out, the hill of a king."""

from __future__ import annotations

from dohyo.app.contest.damage import reporting_damage
from dohyo.app.contest.looking import Seen
from dohyo.contest.formats.brackets import Bracket
from dohyo.contest.formats.hills import Hill

Numbers = dict[tuple[int, frozenset[int]], list[int]]


def bracket_of(seen: Seen) -> Bracket | None:
    """The bracket, with what was played of the batch that is not over; none where the format has none."""
    with reporting_damage(seen.store):
        so_far = seen.store.played(seen.contest.id, seen.fold.batch)
        return seen.fold.bracket(seen.entries, so_far)


def hill_of(seen: Seen) -> Hill | None:
    """Who held the hill; none where the format has none."""
    with reporting_damage(seen.store):
        return seen.fold.hill(seen.store.played(seen.contest.id))


def numbers_of(seen: Seen, bracket: Bracket) -> Numbers:
    """The numbers of the matches that were played, ascending, by batch and who met."""
    found: Numbers = {}
    batches = {pairing.batch for each in bracket.rounds for pairing in each.pairings if pairing.batch is not None}
    with reporting_damage(seen.store):
        for batch in sorted(batches):
            for result in seen.store.played(seen.contest.id, batch):
                found.setdefault((batch, frozenset(result.fixture.seats)), []).append(result.fixture.number)
    return found
