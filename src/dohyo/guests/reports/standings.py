"""The table of a report: one line for each bot, with its rating drawn in its interval.

On a narrow screen a line becomes a block, so the table is made of `div`s with ARIA roles.
"""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.guests.reports.content import Content
from dohyo.guests.reports.drawings import axis, interval
from dohyo.i18n import Speaker
from dohyo.series.formats import BY_SHARE
from dohyo.series.standings import TOLD, Row, remark
from dohyo.web.plain.markup import Markup, bot_of, element
from dohyo.web.plain.scales import Scale, scale

STATES = {state: f"report.state.{state}" for state in ("pauses", "left", "replaced", "disqualified")}


def standings(content: Content, speaker: Speaker) -> Markup:
    """The whole table."""
    along = _scale(content.rows) if content.standings.rated else None
    record = "record" if content.are_duels else "opponents"
    head = [_head("place", speaker), _head("bot", speaker)]
    if along is not None:
        head += [_head("elo", speaker), element("div", axis(along), **_cell("plot", header=True))]
        head.append(_head("range", speaker))
    head += [_head(name, speaker) for name in (*_counted(content), record)]
    lines = [element("div", *head, role="row", class_="line head")]
    lines += [_line(row, content, along, record, speaker) for row in content.rows]
    rated = "" if along is not None else " unrated"
    rated += " shared" if content.standings.placed_by == BY_SHARE else ""
    label = speaker.say("report.standings")
    return element("div", *lines, role="table", aria_label=label, class_=f"standings-table{rated}")


def _counted(content: Content) -> tuple[str, ...]:
    return ("share", "points", "matches") if content.standings.placed_by == BY_SHARE else ("points", "matches")


def _scale(rows: Sequence[Row]) -> Scale:
    return scale([value for row in rows if row.elo is not None for value in (row.elo, *_drawn(row, row.elo))])


def _drawn(row: Row, elo: float) -> tuple[float, float]:
    """The ends of the line for a bot's interval; an unknown end is drawn at the limit of what is known."""
    low, high = row.told_low, row.told_high
    return elo - TOLD if low is None else low, elo + TOLD if high is None else high


def _ends(row: Row, speaker: Speaker) -> str:
    low, high = row.told_low, row.told_high
    if low is None and high is None:
        return speaker.say("report.untold")
    if low is None or high is None:
        key = "report.or-more" if high is None else "report.or-less"
        return speaker.say(key, low=f"{low or 0:.0f}", high=f"{high or 0:.0f}")
    return speaker.say("report.from-to", low=f"{low:.0f}", high=f"{high:.0f}")


def _line(row: Row, content: Content, along: Scale | None, record: str, speaker: Speaker) -> Markup:
    remarks = remark(row, speaker)
    remarks += [speaker.say(STATES[row.state])] if row.state in STATES else []
    remarked = element("span", ", ".join(remarks), class_="remark") if remarks else None
    told_faults = speaker.say("report.faulty", count=row.faulty, matches=row.matches)
    faulty = element("span", told_faults, class_="remark bad" if row.fails else "remark") if row.faulty else None
    cells = [
        element("div", row.place_told, **_cell("place")),
        element(
            "div",
            *(bot_of(content.names, content.links, row.entrant), remarked, faulty),
            role="rowheader",
            class_="cell bot",
        ),
    ]
    if along is not None:
        cells += _rating(row, along, speaker)
    numbers = {"points": f"{row.points:.1f}".removesuffix(".0"), "matches": str(row.matches)}
    numbers["share"] = "-" if row.share is None else f"{100 * row.share:.1f} %"
    told = {name: numbers[name] for name in _counted(content)}
    told[record] = f"{row.won} - {row.drawn} - {row.lost}"
    cells += [
        element("div", text, **_cell(name), data_label=speaker.say(f"report.column.{name}"))
        for name, text in told.items()
    ]
    return element("div", *cells, role="row", class_="line")


def _rating(row: Row, along: Scale, speaker: Speaker) -> list[Markup]:
    if row.elo is None or row.low is None or row.high is None:
        return [element("div", "-", **_cell(name)) for name in ("elo", "plot", "range")]
    places = "-" if row.first is None else f"{row.first}" if row.first == row.last else f"{row.first} - {row.last}"
    return [
        element("div", f"{row.elo:.0f}", " ", element("span", _ends(row, speaker), class_="ends"), **_cell("elo")),
        element("div", interval(along, row.elo, *_drawn(row, row.elo)), **_cell("plot")),
        element("div", places, **_cell("range"), data_label=speaker.say("report.column.range")),
    ]


def _head(name: str, speaker: Speaker) -> Markup:
    return element("div", speaker.say(f"report.column.{name}"), **_cell(name, header=True))


def _cell(name: str, header: bool = False) -> dict[str, str]:
    return {"role": "columnheader" if header else "cell", "class_": f"cell {name}"}
