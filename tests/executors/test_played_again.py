"""Matches that are played again because the machine was too busy: counted, and told as one standing count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from dohyo.core.clock import Clock
from dohyo.executors import one_match
from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.executors.one_match import MAX_TRIES, play_order
from dohyo.executors.played_again import CountsAgain, again_in_words, busy_in_words
from dohyo.i18n import ENGLISH, Speaker
from dohyo.terminal.contest_live import Counting


@pytest.mark.parametrize("times", range(MAX_TRIES + 1))
def test_a_report_says_how_often_its_match_was_played_again(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is after each disturbed try but the last one allowed; a match that was never disturbed says nothing."""
    tries = iter(range(MAX_TRIES))

    def play(order: MatchOrder) -> tuple[Any, tuple[()]]:
        return SimpleNamespace(disturbed=1.5 if next(tries) < times else 0.0), ()

    monkeypatch.setattr(one_match, "_play", play)
    monkeypatch.setattr(one_match.replays, "encode", lambda replay, compressed: b"")
    monkeypatch.setattr(one_match, "report_of", lambda key, *_: MatchReport(key))
    report = play_order(MatchOrder("7", "drop-block", (), 1))
    assert report.again == min(times, MAX_TRIES - 1)
    assert report.disturbed is (times == MAX_TRIES)


class Playing:
    """An executor that reports at once; every third match was played again."""

    workers = 3

    def __init__(self) -> None:
        self.closed = 0

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Report every order."""
        try:
            for number, order in enumerate(orders):
                yield MatchReport(order.key, again=2 * (number % 3 == 0))
        finally:
            self.closed += 1

    def close(self) -> None:
        """Nothing runs."""

    def __enter__(self) -> Playing:
        return self

    def __exit__(self, *_: object) -> None: ...


def orders(count: int) -> list[MatchOrder]:
    """So many orders."""
    return [MatchOrder(str(number), "drop-block", (), 1) for number in range(count)]


def test_matches_that_were_played_again_are_counted() -> None:
    """Each once, however often it was tried; the reports pass, and who stops listening stops the players."""
    players = Playing()
    counts = CountsAgain(players)
    assert [report.key for report in counts.play(orders(7))] == list("0123456")
    assert (counts.again, counts.workers) == (3, 3)
    reports = counts.play(orders(7))
    next(reports)
    reports.close()  # type: ignore[attr-defined]
    assert (counts.again, players.closed) == (4, 2)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_would_help_is_said(language: str) -> None:
    """How many they were, and what helps: a fair clock only where time is counted by the wall clock."""
    fair = again_in_words(3, None, "fair", Speaker(language))
    assert fair == again_in_words(3, Clock(1.0, mode="fair"), None, Speaker(language))
    wall = again_in_words(3, Clock(1.0), None, Speaker(language))
    assert wall == again_in_words(3, None, None, Speaker(language))
    assert "mode=fair" in wall
    assert "mode=fair" not in fair
    assert all(word in fair for word in ("3", "--workers 1"))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_that_the_machine_was_busy_is_said(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its greatest load, and only where that was more than these matches made; not what the clock cannot say."""
    loads = iter((4.0, 33.4, 2.0))
    monkeypatch.setattr("os.getloadavg", lambda: (next(loads), 0.0, 0.0))
    counts = CountsAgain(Playing())
    list(counts.play(MatchOrder(str(number), "drop-block", (), number) for number in range(3)))
    assert counts.load == 33.4
    fair = busy_in_words(counts, 2, None, "fair", Speaker(language))
    assert set(re.findall(r"\d+", fair)) == {"33", "2"}  # a line of its own says how many were played again, of some
    wall = busy_in_words(counts, 2, Clock(1.0), None, Speaker(language))
    assert wall not in ("", fair)
    assert busy_in_words(counts, 31, None, "fair", Speaker(language)) == ""


def test_a_running_contest_has_a_standing_count() -> None:
    """While it runs, the line of its progress says how many matches were played again so far; nothing of none."""
    store = SimpleNamespace(progress=lambda contest: [], voided=lambda contest: [], pending=lambda contest: [])
    session = SimpleNamespace(store=store, contest=SimpleNamespace(id=1))
    looks = Counting(session, ENGLISH)  # type: ignore[arg-type]
    looks.counts = CountsAgain(Playing())
    told = ENGLISH.say("contest.again", count=1)
    assert told not in looks.summary()
    list(looks.counts.play(orders(2)))
    assert looks.summary().endswith(told)
