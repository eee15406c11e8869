"""The same in a real browser, of a site in PostgreSQL whose matches are played by two workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import postgres, skips
from tests.guests.cluster.clusters import started
from tests.guests.site.conftest import OPEN, RunningSite, Visitor
from tests.guests.site.test_browser import author, test_an_author_hands_in_and_watches
from tests.guests.site.test_contests_browser import teacher, test_standings_are_revealed_place_by_place

__all__ = [  # pytest finds them here, too: with the site below
    "author",
    "teacher",
    "test_an_author_hands_in_and_watches",
    "test_standings_are_revealed_place_by_place",
]

pytestmark = pytest.mark.xdist_group("postgres")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """A site with a database server, and with workers elsewhere."""
    folder = tmp_path_factory.mktemp("elsewhere")
    with (
        postgres.running(skips.program("postgres")) as server,
        server.database() as url,
        started(folder / "cluster", "local", "--workers", "2") as cluster,
    ):
        running = RunningSite(folder / "site")
        running.start("--store", url, "--cluster", cluster.address, "--keys", str(cluster.keys))
        try:
            yield running
        finally:
            running.stop()
            cluster.end()


@pytest.fixture(scope="module")
def organiser(site: RunningSite) -> Iterator[Visitor]:
    """Whoever opened the link that this site printed."""
    found = Visitor(site.url).sign_up("Ms Sato", invitation=site.link.rpartition("/")[2])
    OPEN.remove(found)  # it stays for all tests
    yield found
    found.http.close()
