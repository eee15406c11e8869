"""How large a replay's page is, how soon it is open, and how long a picture of it takes.

    .venv/bin/python benchmarks/viewer.py [FILE.replay]

Without a file, a random match of Drop-Block over 1000 turns is played. Prints one `name=value` on each line:

    bytes          the page as a whole; of that,
    content_bytes  what belongs to this match (base64)
    make_ms        from the replay to the page, in Python
    open_ms        from the command to open the file until its first picture, the median of 5
    seek_ms        a jump to another turn, with the panel beside the board
    draw_ms        a picture between two turns
    pictures       per second of playing at speed 1 (a screen usually allows 60)
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Page, sync_playwright

from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Replay, Seat
from dohyo.games import find
from dohyo.match.replays.replays import load
from dohyo.web.content import content
from dohyo.web.page import html, pack

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
TURNS = 1000
MEASURES = {
    "seek_ms": """() => {
        const start = performance.now();
        for (let at = 0; at < 300; at++) dohyo.seek((at * 373) % (dohyo.player.last + 1));
        return (performance.now() - start) / 300;
    }""",
    "draw_ms": """() => {
        const start = performance.now(), at = Math.ceil(dohyo.player.last / 2);
        for (let part = 0; part < 1000; part++) dohyo.draw(at, part / 1000);
        return (performance.now() - start) / 1000;
    }""",
    "pictures": """async () => {
        dohyo.seek(0);
        dohyo.player.play();
        const end = performance.now() + 2000;
        let pictures = 0;
        for (; performance.now() < end; pictures++) await new Promise(requestAnimationFrame);
        dohyo.player.pause();
        return pictures / 2;
    }""",
}


def long_match() -> Replay:
    """The first match of 1000 turns that four players by dice bring about; they seldom attack."""
    game = find("drop-block")
    setup = resolve(game.options, {"turns": TURNS})
    for seed in range(1000):
        dice = random.Random(seed)
        referee = Referee(game, setup, 4, seed)
        while not referee.over:
            answers = {
                seat: Answer(dice.choice("UDLR" * 9 + "AN"), seconds=dice.random()) for seat in referee.pending()
            }
            referee.submit(answers)
        if referee.turn == TURNS:
            break
    seats = tuple(Seat(name) for name in ("one", "two", "three", "four"))
    header = Header(
        game=game.name, rules=game.version, setup=setup, seats=seats, seed=seed, software="dohyo benchmark"
    )
    return Replay(header, referee.turns, referee.result())


def open_page(page: Page, file: Path) -> float:
    """Open the page from its file; milliseconds until the board is drawn."""
    start = perf_counter()
    page.goto(file.as_uri())
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => drawn(dohyo.drawn())))")
    return (perf_counter() - start) * 1000


def main(replay: Replay) -> None:
    """Measure, and print."""
    start = perf_counter()
    text = html(replay)
    figures: dict[str, float] = {"make_ms": (perf_counter() - start) * 1000}
    figures["turns"] = len(replay.turns)
    figures["bytes"] = len(text.encode())
    figures["content_bytes"] = len(pack(content(find(replay.header.game), replay)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "match.html"
        file.write_text(text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        figures["open_ms"] = statistics.median(open_page(page, file) for _ in range(5))
        figures |= {name: page.evaluate(script) for name, script in MEASURES.items()}
        browser.close()
    for name, value in figures.items():
        print(f"{name}={value:.1f}" if isinstance(value, float) else f"{name}={value}")


if __name__ == "__main__":
    main(load(sys.argv[1]) if len(sys.argv) > 1 else long_match())
