"""Bots that join, pause, go on and leave, while a contest runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.core.contest import Version
from dohyo.core.errors import OperatorError
from dohyo.executors.in_process import InProcess
from dohyo.series import loop, roster, taking_part
from dohyo.series.session import ContestSession, ContestView
from dohyo.series.store.records import Progress, StaleError
from tests.series.contests import ContestListener, asked, opened

EARLY, MIDDLING, LATE, STEADY, STILL = range(5)


def version(contest: ContestSession, name: str, of: int = STILL) -> Version:
    """A bot under a new name: the version of one that is there."""
    known = contest.loop.roster.entrants[of].version
    return Version(name, known.digest, known.language, known.archive)


def seats(contest: ContestSession) -> list[set[int]]:
    """Who played in each batch."""
    found: dict[int, set[int]] = {}
    for match in contest.store.scheduled(contest.contest.id):
        found.setdefault(match.batch, set()).update(match.seats)
    return list(found.values())


def ladder(store: Path, folder: Path) -> ContestSession:
    """A ladder whose batches are large enough for everybody."""
    return opened(asked(store, folder, "ladder", options={"batch": 5}, setup={"turns": 8}))


def test_bots_pause_and_go_on(folder: Path, store: Path) -> None:
    """A bot that pauses is in no batch from the next one on, until it goes on."""
    with ladder(store, folder) as contest:
        contest.loop.run(InProcess(), ContestListener(), 1)
        assert taking_part.pause(contest.store, contest.contest, "late") == 1
        contest.loop.run(InProcess(), ContestListener(), 1)
        assert taking_part.resume(contest.store, contest.contest, "late") == 2
        contest.loop.run(InProcess(), ContestListener(), 1)
        assert [LATE in batch for batch in seats(contest)] == [True, False, True]


def test_a_bot_joins_and_leaves_while_a_batch_is_played(folder: Path, store: Path) -> None:
    """What is written while a batch is played takes effect with the next; who joined is built from its archive."""
    with ladder(store, folder) as contest:

        def change(number: int) -> None:
            if number == 3:
                assert roster.enter_version(contest.store, contest.contest, version(contest, "new")) == 1
                assert taking_part.leave(contest.store, contest.contest, "late") == 1

        contest.loop.run(InProcess(), ContestListener(change), 2)
        assert [(LATE in batch, 5 in batch) for batch in seats(contest)] == [(True, False), (False, True)]
        (entry,) = contest.loop.roster.entrants[5:]
        assert (entry.version.name, entry.since, entry.follows) == ("new", 1, None)


def test_who_joins_before_the_first_batch(folder: Path, store: Path) -> None:
    """Who joins a contest that has no batch yet waits for the second: how many began it never roster."""
    with ladder(store, folder) as contest:
        assert roster.enter_version(contest.store, contest.contest, version(contest, "new")) == 1
        contest.loop.run(InProcess(), ContestListener(), 2)
        assert [5 in batch for batch in seats(contest)] == [False, True]


def test_who_left_comes_back(folder: Path, store: Path) -> None:
    """The same version that left joins again, as the same entrant with a gap."""
    with ladder(store, folder) as contest:
        contest.loop.run(InProcess(), ContestListener(), 1)
        taking_part.leave(contest.store, contest.contest, "late")
        contest.loop.run(InProcess(), ContestListener(), 1)
        roster.enter_version(contest.store, contest.contest, version(contest, "late", LATE))
        contest.loop.run(InProcess(), ContestListener(), 1)
        assert [LATE in batch for batch in seats(contest)] == [True, False, True]
        assert contest.loop.roster.entrants[LATE].absences == ((1, 2),)


def test_too_few_are_left(folder: Path, store: Path) -> None:
    """A ladder with too few bots has no next batch; with more of them it goes on."""
    with ladder(store, folder) as contest:
        for name in ("late", "early"):
            taking_part.pause(contest.store, contest.contest, name)
        contest.loop.run(InProcess(), ContestListener(), 1)
        assert contest.loop.run(InProcess(), ContestListener(), 1)
        taking_part.resume(contest.store, contest.contest, "late")
        assert not contest.loop.run(InProcess(), ContestListener(), 1)


@pytest.mark.parametrize(
    ("act", "name", "sentence"),
    [
        (
            taking_part.leave,
            "lat",
            r"No bot 'lat' takes part in the contest 'c' \('late'\?\); those who do: early, mid",
        ),
        (taking_part.resume, "late", "'late' does not pause"),
    ],
)
def test_mistakes(folder: Path, store: Path, act: object, name: str, sentence: str) -> None:
    """Who is not there cannot leave, who does not pause cannot go on."""
    with ladder(store, folder) as contest, pytest.raises(OperatorError, match=sentence):
        act(contest.store, contest.contest, name)  # type: ignore[operator]


def test_pausing_twice_or_joining_twice(folder: Path, store: Path) -> None:
    """Who pauses does not pause again; a version that takes part does not join again."""
    with ladder(store, folder) as contest:
        taking_part.pause(contest.store, contest.contest, "late")
        with pytest.raises(OperatorError, match="'late' pauses already"):
            taking_part.pause(contest.store, contest.contest, "late")
        with pytest.raises(OperatorError, match="takes part in the contest 'c' already"):
            roster.enter_version(contest.store, contest.contest, version(contest, "early", EARLY))


def test_a_change_while_a_batch_is_drawn(folder: Path, store: Path) -> None:
    """Who joins between the drawing of a batch and its scheduling is in neither half: it is drawn again."""
    with ladder(store, folder) as contest:
        field, loop = contest.loop.roster, contest.loop
        drawn = loop.format.next

        def joining(entrants: object) -> object:
            loop.format.next = drawn  # type: ignore[method-assign]
            taking_part.pause(contest.store, contest.contest, "late")
            return drawn(field.entrants)

        loop.run(InProcess(), ContestListener(), 1)
        loop.format.next = joining  # type: ignore[method-assign, assignment]
        loop.run(InProcess(), ContestListener(), 1)
        assert [LATE in batch for batch in seats(contest)] == [True, False]


def test_a_batch_that_is_scheduled_while_a_change_is_decided(folder: Path, store: Path) -> None:
    """A change that was decided for a batch that is scheduled by now is refused by the store."""
    with ladder(store, folder) as contest:
        loop = contest.loop
        loop.run(InProcess(), ContestListener(), 1)
        entries = loop.roster.entrants
        with pytest.raises(StaleError):
            contest.store.enter(contest.contest.id, entries, 0.0, batches=0)
        with pytest.raises(StaleError):
            contest.store.schedule(contest.contest.id, [], drawn_from=entries[:-1])
        assert [Progress(0, 20, 20, 0)] == contest.store.progress(contest.contest.id)


def robin(store: Path, folder: Path) -> ContestSession:
    """A round-robin of one batch of five matches, whose bots are at four of them each."""
    return opened(asked(store, folder, setup={"turns": 8}))


def test_who_leaves_a_round_robin_plays_no_match_that_has_not_begun(
    folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its matches are passed over though they were drawn; the contest is over, and stays so when it is run again."""
    monkeypatch.setattr(loop, "LOOK", 0)
    with robin(store, folder) as contest:

        def change(number: int) -> None:
            if number == 1:
                taking_part.leave(contest.store, contest.contest, "late")

        listener = ContestListener(change)
        assert contest.loop.run(InProcess(), listener)
        results = list(contest.store.played(contest.contest.id))
        after = [LATE in result.fixture.seats for result in results]
        assert not any(after[1:])
        assert len(results) < 5
        assert listener.aside == []
        view = ContestView.of(contest)
        errors, missed = view.asides()
        assert (errors, len(missed)) == ([], 5 - len(results))
        assert {each.state for each in view.standings().rows if each.entrant == LATE} == {"left"}
        assert sum(row.matches for row in view.standings().rows) == 4 * len(results)
    with robin(store, folder) as contest:
        assert contest.loop.run(InProcess(), ContestListener())
        assert len(list(contest.store.played(contest.contest.id))) == len(results)
        assert list(contest.store.verify()) == []


def test_who_pauses_in_a_round_robin_plays_its_matches_later(folder: Path, store: Path) -> None:
    """While it pauses the contest is not over; when it is back, and the contest is run again, all were played."""
    with robin(store, folder) as contest:
        taking_part.pause(contest.store, contest.contest, "late")
        assert not contest.loop.run(InProcess(), ContestListener())
        assert all(LATE not in result.fixture.seats for result in contest.store.played(contest.contest.id))
        taking_part.resume(contest.store, contest.contest, "late")
        assert len(ContestView.of(contest).asides()[1]) == 4
    with robin(store, folder) as contest:
        assert contest.loop.run(InProcess(), ContestListener())
        assert len(list(contest.store.played(contest.contest.id))) == 5
        assert ContestView.of(contest).asides() == ([], [])
