"""The look at a run's end for what it has left on the machine, seen from outside and at each kind of thing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import leftovers
from tests.leftovers import Leftovers, Places
from tests.quality.project import FEW_PLUGINS, ROOT, SUPPORT
from tests.skips import Reason, skip_for

LITTERS = """
import subprocess, sys, tempfile

def test_leaves_a_process(pytestconfig):
    sleeper = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL, start_new_session=True)
    (pytestconfig.rootpath / "tests" / "sleeper").write_text(str(sleeper.pid))
    sleeper.returncode = 0

def test_leaves_a_file():
    tempfile.mkstemp(suffix="-litter")

def test_leaves_a_folder(pytestconfig):
    (pytestconfig.rootpath / "demo").mkdir()
"""


@pytest.fixture(autouse=True)
def on_linux() -> None:
    """Only Linux tells of processes what is asked here."""
    if not sys.platform.startswith("linux"):
        skip_for(Reason.KERNEL, "this system has no /proc")


@pytest.fixture
def dead() -> int:
    """The number of a process that is no more."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Empty folders in the place of the machine's."""
    for name in Places._fields:
        (tmp_path / name).mkdir()
    return Places(*(tmp_path / name for name in Places._fields))


@pytest.fixture
def look(places: Places, monkeypatch: pytest.MonkeyPatch) -> Iterator[Leftovers]:
    """A look that has begun; what it sets in the environment is as before in the end."""
    monkeypatch.setattr(leftovers, "PATIENCE", 0.0)
    temporary, marks = tempfile.gettempdir(), os.environ[leftovers.VARIABLE]
    yield Leftovers(places)
    assert (tempfile.gettempdir(), os.environ[leftovers.VARIABLE]) == (temporary, marks)


def test_a_run_that_leaves_something_fails(tmp_path: Path) -> None:
    """With several workers: each test passes, and the run fails once, with a sentence for each thing it has left."""
    (tmp_path / "tests").mkdir()
    for name in SUPPORT:
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests")
    (tmp_path / "tests" / "test_litters.py").write_text(LITTERS)
    (tmp_path / "conftest.py").write_text("from tests import leftovers\nleftovers.PATIENCE = 0.1\n")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\naddopts = -q -p no:cacheprovider {FEW_PLUGINS}\n")
    words = [sys.executable, "-m", "pytest", "-n", "2"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    sleeper = int((tmp_path / "tests" / "sleeper").read_text())
    os.kill(sleeper, signal.SIGKILL)
    told = [line for line in done.stdout.splitlines() if line.startswith("The tests left ")]
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout
    assert done.stdout.splitlines()[-1].startswith("3 passed")
    assert told[0] == f"The tests left {tmp_path}/demo behind."
    assert told[1] == f"The tests left the process {sleeper} (sleep 1000) behind."
    assert told[2].startswith("The tests left the file /")
    assert told[2].endswith("-litter behind.")
    assert len(told) == 3


def test_nothing_is_left(look: Leftovers) -> None:
    """A run that tidies up, and one that fills the caches it is given, is told nothing of."""
    with tempfile.NamedTemporaryFile():
        Path(os.environ["DOHYO_CACHE"]).mkdir(parents=True)
        folder = tempfile.gettempdir()
    assert look.end() == []
    assert not os.path.exists(folder)


def test_names_of_ours(look: Leftovers, places: Places, dead: int) -> None:
    """A control group and shared memory count by name; those of processes that live are somebody else's."""
    for number in (dead, os.getppid()):
        (places.groups / "deep" / f"dohyo-{number}-1").mkdir(parents=True)
        (places.memory / f"hostile-guest-{number}-x").touch()
    (places.memory / "sem.else").touch()
    for name in (".cache/dohyo", ".config/git"):
        (places.home / name).mkdir(parents=True)
    assert look.end() == [
        f"The tests left {places.home}/.cache/dohyo behind.",
        f"The tests left {places.memory}/hostile-guest-{dead}-x behind.",
        f"The tests left the control group {places.groups}/deep/dohyo-{dead}-1 behind.",
    ]


def test_a_run_that_was_killed_is_tidied_up_after(places: Places, dead: int) -> None:
    """The folder of a run whose process is gone is removed by the next one; that of one that runs stays."""
    system = Path(tempfile.gettempdir())
    folders = [system / f"dohyo-tests-{number}-x" for number in (dead, os.getppid())]
    for folder in folders:
        folder.mkdir()
    assert Leftovers(places).end() == []
    assert [folder.exists() for folder in folders] == [False, True]
    folders[1].rmdir()


def test_what_was_there_before_is_not_told(places: Places, dead: int) -> None:
    """An earlier run's leavings, and the caches that git ignores, are not this run's."""
    (places.groups / f"dohyo-{dead}-1").mkdir()
    (places.checkout / "demo").mkdir()
    look = Leftovers(places)
    (places.checkout / ".mypy_cache").mkdir()
    assert look.end() == []


@pytest.mark.parametrize("alone", [False, True])
def test_more_in_a_cache_that_was_there(places: Places, alone: bool) -> None:
    """What comes into Dohyo's own folder at home meanwhile is told where nobody else can have put it there."""
    own = places.home / ".cache" / "dohyo" / "builds"
    (own / "before").mkdir(parents=True)
    look = Leftovers(places, alone=alone)
    (own / "meanwhile" / "deep").mkdir(parents=True)
    assert look.end() == ([f"The tests left {own}/meanwhile behind."] if alone else [])


@pytest.mark.parametrize("alone", [False, True])
def test_mounts_and_network_namespaces(
    places: Places, dead: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    """A mount in our folders is told, and any other where nobody but us can have made it."""
    points = ["/before"]
    monkeypatch.setattr(leftovers, "_mounts", lambda: points)
    monkeypatch.setattr(leftovers, "NAMESPACES", tmp_path)
    look = Leftovers(places, alone)
    (tmp_path / f"dohyo-{dead}-1").touch()
    points += ["/run/netns", f"{tempfile.gettempdir()}/x y"]
    wanted = [f"mount {point}" for point in points[1 if alone else 2 :]] + [f"network namespace dohyo-{dead}-1"]
    assert look.end() == sorted(f"The tests left the {each} behind." for each in wanted)


def test_a_run_mounts_alone(tmp_path: Path) -> None:
    """What is mounted from then on is not seen by anybody else."""
    mount, folder = shutil.which("mount"), tmp_path / "mounted"
    if mount is None or os.geteuid():
        skip_for(Reason.KERNEL, "only root mounts anything")
    folder.mkdir()
    code = "import subprocess, sys; from tests.leftovers import _mounts, mount_alone\nassert mount_alone()\n"
    code += "subprocess.run(sys.argv[1:], check=True); assert sys.argv[-1] in _mounts()"
    done = subprocess.run(
        [sys.executable, "-c", code, mount, "-t", "tmpfs", "none", str(folder)], cwd=ROOT, check=False
    )
    assert done.returncode == 0
    assert str(folder) not in leftovers._mounts()


def test_a_mount_is_read_as_the_kernel_writes_it() -> None:
    """The kernel's list is read: the root is in it."""
    assert "/" in leftovers._mounts()
