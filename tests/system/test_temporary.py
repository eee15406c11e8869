"""Folders among temporary files: what killed processes left goes, and nothing else does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dohyo.system import temporary

KILLS_ITSELF = """
import os, signal, tempfile
from dohyo.system import temporary
folder = temporary.make("bots")
open(folder + "/file", "w").close()
os.mkdir(folder + "/closed", 0o000)
print(folder, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files that nobody else uses, not yet swept."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    temporary.sweep.cache_clear()
    yield tmp_path
    temporary.sweep.cache_clear()


def killed() -> Path:
    """The folder of a process that was killed."""
    done = subprocess.run([sys.executable, "-c", KILLS_ITSELF], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    return Path(done.stdout.strip())


def test_what_the_killed_left_is_swept(here: Path) -> None:
    """Whoever makes a folder next removes those of processes that were killed, with all that is in them."""
    left = [killed() for _ in range(2)]
    assert not left[0].exists()  # by the second one
    assert left[1].exists()
    mine = Path(temporary.make("bots"))
    assert sorted(here.iterdir()) == [mine]


def renamed(place: Path, of: Path, number: int, by: Callable[[str], str]) -> Path:
    """The same folder under a name of which one part is another."""
    parts = of.name.split("-")
    parts[number] = by(parts[number])
    return of.rename(place / "-".join(parts))


def test_a_number_that_somebody_else_has_by_now(here: Path) -> None:
    """A folder of a dead process whose number a living one has is swept: that one began at another moment."""
    left = renamed(here, renamed(here, killed(), 2, lambda _: str(os.getpid())), 3, lambda start: f"{int(start) - 1}")
    temporary.sweep()
    assert not left.exists()


def test_what_is_alive_or_not_ours_stays(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Folders of the living, of other machines, files, links and what only looks like it stay as they are."""
    kept = tmp_path_factory.mktemp("kept")
    (kept / "file").touch()
    with subprocess.Popen(["sleep", "1000"]) as living, ExitStack() as killing:
        killing.callback(living.kill)  # also where something below fails: it would be waited for
        stays = [
            Path(temporary.path_of("bots", living.pid)),
            renamed(here, killed(), 4, lambda place: f"{int(place, 16) ^ 1:08x}"),
            here / "dohyo-bots",
            here / "dohyo-bots-4194304-1-00000000-x",
        ]
        dead = killed()
        dead_name = dead.name
        link, file = here / f"{dead_name[:-1]}g", here / f"{dead_name[:-2]}"
        for folder in (stays[0], *stays[2:]):
            folder.mkdir()
        link.symlink_to(kept)
        really_link = here / f"{dead_name[:-3]}"
        really_link.symlink_to(kept)
        file.touch()
        temporary.sweep.cache_clear()
        temporary.sweep()
        assert not dead.exists()
        for path in (*stays, link, really_link, file):
            assert path.exists(), path
        assert (kept / "file").exists()


def test_what_is_another_users_stays(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that belongs to another user stays, whatever it is called."""
    left = killed()
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    temporary.sweep()
    assert left.exists()


def test_old_folders_of_others_in_a_cache(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a cache, only our own old folders of another machine go: no other user's, no links, no files."""
    cache, kept = here / "cache", here / "kept"
    folder, link, file = (cache / f"dohyo-copies-1-1-00000000-{number}" for number in (1, 2, 3))
    for path in (folder, kept):
        path.mkdir(parents=True)
    link.symlink_to(kept)
    file.touch()
    for path in (folder, kept, link, file):
        os.utime(path, (time.time() - 2 * temporary.OLD,) * 2, follow_symlinks=False)
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    temporary.sweep(str(cache))
    assert sorted(cache.iterdir()) == [folder, link, file]
    monkeypatch.setattr(os, "geteuid", lambda: own)
    monkeypatch.setattr(temporary, "MOST", 1)  # what does not go does not count
    temporary.sweep.cache_clear()
    temporary.sweep(str(cache))
    assert sorted(cache.iterdir()) == [link, file]
    assert kept.is_dir()
