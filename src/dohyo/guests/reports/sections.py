"""The sections below the standings: who beat whom, ratings over time, seats, times, faults, open and last matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dohyo.guests.reports.certainty import clearly_apart
from dohyo.guests.reports.content import Content, Share
from dohyo.guests.reports.drawings import COLOURS, LETTERS, PlotLine, axis, bar, chart, cut
from dohyo.i18n import Speaker
from dohyo.series.standings import Row
from dohyo.web.plain.markup import Markup, Part, bot_of, element, head, listed, name_of, section, table, wide
from dohyo.web.plain.scales import scale

LEVELS = 10  # of the heat map, from 0 (lost) to this (won)
MAX_CROSSED = 40  # bots in the table of who beat whom
FEW_COLUMNS = 16  # of that table, which fit in their full width
MAX_SHOWN = 5  # of that table, which fit on a phone
MAX_SEATS = 16
MAX_ROWS = 20  # bots in the tables of seats and times
MAX_LINES = COLOURS
MAX_ASIDE = 20
MAX_INNOCENT = 8  # bots that are named
FAR = 8  # times the longest turn: a limit so far away is not drawn
MAX_TOLD = 6  # ratings of a bot in the table below the chart

Section = Callable[[Content, Speaker], "Markup | None"]


def crossed(content: Content, speaker: Speaker) -> Markup | None:
    """Who beat whom: the share of points of the bot of the line against that of the column."""
    rows = content.rows[:MAX_CROSSED]
    if len(rows) < 2 or not content.pairs:
        return None
    heads = [head(speaker.say("report.column.bot"))]
    heads += [
        head(element("abbr", str(at), title=content.names[row.entrant]), "number") for at, row in enumerate(rows, 1)
    ]
    lines = []
    for at, row in enumerate(rows, 1):
        name = element(
            "div", element("span", str(at), class_="count"), bot_of(content.names, content.links, row.entrant)
        )
        cells = [_met(content, row, other, speaker) for other in rows]
        lines.append(element("tr", element("th", name, scope="row"), *cells))
    crossing = table(heads, lines, "heat dense" if len(rows) > FEW_COLUMNS else "heat")
    more = _more(len(content.rows) - len(rows), speaker)
    told = speaker.say("report.cross.note")
    if len(rows) > MAX_SHOWN:
        told += " " + speaker.say("report.cross.scroll", count=len(rows))
    note = element("p", told, class_="note")
    return _section("cross", speaker, note, _wide(crossing, "report.cross", speaker), _legend(speaker), more)


def _met(content: Content, row: Row, other: Row, speaker: Speaker) -> Markup:
    if row.entrant == other.entrant:
        return element("td", class_="self")
    share = content.pairs.get((row.entrant, other.entrant), Share())
    if share.value is None:
        return element("td", "·", class_="none", title=speaker.say("report.cross.never"))
    names = {"bot": content.names[row.entrant], "other": content.names[other.entrant]}
    title = speaker.say("report.cross.cell", **names, won=share.beaten, tied=share.tied, lost=share.lost)
    return element("td", f"{100 * share.value:.0f}", class_=_heat(share.value), title=title)


def _heat(share: float) -> str:
    return f"h{round(LEVELS * share)}"


def _legend(speaker: Speaker) -> Markup:
    steps = [element("span", class_=f"step h{level}") for level in range(LEVELS + 1)]
    ends = speaker.say("report.cross.lost"), speaker.say("report.cross.won")
    return element("p", ends[0], " ", element("span", *steps, class_="steps"), " ", ends[1], class_="legend")


def over_time(content: Content, speaker: Speaker) -> Markup | None:
    """The ratings of the best over time, batch by batch or match by match."""
    moments = content.history.moments
    if len(moments) < 2:
        return None
    lines: list[PlotLine] = []
    for row in content.rows[:MAX_LINES]:
        points = tuple((at, known[row.entrant]) for at, known in moments if row.entrant in known)
        if points:
            lines.append(PlotLine(content.names[row.entrant], _short(content, row), len(lines), points))
    if not lines:
        return None
    key = "report.time.batch" if content.history.by_batch else "report.time.match"
    first, last = (speaker.say(key, at=at) for at in (moments[0][0], moments[-1][0]))
    label = speaker.say("report.time.label", bots=len(lines), first=first, last=last)
    more = _more(len(content.rows) - len(lines), speaker)
    drawn = chart(lines, label, (first, last))
    return _section("time", speaker, drawn, more, _in_numbers(content, lines, speaker))


def _short(content: Content, row: Row) -> str:
    """A short form of a bot's name; it always contains the number of its version."""
    number = content.versions.get(row.entrant)
    mark = "" if number is None else f" v{number}"
    return cut(row.bot, LETTERS - len(mark)) + mark


