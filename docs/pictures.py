"""Take the picture of the viewer that the README shows, of a match that is played for it.

./dev test -k nothing          # once, for the packages that tests need
.venv/bin/python docs/pictures.py [SEED]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

import dohyo
from dohyo.web.page import html

IMAGES = Path(__file__).parent / "images"
BOTS = ["hunter", "random", "hunter", "random"]
SIZE: ViewportSize = {"width": 1280, "height": 800}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

# The liveliest moment: an attack in a match that is still open, with much in motion.
LIVELIEST = """async () => {
    const { frames, unpack } = await import("dohyo/decode.js");
    const content = await unpack(document.getElementById("replay").textContent);
    const life = ({ marks, blocks, players }) =>
        marks.filter(([kind]) => kind === "aim").length * 3
        + blocks.filter((value) => value > 0).length + blocks.filter((value) => value < 0).length * 2
        + players.filter(({ row }) => row !== null).length * 8;
    const lives = frames(content.views[0]).map((frame) =>
        frame.highlights.some(([kind]) => kind === "attack") ? life(frame) : 0);
    dohyo.seek(lives.indexOf(Math.max(...lives)));
}"""


def take(browser: Browser, page_file: Path, picture: Path) -> None:
    """A picture of the page at its liveliest moment, with what the program had been sent."""
    page = browser.new_page(viewport=SIZE, color_scheme="light")
    page.goto(page_file.as_uri())
    page.evaluate(LIVELIEST)
    page.keyboard.press("i")
    page.evaluate("new Promise(requestAnimationFrame)")
    page.screenshot(path=picture)


def main(seed: int) -> None:
    """Play the match, and take the picture."""
    picture = IMAGES / "drop-block.png"
    picture.parent.mkdir(exist_ok=True)
    replay = dohyo.play("drop-block", BOTS, seed=seed)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "match.html"
        page_file.write_text(html(replay), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        take(browser, page_file, picture)
        browser.close()
    print(f"{picture}: {picture.stat().st_size} bytes")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
