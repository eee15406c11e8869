"""What the tests of hostile bots share: the scene, one attack at a time, and the search for what is left of it."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.hostile import layers
from tests.hostile.scene import SECRET, TOKEN, Scene, carriers, cgroups, mounts
from tests.hostile.table import LAYERS
from tests.leftovers import SYSTEM_TEMPORARY
from tests.processes import few, nobody_left

__all__ = ["nobody_left"]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the guests' programs are kept, so that each is built once."""
    return tmp_path_factory.mktemp("built")


@pytest.fixture(scope="session", autouse=True)
def nothing_left_in_the_end(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """After all attacks of this run: no process, no cgroup, no mount of theirs."""
    for layer in LAYERS:
        layers.small_sandbox(layer)
    places = tmp_path_factory.getbasetemp(), Path(tempfile.gettempdir())
    mounted, grouped = mounts(*places), cgroups()
    yield
    assert few(carriers(f"{TOKEN}{os.getpid()}-")) == ""
    assert few(cgroups() - grouped) == ""
    assert few(mounts(*places) - mounted) == ""


@pytest.fixture
def one_at_a_time() -> Iterator[None]:
    """Keep the attacks of other workers and other test runs waiting: bombs add up, and signals are counted."""
    with _held(fcntl.LOCK_EX):
        yield


@pytest.fixture
def among_others() -> Iterator[None]:
    """Wait for attacks that must be alone; others of this kind go on meanwhile."""
    with _held(fcntl.LOCK_SH):
        yield


@contextmanager
def _held(way: int) -> Iterator[None]:
    place = os.open(os.environ[SYSTEM_TEMPORARY], os.O_RDONLY)  # the one that all runs have
    try:
        fcntl.flock(place, way)
        yield
    finally:
        os.close(place)


@pytest.fixture
def scene(
    tmp_path: Path, built: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, nobody_left: None
) -> Iterator[Scene]:
    """A place to attack; no process, no mount and no temporary file is left there."""
    assert {"one_at_a_time", "among_others"} & set(request.fixturenames), "say whether it disturbs other attacks"
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("DOHYO_CACHE", str(built))
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv(SECRET, "secret")
    mounted, grouped = mounts(tmp_path), cgroups()
    with Scene(tmp_path, built) as made:
        yield made
        assert made.is_searched or few(made.left()) == ""
        assert few(cgroups() - grouped) == ""
    assert few(temporary.iterdir()) == ""
    assert few(mounts(tmp_path) - mounted) == ""
