"""What is made once for several tests: the wheel, and a copy of the source."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.quality.project import ROOT, SOURCE, run, tool

COMPILED = "shoot-em-up"  # the game whose machine code the wheel gets here: all take five minutes to compile


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source archive with the very tools that the constraints pin."""
    folder = tmp_path_factory.mktemp("wheel")
    words = ("build", "--no-build-isolation", "--python", sys.executable, "--out-dir", folder, ROOT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOHYO_NATIVE", COMPILED)
        built = run(tool("uv"), *words)
    assert built.returncode == 0, built.stdout
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an otherwise empty environment, into which the wheel has been installed."""
    environment = tmp_path_factory.mktemp("environment") / "venv"
    made = run(tool("uv"), "venv", "--python", sys.executable, environment)
    assert made.returncode == 0, made.stdout
    python = environment / "bin" / "python"
    constraints = ROOT / "constraints.txt"
    # Compiled, as pip does it: what runs in a sandbox could not keep what it compiles, and would do it at each start.
    words = ("--compile-bytecode", "--python", python, "--constraints", constraints)
    done = run(tool("uv"), "pip", "install", *words, wheel)
    assert done.returncode == 0, done.stdout
    return environment / "bin"


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source, in which a folder can be missing for a while; one, so that it is compiled once."""
    place = tmp_path_factory.mktemp("copy") / "src"
    shutil.copytree(SOURCE, place / "dohyo", ignore=shutil.ignore_patterns("__pycache__"))
    return place
