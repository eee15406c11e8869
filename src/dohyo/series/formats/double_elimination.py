"""Double elimination: a bot that loses twice is out. For matches of two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from dohyo.core.contest import Entrant, Result
from dohyo.core.errors import OperatorError
from dohyo.series.formats.base import FormatInfo, Seats, Standing, Terms
from dohyo.series.formats.brackets import ABSENT, BYE, FINAL, LOSERS, MAYBE, WINNERS, Bracket, Pairing, Round
from dohyo.series.formats.points import ranked
from dohyo.series.formats.seeding import RATINGS, SEEDING, Drawing, Elimination

Bot = int | None  # nobody: a bye
Pair = tuple[Bot, Bot]
UNKNOWN = -1  # a bot that is not known yet
LATEST = 1 << 30  # a batch that comes later than all others
FROM_TWO, FROM_ONE = 2, 1  # how many pairings of the round before lead to one


class DoubleElimination(Elimination):
    """A tree of winners, and a tree of those who lost once; in the grand final the latter has to win twice.

    The seeds 1 and 2 are in different halves, byes go to the best seeded. A bot that loses in the winners' tree
    enters the losers' tree on the other side, so that rematches come late. A winners' round and a losers' round that
    do not depend on each other are one batch. A bot that is absent when it should play loses that series; if both are
    absent, it is decided like a tie.
    """

    info = FormatInfo("double-elimination", (SEEDING, RATINGS), placed_by="rounds", draws="bracket")

    def __init__(self, terms: Terms) -> None:
        fewest, most = terms.seats
        if fewest > 2 or most == 1:
            key = "format-one-seat" if most == 1 else "format-two-seats"
            raise OperatorError(key, format=terms.format, fewest=fewest)
        if terms.entrants < 2:
            raise OperatorError("format-too-few", format=terms.format, entrants=terms.entrants, table=2)
        super().__init__(terms, 2)

    def draw(self, entrants: Sequence[Entrant]) -> Iterable[Sequence[Seats]]:
        """The next batch's sets, winners' tree first."""
        return self.series(Course(self, entrants).wanted)

    def bracket(self, entrants: Sequence[Entrant], so_far: Iterable[Result] = ()) -> Bracket:
        """The bracket as it stands; `so_far` are results of the batch that is not over."""
        course = Course(self, entrants)
        draws = Drawing(self, entrants, so_far)
        rounds = [
            Round(level.side, level.number, tuple(_pairing(level, at, draws) for at in range(len(level.pairs))))
            for level in course.levels
        ]
        standing = [] if course.wanted else self.standing(entrants)
        champion = next((row.entrant for row in standing if row.remark == "format.champion"), None)
        return Bracket(tuple(rounds), champion, self.seeding.ties_by)

    def standing(self, entrants: Sequence[Entrant], so_far: Sequence[Result] = ()) -> list[Standing]:
        """By how long a bot stayed in; points are the batches that it outlasted."""
        course = Course(self, entrants)
        rows = []
        sides = {level.batch: level for level in course.levels if level.side != WINNERS}
        for at, (batch, group) in enumerate(course.out):
            level = sides.get(batch)
            remark = "format.out" if level is None else f"format.out-{level.side}"
            told = batch if level is None else level.number
            rows += [((at,), Standing(bot, 0, batch, self.matches(bot), (), remark, told)) for bot in group]
        seen = {row[1].entrant for row in rows}
        for bot in self.field(entrants):
            if bot not in seen:
                remark = "format.still-in" if course.wanted else "format.champion"
                rows.append(((len(course.out),), Standing(bot, 0, len(self.history), self.matches(bot), (), remark)))
        late = [entrant.number for entrant in entrants if entrant.number not in course.field]
        rows += [((-1,), Standing(bot, 0, 0)) for bot in late]
        return ranked(rows)


class Level(NamedTuple):
    """The pairs of a round on a side, in which batch they are played, and which of them are; who goes on from each.

    `takes` tells how many pairings of the round before lead to one: to its first places.
    """

    side: str
    number: int
    takes: int
    pairs: list[Pair]
    batch: int
    played: Sequence[Pair]
    on: list[Bot]


class Course:
    """The contest replayed from the known results; after those, with unknown bots.

    `wanted` are the series to play next (none: it is over), `out` who went out: (in which batch, who), first to last;
    `levels` all rounds, those of the winners' side, of the losers' and the finals one among the other.
    """

    def __init__(self, contest: DoubleElimination, entrants: Sequence[Entrant]) -> None:
        field = contest.field(entrants)
        self.field = frozenset(field)
        self._tie = contest.seeding.tie
        self.wanted: list[Seats] = []
        self.out: list[tuple[int, list[int]]] = []
        self.levels: list[Level] = []
        self._entrants = {entrant.number: entrant for entrant in entrants}
        self._history = contest.history
        self._batch = 0
        if len(field) > 1:
            self._play(field)

    def _play(self, field: list[int]) -> None:
        """The two trees, then the grand final."""
        slots = [0]
        while len(slots) < len(field):
            slots = [slot for upper in slots for slot in (upper, 2 * len(slots) - 1 - upper)]
        tree: list[Bot] = [field[slot] if slot < len(field) else None for slot in slots]
        tree, losers = self._decide((WINNERS, 0, _pairs(tree)))
        crossed = True
        takes = 0
        while len(tree) > 1:
            upper, lower = _pairs(tree), _pairs(losers)
            winners, beaten = self._decide((WINNERS, FROM_TWO, upper), (LOSERS, takes, lower))
            tree, fallen = winners[: len(upper)], beaten[: len(upper)]
            self._let_go(beaten[len(upper) :])
            half = len(fallen) // 2
            fallen = fallen[::-1] if crossed else fallen[half:] + fallen[:half]
            crossed = not crossed
            pairs = list(zip(winners[len(upper) :], fallen, strict=True))
            losers, beaten = self._decide((LOSERS, FROM_ONE, pairs))
            self._let_go(beaten)
            takes = FROM_TWO
        self._final((tree[0], losers[0]))

    def _final(self, pair: Pair) -> None:
        """The grand final; once more when its winner had lost before, and the other had not."""
        winners, losers = self._decide((FINAL, 0, [pair]))
        if self.wanted or winners[0] != pair[0]:
            winners, losers = self._decide((FINAL, 0, [pair]))
        self._let_go(losers)

    def _decide(self, *rounds: tuple[str, int, list[Pair]]) -> tuple[list[Bot], list[Bot]]:
        """Winners and losers of these series, of one batch; sets `wanted` when they are still to be played."""
        pairs = [pair for _, _, own in rounds for pair in own]
        to_play: list[tuple[int, int]] = []
        if not self.wanted:
            real = [(one, other) for one, other in pairs if one is not None and other is not None]
            to_play = [pair for pair in real if all(self._entrants[bot].plays_in(self._batch) for bot in pair)]
        ahead = bool(self.wanted)
        if to_play and self._batch == len(self._history):
            self.wanted = list(to_play)
        is_played = bool(to_play) and not self.wanted
        decided = []
        for pair in pairs:
            is_open = None not in pair and (ahead or (bool(self.wanted) and pair in to_play))
            decided.append((UNKNOWN, UNKNOWN) if is_open else self._series(pair, pair in to_play))
        on = [winner for winner, _ in decided]
        for side, takes, own in rounds:
            number = 1 + sum(level.side == side for level in self.levels)
            played = [] if ahead else [pair for pair in own if pair in to_play]
            self.levels.append(Level(side, number, takes, own, self._batch, played, on[: len(own)]))
            on = on[len(own) :]
        self._batch += is_played
        return [winner for winner, _ in decided], [loser for _, loser in decided]

    def _series(self, pair: Pair, played: bool) -> Pair:
        """Winner and loser of one series."""
        one, other = pair
        if one is None or other is None:
            return (other, None) if one is None else (one, None)
        if played:
            credit = self._history[self._batch][frozenset((one, other))]
            order = [(-credit[bot], self._tie(self._batch, bot)) for bot in (one, other)]
        else:
            order = [
                (-self._entrants[bot].plays_in(self._batch), self._tie(self._batch, bot)) for bot in (one, other)
            ]
        return (one, other) if order[0] < order[1] else (other, one)

    def _let_go(self, bots: Sequence[Bot]) -> None:
        gone = [bot for bot in bots if bot is not None]
        if gone and not self.wanted:
            self.out.append((max(0, self._batch - 1), gone))


def _pairing(level: Level, at: int, draws: Drawing) -> Pairing:
    """A pair of a round as it is drawn."""
    pair, on = level.pairs[at], level.on[at]
    bots = []
    for place, bot in enumerate(pair):
        source = level.takes * at + place if place < level.takes else None
        if bot is not None:
            bots.append((None if bot == UNKNOWN else bot, source))
    if not bots:
        return Pairing((), BYE)
    if len(bots) == 1:
        return draws.alone(*bots[0], BYE)
    if pair in level.played or on == UNKNOWN:
        made = draws.pairing(bots, level.batch if pair in level.played else LATEST, [] if on is None else [on])
        is_second = level.side == FINAL and level.number == 2 and not level.played
        return msgspec.structs.replace(made, state=MAYBE) if is_second else made
    return Pairing(tuple(draws.slot(bot, source, 0.0, bot == on) for bot, source in bots), ABSENT)


def _pairs(tree: list[Bot]) -> list[Pair]:
    return list(zip(tree[::2], tree[1::2], strict=True))
