"""Why a match went as it did: each seat's chance to win, turn by turn, and the decisions that cost the most.

Theory of operation
-------------------
Positions are judged by search (`dohyo.guests.analysis.analyst`):

* `chances`: the true state before each turn, with everything in it that nobody could see.
* `seen`: in a game in which a seat does not see everything, what the seat could know then: states that fit all that
  it was sent (`dohyo.search.belief`).
* Decisions are judged by what the seat could know. The most expensive ones of the first look are searched again: once
  after the action that was played, once after the best one.

The match is gone through in spans of turns, so that what is remembered of a long one stays small. Each position gets
its share of the time that is left: so all together ends in time, however long finding the states has taken.

A chance is a share of first places between bots that are as strong as each other. Luck that was still to come when
the seat decided is not counted for or against it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dohyo import games
from dohyo.core.game import Game, Information, State
from dohyo.core.playback import beginning, moments
from dohyo.core.replay import Replay, Turn
from dohyo.guests.analysis.analyst import Analyst, Judged, chance_of, cost_of

if TYPE_CHECKING:
    from dohyo.search.belief import Belief

SECONDS = 20.0  # for a match
MOST = 1.0  # seconds for a turn
FIRST_LOOK, SECOND_LOOK, ALL = 0.7, 0.92, 1.0  # parts of the time by whose end each step is done
FINDING = 0.3  # the part of a position's time that finding the states that fit may take
SPAN = 32  # turns that are looked at together
CANDIDATES = 24  # decisions that are looked at again
WORLDS = 64  # after a decision, when others act in the same turn, or the dice roll next
AT_LEAST = 8  # of them, however little time there is
LONGER = 3  # times as many playouts has the second look
NEAR = 3  # own turns within which the same better action is the same chance
LINES = 8  # turning points whose better way is played on
LINE = 6  # turns of it
LINE_PLAYOUTS = 2000  # for each of them


class Chances(msgspec.Struct, frozen=True):
    """By seat, the chance to win, 0..1, and between which bounds it lies, nine times in ten."""

    turn: int
    chance: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


class SeatChance(msgspec.Struct, frozen=True):
    """What a seat that acts in a turn could think of its own chance; `worlds`: how many states it knew to fit.

    `is_true` says that no such states were found, and that the true one was taken.
    """

    turn: int
    seat: int
    chance: float
    low: float
    high: float
    worlds: int
    is_true: bool


class LineTurn(msgspec.Struct, frozen=True):
    """A turn of another way: each acting seat's action as text, and how the dice fell after it."""

    actions: dict[int, str]
    dice: tuple[int, ...] = ()


class TurningPoint(msgspec.Struct, frozen=True):
    """A decision that cost its seat a part of its chance: what it played and what would have been better, as text.

    `kept` is its chance after the better action, `left` after its own; `error` is half of the 90 % interval of their
    difference, with how far the game's judge is off (`Judge.doubt`). `line` is how the match might have gone on after
    the better one, from that turn on. `fault` is the kind of the fault that came instead of an action, if one did.
    """

    turn: int
    seat: int
    played: str
    better: str
    kept: float
    left: float
    error: float
    line: tuple[LineTurn, ...] = ()
    fault: str = ""

    @property
    def loss(self) -> float:
        """The part of the chance that the decision cost."""
        return self.kept - self.left


class Analysis(msgspec.Struct, frozen=True):
    """The analysis of a match. `points` are the turning points, the most expensive first."""

    game: str
    end: str  # the digest of the replay's last state
    seats: tuple[str, ...]
    compiled: bool
    playouts: int
    chances: tuple[Chances, ...]
    seen: tuple[SeatChance, ...]
    points: tuple[TurningPoint, ...]


class _Position(NamedTuple):
    """A position to be judged: for everybody (seat none), or as a seat knows it."""

    at: int  # in the list of moments
    seat: int | None
    worlds: Any
    size: int  # how many worlds
    is_true: bool


class _Candidate(NamedTuple):
    """A decision that may have been a mistake, as the first look judged it."""

    position: _Position
    seat: int
    played: int
    better: int
    loss: float
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
) -> Analysis:
    """Analyse a match in about so many seconds, or with so many `playouts` a position (then always with one result).

    The time begins when the rules are compiled. With `seat`, only its decisions are judged, and only turns up to its
    last one. `on_progress` is told how many of how many positions are done.

    Raises `ReplayError` if the replay contradicts the rules, `OperatorError` for `compiled` without the extra `fast`.
    """
    game = games.find(replay.header.game)
    work = _Work(game, replay, compiled, threads or _threads(compiled), seed, seat)
    work.begin(seconds, playouts, on_progress)
    first = work.first_look()
    points = work.with_lines(work.second_look(first.candidates))
    on_progress(work.counted, work.counted)
    return Analysis(
        game.name,
        replay.turns[-1].digest if replay.turns else "",
        tuple(one.name for one in replay.header.seats),
        compiled,
        first.playouts,
        tuple(first.chances),
        tuple(sorted(first.seen, key=lambda one: (one.turn, one.seat))),
        points,
    )


