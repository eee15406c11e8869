"""What the tests of bots share: a cache, a way to write files, a way to run what was resolved."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from dohyo.bots import Bot, resolve
from dohyo.core.bot_spec import HandIn

PATIENCE = 60  # seconds until a bot counts as hanging; no test depends on how much less it takes

# A process of its own that resolves one spec: the spec and the cache are its arguments.
RESOLVE = """
import sys
from pathlib import Path
from dohyo.bots import resolve
resolve([sys.argv[1]], cache=Path(sys.argv[2]))
"""

Write = Callable[[Mapping[str, str | bytes]], Path]
Resolve = Callable[[Path | str | HandIn], Bot]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for all tests of this worker, so that nothing is built twice."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files by relative name into a folder, which is returned; scripts among them become executable."""

    def write_files(files: Mapping[str, str | bytes]) -> Path:
        folder = tmp_path / "handed-in"
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            raw = content.encode() if isinstance(content, str) else content
            path.write_bytes(raw)
            if raw.startswith(b"#!"):
                path.chmod(0o755)
        return folder

    return write_files


@pytest.fixture
def one(cache: Path) -> Resolve:
    """Resolve one spec."""

    def resolve_one(spec: Path | str | HandIn) -> Bot:
        return resolve([spec if isinstance(spec, HandIn) else str(spec)], cache=cache)[0]

    return resolve_one


def run(bot: Bot, said: str = "hello\n") -> str:
    """What the bot answers to `said`, without line ends; its standard error is shown when it fails."""
    done = subprocess.run(
        bot.command, cwd=bot.folder, input=said.encode(), capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, f"{bot.command}: {done.returncode}\n{done.stderr.decode()}\n{done.stdout.decode()}"
    return done.stdout.decode("utf-8").strip()


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A cache with nothing in it."""
    return tmp_path / "cache"


class Pipe:
    """A named pipe that every process of a build holds open: its end is read when the last of them is gone."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self.said = b""
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self.path.open("rb", buffering=0) as pipe:
            while chunk := pipe.read(99):
                self.said += chunk
                self._started.set()

    def wait_for_start(self) -> None:
        """Wait until something was written."""
        assert self._started.wait(PATIENCE)

    def wait_for_end(self) -> None:
        """Wait until nobody holds the pipe any more."""
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "a process of the build lives on"


@pytest.fixture
def pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pipe]:
    """A pipe at $PIPE."""
    monkeypatch.setenv("PIPE", str(tmp_path / "pipe"))
    yield Pipe(tmp_path / "pipe")
    with suppress(OSError):
        os.close(os.open(tmp_path / "pipe", os.O_WRONLY | os.O_NONBLOCK))


def attempts(cache: Path) -> list[Path]:
    """Every folder of an attempt in the cache."""
    return sorted(path for path in cache.glob("builds/*/*") if path.is_dir())