def _in_numbers(content: Content, lines: Sequence[PlotLine], speaker: Speaker) -> Markup:
    """The chart as a table, of some moments."""
    moments = [at for at, _ in content.history.moments]
    step = max(1, -(-(len(moments) - 1) // (MAX_TOLD - 1)))
    told = sorted({*moments[::step], moments[-1]})
    heads = [head(speaker.say("report.column.bot")), *(head(str(at), "number") for at in told)]
    rows = []
    for line in lines:
        known = dict(line.points)
        cells = [element("td", f"{known[at]:.0f}" if at in known else "-", class_="number") for at in told]
        rows.append(element("tr", element("th", name_of(line.name), scope="row"), *cells))
    key = "report.time.by-batch" if content.history.by_batch else "report.time.by-match"
    return element("details", element("summary", speaker.say(key)), _wide(table(heads, rows), "report.time", speaker))


def by_seat(content: Content, speaker: Speaker) -> Markup | None:
    """The results of bots on each seat, and what a seat is worth."""
    seats = sorted({seat for _, seat in content.seats})
    if not 2 <= len(seats) <= MAX_SEATS:
        return None
    columns = {str(seat): {who: share for (who, at), share in content.seats.items() if at == seat} for seat in seats}
    totals = [sum(shares.values(), start=Share()) for shares in columns.values()]
    of = dict(zip(seats, totals, strict=True))
    best, worst = (choose(seats, key=lambda seat: of[seat].value or 0.0) for choose in (max, min))
    shares = {"share": f"{100 * (of[best].value or 0):.0f}", "other": f"{100 * (of[worst].value or 0):.0f}"}
    key = "report.seat.note" if clearly_apart(of[best], of[worst], len(seats)) else "report.seat.even"
    note = element("p", speaker.say(key, best=best, worst=worst, **shares), class_="note")
    shown = _shares(content, list(columns), list(columns.values()), speaker, totals)
    more = _more(len(content.rows) - MAX_ROWS, speaker)
    return _section("seat", speaker, note, _wide(shown, "report.seat", speaker), _legend(speaker), more)


def by_map(content: Content, speaker: Speaker) -> Markup | None:
    """The results of bots on each map."""
    if len(content.grounds) < 2:
        return None
    headings = [f"{name} ({ground.matches})" for name, ground in content.grounds.items()]
    shown = _shares(content, headings, [ground.shares for ground in content.grounds.values()], speaker)
    count = sum(ground.matches for ground in content.grounds.values())
    key = "report.map.note" if count == content.counting else "report.map.part"
    note = element("p", speaker.say(key, count=count), class_="note")
    more = _more(len(content.rows) - MAX_ROWS, speaker)
    return _section("map", speaker, note, _wide(shown, "report.map", speaker), _legend(speaker), more)


def _shares(
    content: Content,
    headings: Sequence[str],
    columns: Sequence[dict[int, Share]],
    speaker: Speaker,
    totals: Sequence[Share] = (),
) -> Markup:
    """A table of shares: one line for each bot, by entrant's number in each column; below it the share of all."""
    heads = [head(speaker.say("report.column.bot")), *(head(heading, "number") for heading in headings)]
    rows = []
    for row in content.rows[:MAX_ROWS]:
        cells = [_share(column.get(row.entrant, Share())) for column in columns]
        rows.append(element("tr", _bot(content, row), *cells))
    if totals:
        whole = element("th", speaker.say("report.seat.all"), scope="row")
        rows.append(element("tr", whole, *map(_share, totals), class_="total"))
    return table(heads, rows, "heat")


def _bot(content: Content, row: Row) -> Markup:
    """What a bot's line of a table begins with."""
    return element("th", bot_of(content.names, content.links, row.entrant), scope="row")


def _share(share: Share) -> Markup:
    if share.value is None:
        return element("td", "·", class_="none")
    title = f"{share.beaten} - {share.tied} - {share.lost}"
    return element("td", f"{100 * share.value:.0f}", class_=_heat(share.value), title=title)


def thinking(content: Content, speaker: Speaker) -> Markup | None:
    """The longest time that each bot took for a turn, beside the limit."""
    times = sorted(((row, row.longest) for row in content.rows if row.longest), key=lambda pair: -pair[1])
    if not times:
        return None
    longest = times[0][1]
    allowed = None if content.limits is None else max(content.limits)
    # If all bots are far below the limit, their bars would be too short beside it.
    limit = allowed if allowed is not None and allowed < FAR * longest else None
    along = scale([*(1000 * time for _, time in times), *([1000 * limit] if limit else [])], most=2, low=0.0)
    heads = [head(speaker.say("report.column.bot")), head(speaker.say("report.column.longest"), "number")]
    heads.append(
        element("th", axis(along, "{:g} ms", True), class_="drawn", aria_label=speaker.say("report.think.bar"))
    )
    rows = []
    for row, time in times[:MAX_ROWS]:
        is_over = allowed is not None and time > allowed
        drawn = bar(along, 1000 * time, None if limit is None else 1000 * limit, is_over)
        number = element("td", speaker.duration(time, ".3g"), class_="number bad" if is_over else "number")
        rows.append(element("tr", _bot(content, row), number, element("td", drawn, class_="drawn")))
    note = element("p", _allowed(content.limits, speaker), class_="note")
    return _section("think", speaker, note, table(heads, rows, "bars"), _more(len(times) - MAX_ROWS, speaker))


def _allowed(limits: tuple[float, float] | None, speaker: Speaker) -> str:
    """What the times are, and what is allowed."""
    if limits is None:
        return speaker.say("report.think.plain")
    first, limit = (speaker.duration(limit, ".3g") for limit in limits)
    return speaker.say("report.think.note" if first == limit else "report.think.first", limit=limit, first=first)


def faults(content: Content, speaker: Speaker) -> Markup | None:
    """What bots did wrong, by kind."""
    kinds = content.kinds
    if not kinds:
        return _section("faults", speaker, element("p", speaker.say("report.faults.none")))
    keys = [*(f"fault.{kind}" for kind in kinds), "report.faults.matches", "report.faults.rate"]
    heads = [head(speaker.say("report.column.bot")), *(head(speaker.say(key), "number") for key in keys)]
    rows = []
    guilty = [row for row in content.rows if row.faults]
    for row in sorted(guilty, key=lambda row: -sum(row.faults.values())):
        counts = [element("td", str(row.faults.get(kind, "-")), class_="number") for kind in kinds]
        rate = element("td", _how_often(sum(row.faults.values()), row.matches, speaker), class_="number")
        share = speaker.say("report.faults.of", count=row.faulty, matches=row.matches)
        matches = element("td", share, class_="number bad" if row.fails else "number")
        rows.append(element("tr", _bot(content, row), *counts, matches, rate))
    shown = _wide(table(heads, rows), "report.faults", speaker)
    return _section("faults", speaker, shown, _reasons(content, speaker), _innocent(content, speaker))


def _reasons(content: Content, speaker: Speaker) -> Markup | None:
    """Why bots fail, an item for each."""
    if not content.reasons:
        return None
    items = []
    for each in content.reasons:
        told = speaker.say("contest.reason-of", reason=each.say(content.view.game, speaker), match=each.match)
        items.append(
            element("li", bot_of(content.names, content.links, each.entrant), speaker.say("joined.colon"), told)
        )
    return element("ul", *items, class_="reasons")


def _how_often(faults: int, matches: int, speaker: Speaker) -> str:
    """How often a bot misbehaved: a number of times in each match, or once in a number of matches."""
    rate = faults / max(1, matches)
    if rate >= 1:
        return speaker.say("report.faults.each", count=_digits(rate))
    return speaker.say("report.faults.once", count=_digits(1 / rate))


def _digits(count: float) -> str:
    """A number with only significant digits: 1.4, 12, 158."""
    return f"{count:.0f}" if count >= 9.95 else f"{count:.1f}".removesuffix(".0")


def _innocent(content: Content, speaker: Speaker) -> Markup | None:
    """Who of those who played never misbehaved; if there are many, only their number."""
    clean = [content.names[row.entrant] for row in content.rows if not row.faults and row.matches]
    if not clean:
        return None
    if len(clean) > MAX_INNOCENT:
        return element("p", speaker.say("report.faults.clean", count=len(clean)), class_="note")
    bots = speaker.say("fact.and").join(clean)
    return element("p", speaker.say("report.faults.clean-are", bots=bots), class_="note")


def aside(content: Content, speaker: Speaker) -> Markup | None:
    """Matches that could not be played, with the last line of what went wrong."""
    if not content.aside:
        return None
    items = []
    for each in content.aside[:MAX_ASIDE]:
        bots = " - ".join(content.names[entrant] for entrant in each.fixture.seats)
        error = (each.error.strip().splitlines() or [""])[-1]
        items.append(element("li", f"{each.fixture.number}: ", name_of(bots), element("br"), error))
    return _section("aside", speaker, element("ul", *items), _more(len(content.aside) - MAX_ASIDE, speaker))


def hand_ins(content: Content, speaker: Speaker) -> Markup | None:
    """Which hand-ins of the folder were omitted, and which have the same content, if that is wanted."""
    left_out, alike = content.view.spec.left_out, content.view.spec.alike
    if not content.hand_ins or not (left_out or alike):
        return None
    items = [
        element("li", name_of(each.name), element("br"), each.reason(speaker), _compiler(each.log))
        for each in left_out[:MAX_ROWS]
    ]
    same = [
        element("li", speaker.say("contest.alike", bots=speaker.say("fact.and").join(names)))
        for names in alike[:MAX_ROWS]
    ]
    note = element("p", speaker.say("report.hand-ins.note"), class_="note") if items else None
    lists = [note, *(element("ul", *part) for part in (items, same) if part)]
    more = _more(len(left_out) - len(items) + len(alike) - len(same), speaker)
    return _section("hand-ins", speaker, *lists, more)


def _compiler(lines: Sequence[str]) -> Markup | None:
    """The last lines of a compiler."""
    return element("pre", *(part for line in lines for part in (line, Markup("\n")))) if lines else None


def latest(content: Content, speaker: Speaker) -> Markup | None:
    """One list for each bot, the target of its name's link; none in a site, where each bot has its own page."""
    shown = {
        entrant: own for entrant, own in content.latest.items() if content.links.get(entrant) == _anchor(entrant)
    }
    if not shown:
        return None
    parts: list[Part] = [element("p", speaker.say("report.latest.note"), class_="note")]
    for entrant in shown:
        link = element("a", name_of(content.names[entrant]), href=_anchor(entrant))
        parts.append(
            element("div", element("h3", link), _latest_of(content, entrant, speaker), id=_anchor(entrant)[1:])
        )
    parts.append(element("p", speaker.say("report.matches.command"), class_="note"))
    return _section("latest", speaker, *parts)


def _anchor(entrant: int) -> str:
    return f"#bot-{entrant}"


def _latest_of(content: Content, entrant: int, speaker: Speaker) -> Markup:
    """The matches of one bot, the latest first: its place, the others and their places."""
    heads = [head(speaker.say(f"site.column.{name}")) for name in ("match", "place", "others")]
    lines = []
    for result in reversed(content.latest[entrant]):
        match = result.fixture
        own = match.seats.index(entrant)
        others = listed(
            (name_of(content.names[other]), f" {result.places[seat]}")
            for seat, other in enumerate(match.seats)
            if seat != own
        )
        kinds = speaker.listed(speaker.say(f"fault.{kind}") for kind in (result.faults[own] if result.faults else ()))
        cells = [
            element("th", str(match.number), scope="row"),
            element("td", str(result.places[own]), element("span", kinds, class_="remark bad") if kinds else None),
            element("td", *others),
        ]
        lines.append(element("tr", *cells))
    return _wide(table(heads, lines), "report.latest", speaker)


SECTIONS: tuple[Section, ...] = (over_time, crossed, by_seat, by_map, faults, thinking, aside, hand_ins, latest)


def _section(name: str, speaker: Speaker, *parts: Part) -> Markup:
    return section(name, speaker.say(f"report.{name}"), *parts)


def _more(left: int, speaker: Speaker) -> Markup | None:
    """A note about what is not shown, if there is anything."""
    return element("p", speaker.say("report.more", count=left), class_="note") if left > 0 else None


def _wide(inside: Markup, key: str, speaker: Speaker) -> Markup:
    return wide(inside, speaker.say(key))
