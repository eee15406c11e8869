"""Every page of a site can be read and used by everybody: axe finds nothing serious, in the light and in the dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from litestar.handlers import HTTPRouteHandler
from playwright.sync_api import Browser, Page

from dohyo.guests.site.application import PAGES
from tests.guests.site.conftest import GOOD, RunningSite, Visitor, new_ladder

SERIOUS = ("serious", "critical")
MAX_PAGES = 60
MUST = {  # what a walk over all links finds in any case
    "/",
    "/search",
    "/ladders/{slug:str}",
    "/ladders/{slug:str}/rules",
    "/ladders/{slug:str}/live",
    "/ladders/{slug:str}/bots/{name:str}",
    "/ladders/{slug:str}/bots/{name:str}/matches",
    "/ladders/{slug:str}/bots/{name:str}/against/{other:str}",
    "/ladders/{slug:str}/matches/{number:int}",
    "/hand-ins/{number:int}",
    "/ladders/new",
}
ALONE = ("/sign-in", "/sign-up", "/nothing", "/boards/shoot-em-up", "/search?q=a", "/search?q=nobody")
IN_THE_DARK = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}


def patterns() -> dict[re.Pattern[str], str]:
    """What addresses of pages look like, with the paths of their handlers; the plainer ones first."""
    handlers = [each for pages in PAGES for each in pages.HANDLERS if isinstance(each, HTTPRouteHandler)]
    paths = {path for each in handlers if "GET" in each.http_methods for path in each.paths}
    ordered = sorted(paths, key=lambda path: (path.count("{"), path))
    return {re.compile(re.sub(r"\{\w+:\w+\}", "[^/]+", path) or "/"): path for path in ordered}


def walk(page: Page, start: str) -> Iterator[str]:
    """Open a page of each kind that links lead to, once; the paths of their handlers."""
    known, seen, waiting = patterns(), set[str](), [start]
    while waiting and len(seen) < MAX_PAGES:
        address = waiting.pop(0)
        kind = next((path for form, path in known.items() if form.fullmatch(urlsplit(address).path)), "")
        if not kind or kind in seen:
            continue
        seen.add(kind)
        answer = page.request.get(address, max_retries=2)  # a server may close a connection that rests
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        page.goto(address)
        links = page.eval_on_selector_all("a[href]", "links => links.map(link => link.href)")
        here = urlsplit(page.url).netloc
        waiting += [link for link in links if urlsplit(link).netloc == here]
        yield kind


def trouble(page: Page) -> list[str]:
    """What axe finds serious on a page, in both themes."""
    found: list[Any] = []
    page.emulate_media(color_scheme="light")
    found += Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    found += Axe().run(page, options=IN_THE_DARK).response["violations"]
    return [
        f"{page.url}: {each['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
        for each in found
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


@pytest.fixture(scope="module")
def signed_in(site: RunningSite, organiser: Visitor) -> list[dict[str, str]]:
    """Cookies of the organiser, on a site on which there is one of each."""
    slug = new_ladder(organiser, "shoot-em-up", "For everybody")
    name = "はなび"
    organiser.await_text(organiser.hand_in(slug, name, "bot.py", GOOD.read_bytes() + b"# axe\n"), "It plays now in")
    organiser.await_text(f"/ladders/{slug}/bots/{name}", "opponents-title")
    return [{"name": "dohyo_session", "value": organiser.http.cookies["dohyo_session"], "url": site.url}]


def test_axe_finds_nothing_serious(site: RunningSite, browser: Browser, signed_in: list[dict[str, str]]) -> None:
    """On every kind of page that an organiser's links lead to, and on those for people without an account."""
    context = browser.new_context(base_url=site.url, locale="en", reduced_motion="reduce")
    context.add_cookies(signed_in)  # type: ignore[arg-type]
    page = context.new_page()
    found, kinds = list[str](), set[str]()
    for kind in walk(page, f"{site.url}/search?q=For everybody"):
        kinds.add(kind)
        found += trouble(page)
    context.clear_cookies()
    for path in ALONE:
        page.goto(path)
        found += trouble(page)
    context.close()
    assert kinds >= MUST
    assert found == []


def test_a_keyboard_reaches_the_content_first(site: RunningSite, browser: Browser) -> None:
    """The first stop is a link that leads over the head of the page, and one sees where one is."""
    context = browser.new_context(base_url=site.url, locale="en")
    page = context.new_page()
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert page.locator(":focus").bounding_box()["x"] >= 0  # type: ignore[index]
    context.close()
