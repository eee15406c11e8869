"""Where whoever plays a contest meets who watches it: a folder beside the store, see `dohyo.executors.told`."""

from __future__ import annotations

from pathlib import Path

from dohyo.series.store import Store
from dohyo.series.store.records import Contest

AT_ONCE = 2  # matches that are written at the same time: there is one to choose


def live_folder(store: Store) -> Path | None:
    """The folder with the matches that are watched while they are played; it need not be there.

    None where the store has one that is a link: it may come from a stranger, and lead anywhere.
    """
    folder = store.beside / "live"
    return None if folder.is_symlink() else folder


def series_of(contest: Contest) -> str:
    """What the files of a contest's live matches begin with."""
    return f"contest-{contest.id}"
