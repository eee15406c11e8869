"""What was accepted is never lost, and no match counts twice: whatever is killed, and whenever."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.guests.site.folder import SiteFolder
from tests import postgres, skips
from tests.guests.site.tormented import LONGEST, MOST, Torment

SEED = 20_261_129
USUAL, ALL = (3, MOST), (50, LONGEST)  # kills, and seconds between them at most


def told(figures: dict[str, object]) -> None:
    """Print what there was: `-s` shows it."""
    print(*(f"{name}: {value}" for name, value in figures.items()), sep="; ")


def test_kills_with_sqlite(tmp_path: Path, full: bool) -> None:
    """Web server and judge are killed at random while people hand in: nothing is lost, doubled, or left running."""
    told(Torment(SiteFolder(tmp_path / "site"), SEED).run(*(ALL if full else USUAL)))


@pytest.mark.xdist_group("postgres")
def test_kills_with_postgresql(tmp_path: Path, full: bool) -> None:
    """The same, and the database's server is killed, too."""
    with postgres.running(skips.program("postgres"), postgres.LASTING) as server, server.database() as url:
        site = SiteFolder(tmp_path / "site", url)
        told(Torment(site, SEED, server).run(*(ALL if full else USUAL)))
