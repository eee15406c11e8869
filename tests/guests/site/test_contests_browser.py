"""A contest in a real browser: made on its form in the browser's own zone, and revealed place by place with keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.guests.site.conftest import PATIENCE, RunningSite, Visitor
from tests.guests.site.contests import do, new_contest
from tests.guests.site.test_browser import opened

WAIT = PATIENCE * 1000  # milliseconds


@pytest.fixture
def teacher(site: RunningSite, organiser: Visitor, browser: Browser) -> Iterator[BrowserContext]:
    """The organiser's browser, in Osaka."""
    context = browser.new_context(
        base_url=site.url, viewport={"width": 1280, "height": 800}, locale="en", timezone_id="Asia/Tokyo"
    )
    cookies = [{"name": "dohyo_session", "value": organiser.http.cookies["dohyo_session"], "url": site.url}]
    context.add_cookies(cookies)  # type: ignore[arg-type]
    context.set_default_timeout(WAIT)
    yield context
    context.close()


def test_an_organiser_makes_a_contest(teacher: BrowserContext) -> None:
    """Times are typed and shown in the browser's zone and kept in UTC; what is wrong stands beside its field."""
    wrong: list[str] = []
    page = opened(teacher, "/", wrong)
    page.get_by_role("link", name="New contest").click()
    page.get_by_role("link", name="Drop-Block").click()
    expect(page.get_by_text("Asia/Tokyo")).to_be_visible()
    page.get_by_label("Title").fill("Osaka open")
    for label, day in (("Hand-ins from", "01"), ("Hand-ins until", "08"), ("Start", "07")):
        page.get_by_label(re.compile(f"^{label}")).fill(f"2030-04-{day}T09:00")
    page.locator("#format").select_option("swiss")
    expect(page.get_by_text("Options of: Swiss")).to_be_visible()
    expect(page.get_by_text("Options of: Round-robin")).to_be_hidden()
    page.get_by_label("who knows a word").check()
    page.locator("[name=word]").fill("sakura")
    page.get_by_role("button", name="Make the contest").click()
    start = page.get_by_label(re.compile("^Start"))
    expect(start).to_have_attribute("aria-invalid", "true")
    expect(start).to_have_value("2030-04-07T09:00")
    expect(page.locator("#wrong-starts")).to_contain_text("no more hand-ins are taken, or later")
    start.fill("2030-04-09T09:00")
    page.get_by_role("button", name="Make the contest").click()
    expect(page.get_by_role("heading", name="Osaka open")).to_be_visible()
    times = page.locator("dl time")
    expect(times.first).to_have_attribute("title", "2030-04-01 00:00 UTC")
    expect(times.first).to_contain_text("9:00")
    assert [each for each in wrong if "422" not in each] == []


INSIDE = """() => [...document.querySelectorAll("#reveal .number")].every((node) => {
  node.textContent = "132.5 points";
  return node.scrollWidth <= node.clientWidth + 1
    && node.getBoundingClientRect().right < node.parentElement.getBoundingClientRect().right;
})"""


def test_standings_are_revealed_place_by_place(
    site: RunningSite, organiser: Visitor, teacher: BrowserContext
) -> None:
    """All is covered at first; keys show one place after the other from the last, and the end shows everybody."""
    slug = new_contest(organiser, "Final", samples="yes")
    do(organiser, slug, "start")
    organiser.await_text(f"/ladders/{slug}", 'class="winner"')
    do(organiser, slug, "freeze", at="2026-01-01T00:00")
    assert 'class="winner"' not in Visitor(site.url).get(f"/ladders/{slug}").text
    wrong: list[str] = []
    page = opened(teacher, f"/ladders/{slug}/reveal", wrong)
    lines = page.locator("#reveal li")
    expect(lines).to_have_count(2)
    expect(page.locator("#reveal .covered")).to_have_count(2)
    expect(lines.nth(1).locator("b")).to_be_hidden()
    page.keyboard.press("Space")
    expect(lines.nth(1).locator("b")).to_be_visible()
    expect(lines.nth(0).locator("b")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#reveal .covered")).to_have_count(2)
    page.get_by_role("button", name="Next place").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#reveal .covered")).to_have_count(0)
    expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
    for width in (1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(INSIDE), f"points stick out of their boxes at {width}"
    page.get_by_role("button", name="Show everybody the standings").click()
    expect(page).to_have_url(re.compile("/organise$"))
    assert 'class="winner"' in Visitor(site.url).get(f"/ladders/{slug}").text
    assert wrong == []


@pytest.mark.parametrize("path", ["/contests/new", "/contests/new?game=drop-block", "{}", "{}/organise", "{}/reveal"])
def test_no_page_of_a_contest_is_wider_than_the_window(
    organiser: Visitor, teacher: BrowserContext, path: str
) -> None:
    """On a phone and at a desk nothing has to be scrolled sideways, and each field has one name."""
    slug = new_contest(organiser, f"Wide {path}"[:60], entry="list", listed="Somebody")
    page = teacher.new_page()
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(path.format(f"/ladders/{slug}"))
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
    assert page.locator("h1").count() == 1
    for field in page.locator("main :is(input:not([type=hidden]), select, textarea)").all():
        assert field.evaluate("field => field.labels.length") == 1
