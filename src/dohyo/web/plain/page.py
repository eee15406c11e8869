"""A page without a script, as one HTML file that makes no requests and can be opened from a disk."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import Template

from dohyo import __version__
from dohyo.i18n import Speaker
from dohyo.web.page import VIEWER, digest
from dohyo.web.plain.markup import Markup, element, joined

FOLDER = Path(__file__).parent
STYLES = (VIEWER / "base.css", *(FOLDER / f"{name}.css" for name in ("page", "tables", "drawings")))

# Filled with the digest of the page's own style. The page has no script to be allowed.
POLICY = "default-src 'none'; style-src {style}; img-src data:; base-uri 'none'; form-action 'none'"


def whole(title: str, body: Markup, speaker: Speaker, *styles: Path) -> str:
    """The page with this body, in the common style and further `styles`, with a policy that allows these alone."""
    style = "".join(map(_file, (*STYLES, *styles)))
    return Template(_file(FOLDER / "page.html")).substitute(
        language=joined(speaker.language),
        title=joined(title),
        policy=POLICY.format(style=digest(style)),
        style=style,
        body=body,
    )


def foot(speaker: Speaker) -> Markup:
    """What a page ends with: who made it."""
    return element("footer", element("p", speaker.say("report.made", version=__version__)))


@cache
def _file(path: Path) -> str:
    return path.read_text(encoding="utf-8")
