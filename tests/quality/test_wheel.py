"""The wheel: what a user gets who installs Dohyo without its sources."""

from __future__ import annotations

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.quality.project import SOURCE, files

pytestmark = pytest.mark.xdist_group("wheel")


def test_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    """Views, sample bots, tables and marks of types travel along, the licence too; tests do not.

    It was built from the source archive, so that holds all that a build needs. (For machine code see
    `test_native_code.py`.)
    """
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    there = {path.relative_to(SOURCE.parent).as_posix() for path in files() if path.is_relative_to(SOURCE)}
    assert {name for name in held if not name.startswith("dohyo/shipped/")} == there
    about = {Path(name).name for name in zipfile.ZipFile(wheel).namelist()} - {Path(name).name for name in held}
    assert {"LICENSE", "entry_points.txt"} <= about


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """An empty folder to work in, beside an empty home."""
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def typed(work: Path, program: Path, *words: str, read: str = "") -> str:
    """What an installed program prints, far from the sources; `read` is its standard input."""
    passed_on = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    done = subprocess.run(
        [program, *words],
        cwd=work,
        env={**passed_on, "HOME": str(work.parent / "home")},
        input=read,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{program.name} {' '.join(words)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_installed_wheel_plays_shows_and_verifies(installed: Path, work: Path) -> None:
    """In an empty folder the wheel lists games, plays, writes HTML and verifies."""
    dohyo = installed / "dohyo"
    assert "drop-block" in typed(work, dohyo, "games")
    bots = ("random", "random", "random", "hunter")
    typed(work, dohyo, "play", "drop-block", *bots, "--seed", "7", "--save", "match.replay", "--html", "match.html")
    assert "<html" in (work / "match.html").read_text(encoding="utf-8")
    typed(work, dohyo, "replay", "match.replay", "--verify")
    assert sorted(path.name for path in work.iterdir()) == ["match.html", "match.replay"]


def test_installed_wheel_brings_arena(installed: Path, work: Path) -> None:
    """`arena PROGRAM < x.in` is a command of its own, with sample bots, and does what `dohyo arena` does."""
    commands = "G 55\n-TEST 1\nB1\n+\n.\nR 3\n"
    output = typed(work, installed / "arena", "gunner", read=commands)
    assert output.startswith("G 55\n-TEST 1\nP 5 6\nB1\n+\nS ")
    assert output.endswith(" ERRORS 0 PASS\n")
    assert typed(work, installed / "arena", "gunner", read=output) == output
    assert typed(work, installed / "dohyo", "arena", "gunner", read=commands) == output


def test_bots_import_the_installed_dohyo(installed: Path, work: Path) -> None:
    """A bot with `python = "dohyo"` imports the wheel and its searches, without the extras, in the sandbox too."""
    bot = work / "own"
    bot.mkdir()
    (bot / "bot.toml").write_text('python = "dohyo"\nrun = "python bot.py"\n', encoding="utf-8")
    source = "import dohyo.games.wondev_woman, dohyo.search.bot; input(); print('ACCEPT-DEFEAT', flush=True)\n"
    (bot / "bot.py").write_text(source, encoding="utf-8")
    typed(work, installed / "dohyo", "play", "wondev-woman", "own", "own", "--clock", "60", "--save", "match.replay")
    assert "fault" not in (work / "match.replay").read_text(encoding="utf-8")
