"""Matches that people play at a site, as the web server holds them: one of each person, whatever it sends at once."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dohyo import games
from dohyo.core.bot_spec import Sample
from dohyo.guests.site.arena import sittings
from dohyo.guests.site.arena.sittings import ME, Seated, Sittings
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.people import leaving
from dohyo.guests.site.people.accounts import AUTHOR, Person, sign_up
from dohyo.guests.site.tables import open_site
from dohyo.i18n import ENGLISH
from dohyo.match.people.sitting import Sitting
from dohyo.match.play import play_match

AT_ONCE = 4


class Unkept(Sittings):
    """Sittings of a site that keeps no match; all who begin one have left their earlier one before the first goes
    on."""

    def __init__(self) -> None:
        nothing: Any = None
        super().__init__(nothing, nothing, "none")
        self._all_left = threading.Barrier(AT_ONCE)

    def leave(self, person: Person) -> None:
        """Leave the match that is played, and wait for the others."""
        super().leave(person)
        self._all_left.wait(60)

    def _keep(self, *_: Any) -> list[int]:
        return []


def test_a_person_who_begins_several_at_once_plays_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of requests that come at the same time one match goes on, and the others end: nobody holds a server's room."""
    made: list[Sitting] = []

    def sitting(*given: Any, **named: Any) -> Sitting:
        made.append(Sitting(*given, **named))
        return made[-1]

    monkeypatch.setattr(sittings, "Sitting", sitting)
    monkeypatch.setattr(sittings.limits, "take", lambda *_: None)
    site, me = Unkept(), Person(1, "me", AUTHOR)
    seats = [Seated(ME), Seated("random", Sample("random"))]
    begun = [
        threading.Thread(target=site.begin, args=(me, games.find("connectx"), seats, ENGLISH)) for _ in range(AT_ONCE)
    ]
    try:
        for thread in begun:
            thread.start()
        for thread in begun:
            thread.join()
        assert len(made) == AT_ONCE
        assert [one for one in made if not one.is_over] == [site.of(me).sitting]  # type: ignore[union-attr]
    finally:
        site.close()
        for one in made:
            one.close()


def test_nothing_is_kept_of_who_has_deleted_the_account(tmp_path: Path) -> None:
    """A match that ends after that is nobody's: neither its row nor its replay, which has the name, stays."""
    site = SiteFolder(tmp_path / "site")
    lock = site.take()
    assert lock is not None
    lock.release()
    game = games.find("connectx")
    replay = play_match(game, [Sample("random")] * 2, seed=1, clock=None, sandbox="none")
    with closing(open_site(site.site)) as database:
        here, gone = (sign_up(database, name, "correct horse", "here") for name in ("Here", "Victoria"))
        leaving.leave(database, gone)
        kept = Sittings(site, database, "none")
        assert kept._keep(gone, replay, (0,)) == []
        assert not [path for path in (site.home / "files").rglob("*") if path.is_file()]
        assert kept._keep(here, replay, (0,)) == [1]
