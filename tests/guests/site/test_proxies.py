"""A site behind real proxies, with TLS, below a path of another site."""

from __future__ import annotations

import itertools
import os
import re
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, expect

from dohyo.guests import site as site_package
from tests.guests.site import proxies
from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder
from tests.guests.site.distant.homes import BOT, Connected, marked_ladder, token_to_play

pytestmark = pytest.mark.xdist_group("site-behind-proxies")

WAIT = PATIENCE * 1000  # milliseconds
PATH = "/arena"
ELSEWHERE = "127.0.0.2"  # where a visitor comes from who is no proxy
NUMBERS = itertools.count(1)
ELSEWHERE_IN_PAGES = ("{{ table }}", "{{ address(")  # a table in the page itself; a whole address


class Behind(NamedTuple):
    """A site and what stands before it."""

    site: RunningSite
    addresses: dict[str, str]  # of the site, by which proxy
    certificate: Path
    organiser: Visitor
    ladder: str


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    """A site below a path, behind nginx and behind Caddy."""
    folder = tmp_path_factory.mktemp("proxies")
    certificate = proxies.certificate(folder)
    site, one, other = proxies.free_port(), proxies.free_port(), proxies.free_port()
    running = RunningSite(folder / "arena")
    addresses = {name: f"https://localhost:{port}{PATH}" for name, port in (("nginx", one), ("caddy", other))}
    with (
        proxies.nginx(folder, one, site, certificate),
        proxies.caddy(folder, other, site, certificate),
    ):
        running.start("--workers", "1", "--port", str(site), "--url", addresses["nginx"])
        try:
            assert running.link.startswith(f"{addresses['nginx']}/organise/")
            organiser = visitor(addresses["nginx"], certificate)
            organiser.sign_up("Ms Sato", invitation=running.link.rpartition("/")[2])
            yield Behind(running, addresses, certificate, organiser, new_ladder(organiser, "shoot-em-up", "Below"))
        finally:
            running.stop()


def visitor(address: str, certificate: Path, **more: str) -> Visitor:
    """Somebody who comes from another address than the proxy's."""
    transport = httpx.HTTPTransport(verify=proxies.trusting(certificate), local_address=ELSEWHERE)
    return Visitor(address, transport=transport, headers=more)


@pytest.fixture(params=["nginx", "caddy"])
def address(request: pytest.FixtureRequest, behind: Behind) -> str:
    """The site's address by one of the proxies."""
    return behind.addresses[request.param]


def test_every_address_is_below_the_path(behind: Behind, address: str) -> None:
    """Pages, what they name, redirects and cookies stay below the site's path."""
    alice = visitor(address, behind.certificate)
    answer = alice.post("/sign-up", {"name": f"Alice {next(NUMBERS)}", "password": "correct horse"})
    assert answer.headers["location"] == f"{PATH}/"
    cookies = answer.headers.get_list("set-cookie")
    assert any("dohyo_session" in cookie for cookie in cookies)
    for cookie in cookies:
        assert re.search(rf"(?i)path={PATH}(;|$)", cookie), cookie
        assert "secure" in cookie.lower()
        assert "httponly" in cookie.lower()
    seen, new = set(), {f"{PATH}/", f"{PATH}/nothing"}
    while new:
        path = new.pop()
        seen.add(path)
        page = alice.http.get(f"{address.removesuffix(PATH)}{path}")
        assert page.status_code == 200 or path.endswith("/nothing"), path
        if not page.headers["content-type"].startswith("text/html"):
            continue
        named = re.findall(r'(?:href|src|action|data-from)="([^"#]*)', page.text)
        named += re.findall(r'": "(/[^"]*)"', page.text)
        ours = (f"{PATH}/", "data:", f"{behind.addresses['nginx']}/")  # whole addresses are those that it was told
        assert all(one.startswith(ours) or not one for one in named), (path, named)
        follow = re.findall(r'(?:href|src)="(/[^"#?]*)', page.text)
        new |= {one for one in follow if not re.search(r"/(matches|bots)/", one)} - seen
    assert len(seen) > 5


def test_answers_say_that_only_https_counts(behind: Behind, address: str) -> None:
    """Also those that are not pages, and those that refuse."""
    somebody = visitor(address, behind.certificate)
    for path in ("/", "/static/site.css", "/nothing"):
        assert somebody.get(path).headers["strict-transport-security"].startswith("max-age=")


def test_a_large_hand_in_comes_through(behind: Behind, address: str) -> None:
    """The proxy takes what the site takes, and a larger one is refused."""
    somebody = visitor(address, behind.certificate).sign_up(f"Large {next(NUMBERS)}")
    content = GOOD.read_bytes()
    padded = content + b"\n# " + b"x" * (9 << 20) + b"\n"
    assert somebody.hand_in(behind.ladder, f"Large {next(NUMBERS)}", "bot.py", padded).startswith(f"{PATH}/hand-ins/")
    larger = padded + b"# " + b"x" * (3 << 20)
    refused = somebody.post(
        f"/ladders/{behind.ladder}/hand-in", {"bot": "Larger"}, files={"file": ("bot.py", larger)}
    )
    assert refused.status_code == 413


