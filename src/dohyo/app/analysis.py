"""Why a match went as it did: each seat's chance to win, turn by turn, and the decisions that cost the most.

Theory of operation
-------------------
Positions are judged by search in the compiled rules (`dohyo.search`), so a game needs no line of code for it; it may
bring a better judge (`Game.judge`). Each position is searched a few times, with other random numbers: the mean is the
judgement, the spread between the searches its uncertainty.

* `chances`: the true state before each turn, with everything in it that nobody could see.
* `seen`: in a game in which a seat does not see everything, what the seat could know then: states that fit all that
  it was sent (`dohyo.search.belief`).
* Decisions are judged by what the seat could know. The most expensive ones of the first look are searched again: once
  after the action that was played, once after the best one.

A chance is a share of first places between bots that are as strong as each other. Luck that was still to come when
the seat decided is not counted for or against it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dohyo import games
from dohyo.core.game import Game, Information, State
from dohyo.core.playback import Moment, beginning, moments
from dohyo.core.replay import Replay

if TYPE_CHECKING:
    from dohyo.search import Search

RUNS = 4  # searches of a position
WIDE = 2.35  # half of a 90 % interval, in standard errors of so few runs (Student, 3 degrees of freedom)
NORMAL = 1.645  # the same in standard errors of many
SECONDS = 20.0  # for a match
MOST = 1.0  # seconds for a turn
FIRST_LOOK = 0.7  # the part of the time that the first look at all turns gets
CANDIDATES = 24  # decisions that are looked at again
WORLDS = 64  # after a decision, when others act in the same turn, or the dice roll next
LEAST = 0.02  # a loss below this is none
LINES = 8  # turning points whose better way is played on
LINE = 6  # turns of it
LINE_PLAYOUTS = 2000  # for each of them
FLOOR = 1e-3


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
    difference. `line` is how the match might have gone on after the better one, from that turn on.
    """

    turn: int
    seat: int
    played: str
    better: str
    kept: float
    left: float
    error: float
    line: tuple[LineTurn, ...] = ()

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
    seed: int = 0


class _Judged(NamedTuple):
    """By seat the chance and its half interval; by acting seat and action the value and how often it was tried."""

    chance: tuple[float, ...]
    error: tuple[float, ...]
    options: dict[int, dict[int, tuple[float, int]]]
    playouts: int


def search_of(game: Game, seats: int, *, compiled: bool = True, seed: int = 0) -> Search:
    """The search that judges positions of a game, as the game wants it.

    Raises `OperatorError` for `compiled` without the extra `fast`.
    """
    from dohyo.search import Search

    judge = game.judge
    return Search(
        game,
        seats,
        compiled=compiled,
        value=judge.value,
        policy=judge.policy,
        moves=judge.moves,
        horizon=judge.horizon,
        ahead=judge.ahead,
        explore=judge.explore,
        seed=seed,
        by_win=True,
    )


