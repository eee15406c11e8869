"""HTML and SVG as values: everything that is not markup already is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
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


def section(name: str, heading: Part, *parts: Part) -> Markup:
    """A section with its heading, both of this name."""
    return element("section", element("h2", heading, id=name), *parts, aria_labelledby=name, class_=name)


def header(title: str, facts: Mapping[str, Part], before: Part = None) -> Markup:
    """What a page begins with: its title, and facts, each below its name; `before` stands above both."""
    told = [element("div", element("dt", name), element("dd", value)) for name, value in facts.items()]
    top = element(
        "div", element("span", class_="ring", aria_hidden="true"), element("h1", name_of(title)), class_="top"
    )
    return element("header", before, top, element("dl", *told, class_="facts") if told else None)


def head(text: Part, class_: str | None = None) -> Markup:
    """The heading of a column."""
    return element("th", text, scope="col", class_=class_)


def table(heads: Sequence[Part], lines: Sequence[Part], class_: str = "plain") -> Markup:
    """A table: the headings of its columns, and its lines (`tr`)."""
    return element("table", element("thead", element("tr", *heads)), element("tbody", *lines), class_=class_)


def wide(inside: Markup, label: str) -> Markup:
    """What scrolls by itself if the screen is narrower; it can be reached by keyboard."""
    return element("div", inside, class_="wide", role="region", tabindex="0", aria_label=label)


def listed(items: Iterable[Sequence[Part]], between: str = ", ") -> list[Part]:
    """The parts of items, one item after the other."""
    found: list[Part] = []
    for item in items:
        found += [between if found else None, *item]
    return found


def name_of(text: str) -> Markup:
    """A stranger's name, kept apart from the direction of the text around it."""
    return element("bdi", text)


def bot_of(names: Mapping[int, str], links: Mapping[int, str], entrant: int) -> Markup:
    """A bot's name, a link to its page if there is one."""
    return linked(name_of(names[entrant]), links.get(entrant))


def linked(part: Part, address: str | None) -> Markup:
    """A part as a link, if there is an address."""
    return joined(part) if address is None else element("a", part, href=address)


def _escaped(part: Part) -> str:
    if isinstance(part, Markup):
        return part
    return html.escape(clean.line(str(part)), quote=False).replace(" %", NO_BREAK + "%")
