"""Why a match went as it did, as a player says that can judge positions: a chess engine.

Theory of operation
-------------------
Each position is looked at shortly, from the last one to the first: what an engine remembers of a position then helps
it in those before. A fall is a decision after which the mover's chance is at least `CLEAR` less. The largest falls
are looked at again, with at least twice the time for each position: before the action, after it, and after what the
judge would have played. A turning point is what both looks call such a fall, where the better action, judged after it
was played, too, keeps at least `CLEAR` more than what was played: also by the least that was said of it in that
look, against the most that was said after what was played, it keeps more.

The latest look counts, for the curve and for the points: so they are the same numbers. Bounds are what a judge has
said of a position in the course of its looks: the least, and the most. They are no error of what these bots would
win: an engine judges for players as strong as itself.

The time is parted among the positions that are left. So all ends in time, with a grace that the judge has.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median_low
from typing import TYPE_CHECKING, NamedTuple

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State
from dohyo.core.playback import beginning
from dohyo.core.replay import Replay
from dohyo.guests.analysis.analysis import LEAST_READ, MAX_TURNS, READ, SECONDS, fault_of
from dohyo.guests.analysis.facts import Counted
from dohyo.guests.analysis.kept import Kept
from dohyo.guests.analysis.pace import FEWEST
from dohyo.guests.analysis.stopped import stopped_in
from dohyo.match.players.judge import Judge, Judged
from dohyo.series.analysed import Analysis, ByJudge, Chances, Facts, LineTurn, Said, TurningPoint
from dohyo.series.branches import end_of

if TYPE_CHECKING:
    from dohyo.sandbox import Sandbox

CLEAR = 0.1  # of the first place: a decision that costs so much is worth a sentence
FIRST = 0.5  # of the time by whose end every position was looked at
MOST = 3.0  # seconds for a position in the first look
LEAST = 0.001  # seconds for a position
USUAL = 0.02  # seconds for each position: where there are as many, the time is enough for all
LOOKS = 5  # that tell how long one takes at least, after a first one: that is slow, as all is cold
SLOW = 2  # times as long as there is time for would all looks take: then a match is cut
TIMES = 2  # as long at least is the second look
ROOM = 0.9  # of the time that is planned
SEATS = 2
STEPS = 20  # of the progress that the second look is counted as


class _Position(NamedTuple):
    """A position of the match, or one that never was: where its actions lead from the start."""

    actions: tuple[int, ...]
    state: State


class _View(NamedTuple):
    """What is known of a position: each seat's chance, its bounds, and what the judge said; none where it is over."""

    chance: tuple[float, float]
    low: tuple[float, float]
    high: tuple[float, float]
    said: Judged | None = None

    def mate(self, seat: int, mover: int) -> int | None:
        """The mate that was said, for this seat; `mover` is to move."""
        if self.said is None or self.said.mate is None:
            return None
        return self.said.mate if seat == mover else -self.said.mate


@contextmanager
def judge_of(game: Game, replay: Replay, word: str, python: str | None, sandbox: Sandbox) -> Iterator[Judge]:
    """The player that an operator means by this word, ready to judge the positions of a match.

    Raises `OperatorError` if it is none that can.
    """
    from dohyo.match.found_bots import find_bots
    from dohyo.match.players.kind import kind_for

    setup = dict(replay.header.setup)
    (bot,) = find_bots(game, [word], python, sandbox, setup=setup)
    kind = kind_for(bot) if bot.kind else None
    if kind is None or not kind.judges(game):
        known = judging_words(game)
        if not known:
            raise OperatorError("analysis-by-nobody", game=game.name)
        raise OperatorError("analysis-by-no-scores", bot=bot.name, known=", ".join(known))
    with kind.judging(game, bot, sandbox, setup) as judge:
        yield judge


def judging_words(game: Game) -> list[str]:
    """How an operator may name players that can judge positions of this game."""
    from dohyo.match.players.kind import player_kinds

    return [word for _, kind in player_kinds() if (word := kind.judges(game))]


def is_worth_a_hint(game: Game, replay: Replay, found: Analysis) -> bool:
    """Whether a judge would know more: nobody who played was at hand, or all are players that can judge."""
    from dohyo.match.players.kind import player_kinds

    judging = {kind.protocol for _, kind in player_kinds() if kind.judges(game)}
    return bool(judging) and (not found.own or all(seat.protocol in judging for seat in replay.header.seats))


