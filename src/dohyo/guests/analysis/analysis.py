"""Why a match went as it did: each seat's chance to win, turn by turn, and the decisions that cost the most.

Theory of operation
-------------------
Positions are judged by search (`dohyo.series.analyst`):

* `chances`: the true state before each turn, with everything in it that nobody could see.
* `seen`: in a game in which a seat does not see everything, what the seat could know then: states that fit all that
  it was sent (`dohyo.search.analyst_belief`).

A search is a guess at how bots play. So nothing is called a mistake because a search says so: it only proposes
decisions, and for each some other actions. They are played on (`trials.py`), by the bots that played, if they are at
hand, else by strong ones, and named is what is then known. Where the bots are at hand, they mend the curve, too
(`curve.py`).

The match is gone through in spans of turns, so that what is remembered of a long one stays small. Each position gets
its share of the time that is left: so all together ends in time, however long finding the states has taken. Where the
time is not enough for all turns, some of them are judged (`pace.py`).

A chance is a share of first places. Luck that was still to come when the seat decided is not counted for or against
it.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dohyo.core import seeds
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, Information, State
from dohyo.core.playback import beginning, moments
from dohyo.core.replay import Replay, Turn
from dohyo.guests.analysis import lines, proofs
from dohyo.guests.analysis.curve import Seen, mended
from dohyo.guests.analysis.facts import facts_of
from dohyo.guests.analysis.pace import Budget, Pace
from dohyo.guests.analysis.proofs import ProvenMistake
from dohyo.guests.analysis.stopped import stopped_in
from dohyo.guests.analysis.trials import ALTERNATIVES, DECISIONS, Decision, Option, Trials, Tried, Verdict
from dohyo.match import own_games
from dohyo.series.analysed import Analysis, Chances, SeatChance, TurningPoint
from dohyo.series.analyst import Analyst, Judged, chance_of
from dohyo.series.branches import Branch, End, PlaysOn
from dohyo.series.onward import Onward

if TYPE_CHECKING:
    from dohyo.search.analyst_belief import AnalystBelief

SECONDS = 60.0  # for a match
MAX_TURNS = 50_000  # of a match: two states of each are kept, up to 24 KB
FIRST_LOOK, PROVEN, PLAYED_ON, TRIED, ALL = (
    0.3,
    0.55,
    0.65,
    0.95,
    1.0,
)  # parts of the time by whose end each step is done
FINDING = 0.3  # the part of a position's time that finding the states that fit may take
SPANS = 1, 4, 32  # turns that are looked at together: the first few, to see how long that takes, then the rest
STEPS = 40  # of the progress that the trials are counted as
WORSE = 0.05  # by so much may the search like an action less than the one that was played, and it is tried
PLACES = 8  # turns of a match from which it is played on for the curve
TIMES = 2  # from each
MORE = 3  # times as many turns, where luck decides nothing
NEAR = 3  # own turns within which the same better action is the same chance


class _Position(NamedTuple):
    """A position to be judged: for everybody (seat none), or as a seat knows it."""

    at: int  # in the list of moments
    seat: int | None
    worlds: Any
    size: int  # how many worlds
    is_true: bool


class _Candidate(NamedTuple):
    """A decision that may have been a mistake, as the first look judged it.

    `ways` are other actions, with how much more of the chance the search gives them, the best first.
    """

    position: _Position
    seat: int
    played: int
    ways: tuple[Option, ...]
    options: dict[int, dict[int, tuple[float, int]]]


def analyse(
    replay: Replay,
    *,
    seconds: float = SECONDS,
    playouts: int | None = None,
    seat: int | None = None,
    compiled: bool = True,
    threads: int | None = None,
    seed: int = 0,
    on_progress: Callable[[int, int], None] = lambda done, of: None,
    on_plan: Callable[[int, int], None] = lambda judged, of: None,
    plays_on: Onward | None = None,
) -> Analysis:
    """Analyse a match in about so many seconds, or with so many `playouts` a position (then always with one result).

    The time begins when the rules are compiled. With `seat`, only its decisions are judged, and only turns up to its
    last one. `on_progress` is told how many of how many steps are done, `on_plan` about how many turns of how many
    are judged, if the time is not enough for all. `plays_on` plays matches on (`onward.onward`); without it no
    decision is called a mistake, but where search proves it.

    Raises `ReplayError` if the replay contradicts the rules, `OperatorError` for one that is too long, and for
    `compiled` without the extra `fast`.
    """
    game = own_games.find(replay.header.game)
    work = _Work(game, replay, compiled, threads or _threads(compiled), seed, seat)
    work.begin(seconds, playouts, on_progress, on_plan)
    first = work.first_look()
    end = work.budget.end(PROVEN if plays_on is not None else TRIED)
    for place, proven in proofs.more(work.analysts, first.judged, work.played, end):
        at = first.index[place]
        first.chances[at] = msgspec.structs.replace(first.chances[at], **proven)
    tried, observed = _played_on(work, first, plays_on)
    chances = work.mended(first, observed)
    points = lines.with_lines(
        lines.Match(game, work.seats, work.played, work.analysts),
        work.budget,
        ALL,
        work.points(tried.verdicts, proofs.mistakes(game, first.judged, work.played, seat), chances, first.index),
    )
    on_progress(work.counted, work.counted)
    return _told(work, first, tried, chances, points, compiled, plays_on)


def _told(
    work: _Work,
    first: _FirstLook,
    tried: Tried,
    chances: tuple[Chances, ...],
    points: tuple[TurningPoint, ...],
    compiled: bool,
    plays_on: Onward | None,
) -> Analysis:
    """All that was found."""
    replay = work.replay
    return Analysis(
        work.game.name,
        replay.turns[-1].digest if replay.turns else "",
        tuple(one.name for one in replay.header.seats),
        compiled,
        first.playouts,
        chances,
        tuple(sorted(work.widened(first.seen), key=lambda one: (one.turn, one.seat))),
        points,
        tried.decisions,
        tried.matches + work.curve_matches,
        stopped=work.end,
        facts=work.facts,
        settled=work.settled,
        turns=len(work.played),
        decisions=work.decisions,
        **({} if plays_on is None else plays_on.told()),
    )


def _played_on(work: _Work, first: _FirstLook, plays_on: Onward | None) -> tuple[Tried, dict[int, list[End]]]:
    """What came of playing on: of the decisions of the first look, and of the match as it was, by place."""
    if plays_on is None or not work.played:
        return Tried(), {}
    observed = work.play_on(plays_on.by, list(first.index)) if plays_on.is_own else {}
    tried = work.try_out(first.candidates, plays_on.by)
    if plays_on.is_own:
        work.add_as_played(observed, tried)
    return tried, observed


def _threads(compiled: bool) -> int:
    """As many as there are cores; plain Python runs on one of them only."""
    if not compiled:
        return 1
    from dohyo.sim.loops import cores

    return cores()


class _FirstLook:
    """What the first look at all turns has found."""

    def __init__(self) -> None:
        self.chances: list[Chances] = []
        self.index: dict[int, int] = {}  # by place of a turn that was judged, where its chances are
        self.seen: list[SeatChance] = []
        self.candidates: list[_Candidate] = []  # the most expensive first
        self.judged: dict[int, Judged] = {}  # by place, the true state
        self.playouts = 0

    def add(self, turn: int, position: _Position, judged: Judged) -> None:
        """A position was judged."""
        self.playouts += judged.playouts
        low = tuple(max(0.0, chance - error) for chance, error in zip(judged.chance, judged.error, strict=True))
        high = tuple(min(1.0, chance + error) for chance, error in zip(judged.chance, judged.error, strict=True))
        if position.seat is None:
            self.index[position.at] = len(self.chances)
            self.chances.append(Chances(turn, judged.chance, low, high, judged.proven is not None))
        else:
            seat = position.seat
            bounds = (judged.chance[seat], low[seat], high[seat])
            self.seen.append(SeatChance(turn, seat, *bounds, position.size, position.is_true))


class _Work:
    """The analysis of one match, on several threads: compiled searches hold no lock of Python's."""

    def __init__(self, game: Game, replay: Replay, compiled: bool, threads: int, seed: int, seat: int | None) -> None:
        self.game, self.replay, self.seat, self.threads = game, replay, seat, threads
        self.seats = len(replay.header.seats)
        if replay.played > MAX_TURNS:
            raise OperatorError("analysis-too-long", most=MAX_TURNS)
        self.played = [moment for moment in moments(game, replay) if moment.turn.moves]
        self.facts = facts_of(game, replay, self.played)
        if seat is not None:  # what came after its last decision is not its own
            acted = [at for at, moment in enumerate(self.played) if moment.actions[seat] is not None]
            self.played = self.played[: acted[-1] + 1 if acted else 0]
        self.end = stopped_in(self.played)
        self.stopped = len(self.played) if self.end is None else self.end.place
        self.curve_matches, self._is_alike, self.settled = 0, False, 0
        self._seed = seeds.derived(replay.header.seed, "analysis", seed)
        self.analysts = [Analyst(game, self.seats, compiled=compiled) for _ in range(threads)]
        self._beliefs: list[AnalystBelief] = []
        self._hides = game.information is Information.IMPERFECT
        if self._hides:
            from dohyo.search.analyst_belief import AnalystBelief

            seats = range(self.seats) if seat is None else (seat,)
            self._beliefs = [AnalystBelief(game, self.seats, one, compiled=compiled) for one in seats]

    def begin(
        self,
        seconds: float,
        playouts: int | None,
        on_progress: Callable[[int, int], None],
        on_plan: Callable[[int, int], None],
    ) -> None:
        """The time begins."""
        self.decisions = self._acting(self._beliefs, 0)
        self.budget = Budget(seconds, playouts, self.threads)
        self.pace = Pace(self.budget, FIRST_LOOK, len(self.played))
        self._on_progress, self._on_plan = on_progress, on_plan
        self._done, self.counted = 0, len(self.played) + self.decisions + STEPS

    # --- what is judged

    def first_look(self) -> _FirstLook:
        """Judge turns: the true state, and what each seat that acts could know of it if that is not the same."""
        found = _FirstLook()
        self._measure()
        for span in self._spans():
            places = self.pace.among(span)
            positions = [_Position(at, None, [self.played[at].before], 1, True) for at in places]
            positions += self._known_in(span, places)
            left = self._left(len(positions), span.stop)
            judged = self.judge_all(positions, FIRST_LOOK, left)
            for position, one in zip(positions, judged, strict=True):
                found.add(self.played[position.at].turn.turn, position, one)
                if position.seat is None and self.analysts[0].proves:
                    found.judged[position.at] = one
            candidates = [*found.candidates, *self._candidates(positions, judged)]
            found.candidates = sorted(candidates, key=lambda one: -one.ways[0].gap)[:DECISIONS]
        return found

    def _spans(self) -> Iterator[range]:
        """The turns in spans. Once it is known how long they take, it is told if not all of them are judged."""
        begin, turns = 0, len(self.played)
        for size in itertools.chain(SPANS, itertools.repeat(SPANS[-1])):
            if begin >= turns:
                return
            yield range(begin, min(begin + size, turns))
            begin += size
            if size == SPANS[1] and begin < turns and (judged := self.pace.planned(0)) < turns:
                self._on_plan(judged, turns)

    def _measure(self) -> None:
        """Measure how long a turn takes at least to be judged, in the middle of the match."""
        if not self.played:
            return
        analyst, state = self.analysts[0], [self.played[len(self.played) // 2].before]
        own = self.decisions / len(self.played)
        self.pace.measure(
            [(1.0, lambda: analyst.judge(state, seconds=0.0, deciding=False))]
            + ([(own, lambda: analyst.judge(state, seconds=0.0))] if own else [])
        )

    def _acting(self, beliefs: Sequence[AnalystBelief], begin: int) -> int:
        """How many decisions these seats had from this turn on."""
        return sum(one.actions[each.seat] is not None for one in self.played[begin:] for each in beliefs)

    def _left(self, positions: int, end: int) -> int:
        """How many positions are to be judged yet: these, and of the turns from `end` on as many as are planned."""
        rest = len(self.played) - end
        later = self.pace.planned(end) * (1 + self._acting(self._beliefs, end) / rest) if rest else 0.0
        self.counted = self._done + positions + round(later) + STEPS
        return positions + round(later)

    def _known_in(self, span: range, places: Sequence[int]) -> list[_Position]:
        """What the seats could know in these places of a span. Seats for which there is no time are given up."""
        found: list[_Position] = []
        begin = time.monotonic()
        with ThreadPoolExecutor(self.threads) as pool:
            for own in pool.map(lambda belief: list(self._known(belief, span, places)), self._beliefs):
                found += own
        if span.start:
            took = (time.monotonic() - begin) * min(self.threads, len(self._beliefs))
            self._beliefs = self._beliefs[: self.pace.follow(len(self._beliefs), span.start, len(span), took)]
        return found

    def _known(self, belief: AnalystBelief, span: range, places: Sequence[int]) -> Iterator[_Position]:
        """What a seat could know before its turns in these places; it is followed through the whole span."""
        for at in span:
            moment = self.played[at]
            each = self.budget.each(FIRST_LOOK, (len(self.played) - at) * (1 + len(self._beliefs)))
            belief.seconds = None if each is None else FINDING * each
            if at == 0:
                belief.begin(beginning(self.game, self.replay), moment.turn.dice, moment.before)
            else:
                belief.follow(self.played[at - 1].actions, moment.turn.dice, moment.before)
            if moment.actions[belief.seat] is not None and at in places:
                worlds = belief.worlds
                yield _Position(at, belief.seat, worlds.copy(), len(worlds), belief.is_true)

    # --- judging

    def judge_all(self, positions: Sequence[_Position], part: float, left: int) -> list[Judged]:
        """Judge positions side by side; so many are `left` in this part of the time, they among them."""
        free = list(self.analysts)
        begun = 0

        def one(position: _Position) -> Judged:
            nonlocal begun
            analyst = free.pop()  # there are as many as threads
            each = self.budget.each(part, left - begun)
            begun += 1
            try:
                return analyst.judge(
                    position.worlds,
                    seconds=each,
                    playouts=self.budget.playouts,
                    seed=position.at,
                    deciding=position.seat is not None,
                )
            finally:
                free.append(analyst)

        found = []
        with ThreadPoolExecutor(self.threads) as pool:
            for judged in pool.map(one, positions):
                found.append(judged)
                self._step()
        return found

    def _step(self) -> None:
        """One more step is done."""
        self._done = min(self._done + 1, self.counted)
        self._on_progress(self._done, self.counted)

    # --- decisions

    def _candidates(self, positions: Sequence[_Position], judged: Sequence[Judged]) -> Iterator[_Candidate]:
        """The decisions in these positions for which the search knows other actions, about as good or better.

        Where a seat's knowledge was not found, it is not known what it could have done better. Where the result of
        what was played is proven, nothing is left to be tried.
        """
        for position, one in zip(positions, judged, strict=True):
            if position.at >= self.stopped or (self._hides and (position.seat is None or position.is_true)):
                continue
            if one.proven is not None and one.proven.result is not None:
                played = self.played[position.at].actions[one.proven.seat]
                if played is not None and one.proven.of(played).result is not None:
                    continue
            actions = self.played[position.at].actions
            for acting, played in enumerate(actions):
                if played is None or position.seat not in (None, acting) or self.seat not in (None, acting):
                    continue
                options = one.options.get(acting, {})
                base = self._chance(value_of(played, options)) if options else 0.0
                ways = [
                    Option(action, self._chance(options[action][0]) - base)
                    for action in sorted(options, key=lambda action: options[action][::-1], reverse=True)
                    if action != played
                ][:ALTERNATIVES]
                ways = sorted((way for way in ways if way.gap >= -WORSE), key=lambda way: -way.gap)
                if ways:
                    yield _Candidate(position, acting, played, tuple(ways), one.options)

    def try_out(self, candidates: Sequence[_Candidate], by: PlaysOn) -> Tried:
        """Play the candidates on."""
        trials = Trials(self.game, self.played, self.seats, self._seed, by)
        return trials.carry_out([self._decision(one) for one in candidates], self.budget.end(TRIED), self._step)

    def _decision(self, one: _Candidate) -> Decision:
        moment, worlds = self.played[one.position.at], one.position.worlds
        simultaneous = sum(action is not None for action in moment.actions) > 1

        def state(luck: random.Random) -> State:
            return self._plain(worlds, luck.randrange(one.position.size))

        def others(state: State, luck: random.Random) -> dict[int, int]:
            acting = [seat for seat in self.game.acting(state, self.seats) if seat != one.seat]
            return {seat: self._likely(state, seat, one.options.get(seat, {}), luck) for seat in acting}

        varies = self._hides or simultaneous
        return Decision(one.position.at, one.seat, one.played, one.ways, varies, state, others)

    def points(
        self,
        verdicts: Sequence[Verdict],
        proven: Sequence[ProvenMistake],
        chances: Sequence[Chances],
        index: Mapping[int, int],
    ) -> tuple[TurningPoint, ...]:
        """What was proven, and what trials have found, without what the curve does not bear out.

        `index` says by place where its chances are.
        """
        by_place = {place: chances[at] for place, at in index.items()}
        points = [self._point(one) for one in verdicts if self._agrees(one, by_place)]
        points += [self._proven_point(one) for one in proven]
        seats = range(self.seats)
        turns = [[one.turn.turn for one in self.played if one.actions[seat] is not None] for seat in seats]
        return without_repeats(sorted(points, key=lambda point: -point.loss), turns)

    def _agrees(self, one: Verdict, chances: Mapping[int, Chances]) -> bool:
        """Whether what the matches say of a seat fits the curve: one page must not say two things."""
        place, seat, tally = one.decision.place, one.decision.seat, one.tally
        left, kept = (won / tally.times for won in tally.won)
        fits = kept + tally.error >= chances[place].low[seat]
        if place + 1 in chances:
            fits = fits and left - tally.error <= chances[place + 1].high[seat]
        return fits

    def _point(self, one: Verdict) -> TurningPoint:
        text, tally, decision = self.game.protocol.text, one.tally, one.decision
        turn = self.played[decision.place].turn
        left, kept = (won / tally.times for won in tally.won)
        return TurningPoint(
            turn.turn,
            decision.seat,
            text(decision.played),
            text(one.better),
            kept,
            left,
            tally.error,
            fault=fault_of(turn, decision.seat),
            times=tally.times,
            won=tally.won,
            always=tally.is_always_alike,
        )

    def _proven_point(self, one: ProvenMistake) -> TurningPoint:
        text, turn = self.game.protocol.text, self.played[one.place].turn
        fault = fault_of(turn, one.seat)
        told = text(one.played), text(one.better), one.kept, one.left, 0.0
        return TurningPoint(turn.turn, one.seat, *told, fault=fault, proven=True)

    # --- the curve

    def play_on(self, by: PlaysOn, judged: Sequence[int]) -> dict[int, list[End]]:
        """Let the bots go on from some of the turns that were judged, as it was: by place, how that ended.

        Where luck decides nothing in any of them, they go on from more turns, once from each.
        """
        before = [place for place in judged if place <= self.stopped]
        places = sorted({before[len(before) * at // PLACES] for at in range(PLACES)})
        found = self._played_on(by, places, TIMES)
        self._is_alike = bool(found) and all(
            len(ends) == TIMES and len({end.digest for end in ends}) == 1 for ends in found.values()
        )
        if self._is_alike:
            between = {before[len(before) * at // (MORE * PLACES)] for at in range(MORE * PLACES)}
            once = self._played_on(by, sorted(between - found.keys()), 1)
            found |= {place: ends * TIMES for place, ends in once.items()}
        return found

    def _played_on(self, by: PlaysOn, places: Sequence[int], times: int) -> dict[int, list[End]]:
        """How the match ended, played on so often from each of these places, as far as time allows."""
        branches = [
            Branch(moment.before, moment.turn.turn, seeds.derived(self._seed, "curve", moment.turn.turn, luck))
            for moment in (self.played[place] for place in places)
            for luck in range(times)
        ]
        found: dict[int, list[End]] = {}
        for at, end in enumerate(by.ends(branches, self.budget.end(PLAYED_ON))):
            self.curve_matches += end is not None
            if end is not None:
                found.setdefault(places[at // times], []).append(end)
        return found

    def add_as_played(self, observed: dict[int, list[End]], tried: Tried) -> None:
        """Add how matches ended that were played on after what was played, where no dice fell after it."""
        for place, ends in tried.as_played.items():
            if place + 1 < len(self.played) and not self.played[place + 1].turn.dice:
                observed.setdefault(place + 1, []).extend(ends.values())

    def mended(self, first: _FirstLook, observed: dict[int, list[End]]) -> tuple[Chances, ...]:
        """The curve, as the matches that were played on mend it; without any, with the error of the game's judge.

        Where luck decides nothing, and all came to one result, they say of no turn more than of another: a chance
        that is always 0 or 1. Then the curve stays the search's.
        """
        if self._is_alike and len({end.shares for ends in observed.values() for end in ends}) == 1:
            self.settled, observed = len(observed), {}
        judged, by_seat = first.chances, []
        known = {first.index[place]: ends for place, ends in observed.items() if place in first.index}
        for seat in range(self.seats):
            seen = {at: _seen(ends, seat, self._is_alike) for at, ends in known.items()}
            errors = [(one.high[seat] - one.low[seat]) / 2 for one in judged]
            by_seat.append(mended([one.chance[seat] for one in judged], errors, seen, self._spread))
        return tuple(
            one if one.proven else _together(one.turn, [row[at] for row in by_seat]) for at, one in enumerate(judged)
        )

    def widened(self, seen: Sequence[SeatChance]) -> list[SeatChance]:
        """What seats could think of their chances, with the error of the game's judge."""
        found = []
        for one in seen:
            ((chance, low, high),) = mended([one.chance], [(one.high - one.low) / 2], {}, self._spread)
            found.append(msgspec.structs.replace(one, chance=chance, low=low, high=high))
        return found

    @property
    def _spread(self) -> float:
        return float(self.analysts[0].by.spread)

    def _chance(self, value: float) -> float:
        """A seat's chance, from a value for it alone."""
        return chance_of(value, self.seats, self.analysts[0].by.sharpness)

    def _plain(self, worlds: Any, at: int) -> State:
        """A copy of one of the worlds as a plain state."""
        layout = self.game.rules.LAYOUT
        if isinstance(worlds, list):
            return layout.copy(worlds[at])
        from dohyo.sim import records

        return records.read(layout, worlds, at)

    def _likely(self, state: State, seat: int, options: dict[int, tuple[float, int]], luck: random.Random) -> int:
        """An action of another seat, as often as the search has tried it."""
        legal = list(self.game.legal_actions(state, seat))
        weights = [options.get(action, (0.0, 0))[1] for action in legal]
        return luck.choices(legal, weights if any(weights) else None)[0]


def _seen(ends: Sequence[End], seat: int, is_alike: bool) -> Seen:
    """What matches that were played on from a turn say of a seat; `is_alike`: luck decides nothing in this match."""
    always = is_alike and len(ends) > 1 and len({end.digest for end in ends}) == 1
    return Seen(len(ends), sum(end.shares[seat] for end in ends), always)


def _together(turn: int, rows: Sequence[tuple[float, float, float]]) -> Chances:
    """The chances of all seats in a turn, which add up to 1."""
    total = sum(chance for chance, _, _ in rows)
    chance = tuple(one / total for one, _, _ in rows)
    low = tuple(min(low, one) for (_, low, _), one in zip(rows, chance, strict=True))
    high = tuple(max(high, one) for (_, _, high), one in zip(rows, chance, strict=True))
    return Chances(turn, chance, low, high)


def fault_of(turn: Turn, seat: int) -> str:
    """The kind of the fault by which a seat's action in a turn came about; empty where it answered."""
    faults = [fault for move in turn.moves if move.seat == seat for fault in move.faults if not fault.note]
    return faults[-1].kind.value if faults else ""


def without_repeats(points: Sequence[TurningPoint], turns: Sequence[Sequence[int]]) -> tuple[TurningPoint, ...]:
    """The points, without those that miss the same chance as one before them in the list; all that are proven.

    `turns` are those in which each seat acted. A chance is the same if it is the same action, a few turns away.
    """
    found: list[TurningPoint] = []
    for point in points:
        at = turns[point.seat].index(point.turn)
        near = turns[point.seat][max(0, at - NEAR) : at + NEAR + 1]
        again = any((one.seat, one.better) == (point.seat, point.better) and one.turn in near for one in found)
        if point.proven or not again:
            found.append(point)
    return tuple(found)


def value_of(played: int, options: dict[int, tuple[float, int]]) -> float:
    """How good an action is by these options; what was not tried is as good as the others are on average."""
    if played in options:
        return options[played][0]
    return sum(value for value, _ in options.values()) / len(options)
