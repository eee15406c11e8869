"""Which matches of a series are written while somebody watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dohyo.executors import told
from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.executors.told import GAP, MAX_WISHES, Told, all_on_air, watch, wishes


class Playing:
    """An executor that has some matches at work at the same time, and plays none."""

    workers = 4

    def __init__(self, at_once: int) -> None:
        self.orders: list[MatchOrder] = []
        self._at_once = at_once

    def play(self, orders: Iterator[MatchOrder]) -> Iterator[MatchReport]:
        """A report for each order, some orders later."""
        waiting: list[MatchOrder] = []
        for order in orders:
            self.orders.append(order)
            waiting.append(order)
            if order.told:
                Path(order.told).touch()
            if len(waiting) == self._at_once:
                yield MatchReport(waiting.pop(0).key)
        yield from (MatchReport(order.key) for order in waiting)

    def close(self) -> None:
        """Nothing runs."""


def orders(count: int) -> list[MatchOrder]:
    """So many matches, that nobody plays."""
    return [MatchOrder(str(number), "othello", (), number) for number in range(count)]


def told_of(playing: Playing) -> list[str]:
    """The keys of the matches that are written."""
    return [order.key for order in playing.orders if order.told]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which goes on as a test wishes; whoever watches does so all the while."""
    found = [1_900_000_000.0]
    monkeypatch.setattr(told, "time", lambda: found[0])
    monkeypatch.setattr(told, "is_watched", lambda live, series: True)
    return found


def played(told: Told, count: int, now: list[float], gap: float) -> None:
    """Play so many matches, each as long after the one before."""
    for _ in told.play(orders(count)):
        now[0] += gap


def test_matches_that_somebody_wishes_come_first(tmp_path: Path, now: list[float]) -> None:
    """One of these is written as soon as it may be; where none comes for some time, it is another one."""
    watch(tmp_path, "contest-1", [3, 6, 9])
    playing = Playing(1)
    played(Told(playing, tmp_path, "contest-1", 2), 20, now, GAP / 2)
    assert told_of(playing) == ["0", "3", "6", "9", "13", "17"]


def test_there_is_a_pause_between_two(tmp_path: Path, now: list[float]) -> None:
    """Of quick bots nobody could follow each match, and writing costs time: whatever is wished, few are written."""
    watch(tmp_path, "contest-1", range(10))
    playing = Playing(1)
    played(Told(playing, tmp_path, "contest-1"), 10, now, GAP / 2.5)
    assert told_of(playing) == ["0", "3", "6", "9"]


def test_so_many_at_once_and_no_more(tmp_path: Path, now: list[float]) -> None:
    """While as many are written as may be, no other one is, however long they take."""
    playing = Playing(4)
    executor = Told(playing, tmp_path, "contest-1", 2)
    for at, _ in enumerate(executor.play(map(_slowly(now), orders(12)))):
        assert sum(bool(order.told) for order in playing.orders[at:]) <= 2


def _slowly(now: list[float]) -> Callable[[MatchOrder], MatchOrder]:
    def order(one: MatchOrder) -> MatchOrder:
        now[0] += 3 * GAP
        return one

    return order


def test_a_series_nobody_watches_writes_nothing(tmp_path: Path) -> None:
    """Wishes for another series say nothing of this one; where there is no folder at all, nothing is wrong."""
    watch(tmp_path, "contest-2", [1])
    for live in (tmp_path, tmp_path / "gone"):
        playing = Playing(2)
        list(Told(playing, live, "contest-1", 2).play(orders(5)))
        assert told_of(playing) == []


def test_whoever_plays_removes_what_was_written(tmp_path: Path, now: list[float]) -> None:
    """There are never more files than matches at once, and none after the end; other files stay."""
    (tmp_path / "contest-1-match-x").touch()
    watch(tmp_path, "contest-1", range(30))
    executor = Told(Playing(2), tmp_path, "contest-1", 2)
    for _ in executor.play(map(_slowly(now), orders(30))):
        assert len(all_on_air(tmp_path, "contest-1")) <= 2
    executor.close()
    assert all_on_air(tmp_path, "contest-1") == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["contest-1-match-x", "contest-1-watched"]


def test_wishes_are_read_with_care(tmp_path: Path) -> None:
    """Anybody may have written that file: what is no number is passed over, and only so many count."""
    watch(tmp_path, "contest-1", range(1000))
    assert len(wishes(tmp_path, "contest-1")) == MAX_WISHES
    (tmp_path / "contest-1-watched").write_bytes(b"7 x ../9 \xff 8\n" + b"1" * 100_000)
    assert wishes(tmp_path, "contest-1") >= {"7", "8"}
    assert all(word.isdecimal() for word in wishes(tmp_path, "contest-1"))


def test_who_has_no_wishes_leaves_those_of_others(tmp_path: Path) -> None:
    """Two may watch: one says what he would like to see, the other only that he is there."""
    watch(tmp_path, "ladder-1", [5])
    watch(tmp_path, "ladder-1")
    assert wishes(tmp_path, "ladder-1") == {"5"}
