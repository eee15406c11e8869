"""A folder of hand-ins whose names and links are such that the system, or a store, refuses them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dohyo import games
from dohyo.bench.check.hand_ins import check_all, hand_ins
from dohyo.core.errors import OperatorError
from dohyo.match import folder_bots
from dohyo.series.request import ContestRequest
from dohyo.series.roster import gather

GAME = "wondev-woman"
BOT = b"print('ready')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A class of two who can play, and of others."""
    place = os.fsencode(tmp_path / "class")
    for name in (b"good.py", b"line\nend.py", b"in/bot.py", b"in/d\xff.txt", b"main/m\xff.py", b"lone\xff.py"):
        path = os.path.join(place, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(BOT)
    for name, target in ((b"loop", b"loop"), (b"long", b"x" * 300), (b"a\xff", b"nowhere"), (b"a\xfe", b"nowhere")):
        os.symlink(target, os.path.join(place, name))
    return tmp_path / "class"


def test_who_can_play_is_found(folder: Path) -> None:
    """Links of any kind have a row each, also where their names look the same; whoever can be built is."""
    found = folder_bots.find(str(folder), 100, None, sandbox="none")
    assert sorted(found.refused) == ["a\ufffd (1)", "a\ufffd (2)", "long", "loop"]
    assert {error.key for error in found.refused.values()} == {"bot-is-link"}
    assert sorted(bot.name for bot in found.bots) == ["good", "in", "line\nend", "lone\ufffd", "main"]


def test_a_class_is_checked_to_its_end(folder: Path) -> None:
    """Each of them has its examination."""
    names = {path.name for path in hand_ins(folder)}
    assert names == set(os.listdir(folder))
    paths = [path for path in hand_ins(folder) if path.is_symlink()]
    done = check_all(games.find(GAME), paths, sandbox="none", matches=1)
    assert [[finding.key for finding in each.findings] for each in done] == [["check.unusable"]] * 4


def untold(key: str, **details: object) -> None:
    """What the command would print."""


def test_a_contest_leaves_out_what_no_store_keeps(folder: Path) -> None:
    """Whose files' names are no text is left out with a sentence, and the contest is held with the others."""
    left: dict[str, str] = {}
    asked = ContestRequest(name="c", store="", game=GAME, folder=str(folder), sandbox="none")
    gathered, _ = gather(games.find(GAME), asked, lambda name, error: left.update({name: error.key}), untold)
    assert [each.contender.name for each in gathered] == ["good", "line\nend"]
    assert (
        left.items()
        >= {"in": "archive-name", "main": "archive-name", "lone\ufffd.py": "contest-path-no-text"}.items()
    )


def test_one_that_is_named_is_refused_before_anything_is_stored(folder: Path) -> None:
    """A bot of the operator's that cannot be kept is their mistake, and no contest has begun."""
    asked = ContestRequest(name="c", store="", game=GAME, bots=[("", str(folder / "in"))], sandbox="none")
    with pytest.raises(OperatorError, match="cannot hold a file called"):
        gather(games.find(GAME), asked, lambda name, error: None, untold)
