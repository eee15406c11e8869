"""A site in a real browser: from the organiser's link to a bot on the ladder, by clicks alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder

WAIT = PATIENCE * 1000  # milliseconds
WIDTHS = (390, 800, 1280)


@pytest.fixture
def author(site: RunningSite, browser: Browser) -> Iterator[BrowserContext]:
    """A browser of somebody who is nobody yet."""
    context = browser.new_context(base_url=site.url, viewport={"width": 1280, "height": 800}, locale="en")
    context.set_default_timeout(WAIT)
    yield context
    context.close()


def opened(context: BrowserContext, path: str, wrong: list[str]) -> Page:
    """A page; what it reports as an error goes to `wrong`."""
    page = context.new_page()
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(path)
    return page


def account(page: Page, name: str) -> None:
    """Fill in the form for a new account."""
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Make an account").click()


def test_an_author_hands_in_and_watches(
    site: RunningSite, organiser: Visitor, author: BrowserContext, browser: Browser
) -> None:
    """An author makes an account, chooses a file, watches the match, and stands on the ladder."""
    slug = new_ladder(organiser, "shoot-em-up", "By clicks")
    wrong: list[str] = []
    page = opened(author, "/", wrong)
    drawings: list[str] = []
    page.on("request", lambda request: drawings.append(request.url) if "/game/view.js" in request.url else None)
    page.get_by_role("banner").get_by_role("link", name="Make an account").click()
    account(page, "Clicking author")
    page.get_by_role("link", name="By clicks").click()
    page.get_by_label("Name of the bot").fill("Clicked")
    page.get_by_label("File", exact=False).first.set_input_files(GOOD)
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator(".good")).to_be_visible(timeout=WAIT)
    assert drawings, "the match was on the board while it was played"
    expect(page.frame_locator("iframe.viewer").locator("#viewer canvas, #viewer svg").first).to_be_visible(
        timeout=WAIT
    )
    page.goto(f"/ladders/{slug}")
    expect(page.get_by_role("row", name="Clicked")).to_be_visible()
    assert wrong == []
    visitor = browser.new_context(base_url=site.url, locale="ja")
    other = opened(visitor, f"/ladders/{slug}", wrong)
    assert other.locator("html").get_attribute("lang") == "ja"
    assert other.locator("#hand-in form").count() == 0
    visitor.close()


def test_an_organiser_makes_a_ladder_in_three_clicks(
    site: RunningSite, organiser: Visitor, author: BrowserContext
) -> None:
    """New ladder, a game, make it: three clicks from the first page."""
    cookies = [{"name": "dohyo_session", "value": organiser.http.cookies["dohyo_session"], "url": site.url}]
    author.add_cookies(cookies)  # type: ignore[arg-type]
    wrong: list[str] = []
    page = opened(author, "/", wrong)
    page.get_by_role("link", name="New ladder").first.click()
    page.get_by_text("Wondev Woman", exact=True).click()
    page.get_by_role("button", name="Make the ladder").click()
    expect(page.get_by_role("heading", name="Wondev Woman")).to_be_visible()
    assert wrong == []


@pytest.mark.parametrize("path", ["/", "/sign-up", "/sign-in", "/ladders/new", "/nothing"])
def test_no_page_is_wider_than_the_window(author: BrowserContext, path: str) -> None:
    """On a phone, a tablet and a desk, nothing has to be scrolled sideways."""
    page = author.new_page()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width


def test_every_field_has_a_name_and_every_page_one_title(author: BrowserContext) -> None:
    """Whoever hears the page instead of seeing it knows what each field is for, and where the page begins."""
    page = author.new_page()
    for path in ("/", "/sign-up", "/sign-in"):
        page.goto(path)
        assert page.locator("h1").count() == 1, path
        assert page.locator("main").count() == 1, path
        for field in page.locator("input:not([type=hidden]), textarea").all():
            assert field.evaluate("field => field.labels.length === 1 || Boolean(field.ariaLabel)"), path


def test_an_organiser_imports_a_class_by_clicks(
    site: RunningSite, organiser: Visitor, author: BrowserContext, browser: Browser
) -> None:
    """A class is made, its gradebook looked at and imported; a student makes an account by the link on the page."""
    cookies = [{"name": "dohyo_session", "value": organiser.http.cookies["dohyo_session"], "url": site.url}]
    author.add_cookies(cookies)  # type: ignore[arg-type]
    wrong: list[str] = []
    page = opened(author, "/", wrong)
    page.get_by_role("link", name="Organise").click()
    page.get_by_role("link", name="Classes").click()
    page.get_by_label("Title").fill("3B by clicks")
    page.get_by_role("button", name="Make the class").click()
    table = "氏名,メール\n山田 太郎,taro@example.jp\n鈴木 花子,no address\n".encode("cp932")
    page.get_by_label("CSV file").set_input_files({"name": "meibo.csv", "mimeType": "text/csv", "buffer": table})
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("row", name="山田 太郎")).to_contain_text("new student")
    expect(page.get_by_role("row", name="鈴木 花子")).to_contain_text("no mail address")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("1 student", exact=False).first).to_be_visible()
    page.get_by_role("button", name="Make links for all").click()
    link = page.locator("td.link").inner_text()
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save as CSV").click()
    assert link in saving.value.path().read_text(encoding="utf-8-sig")
    visitor = browser.new_context(base_url=site.url, locale="ja")
    student = opened(visitor, link, wrong)
    student.get_by_label("名前").fill("太郎")
    student.get_by_label("パスワード").fill("correct horse")
    student.get_by_role("button", name="クラスに参加する").click()
    expect(student.get_by_text("サインアウト")).to_be_visible()
    visitor.close()
    assert wrong == []
