"""Links in a hand-in: which stay inside, told by their texts alone."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from dohyo.bots import typed_words
from dohyo.bots.content import read_folder
from dohyo.core.errors import OperatorError
from dohyo.match import folder_bots


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A hand-in with a source, and a folder in it."""
    (tmp_path / "bot" / "in").mkdir(parents=True)
    (tmp_path / "bot" / "main.py").write_text("print('here')")
    return tmp_path / "bot"


def chain(folder: Path, most: int, before: str) -> None:
    """Links that lead to each other, one behind the other, by way of a folder that is not there."""
    for number in range(most):
        (folder / f"L{number}").symlink_to(f"{before}L{number + 1}")


@pytest.mark.parametrize(("most", "times"), [(1500, 1), (999, 1), (60, 800), (60, 0)])
def test_a_chain_of_links(folder: Path, monkeypatch: pytest.MonkeyPatch, most: int, times: int) -> None:
    """A chain that the kernel does not follow is refused in a sentence, and the disk is not asked for each part."""
    chain(folder, most, "n/../" * times)
    asked = 0
    own = os.lstat

    def lstat(*given: object, **named: object) -> os.stat_result:
        nonlocal asked
        asked += 1
        return own(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "lstat", lstat)
    with pytest.raises(OperatorError) as caught:
        read_folder(folder, "bot")
    assert caught.value.key in ("bot-cannot-be-read", "bot-folder-too-large")
    assert asked < 1000


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("main.py", "main.py"),
        ("./in/../main.py", "main.py"),
        ("in/one", "main.py"),
        ("in", "in"),
        ("in/", "in"),
        (".", "."),
        ("gone/there", "gone/there"),
        ("gone/../main.py", "main.py"),
        ("{}/main.py", "main.py"),
        ("..", None),
        ("../bot/main.py", None),
        ("in/two", None),
        ("/etc/passwd", None),
        ("{}x/main.py", None),
        ("{}/../x", None),
        (".git/config", None),
        ("venv/bin/python", None),
    ],
)
def test_where_a_link_leads(folder: Path, text: str, wanted: str | None) -> None:
    """One that stays inside is kept as the straight way there; one that leaves is refused, however it is written."""
    (folder / "in" / "one").symlink_to("../main.py")
    if text == "in/two":
        (folder / "in" / "two").symlink_to("../..")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").touch()
    (folder / "venv" / "bin").mkdir(parents=True)
    (folder / "venv" / "pyvenv.cfg").touch()
    (folder / "venv" / "bin" / "python").touch()
    (folder / "link").symlink_to(text.format(folder))
    if wanted is not None:
        assert read_folder(folder, "bot").links == {"in/one": "../main.py", "link": wanted}
        return
    with pytest.raises(OperatorError) as caught:
        read_folder(folder, "bot")
    assert caught.value.key == "bot-link-leaves"


def test_hand_ins_that_are_a_chain(folder: Path) -> None:
    """Such a chain among the hand-ins of a class makes a row of each link, and ends nothing."""
    chain(folder.parent, 1500, "n/../")
    found = folder_bots.find(str(folder.parent), 2000, None, sandbox="none")
    assert [bot.name for bot in found.bots] == ["bot"]
    assert len(found.refused) == 1500
    assert {error.key for error in found.refused.values()} == {"bot-is-link"}
    with pytest.raises(OperatorError) as caught:
        typed_words.resolve([str(folder.parent / "L0")])
    assert caught.value.key == "bot-is-link"
    with pytest.raises(OSError, match=os.strerror(errno.ENOENT)):
        os.stat(folder.parent / "L0")