def analyse_by(
    replay: Replay,
    judge: Judge,
    *,
    seconds: float = SECONDS,
    seat: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, of: None,
) -> Analysis:
    """Analyse a match of two who move in turn by what a judge says of its positions, in about so many seconds.

    `seat` and `on_progress` are as in `analysis.analyse`. Raises `ReplayError` if the replay contradicts the rules,
    `OperatorError` for one that is too long, and where the judge fails.
    """
    begin = time.monotonic()
    work = _Work(replay, judge, seat, on_progress, begin + max(LEAST_READ, READ * seconds))
    work.keep_what_there_is_time_for(begin, seconds)
    work.look_at_all(begin, seconds)
    first = [view.said.depth for view in work.views if view.said is not None]
    points, second = work.look_again(seconds)
    played = work.played
    return Analysis(
        work.game.name,
        replay.turns[-1].digest if replay.turns else "",
        tuple(one.name for one in replay.header.seats),
        False,
        0,
        tuple(
            Chances(moment.turn.turn, view.chance, view.low, view.high)
            for moment, view in zip(played, work.views, strict=False)
        ),
        (),
        points,
        stopped=work.end,
        judge=ByJudge(
            judge.name,
            median_low(first) if first else 0,
            median_low(second) if second else 0,
            work.falls,
            work.again,
        ),
        facts=work.facts,
        unread=work.unread,
    )


