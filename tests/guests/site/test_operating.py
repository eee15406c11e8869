"""What a site tells whoever watches over it: whether it is well, figures, and its log."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder

pytestmark = pytest.mark.xdist_group("site-watched-over")

TOKEN = "a-token-of-the-operator"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory, full: bool) -> Iterator[RunningSite]:
    """A site with a log of JSON and a token for its figures."""
    folder = tmp_path_factory.mktemp("watched")
    (folder / "token").write_text(f"{TOKEN}\n")
    running = RunningSite(folder / "arena", is_light=not full)
    with (folder / "log").open("w") as running.errors:
        running.start("--workers", "1", "--log", "json", "--log-addresses", "--metrics", os.fspath(folder / "token"))
        try:
            yield running
        finally:
            running.stop()


def figures(site: RunningSite) -> dict[str, float]:
    """The figures at this moment, by their names."""
    lines = Visitor(site.url).get("/metrics").text.splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[:1] != "#")}


def events(site: RunningSite) -> list[dict[str, object]]:
    """The lines of its log."""
    return [msgspec.json.decode(line) for line in (site.folder.parent / "log").read_text().splitlines()]


def test_figures_say_what_happens(watched: RunningSite) -> None:
    """Requests by status, hand-ins that wait and were checked, matches, the disk; and no name of anybody."""
    boss = Visitor(watched.url).sign_up("Figure head", invitation=watched.link.rpartition("/")[2])
    slug = new_ladder(boss, "shoot-em-up", "Counted ladder")
    boss.await_text(boss.hand_in(slug, "Counted bot", "bot.py", GOOD.read_bytes()), "plays</span>")
    boss.await_text(f"/ladders/{slug}/bots/Counted bot", "/matches/")
    boss.get("/nothing")
    found = figures(watched)
    assert found["dohyo_hand_ins_waiting"] == 0
    assert found['dohyo_checks_total{end="entered"}'] == 1
    assert found["dohyo_matches_total"] >= 1
    assert found["dohyo_judges"] == 1
    assert found["dohyo_judge_seen_timestamp_seconds"] > 1.7e9
    assert found['dohyo_requests_total{status="303"}'] >= 3
    assert found['dohyo_requests_total{status="404"}'] >= 1
    assert found["dohyo_request_seconds_count"] >= 5
    assert 0 < found["dohyo_disk_free_bytes"] < found["dohyo_disk_bytes"]
    whole = boss.get("/metrics").text
    for private in ("Figure", "Counted", slug, "127.0.0.1"):
        assert private not in whole


def test_a_judge_that_ends_is_counted(watched: RunningSite) -> None:
    """A judge that is killed is started again, and the figure says so."""
    assert watched.process is not None
    before = figures(watched)["dohyo_judge_restarts_total"]
    children = Path(f"/proc/{watched.process.pid}/task/{watched.process.pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    visitor = Visitor(watched.url)
    visitor.await_text("/metrics", f"dohyo_judge_restarts_total {before + 1}")


def test_figures_are_for_this_machine_and_who_has_the_token(watched: RunningSite) -> None:
    """Somebody who comes by a proxy gets nothing, nor does a wrong token."""
    visitor = Visitor(watched.url)
    by_proxy = {"X-Forwarded-For": "203.0.113.7"}
    assert visitor.http.get("/metrics", headers=by_proxy).status_code == 404
    for given, status in ((TOKEN, 200), (TOKEN[:-1], 404), ("x", 404)):
        headers = {**by_proxy, "Authorization": f"Bearer {given}"}
        assert visitor.http.get("/metrics", headers=headers).status_code == status, given


def test_health_is_plain(watched: RunningSite) -> None:
    """Whether all is well can be read by a program, and says nothing more."""
    visitor = Visitor(watched.url)
    visitor.await_text("/health/judge", '"judge":"ok"')
    answer = visitor.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "judge": "ok", "disk": "ok"}
    assert visitor.get("/health/judge").status_code == 200


def test_the_log_has_requests_and_no_secrets(watched: RunningSite) -> None:
    """Each request is a line with the page's form: the secret of a link, a password or a session is in none."""
    somebody = Visitor(watched.url)
    somebody.get("/organise/secret-of-a-link")
    somebody.post("/sign-in", {"name": "Nobody in particular", "password": "secret password"})
    whole = (watched.folder.parent / "log").read_text()
    found = [one for one in events(watched) if one.get("event") == "request"]
    assert {one["route"] for one in found} >= {"/organise/{secret}", "/sign-in"}
    assert all(one["address"] == "127.0.0.1" for one in found)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", str(one["at"])) for one in found)
    for secret in ("secret-of-a-link", "secret password", "Nobody", str(somebody.http.cookies.get("dohyo_form"))):
        assert secret not in whole


def test_a_file_without_a_token_is_refused(tmp_path: Path) -> None:
    """An empty file would let nobody in, or everybody: one sentence says so, and no site begins."""
    (tmp_path / "token").write_text("\n")
    words = ["serve", os.fspath(tmp_path / "site"), "--metrics", os.fspath(tmp_path / "token")]
    done = subprocess.run(
        [sys.executable, "-m", "dohyo", *words], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, (tmp_path / "site").exists()) == (2, False)
