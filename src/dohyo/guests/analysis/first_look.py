"""The first look at a match: a search judges its turns, and what each seat could know then.

Theory of operation
-------------------
With a number of playouts all turns are judged, in their order; with a time, in the order that `order.py` says, until
a part of the time is over (`pace.py`). First comes the curve, which needs the true state alone.

In a game that hides something, what a seat knows follows from all turns before. By then it is known which turns
matter: those in which a chance fell, then those that were judged, in that order. So the match is gone through once.
What a seat knew in these turns is kept, as far as memory allows, and judged afterwards in that order.
"""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from dohyo.core.game import Game, State
from dohyo.guests.analysis.kept import PlayedTurn
from dohyo.guests.analysis.order import Order
from dohyo.guests.analysis.pace import ALONE, FEWEST, Budget, Pace, followed_on
from dohyo.guests.analysis.trials import DECISIONS, Option
from dohyo.series.analysed import Chances, SeatChance
from dohyo.series.analyst import Analyst, Judged

if TYPE_CHECKING:
    from dohyo.search.analyst_belief import AnalystBelief

WORTH = 200, 30  # playouts for a position, compiled and in plain Python: fewer say little
SPANS = 1, 4, 32  # turns that are looked at together: the first few, to see how long that takes, then the rest
EVENLY = 0.4  # of the curve's time is for turns spread over the match; the rest for where a chance fell
CURVE, FOLLOWED = 0.5, 0.8  # of the first look's time, by whose end each is done where something is hidden
MEMORY = 1 << 28  # bytes, for what seats knew in turns that are to be judged


class Position(NamedTuple):
    """A position to be judged: for everybody (seat none), or as a seat knows it."""

    at: int  # in the list of moments
    seat: int | None
    worlds: Any
    size: int  # how many worlds
    is_true: bool


class Candidate(NamedTuple):
    """A decision that may have been a mistake, as the first look judged it.

    `ways` are other actions, with how much more of the chance the search gives them, the best first.
    """

    position: Position
    seat: int
    played: int
    ways: tuple[Option, ...]
    options: dict[int, dict[int, tuple[float, int]]]


class Found:
    """What the first look has found."""

    def __init__(self) -> None:
        self.judged: dict[int, Judged] = {}  # by place, the true state; where results can be proven
        self.seen: list[SeatChance] = []
        self.candidates: list[Candidate] = []  # the most expensive first
        self.playouts = 0
        self._chances: dict[int, Chances] = {}

    def add(self, turn: int, position: Position, judged: Judged) -> None:
        """A position was judged."""
        self.playouts += judged.playouts
        low = tuple(max(0.0, chance - error) for chance, error in zip(judged.chance, judged.error, strict=True))
        high = tuple(min(1.0, chance + error) for chance, error in zip(judged.chance, judged.error, strict=True))
        if position.seat is None:
            self._chances[position.at] = Chances(turn, judged.chance, low, high, judged.proven is not None)
        else:
            seat = position.seat
            bounds = (judged.chance[seat], low[seat], high[seat])
            self.seen.append(SeatChance(turn, seat, *bounds, position.size, position.is_true))

    def propose(self, candidates: Iterable[Candidate]) -> None:
        """Some more decisions may have been mistakes; the best of all are kept."""
        ranked = sorted([*self.candidates, *candidates], key=lambda one: -one.ways[0].gap)
        self.candidates = ranked[:DECISIONS]

    def prove(self, place: int, proven: Mapping[str, Any]) -> None:
        """More is known of the chances in a place that was judged: fields of `Chances`."""
        import msgspec

        self._chances[place] = msgspec.structs.replace(self._chances[place], **proven)

    @property
    def places(self) -> list[int]:
        """The places that were judged, in order."""
        return sorted(self._chances)

    @property
    def chances(self) -> list[Chances]:
        """Each seat's chance in these places."""
        return [self._chances[place] for place in self.places]


class Match(NamedTuple):
    """The match that is looked at: its turns, of which `start` is the state before the first dice.

    `seat` is whose decisions are asked for, none: everybody's; `beliefs` follow what seats know. There are as many
    `analysts` as threads. `candidates` finds decisions that may have been mistakes.
    """

    game: Game
    start: State
    played: Sequence[PlayedTurn]
    seat: int | None
    beliefs: list[AnalystBelief]
    analysts: Sequence[Analyst]
    candidates: Callable[[Position, Judged], Iterable[Candidate]]
    compiled: bool

    def deciding(self, place: int) -> list[int]:
        """The followed seats that act in a place."""
        actions = self.played[place].actions
        return [one.seat for one in self.beliefs if actions[one.seat] is not None]


