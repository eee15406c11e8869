"""What only some formats have, as sections of a report: the bracket of a knock-out, and who held the hill.

A bracket's rounds are side by side, on a phone one below the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dohyo.guests.reports.content import Content
from dohyo.guests.reports.drawings import ROW
from dohyo.i18n import Speaker
from dohyo.series.formats.brackets import ABSENT, BYE, FINAL, MAIN, MAYBE, OPEN, OVER, Pairing, Round, Slot, is_tree
from dohyo.series.formats.hills import Reign
from dohyo.web.plain.markup import Markup, Part, bot_of, element, head, joined, linked, listed, section, table, wide

MAX_PAIRINGS = 64  # of a round that is drawn
FEW_COLUMNS = 5  # rounds that fit beside each other in their full width
MAX_COLUMNS = 6  # rounds that fit on a large screen at all
MAX_MATCHES = 6  # of a series that are named one by one
MAX_REIGNS = 40
MAX_CHALLENGERS = 4


def bracket(content: Content, speaker: Speaker) -> Markup | None:
    """The bracket; none if the format has none."""
    known = content.bracket
    if known is None or not known.rounds:
        return None
    parts: list[Part] = []
    left_out = 0
    for side in known.sides():
        shown = [each for each in side if len(each.pairings) <= MAX_PAIRINGS]
        left_out += len(side) - len(shown)
        if shown:
            parts += _side(shown, content, speaker)
    if known.champion is not None:
        name = bot_of(content.names, content.links, known.champion)
        told = speaker.say("bracket.champion")
        parts.insert(0, element("p", told, speaker.say("joined.colon"), element("strong", name), class_="champion"))
    notes = [speaker.say("bracket.note")]
    if any(pairing.level for each in known.rounds for pairing in each.pairings):
        notes.append(speaker.say("bracket.note.level", how=speaker.say(f"bracket.by.{known.ties_by}")))
    if left_out:
        notes.append(speaker.say("bracket.left-out", count=left_out, most=MAX_PAIRINGS))
    parts.append(element("p", speaker.sentences(notes), class_="note"))
    return section("bracket", speaker.say("bracket"), *parts)


def _side(rounds: Sequence[Round], content: Content, speaker: Speaker) -> list[Part]:
    """The rounds of a side, under its name if there are several."""
    side = rounds[0].side
    label = speaker.say(f"bracket.{'finals' if side == FINAL else side}")
    parts: list[Part] = [] if side == MAIN else [element("h3", label)]
    if len(rounds) > MAX_COLUMNS:
        told = speaker.say("bracket.scroll", count=len(rounds))
        parts.append(element("p", told, class_="note sideways"))
    tree = side != FINAL and is_tree(rounds)
    columns = [
        _column(each, rounds[at + 1] if at + 1 < len(rounds) else None, tree, content, speaker)
        for at, each in enumerate(rounds)
    ]
    form = "rounds" + (" tree" if tree else "") + (" many" if len(rounds) > FEW_COLUMNS else "")
    return [*parts, wide(element("div", *columns, class_=form), label)]


def _column(each: Round, after: Round | None, tree: bool, content: Content, speaker: Speaker) -> Markup:
    """A round: its name, and its pairings one below the other, each high enough for the lines to meet."""
    halves = after is not None and len(after.pairings) < len(each.pairings)
    lead = "" if not tree or after is None else " halves" if halves else " straight"
    came = " joined" if tree and any(slot.source is not None for p in each.pairings for slot in p.slots) else ""
    cells = [_cell(pairing, content, speaker) for pairing in each.pairings]
    is_named = each.side == FINAL and each.number == 1 and after is None  # by the side's own heading
    heading = None if is_named else element("h4", _round_name(each, after, speaker))
    return element("div", heading, element("ol", *cells), class_=f"round{lead}{came}")


def _round_name(each: Round, after: Round | None, speaker: Speaker) -> str:
    if each.side == FINAL:
        return speaker.say("bracket.final-again" if each.number > 1 else "bracket.finals")
    if each.side == MAIN and after is None and len(each.pairings) == 1:
        return speaker.say("bracket.final")
    return speaker.say("bracket.round", at=each.number)


def _cell(pairing: Pairing, content: Content, speaker: Speaker) -> Markup:
    if not pairing.slots:
        return element("li", class_="nobody", aria_hidden="true")
    lines = [_slot(pairing, slot, content, speaker) for slot in pairing.slots]
    card = element("div", *lines, _below(pairing, content, speaker), class_=f"pairing {pairing.state}")
    return element("li", card)


def _slot(pairing: Pairing, slot: Slot, content: Content, speaker: Speaker) -> Markup:
    """A line: the seed, the name, the result."""
    seed = element("span", str(slot.seed) if slot.seed else "", class_="seed")
    if slot.entrant is None:
        return element("div", seed, element("span", speaker.say("bracket.unknown"), class_="quiet"), class_="slot")
    name = bot_of(content.names, content.links, slot.entrant)
    goes_on = slot.goes_on and pairing.state != BYE
    mark = element("span", speaker.say("bracket.goes-on"), class_="unseen") if goes_on else None
    score = element("span", _score(pairing, slot, speaker), class_="score")
    return element("div", seed, name, mark, score, class_="slot on" if goes_on else "slot")


def _score(pairing: Pairing, slot: Slot, speaker: Speaker) -> str:
    """What is printed after a name."""
    if pairing.state == BYE:
        return speaker.say("bracket.bye")
    if pairing.state == ABSENT:
        return "" if slot.goes_on else speaker.say("bracket.absent")
    if pairing.state == OVER or (pairing.state == OPEN and pairing.played):
        return f"{slot.beaten:.1f}".removesuffix(".0") + ("=" if pairing.level and slot.goes_on else "")
    return ""


def _below(pairing: Pairing, content: Content, speaker: Speaker) -> Markup | None:
    """What is printed below the names: which matches these were, or what they wait for."""
    if pairing.state in (BYE, ABSENT):
        return None
    told: list[Part] = []
    numbers = content.numbers.get((-1 if pairing.batch is None else pairing.batch, pairing.entrants), ())
    if pairing.state == OPEN:
        told.append(speaker.say("bracket.played", played=pairing.played, matches=pairing.matches))
    elif pairing.state != OVER:
        told.append(speaker.say("bracket.maybe" if pairing.state == MAYBE else "bracket.later"))
    if numbers:
        told += ["; "] if told else []
        told.append(_matches(numbers, content.pages, speaker))
    return element("div", *told, class_="below") if told else None


def _matches(numbers: Sequence[int], pages: Mapping[int, str], speaker: Speaker) -> Markup:
    """The numbers of a series' matches, each a link to its page if there is one; only the first of many."""
    if not any(number in pages for number in numbers):
        together = numbers[-1] - numbers[0] == len(numbers) - 1
        spans = f"{numbers[0]}-{numbers[-1]}" if together and len(numbers) > 1 else None
        shown = spans or ", ".join(map(str, numbers[:MAX_MATCHES])) + ("…" if len(numbers) > MAX_MATCHES else "")
        return joined(speaker.say("bracket.match" if len(numbers) == 1 else "bracket.matches", numbers=shown))
    links: list[Part] = []
    for number in numbers[:MAX_MATCHES]:
        links += [" ", linked(str(number), pages.get(number))]
    if len(numbers) > MAX_MATCHES:
        links.append(" …")
    several = "bracket.match" if len(numbers) == 1 else "bracket.matches"
    return joined(speaker.say(several, numbers="").strip(), *links)


# --- king of the hill: who was first when, and who came late


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
