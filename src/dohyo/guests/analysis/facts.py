"""What is known of a match without any search: the game's own points turn by turn, and what its drawing marks.

Points are those of `Game.score`, as they would be if the match ended there. All of it is counted from the turns that
were played: nothing is judged, and nothing depends on how long somebody thinks about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import isfinite

from dohyo.core.game import Game, State
from dohyo.core.playback import OUT_OF_THE_RULES, Moment
from dohyo.core.replay import Replay
from dohyo.guests.analysis.falls import largest_fall
from dohyo.series.analysed import Facts, Gap, Marked, PointsMade, SeatFacts

FEW = 3  # turns that stand out, by the points that were made or lost in them
MAX_DRAWN = 5000  # turns of a match whose drawing is asked what it marks
MAX_KINDS = 8  # of marks of a seat
MAX_SEATS = 8  # that are told of
LEAST = 1e-9  # points: a smaller change is none


def facts_of(game: Game, replay: Replay, played: Iterable[Moment]) -> Facts:
    """The facts of a match; `played` are its turns in which somebody acted."""
    counted = Counted(game, replay)
    for moment in played:
        counted.see(moment)
    return counted.facts()


class Counted:
    """Counts facts, turn by turn, while somebody goes through the match: no state of it is kept."""

    def __init__(self, game: Game, replay: Replay) -> None:
        self._game, self._result = game, replay.result
        self._seats = len(replay.header.seats)
        self._is_drawn = replay.played <= MAX_DRAWN
        self._marks: dict[int, dict[str, Marked]] = {}
        self._counts = game.rules.scores is not None
        self._turns: list[int] = []
        self._rows: list[tuple[float, ...]] = []

    def see(self, moment: Moment) -> None:
        """A turn was played in which somebody acted; they come in order."""
        if self._counts and not self._turns:
            self._count(moment.before)
        self._turns.append(moment.turn.turn)
        if self._counts:
            self._count(moment.after)
        if self._is_drawn:
            self._mark(moment)

    def _count(self, state: State) -> None:
        """Note each seat's points; none from now on in a game whose points only an ended match has."""
        try:
            self._rows.append(self._game.score(state, self._seats))
        except OUT_OF_THE_RULES:
            self._counts = False

    def _mark(self, moment: Moment) -> None:
        """By seat, what the game's drawing marks on the time line: how often, first and last."""
        frame = self._game.frame(moment.before, moment.actions, moment.events, moment.after, None)
        for kind, seat in frame.get("highlights", ()):
            own, turn = self._marks.setdefault(seat, {}), moment.turn.turn
            if kind in own:
                own[kind] = Marked(kind, own[kind].times + 1, own[kind].first, turn)
            elif len(own) < MAX_KINDS:
                own[kind] = Marked(kind, 1, turn, turn)

    def _course(self) -> list[tuple[float, ...]]:
        """Each seat's points before the first turn and after each; nothing where they say nothing of the course."""
        rows = self._rows
        if not self._counts or (len(rows) > 2 and len(set(rows[:-1])) == 1):
            return []  # counted at the end alone
        return rows if all(isfinite(points) for row in rows for points in row) else []

    def facts(self) -> Facts:
        """The facts of the match, as far as it was seen."""
        marks = {seat: tuple(own.values()) for seat, own in self._marks.items()}
        told = range(min(self._seats, MAX_SEATS))
        if rows := self._course():
            return _with_points(rows, self._turns, self._result.winner, marks, told)
        return Facts(seats=tuple(SeatFacts(seat, marks=marks.get(seat, ())) for seat in told))


def _with_points(
    rows: Sequence[tuple[float, ...]],
    turns: Sequence[int],
    winner: int | None,
    marks: Mapping[int, tuple[Marked, ...]],
    told: range,
) -> Facts:
    """The facts of a match with points."""
    leader = _leader(rows[-1], winner)
    ahead = [_first_of(row) for row in rows]
    since = None
    if leader is not None and ahead[-1] == leader:
        behind = [at for at, one in enumerate(ahead) if one != leader]
        since = turns[behind[-1]] if behind else turns[0]
    leads = [one for one in ahead if one is not None]
    return Facts(
        leader,
        since,
        sum(one != other for one, other in pairwise(leads)),
        tuple(_seat_facts(seat, rows, turns, marks.get(seat, ())) for seat in told),
        () if leader is None else tuple(_gaps(leader, rows, turns, told)),
    )


def _leader(last: Sequence[float], winner: int | None) -> int | None:
    """Who is compared with the others: the winner, otherwise who has the most points alone."""
    return winner if winner is not None and winner >= 0 else _first_of(last)


def _first_of(row: Sequence[float]) -> int | None:
    """The seat with the most points; none where several have as many."""
    best = max(row)
    return row.index(best) if row.count(best) == 1 else None


def _gaps(leader: int, rows: Sequence[Sequence[float]], turns: Sequence[int], told: range) -> Iterator[Gap]:
    """Where the points of the others fell behind the leader's the most; only of who ended behind."""
    for seat in told:
        if seat != leader and rows[-1][seat] < rows[-1][leader]:
            curve = [row[seat] - row[leader] for row in rows]
            if (fall := largest_fall(curve, LEAST)) is not None:
                begin, end, before, after = fall
                yield Gap(seat, turns[begin], turns[end - 1], -before, -after, -curve[-1])


def _seat_facts(
    seat: int, rows: Sequence[Sequence[float]], turns: Sequence[int], marks: tuple[Marked, ...]
) -> SeatFacts:
    own = [row[seat] for row in rows]
    changes = [PointsMade(turn, after - before) for turn, before, after in zip(turns, own, own[1:], strict=False)]
    made = [one for one in changes if one.points > LEAST]
    lost = [one for one in changes if one.points < -LEAST]
    return SeatFacts(seat, own[-1], len(made), _outstanding(made), _outstanding(lost), marks)


def _outstanding(changes: Sequence[PointsMade]) -> tuple[PointsMade, ...]:
    """The few turns with the largest change, in their order; none where too many have the same."""
    by_size = sorted(changes, key=lambda one: -abs(one.points))
    few = by_size[:FEW]
    if len(by_size) > FEW:
        next_one = abs(by_size[FEW].points)
        few = [one for one in few if abs(one.points) > next_one + LEAST]
    return tuple(sorted(few, key=lambda one: one.turn))
