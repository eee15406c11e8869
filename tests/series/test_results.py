"""Results that come thick and fast are stored together, and none is left behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from dohyo.core.contest import Result
from dohyo.executors.in_process import InProcess
from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.series import results
from dohyo.series.store import Store
from tests.series.contests import ContestListener, asked, opened

SINGLES = 12  # results at most, until it is known that they come fast


class Fast(InProcess):
    """An executor that is done at once; it ends with an interrupt where that is asked for."""

    def __init__(self, interrupted: bool = False) -> None:
        self._interrupted = interrupted

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Make up what comes of all orders."""
        for order in orders:
            yield MatchReport(order.key, b"replay", places=(1, 2, 3, 4), seconds=0.001)
            if self._interrupted and order.key == "17":
                raise KeyboardInterrupt


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many results each transaction stored."""
    found: list[int] = []
    record = Store.record

    def counted(self: Store, contest: int, results: list[Result]) -> list[int]:
        found.append(len(results))
        return record(self, contest, results)

    monkeypatch.setattr(Store, "record", counted)
    return found


def clock(monkeypatch: pytest.MonkeyPatch, step: float) -> None:
    """Let the clock go on by `step` seconds at each look."""
    times = iter(range(1_000_000))
    monkeypatch.setattr(results, "monotonic", lambda: next(times) * step)


def test_fast_results_share_a_transaction(
    folder: Path, store: Path, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it is known that results come fast, they wait for each other; all are stored and told."""
    clock(monkeypatch, 0.0)
    onlooker = ContestListener()
    with opened(asked(store, folder, options={})) as contest:
        contest.loop.run(Fast(), onlooker)
        assert len(list(contest.store.played(contest.contest.id))) == 20
    assert onlooker.results == list(range(20))
    assert sizes[:1] == [1]
    assert len(sizes) <= SINGLES + 1
    assert sizes[-1] == 20 - sum(sizes[:-1]) > 1


def test_slow_results_do_not_wait(
    folder: Path, store: Path, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result that nothing follows soon is stored at once."""
    clock(monkeypatch, 0.1)
    with opened(asked(store, folder, options={})) as contest:
        contest.loop.run(Fast(), ContestListener())
    assert sizes == [1] * 20


def test_an_interrupt_leaves_nothing_behind(
    folder: Path, store: Path, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits when Ctrl-C is pressed is stored first."""
    clock(monkeypatch, 0.0)
    with opened(asked(store, folder, options={})) as contest:
        with pytest.raises(KeyboardInterrupt):
            contest.loop.run(Fast(interrupted=True), ContestListener())
        assert [result.fixture.number for result in contest.store.played(contest.contest.id)] == list(range(18))
    assert sizes[-1] > 1
