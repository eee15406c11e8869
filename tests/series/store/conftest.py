"""What the tests of the store share: the same tests run on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dohyo.series.store import Store, open_store
from tests import postgres, skips

# One worker has the only server. Who starts it pays two seconds.
DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgres"))]

Open = Callable[..., Store]


@pytest.fixture(scope="session")
def server() -> Iterator[postgres.Server]:
    """A PostgreSQL of our own."""
    with postgres.running(skips.program("postgres")) as running:
        yield running


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remember nothing of these stores among the operator's settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


@pytest.fixture(params=DATABASES)
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a store that is not there yet, in each kind of database."""
    if request.param == "sqlite":
        yield str(tmp_path / "results.db")
        return
    with request.getfixturevalue("server").database() as url:
        yield url


@pytest.fixture
def opened(where: str, tmp_path: Path) -> Iterator[Open]:
    """Opens the store at `where`, as often as one likes; all are closed afterwards."""
    with ExitStack() as stack:

        def opened(**settings: object) -> Store:
            usual = {"create": True, "files": tmp_path / "files", "patience": 10.0}
            return stack.enter_context(open_store(where, **{**usual, **settings}))  # type: ignore[arg-type]

        yield opened


@pytest.fixture
def store(opened: Open) -> Store:
    """A new store."""
    return opened()
