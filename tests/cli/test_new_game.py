"""`dohyo new game`: what it writes is played by every command at once, and keeps every law."""

from __future__ import annotations

import errno
import importlib.util
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dohyo import games
from dohyo.core.game import GAMES_VARIABLE
from tests.cli.conftest import Type

pytestmark = pytest.mark.process
OPEN = ("--trust", "--sandbox", "none")


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Games that a test has imported are forgotten."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if "my_game" in name:
            del sys.modules[name]


@pytest.fixture
def made(typed: Type, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a new game, which is found."""
    assert typed("new", "game", "my-game").status == 0
    monkeypatch.setenv(GAMES_VARIABLE, str(Path.cwd() / "my_game/my_game.py"))
    return Path("my_game")


def test_it_says_what_it_wrote_and_what_comes_next(typed: Type, folder: Path) -> None:
    """A file of rules, a test and a README; the commands that follow can be typed as they are."""
    status, out, err = typed("new", "game", "my-game", "games/mine")
    assert (status, err) == (0, "")
    assert sorted(path.name for path in (folder / "games" / "mine").iterdir()) == [
        ".dohyo-own",
        "README.md",
        "my_game.py",
        "test_my_game.py",
    ]
    assert out.endswith(f"This has it found everywhere:\n  export {GAMES_VARIABLE}={folder}/games/mine/my_game.py\n")
    assert "  dohyo play my-game random random --watch\n" in out
    assert not any(re.search("@[A-Z]+@", path.read_text()) for path in (folder / "games" / "mine").iterdir())


@pytest.mark.parametrize("is_there", [False, True])
def test_it_says_what_the_laws_need(typed: Type, monkeypatch: pytest.MonkeyPatch, is_there: bool) -> None:
    """Where pytest is missing, how it is installed for this Dohyo; else nothing of it."""
    found = importlib.util.find_spec

    def find(name: str, *more: Any) -> Any:
        return None if name == "pytest" and not is_there else found(name, *more)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    out = typed("new", "game", "my-game").out
    assert ("pip install pytest" in out) != is_there


def test_no_game_is_made_where_it_cannot_be_named(typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path with what separates games in DOHYO_GAMES would name others: refused, also below such a folder."""
    here = folder / "a:hand-ins"
    here.mkdir()
    for where, words in ((folder, ("new", "game", "my-game", "b:c")), (here, ("new", "game", "my-game"))):
        monkeypatch.chdir(where)
        status, out, err = typed(*words)
        assert (status, out, "':' separates" in err, list(here.iterdir())) == (2, "", True, [])
    (here / "my_game.py").write_text("import dohyo\nLAYOUT = 1 / 0\n")
    status, _, err = typed("play", "my-game", "random", "random")
    assert (status, "':' separates" in err) == (2, True)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My Game", "'My Game' cannot be a game's name; take lower-case letters"),
        ("2048", "'2048' cannot be a game's name"),
        ("class", "'class' cannot be a game's name"),
        ("_", "'_' cannot be a game's name"),
        ("_my", "'_my' cannot be a game's name"),
        ("random", "A game cannot be called 'random', because Python has a module of that name"),
        ("drop-block", "There is a game called 'drop-block' already"),
        ("kept", "kept is there already, and not empty"),
    ],
)
def test_a_name_that_cannot_be_is_refused(typed: Type, folder: Path, name: str, said: str) -> None:
    """With one sentence, and nothing is written or lost."""
    (folder / "kept").mkdir()
    (folder / "kept" / "kept.py").write_text("mine")
    before = sorted(path.name for path in folder.iterdir())
    status, out, err = typed("new", "game", name)
    assert (status, out) == (2, "")
    assert said in err
    assert sorted(path.name for path in folder.iterdir()) == before
    assert (folder / "kept" / "kept.py").read_text() == "mine"


