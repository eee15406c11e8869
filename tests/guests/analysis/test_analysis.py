"""The analysis of a match: chances, what decisions cost, and that a mistake is found."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.core.game import Game
from dohyo.core.referee import Answer
from dohyo.core.replay import Replay
from dohyo.guests.analysis import analysis, lines, pace
from dohyo.guests.analysis.analysis import analyse
from dohyo.guests.analysis.pace import Budget
from dohyo.guests.analysis.sentences import how_in_words, tried_in_words
from dohyo.i18n import ENGLISH
from dohyo.series import branches
from dohyo.series.analysed import Analysis, TurningPoint
from dohyo.series.branches import Branch, End, end_of
from dohyo.series.onward import Onward
from tests.laws import matches

FEW = 400  # playouts
FEWER = 50  # where nothing depends on how good the analysis is


def played(columns: str) -> Replay:
    """A match of connect four: who drops a stone where, in turn."""
    words = iter(columns)
    game = games.find("connect-four")

    def answer(referee, seat, chooser):  # type: ignore[no-untyped-def]
        return Answer(next(words))

    return matches.play(game, 1, answer).replay


LOST = "1114506"  # seat 1 does not make four in column 2 in turn 5, and loses


class Greedy:
    """Plays on: four in a row at once, else what stops it, else any column, by the branch's seed."""

    names = "greedy", "greedy"
    error = ""

    def ends(self, branches: Sequence[Branch], until: float | None = None) -> list[End | None]:
        """Play each on to its end."""
        return [self._end(branch) for branch in branches]

    def _end(self, branch: Branch) -> End:
        game = games.find("connect-four")
        state, luck = game.rules.LAYOUT.copy(branch.state), random.Random(branch.seed)
        while not game.rules.over(state):
            seat = state.turn % 2
            legal = list(game.legal_actions(state, seat))
            luck.shuffle(legal)
            game.rules.step(state, [max(legal, key=lambda one: self._wins(game, state, seat, one))] * 2, None)
        return end_of(game, state, 2)

    def _wins(self, game: Game, state: Any, seat: int, action: int) -> bool:
        after = game.rules.LAYOUT.copy(state)
        game.rules.step(after, [action] * 2, None)
        return game.rules.winner(after) == seat


@pytest.fixture(scope="module")
def blunder() -> Analysis:
    """Seat 1 could have won in turn 5, and did not."""
    return analyse(played(LOST), playouts=FEW, compiled=False, plays_on=Onward(Greedy(), False))


def test_a_win_that_was_not_taken_is_a_turning_point(blunder: Analysis) -> None:
    """The decision that cost the match is named, with the action that would have won it; here that is proven."""
    point = next(one for one in blunder.points if one.turn == 5)
    assert (point.seat, point.played, point.better) == (1, "0", "2")
    assert point.proven
    assert point.kept == 1.0 > point.left
    assert blunder.by == ("greedy", "greedy")


def test_nothing_is_named_that_was_not_tried(blunder: Analysis) -> None:
    """Without anybody who plays on, no decision is called a mistake but where that is proven."""
    found = analyse(played(LOST), playouts=FEW, compiled=False)
    assert (found.tried, found.by) == (0, ())
    assert found.points == tuple(one for one in blunder.points if one.proven)
    assert all(one.proven or one.times >= branches.ALIKE for one in blunder.points)


def test_a_curve_and_its_points_agree(blunder: Analysis) -> None:
    """A seat's chance by the curve is not above what a turning point left it, and not below what it had."""
    by_turn = {one.turn: one for one in blunder.chances}
    for point in blunder.points:
        assert by_turn[point.turn].low[point.seat] <= point.kept + point.error
        assert point.left - point.error <= by_turn[point.turn + 1].high[point.seat]


def test_bots_that_played_mend_the_curve() -> None:
    """Where the bots that played are at hand, what came of it when they played on is what the curve says."""
    found = analyse(played(LOST), playouts=FEWER, compiled=False, plays_on=Onward(Always(1, luck=True), True))
    assert all(one.chance[1] > 0.5 for one in found.chances if not one.proven)
    assert not all(one.proven for one in found.chances)
    assert found.own


def test_where_luck_decides_nothing_the_curve_is_of_equal_players() -> None:
    """Bots that always come to one result have no chance that could rise or fall: that is said, and not drawn."""
    alone = analyse(played(LOST), playouts=FEWER, compiled=False)
    for seat in (0, 1):
        found = analyse(played(LOST), playouts=FEWER, compiled=False, plays_on=Onward(Always(seat), True))
        assert found.chances == alone.chances
        assert found.settled > 1
        said = f"Between these bots luck decides nothing: from each of {found.settled} turns they came to the same"
        assert how_in_words(found, ENGLISH).startswith(said)
    assert not alone.settled


def test_what_was_not_tried_is_said_so(blunder: Analysis) -> None:
    """Where no match came to an end, nothing was tried; whose bots are not those that played is named."""
    assert blunder.tried
    found = replace(blunder, matches=0, absent=(1,), seats=("mine", "other"))
    assert tried_in_words(found, ENGLISH) == (
        "No decision was tried: the time was over before one could be played on. Give more --seconds. "
        "Not at hand as they played (changed since, or gone): other (1)."
    )
    assert tried_in_words(blunder, ENGLISH).startswith(f"{blunder.tried} decisions were tried")


