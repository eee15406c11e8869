"""Bots that join, pause, go on and leave, while a contest runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.app.contest import changes
from dohyo.app.contest.field import as_entrants
from dohyo.app.contest.opening import Opened
from dohyo.app.executors.in_process import InProcess
from dohyo.core.errors import OperatorError
from dohyo.store.records import Progress, StaleError, Version
from tests.app.contest.contests import Onlooker, asked, opened

EARLY, MIDDLING, LATE, STEADY, STILL = range(5)


def version(contest: Opened, name: str, of: int = STILL) -> Version:
    """A bot under a new name: the version of one that is there."""
    known = contest.loop.field.entries[of].version
    return Version(name, known.digest, known.language, known.archive)


def seats(contest: Opened) -> list[set[int]]:
    """Who played in each batch."""
    found: dict[int, set[int]] = {}
    for match in contest.store.scheduled(contest.contest.id):
        found.setdefault(match.batch, set()).update(match.seats)
    return list(found.values())


def ladder(store: Path, folder: Path) -> Opened:
    """A ladder whose batches are large enough for everybody."""
    return opened(asked(store, folder, "ladder", options={"batch": 5}, setup={"turns": 8}))


def test_bots_pause_and_go_on(folder: Path, store: Path) -> None:
    """A bot that pauses is in no batch from the next one on, until it goes on."""
    with ladder(store, folder) as contest:
        contest.loop.run(InProcess(), Onlooker(), 1)
        assert changes.pause(contest.store, contest.contest, "late") == 1
        contest.loop.run(InProcess(), Onlooker(), 1)
        assert changes.resume(contest.store, contest.contest, "late") == 2
        contest.loop.run(InProcess(), Onlooker(), 1)
        assert [LATE in batch for batch in seats(contest)] == [True, False, True]


def test_a_bot_joins_and_leaves_while_a_batch_is_played(folder: Path, store: Path) -> None:
    """What is written while a batch is played takes effect with the next; who joined is built from its archive."""
    with ladder(store, folder) as contest:

        def change(number: int) -> None:
            if number == 3:
                assert changes.enter_version(contest.store, contest.contest, version(contest, "new")) == 1
                assert changes.leave(contest.store, contest.contest, "late") == 1

        contest.loop.run(InProcess(), Onlooker(change), 2)
        assert [(LATE in batch, 5 in batch) for batch in seats(contest)] == [(True, False), (False, True)]
        (entry,) = contest.loop.field.entries[5:]
        assert (entry.version.name, entry.since, entry.follows) == ("new", 1, None)


def test_who_joins_before_the_first_batch(folder: Path, store: Path) -> None:
    """Who joins a contest that has no batch yet waits for the second: how many began it never changes."""
    with ladder(store, folder) as contest:
        assert changes.enter_version(contest.store, contest.contest, version(contest, "new")) == 1
        contest.loop.run(InProcess(), Onlooker(), 2)
        assert [5 in batch for batch in seats(contest)] == [False, True]


def test_who_left_comes_back(folder: Path, store: Path) -> None:
    """The same version that left joins again, as the same entrant with a gap."""
    with ladder(store, folder) as contest:
        contest.loop.run(InProcess(), Onlooker(), 1)
        changes.leave(contest.store, contest.contest, "late")
        contest.loop.run(InProcess(), Onlooker(), 1)
        changes.enter_version(contest.store, contest.contest, version(contest, "late", LATE))
        contest.loop.run(InProcess(), Onlooker(), 1)
        assert [LATE in batch for batch in seats(contest)] == [True, False, True]
        assert contest.loop.field.entries[LATE].absences == ((1, 2),)


def test_too_few_are_left(folder: Path, store: Path) -> None:
    """A ladder with too few bots has no next batch; with more of them it goes on."""
    with ladder(store, folder) as contest:
        for name in ("late", "early"):
            changes.pause(contest.store, contest.contest, name)
        contest.loop.run(InProcess(), Onlooker(), 1)
        assert contest.loop.run(InProcess(), Onlooker(), 1)
        changes.resume(contest.store, contest.contest, "late")
        assert not contest.loop.run(InProcess(), Onlooker(), 1)


@pytest.mark.parametrize(
    ("act", "name", "sentence"),
    [
        (changes.leave, "lat", r"No bot 'lat' takes part in the contest 'c' \('late'\?\); those who do: early, mid"),
        (changes.resume, "late", "'late' does not pause"),
    ],
)
def test_mistakes(folder: Path, store: Path, act: object, name: str, sentence: str) -> None:
    """Who is not there cannot leave, who does not pause cannot go on."""
    with ladder(store, folder) as contest, pytest.raises(OperatorError, match=sentence):
        act(contest.store, contest.contest, name)  # type: ignore[operator]


def test_pausing_twice_or_joining_twice(folder: Path, store: Path) -> None:
    """Who pauses does not pause again; a version that takes part does not join again."""
    with ladder(store, folder) as contest:
        changes.pause(contest.store, contest.contest, "late")
        with pytest.raises(OperatorError, match="'late' pauses already"):
            changes.pause(contest.store, contest.contest, "late")
        with pytest.raises(OperatorError, match="takes part in the contest 'c' already"):
            changes.enter_version(contest.store, contest.contest, version(contest, "early", EARLY))


def test_a_change_while_a_batch_is_drawn(folder: Path, store: Path) -> None:
    """Who joins between the drawing of a batch and its scheduling is in neither half: it is drawn again."""
    with ladder(store, folder) as contest:
        field, loop = contest.loop.field, contest.loop
        drawn = loop.fold.next

        def joining(entrants: object) -> object:
            loop.fold.next = drawn  # type: ignore[method-assign]
            changes.pause(contest.store, contest.contest, "late")
            return drawn(as_entrants(field.entries))

        loop.run(InProcess(), Onlooker(), 1)
        loop.fold.next = joining  # type: ignore[method-assign, assignment]
        loop.run(InProcess(), Onlooker(), 1)
        assert [LATE in batch for batch in seats(contest)] == [True, False]


def test_a_batch_that_is_scheduled_while_a_change_is_decided(folder: Path, store: Path) -> None:
    """A change that was decided for a batch that is scheduled by now is refused by the store."""
    with ladder(store, folder) as contest:
        loop = contest.loop
        loop.run(InProcess(), Onlooker(), 1)
        entries = loop.field.entries
        with pytest.raises(StaleError):
            contest.store.enter(contest.contest.id, entries, 0.0, batches=0)
        with pytest.raises(StaleError):
            contest.store.schedule(contest.contest.id, [], drawn_from=entries[:-1])
        assert [Progress(0, 20, 20, 0)] == contest.store.progress(contest.contest.id)
