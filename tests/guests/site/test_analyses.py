"""Analyses on a site, without a server: they end in time, and give way to who hands in."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dohyo.core.contest import Entrant, Fixture, Result, Version
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import analyses, ladders
from dohyo.guests.site.arena.analyses import Analysis
from dohyo.guests.site.arena.blunders import ask_for_more, blunders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging import asked as asking
from dohyo.guests.site.judging import interruptible
from dohyo.guests.site.judging.asked import GIVES_WAY, Asked
from dohyo.guests.site.judging.interruptible import Stopped
from dohyo.guests.site.people import accounts
from dohyo.guests.site.people.accounts import Person
from dohyo.series.store import open_store

FOUND = b'{"analysis":{"points":[]},"note":"all is well"}'
Run = Callable[[socket.socket], bytes]


class Case:
    """An analysis that waits, and what does it: `run` stands for the process."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.site = SiteFolder(folder)
        lock = self.site.take()
        assert lock is not None
        lock.release()
        self.database = tables.open_site(self.site.site)
        self.person: Person = accounts.sign_up(self.database, "Author", "correct horse", "here")
        self.arena = Arena(self.site.arena, self.site.frozen)
        self.ladder: Ladder = ladders.make(self.database, self.person, "othello")
        self.run: Run = lambda asker: FOUND
        self.ask()

        class Fake:
            """In the place of `MatchAnalysis`."""

            def __init__(fake, *_: object) -> None:  # noqa: N805
                fake.found = b""

            def run(fake, seconds: float, asker: socket.socket, tell: object) -> None:  # noqa: N805
                """Do what the case says."""
                fake.found = self.run(asker)

        monkeypatch.setattr(asking, "MatchAnalysis", Fake)
        monkeypatch.setattr(asking.doors, "brought", lambda what: {"match": "worker"})
        monkeypatch.setattr(asking.analyses, "replay_of", lambda *_: b"")
        monkeypatch.setattr(asking, "decode", lambda replay: None)
        monkeypatch.setattr(asking, "for_authors", lambda replay: None)
        monkeypatch.setattr(interruptible, "LOOK", 0.001)

    def ask(self) -> None:
        """Ask for it, or once more."""
        analyses.ask(self.database, self.person, self.ladder, 0, 1, "en")

    def now(self) -> Analysis:
        """What is known of it."""
        found = analyses.find(self.database, self.person, self.ladder, 0, 1)
        assert found is not None
        return found


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Case]:
    """Such an analysis."""
    found = Case(tmp_path / "site", monkeypatch)
    yield found
    found.database.close()


def hung_up(asker: socket.socket) -> bytes:
    """Search until whoever asked hangs up."""
    assert asker.recv(1) == b""
    return b""


def test_an_analysis_gives_way_to_who_hands_in_and_is_done_in_the_end(case: Case) -> None:
    """It is given up and waits on, a few times; then it is done, whoever waits."""
    judge = Asked(case.site, case.database, case.arena, lambda text: None, lambda seconds: True)
    case.run = hung_up
    for _ in range(GIVES_WAY):
        with pytest.raises(Stopped):
            judge.analyse({case.ladder.id})
        assert case.now().state == "waiting"
    case.run = lambda asker: FOUND
    assert judge.analyse({case.ladder.id})
    assert (case.now().state, case.now().note) == ("done", "all is well")


def test_an_analysis_that_takes_too_long_is_late_and_can_be_asked_for_again(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says nothing wrong of the match; once more, what it needs is compiled, and it may be done."""
    judge = Asked(case.site, case.database, case.arena, lambda text: None)
    monkeypatch.setattr(asking, "ANALYSED", 0.01)
    case.run = hung_up
    assert judge.analyse({case.ladder.id})
    assert (case.now().state, case.now().note) == ("late", "")
    assert not judge.analyse({case.ladder.id})
    monkeypatch.setattr(asking, "ANALYSED", 60.0)
    case.run = lambda asker: FOUND
    case.ask()
    assert case.now().state == "waiting"
    assert judge.analyse({case.ladder.id})
    case.ask()
    assert case.now().state == "done"
    assert case.now().note == "all is well"


def test_an_analysis_waits_while_what_its_author_may_see_is_copied(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy of a large contest whose standings are frozen takes long: that is no try at the match."""
    judge = Asked(case.site, case.database, case.arena, lambda text: None)

    def is_made(*_: object) -> bytes:
        raise OperatorError("serve-copy-is-made")

    monkeypatch.setattr(asking.analyses, "replay_of", is_made)
    for _ in range(asking.MAX_TRIES + 1):
        assert not judge.analyse({case.ladder.id})
        assert case.now().state == "waiting"
    monkeypatch.setattr(asking.analyses, "replay_of", lambda *_: b"")
    assert judge.analyse({case.ladder.id})
    assert case.now().state == "done"


def a_view(*points: dict[str, Any]) -> bytes:
    """What the viewer is given of a match of nine turns with these turning points."""
    told = [{**each, "text": f"turn {each['turn']}", "action": ""} for each in points]
    return msgspec.json.encode([{"seat": None, "chances": [None] * 10, "points": told}])


def test_the_worst_decisions_of_all_analysed_matches_are_told_with_when_they_came(case: Case, tmp_path: Path) -> None:
    """Own mistakes alone count, the costliest first, by the part of the match; what is lost and not asked is next."""
    with open_store(str(tmp_path / "arena.db"), create=True) as store:
        contest = store.begin(case.ladder.slug, "othello", {}, 1.0).id
        store.enter(
            contest, [Entrant(n, Version(name, f"{n:064x}")) for n, name in enumerate(("Mine", "Other"))], 1.0
        )
        for number, (places, seats) in enumerate(
            [((2, 1), (0, 1)), ((1, 2), (1, 0)), ((1, 2), (0, 1)), ((2, 1), (0, 1))]
        ):
            fixture = Fixture(0, number, seats, number)
            store.schedule(contest, [fixture])
            store.record(contest, [Result(fixture, places, at=1.0)])
        files = case.site.files()
        for match, points in {
            0: [{"turn": 8, "seat": 0, "lost": 0.2}, {"turn": 4, "seat": 1, "lost": 0.9}],
            1: [{"turn": 0, "seat": 1, "lost": 0.7}, {"turn": 7, "seat": 1}],
        }.items():
            analyses.ask(case.database, case.person, case.ladder, 0, match, "en")
            asked = analyses.find(case.database, case.person, case.ladder, 0, match)
            assert asked is not None
            analyses.finish(case.database, asked, "done", files.put(a_view(*points)))
        found = blunders(case.database, files, store, case.ladder, case.person, "Mine")
        assert found.matches == 2
        assert [(match, one.text) for match, one in found.worst] == [(1, "turn 0"), (0, "turn 8"), (1, "turn 7")]
        assert [(part.count, part.lost) for part in found.parts] == [(1, 0.7), (0, 0), (2, None)]
        assert found.next == (3,)
        ask_for_more(case.database, case.person, case.ladder, found, "en")
        found = blunders(case.database, files, store, case.ladder, case.person, "Mine")
        assert (found.waiting, found.next) == (1, ())
        other = accounts.sign_up(case.database, "Another", "correct horse", "here")
        assert blunders(case.database, files, store, case.ladder, other, "Mine").matches == 0
