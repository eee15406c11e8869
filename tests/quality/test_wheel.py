"""The wheel: what a user gets who installs Dohyo without its sources."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType

import pytest

import dohyo
from dohyo.cli.packed_pages import PATTERNS
from tests.quality.project import ROOT, SOURCE, files, script

SUPPORTED = range(11, 15)  # of Python 3

pytestmark = pytest.mark.xdist_group("wheel")


def test_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    """Views, sample bots, tables and marks of types travel along, the licence and the pages too; tests do not.

    It was built from the source archive, so that holds all that a build needs. (For machine code see
    `test_native_code.py`.)
    """
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    there = {path.relative_to(SOURCE.parent).as_posix() for path in files() if path.is_relative_to(SOURCE)}
    assert {name for name in held if not name.startswith("dohyo/shipped/")} == there | {"dohyo/docs.zip"}
    with zipfile.ZipFile(wheel) as packed, zipfile.ZipFile(io.BytesIO(packed.read("dohyo/docs.zip"))) as pages:
        shipped = {name: pages.read(name) for name in pages.namelist()}
    assert len(shipped) > 60
    assert shipped == {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in files() if is_page(path)}
    about = {Path(name).name for name in zipfile.ZipFile(wheel).namelist()} - {Path(name).name for name in held}
    assert {"LICENSE", "entry_points.txt"} <= about


def is_page(path: Path) -> bool:
    """Whether it is a page that messages may name, or an example that comes with it."""
    name = path.relative_to(ROOT).as_posix()
    return any(fnmatchcase(name, each) and name.count("/") == each.count("/") for each in PATTERNS)


def unpacked(wheel: Path, folder: Path) -> Path:
    """The source archive that the wheel was built from, unpacked."""
    (archive,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def test_source_archive_holds_what_is_committed(wheel: Path, tmp_path: Path) -> None:
    """Every file that builds Dohyo or tests it, no cache, nothing of git and of the build server."""
    folder = unpacked(wheel, tmp_path)
    held = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    there = {path.relative_to(ROOT).as_posix() for path in files()}
    assert held - {"PKG-INFO"} == {name for name in there if not name.startswith(".ci/")}


def built(folder: Path, into: Path, *what: str) -> list[bytes]:
    """The packages that hatchling makes of a folder, without machine code: their bytes."""
    words = [option for each in what for option in ("-t", each)]
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", *words, "-d", into],
        cwd=folder,
        env={**os.environ, "DOHYO_NATIVE": "no", "DOHYO_REPOSITORY": "https://example.org/dohyo"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [path.read_bytes() for path in sorted(into.iterdir())]


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The source archive and a wheel, as a release makes them of the tree."""
    return built(ROOT, tmp_path_factory.mktemp("released"), "sdist", "wheel")[::-1]


def test_packages_are_the_same_again(released: list[bytes], tmp_path: Path) -> None:
    """Byte for byte: the source archive a second time, and the wheel from what is in it."""
    archive, from_tree = released
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        packed.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.glob("dohyo-*")
    (folder / "README.md").touch()  # when a file was written does not matter
    assert built(folder, tmp_path / "again", "wheel") == [from_tree]
    assert built(ROOT, tmp_path / "second", "sdist") == [archive]


def test_package_says_where_it_is_from(wheel: Path, released: list[bytes]) -> None:
    """Every Python that is supported; a place on the web only in a release: then the README's links lead there."""
    (bare,) = about(wheel.read_bytes())
    assert [line for line in bare.splitlines() if line.startswith("Project-URL")] == []
    assert "](docs/" in bare
    for minor in SUPPORTED:
        assert f"Classifier: Programming Language :: Python :: 3.{minor}\n" in bare
    (told,) = about(released[1])
    for name in ("Documentation", "Repository", "Issues", "Changelog"):
        assert f"Project-URL: {name}, https://example.org/dohyo" in told, name
    assert "](docs/" not in told
    assert "](https://example.org/dohyo/raw/v" in told


def about(wheel: bytes) -> list[str]:
    """What a wheel says of itself."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as packed:
        return [packed.read(name).decode() for name in packed.namelist() if name.endswith(".dist-info/METADATA")]


def test_newcomer_s_steps(installed: Path, work: Path, scripts: ModuleType) -> None:
    """Those of `.github/scripts/try_wheel.py`, by which a release tries each Python: here on the running one."""
    # How a machine and a bot are examined has tests of its own, and takes as long as all other steps.
    steps = [step for step in (*scripts.STEPS, *scripts.REFUSED) if step[1] not in ("doctor", "check")]
    printed = {step: scripts.take(installed, step, work) for step in steps}
    assert printed["dohyo", "--version"] == f"dohyo {dohyo.__version__}\n"
    assert printed["dohyo", "help", "docs/contests.md"].startswith("# Contests")
    assert {path.name for path in work.iterdir()} == scripts.LEFT
    played = {step[2] for step in scripts.STEPS if step[:2] == ("dohyo", "play")}
    assert played >= {each["name"] for each in json.loads(typed(work, installed / "dohyo", "games", "--json"))}
    standings = json.loads(printed["dohyo", "contest", "standings", "contest.db", "--json"])
    assert standings["rated"]  # without an extra
    first, second = (row["elo"] for row in standings["standings"])
    assert first >= second > 0


@pytest.fixture
def scripts() -> ModuleType:
    """The script."""
    return script("try_wheel")


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
