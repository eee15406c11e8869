"""An analysis by who can judge positions: what is named, and that curve and points are the same numbers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from dohyo import games
from dohyo.core.game import State
from dohyo.core.replay import Replay
from dohyo.guests.analysis import by_judge
from dohyo.guests.analysis.by_judge import analyse_by, is_worth_a_hint
from dohyo.guests.analysis.chances import shown
from dohyo.guests.analysis.sentences import how_in_words, point_in_words, tried_in_words
from dohyo.i18n import ENGLISH, Speaker
from dohyo.match.players.judge import Judged
from dohyo.series.analysed import Analysis
from tests.guests.analysis.test_analysis import LOST, played

# Of the match `LOST` what each position is worth for who is to move, by the columns so far; the second look at last.
EVEN = {LOST[:at]: (0.5, 0.5) for at in range(len(LOST))}
BEST = {"11145": 3}  # elsewhere what was played


class Judge:
    """Knows what it was given; by look, the first and the second one."""

    name = "Sage"

    def __init__(self, known: Mapping[str, Sequence[float]], mate: int | None = None) -> None:
        self.known, self.mate = {**EVEN, **known}, mate
        self.looks: list[str] = []

    def judge(self, start: State, actions: Sequence[int], state: State, seconds: float) -> Judged:
        """What it was given."""
        game = games.find("connect-four")
        columns = "".join(game.protocol.text(action) for action in actions)
        self.looks.append(columns)
        again = self.looks.count(columns) - 1
        chance = self.known[columns][min(again, 1)]
        best = BEST.get(columns, int(LOST[len(columns)]) if len(columns) < len(LOST) else 0)
        mate = self.mate if columns == LOST[:6] else None
        wide = 0.1 if chance == 0.59 else 0.03
        return Judged(chance, chance - 0.02, chance + wide, best, 5 + again, mate)


@pytest.fixture(scope="module")
def lost() -> Replay:
    """Seat 1 does not make four in turn 5, and loses."""
    return played(LOST)


@pytest.fixture(autouse=True)
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still: what is looked at does not depend on the machine."""
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)


MISTAKE = {LOST[:4]: (0.1, 0.1), "11145": (0.9, 0.8), LOST[:6]: (0.9, 0.7), "111453": (0.3, 0.3)}


def test_a_mistake_that_both_looks_see(lost: Replay) -> None:
    """It is named with what the second look says, which the curve says, too."""
    judge = Judge(MISTAKE, mate=3)
    found = analyse_by(lost, judge)
    (point,) = found.points
    assert (point.turn, point.seat, point.played, point.better) == (5, 1, "0", "3")
    assert (point.kept, point.left) == (0.7, pytest.approx(0.3))
    assert found.chances[5].chance[1] == 0.8
    assert found.chances[6].chance[1] == pytest.approx(point.left)
    assert (found.chances[5].low[1], found.chances[5].high[1]) == (pytest.approx(0.78), pytest.approx(0.93))
    assert point.error == pytest.approx((0.93 - 0.68) / 2)  # after it, it has said 0.9 and 0.7
    assert judge.looks[:7] == [LOST[:at] for at in range(6, -1, -1)]  # from the last position on
    said = point_in_words(point, "b", ENGLISH, "Sage")
    assert said == (
        "turn 5: b (seat 1) played 0. Sage, depth 5: 80 % before, 30 % (it says mated in 3) after; 3 keeps 70 %"
    )


@pytest.mark.parametrize(
    "changed",
    [
        {LOST[:6]: (0.9, 0.21)},  # the second look does not confirm the fall
        {"111453": (0.65, 0.65)},  # the other action keeps hardly more
        {"11145": (0.15, 0.8)},  # no fall by the first look
        {"111453": (0.59, 0.59)},  # what was said of both while it looked is not apart
    ],
)
def test_what_only_one_look_sees_is_not_named(lost: Replay, changed: Mapping[str, Sequence[float]]) -> None:
    """Not a point; and the curve says what was said last."""
    found = analyse_by(lost, Judge({**MISTAKE, **changed}))
    assert found.points == ()


