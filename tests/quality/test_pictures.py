"""The pictures that pages show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.quality.project import ROOT, files

PAGES = [path for path in files() if path.suffix == ".md"]
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LARGEST = 150_000  # bytes
LARGEST_FILM = 300_000  # of the one that moves, which a page shows before it is whole


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_picture_is_there_small_and_told_in_words(page: Path) -> None:
    """It is a file of the project, has an alternative text, and whoever reads the page does not wait for it."""
    for alternative, target in PICTURE.findall(page.read_text(encoding="utf-8")):
        picture = (page.parent / target).resolve()
        assert picture in files(), f"{target} is not here"
        assert len(alternative.split()) > 2 or re.search("[ぁ-ん]", alternative), f"{target}: what does it show?"
        most = LARGEST_FILM if picture.suffix == ".gif" else LARGEST
        assert picture.stat().st_size < most, f"{target} is larger than {most} bytes"


@pytest.mark.parametrize("picture", [path for path in files() if path.suffix == ".svg"], ids=lambda path: path.name)
def test_a_drawing_needs_nothing_else(picture: Path) -> None:
    """No font, style or program is fetched from elsewhere, so it looks the same without a network."""
    text = picture.read_text(encoding="utf-8")
    assert re.findall(r"<script|@import|@font-face|(?:href|src)=\"https?:", text) == []
