"""Single elimination: who loses is out; at larger tables the worse half of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from dohyo.contest.fixtures import Entrant
from dohyo.contest.formats.kinds import TABLE, Kind, Seats, Standing, Terms, ranked
from dohyo.contest.formats.seeding import RATINGS, SEEDING, Elimination

USUAL_TABLE = 2


class Course(msgspec.Struct):
    """How far a contest is: who is in, by slot; who went out, the first group first; the next round's tables."""

    alive: list[int]
    out: list[tuple[int, list[int]]]  # (in which batch, who)
    drawn: list[Seats] = []


class SingleElimination(Elimination):
    """Slots are seeds at first; the winner of a table takes its best slot, so that the tree is the usual one.

    A round's tables are drawn from the lowest slots, best with worst; the others have a bye. The first round takes
    out just so many that all later ones are full: byes come there alone, and to the best seeded. (Of tables with an
    odd number of seats, or too few bots for that, later rounds have byes too.) The final has one table. Who takes no
    part when a round is drawn is out.
    """

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms, terms.table(USUAL_TABLE))

    def draw(self, entrants: Sequence[Entrant]) -> Iterable[Sequence[Seats]]:
        """The next round's sets, table by table."""
        return self.series(self.course(entrants).drawn)

    def course(self, entrants: Sequence[Entrant]) -> Course:
        """What became of everybody so far, and what is next."""
        field = self.field(entrants)
        course = Course(field.copy(), [])
        by_number = {entrant.number: entrant for entrant in entrants}
        for batch in range(len(self.history) + 1):
            gone = [bot for bot in course.alive if not by_number[bot].plays_in(batch)]
            if len(course.alive) < self.size:
                break
            if gone:
                course.out.append((batch, gone))
                course.alive = [bot for bot in course.alive if bot not in gone]
            slots, losers = draw(len(course.alive), self.size)
            drawn = [tuple(course.alive[slot] for slot in table) for table in slots]
            if batch == len(self.history):
                course.drawn = drawn
            elif drawn:
                self._judge(course, batch, list(zip(slots, losers, strict=True)))
        return course

    def _judge(self, course: Course, batch: int, drawn: list[tuple[Seats, int]]) -> None:
        """Let the losers of each table go, and give its best slots to the others."""
        slots: list[int | None] = list(course.alive)
        gone: list[int] = []
        for table, losers in drawn:
            bots = [course.alive[slot] for slot in table]
            credit = self.history[batch][frozenset(bots)]
            order = sorted(bots, key=lambda bot: (-credit[bot], self.seeding.tie(batch, bot)))
            for slot, bot in zip(sorted(table), order, strict=True):
                slots[slot] = bot
            for slot in sorted(table)[len(table) - losers :]:
                slots[slot] = None
            gone += order[len(table) - losers :]
        course.alive = [bot for bot in slots if bot is not None]
        final = len(course.alive) == 1
        # The final's table has an order of its own; those who go out in another round share a place.
        course.out += [(batch, [bot]) for bot in reversed(gone)] if final else [(batch, gone)]

    def standing(self, entrants: Sequence[Entrant]) -> list[Standing]:
        """By how long a bot stayed in; points are the batches that it outlasted."""
        course = self.course(entrants)
        over = not course.drawn
        rows = []
        for at, (batch, group) in enumerate(course.out):
            rows += [((at,), Standing(bot, 0, batch, self.matches(bot), (), "format.out", batch)) for bot in group]
        for bot in course.alive:
            remark = "format.champion" if over and len(course.alive) == 1 else "format.still-in"
            rows.append(((len(course.out),), Standing(bot, 0, len(self.history), self.matches(bot), (), remark)))
        seen = {row[1].entrant for row in rows}
        rows += [((-1,), Standing(entrant.number, 0, 0)) for entrant in entrants if entrant.number not in seen]
        return ranked(rows)


def draw(bots: int, size: int) -> tuple[list[Seats], list[int]]:
    """The next round's tables for that many slots (0 the best), and how many each takes out; none for too few."""
    if bots <= size:
        return ([tuple(range(size))], [size - 1]) if bots == size else ([], [])
    most = size // 2  # out at a table
    if size % 2:
        target = max(size, bots - bots // size * most)
    else:
        target = size
        while target * 2 < bots:
            target *= 2
    count = min(bots // size, -((target - bots) // most))
    out = min(bots - target, count * most)
    tables: list[list[int]] = [[] for _ in range(count)]
    for at in range(count * size):  # to and fro: the best meets the worst
        row, place = divmod(at, count)
        tables[count - 1 - place if row % 2 else place].append(bots - count * size + at)
    losers = [out // count + (at >= count - out % count) for at in range(count)]
    return [tuple(table) for table in tables], losers


KIND = Kind("single-elimination", (SEEDING, RATINGS, TABLE), SingleElimination)
