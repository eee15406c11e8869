"""A browser that opens pages, and checks that they make no requests and report no errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from dohyo.core.replay import Replay
from dohyo.web.page import html

# The lists below the address bar are pages of Chromium's own, three a window: they cost more than our pages do.
OWN_PAGES = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", f"--disable-features={OWN_PAGES}"]
PATIENCE_MS = 30_000
DESKTOP = (1280, 800)
PHONE = (390, 844)

Open = Callable[..., Page]


def wait(page: Page, condition: str) -> None:
    """Wait until an expression holds in the page, looking at each picture.

    Playwright's own way to wait asks the page to evaluate a text, and the viewer's policy forbids that.
    """
    page.evaluate(
        f"""async () => {{
            const start = performance.now();
            while (!({condition})) {{
                if (performance.now() - start > {PATIENCE_MS}) throw new Error("waited in vain");
                await new Promise(requestAnimationFrame);
            }}
        }}"""
    )


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for all tests of a worker."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Open a replay's page from a file: `show(replay, "#t=3", language="ja", size=PHONE, ...)`.

    After the test, no page may have asked for anything but itself, nor have written to the console.
    """
    complaints: list[str] = []
    asked: set[str] = set()
    pages: list[Page] = []

    def show_page(
        replay: Replay | str, address: str = "", language: str = "en", size: tuple[int, int] = DESKTOP, **options: Any
    ) -> Page:
        file = tmp_path / f"{len(pages)}.html"
        file.write_text(replay if isinstance(replay, str) else html(replay, language), encoding="utf-8")
        viewport = {"width": size[0], "height": size[1]}
        page = browser.new_context(viewport=viewport, **options).new_page()  # type: ignore[arg-type]
        pages.append(page)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.add(request.url.partition("#")[0]))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.goto(f"{file.as_uri()}{address}")
        wait(page, "window.dohyo")
        return page

    yield show_page
    for page in pages:
        page.context.close()
    own = {(tmp_path / f"{number}.html").as_uri() for number in range(len(pages))}
    assert {url for url in asked if not url.startswith("data:")} == own
    assert complaints == []