def _threads(compiled: bool) -> int:
    """As many as there are cores; plain Python runs on one of them only."""
    if not compiled:
        return 1
    from dohyo.sim.loops import cores

    return cores()


class _Budget:
    """How long each position may be searched. The time runs from now on."""

    def __init__(self, seconds: float, playouts: int | None, threads: int) -> None:
        self.playouts = playouts
        self._start, self._seconds, self._threads = time.monotonic(), seconds, threads

    def each(self, part: float, left: int) -> float | None:
        """The seconds of each of the `left` positions that are to be done by the end of this part; none: no limit."""
        if self.playouts is not None:
            return None
        rest = self._start + part * self._seconds - time.monotonic()
        return max(0.0, min(MOST, rest * self._threads / max(left, 1)))


class _FirstLook:
    """What the first look at all turns has found."""

    def __init__(self) -> None:
        self.chances: list[Chances] = []
        self.seen: list[SeatChance] = []
        self.candidates: list[_Candidate] = []  # the most expensive first
        self.playouts = 0

    def add(self, turn: int, position: _Position, judged: Judged) -> None:
        """A position was judged."""
        self.playouts += judged.playouts
        low = tuple(max(0.0, chance - error) for chance, error in zip(judged.chance, judged.error, strict=True))
        high = tuple(min(1.0, chance + error) for chance, error in zip(judged.chance, judged.error, strict=True))
        if position.seat is None:
            self.chances.append(Chances(turn, judged.chance, low, high))
        else:
            seat = position.seat
            bounds = (judged.chance[seat], low[seat], high[seat])
            self.seen.append(SeatChance(turn, seat, *bounds, position.size, position.is_true))


