"""The latest matches of each bot, for a report that stands alone: one bot's are to be seen at a time."""

from __future__ import annotations

from dohyo.i18n import say
from dohyo.web.report.content import Content
from dohyo.web.report.markup import Markup, Part, element, name_of


def latest(content: Content, language: str) -> Markup | None:
    """A list a bot, to which its name leads; none in a site, where each has a page of its own."""
    shown = {entrant: own for entrant, own in content.latest.items() if content.links.get(entrant) == _here(entrant)}
    if not shown:
        return None
    parts: list[Part] = [element("p", say("report.latest.note", language), class_="note")]
    for entrant in shown:
        link = element("a", name_of(content.names[entrant]), href=_here(entrant))
        parts.append(element("div", element("h3", link), _list(content, entrant, language), id=_here(entrant)[1:]))
    parts.append(element("p", say("report.matches.command", language), class_="note"))
    heading = element("h2", say("report.latest", language), id="latest")
    return element("section", heading, *parts, aria_labelledby="latest", class_="latest")


def _here(entrant: int) -> str:
    return f"#bot-{entrant}"


def _list(content: Content, entrant: int, language: str) -> Markup:
    """The matches of one bot, the latest first: its place, who else was there and where they came."""
    columns = ("match", "place", "others")
    head = [element("th", say(f"site.column.{name}", language), scope="col") for name in columns]
    lines = []
    for result in reversed(content.latest[entrant]):
        match = result.fixture
        own = match.seats.index(entrant)
        others: list[Part] = []
        for seat, other in enumerate(match.seats):
            if seat != own:
                others += [", " if others else None, name_of(content.names[other]), f" {result.places[seat]}"]
        kinds = ", ".join(say(f"fault.{kind}", language) for kind in (result.faults[own] if result.faults else ()))
        cells = [
            element("th", str(match.number), scope="row"),
            element("td", str(result.places[own]), element("span", kinds, class_="remark bad") if kinds else None),
            element("td", *others),
        ]
        lines.append(element("tr", *cells))
    table = element("table", element("thead", element("tr", *head)), element("tbody", *lines), class_="plain")
    label = say("report.latest", language)
    return element("div", table, class_="wide", role="region", tabindex="0", aria_label=label)
