"""What the tests of `dohyo.match` share: bots as shell scripts, which start in a millisecond."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dohyo.match.loops import driver as fastpath
from tests import here
from tests.processes import nobody_left

__all__ = ["nobody_left"]

Bot = Callable[[str], str]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is built inside the test's own folder."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module", autouse=True)
def read_here() -> Iterator[None]:
    """Hand-ins are read in this process; a file that has to see more has its own fixture."""
    with pytest.MonkeyPatch.context() as patch:
        here.read_hand_ins_here(patch)
        yield


@pytest.fixture(autouse=True)
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count turns from zero, as a new process does: otherwise the tests before this one would make it compile."""
    monkeypatch.setattr(fastpath, "_played", {})


@pytest.fixture
def bot(tmp_path: Path, nobody_left: None) -> Bot:
    """Make a bot of Drop-Block: what it does in each turn, after its whole input stands in `$input`."""
    made = iter(range(1000))

    def make(turn: str = "echo A") -> str:
        path = tmp_path / f"bot{next(made)}"
        path.write_text(
            "#!/bin/sh\necho READY\ninput=\n"
            'while read -r line; do\n  input="$input$line/"\n'
            f'  if [ "$line" = EOD ]; then\n    {turn}\n    input=\n  fi\ndone\n'
        )
        path.chmod(0o755)
        return str(path)

    return make
