"""`dohyo contest rename`, and a corrected list of names: a bot is called otherwise after a contest has begun."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from dohyo.core import replay_format
from dohyo.series.session import look
from dohyo.series.store import open_store
from tests.cli.conftest import Type
from tests.cli.held import RUN


def test_a_bot_is_called_otherwise(held: Type, folder: Path) -> None:
    """Tables, lists, replays and pages have its new name, matches and places stay, and all of it can be verified."""
    before = held("contest", "standings", "contest.db").out
    assert held("contest", "disqualify", "contest.db", "d", "--because", "a test", "--matches-count").status == 0
    done = held("contest", "rename", "contest.db", "a", "Ada")
    assert (done.status, done.out) == (
        0,
        "'a' is called 'Ada' from now on, in replays of matches that were played, too.\n",
    )
    assert held("contest", "rename", "contest.db", "d", "Dot").status == 0
    assert held("contest", "disqualify", "contest.db", "Dot", "--undo").status == 0
    after = held("contest", "standings", "contest.db").out
    assert [line.split()[2:6] for line in after.splitlines()[:5]] == [
        line.split()[2:6] for line in before.splitlines()[:5]
    ]
    assert "Ada" in held("contest", "matches", "contest.db", "--bot", "Ada").out
    assert "Ada" in held("contest", "replay", "contest.db", "2").out
    assert "Dot" in held("contest", "replay", "contest.db", "2", "--faults").out
    assert "No bot 'a' takes part" in held("contest", "matches", "contest.db", "--bot", "a").err
    assert held("contest", "verify", "contest.db", "--again").status == 0
    assert held("contest", "site", "contest.db", "--out", "site").status == 0
    saved = replay_format.decode((folder / "site" / "matches" / "2.replay.zst").read_bytes())
    assert {"Ada", "Dot"} < {seat.name for seat in saved.header.seats}
    assert "Ada" in (folder / "site" / "matches" / "2.html").read_text().partition("</title>")[0]


def test_the_same_command_goes_on(held: Type) -> None:
    """What is typed names bots as they were called at the beginning."""
    assert held("contest", "rename", "contest.db", "a", "Ada").status == 0
    assert held("contest", "rename", "contest.db", "Ada", "Ada L.").status == 0
    again = held(*RUN)
    assert (again.status, "Ada L." in again.out) == (0, True)
    assert held("contest", "rename", "contest.db", "Ada L.", "a").status == 0
    assert held(*RUN).status == 0


@pytest.mark.parametrize(
    ("bot", "name", "sentence"),
    [
        ("e", "x", "No bot 'e' takes part"),
        ("a", "b", "is called 'b' already; take another name."),
        ("a", "a", "is called 'a' already."),
        ("a", " ", "is no name for a bot"),
        ("a", "x\u200by", "is no name for a bot"),
        ("a", "\u202eback", "is no name for a bot"),
    ],
)
def test_what_is_no_name(held: Type, bot: str, name: str, sentence: str) -> None:
    """One sentence, and nothing has changed."""
    done = held("contest", "rename", "contest.db", bot, name)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    with open_store("contest.db") as store:
        assert [each.name for each in look(store, None).entrants] == ["a", "b", "c", "d"]


def test_marks_of_letters_are_composed(held: Type) -> None:
    """A name that a Mac wrote is the same as one from a keyboard, and is found by either."""
    apart = unicodedata.normalize("NFD", "がく")
    done = held("contest", "rename", "contest.db", "a", apart, "--json")
    assert json.loads(done.out) == {"contest": "contest", "bot": "がく", "change": "renamed", "before": "a"}
    assert held("contest", "rename", "contest.db", "b", apart).status == 2
    assert held("contest", "rename", "contest.db", apart, "Gaku").status == 0
