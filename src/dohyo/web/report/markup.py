"""HTML and SVG as values: everything that is not markup already is escaped."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TypeAlias

from dohyo import clean

NO_BREAK = "\u00a0"  # between a number and its %
EMPTY = frozenset({"br", "circle", "line", "polygon", "polyline", "rect", "col"})


class Markup(str):
    """Text that is markup, and stays as it is."""

    __slots__ = ()


Part: TypeAlias = "Markup | str | int | None"


def element(name: str, *parts: Part, **attributes: str | float | None) -> Markup:
    """An element. An attribute's name may end in `_` (`class_`) and has `-` for `_`; none omits it."""
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            said = f"{value:.6g}" if isinstance(value, float) else str(value)
            words.append(f'{key.rstrip("_").replace("_", "-")}="{html.escape(clean.line(said))}"')
    start = " ".join(words)
    return Markup(f"<{start}/>") if name in EMPTY else Markup(f"<{start}>{joined(*parts)}</{name}>")


def joined(*parts: Part) -> Markup:
    """Parts one after the other; none is nothing."""
    return Markup("".join(_escaped(part) for part in parts if part is not None))


def name_of(text: str) -> Markup:
    """A stranger's name, kept apart from the direction of the text around it."""
    return element("bdi", text)


def bot_of(names: Mapping[int, str], links: Mapping[int, str], entrant: int) -> Markup:
    """A bot's name, a link to its page if there is one."""
    name, link = name_of(names[entrant]), links.get(entrant)
    return name if link is None else element("a", name, href=link)


def _escaped(part: Part) -> str:
    if isinstance(part, Markup):
        return part
    return html.escape(clean.line(str(part)), quote=False).replace(" %", NO_BREAK + "%")
