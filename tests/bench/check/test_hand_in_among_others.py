"""What is wrong with one hand-in is a row; what is wrong with the machine ends the class at once."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from dohyo import games
from dohyo.bench.check.hand_ins import check_all, hand_ins
from dohyo.core.errors import OperatorError
from dohyo.match import folder_bots


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A class with a packed hand-in whose file leads out, one with a file twice, and a link that leaves."""
    place = tmp_path / "class"
    place.mkdir()
    with zipfile.ZipFile(place / "out.zip", "w") as made:
        made.writestr("../x", "")
    with zipfile.ZipFile(place / "twice.zip", "w") as made:
        made.writestr("main.py/x", "")
        made.writestr("main.py", "")
    with zipfile.ZipFile(place / "link.zip", "w") as made:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        made.writestr(link, "/etc/passwd")
    return place


def test_each_is_a_row(folder: Path) -> None:
    """A packed hand-in that cannot be unpacked does not end the check of its class."""
    done = list(check_all(games.find("wondev-woman"), hand_ins(folder), sandbox="none", matches=1))
    assert [found.name for found in done] == ["link.zip", "out.zip", "twice.zip"]
    assert {finding.key for found in done for finding in found.findings} == {"check.unusable"}
    assert sorted(folder_bots.find(str(folder), 9, None, sandbox="none").refused) == [found.name for found in done]


def test_the_machine_is_nobodys_fault(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that nobody can write to ends the class with one sentence, and refuses no bot."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "file"))
    with pytest.raises(OperatorError) as caught:
        list(check_all(games.find("wondev-woman"), hand_ins(folder), sandbox="none", matches=1))
    assert caught.value.key == "bot-cache-unusable"
    with pytest.raises(OperatorError) as caught:
        folder_bots.find(str(folder), 9, None, sandbox="none")
    assert caught.value.key == "bot-cache-unusable"
