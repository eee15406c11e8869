"""A browser that opens pages, and checks that they make no requests and report no errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Frame, Page, ViewportSize

from dohyo.core import replay_format
from dohyo.core.replay import Replay
from dohyo.i18n import Speaker
from dohyo.web.page import html

PATIENCE_MS = 180_000  # for what takes a few seconds on an idle machine
DESKTOP = (1280, 800)
PHONE = (390, 844)
MAX_PAGES = 12  # that are kept to be shown again: a file's tests look at few matches, one after the other

Open = Callable[..., Page]

_PAGES: dict[bytes, str] = {}


# Whether nothing in the header lies over the words of its title.
TITLE_IS_WHOLE = """(() => {
    const title = document.querySelector("h1");
    const words = document.createRange();
    words.selectNodeContents(title);
    const beside = [...title.parentElement.children].filter((node) => node !== title && node.offsetWidth);
    const [left, right] = [words.getBoundingClientRect().left, words.getBoundingClientRect().right];
    return beside.map((node) => node.getBoundingClientRect()).every((box) => box.left >= right || box.right <= left);
})()"""


def wait(page: Page | Frame, condition: str) -> None:
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


def drawn_at(page: Page, positions: Iterable[int]) -> list[tuple[int, Any]]:
    """Each of these positions, with what the scene shows there; asked at once, so that no picture is made of them."""
    at = list(positions)
    shown = page.evaluate("at => at.map(position => { dohyo.seek(position); return dohyo.drawn(); })", at)
    return list(zip(at, shown, strict=True))


def page_of(replay: Replay, language: str = "en", **more: Any) -> str:
    """A replay's page, as `html` makes it: made once for tests that show it one after another."""
    key = replay_format.encode(replay) + msgspec.json.encode([language, more])
    if key not in _PAGES:
        while len(_PAGES) >= MAX_PAGES:
            del _PAGES[next(iter(_PAGES))]
        _PAGES[key] = html(replay, Speaker(language), **more)
    return _PAGES[key]


class Pages:
    """The pages that tests open. Later tests have them again: a window costs more than what is in it."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: list[Page] = []

    @contextmanager
    def of_test(self, listeners: Mapping[str, Callable[[Any], None]]) -> Iterator[Open]:
        """A way to get empty pages, `page(size, ...)`; with settings of its own a page is in a window of its own."""
        used: list[tuple[Page, bool]] = []

        def page(size: tuple[int, int], **options: Any) -> Page:
            viewport: ViewportSize = {"width": size[0], "height": size[1]}
            if options or not self._idle:
                found = self._browser.new_context(viewport=viewport, **options).new_page()
                found.set_default_timeout(PATIENCE_MS)
            else:
                found = self._idle.pop()
                found.set_viewport_size(viewport)
            used.append((found, not options))
            for event, heard in listeners.items():
                found.on(event, heard)  # type: ignore[call-overload]
            return found

        yield page
        for found, stays in used:
            if not stays or len(found.context.pages) != 1:
                found.context.close()
                continue
            for event, heard in listeners.items():
                found.remove_listener(event, heard)
            found.mouse.move(0, 0)
            self._idle.append(found)

    def rest(self) -> None:
        """Let idle pages do nothing; the next test would have opened another file in them anyway."""
        for page in self._idle:
            page.goto("about:blank")


@pytest.fixture(scope="session")
def pages(browser: Browser) -> Pages:
    """The pages of a worker's browser."""
    return Pages(browser)


@pytest.fixture(scope="module")
def pages_of_file(pages: Pages) -> Iterator[Pages]:
    """The same, at rest after a file's tests."""
    yield pages
    pages.rest()


@pytest.fixture
def visit(pages_of_file: Pages, tmp_path: Path) -> Iterator[Open]:
    """Open a page from a file: `visit(text, "#t=3", size=PHONE, ...)`.

    After the test, no page may have asked for anything but itself, nor have written to the console.
    """
    complaints: list[str] = []
    asked: set[str] = set()
    files: list[Path] = []
    listeners = {
        "console": lambda message: complaints.append(message.text),
        "pageerror": lambda error: complaints.append(str(error)),
        "request": lambda request: asked.add(request.url.partition("#")[0]),
        "dialog": lambda dialog: complaints.append(f"dialog: {dialog.message}"),
    }
    with pages_of_file.of_test(listeners) as page_of_size:

        def open_(text: str, address: str = "", size: tuple[int, int] = DESKTOP, **options: Any) -> Page:
            files.append(tmp_path / f"{len(files)}.html")
            files[-1].write_text(text, encoding="utf-8")
            page = page_of_size(size, **options)
            page.goto(f"{files[-1].as_uri()}{address}")
            return page

        yield open_
    assert {url for url in asked if not url.startswith("data:")} == {file.as_uri() for file in files}
    assert complaints == []


@pytest.fixture
def show(visit: Open) -> Open:
    """Open a replay's page, as `visit` does: `show(replay, "#t=3", language="ja", size=PHONE, ...)`."""

    def show_page(replay: Replay | str, address: str = "", language: str = "en", **options: Any) -> Page:
        page = visit(replay if isinstance(replay, str) else page_of(replay, language), address, **options)
        wait(page, "window.dohyo")
        return page

    return show_page
