"""`dohyo new bot`: what it makes and prints, and what it refuses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from dohyo.bots.manifests import read_toml
from dohyo.core.options import resolve
from dohyo.games import all_games, find
from dohyo.guests.starters import names
from dohyo.guests.starters.command import LANGUAGES
from dohyo.guests.starters.language import language as language_of
from dohyo.guests.starters.python_class import class_writer
from tests.cli.conftest import Type
from tests.cli.typed import environment

GAMES = [name for name, game in all_games().items() if game.starter is not None]
SCREEN = 60  # lines of a README that one reads at once; a view of aBOTcalypse is 16 of them


def files(folder: Path) -> set[str]:
    """The files below a folder, by relative name."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_is_made(typed: Type, folder: Path) -> None:
    """It has the program, its test, a bot.toml and a README; what is printed are commands that go on from there."""
    done = typed("new", "bot", "wondev-woman", "--lang", "python", "climber")
    assert (done.status, done.err) == (0, "")
    assert files(folder / "climber") == {
        *("main.py", "test.sh", "bot.toml", "README.md"),
        *("test/input.txt", "test/answers.txt"),
    }
    first, *commands = done.out.splitlines()
    assert first == "climber is made, and plays legally; the bot is main.py. Next:"
    assert commands == [
        "  cd climber",
        "  sh test.sh",
        "  dohyo check wondev-woman .",
        "  dohyo play wondev-woman . random --watch",
    ]
    assert [path.name for path in folder.iterdir() if path.name.startswith(".dohyo")] == []
    assert read_toml(folder / "climber" / "bot.toml", "") == {"lifetime": "match"}


def test_a_script_is_told_what_was_made(typed: Type) -> None:
    """With --json the folder, its program and the next commands are one document, for a bot and for a game."""
    told = json.loads(typed("new", "bot", "wondev-woman", "--lang", "python", "climber", "--json").out)
    assert (told["folder"], told["main"], told["commands"][0], told["missing"]) == (
        *("climber", "main.py", "cd climber"),
        None,
    )
    told = json.loads(typed("new", "game", "my-own", "--json").out)
    assert (told["folder"], told["file"].endswith("my_own.py"), bool(told["commands"])) == ("my_own", True, True)


@pytest.mark.parametrize("game", GAMES)
def test_every_language_has_a_folder(typed: Type, folder: Path, game: str) -> None:
    """Without a name the folder is called by game and language; each README is one screen, and names its program."""
    for language in names():
        assert typed("new", "bot", game, "--lang", language).status == 0
        place = folder / f"{game}-{language}"
        assert language_of(language).main in files(place)
        readme = (place / "README.md").read_text(encoding="utf-8")
        assert len(readme.splitlines()) <= SCREEN
        assert readme.startswith(f"# {place.name}\n")
        assert f"dohyo check {game} ." in readme
        assert "--save ../m.replay" in readme  # in the folder, it would be a part of the bot
        assert "{" not in readme.replace("{name}", "")
        source = (place / language_of(language).main).read_text(encoding="utf-8")
        assert source.isascii()
        assert max(map(len, source.expandtabs(4).splitlines())) <= 120


def test_a_game_without_a_description_gets_a_class(typed: Type, folder: Path) -> None:
    """In Python a bot chooses from what the game's reading lists; its test runs as any starter's."""
    done = typed("new", "bot", "connect-four", "--lang", "python", "four")
    assert (done.status, done.err) == (0, "")
    place = folder / "four"
    assert files(place) == {"mybot.py", "test.sh", "bot.toml", "README.md", "test/input.txt", "test/answers.txt"}
    assert "`seat`, `rows`" in (place / "mybot.py").read_text()
    tested = subprocess.run(
        ("sh", "test.sh"),
        cwd=place,
        env=environment(PYTHON=sys.executable),
        capture_output=True,
        text=True,
        check=False,
    )
    answers = (place / "test" / "answers.txt").read_text().split()
    assert len(answers) * 7 == len((place / "test" / "input.txt").read_text().splitlines())
    assert (tested.returncode, tested.stderr) == (0, "")
    assert tested.stdout == f"{len(answers)} lines of output, as in test/answers.txt.\n"
    game = find("connect-four")
    assert class_writer(msgspec.structs.replace(game, reading=None), resolve(game.options, {})) is None


def test_the_list_of_languages_is_complete() -> None:
    """`--help` names every language that there is a writer for, and no other."""
    assert LANGUAGES.split("|") == list(names())


