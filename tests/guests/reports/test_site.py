"""The pages of a site's matches in a browser: one file has the viewer of all, from a disk and from any server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from dohyo import games
from dohyo.core import replay_format
from dohyo.guests.reports import matches
from dohyo.guests.reports.matches import Recorded, Viewer, match_page
from dohyo.i18n import Speaker
from dohyo.web.plain.markup import Markup
from tests.guests.reports.made_pages import AROUND, GAME, recorded
from tests.series.made_contests import HOSTILE
from tests.web.conftest import wait
from tests.web.test_long_names import GAMES


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a match's page, and the viewer beside it; the page alone in another folder."""
    folder = tmp_path_factory.mktemp("site")
    viewer = Viewer.of(GAME, Speaker("en"))
    page = match_page(GAME, viewer.name, Speaker("en"), recorded())
    assert page is not None
    for name in ("matches", "alone"):
        (folder / name).mkdir()
        (folder / name / "0.html").write_bytes(page)
    (folder / "matches" / viewer.name).write_bytes(viewer.content)
    return folder


class Quiet(SimpleHTTPRequestHandler):
    """The server of `python -m http.server`, which says nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Nothing."""


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    """The address of a plain server for it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def opened(browser: Browser) -> Iterator[tuple[Page, set[str], list[str]]]:
    """A page, the addresses that it asks for, and what it complains of."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    asked: set[str] = set()
    complaints: list[str] = []
    page.on("request", lambda request: asked.add(request.url.partition("#")[0].rpartition("/")[2]))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page, asked, complaints
    page.close()


@pytest.mark.parametrize("place", ["disk", "server"])
def test_a_match_is_drawn_by_the_common_viewer(
    site: Path, served: str, opened: tuple[Page, set[str], list[str]], place: str
) -> None:
    """From a disk and a plain server: it asks for the viewer alone, and shows the turn that its address names."""
    page, asked, complaints = opened
    root = site.as_uri() if place == "disk" else served
    page.goto(f"{root}/matches/0.html#t=3")
    wait(page, "window.dohyo")
    viewer = Viewer.of(GAME, Speaker("en")).name
    assert {name for name in asked if not name.startswith("javascript;")} - {"favicon.ico"} == {"0.html", viewer}
    assert page.evaluate("dohyo.player.turn") == 4
    assert page.locator(".card").count() == 4
    assert page.locator("img").count() == 0
    assert HOSTILE in page.locator(".card .name").first.inner_text()
    assert page.get_by_role("button", name="Copy a link").count() == 1  # a sentence of the common file
    assert complaints == []


@pytest.mark.parametrize("size", [(1200, 800), (390, 844)], ids=str)
def test_what_was_ruled_can_be_read(site: Path, browser: Browser, size: tuple[int, int]) -> None:
    """It takes as many lines as it needs, none is cut; the controls stay in sight."""
    why = "This result does not count: " + "the power failed, and nobody knows why. " * 6
    around = Markup(f'{AROUND}<div class="rulings"><p>{why}</p></div>')
    viewer = Viewer.of(GAME, Speaker("en")).name
    made = match_page(GAME, viewer, Speaker("en"), recorded()._replace(around=around))
    assert made is not None
    (site / "matches" / "2.html").write_bytes(made)
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(f"{(site / 'matches').as_uri()}/2.html")
    wait(page, "window.dohyo")
    box = page.locator(".rulings")
    assert box.inner_text().strip() == why.strip()
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if size[0] > size[1]:  # on a phone a page is longer than the screen, and the time line stays at its end
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.close()


def test_a_page_alone_says_what_it_needs(site: Path, opened: tuple[Page, set[str], list[str]]) -> None:
    """Without the file beside it there is a sentence, and no empty page."""
    page, _, _ = opened
    page.goto(f"{(site / 'alone').as_uri()}/0.html")
    assert f"It needs the file {Viewer.of(GAME, Speaker('en')).name}" in page.locator("#viewer").inner_text()


def test_a_script_in_a_page_does_not_run(site: Path, opened: tuple[Page, set[str], list[str]]) -> None:
    """The page's policy allows the viewer and nothing that somebody adds: no script, no style, no request."""
    text = (site / "matches" / "0.html").read_text(encoding="utf-8")
    added = "<script>window.bad = 1</script><img src=x onerror='window.bad = 2'>"
    added += "<script src='data:text/javascript,bad=3'></script>"
    (site / "matches" / "1.html").write_text(text.replace("<nav", f"{added}<nav"), encoding="utf-8")
    page, _, complaints = opened
    page.goto(f"{(site / 'matches').as_uri()}/1.html")
    wait(page, "window.dohyo")
    assert page.evaluate("window.bad") is None
    assert len(complaints) >= 3


@pytest.mark.parametrize("name", GAMES)
def test_a_page_is_small(name: str) -> None:
    """What a page has besides its match takes less than two thousand bytes; the viewer would take 200,000."""
    game, replay = games.find(name), GAMES[name]()
    page = match_page(
        game, Viewer.of(game, Speaker("en")).name, Speaker("en"), Recorded(0, replay_format.encode(replay), AROUND)
    )
    assert page is not None
    packed = page.partition(b'id="replay">')[2].partition(b"<")[0]
    assert len(page) - len(packed) < 2000


def test_what_a_killed_process_had_is_made_again(tmp_path: Path) -> None:
    """A process that the system kills loses no page; a match that ends one each time has none, and it is said."""
    code = "from tests.guests.reports.made_pages import made_by_dying; made_by_dying()"
    own = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=own, check=True)


def test_ctrl_c_reaches_no_process_that_is_begun() -> None:
    """It has the signal blocked from its first moment; here the signal arrives as soon as the process is begun."""
    blocked: list[bool] = []

    class Pool:
        def submit(self, act: object, match: Recorded) -> None:
            blocked.append(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        matches._submitted(Pool(), Recorded(0, b"", AROUND))  # type: ignore[arg-type]
    assert blocked == [True]


def test_pages_come_in_order_whoever_makes_them() -> None:
    """Those that other processes make too; of a damaged replay there is none, and the others are as they were."""
    # In a process of its own: what Python starts beside a pool lives as long as the process that has it.
    code = "from tests.guests.reports.made_pages import made_in_order; made_in_order()"
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=True)
