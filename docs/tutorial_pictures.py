"""Take the pictures of the tutorial, in both languages, from its own commands, as a reader has them.

./dev test -k nothing                                        # once, for the packages that tests need
python3 -m venv /tmp/reader && /tmp/reader/bin/pip install . # what a reader has: Dohyo without extras
.venv/bin/python docs/tutorial_pictures.py /tmp/reader/bin   # with chromium and a Japanese font
"""

from __future__ import annotations

import html
import io
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pictures import ARGUMENTS, IMAGES, LIVELIEST, MATCHES
from playwright.sync_api import Browser, sync_playwright
from rich.cells import cell_len
from rich.console import CONSOLE_SVG_FORMAT, Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text
from smaller import smaller

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.quality.pages import Typed, walk

PAGES = {"": ("en", "tutorial.md"), ".ja": ("ja", "tutorial.ja.md")}
CHECK = "dohyo check wondev-woman mybot"
COLUMNS, MAX_LINES = 80, 28
CELL = 12.2  # the width of a character in Rich's drawing
WIDTH, HEIGHT, DEEP = 1100, 620, 760  # of the pages, in pixels
# Rich's frame, without the fonts that it fetches: a page must look the same without a network.
FRAME = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace("Fira Code, ", "")


class Reader:
    """A shell with a reader's programs, which also looks at what `CHECK` prints on a terminal before it is mended."""

    def __init__(self, programs: Path, folder: Path, language: str) -> None:
        self.work = folder / "work"
        self.work.mkdir()
        self.checked = ""
        self._environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(folder),
            "DOHYO_LANG": language,
            "LANG": "C.UTF-8",
            "COLUMNS": "200",
        }
        self._terminal = {**self._environment, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}

    def type_(self, lines: str, folder: Path) -> Typed:
        """Carry out lines of the page."""
        if lines.strip() == CHECK and not self.checked:
            self.checked = on_a_terminal(CHECK.split(), folder, self._terminal)
        words = ["bash", "-e", "-c", lines]
        pipe, both = subprocess.PIPE, subprocess.STDOUT
        done = subprocess.run(
            words, cwd=folder, env=self._environment, stdout=pipe, stderr=both, text=True, check=False
        )
        return done.returncode, done.stdout


def on_a_terminal(words: list[str], folder: Path, environment: dict[str, str]) -> str:
    """What a command prints on a terminal of `COLUMNS`, with its colours."""
    ours, its = pty.openpty()
    process = subprocess.Popen(words, cwd=folder, env=environment, stdin=its, stdout=its, stderr=its)
    os.close(its)
    held = b""
    try:
        while piece := os.read(ours, 65536):
            held += piece
    except OSError:  # a terminal that the last program has closed
        pass
    process.wait()
    os.close(ours)
    return held.decode().replace("\r\n", "\n")


def drawing(printed: str) -> str:
    """The first lines of what was printed, as an SVG of text: sharp at any size, and without a font of its own."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    for line in Text.from_ansi(f"$ {CHECK}\n{printed}").split("\n")[:MAX_LINES]:
        line.rstrip()
        line.truncate(COLUMNS, overflow="ellipsis")
        console.print(line, soft_wrap=True)
    svg = console.export_svg(title="", theme=SVG_EXPORT_THEME, code_format=FRAME, unique_id="check")
    return re.sub(r'textLength="[^"]*"([^>]*)>([^<]*)', as_wide_as_its_cells, svg)


def as_wide_as_its_cells(found: re.Match[str]) -> str:
    """A piece of text as wide as it is on a terminal: Rich counts characters, and Japanese ones are wide."""
    cells = cell_len(html.unescape(found[2]))
    return f'textLength="{cells * CELL:g}"{found[1]}>{found[2]}'


def take(browser: Browser, page_file: Path, picture: Path, height: int, script: str = "") -> None:
    """A picture of the upper part of a page."""
    page = browser.new_page(viewport={"width": WIDTH, "height": height}, color_scheme="light")
    page.goto(page_file.as_uri())
    if script:
        page.evaluate(script)
    page.evaluate("new Promise(requestAnimationFrame)")
    picture.write_bytes(smaller(page.screenshot()))
    page.close()


def main(programs: Path) -> None:
    """Walk through both pages, and take the pictures on the way."""
    if not subprocess.run(["fc-list", ":lang=ja"], capture_output=True, check=True).stdout:
        sys.exit("There is no Japanese font here; for example: apt install fonts-ipafont-gothic")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        for suffix, (language, name) in PAGES.items():
            with tempfile.TemporaryDirectory() as folder:
                reader = Reader(programs, Path(folder), language)
                walk(Path(__file__).parent / name, reader.work, reader.type_)
                liveliest = LIVELIEST.replace("LIFE", MATCHES["wondev-woman"].life)
                take(browser, reader.work / "first.html", IMAGES / f"tutorial-match{suffix}.png", HEIGHT, liveliest)
                take(browser, reader.work / "report.html", IMAGES / f"tutorial-report{suffix}.png", DEEP)
                (IMAGES / f"tutorial-check{suffix}.svg").write_text(drawing(reader.checked), encoding="utf-8")
        browser.close()
    for picture in sorted(IMAGES.glob("tutorial-*")):
        print(f"{picture}: {picture.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
