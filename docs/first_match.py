"""Play the match of the README's first bot, and take its film: once for both languages, with the sample bots.

./dev test -k nothing                   # once, for the packages that tests need
.venv/bin/python docs/first_match.py    # with chromium

The match is what the README's command plays. Its replay is shown by the documentation's first page, and its
beginning is the film at the top of the README.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

from pictures import ARGUMENTS, IMAGES
from playwright.sync_api import Page, sync_playwright

import dohyo
from dohyo.core import replay_format
from dohyo.core.replay import Replay
from dohyo.web.page import html

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.quality.pages import blocks, put

from docs.website.first_match import REPLAY

README = Path(__file__).parent.parent / "README.md"
FILM = IMAGES / "first-match.gif"
WORDS = ("drop-block", ["careful.py", "random", "random", "hunter"], 3)  # as in the README's command
TURNS = 18  # of the beginning: all four are there, and at the end the first one falls
SIZE = {"width": 700, "height": 800}
PATIENCE_MS = 300_000  # for the film


def played() -> Replay:
    """The match, by the README's own bot."""
    game, bots, seed = WORDS
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for block in blocks(README.read_text(encoding="utf-8")):
            if block.title:
                put(block, Path(folder), README.name)
        return dohyo.play(game, bots, seed=seed)


def film(page: Page) -> Path:
    """A film of the first turns, made by the page's own button."""
    page.get_by_role("button", name="Save a stretch").click()
    first, last = page.locator(".film input").all()
    begin = int(first.get_attribute("min") or 0)
    first.fill(str(begin))
    last.fill(str(begin + TURNS - 1))
    with page.expect_download(timeout=PATIENCE_MS) as download:
        page.locator(".film .small").click(timeout=PATIENCE_MS)
    return Path(download.value.path())


def main() -> None:
    """Play the match, keep its replay, and take its film."""
    replay = played()
    REPLAY.write_bytes(replay_format.encode(replay))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-headless-shell"), args=ARGUMENTS
        )
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page_file = Path(folder) / "match.html"
        page_file.write_text(html(replay), encoding="utf-8")
        page.goto(page_file.as_uri())
        FILM.write_bytes(film(page).read_bytes())
        browser.close()
    for made in (REPLAY, FILM):
        print(f"{made}: {made.stat().st_size} bytes")


if __name__ == "__main__":
    main()
