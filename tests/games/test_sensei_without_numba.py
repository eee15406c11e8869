"""The sample bots `sensei` where Dohyo is installed without extras: they play, in plain Python, and that is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from dohyo.games import all_games
from dohyo.search.bot import ONLY_PLAIN
from tests.games import thinking

TOLD = "The bot 'sensei' plays weaker than it could: its build has not found Numba to compile it; install it: "
OTHERS = {"drop-block": 3}  # beside the sensei; else one
SETUP = {
    "drop-block": ("turns=12",),
    "abotcalypse": ("turns=12", "columns=50,53"),  # so near that it looks ahead
    "shoot-em-up": ("pairs=5",),
}
SENSEIS = ("abotcalypse", "drop-block", "shoot-em-up", "wondev-woman")
USUAL = ("drop-block",)  # without --full, in a contest; the others in the commands below, each in one


def core_of(name: str, found: dict[str, metadata.Distribution]) -> dict[str, metadata.Distribution]:
    """What is installed with a package, itself included, without any extras."""
    for word in metadata.requires(name) or ():
        needed = Requirement(word)
        if needed.name not in found and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
            found[needed.name] = metadata.distribution(needed.name)
            core_of(needed.name, found)
    return found


@pytest.fixture(scope="module")
def python(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has what Dohyo needs, and none of its extras."""
    folder = tmp_path_factory.mktemp("core") / "venv"
    venv.create(folder, with_pip=False)
    (libraries,) = folder.glob("lib/python*/site-packages")
    for each in core_of("dohyo", {}).values():
        for file in each.files or ():
            if ".." not in file.parts:
                (libraries / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(each.locate_file(file), libraries / file)
        for folders in {file.parent for file in each.files or () if file.suffix == ".py" and ".." not in file.parts}:
            compiled = Path(str(each.locate_file(folders / "__pycache__")))
            if compiled.is_dir():  # a process in the sandbox could not keep it, and each would compile it again
                shutil.copytree(compiled, libraries / folders / "__pycache__", dirs_exist_ok=True)
    (libraries / "dohyo.pth").write_text(f"{root / 'src'}\n", encoding="utf-8")
    return folder / "bin" / "python"


def run(python: Path, cache: Path, *words: str, said: str = "") -> str:
    """What the command prints, which ends well."""
    ours = ("DOHYO_GAMES", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        (str(python), "-m", "dohyo", *words),
        input=said,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        cwd=cache,
        env={**environment, "DOHYO_CACHE": str(cache)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def match_of(game: str) -> list[str]:
    """The words of a command for a match of a sensei: the bots, the seed, the setup."""
    others = [f"{letter}=random" for letter in "abc"[: OTHERS.get(game, 1)]]
    return ["sensei", *others, "--seed", "1", *(word for one in SETUP.get(game, ()) for word in ("--setup", one))]


def test_every_game_s_sensei_is_here() -> None:
    """No game that comes along has a sensei that this file leaves out."""
    assert {game.name for game in all_games().values() if (Path(game.folder) / "bots" / "sensei").is_dir()} == set(
        SENSEIS
    )


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=() if name in USUAL else pytest.mark.full) for name in SENSEIS]
)
def test_it_plays_plain_and_says_so(python: Path, tmp_path: Path, game: str) -> None:
    """In a contest no fault is its own for that; the command tells it once, and the bot itself in every match."""
    done = run(python, tmp_path, "contest", "run", "--game", game, *match_of(game), "--store", "contest.db")
    assert done.count(TOLD) == 1, done
    assert "in plain Python" in ONLY_PLAIN
    matches = thinking.said_in_matches(tmp_path, "contest.db", done)
    assert any(matches), "it has not looked ahead in any of them"
    for said in matches:
        assert said == "" or said.startswith(ONLY_PLAIN), said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play", "wondev-woman", "sensei", "random", "--seed", "1", "--clock", "100", "--strict"), ""),
        (("check", "shoot-em-up", "sensei", "--setup", "pairs=3"), ""),
        (("arena", "sensei"), "G 3\nR 1\n"),
        (("koth", "bots", "-n", "1", "--turns", "5", "--seed", "1"), ""),
    ],
)
def test_other_commands_say_so_too(
    python: Path, tmp_path: Path, root: Path, words: tuple[str, ...], said: str
) -> None:
    """Each plays with it to a good end, and tells why it is weaker."""
    bots = root / "src" / "dohyo" / "games" / "abotcalypse" / "bots"
    if words[0] == "koth":
        shutil.copytree(bots / "sensei", tmp_path / "bots" / "sensei", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy2(bots / "rest.py", tmp_path / "bots")
    assert TOLD in run(python, tmp_path, *words, said=said)