class FirstLook:
    """The first look at one match."""

    def __init__(
        self,
        match: Match,
        budget: Budget,
        part: float,
        step: Callable[[int], None],
        on_plan: Callable[[int, int], None],
    ) -> None:
        """It ends by a part of the time. `step` is told after each position about how many are left.

        `on_plan` is told about how many turns of how many are judged, where the time is not enough for all.
        """
        self.match, self.budget = match, budget
        self.found = Found()
        hides = bool(match.beliefs)
        self._curve_part = part * CURVE if hides else part
        self._follow_part = part * FOLLOWED
        self._curve, self._known = Pace(budget, self._curve_part), Pace(budget, part)
        self._step, self._on_plan = step, on_plan
        self._later = 0  # decisions that are judged after the curve, as far as is known
        self._left = 0
        self._ordered: Order | None = None  # in which order turns are judged
        self._is_planned = False  # it was told how many are

    def look(self) -> Found:
        """Judge turns: the true state, and what each seat that acts could know of it if that is not the same."""
        turns = len(self.match.played)
        if not turns:
            return self.found
        self._measure()
        self._later = self._known.planned(sum(len(self.match.deciding(at)) for at in range(turns)))
        if self.budget.playouts is not None:
            self._left = turns + self._later
            for span in spans(turns):
                self._judge_in_order([self._true(at) for at in span])
            for span in spans(turns):
                self._judge_in_order(self._known_in(span, span))
            return self.found
        self._ordered = self._order()
        self._judge_the_curve(self._ordered)
        if self.match.beliefs:
            self._judge_what_was_known(self._ordered)
        return self.found

    def go_on(self, part: float, *, again: bool) -> None:
        """Use what is left up to this part of the time for the curve: for turns that were not judged yet.

        Where all were, each is judged `again`, for longer, if that is wanted; but not where results are proven.
        """
        if self.budget.playouts is not None or self.budget.left(part) <= 0 or self._ordered is None:
            return
        if len(self._ordered.taken) == len(self.match.played):
            if not again or self.match.analysts[0].proves:
                return
            self._ordered, self.budget.most = self._order(), ALONE
        self._curve, self._curve_part, self._later = self._curve.for_part(part), part, 0
        self._is_planned = True
        self._judge_the_curve(self._ordered)

    def _measure(self) -> None:
        """Measure how long a position takes at least, in the middle of the match."""
        match = self.match
        analyst, state = match.analysts[0], [match.played[len(match.played) // 2].before]

        def look(seconds: float, *, deciding: bool) -> None:
            analyst.judge(state, seconds=seconds, playouts=WORTH[0 if match.compiled else 1], deciding=deciding)

        self._curve.measure(functools.partial(look, deciding=False))
        if match.beliefs:
            self._known.measure(functools.partial(look, deciding=True))

    # --- the curve

    def _order(self) -> Order:
        """In which order turns are judged."""
        played, seat = self.match.played, self.match.seat
        if seat is None:
            return Order(len(played))
        return Order(len(played), [at for at, one in enumerate(played) if one.actions[seat] is not None], seat)

    def _judge_the_curve(self, order: Order) -> None:
        """Judge true states, as many as there is time for; how many that are about is told after the first few."""
        turns, done = len(self.match.played), 0

        def judged(position: Position, one: Judged) -> None:
            nonlocal done
            done += 1
            self._add(position, one)
            order.put(position.at, one.chance)
            left = self._curve.planned(turns - len(order.taken), len(order.taken))
            if not self._is_planned and done == FEWEST and (planned := len(order.taken) + left) < turns:
                self._on_plan(planned, turns)
            self._step(left + self._later)

        self._judge(self._of_the_curve(order), self._curve, judged)

    def _of_the_curve(self, order: Order) -> Iterator[tuple[Position, float | None]]:
        """Positions of the curve with their seconds, until its time is over: first evenly, then in falls."""
        count = len(self.match.played)
        while not self._curve.is_over(done := len(order.taken)):
            is_late = done >= FEWEST and self.budget.left(EVENLY * self._curve_part) <= 0
            place = order.in_a_fall() if is_late else None
            place = order.evenly() if place is None else place
            if place is None:
                return
            yield self._true(place), self._curve.each(count - done)

    def _true(self, place: int) -> Position:
        """The true state."""
        return Position(place, None, [self.match.played[place].before], 1, True)

    # --- what seats could know

    def _judge_what_was_known(self, order: Order) -> None:
        """Follow the seats through the match, and judge what they knew where it matters most."""
        falls = order.falls()
        ranks = {place: rank for rank, place in enumerate(dict.fromkeys([*falls, *order.taken]))}
        most = max(1, MEMORY // (self.match.game.rules.LAYOUT.size * self.match.beliefs[0].size))
        most = self._known.planned(most)
        wanted: set[int] = set()
        for place in ranks:
            most -= len(self.match.deciding(place))
            if most < 0:
                break
            wanted.add(place)
        self._first_who_fell()
        kept: list[Position] = []
        for span in spans(max(wanted, default=-1) + 1):
            kept += self._known_in(span, wanted)
        kept.sort(key=lambda position: ranks[position.at])
        done = 0

        def judged(position: Position, one: Judged) -> None:
            nonlocal done
            done += 1
            self._add(position, one)
            self._step(self._known.planned(len(kept) - done, done))

        self._judge(self._of_what_was_known(kept), self._known, judged)

    def _first_who_fell(self) -> None:
        """Where not all seats can be followed, those are whose chance fell the most."""
        curve = [one.chance for one in self.found.chances]

        def fall(belief: AnalystBelief) -> float:
            return max((one[belief.seat] - other[belief.seat] for one, other in itertools.pairwise(curve)), default=0)

        self.match.beliefs.sort(key=fall, reverse=True)

    def _of_what_was_known(self, kept: Sequence[Position]) -> Iterator[tuple[Position, float | None]]:
        """These positions with their seconds, until the time is over."""
        for done, position in enumerate(kept):
            if self._known.is_over(done):
                return
            yield position, self._known.each(len(kept) - done)

    def _known_in(self, span: range, places: Sequence[int] | set[int]) -> list[Position]:
        """What the seats could know in these places of a span. Seats for which there is no time are given up."""
        found: list[Position] = []
        beliefs, turns = self.match.beliefs, len(self.match.played)
        begin = time.monotonic()
        with ThreadPoolExecutor(len(self.match.analysts)) as pool:
            for own in pool.map(lambda belief: list(self._known_to(belief, span, places)), beliefs):
                found += own
        if span.start:
            took = (time.monotonic() - begin) * min(len(self.match.analysts), len(beliefs))
            rest = took / len(span) * (turns - span.stop)
            del beliefs[followed_on(self.budget, self._follow_part, len(beliefs), rest) :]
        return found

    def _known_to(self, belief: AnalystBelief, span: range, places: Sequence[int] | set[int]) -> Iterator[Position]:
        """What a seat could know before its turns in these places; it is followed through the whole span."""
        match = self.match
        for at in span:
            moment = match.played[at]
            belief.seconds = self.budget.each(self._follow_part, (len(match.played) - at) * len(match.beliefs))
            if at == 0:
                belief.begin(match.start, moment.turn.dice, moment.before)
            else:
                belief.follow(match.played[at - 1].actions, moment.turn.dice, moment.before)
            if moment.actions[belief.seat] is not None and at in places:
                worlds = belief.worlds
                yield Position(at, belief.seat, worlds.copy(), len(worlds), belief.is_true)

    # --- judging

    def _judge_in_order(self, positions: Sequence[Position]) -> None:
        """Judge all of these, each with the playouts that are asked for; what comes of it goes by their order."""
        found = {}

        def judged(position: Position, one: Judged) -> None:
            found[position.at, position.seat] = one
            self._left -= 1
            self._step(self._left)

        self._judge(((position, None) for position in positions), self._curve, judged)
        for position in positions:
            self._add(position, found[position.at, position.seat])

    def _add(self, position: Position, judged: Judged) -> None:
        """A position was judged."""
        self.found.add(self.match.played[position.at].turn.turn, position, judged)
        if position.seat is None and self.match.analysts[0].proves:
            self.found.judged[position.at] = judged
        self.found.propose(self.match.candidates(position, judged))

    def _judge(
        self,
        positions: Iterator[tuple[Position, float | None]],
        pace: Pace,
        judged: Callable[[Position, Judged], None],
    ) -> None:
        """Judge positions side by side, each for its seconds; the next one is asked for when a thread is free.

        A thread takes the next one itself, one at a time: on a busy machine it would wait long for another that did.
        """
        one_at_a_time, is_over = Lock(), False

        def work(analyst: Analyst) -> None:
            nonlocal is_over
            try:
                while (following := one_more()) is not None:
                    position, seconds = following
                    begin = time.monotonic()
                    found = self._judged(analyst, position, seconds)
                    with one_at_a_time:
                        pace.took(seconds, time.monotonic() - begin)
                        judged(position, found)
            finally:
                is_over = True  # it is, or something went wrong

        def one_more() -> tuple[Position, float | None] | None:
            with one_at_a_time:
                return None if is_over else next(positions, None)

        with ThreadPoolExecutor(len(self.match.analysts)) as pool:
            try:
                for one in [pool.submit(work, analyst) for analyst in self.match.analysts]:
                    one.result()
            finally:
                is_over = True

    def _judged(self, analyst: Analyst, position: Position, seconds: float | None) -> Judged:
        """A position as an analyst judges it."""
        return analyst.judge(
            position.worlds,
            seconds=seconds,
            playouts=self.budget.playouts,
            seed=position.at,
            deciding=position.seat is not None,
        )


def spans(turns: int) -> Iterator[range]:
    """All turns in spans."""
    begin = 0
    for size in itertools.chain(SPANS, itertools.repeat(SPANS[-1])):
        if begin >= turns:
            return
        yield range(begin, min(begin + size, turns))
        begin += size
