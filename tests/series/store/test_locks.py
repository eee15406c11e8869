"""A file of SQLite that a process has open twice: its locks hold until the last one is closed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from dohyo.series.store import open_store

LOOK = "import sys; from dohyo.series.store import open_store; open_store(sys.argv[1]).close()"


def test_opening_a_store_again_keeps_its_locks(tmp_path: Path) -> None:
    """Another process that looks at a store does not take away the log of one that has opened it twice."""
    where = str(tmp_path / "c.db")
    open_store(where, create=True).close()
    with open_store(where) as store, store.database.one_moment():
        store.contests()  # from here on it reads in a transaction, so the file is in use
        with open_store(where) as again:
            again.contests()
        for _ in range(2):
            subprocess.run([sys.executable, "-c", LOOK, where], check=True)
        assert (tmp_path / "c.db-wal").exists(), "its log is still there"