class _Work:
    """The analysis of one match, on several threads: compiled searches hold no lock of Python's."""

    def __init__(self, game: Game, replay: Replay, compiled: bool, threads: int, seed: int, seat: int | None) -> None:
        self.game, self.replay, self.seat, self.threads = game, replay, seat, threads
        self.seats = len(replay.header.seats)
        self.played = [moment for moment in moments(game, replay) if moment.turn.moves]
        if seat is not None:  # what came after its last decision is not its own
            acted = [at for at, moment in enumerate(self.played) if moment.actions[seat] is not None]
            self.played = self.played[: acted[-1] + 1 if acted else 0]
        self.luck = random.Random(seed)
        self._analysts = [Analyst(game, self.seats, compiled=compiled) for _ in range(threads)]
        self._beliefs: list[Belief] = []
        if game.information is Information.IMPERFECT:
            from dohyo.search.belief import Belief

            seats = range(self.seats) if seat is None else (seat,)
            self._beliefs = [Belief(game, self.seats, one, compiled=compiled) for one in seats]

    def begin(self, seconds: float, playouts: int | None, on_progress: Callable[[int, int], None]) -> None:
        """The time begins."""
        looked = sum(moment.actions[belief.seat] is not None for moment in self.played for belief in self._beliefs)
        self.counted = len(self.played) + looked + 2 * CANDIDATES
        self._budget = _Budget(seconds, playouts, self.threads)
        self._on_progress = on_progress
        self._done = 0

    # --- what is judged

    def first_look(self) -> _FirstLook:
        """Judge all turns: the true state, and what each seat that acts could know of it if that is not the same."""
        found = _FirstLook()
        for begin in range(0, len(self.played), SPAN):
            span = range(begin, min(begin + SPAN, len(self.played)))
            positions = [_Position(at, None, [self.played[at].before], 1, True) for at in span]
            with ThreadPoolExecutor(self.threads) as pool:
                for own in pool.map(lambda belief: list(self._known(belief, span)), self._beliefs):  # noqa: B023
                    positions += own
            left = self.counted - 2 * CANDIDATES - self._done
            judged = self.judge_all(positions, FIRST_LOOK, left)
            for position, one in zip(positions, judged, strict=True):
                found.add(self.played[position.at].turn.turn, position, one)
            candidates = [*found.candidates, *self._candidates(positions, judged)]
            found.candidates = sorted(candidates, key=lambda one: -one.loss)[:CANDIDATES]
        return found

    def _known(self, belief: Belief, span: range) -> Iterator[_Position]:
        """What a seat could know before each of its turns in a span."""
        for at in span:
            moment = self.played[at]
            each = self._budget.each(FIRST_LOOK, self.counted - 2 * CANDIDATES - self._done)
            belief.seconds = None if each is None else FINDING * each
            if at == 0:
                belief.begin(beginning(self.game, self.replay), moment.turn.dice, moment.before)
            else:
                belief.follow(self.played[at - 1].actions, moment.turn.dice, moment.before)
            if moment.actions[belief.seat] is not None:
                worlds = belief.worlds
                yield _Position(at, belief.seat, worlds.copy(), len(worlds), belief.is_true)

    # --- judging

    def judge_all(self, positions: Sequence[_Position], part: float, left: int, longer: int = 1) -> list[Judged]:
        """Judge positions side by side; so many are `left` in this part of the time, they among them.

        Without a limit of time, each gets its playouts `longer` times.
        """
        free = list(self._analysts)
        begun = 0

        def one(position: _Position) -> Judged:
            nonlocal begun
            analyst = free.pop()  # there are as many as threads
            each = self._budget.each(part, left - begun)
            begun += 1
            try:
                return analyst.judge(
                    position.worlds,
                    seconds=each,
                    playouts=None if self._budget.playouts is None else longer * self._budget.playouts,
                    seed=position.at,
                    deciding=position.seat is not None,
                )
            finally:
                free.append(analyst)

        found = []
        with ThreadPoolExecutor(self.threads) as pool:
            for judged in pool.map(one, positions):
                found.append(judged)
                self._done += 1
                self._on_progress(self._done, self.counted)
        return found

    # --- decisions

    def second_look(self, candidates: Sequence[_Candidate]) -> tuple[TurningPoint, ...]:
        """The turning points: the most expensive decisions of the first look, if a second one agrees."""
        after = []
        for at, one in enumerate(candidates):
            each = self._budget.each(SECOND_LOOK, len(candidates) - at)
            end = None if each is None else time.monotonic() + FINDING * each / self.threads / 2
            for action in (one.better, one.played):
                worlds = self._after(one, action, end)
                after.append(_Position(one.position.at, None, worlds, len(worlds), True))
        looked = self.judge_all(after, SECOND_LOOK, len(after), LONGER)
        points = []
        for candidate, kept, left in zip(candidates, looked[::2], looked[1::2], strict=True):
            chances = cost_of(kept, left, candidate.seat, self._analysts[0].by.doubt)
            if chances[0] - chances[1] > chances[2]:
                points.append(self._point(candidate, *chances))
        seats = range(self.seats)
        turns = [[one.turn.turn for one in self.played if one.actions[seat] is not None] for seat in seats]
        return without_repeats(sorted(points, key=lambda point: -point.loss), turns)

    def _candidates(self, positions: Sequence[_Position], judged: Sequence[Judged]) -> Iterator[_Candidate]:
        """The decisions in these positions after which the seat had less than it could have had."""
        for position, one in zip(positions, judged, strict=True):
            if self._beliefs and position.seat is None:
                continue
            actions = self.played[position.at].actions
            for acting, played in enumerate(actions):
                if played is None or position.seat not in (None, acting) or self.seat not in (None, acting):
                    continue
                options = one.options.get(acting, {})
                if len(options) < 2:
                    continue
                better = max(options, key=lambda action: (options[action][1], options[action][0]))
                if better != played:
                    loss = self._chance(options[better][0]) - self._chance(value_of(played, options))
                    yield _Candidate(position, acting, played, better, loss, one.options)

    def _chance(self, value: float) -> float:
        """A seat's chance, from a value for it alone."""
        return chance_of(value, self.seats, self._analysts[0].by.sharpness)

    def _after(self, candidate: _Candidate, action: int, end: float | None) -> list[State]:
        """States after a decision: others act as the search would have them, the dice roll anew.

        Until a moment of `time.monotonic`, `AT_LEAST` of them.
        """
        rules, layout = self.game.rules, self.game.rules.LAYOUT
        worlds = candidate.position.worlds
        found = []
        for at in range(WORLDS):
            state = self._plain(worlds, self.luck.randrange(candidate.position.size))
            others = [seat for seat in self.game.acting(state, self.seats) if seat != candidate.seat]
            actions = [0] * self.seats
            actions[candidate.seat] = action
            for other in others:
                actions[other] = self._likely(state, other, candidate.options.get(other, {}))
            rules.step(state, actions, None)
            rolled = bool(self._roll(state, self.luck))
            found.append(layout.copy(state))
            if at == 0 and not others and not rolled and candidate.position.size == 1:
                break  # there is no other one
            if end is not None and len(found) >= AT_LEAST and time.monotonic() >= end:
                break
        return found

    def _roll(self, state: State, luck: random.Random) -> tuple[int, ...]:
        """Let the dice move, if they have to; how they fell."""
        rules = self.game.rules
        if rules.over(state) or not rules.needs_dice(state):
            return ()
        source, dice = self.game.source(luck.getrandbits(62)), [0] * max(rules.DICE, 1)
        count = rules.roll(state, source, dice)
        rules.deal(state, dice, None)
        return tuple(dice[:count])

    # --- better ways

    def with_lines(self, points: Sequence[TurningPoint]) -> tuple[TurningPoint, ...]:
        """The turning points, the first few with how the match might have gone on."""
        free = list(self._analysts)
        turns = 1 if free[0].by.blind else LINE  # the search would play by what nobody sees
        left = turns * min(LINES, len(points))

        def line(point: TurningPoint) -> TurningPoint:
            nonlocal left
            analyst = free.pop()
            try:
                each = self._budget.each(ALL, left)
                return msgspec.structs.replace(point, line=self._line(point, analyst, turns, each))
            finally:
                left -= turns
                free.append(analyst)

        with ThreadPoolExecutor(self.threads) as pool:
            return (*pool.map(line, points[:LINES]), *points[LINES:])

    def _line(self, point: TurningPoint, analyst: Analyst, turns: int, each: float | None) -> tuple[LineTurn, ...]:
        """The better action in the true state, beside what others did; then what the search would play."""
        rules, protocol = self.game.rules, self.game.protocol
        luck = random.Random(point.turn)
        moment = next(one for one in self.played if one.turn.turn == point.turn)
        state = rules.LAYOUT.copy(moment.before)
        actions = {seat: action for seat, action in enumerate(moment.actions) if action is not None}
        better = protocol.read(point.better)
        if better is None or better not in self.game.legal_actions(state, point.seat):
            return ()  # something that the seat did not see stands in its way
        actions[point.seat] = better
        line: list[LineTurn] = []
        while actions:
            rules.step(state, [actions.get(seat, 0) for seat in range(self.seats)], None)
            told = {seat: protocol.text(action) for seat, action in actions.items()}
            line.append(LineTurn(told, self._roll(state, luck)))
            actions = {}
            if len(line) < turns and not rules.over(state):
                playouts = min(LINE_PLAYOUTS, self._budget.playouts or LINE_PLAYOUTS)
                options = analyst.judge([state], seconds=each, playouts=playouts, seed=len(line)).options
                for seat in self.game.acting(state, self.seats):
                    actions[seat] = self._best(state, seat, options.get(seat, {}))
        return tuple(line)

    def _best(self, state: State, seat: int, options: dict[int, tuple[float, int]]) -> int:
        """The action that the search has tried most."""
        legal = list(self.game.legal_actions(state, seat))
        return max(legal, key=lambda action: options.get(action, (0.0, 0))[::-1])

    def _plain(self, worlds: Any, at: int) -> State:
        """A copy of one of the worlds as a plain state."""
        layout = self.game.rules.LAYOUT
        if isinstance(worlds, list):
            return layout.copy(worlds[at])
        from dohyo.sim import records

        return records.read(layout, worlds, at)

    def _likely(self, state: State, seat: int, options: dict[int, tuple[float, int]]) -> int:
        """An action of another seat, as often as the search has tried it."""
        legal = list(self.game.legal_actions(state, seat))
        weights = [options.get(action, (0.0, 0))[1] for action in legal]
        return self.luck.choices(legal, weights if any(weights) else None)[0]

    def _point(self, candidate: _Candidate, kept: float, left: float, error: float) -> TurningPoint:
        text = self.game.protocol.text
        turn = self.played[candidate.position.at].turn
        played, better = text(candidate.played), text(candidate.better)
        fault = fault_of(turn, candidate.seat)
        return TurningPoint(turn.turn, candidate.seat, played, better, kept, left, error, fault=fault)


def fault_of(turn: Turn, seat: int) -> str:
    """The kind of the fault by which a seat's action in a turn came about; empty where it answered."""
    faults = [fault for move in turn.moves if move.seat == seat for fault in move.faults if not fault.note]
    return faults[-1].kind.value if faults else ""


def without_repeats(points: Sequence[TurningPoint], turns: Sequence[Sequence[int]]) -> tuple[TurningPoint, ...]:
    """The points, without those that miss the same chance as one before them in the list.

    `turns` are those in which each seat acted. A chance is the same if it is the same action, a few turns away.
    """
    found: list[TurningPoint] = []
    for point in points:
        at = turns[point.seat].index(point.turn)
        near = turns[point.seat][max(0, at - NEAR) : at + NEAR + 1]
        if not any((one.seat, one.better) == (point.seat, point.better) and one.turn in near for one in found):
            found.append(point)
    return tuple(found)


def value_of(played: int, options: dict[int, tuple[float, int]]) -> float:
    """How good an action is by these options; what was not tried is as good as the others are on average."""
    if played in options:
        return options[played][0]
    return sum(value for value, _ in options.values()) / len(options)
