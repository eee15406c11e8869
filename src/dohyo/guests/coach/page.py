"""A report as one page that makes no requests: what costs the most, each with its evidence and its commands."""

from __future__ import annotations

from dohyo.core.game import Game, title_in
from dohyo.guests.coach import sentences
from dohyo.guests.coach.findings import Finding, Report
from dohyo.i18n import ENGLISH, Speaker
from dohyo.web.plain.markup import Markup, element, head, header, joined, table, wide
from dohyo.web.plain.page import foot, whole

NOTHING = "\N{EN DASH}"


def page(report: Report, game: Game, speaker: Speaker = ENGLISH) -> str:
    """The page, in its speaker's language."""
    title = speaker.say("coach.title", bot=report.bot, game=title_in(game, speaker))
    facts = {
        speaker.say("coach.fact.matches"): str(report.matches),
        speaker.say("coach.fact.points"): sentences.two(report.points),
        speaker.say("coach.fact.beside"): str(report.beside),
        speaker.say("coach.fact.asked"): str(report.asked),
    }
    parts = [_overview(report, speaker)]
    parts += [_finding(at, one, game, speaker) for at, one in enumerate(report.findings, 1)]
    parts.append(
        element("section", *(element("p", line, class_="note") for line in sentences.notes(report, speaker)))
    )
    return whole(title, joined(header(title, facts), element("main", *parts), foot(speaker)), speaker)


def _overview(report: Report, speaker: Speaker) -> Markup:
    """All findings as a table; or that there are none."""
    name = speaker.say("coach.costs")
    if not report.findings:
        inside: Markup = element("p", sentences.nothing(report, speaker))
    else:
        columns = ("what", "matches", "points", "others", "cost")
        heads = [
            head(speaker.say(f"coach.column.{column}"), None if column == "what" else "number") for column in columns
        ]
        rows = [_row(at, one, speaker) for at, one in enumerate(report.findings, 1)]
        inside = wide(table(heads, rows), name)
    return element("section", element("h2", name, id="costs"), inside, aria_labelledby="costs")


def _row(at: int, one: Finding, speaker: Speaker) -> Markup:
    cost = NOTHING
    if one.cost is not None and one.low is not None and one.high is not None:
        cost = f"{one.cost:.1f} ({one.low:.1f} {NOTHING} {one.high:.1f})"
    points, others = (NOTHING if each is None else sentences.two(each) for each in (one.points, one.others))
    cells = [f"{one.matches} / {one.of}", points, others, cost]
    link = element("a", sentences.first(one, speaker), href=f"#finding-{at}")
    return element("tr", element("td", link), *(element("td", cell, class_="number") for cell in cells))


def _finding(at: int, one: Finding, game: Game, speaker: Speaker) -> Markup:
    title, *rest = sentences.told(one, speaker=speaker, game=game)
    lines = [element("p", line) for line in rest]
    watch = one.watch
    if watch is not None:
        lines.append(element("p", sentences.watch_told(watch, speaker)))
        lines += [element("pre", element("code", line)) for line in sentences.commands(one).values()]
    name = f"finding-{at}"
    return element("section", element("h2", f"{at}. {title}", id=name), *lines, aria_labelledby=name)
