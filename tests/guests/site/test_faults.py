"""An author learns at once, and in words, what a bot did wrong: in its check match, and on its ladder."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from dohyo.core.seeds import of_bot
from dohyo.guests.site import tables
from dohyo.guests.site.arena import hand_ins, ladders
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging.examine import examine
from dohyo.guests.site.people import accounts
from tests.guests.site.crashing import CHECKED, SAID, crashing

pytestmark = pytest.mark.xdist_group("site")


@pytest.mark.parametrize("spared", [[], [str(of_bot(1, 0))]], ids=["crashes", "spared"])
def test_a_fault_in_the_match_that_is_shown_is_a_finding(tmp_path: Path, spared: list[str]) -> None:
    """A bot whose check was faultless enters; what it did wrong in the match that is shown stands first, in words."""
    site = SiteFolder(tmp_path / "site")
    lock = site.take()
    assert lock is not None
    lock.release()
    database = tables.open_site(site.site)
    try:
        author = accounts.sign_up(database, "Author", "correct horse", "here")
        ladder = ladders.make(database, author, "othello")
        number = hand_ins.hand_in(
            database, site.files(), ladder, author, "Bot", "a.py", crashing([*CHECKED, *spared])
        )
        row = hand_ins.find(database, number)
        assert row is not None
        outcome = examine(site, row, "auto")
    finally:
        database.close()
    found = outcome.examined
    assert found.fit
    assert outcome.replay
    assert found.faulty == (not spared)
    told = [(one.severity, one.where.get("en", ""), one.said["en"]) for one in found.findings]
    if spared:
        assert not [one for one in told if one[0] != "fine"]
        assert any("It played 2 matches" in said for _, _, said in told)
        return
    severity, where, said = told[0]
    assert (severity, said) == ("warning", f"It crashed (exit status 1): {SAID}")
    assert where.startswith("Its check match, turn ")
    assert where.endswith("(its turn 3)")
    assert any("2 other matches against 'random' without a fault" in said for _, _, said in told)
    assert all(one.where["ja"].startswith("検査の試合") for one in found.findings[:1])
    assert msgspec.json.decode(msgspec.json.encode(found), type=type(found)) == found
