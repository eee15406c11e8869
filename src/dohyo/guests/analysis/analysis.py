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

Each position gets its share of the time that is left: so all together ends in time. Where that is not enough for all
turns, some of them are judged, spread over the match, and closer where a chance fell (`first_look.py`).

A chance is a share of first places. Luck that was still to come when the seat decided is not counted for or against
it.
"""

from __future__ import annotations

import random
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from dohyo.core import seeds
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, Information, State
from dohyo.core.playback import beginning
from dohyo.core.replay import Replay, Turn
from dohyo.guests.analysis import lines, proofs
from dohyo.guests.analysis.curve import Seen, mended
from dohyo.guests.analysis.facts import Counted
from dohyo.guests.analysis.first_look import Candidate, FirstLook, Found, Match, Position
from dohyo.guests.analysis.kept import Kept
from dohyo.guests.analysis.pace import ALONE, Budget
from dohyo.guests.analysis.proofs import ProvenMistake
from dohyo.guests.analysis.stopped import stopped_in
from dohyo.guests.analysis.trials import ALTERNATIVES, Decision, Option, Trials, Tried, Trying, Verdict
from dohyo.match import own_games
from dohyo.series.analysed import Analysis, Chances, Facts, SeatChance, TurningPoint
from dohyo.series.analyst import Analyst, Judged, chance_of
from dohyo.series.branches import Branch, End, PlaysOn
from dohyo.series.onward import Onward

if TYPE_CHECKING:
    from dohyo.search.analyst_belief import AnalystBelief

SECONDS = 60.0  # for a match
MAX_TURNS = 50_000  # of a match
READ, LEAST_READ = 0.25, 2.0  # part of the time, and seconds at least, in which a match is gone through
FIRST_LOOK, PROVEN, PLAYED_ON, TRIED, ALL = (
    0.3,
    0.55,
    0.65,
    0.95,
    1.0,
)  # parts of the time by whose end each step is done
STEPS = 40  # of the progress that the trials are counted as
WORSE = 0.05  # by so much may the search like an action less than the one that was played, and it is tried
PLACES = 8  # turns of a match from which it is played on for the curve
TIMES = 2  # from each
MORE = 3  # times as many turns, where luck decides nothing
NEAR = 3  # own turns within which the same better action is the same chance


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
    on_try: Callable[[Trying | None], None] = lambda trying: None,
    plays_on: Onward | None = None,
) -> Analysis:
    """Analyse a match in about so many seconds, or with so many `playouts` a position (then always with one result).

    The rules are compiled beside that time. With `seat`, only its decisions are judged, and only turns up to its
    last one; where the time is not enough for all of these, its own turns and its falls come first. `on_progress` is
    told how many of how many steps are done, `on_plan` about how many turns of how many are judged, if the time is
    not enough for all, `on_try` from which turn the match is played on (none: no more). `plays_on` plays matches on
    (`onward.onward`); without it no decision is called a mistake, but where search proves it.

    Raises `ReplayError` if the replay contradicts the rules, `OperatorError` for one that is too long, and for
    `compiled` without the extra `fast`.
    """
    game = own_games.find(replay.header.game)
    begun = time.monotonic()
    until = None if playouts is not None else begun + max(LEAST_READ, READ * seconds)
    work = _Work(game, replay, until, seed, seat)
    left = seconds - (time.monotonic() - begun)
    work.begin(max(0.0, left), playouts, compiled, threads or _threads(compiled), on_progress)
    look = work.looking(on_plan, is_alone=plays_on is None)
    first = look.look()
    end = work.budget.end(PROVEN if plays_on is not None else TRIED)
    for place, proven in proofs.more(work.analysts, first.judged, work.played, end):
        first.prove(place, proven)
    tried, observed = _played_on(work, first, plays_on, on_try)
    on_try(None)
    look.go_on(TRIED, again=not tried.decisions)
    chances = work.mended(first, observed)
    points = lines.with_lines(
        lines.Match(game, work.seats, work.played, work.analysts),
        work.budget,
        ALL,
        work.points(tried.verdicts, proofs.mistakes(game, first.judged, work.played, seat), chances, first.places),
    )
    on_progress(work.counted, work.counted)
    return _told(work, first, tried, chances, points, compiled, plays_on)


def _told(
    work: _Work,
    first: Found,
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
        unread=work.played.left,
        **({} if plays_on is None else plays_on.told()),
    )


def _played_on(
    work: _Work, first: Found, plays_on: Onward | None, on_try: Callable[[Trying], None]
) -> tuple[Tried, dict[int, list[End]]]:
    """What came of playing on: of the decisions of the first look, and of the match as it was, by place."""
    if plays_on is None or not work.played:
        return Tried(), {}
    observed = work.play_on(plays_on.by, first.places, on_try) if plays_on.is_own else {}
    tried = work.try_out(first.candidates, plays_on.by, on_try)
    if plays_on.is_own:
        work.add_as_played(observed, tried)
    return tried, observed


def _threads(compiled: bool) -> int:
    """As many as there are cores; plain Python runs on one of them only."""
    if not compiled:
        return 1
    from dohyo.sim.loops import cores

    return cores()


class _Work:
    """The analysis of one match, on several threads: compiled searches hold no lock of Python's."""

    def __init__(self, game: Game, replay: Replay, until: float | None, seed: int, seat: int | None) -> None:
        """Goes through the match, up to a moment of `time.monotonic`."""
        self.game, self.replay, self.seat = game, replay, seat
        self.seats = len(replay.header.seats)
        if replay.played > MAX_TURNS:
            raise OperatorError("analysis-too-long", most=MAX_TURNS)
        counted = Counted(game, replay)
        self.played = Kept(game, replay, until, counted.see)
        self.facts = Facts() if self.played.left else counted.facts()  # they are about a match's end, too
        if seat is not None:  # what came after its last decision is not its own
            self.played.cut(max(self.played.places_of(seat), default=-1) + 1)
        self.end = stopped_in(self.played)
        self.stopped = len(self.played) if self.end is None else self.end.place
        self.curve_matches, self._is_alike, self.settled = 0, False, 0
        self._seed = seeds.derived(replay.header.seed, "analysis", seed)
        self._hides = game.information is Information.IMPERFECT

    def begin(
        self,
        seconds: float,
        playouts: int | None,
        compiled: bool,
        threads: int,
        on_progress: Callable[[int, int], None],
    ) -> None:
        """The rules are compiled, where they were not; then the time that is left begins."""
        self._compiled = compiled
        self.analysts = [Analyst(self.game, self.seats, compiled=compiled) for _ in range(threads)]
        self._beliefs: list[AnalystBelief] = self._followed() if self._hides else []
        self.decisions = sum(len(self.played.places_of(each.seat)) for each in self._beliefs)
        self.budget = Budget(seconds, playouts, threads)
        self._on_progress = on_progress
        self._done, self.counted = 0, len(self.played) + self.decisions + STEPS

    def _followed(self) -> list[AnalystBelief]:
        """What follows the seats that are asked for."""
        from dohyo.search.analyst_belief import beliefs_of

        seats = range(self.seats) if self.seat is None else (self.seat,)
        return beliefs_of(self.game, self.seats, seats, compiled=self._compiled)

    def looking(self, on_plan: Callable[[int, int], None], *, is_alone: bool) -> FirstLook:
        """What judges turns: the true state, and what each seat that acts could know of it if that is not the same.

        It has most of the time where it `is_alone`, as nobody plays on; proofs need some of it.
        """
        start = beginning(self.game, self.replay)
        given = (self.played, self.seat, self._beliefs, self.analysts, self._candidates, self._compiled)
        match = Match(self.game, start, *given)
        part = FIRST_LOOK
        if is_alone:
            part, self.budget.most = PROVEN if self.analysts[0].proves else TRIED, ALONE
        return FirstLook(match, self.budget, part, self._judged, on_plan)

    def _judged(self, left: int) -> None:
        """A position was judged; so many are left."""
        self.counted = self._done + 1 + left + STEPS
        self._step()

    def _step(self) -> None:
        """One more step is done."""
        self._done = min(self._done + 1, self.counted)
        self._on_progress(self._done, self.counted)

    # --- decisions

    def _candidates(self, position: Position, judged: Judged) -> Iterator[Candidate]:
        """The decisions in a position for which the search knows other actions, about as good or better.

        Where a seat's knowledge was not found, it is not known what it could have done better. Where the result of
        what was played is proven, nothing is left to be tried.
        """
        if position.at >= self.stopped or (self._hides and (position.seat is None or position.is_true)):
            return
        actions = self.played[position.at].actions
        if judged.proven is not None and judged.proven.result is not None:
            played = actions[judged.proven.seat]
            if played is not None and judged.proven.of(played).result is not None:
                return
        for acting, played in enumerate(actions):
            if played is None or position.seat not in (None, acting) or self.seat not in (None, acting):
                continue
            options = judged.options.get(acting, {})
            base = self._chance(value_of(played, options)) if options else 0.0
            ways = [
                Option(action, self._chance(options[action][0]) - base)
                for action in sorted(options, key=lambda action: options[action][::-1], reverse=True)
                if action != played
            ][:ALTERNATIVES]
            ways = sorted((way for way in ways if way.gap >= -WORSE), key=lambda way: -way.gap)
            if ways:
                yield Candidate(position, acting, played, tuple(ways), judged.options)

    def try_out(self, candidates: Sequence[Candidate], by: PlaysOn, on_try: Callable[[Trying], None]) -> Tried:
        """Play the candidates on."""
        trials = Trials(self.game, self.played, self.seats, self._seed, by)
        decisions = [self._decision(one) for one in candidates]
        return trials.carry_out(decisions, self.budget.end(TRIED), self._step, on_try)

    def _decision(self, one: Candidate) -> Decision:
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
        places: Sequence[int],
    ) -> tuple[TurningPoint, ...]:
        """What was proven, and what trials have found, without what the curve does not bear out.

        `chances` are those in these places.
        """
        by_place = dict(zip(places, chances, strict=True))
        points = [self._point(one) for one in verdicts if self._agrees(one, by_place)]
        points += [self._proven_point(one) for one in proven]
        line = self.played.line
        turns = {seat: [line(at).turn for at in self.played.places_of(seat)] for seat in {one.seat for one in points}}
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

    def play_on(self, by: PlaysOn, judged: Sequence[int], on_try: Callable[[Trying], None]) -> dict[int, list[End]]:
        """Let the bots go on from some of the turns that were judged, as it was: by place, how that ended.

        Where luck decides nothing in any of them, they go on from more turns, once from each.
        """
        turns = min(self.stopped + 1, len(self.played))

        def spread(count: int) -> set[int]:
            return {judged[bisect_right(judged, turns * at // count) - 1] for at in range(count)}

        places = sorted(spread(PLACES))
        turn = self.played.line(places[0]).turn
        on_try(Trying("curve", turn, 1, len(places), self.budget.end(PLAYED_ON)))
        found = self._played_on(by, places, TIMES)
        self._is_alike = bool(found) and all(
            len(ends) == TIMES and len({end.digest for end in ends}) == 1 for ends in found.values()
        )
        if self._is_alike:
            once = self._played_on(by, sorted(spread(MORE * PLACES) - found.keys()), 1)
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

    def mended(self, first: Found, observed: dict[int, list[End]]) -> tuple[Chances, ...]:
        """The curve, as the matches that were played on mend it; without any, with the error of the game's judge.

        Where luck decides nothing, and all came to one result, they say of no turn more than of another: a chance
        that is always 0 or 1. Then the curve stays the search's.
        """
        if self._is_alike and len({end.shares for ends in observed.values() for end in ends}) == 1:
            self.settled, observed = len(observed), {}
        judged, places, by_seat = first.chances, first.places, []
        index = {place: at for at, place in enumerate(places)}
        known = {index[place]: ends for place, ends in observed.items() if place in index}
        for seat in range(self.seats):
            seen = {at: _seen(ends, seat, self._is_alike) for at, ends in known.items()}
            errors = [(one.high[seat] - one.low[seat]) / 2 for one in judged]
            by_seat.append(mended([one.chance[seat] for one in judged], errors, seen, self._spread, places))
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


def without_repeats(points: Sequence[TurningPoint], turns: Mapping[int, Sequence[int]]) -> tuple[TurningPoint, ...]:
    """The points, without those that miss the same chance as one before them in the list; all that are proven.

    `turns` are by seat those in which it acted. A chance is the same if it is the same action, a few turns away.
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
