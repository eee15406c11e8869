"""The built site in Chromium, opened as a file, without a server and without a network."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.docs.conftest import Site
from tests.web.conftest import DESKTOP, PATIENCE_MS, PHONE

pytestmark = [pytest.mark.xdist_group("site"), pytest.mark.process]

FIELD = "dialog input[role=combobox]"
FOUND = "dialog [role=option]"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without a network, which must neither ask for one nor complain."""
    context = browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "request", lambda request: None if request.url.startswith(("file:", "data:")) else wrong.append(request.url)
    )
    yield page
    context.close()
    assert wrong == []


@pytest.mark.parametrize(
    ("start", "words", "place"),
    [
        ("index.html", ["malformed", "king of the hill"], ""),
        ("reference/commands/play.html", ["--seed"], ""),
        ("ja/index.html", ["時間切れ", "提出できる", "サンドボックス"], "ja/"),
        ("ja/rules/drop-block.html", ["環境変数"], "ja/"),
    ],
)
def test_search_finds(site: Site, page: Page, start: str, words: list[str], place: str) -> None:
    """Words of either language lead to pages that have them, from any page."""
    page.goto((site.folder / start).as_uri())
    page.click(".md-search__button")
    for word in words:
        page.fill(FIELD, word)
        page.locator(FOUND).filter(has_text=word.removeprefix("--")).first.wait_for()
        led = page.locator(FOUND).first.get_attribute("href") or ""
        assert led.startswith((site.folder / place).as_uri()), led


def test_what_is_in_no_page_is_not_found(site: Site, page: Page) -> None:
    """A word that no page has gives an empty list."""
    page.goto((site.folder / "index.html").as_uri())
    page.click(".md-search__button")
    page.fill(FIELD, "sandbox")
    page.locator(FOUND).first.wait_for()
    page.fill(FIELD, "qqqqzzzzxxxx")
    page.locator(FOUND).first.wait_for(state="detached")


@pytest.mark.parametrize(
    "name", ["index.html", "reference/commands/contest.html", "ja/bots.html", "ja/performance.html"]
)
def test_a_page_is_as_wide_as_a_phone(site: Site, page: Page, name: str) -> None:
    """On a phone nothing makes the page itself wider than the screen; tables and code scroll by themselves."""
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto((site.folder / name).as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_the_switch_and_the_logo(site: Site, page: Page) -> None:
    """The switch shows the same page in the other language, and back; the mark leads to the start."""
    page.goto((site.folder / "reference" / "faults.html").as_uri())
    for language, place in (("ja", "ja/reference/faults.html"), ("en", "reference/faults.html")):
        page.click(".dohyo-switch")
        page.wait_for_url((site.folder / place).as_uri())
        assert page.locator("html").get_attribute("lang") == language
    page.locator(".md-logo").first.click()
    page.wait_for_url((site.folder / "index.html").as_uri())
