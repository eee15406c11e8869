"""A language more for `dohyo new bot` is one file: here it is Perl, and nothing else knows of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.games import find
from dohyo.guests import starters
from dohyo.guests.starters.folder import make_bot
from dohyo.i18n import ENGLISH
from tests import skips
from tests.guests.starters.test_general_starters import GAME, PARTS, PARTS_PROMPTS, PROMPTS, answers_of
from tests.guests.starters.test_new_bots import GAMES as SETUPS
from tests.guests.starters.test_new_bots import PATIENCE

FILE = Path(__file__).with_name("perl.toml")


@pytest.fixture
def with_perl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of languages, with one file more."""
    more = tmp_path / "languages"
    shutil.copytree(starters.FOLDER, more)
    shutil.copy(FILE, more)
    monkeypatch.setattr(starters, "FOLDER", more)


@pytest.mark.usefixtures("with_perl")
@pytest.mark.parametrize("game", SETUPS)
def test_every_game_has_a_bot_in_it(game: str, tmp_path: Path) -> None:
    """Its folder is made, and its own test says that it reads all of the input and answers as recorded."""
    skips.program("perl")
    chosen = find(game)
    made = make_bot(chosen, "perl", str(tmp_path / "mine"), resolve(chosen.options, {}), {}, ENGLISH)
    assert made.main == "main.pl"
    tested = subprocess.run(
        ["sh", made.folder / "test.sh"], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (tested.returncode, tested.stderr) == (0, "")
    assert tested.stdout.endswith(" lines of output, as in test/answers.txt.\n")


@pytest.mark.usefixtures("with_perl")
def test_every_shape_is_read_in_it(tmp_path: Path) -> None:
    """So are every field of a game in one file, and every part of a description."""
    skips.program("perl")
    answers = answers_of("perl", GAME, "".join(PROMPTS), tmp_path / "mine")
    assert answers[0] in ("left", "right")
    assert answers[1] == "give-up"
    assert answers_of("perl", PARTS, "".join(PARTS_PROMPTS), tmp_path / "other")[:2] == ["HELLO", "q -5"]


def test_without_the_file_there_is_none(tmp_path: Path) -> None:
    """No language is known that has no file."""
    game = find("drop-block")
    with pytest.raises(OperatorError):
        make_bot(game, "perl", str(tmp_path / "mine"), resolve(game.options, {}), {}, ENGLISH)