class _Work:
    """The analysis of one match; `views` has what is known of each position, the one after the last turn, too."""

    def __init__(
        self,
        replay: Replay,
        judge: Judge,
        seat: int | None,
        on_progress: Callable[[int, int], None],
        until: float,
    ) -> None:
        """Goes through the match, up to a moment of `time.monotonic`."""
        self.game, self.judge, self.seat = games.find(replay.header.game), judge, seat
        if replay.played > MAX_TURNS:
            raise OperatorError("analysis-too-long", most=MAX_TURNS)
        self.start = beginning(self.game, replay)
        counted = Counted(self.game, replay)
        self.played = Kept(self.game, replay, until, counted.see)
        self.unread = self.played.left
        self.facts = Facts() if self.unread else counted.facts()
        if seat is not None:
            self.played.cut(max(self.played.places_of(seat), default=-1) + 1)
        self._actions: list[int] = []
        self.movers: list[int] = []
        for each in self.played:
            mover, action = next((at, one) for at, one in enumerate(each.actions) if one is not None)
            self.movers.append(mover)
            self._actions.append(action)
        self.end = stopped_in(self.played)
        self.views: list[_View] = []
        self.falls = self.again = 0
        self._again: dict[int, _View] = {}  # the second look, by place
        self._on_progress = on_progress

    @property
    def _count(self) -> int:
        """How many positions there are: before each turn, and after the last one."""
        return len(self.played) + 1 if self.played else 0

    def _position(self, at: int) -> _Position:
        """A position of the match."""
        played = self.played
        state = played[at].before if at < len(played) else played[-1].after
        return _Position(tuple(self._actions[:at]), state)

    def keep_what_there_is_time_for(self, begin: float, seconds: float) -> None:
        """Leave out turns at the end of a long match, where the judge surely has no time to look at all of them."""
        end, count = begin + FIRST * seconds, self._count
        room = max(0.0, end - time.monotonic())
        if count * USUAL <= room:
            return
        least = self._least_time(room)
        if count * least <= SLOW * room:
            return
        most = max(FEWEST, int((end - time.monotonic()) / least) - 1)  # the end is a position, too
        if most < len(self.played):
            self.unread += len(self.played) - most
            self.played.cut(most)
            self.facts = Facts()
            self.end = stopped_in(self.played)

    def _least_time(self, room: float) -> float:
        """How many seconds a look takes at least: one alone may be late by chance, or where the machine is busy."""
        last = self._count - 2  # in the position after it nobody may have to move
        self._view(self._position(last), LEAST)
        took: list[float] = []
        while len(took) < LOOKS and sum(took) <= room / 4:
            start = time.monotonic()
            self._view(self._position(last * len(took) // LOOKS), LEAST)
            took.append(time.monotonic() - start)
        return max(LEAST, min(took))

    # --- both looks

    def look_at_all(self, begin: float, seconds: float) -> None:
        """The first look."""
        count = self._count
        self._begin, self._first = begin, 0.0
        most = min(MOST, ROOM * seconds / (count + 3 * TIMES))  # one fall at least can be looked at again
        found: list[_View] = []
        for left in range(count, 0, -1):
            each = max(LEAST, min(most, (begin + FIRST * seconds - time.monotonic()) / left))
            found.append(self._view(self._position(left - 1), each))
            self._first += each / count
            self._step(count - left + 1)
        self.views = found[::-1]

    def look_again(self, seconds: float) -> tuple[tuple[TurningPoint, ...], list[int]]:
        """The second look, the largest falls first: the turning points, and how deep it went."""
        last = len(self.played) if self.end is None else self.end.place
        mine = [at for at in range(last) if self.seat in (None, self.movers[at])]
        falls = sorted((at for at in mine if self._cost(at) >= CLEAR), key=lambda at: -self._cost(at))
        left = self._begin + seconds - time.monotonic()
        each = max(TIMES * self._first, min(TIMES * MOST, ROOM * left / (3 * len(falls) or 1)))
        self.falls = len(falls)
        points: list[TurningPoint] = []
        for count, at in enumerate(falls, 1):
            if time.monotonic() + 3 * each > self._begin + seconds:
                break
            if (point := self._point(at, each)) is not None:
                points.append(point)
            self.again = count
            self._step(self._count + STEPS * count // len(falls))
        depths = [view.said.depth for view in self._again.values() if view.said is not None]
        for at, view in self._again.items():
            self.views[at] = _joined(self.views[at], view)
        self._step(self._count + STEPS)
        return tuple(sorted(points, key=lambda point: -point.loss)), depths

    def _cost(self, at: int) -> float:
        """What the action in this turn cost who made it, by the first look."""
        mover = self.movers[at]
        return self.views[at].chance[mover] - self.views[at + 1].chance[mover]

    def _point(self, at: int, seconds: float) -> TurningPoint | None:
        """Look at a decision again; the turning point, if it is one."""
        mover, moment, text = self.movers[at], self.played[at], self.game.protocol.text
        before, after = self._look_again(at, seconds), self._look_again(at + 1, seconds)
        assert before.said is not None  # somebody had to move
        better, played = before.said.best, self._actions[at]
        if better == played or before.chance[mover] - after.chance[mover] < CLEAR:
            return None
        instead = self._view(self._after(at, better), seconds)
        if instead.chance[mover] - after.chance[mover] < CLEAR or instead.low[mover] <= after.high[mover]:
            return None
        line = [LineTurn({mover: text(better)})]
        if instead.said is not None:
            line.append(LineTurn({1 - mover: text(instead.said.best)}))
        looks = (before, after, instead)
        whole = (_joined(self.views[at], before), _joined(self.views[at + 1], after), instead)
        said = Said(
            min(view.said.depth for view in looks if view.said is not None),
            before.chance[mover],
            before.mate(mover, mover),
            after.mate(mover, 1 - mover),
            instead.mate(mover, 1 - mover),
        )
        return TurningPoint(
            moment.turn.turn,
            mover,
            text(played),
            text(better),
            instead.chance[mover],
            after.chance[mover],
            max(view.high[mover] - view.low[mover] for view in whole) / 2,
            tuple(line),
            fault_of(moment.turn, mover),
            said=said,
        )

    def _look_again(self, at: int, seconds: float) -> _View:
        """The second look at a position of the match: there is only one."""
        if at not in self._again:
            self._again[at] = self._view(self._position(at), seconds)
        return self._again[at]

    def _after(self, at: int, action: int) -> _Position:
        """The position after another action than that of the match."""
        before = self._position(at)
        state = self.game.rules.LAYOUT.copy(before.state)
        self.game.rules.step(state, [action] * SEATS, None)
        return _Position((*before.actions, action), state)

    def _view(self, position: _Position, seconds: float) -> _View:
        """What a position is worth: by the rules where the game is over, otherwise as the judge says it."""
        if self.game.rules.over(position.state):
            shares = end_of(self.game, position.state, SEATS).shares
            row = shares[0], shares[1]
            return _View(row, row, row)
        said = self.judge.judge(self.start, position.actions, position.state, seconds)
        (mover,) = self.game.acting(position.state, SEATS)
        low, high = (said.low, 1 - said.high), (said.high, 1 - said.low)  # of who is to move, and of the other one
        chance = said.chance, 1 - said.chance
        if mover:
            chance, low, high = chance[::-1], low[::-1], high[::-1]
        return _View(chance, low, high, said)

    def _step(self, done: int) -> None:
        """So many steps are done."""
        self._on_progress(done, self._count + STEPS)


def _joined(first: _View, second: _View) -> _View:
    """Both looks at a position: the second one's chance, and bounds that hold what either has said."""
    low = min(first.low[0], second.low[0]), min(first.low[1], second.low[1])
    high = max(first.high[0], second.high[0]), max(first.high[1], second.high[1])
    return second._replace(low=low, high=high)
