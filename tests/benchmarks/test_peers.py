"""The peers' figures come through, round after round; who cannot be measured is named with the reason."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
from playing import Way, serve, timed
print("Hello from a library")
serve([], [Way("rollout", "by counting", 3, timed(lambda: 1000)), Way("step", "half of it", 1, lambda: (10, 0.5))])
"""


@pytest.fixture
def peers(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The benchmark's package, with one peer that needs nothing installed, and one whose program fails."""
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    import peers

    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "counting.py").write_text(PROGRAM.format(folder=str(root / "benchmarks" / "peers")))
    (tmp_path / "failing.py").write_text("raise SystemExit('no processor of this kind')\n")
    entries = {name: peers.Peer((), str(tmp_path / f"{name}.py")) for name in ("counting", "failing")}
    monkeypatch.setattr(peers, "PEERS", entries)
    with monkeypatch.context() as patch:
        patch.setattr(peers, "install", lambda name: tmp_path / "bin" / "python")
        yield peers
    peers.close(entries)


def test_figures_come_in_every_round(peers: ModuleType) -> None:
    """A peer stays alive between rounds, tells what it runs, and its rates are steps by the seconds that count."""
    assert peers.versions("counting").keys() == {"Python"}
    process = peers.start("counting").process
    for _ in range(2):
        rollout, step = peers.measure("counting", 0.01)
        assert rollout[:4] == ("counting", "rollout", "by counting", 3)
        assert rollout.steps_per_s > 0
        assert (step.mode, step.steps_per_s) == ("step", 20.0)
    assert peers.start("counting").process is process
    peers.close(["counting"])
    assert process.poll() is not None


def test_who_cannot_run_is_named_with_the_reason(peers: ModuleType) -> None:
    """The last words of its program are the reason, not a traceback of ours."""
    with pytest.raises(peers.PeerError, match=r"^no processor of this kind$"):
        peers.measure("failing", 0.01)


def test_who_cannot_be_installed_is_named_with_the_reason(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So are those of its installation."""
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    import peers

    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))
    (tmp_path / "python").write_text("#!/bin/sh\necho making it; echo no space left\nexit 1\n")
    (tmp_path / "python").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(peers.PeerError, match=r"^no space left$"):
        peers.measure("pgx", 0.01)
