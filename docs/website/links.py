"""Where the links of a page lead on the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from docs.website.pages import LANGUAGES, ROOT, Page

OUTSIDE = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
FORM = re.compile(r"^(https://[\w.-]+\.[a-z]{2,}(:\d+)?(/[^\s]*)?|mailto:[\w.+-]+@[\w.-]+)$")
SHOWN_AS_THEY_ARE = (".png", ".svg", ".gif", ".jpg", ".html", ".css", ".js", ".ipynb", ".json", ".zip")
TRANSLATION = re.compile(rf"\.({'|'.join(LANGUAGES[1:])})\.md$")


class Place(NamedTuple):
    """Where a link stands: the file that has it, its page's place on the site, the language of that site."""

    source: str  # below the project, with its ending
    target: str  # without an ending
    language: str


class Links:
    """Resolves links, and remembers what else the site must bring along: pictures and files that pages lead to."""

    def __init__(self, pages: Sequence[Page], root: Path = ROOT) -> None:
        self.root = root
        self.targets = {f"{page.name}.md": page.target for page in pages}
        self.texts = {f"{page.name}.md": page for page in pages}
        self.copied: set[str] = set()  # files, below the project, that stand on the site as they are
        self.shown: set[str] = set()  # files, below the project, that become pages
        self.dead: list[str] = []
        self.wanted: list[tuple[Place, str, str]] = []  # links with an anchor: from, target, anchor

    def resolve(self, place: Place, link: str) -> str:
        """The link as the site writes it, relative to the page; a dead one is noted and stays as it is."""
        if OUTSIDE.match(link):
            if not FORM.match(link):
                self._is_dead(place, link, "is not an address that begins with https://")
            return link
        path, _, anchor = link.partition("#")
        if not path:
            self.wanted.append((place, place.target, unquote(anchor)))
            return link
        found = posixpath.normpath(posixpath.join(posixpath.dirname(place.source), unquote(path)))
        target, other = self._target(found)
        if target is None:
            self._is_dead(place, link, "leads to nothing in the project")
            return link
        if anchor:
            self.wanted.append((place, target.removesuffix(".html"), unquote(anchor)))
        base = posixpath.dirname(place.target) or "."
        if other and other != place.language:  # the same page in the other language
            up = "../" if place.language != LANGUAGES[0] else ""
            down = f"{other}/" if other != LANGUAGES[0] else ""
            return quote(posixpath.relpath(".", base) + "/" + up + down + target)
        return quote(posixpath.relpath(target, base)) + (f"#{anchor}" if anchor else "")

    def page(self, place: Place, link: str) -> Page | None:
        """The page that a link leads to; None where it leads elsewhere."""
        path = unquote(link.partition("#")[0])
        found = posixpath.normpath(posixpath.join(posixpath.dirname(place.source), path))
        return self.texts.get(TRANSLATION.sub(".md", found))

    def _target(self, found: str) -> tuple[str | None, str]:
        """The place on the site of a path below the project; which language's, where the path says it."""
        english = TRANSLATION.sub(".md", found)
        language = match[1] if (match := TRANSLATION.search(found)) and found not in self.targets else ""
        for name in (english, posixpath.join(english, "README.md"), posixpath.join(english, "index.md")):
            if name in self.targets:
                return f"{self.targets[name]}.html", language
        path = self.root / found
        if found.startswith("..") or not path.exists():
            return None, ""
        if path.is_dir():
            inside = sorted(path.rglob("*.py"))[:1] or sorted(p for p in path.iterdir() if p.is_file())[:1]
            return self._target(inside[0].relative_to(self.root).as_posix()) if inside else (None, "")
        if path.suffix in SHOWN_AS_THEY_ARE:
            self.copied.add(found)
            return f"files/{found}", ""
        self.shown.add(found)
        return f"{shown_at(found)}.html", ""

    def _is_dead(self, place: Place, link: str, why: str) -> None:
        self.dead.append(f"{place.source}: the link {link!r} {why}.")

    def check_anchors(self, identifiers: Mapping[str, set[str]]) -> None:
        """Note each link whose anchor its page lacks; `identifiers` are those of each target, in this language."""
        for place, target, anchor in self.wanted:
            if target in identifiers and anchor not in identifiers[target]:
                self._is_dead(place, f"{target}#{anchor}", f"leads to no heading of that page ({place.language})")
        self.wanted.clear()


def shown_at(found: str) -> str:
    """Where the page stands that shows a file of the project."""
    return f"files/{found}".replace("/.", "/dot-")
