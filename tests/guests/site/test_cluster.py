"""A site whose matches are played by workers on other machines."""

from __future__ import annotations

from pathlib import Path

from dohyo.series.store import open_store
from tests.guests.cluster.clusters import started
from tests.guests.site.conftest import GOOD, RunningSite, Visitor, new_ladder

SHOWN, REFUSED = "plays</span>", "refused</span>"


def test_a_clusters_workers_play_the_ladders(tmp_path: Path) -> None:
    """The judge examines what is handed in, and the workers of a cluster play; their results are the ladder's."""
    with started(tmp_path / "cluster", "local", "--workers", "2") as cluster:
        site = RunningSite(tmp_path / "site")
        site.start("--cluster", cluster.address, "--keys", str(cluster.keys))
        organiser = Visitor(site.url).sign_up("Ms Sato", invitation=site.link.rpartition("/")[2])
        try:
            slug = new_ladder(organiser, "shoot-em-up", "Robots")
            place = organiser.hand_in(slug, "Robot", "robot.py", GOOD.read_bytes())
            assert SHOWN in organiser.await_text(place, SHOWN, REFUSED)
            organiser.await_text(f"/ladders/{slug}/bots/Robot", "/matches/")
        finally:
            site.stop()
            organiser.http.close()
        with open_store(str(tmp_path / "site" / "arena.db")) as store:
            contest = store.contest(slug)
            workers = {result.worker for result in store.played(contest.id)}
        assert workers
        assert not any(worker.isdecimal() for worker in workers), workers  # as those of a pool are called
        cluster.end()