class Always:
    """Plays on: whatever was played, the same seat wins; with `luck`, each time in another state."""

    names = "one", "other"
    error = ""

    def __init__(self, winner: int, *, luck: bool = False) -> None:
        self.shares, self.luck = tuple(float(seat == winner) for seat in range(2)), luck

    def ends(self, branches: Sequence[Branch], until: float | None = None) -> list[End | None]:
        """Play each on to its end."""
        return [End(self.shares, str(one.seed) if self.luck else "") for one in branches]


def test_chances_are_shares(blunder: Analysis) -> None:
    """In each turn the chances add up to one, lie within their bounds, and say in the end who won."""
    assert [one.turn for one in blunder.chances] == list(range(7))
    for one in blunder.chances:
        assert sum(one.chance) == pytest.approx(1)
        assert all(low <= chance <= high for low, chance, high in zip(one.low, one.chance, one.high, strict=True))
    assert blunder.chances[-1].chance[0] > 0.8


def test_the_better_way_is_played_on(blunder: Analysis) -> None:
    """A turning point shows how the match might have gone on, beginning with the better move."""
    for point in blunder.points:
        assert point.line[0].actions == {point.seat: point.better}
        seats = [next(iter(turn.actions)) for turn in point.line]
        assert seats == [(point.seat + at) % 2 for at in range(len(seats))]
        assert len(point.line) == (1 if point.turn == 5 else lines.LINE)


def test_one_seat_s_decisions_only() -> None:
    """With a seat, nobody else's decisions are judged."""
    found = analyse(played("3031323"), playouts=FEWER, seat=0, compiled=False)
    assert {point.seat for point in found.points} <= {0}
    assert found.chances[-1].turn == 6
    assert analyse(played("3031323"), playouts=FEWER, seat=1, compiled=False).chances[-1].turn == 5


def test_the_same_playouts_give_the_same_analysis() -> None:
    """An analysis by playouts has one result, on any number of threads."""
    replay = played("3031323")
    first, second = (analyse(replay, playouts=FEWER, compiled=False, threads=threads) for threads in (1, 2))
    assert first == second


def test_what_is_hidden_is_judged_as_it_was_seen() -> None:
    """In a game that hides something, each decision is judged by what its seat could know."""
    game = games.find("shoot-em-up")
    replay = matches.play(game, 3).replay
    replay.turns = replay.turns[:6]
    found = analyse(replay, playouts=40, compiled=False)
    assert [(one.turn, one.seat) for one in found.seen] == [
        (turn.turn, move.seat) for turn in replay.turns for move in turn.moves
    ]
    assert all(one.worlds >= 1 for one in found.seen)
    assert any(not one.is_true and one.worlds > 1 for one in found.seen)


def test_a_match_without_turns_has_nothing_to_judge() -> None:
    """A replay in which nobody has played yet is analysed, too."""
    replay = played("3031323")
    replay.turns = []
    found = analyse(replay, playouts=FEW, compiled=False)
    assert (found.chances, found.points) == ((), ())


def test_all_of_it_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked for in seconds ends then, whatever finding states costs; without matches all is for the search.

    The clock here goes on by a thousandth of a second each time that somebody looks at it.
    """
    looks = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: next(looks) / 1000)
    replay = matches.play(games.find("shoot-em-up"), 3).replay
    replay.turns = replay.turns[:4]
    found = analyse(replay, seconds=2, compiled=False, threads=1)
    assert len(found.chances) == len(found.seen) == 4
    assert 1.85 < next(looks) / 1000 < 2.3


def test_a_position_s_time_is_its_share_of_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that others did not need is shared by the rest, and when it is over there is none; nobody waits longer."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    budget = Budget(20.0, None, 2)
    assert budget.each(0.5, 40) == pytest.approx(0.5)
    now[0] = 105.0
    assert budget.each(0.5, 10) == pytest.approx(1.0)
    assert budget.each(0.5, 1) == pace.MOST
    now[0] = 111.0
    assert budget.each(0.5, 10) == 0.0
    assert Budget(20.0, 100, 2).each(0.5, 10) is None


def test_an_action_that_was_not_tried_is_taken_for_an_average_one() -> None:
    """Where a game's judge leaves actions out, the one that was played is no mistake for that alone."""
    assert analysis.value_of(1, {1: (0.5, 10), 2: (-0.5, 2)}) == 0.5
    assert analysis.value_of(3, {1: (0.5, 10), 2: (-0.5, 2)}) == 0.0


def test_a_chance_that_stays_open_is_told_once() -> None:
    """The same better action of a seat in turn after turn is one turning point, the most expensive one."""

    def point(turn: int, seat: int, better: str, left: float) -> TurningPoint:
        return TurningPoint(turn, seat, "U", better, 0.9, left, 0.1)

    points = [point(12, 0, "A", 0.1), point(8, 0, "A", 0.2), point(12, 1, "A", 0.3), point(10, 0, "D", 0.4)]
    again = point(40, 0, "A", 0.5)
    turns = {seat: range(0, 60, 2) for seat in (0, 1)}
    assert analysis.without_repeats([*points, again], turns) == (points[0], *points[2:], again)
