"""The documentation's site, built once: tests that look at it have a group, and so run on one worker."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import pytest
from docs.website.build import build
from docs.website.pages import Page


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that look at the built site stay together."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent) and "site" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("documentation"))


class Element(NamedTuple):
    """What an HTML page leads to, or fetches."""

    tag: str
    attribute: str
    value: str


class Html(HTMLParser):
    """A page of the built site: its identifiers, and all that it leads to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.identifiers: set[str] = set()
        self.leads: list[Element] = []
        self.words: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag names and where it leads."""
        for name, value in attrs:
            if name == "id" and value:
                self.identifiers.add(value)
            elif name in ("href", "src", "srcset", "poster", "action") and value is not None:
                self.leads.append(Element(tag, name, value))

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        self.words.append(data)

    @property
    def text(self) -> str:
        """The words of the page."""
        return "".join(self.words)


class Site(NamedTuple):
    """The built site."""

    folder: Path
    pages: list[Page]
    html: dict[str, Html]  # by the path of the file below the folder


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site of the project as it is; the generator had nothing to complain of."""
    folder = tmp_path_factory.mktemp("docs")
    pages = build(folder / "site", folder / "work")
    files = sorted((folder / "site").rglob("*.html"))
    return Site(folder / "site", pages, {path.relative_to(folder / "site").as_posix(): Html(path) for path in files})
