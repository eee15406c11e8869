"""Who learns that a bot is disqualified when it is handed in again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from dohyo.core.contest import Entrant, Version
from dohyo.core.errors import OperatorError
from dohyo.core.rulings_in_force import DISQUALIFY, Ruling
from dohyo.guests.site import tables
from dohyo.guests.site.arena import hand_ins, ladders
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.own_bots import refuse_out
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.people import accounts
from dohyo.series.store import open_store


def test_nobody_learns_that_anothers_bot_is_disqualified_by_typing_its_name(tmp_path: Path) -> None:
    """While standings are frozen it is secret: the author alone is told, others that the name is taken."""
    site = SiteFolder(tmp_path / "site")
    lock = site.take()
    assert lock is not None
    lock.release()
    with closing(tables.open_site(site.site)) as database, closing(Arena(site.arena, site.frozen)) as arena:
        ann, bob = (accounts.sign_up(database, name, "correct horse", "here") for name in ("Ann", "Bob"))
        ladder = ladders.make(database, ann, "othello")
        hand_ins.hand_in(database, site.files(), ladder, ann, "Cheat", "bot.py", b"handed in")
        with open_store(site.arena, create=True) as store:
            contest = store.begin(ladder.slug, "othello", {}, 1.0).id
            store.enter(contest, [Entrant(0, Version("Cheat", "0" * 64))], 1.0)
            store.rule(contest, Ruling(0, DISQUALIFY, 2.0, 0, "copied", bot="Cheat"))
        with pytest.raises(OperatorError) as told:
            refuse_out(database, arena, ladder, ann, "cheat")
        assert told.value.key == "serve-disqualified"
        assert "copied" in told.value.say()
        refuse_out(database, arena, ladder, ann, "Another")
        refuse_out(database, arena, ladder, bob, "cheat")
        with pytest.raises(OperatorError) as taken:
            hand_ins.hand_in(database, site.files(), ladder, bob, "cheat", "bot.py", b"handed in")
        assert taken.value.key == "serve-bot-taken"