def test_only_the_proxy_says_where_a_visitor_comes_from(behind: Behind, address: str) -> None:
    """Tries are counted by the address that the proxy saw: what a visitor says of himself counts for nothing."""
    name = f"nobody {next(NUMBERS)}"
    liar = visitor(address, behind.certificate, **{"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=203.0.113.8"})
    assert liar.post("/sign-in", {"name": name, "password": "wrong horse"}).status_code == 422
    with sqlite3.connect(behind.site.folder / "site.db") as database:
        counted = [what for (what,) in database.execute("SELECT what FROM attempts WHERE what LIKE 'sign-in %'")]
    database.close()
    assert f"sign-in {name.replace(' ', '')} {ELSEWHERE}" in counted
    assert not any("203.0.113" in what for what in counted)


def test_a_form_of_another_site_is_refused(behind: Behind, address: str) -> None:
    """Another site of the same proxy cannot send our forms."""
    somebody = visitor(address, behind.certificate)
    answer = somebody.post("/sign-in", {"name": "a", "password": "b"}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403


def test_a_match_is_watched_live_through_the_proxy(behind: Behind, address: str, browser: Browser) -> None:
    """In a browser: sign up, hand in, see the match while it is played; and nothing is asked of another path."""
    context = browser.new_context(ignore_https_errors=True, viewport={"width": 1280, "height": 800}, locale="en")
    context.set_default_timeout(WAIT)
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.goto(f"{address}/sign-up")
    page.get_by_label("Name", exact=True).fill(f"Clicking {next(NUMBERS)}")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Make an account").click()
    page.get_by_role("link", name="Below").first.click()
    page.get_by_label("Name of the bot").fill(f"Clicked {next(NUMBERS)}")
    page.get_by_label("File", exact=False).first.set_input_files(GOOD)
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator(".good")).to_be_visible(timeout=WAIT)
    board = page.frame_locator("iframe.viewer").locator("#viewer canvas, #viewer svg").first
    expect(board).to_be_visible(timeout=WAIT)
    context.close()
    assert any("/game/view.js" in one for one in asked), "the match was on the board while it was played"
    assert [one for one in asked if not one.startswith((f"{address}/", "data:"))] == []
    assert wrong == []


def test_events_come_as_they_happen(behind: Behind, address: str) -> None:
    """The first event is there before the stream ends: the proxy keeps nothing back."""
    somebody = visitor(address, behind.certificate).sign_up(f"Watching {next(NUMBERS)}")
    place = somebody.hand_in(behind.ladder, f"Watched {next(NUMBERS)}", "bot.py", GOOD.read_bytes())
    with somebody.http.stream("GET", f"{address.removesuffix(PATH)}{place}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.iter_lines()
        assert "event: state" in itertools.islice(lines, 2)
        state = sqlite3.connect(behind.site.folder / "site.db")
        (waits,) = state.execute("SELECT state FROM hand_ins WHERE id = ?", [place.rpartition("/")[2]]).fetchone()
        state.close()
        assert waits in ("waiting", "examined")


def test_a_bot_that_stays_at_home_plays_through_the_proxy(
    behind: Behind, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proxies hand a WebSocket on, below the site's path, by https."""
    monkeypatch.setenv("SSL_CERT_FILE", os.fspath(behind.certificate))
    own = f"Home {next(NUMBERS)}"
    organiser = visitor(address, behind.certificate)
    organiser.post("/sign-in", {"name": "Ms Sato", "password": "correct horse"})
    ladder = marked_ladder(organiser, "connectx", own)
    (tmp_path / "mine.py").write_text(BOT)
    token = token_to_play(visitor(address, behind.certificate).sign_up(f"Away {next(NUMBERS)}"))
    bot = Connected(tmp_path, address, token, ladder, "mine.py", "--name", own, "--matches", "1")
    bot.until("is over:")
    assert bot.stop(signal.SIGINT) in (0, 130)


def test_addresses_in_templates_are_below_the_path() -> None:
    """An address that a template works out has `base` in front; one that begins with / gets it by itself."""
    for template in (Path(site_package.__file__).parent / "templates").glob("*.html"):
        worked_out = re.findall(
            r'\s(?:href|src|action|formaction)="(\{\{[^"]*)"', template.read_text(encoding="utf-8")
        )
        assert [one for one in worked_out if not one.startswith(("{{ base }}", *ELSEWHERE_IN_PAGES))] == [], template
