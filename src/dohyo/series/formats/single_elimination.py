"""Single elimination: a bot that loses is out; at larger tables the worse half of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from dohyo.core.contest import Entrant, Result
from dohyo.series.formats.base import TABLE, FormatInfo, Seats, Standing, Terms
from dohyo.series.formats.brackets import ABSENT, BYE, MAIN, Bracket, Pairing, Round, arranged
from dohyo.series.formats.points import ranked
from dohyo.series.formats.seeding import RATINGS, SEEDING, Drawing, Elimination

USUAL_TABLE = 2


class Step(msgspec.Struct):
    """A round: who is in, by slot (none: not known yet), and from which table or bye of the round before each comes.

    `gone` take no part any more. `tables` hold slots, `losers` how many each takes out, `orders` its bots by slot,
    best first, once that is known. The tables are numbered first, then the byes, by slot.
    """

    batch: int
    alive: list[int | None]
    origins: list[int | None]
    gone: list[int]
    tables: list[Seats]
    losers: list[int]
    orders: list[list[int]] = []

    def drawn(self) -> list[Seats]:
        """The tables with the bots at them. Only where those are known."""
        return [tuple(bot for slot in table if (bot := self.alive[slot]) is not None) for table in self.tables]

    def byes(self) -> list[int]:
        """The slots that are at no table."""
        taken = {slot for table in self.tables for slot in table}
        return [slot for slot in range(len(self.alive)) if slot not in taken]

    @property
    def is_final(self) -> bool:
        """Whether this is the round that a bracket calls the final: one table, beside which nobody is left."""
        return [len(table) for table in self.tables] == [len(self.alive)] and not self.gone

    def after(self) -> tuple[list[int | None], list[int | None]]:
        """Who is in afterwards, and from where: the winners of a table take its best slots."""
        slots: dict[int, tuple[int | None, int]] = {}
        for at, (table, losers) in enumerate(zip(self.tables, self.losers, strict=True)):
            order: list[int | None] = list(self.orders[at]) if self.orders else [None] * len(table)
            on = len(table) - losers
            slots |= {slot: (bot, at) for slot, bot in zip(sorted(table)[:on], order[:on], strict=True)}
        for at, slot in enumerate(self.byes(), len(self.tables)):
            slots[slot] = self.alive[slot], at
        kept = [slots[slot] for slot in sorted(slots)]
        return [bot for bot, _ in kept], [at for _, at in kept]


class Course(msgspec.Struct):
    """How far a contest is: who is in, by slot; who went out, the first group first; the next round's tables."""

    alive: list[int]
    out: list[tuple[int, list[int]]]  # (in which batch, who)
    drawn: list[Seats] = []


class SingleElimination(Elimination):
    """Slots are seeds at first; the winner of a table takes its best slot, so that the tree is the usual one.

    A round's tables are drawn from the lowest slots, best with worst; the others have a bye. The first round takes
    out just so many that all later ones are full: byes come there alone, and to the best seeded. (Of tables with an
    odd number of seats, or too few bots for that, later rounds have byes too.) The final has one table. A bot that is
    absent when a round is drawn is out.
    """

    info = FormatInfo("single-elimination", (SEEDING, RATINGS, TABLE), placed_by="rounds", draws="bracket")

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms, terms.table(USUAL_TABLE))

    def draw(self, entrants: Sequence[Entrant]) -> Iterable[Sequence[Seats]]:
        """The next round's sets, table by table."""
        return self.series(self.course(entrants).drawn)

    def course(self, entrants: Sequence[Entrant]) -> Course:
        """What became of everybody so far, and what is next."""
        course = Course(self.field(entrants), [])
        for step in self._steps(entrants):
            if step.batch > len(self.history):
                break
            if step.gone:
                course.out.append((step.batch, step.gone))
            course.alive = [bot for bot in step.alive if bot is not None]
            if step.batch == len(self.history):
                course.drawn = step.drawn()
            elif step.tables:
                course.alive = [bot for bot in step.after()[0] if bot is not None]
                gone = [
                    bot
                    for order, out in zip(step.orders, step.losers, strict=True)
                    for bot in order[len(order) - out :]
                ]
                # The final's table has an order of its own; those who go out in another round share a place.
                final = len(course.alive) == 1
                course.out += [(step.batch, [bot]) for bot in reversed(gone)] if final else [(step.batch, gone)]
        return course

    def _steps(self, entrants: Sequence[Entrant]) -> Iterator[Step]:
        """Round after round, to the final; beyond the next one as they will be if nobody leaves."""
        by_number = {entrant.number: entrant for entrant in entrants}
        alive: list[int | None] = list(self.field(entrants))
        origins: list[int | None] = [None] * len(alive)
        batch = 0
        while len(alive) >= self.size:
            gone = []
            if batch <= len(self.history):
                gone = [bot for bot in alive if bot is not None and not by_number[bot].plays_in(batch)]
                left = [at for at, bot in enumerate(alive) if bot not in gone]
                alive, origins = [alive[at] for at in left], [origins[at] for at in left]
            step = Step(batch, alive, origins, gone, *draw(len(alive), self.size))
            if batch < len(self.history):
                step.orders = [self._order(batch, bots) for bots in step.drawn()]
            yield step
            if not step.tables:
                return
            alive, origins = step.after()
            batch += 1

    def _order(self, batch: int, bots: Seats) -> list[int]:
        """The bots of a table, best first."""
        credit = self.history[batch][frozenset(bots)]
        return sorted(bots, key=lambda bot: (-credit[bot], self.seeding.tie(batch, bot)))

    def bracket(self, entrants: Sequence[Entrant], so_far: Iterable[Result] = ()) -> Bracket:
        """The bracket as it stands; `so_far` are results of the batch that is not over."""
        draws = Drawing(self, entrants, so_far)
        rounds = [
            Round(MAIN, step.batch + 1, self._pairings(step, draws))
            for step in self._steps(entrants)
            if step.tables or step.gone
        ]
        course = self.course(entrants)
        champion = course.alive[0] if len(course.alive) == 1 and not course.drawn else None
        return Bracket(arranged(rounds), champion, self.seeding.ties_by)

    def _pairings(self, step: Step, draws: Drawing) -> tuple[Pairing, ...]:
        """A round's tables, then its byes, then those who took no part."""
        found = []
        for at, (table, losers) in enumerate(zip(step.tables, step.losers, strict=True)):
            on = step.orders[at][: len(table) - losers] if step.orders else []
            bots = [(step.alive[slot], step.origins[slot]) for slot in sorted(table)]
            found.append(draws.pairing(bots, step.batch, on))
        for slot in step.byes():
            found.append(draws.alone(step.alive[slot], step.origins[slot], BYE))
        return (*found, *(draws.alone(bot, None, ABSENT) for bot in step.gone))

    def standing(self, entrants: Sequence[Entrant], so_far: Sequence[Result] = ()) -> list[Standing]:
        """By how long a bot stayed in; points are the batches that it outlasted."""
        course = self.course(entrants)
        over = not course.drawn
        final = [step.batch for step in self._steps(entrants) if step.is_final]
        rows = []
        for at, (batch, group) in enumerate(course.out):
            remark = "format.out-last" if batch in final else "format.out"
            rows += [((at,), Standing(bot, 0, batch, self.matches(bot), (), remark, batch)) for bot in group]
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