def test_a_fall_after_the_best_action_is_no_mistake(lost: Replay) -> None:
    """The judge would have played it, too: it only sees more afterwards."""
    found = analyse_by(lost, Judge({LOST[:4]: (0.5, 0.5), LOST[:5]: (0.9, 0.9), LOST[:6]: (0.1, 0.1)}))
    assert found.points == ()
    assert found.judge is not None
    assert found.judge.falls == found.judge.again == 1


def test_without_time_nothing_is_named(lost: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be looked at again is counted, and said."""
    monkeypatch.setattr(by_judge, "ROOM", 1000.0)
    judge = Judge(MISTAKE)
    found = analyse_by(lost, judge, seconds=1.0)
    assert found.points == ()
    assert found.judge is not None
    assert (found.judge.falls, found.judge.again) == (1, 0)
    assert "looked at 0 of 1 larger falls" in tried_in_words(found, ENGLISH)


def test_one_seat(lost: Replay) -> None:
    """Only its decisions are named, up to its last one."""
    assert analyse_by(lost, Judge(MISTAKE), seat=0).points == ()
    found = analyse_by(lost, Judge(MISTAKE), seat=1)
    assert [point.turn for point in found.points] == [5]
    assert found.chances[-1].turn == 5


def test_the_page(lost: Replay) -> None:
    """It says who has said it, and shows the better way; curve and point are the same numbers."""
    game = games.find("connect-four")
    found = analyse_by(lost, Judge(MISTAKE))
    (view,) = shown(found, game, lost, ENGLISH)
    (point,) = view["points"]
    assert "Sage, depth 5: 80 % before, 30 % after; 3 keeps 70 %" in point["text"]
    assert [turn[0]["action"] for turn in point["line"]["turns"]] == ["3", "6"]
    assert view["chances"][6][1][0] == pytest.approx(0.3)
    assert view["note"] == how_in_words(found, ENGLISH)
    assert "Sage" in how_in_words(found, Speaker("ja"))


def test_when_a_judge_would_know_more(lost: Replay) -> None:
    """In a game that engines judge, where nobody who played was at hand; nowhere else."""
    nobody = Analysis("chess", "", ("a", "b"), False, 0, (), (), ())
    assert is_worth_a_hint(games.find("chess"), lost, nobody)
    assert not is_worth_a_hint(games.find("connect-four"), lost, nobody)
    own = Analysis("chess", "", ("a", "b"), False, 0, (), (), (), own=True)
    assert not is_worth_a_hint(games.find("chess"), lost, own)


def timed(monkeypatch: pytest.MonkeyPatch, seconds: Callable[[int], float]) -> tuple[Judge, list[float]]:
    """A judge whose looks take so many `seconds`, by their number, and the clock that only they move."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(by_judge, "USUAL", 1.0)
    monkeypatch.setattr(by_judge, "FEWEST", 2)
    judge = Judge({})
    look = judge.judge

    def judged(*given: Any) -> Judged:
        now[0] += seconds(len(judge.looks))
        return look(*given)

    monkeypatch.setattr(judge, "judge", judged)
    return judge, now


def test_a_match_that_is_too_long_for_the_judge_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a look takes long, as many turns are looked at as there is time for, and the rest is said to be left."""
    judge, now = timed(monkeypatch, lambda number: 1.0)
    found = analyse_by(played(LOST), judge, seconds=6.0)
    assert now[0] <= 7.0
    assert [one.turn for one in found.chances] == [0, 1]
    assert found.unread == 5
    assert how_in_words(found, ENGLISH).startswith("The last 5 turns are not in it: ")


@pytest.mark.parametrize("late", [{0}, {0, 1, 2, 4, 5}], ids=["the first look", "most of the looks"])
def test_a_match_is_not_cut_because_some_looks_are_late(monkeypatch: pytest.MonkeyPatch, late: set[int]) -> None:
    """An engine is cold at first, and a machine may be busy: what a look takes at least counts."""
    by = 2.0 if len(late) == 1 else 0.7
    judge, _ = timed(monkeypatch, lambda number: by if number in late else 0.1)
    found = analyse_by(played(LOST), judge, seconds=6.0)
    assert (len(found.chances), found.unread) == (7, 0)
