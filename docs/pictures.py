"""Take the pictures of the viewer that the READMEs show: each game at 1280 and at 390 pixels wide.

./dev test -k nothing          # once, for the packages that tests need
.venv/bin/python docs/pictures.py [GAME...]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, ViewportSize, sync_playwright
from smaller import smaller

import dohyo
from dohyo.core.clock import Clock
from dohyo.web.page import html

IMAGES = Path(__file__).parent / "images"
SIZES: dict[str, ViewportSize] = {"": {"width": 1280, "height": 800}, "-phone": {"width": 390, "height": 844}}
PATIENCE = Clock(turn=30.0, ready=30.0)  # a busy machine must not show in the pictures
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


class Match(NamedTuple):
    """A match, and `life`: an expression in JavaScript that says how much there is to see in a `frame`."""

    bots: list[str]
    seed: int
    life: str
    setup: dict[str, Any] | None = None
    inputs: bool = False  # whether the picture shows what the program had been sent


MATCHES = {
    "drop-block": Match(
        ["hunter", "random", "hunter", "random"],
        4,
        # an attack in a match that is still open, with much in motion
        """frame.highlights.some(([kind]) => kind === "attack")
            ? frame.marks.filter(([kind]) => kind === "aim").length * 3
            + frame.blocks.filter((value) => value > 0).length
            + frame.blocks.filter((value) => value < 0).length * 2
            + frame.players.filter(({ row }) => row !== null).length * 8 : 0""",
        inputs=True,
    ),
    "wondev-woman": Match(
        ["climber", "random"], 3, "frame.highlights.length * 100 + frame.turn", {"league": "bronze"}
    ),
    "shoot-em-up": Match(["gunner", "random"], 3, "frame.highlights.length * 1000 + frame.turn"),
    "abotcalypse": Match(
        ["builder", "thrower", "rest", "shelter", "thrower", "rest", "builder", "thrower"],
        3,
        # throws and deaths, where many live and meteors have come down
        """frame.marks.length * 2 + frame.highlights.length * 6 + frame.turn
            + frame.bots.filter(({ alive }) => alive).length * 4""",
        {"turns": 60},
    ),
}

LIVELIEST = """async () => {
    const { frames, unpack } = await import("dohyo/decode.js");
    const content = await unpack(document.getElementById("replay").textContent);
    const lives = frames(content.views[0]).map((frame) => LIFE);
    lives.pop(); // at the end a verdict covers the board
    dohyo.seek(lives.indexOf(Math.max(...lives)));
}"""


def take(browser: Browser, page_file: Path, match: Match, size: ViewportSize, picture: Path) -> None:
    """A picture of the page at its liveliest moment."""
    page = browser.new_page(viewport=size, color_scheme="light")
    page.goto(page_file.as_uri())
    page.evaluate(LIVELIEST.replace("LIFE", match.life))
    if match.inputs:
        page.keyboard.press("i")
    page.evaluate("new Promise(requestAnimationFrame)")
    picture.write_bytes(smaller(page.screenshot()))
    page.close()
    print(f"{picture}: {picture.stat().st_size} bytes")


def main(games: list[str]) -> None:
    """Play the matches, and take the pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        for game in games:
            match = MATCHES[game]
            page_file = Path(folder) / f"{game}.html"
            replay = dohyo.play(game, match.bots, seed=match.seed, setup=match.setup, clock=PATIENCE)
            page_file.write_text(html(replay), encoding="utf-8")
            for suffix, size in SIZES.items():
                take(browser, page_file, match, size, IMAGES / f"{game}{suffix}.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or list(MATCHES))
