"""What tests of the command line share: a folder to work in, bots that start fast, two ways to type a command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo.cli.main import run
from tests.cli.typed import Typed

Type = Callable[..., Typed]

# Shell scripts: they start in a thousandth of the time that an interpreter of anything else takes.
ASKED = "while read word; do if [ $word = EOD ]; then"
BOTS = {
    "still": f"echo READY; {ASKED} echo N; fi; done",
    "mumbler": f"echo READY; {ASKED} echo '[red]u[/red]'; fi; done",
    "quitter": f"echo READY; {ASKED} echo I give up >&2; exit 3; fi; done",
    "sleeper": "echo READY; exec sleep 1000",
    "mute": "exec sleep 1000",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, but for the bots of `BOTS`."""
    for name, script in BOTS.items():
        bot = tmp_path / name
        bot.write_text(f"#!/bin/sh\n{script}\n")
        bot.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def typed(folder: Path, capsys: pytest.CaptureFixture[str]) -> Type:
    """Type a command in `folder`: carried out in this process, which is faster than a start of its own."""

    def type_(*words: str) -> Typed:
        status = run(words)
        out, err = capsys.readouterr()
        return Typed(status, out, err)

    return type_


@pytest.fixture
def four_still() -> tuple[str, ...]:
    """Four bots that never move: a match of a known course."""
    return ("./still",) * 4