def test_the_readme_is_in_the_language_of_messages(typed: Type, folder: Path) -> None:
    """Whoever is spoken to in Japanese reads Japanese; `--lang` behind `bot` means what the bot is written in."""
    done = typed("new", "--lang", "ja", "bot", "drop-block", "--lang", "c++", "one")
    assert done.status == 0
    assert "次のコマンド" in done.out
    readme = (folder / "one" / "README.md").read_text(encoding="utf-8")
    assert "## 入力" in readme
    assert "6 x 6 個のブロックに 4 人" in readme


def test_a_setup_is_taken_over(typed: Type, folder: Path) -> None:
    """Input, model and commands are those of the setup that was asked for."""
    done = typed("new", "bot", "drop-block", "--lang", "go", "f", "--setup", "position_order=column-row")
    assert "--setup position_order=column-row" in done.out
    assert "--setup position_order=column-row" in (folder / "f" / "README.md").read_text(encoding="utf-8")
    source = (folder / "f" / "main.go").read_text(encoding="utf-8")
    assert source.index("Column ") < source.index("Row ")
    done = typed("new", "bot", "wondev-woman", "--lang", "c", "w", "--setup", "league=wood2")
    assert done.status == 0
    assert (folder / "w" / "test" / "input.txt").read_text().splitlines()[1] == "1"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("draughts", "--lang", "c"), "There is no game 'draughts'; 'dohyo games' lists them: abotcalypse, "),
        (("drop-block", "--lang", "cobol"), "There is no starter in 'cobol'; take one of python, c, cpp, csharp, go"),
        (("drop-block", "--lang", "pyton"), "'python'"),
        (("drop-block",), "Say it by --lang, one of python, c, cpp"),
        (("connect-four", "--lang", "c"), "so that a starter can be written in Python alone; take --lang python"),
        (
            ("drop-block", "--lang", "c", "/proc/a/b"),
            "'/proc/a/b' cannot be written (No such file or directory)",
        ),
        (("drop-block", "--lang", "c", "--setup", "turns=x"), "The setup option 'turns' does not take 'x'"),
        (("drop-block", "--lang", "c", "a", "b"), "b"),
        ((), "GAME"),
    ],
)
def test_mistakes_are_one_sentence(typed: Type, folder: Path, words: tuple[str, ...], said: str) -> None:
    """What cannot be made is one sentence with the remedy, status 2, and nothing is made."""
    before = files(folder)
    done = typed("new", "bot", *words)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert files(folder) == before


@pytest.mark.parametrize("there", ["file", "folder", "link"])
def test_nothing_is_overwritten(typed: Type, folder: Path, there: str) -> None:
    """What is there already stays as it is, whatever it is, and is named in one sentence."""
    place = folder / "mine"
    if there == "file":
        place.write_text("precious")
    elif there == "folder":
        place.mkdir()
        (place / "main.c").write_text("precious")
    else:
        place.symlink_to("elsewhere")
    done = typed("new", "bot", "drop-block", "--lang", "c", "mine")
    assert (done.status, done.err) == (
        2,
        "'mine' is there already, and nothing is overwritten; name another folder.\n",
    )
    if there == "link":
        assert os.readlink(place) == "elsewhere"
    else:
        assert (place / "main.c" if there == "folder" else place).read_text() == "precious"


def test_an_empty_folder_is_used(typed: Type, folder: Path) -> None:
    """A folder that was made for the bot, and is empty, is its folder."""
    (folder / "mine").mkdir()
    assert typed("new", "bot", "drop-block", "--lang", "c", "mine").status == 0
    assert "main.c" in files(folder / "mine")


def test_what_is_missing_is_said(typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the language's tools are not installed, how to install them is said; the folder is made all the same."""
    monkeypatch.setenv("PATH", "/nowhere")
    done = typed("new", "bot", "drop-block", "--lang", "kotlin")
    assert done.status == 0
    assert done.out.splitlines()[-1] == "What builds and runs kotlin is not installed here: apt install kotlin"


def test_a_copy_of_the_folder_has_a_name_of_its_own(typed: Type, folder: Path) -> None:
    """A bot is called as its folder is: who copies it, to change one and keep the other, tells them apart."""
    assert typed("new", "bot", "wondev-woman", "--lang", "python", "first").status == 0
    shutil.copytree(folder / "first", folder / "second")
    main = folder / "second" / "main.py"
    main.write_text(f"{main.read_text()}# changed\n")
    out = typed("play", "wondev-woman", "first", "second", "--clock", "60").out
    assert {"first", "second"} <= set(out.split())


def test_a_game_without_the_word_bot_is_understood(typed: Type) -> None:
    """Who gives a game at once is told the whole command."""
    done = typed("new", "wondev-woman")
    assert (done.status, done.out) == (2, "")
    assert done.err == "'wondev-woman' is a game; for a bot: dohyo new bot wondev-woman --lang python\n"
    assert "There is no command 'dohyo new wondev'" in typed("new", "wondev").err
