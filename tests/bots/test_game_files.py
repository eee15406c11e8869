"""What a game is made of: what its sources name, and nothing else that lies in its folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo.bots import game_files
from dohyo.bots.game_files import game_files as files_of

Lay = Callable[[dict[str, str]], Path]


@pytest.fixture
def lay(tmp_path: Path) -> Lay:
    """Writes files by name, and returns their folder."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path

    return write


def test_a_game_is_what_its_sources_name(lay: Lay) -> None:
    """Parts that every game may have, what they import from the game or quote, and its sentences."""
    game = {
        "mine/__init__.py": "import random\nfrom mine import (\n    rules,\n    maps,\n)\nP = On(__name__, 'page')",
        "mine/rules.py": "from .kinds.first import A\nTABLE = 'table.json'\n",
        "mine/frame.py": "",
        "mine/maps.py": "",
        "mine/page.py": "",
        "mine/table.json": "[]",
        "mine/kinds/__init__.py": "",
        "mine/kinds/first.py": "from ..deeper import other",
        "mine/deeper/__init__.py": "",
        "mine/deeper/other.py": "",
        "mine/i18n/en.json": "{}",
        "mine/i18n/pt-br.json": "{}",
    }
    beside = {
        **dict.fromkeys(
            ("mine/.env", "mine/random.py", "mine/alice.py", "mine/grades.csv", "mine/keys.json"), "secret"
        ),
        **dict.fromkeys(("mine/handins/alice.py", "mine/handins/__init__.py", "mine/bots/strong.py"), "secret"),
        **dict.fromkeys(("mine/i18n/notes.txt", "mine/i18n/teacher-of-year-1.json", "mine/.git/config"), "secret"),
        **dict.fromkeys(("other/__init__.py", "mine.py", "mine/kinds/bob.py", "mine/rules.txt"), "secret"),
    }
    found = files_of(lay({**game, **beside}) / "mine")
    assert found == {name: text.encode() for name, text in game.items()}


def test_a_game_in_one_file_has_the_parts_beside_it(lay: Lay) -> None:
    """The file, also by a link that the operator named, and what belongs to it in the folder of its name."""
    place = lay({"mine.py": "LAYOUT = 1", "mine/protocol.py": "", "mine/bob.py": "secret", "bob.py": "secret"})
    assert set(files_of(place / "mine.py")) == {"mine.py", "mine/protocol.py"}
    (place / "link.py").symlink_to("mine.py")
    assert files_of(place / "link.py") == {"link.py": b"LAYOUT = 1"}
    for nothing in ("none.py", "none", "mine"):
        assert files_of(place / nothing) == {}


def test_samples_are_taken_where_they_are_imported(lay: Lay) -> None:
    """A word in a text is no import."""
    place = lay({"mine/__init__.py": "FOLDER = 'bots'", "mine/bots/__init__.py": "", "mine/bots/strong.py": ""})
    assert set(files_of(place / "mine")) == {"mine/__init__.py"}
    lay({"mine/__init__.py": "from mine.bots import strong"})
    assert len(files_of(place / "mine")) == 3


def test_only_plain_files_are_read(lay: Lay) -> None:
    """No link, be it to a file or a folder, and no pipe, for which a reader would wait for ever."""
    place = lay({"mine/__init__.py": "from . import key, pipe, far, folder", "secret.py": "", "away/__init__.py": ""})
    (place / "mine" / "key.py").symlink_to(place / "secret.py")
    (place / "mine" / "far").symlink_to(place / "away")
    (place / "mine" / "folder.py").mkdir()
    os.mkfifo(place / "mine" / "pipe.py")
    assert set(files_of(place / "mine")) == {"mine/__init__.py"}


def test_count_and_size_are_bounded(lay: Lay, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too much is left out; what comes later may have room."""
    place = lay({"mine/__init__.py": "from . import a, b", "mine/a.py": "#" * 50, "mine/b.py": ""})
    monkeypatch.setattr(game_files, "LARGEST", 49)
    assert set(files_of(place / "mine")) == {"mine/__init__.py", "mine/b.py"}
    monkeypatch.setattr(game_files, "LARGEST", 99)
    monkeypatch.setattr(game_files, "MAX_BYTES", 60)
    assert set(files_of(place / "mine")) == {"mine/__init__.py", "mine/b.py"}
    monkeypatch.setattr(game_files, "MAX_BYTES", 99)
    monkeypatch.setattr(game_files, "MAX_FILES", 2)
    assert set(files_of(place / "mine")) == {"mine/__init__.py", "mine/a.py"}