class Analyst:
    """Judges positions of one game, for so many seats. One at a time; each thread has one of its own."""

    def __init__(self, game: Game, seats: int, *, compiled: bool = True) -> None:
        """Raises `OperatorError` for `compiled` without the extra `fast`."""
        self.game, self.seats = game, seats
        self._searches = [search_of(game, seats, compiled=compiled) for _ in range(RUNS)]

    def judge(
        self, worlds: Any, *, seconds: float | None = None, playouts: int | None = None, seed: int = 0
    ) -> _Judged:
        """Judge a position, which may be any of these states; the same for the same `playouts` and `seed`."""
        for run, search in enumerate(self._searches):
            search.reseed(seed * RUNS + run)
        share = None if seconds is None else seconds / RUNS
        each = None if playouts is None else max(1, playouts // RUNS)
        found = [search.assess(worlds, seconds=share, playouts=each) for search in self._searches]
        runs = [chances_of(one.values, self.game.judge.sharpness) for one in found]
        chance = tuple(fmean(run[seat] for run in runs) for seat in range(self.seats))
        playouts = sum(one.playouts for one in found)
        spread = [WIDE * stdev(run[seat] for run in runs) / sqrt(RUNS) for seat in range(self.seats)]
        error = tuple(max(wide, sampling(one, playouts)) for wide, one in zip(spread, chance, strict=True))
        options: dict[int, dict[int, tuple[float, int]]] = {}
        for one in found:
            for seat, tried in one.options.items():
                into = options.setdefault(seat, {})
                for option in tried:
                    value, visits = into.get(option.action, (0.0, 0))
                    into[option.action] = (value + option.value * option.visits, visits + option.visits)
        means = {
            seat: {action: (total / visits, visits) for action, (total, visits) in tried.items() if visits}
            for seat, tried in options.items()
        }
        return _Judged(chance, error, means, playouts)


def chances_of(values: Sequence[float], sharpness: float) -> tuple[float, ...]:
    """Chances that add up to 1, from how good a search found a position for each seat, -1..1."""
    shares = [max((value + 1) / 2, FLOOR) ** sharpness for value in values]
    return tuple(share / sum(shares) for share in shares)


def sampling(chance: float, playouts: int) -> float:
    """Half of the 90 % interval of a share that so many playouts found, if they were independent of each other.

    Agresti and Coull's: a share of 0 in few playouts is not certain.
    """
    counted = playouts + NORMAL**2
    share = (chance * playouts + NORMAL**2 / 2) / counted
    return NORMAL * sqrt(share * (1 - share) / counted)


def chance_of(value: float, seats: int, sharpness: float) -> float:
    """A seat's chance from a value for it alone; the rest is taken to be shared by the others equally."""
    own = max((value + 1) / 2, FLOOR)
    other = max(1 - own, FLOOR) / max(seats - 1, 1)
    return float(own**sharpness / (own**sharpness + (seats - 1) * other**sharpness))


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

    With `seat`, only its decisions are judged, and only turns up to its last one. `on_progress` is told how many of
    how many positions are done.

    Raises `ReplayError` if the replay contradicts the rules, `OperatorError` for `compiled` without the extra `fast`.
    """
    game = games.find(replay.header.game)
    work = _Work(game, replay, compiled, threads or _threads(compiled), seed, seat)
    positions = list(work.positions(seat))
    budget = _Budget(seconds, playouts, work.threads)
    counted = len(positions) + 2 * CANDIDATES
    judged = work.judge_all(
        positions, budget.share(FIRST_LOOK, len(positions)), lambda done: on_progress(done, counted)
    )
    chances, seen = work.summary(positions, judged)
    points = work.with_lines(work.second_look(positions, judged, seat, budget), playouts)
    on_progress(counted, counted)
    return Analysis(
        game.name,
        replay.turns[-1].digest if replay.turns else "",
        tuple(one.name for one in replay.header.seats),
        compiled,
        sum(one.playouts for one in judged),
        chances,
        seen,
        points,
    )


def _threads(compiled: bool) -> int:
    """As many as there are cores; plain Python runs on one of them only."""
    if not compiled:
        return 1
    from dohyo.sim.loops import cores

    return cores()


class _Budget(NamedTuple):
    """How long each position may be searched."""

    seconds: float
    playouts: int | None
    threads: int

    def share(self, part: float, positions: int) -> dict[str, Any]:
        """The limits of one of so many positions that have a part of the time."""
        if self.playouts is not None:
            return {"playouts": self.playouts}
        return {"seconds": min(MOST, self.seconds * part * self.threads / max(positions, 1))}


class _Work:
    """The analysis of one match, on several threads: compiled searches hold no lock of Python's."""

    def __init__(self, game: Game, replay: Replay, compiled: bool, threads: int, seed: int, seat: int | None) -> None:
        self.game, self.replay, self.compiled = game, replay, compiled
        self.seats = len(replay.header.seats)
        self.threads = threads
        self.played = [moment for moment in moments(game, replay) if moment.turn.moves]
        if seat is not None:  # what came after its last decision is not its own
            acted = [at for at, moment in enumerate(self.played) if moment.actions[seat] is not None]
            self.played = self.played[: acted[-1] + 1 if acted else 0]
        self.luck = random.Random(seed)
        self._analysts = [Analyst(game, self.seats, compiled=compiled) for _ in range(self.threads)]

    # --- what is judged

    def positions(self, seat: int | None) -> Iterator[_Position]:
        """The true state before each turn; and what each seat that acts could know of it, if that is not the same."""
        for at, moment in enumerate(self.played):
            yield _Position(at, None, [moment.before], 1, True, at)
        if self.game.information is Information.IMPERFECT:
            for one in range(self.seats):
                if seat in (None, one):
                    yield from self._beliefs(one)

    def _beliefs(self, seat: int) -> Iterator[_Position]:
        from dohyo.search.belief import Belief

        belief = Belief(self.game, self.seats, seat, compiled=self.compiled)
        last: Moment | None = None
        for at, moment in enumerate(self.played):
            if last is None:
                belief.begin(beginning(self.game, self.replay), moment.turn.dice, moment.before)
            else:
                belief.follow(last.actions, moment.turn.dice, moment.before)
            last = moment
            if moment.actions[seat] is not None:
                worlds = belief.worlds
                yield _Position(at, seat, worlds.copy(), len(worlds), belief.is_true, at)

    # --- judging

    def judge_all(
        self, positions: Sequence[_Position], limits: dict[str, Any], on_progress: Callable[[int], None]
    ) -> list[_Judged]:
        """Judge positions side by side, each with these limits."""
        free = list(self._analysts)

        def one(position: _Position) -> _Judged:
            analyst = free.pop()  # there are as many as threads
            try:
                return analyst.judge(position.worlds, seed=position.seed, **limits)
            finally:
                free.append(analyst)

        found = []
        with ThreadPoolExecutor(self.threads) as pool:
            for done, judged in enumerate(pool.map(one, positions), 1):
                found.append(judged)
                on_progress(done)
        return found

    def summary(
        self, positions: Sequence[_Position], judged: Sequence[_Judged]
    ) -> tuple[tuple[Chances, ...], tuple[SeatChance, ...]]:
        """The chances of all turns, as it was and as it was seen."""
        chances, seen = [], []
        for position, one in zip(positions, judged, strict=True):
            turn = self.played[position.at].turn.turn
            low = tuple(max(0.0, chance - error) for chance, error in zip(one.chance, one.error, strict=True))
            high = tuple(min(1.0, chance + error) for chance, error in zip(one.chance, one.error, strict=True))
            if position.seat is None:
                chances.append(Chances(turn, one.chance, low, high))
            else:
                seat = position.seat
                bounds = (one.chance[seat], low[seat], high[seat])
                seen.append(SeatChance(turn, seat, *bounds, position.size, position.is_true))
        return tuple(chances), tuple(sorted(seen, key=lambda one: (one.turn, one.seat)))

    # --- decisions

    def second_look(
        self, positions: Sequence[_Position], judged: Sequence[_Judged], seat: int | None, budget: _Budget
    ) -> tuple[TurningPoint, ...]:
        """The turning points: the most expensive decisions of the first look, if a second one agrees."""
        candidates = sorted(self._candidates(positions, judged, seat), key=lambda one: -one.loss)[:CANDIDATES]
        after = [
            _Position(one.position.at, one.seat, self._after(one, action), WORLDS, True, one.position.at)
            for one in candidates
            for action in (one.better, one.played)
        ]
        looked = self.judge_all(after, budget.share(1 - FIRST_LOOK, len(after)), lambda done: None)
        points = []
        for candidate, kept, left in zip(candidates, looked[::2], looked[1::2], strict=True):
            seat = candidate.seat
            error = sqrt(kept.error[seat] ** 2 + left.error[seat] ** 2)
            if kept.chance[seat] - left.chance[seat] > max(LEAST, error):
                points.append(self._point(candidate, kept.chance[seat], left.chance[seat], error))
        return tuple(sorted(points, key=lambda point: -point.loss))

    def _candidates(
        self, positions: Sequence[_Position], judged: Sequence[_Judged], seat: int | None
    ) -> Iterator[_Candidate]:
        hidden = self.game.information is Information.IMPERFECT
        for position, one in zip(positions, judged, strict=True):
            if hidden and position.seat is None:
                continue
            actions = self.played[position.at].actions
            for acting, played in enumerate(actions):
                if played is None or position.seat not in (None, acting) or seat not in (None, acting):
                    continue
                options = one.options.get(acting, {})
                if len(options) < 2:
                    continue
                better = max(options, key=lambda action: (options[action][1], options[action][0]))
                if better != played:
                    value = options[played][0] if played in options else -1.0
                    sharp = self.game.judge.sharpness
                    loss = chance_of(options[better][0], self.seats, sharp) - chance_of(value, self.seats, sharp)
                    yield _Candidate(position, acting, played, better, loss, one.options)

    def _after(self, candidate: _Candidate, action: int) -> list[State]:
        """States after a decision: others act as the search would have them, the dice roll anew."""
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
            rolled = bool(self._roll(state))
            found.append(layout.copy(state))
            if at == 0 and not others and not rolled and candidate.position.size == 1:
                break  # there is no other one
        return found

    def _roll(self, state: State) -> tuple[int, ...]:
        """Let the dice move, if they have to; how they fell."""
        rules = self.game.rules
        if rules.over(state) or not rules.needs_dice(state):
            return ()
        source, dice = self.game.source(self.luck.getrandbits(62)), [0] * max(rules.DICE, 1)
        count = rules.roll(state, source, dice)
        rules.deal(state, dice, None)
        return tuple(dice[:count])

    def with_lines(self, points: Sequence[TurningPoint], playouts: int | None) -> tuple[TurningPoint, ...]:
        """The turning points, the first few with how the match might have gone on, by at most so many playouts."""
        most = min(LINE_PLAYOUTS, playouts or LINE_PLAYOUTS)
        lines = [self._line(point, most) for point in points[:LINES]]
        told = [msgspec.structs.replace(point, line=line) for point, line in zip(points, lines, strict=False)]
        return (*told, *points[LINES:])

    def _line(self, point: TurningPoint, playouts: int) -> tuple[LineTurn, ...]:
        """The better action in the true state, beside what others did; then what the search would play."""
        rules, protocol = self.game.rules, self.game.protocol
        moment = next(one for one in self.played if one.turn.turn == point.turn)
        state = rules.LAYOUT.copy(moment.before)
        actions = {seat: action for seat, action in enumerate(moment.actions) if action is not None}
        better = protocol.read(point.better)
        if better is None or better not in self.game.legal_actions(state, point.seat):
            return ()  # something that the seat did not see stands in its way
        actions[point.seat] = better
        line: list[LineTurn] = []
        while actions and len(line) < LINE:
            rules.step(state, [actions.get(seat, 0) for seat in range(self.seats)], None)
            told = {seat: protocol.text(action) for seat, action in actions.items()}
            line.append(LineTurn(told, self._roll(state)))
            actions = {}
            if not rules.over(state):
                options = self._analysts[0].judge([state], playouts=playouts, seed=len(line)).options
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
        turn = self.played[candidate.position.at].turn.turn
        played, better = text(candidate.played), text(candidate.better)
        return TurningPoint(turn, candidate.seat, played, better, kept, left, error)


class _Candidate(NamedTuple):
    """A decision that may have been a mistake, as the first look judged it."""

    position: _Position
    seat: int
    played: int
    better: int
    loss: float
    options: dict[int, dict[int, tuple[float, int]]]