@pytest.mark.parametrize("there", [False, True])
def test_half_of_it_is_never_left(typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch, there: bool) -> None:
    """After a file that could not be written nothing is there, and the same command makes all of it."""
    if there:
        (folder / "games").mkdir()
    before, write = sorted(folder.rglob("*")), Path.write_text
    place = "games" if there else "games/mine"

    def full(self: Path, *words: Any, **more: Any) -> int:
        if self.name.startswith("test_"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(self, *words, **more)

    monkeypatch.setattr(Path, "write_text", full)
    status, _, err = typed("new", "game", "my-game", place)
    assert (status, "cannot be written (No space left on device)" in err) == (2, True)
    assert sorted(folder.rglob("*")) == before
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert typed("new", "game", "my-game", place).status == 0
    assert len(list((folder / place).iterdir())) == 4


def test_an_empty_folder_that_one_is_in_is_filled(typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`.` stays the folder that it is."""
    (folder / "empty").mkdir()
    monkeypatch.chdir(folder / "empty")
    assert typed("new", "game", "my-game", ".").status == 0
    assert sorted(os.listdir(".")) == [".dohyo-own", "README.md", "my_game.py", "test_my_game.py"]


def test_its_file_is_no_name(made: Path, typed: Type) -> None:
    """Who types the file is told how it is found, and what its name is."""
    status, _, err = typed("play", "my_game/my_game.py", "random", "random")
    assert status == 2
    assert f"export {GAMES_VARIABLE}={made.absolute()}/my_game.py, then its name is my-game." in err


def test_it_is_played_checked_and_drawn(made: Path, typed: Type, folder: Path) -> None:
    """A match between bots that know nothing but the protocol; a replay, its page and its inputs; a bot's check."""
    done = typed("play", "my-game", "random", "random.py", "--seed", "3", *OPEN, "--save", "m.replay")
    assert done.status == 0
    assert "random" in done.out
    assert typed("replay", "m.replay", "--html", "m.html").status == 0
    assert "general .cell" not in (folder / "m.html").read_text()  # packed, as every module is
    inputs = typed("replay", "m.replay", "--inputs", "1").out.splitlines()
    assert inputs[:2] == ["seat 1", "turn 1"]
    assert sum(line.startswith("legal ") for line in inputs) >= 2
    assert "board" in typed("replay", "m.replay", "--watch").out
    (folder / "mine.py").write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('legal'):\n"
        "        print(line.split()[1], flush=True)\n"
    )
    checked = typed("check", "my-game", "mine.py", *OPEN, "--clock", "60")
    assert checked.status == 0, checked.out
    assert "against 'random' without a fault" in checked.out


def test_an_error_in_the_rules_is_one_sentence(made: Path, typed: Type) -> None:
    """With the function and the line that its author has to mend."""
    file = made / "my_game.py"
    text = file.read_text().replace("    s.turn += 1\n", "    s.turn += 1\n    s.board[s.turn * 3] = 0\n")
    file.write_text(text)
    line = text.splitlines().index("    s.board[s.turn * 3] = 0") + 1
    status, _, err = typed("play", "my-game", "random", "random", "--seed", "3", *OPEN)
    assert status == 2
    assert f"my_game.py fail in step, line {line}: IndexError: list " in err
    assert "Traceback" not in err


def test_a_contest_is_held(made: Path, typed: Type) -> None:
    """Every command that plays many matches knows it, by its workers too."""
    words = ("contest", "run", "--game", "my-game", "random", "again=random", *OPEN)
    status, out, err = typed(*words, "--rounds", "1", "--workers", "1", "--clock", "60")
    assert status == 0, err
    assert "again" in out


def test_it_is_listed_with_its_bot(made: Path, typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """`dohyo games` has its facts."""
    games.all_games.cache_clear()
    try:
        facts = {each["name"]: each for each in json.loads(typed("games", "--json").out)}
    finally:
        monkeypatch.undo()
        games.all_games.cache_clear()
    assert facts["my-game"]["title"] == "My game"
    assert list(facts["my-game"]["bots"]) == ["random", "searcher"]


def test_it_is_learned_from(made: Path) -> None:
    """It is an environment for a learner; that it is compiled as it is written, the laws of the examples show."""
    rl = pytest.importorskip("dohyo.rl")
    env = rl.Env(games.find("my-game"), opponents="random", seat=0)
    observation, info = env.reset(seed=1)
    assert observation["observation"].shape == (4, 3, 3) if isinstance(observation, dict) else observation.shape
    over = False
    while not over:
        action = int(info["action_mask"].nonzero()[0][0])
        _, _, over, _, info = env.step(action)
    assert info["places"]
    env.close()
