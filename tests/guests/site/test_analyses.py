"""Analyses on a site, without a server: they end in time, and give way to who hands in."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dohyo.guests.site import tables
from dohyo.guests.site.arena import analyses, ladders
from dohyo.guests.site.arena.analyses import Analysis
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging import asked as asking
from dohyo.guests.site.judging import interruptible
from dohyo.guests.site.judging.asked import GIVES_WAY, Asked
from dohyo.guests.site.judging.interruptible import Stopped
from dohyo.guests.site.people import accounts
from dohyo.guests.site.people.accounts import Person

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
