"""What the tests of bots share: a cache, a way to write files, a way to run what was resolved."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from dohyo.bots import Bot, resolve

PATIENCE = 60  # seconds until a bot counts as hanging; no test depends on how much less it takes

Write = Callable[[Mapping[str, str | bytes]], Path]
Resolve = Callable[[Path | str], Bot]


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

    def resolve_one(spec: Path | str) -> Bot:
        return resolve([str(spec)], cache=cache)[0]

    return resolve_one


def run(bot: Bot, said: str = "hello\n") -> str:
    """What the bot answers to `said`, without line ends; its standard error is shown when it fails."""
    done = subprocess.run(
        bot.command, cwd=bot.folder, input=said.encode(), capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, f"{bot.command}: {done.returncode}\n{done.stderr.decode()}\n{done.stdout.decode()}"
    return done.stdout.decode("utf-8").strip()
