"""The wheel: what a user gets who installs Dohyo without its sources."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.quality.project import ROOT, SOURCE, files, run, tool

pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with the very tools that the constraints pin."""
    folder = tmp_path_factory.mktemp("wheel")
    built = run(
        tool("uv"), "build", "--wheel", "--no-build-isolation", "--python", sys.executable, "--out-dir", folder, ROOT
    )
    assert built.returncode == 0, built.stdout
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an otherwise empty environment, into which the wheel has been installed."""
    environment = tmp_path_factory.mktemp("environment") / "venv"
    made = run(tool("uv"), "venv", "--python", sys.executable, environment)
    assert made.returncode == 0, made.stdout
    python = environment / "bin" / "python"
    constraints = ROOT / "constraints.txt"
    done = run(tool("uv"), "pip", "install", "--python", python, "--constraints", constraints, wheel)
    assert done.returncode == 0, done.stdout
    return environment / "bin"


def test_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    """Views, sample bots, tables and marks of types travel along, the licence too; tests do not."""
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == {path.relative_to(SOURCE.parent).as_posix() for path in files() if path.is_relative_to(SOURCE)}
    about = {Path(name).name for name in zipfile.ZipFile(wheel).namelist()} - {Path(name).name for name in held}
    assert {"LICENSE", "entry_points.txt"} <= about


def test_installed_wheel_plays_shows_and_verifies(installed: Path, tmp_path: Path) -> None:
    """In an empty folder, far from the sources, the wheel lists games, plays, writes HTML and verifies."""
    home = tmp_path / "home"
    work = tmp_path / "work"
    home.mkdir()
    work.mkdir()
    passed_on = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}

    def dohyo(*words: str) -> str:
        done = subprocess.run(
            [installed / "dohyo", *words],
            cwd=work,
            env={**passed_on, "HOME": str(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"dohyo {' '.join(words)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    assert "drop-block" in dohyo("games")
    bots = ("random", "random", "random", "hunter")
    dohyo("play", "drop-block", *bots, "--seed", "7", "--save", "match.replay", "--html", "match.html")
    assert "<html" in (work / "match.html").read_text(encoding="utf-8")
    dohyo("replay", "match.replay", "--verify")
    assert sorted(path.name for path in work.iterdir()) == ["match.html", "match.replay"]
