"""Lines of a replay that are made when somebody reads them, and are a list for whoever does."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from dohyo.core import replay as lines
from dohyo.core.replay import Lines, Move, PlayedTurns, Turn

TEXTS = ["N", "U", "R"]
COLUMNS = PlayedTurns(b"\0\1", [1, 2], [1, 2], [0.5, 0.25], "0123456789abcdef")
WANTED = [
    Turn(7, (4,), (Move(0, "U", 0.5),), "01234567"),
    Turn(8, (), (Move(1, "R", 0.25),), "89abcdef"),
]
BEFORE = Turn(6, (), (Move(0, "N"),), "ffffffff")


@pytest.fixture
def both() -> Lines:
    """A line, and two turns as columns."""
    found = Lines([BEFORE])
    found.add_played(COLUMNS, 7, (4,), TEXTS)
    return found


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[PlayedTurns]:
    """Columns of which lines were made."""
    seen: list[PlayedTurns] = []
    make: Any = lines._lines_of
    monkeypatch.setattr(lines, "_lines_of", lambda played, *rest: seen.append(played) or make(played, *rest))
    return seen


def test_counting_makes_no_lines(both: Lines, made: list[PlayedTurns]) -> None:
    """The number of turns is known without them; the first look makes them, once."""
    assert len(both) == 3
    assert not made
    assert [*both] == [BEFORE, *WANTED]
    assert both[1:] == WANTED
    assert made == [COLUMNS]


def test_order_is_kept(both: Lines) -> None:
    """What is added after columns stands after them, whoever has read meanwhile."""
    both.append(BEFORE)
    both.add_played(COLUMNS, 7, (4,), TEXTS)
    both.add_played(COLUMNS, 7, (4,), TEXTS)
    assert list(both) == [BEFORE, *WANTED, BEFORE, *WANTED, *WANTED]


def test_it_is_a_list_for_whoever_reads(both: Lines) -> None:
    """Equality, slices, sums, changes, its text, and copies of each kind."""
    whole = [BEFORE, *WANTED]
    assert both == whole
    assert whole == both
    assert both != whole[:2]
    assert both == Lines(whole)
    assert both + [BEFORE] == [*whole, BEFORE]  # noqa: RUF005
    assert [BEFORE] + both == [BEFORE, *whole]  # noqa: RUF005
    assert both[-1] == WANTED[-1]
    assert list(reversed(both)) == whole[::-1]
    assert repr(both) == repr(whole)
    assert pickle.loads(pickle.dumps(both)) == copy.deepcopy(both) == copy.copy(both) == whole
    both[0] = WANTED[0]
    del both[2]
    both.insert(0, BEFORE)
    both += [BEFORE]
    assert both == [BEFORE, *WANTED[:1], *WANTED[:1], BEFORE]
    both.clear()
    assert not both


def test_a_line_that_did_not_count_is_told() -> None:
    """Where a seat had no choice, the move is the one that was carried out, and the reply what it said."""
    found = Lines()
    found.add_played(COLUMNS._replace(said=[1, 0]), 0, (), TEXTS)
    assert [turn.moves[0] for turn in found] == [Move(0, "U", 0.5), Move(1, "R", 0.25, "N")]


def test_an_interruption_loses_nothing(both: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while lines are made leaves all to be made."""
    make = lines._lines_of

    def interrupted(*given: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(lines, "_lines_of", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(both)
    assert len(both) == 3
    monkeypatch.setattr(lines, "_lines_of", make)
    assert both == [BEFORE, *WANTED]
