"""King of the hill as a section of a report: who was first when, and who came late."""

from __future__ import annotations

from dohyo.i18n import Speaker
from dohyo.series.formats.hills import Reign
from dohyo.web.report.content import Content
from dohyo.web.report.markup import Markup, Part, bot_of, element, head, linked, listed, section, table, wide
from dohyo.web.report.plots import ROW

MAX_REIGNS = 40
MAX_CHALLENGERS = 4


def hill(content: Content, speaker: Speaker) -> Markup | None:
    """Who held the hill, one below the other; none if the format has no hill."""
    held = content.hill
    if held is None or not held.reigns:
        return None
    reigns = held.reigns[-MAX_REIGNS:]
    columns = ("when", "along", "holder", "won", "others")
    heads = [head(speaker.say(f"hill.column.{name}"), f"of-{name}") for name in columns]
    span = held.reigns[0].first, held.reigns[-1].last
    late = [(match, bot) for match, bot in held.late if match >= reigns[0].first]
    lines: list[Part] = []
    for reign in reigns:
        while late and late[0][0] < reign.first:
            lines.append(_late(*late.pop(0), content, speaker))
        lines.append(_reign(reign, span, content, speaker))
    lines += [_late(*each, content, speaker) for each in late]
    label = speaker.say("hill")
    parts: list[Part] = [element("p", speaker.say("hill.note"), class_="note")]
    parts.append(wide(table(heads, lines, "plain hill"), label))
    earlier = len(held.reigns) - len(reigns)
    if earlier:
        parts.append(element("p", speaker.say("hill.earlier", count=earlier), class_="note"))
    for row in content.present:
        if row.entrant not in held.entered:
            told = speaker.say("hill.waits", bot=content.names[row.entrant])
            parts.append(element("p", told, class_="note"))
    return section("hill", label, *parts)


def _reign(reign: Reign, span: tuple[int, int], content: Content, speaker: Speaker) -> Markup:
    won = sum(reign.firsts.get(bot, 0) for bot in reign.holders)
    others = sorted((-count, bot) for bot, count in reign.firsts.items() if bot not in reign.holders)
    challengers = listed(
        (bot_of(content.names, content.links, bot), f" {-count}") for count, bot in others[:MAX_CHALLENGERS]
    )
    if len(others) > MAX_CHALLENGERS:
        challengers.append(" …")
    holders = [(bot_of(content.names, content.links, bot),) for bot in reign.holders]
    return element(
        "tr",
        element("td", *_numbers((reign.first, reign.last), content), class_="when"),
        element("td", _along(reign, span), class_="drawn", aria_hidden="true"),
        element("td", element("strong", *listed(holders)), class_="of-holder"),
        element("td", speaker.say("hill.of", count=won, matches=reign.matches), class_="number"),
        element("td", *challengers),
    )


def _late(match: int, bot: int, content: Content, speaker: Speaker) -> Markup:
    """The line of one who enters while others play."""
    told = bot_of(content.names, content.links, bot), " ", speaker.say("hill.late-entry")
    return element(
        "tr",
        element("td", *_numbers((match, match), content), class_="when"),
        element("td", *told, colspan="4"),
        class_="late",
    )


def _numbers(ends: tuple[int, int], content: Content) -> list[Part]:
    """The first and the last match, each a link to its page if there is one."""
    return listed(((linked(str(number), content.pages.get(number)),) for number in dict.fromkeys(ends)), "-")


def _along(reign: Reign, span: tuple[int, int]) -> Markup:
    """The position of these matches in the contest, as a bar."""
    whole = span[1] - span[0] + 1
    start, wide = (100 * value / whole for value in (reign.first - span[0], reign.last - reign.first + 1))
    bar = element("rect", x=f"{start:.2f}%", width=f"{max(wide, 0.5):.2f}%", y="8", height="14", rx="2", class_="bar")
    return element("svg", bar, width="100%", height=str(ROW), focusable="false")
