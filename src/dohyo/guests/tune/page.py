"""A tuning as one HTML page: what was found, and how the expected score changes with the parameters.

The page has no script and makes no request, and its drawings are SVG.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dohyo.core.game import title_in
from dohyo.guests.tune.final import EXPECTED, RECOMMENDED, Outcome
from dohyo.guests.tune.space import Parameter, toml, values_along
from dohyo.guests.tune.tuning import Point, Tuning, curve, numbers, surface
from dohyo.i18n import ENGLISH, Speaker
from dohyo.series.compare import elo_line, told_rounds
from dohyo.series.formats.comparison import SoFar
from dohyo.web.plain.markup import Markup, element, header, joined
from dohyo.web.plain.page import foot, whole
from dohyo.web.plain.scales import scale

WIDE, HIGH = 420, 240  # pixels of a plot's drawing
LEFT, RIGHT, TOP, BOTTOM = 38, 10, 24, 26  # pixels around what it shows
AREA = 320  # pixels: the side of the surface
MARKS = 5  # values marked along a number
BINS = 16  # groups of candidates along a parameter, whose mean scores are dots
STYLE = Path(__file__).with_name("tuning.css")


def html(tuning: Tuning, final: SoFar | None, command: str, outcome: Outcome, speaker: Speaker = ENGLISH) -> str:
    """The page of a tuning with its final comparison, if there was one; `command` plays with the best values."""
    title = speaker.say("tune.page-title", bot=tuning.bot.name, game=title_in(tuning.game, speaker))
    if tuning.best is None:
        found = element("p", speaker.say("tune.page-nothing"))
        return whole(title, _body(title, [found], speaker), speaker, STYLE)
    parts = [_found(tuning, final, command, outcome, speaker), *_plots(tuning, speaker)]
    return whole(title, _body(title, parts, speaker), speaker, STYLE)


def _body(title: str, parts: Sequence[Markup | None], speaker: Speaker) -> Markup:
    return joined(header(title, {}), element("main", *parts), foot(speaker))


def _plots(tuning: Tuning, speaker: Speaker) -> list[Markup | None]:
    curves = element(
        "section",
        element("h2", speaker.say("tune.page-curves")),
        element("p", speaker.say("tune.page-curve"), class_="note"),
        element("div", *(_plot(tuning, axis, speaker) for axis in range(len(tuning.space))), class_="plots"),
    )
    return [curves, _two(tuning, speaker)]


def _found(tuning: Tuning, final: SoFar | None, command: str, outcome: Outcome, speaker: Speaker) -> Markup:
    """The values, what is expected of them, and what the final comparison says."""
    best = tuning.best
    assert best is not None
    heads = [element("th", speaker.say(f"tune.column.{key}")) for key in ("name", "range", "default", "best")]
    rows = [
        element("tr", *(element("td", part) for part in (one.name, one.range, one.default or "-", _of(tuning, one))))
        for one in tuning.space
    ]
    score = speaker.say("tune.score", percent=f"{100 * best.score:.0f}", wide=f"{100 * best.wide:.0f}")
    said = [speaker.say("tune.expected", matches=tuning.matches, score=score)] if outcome in EXPECTED else []
    if final is not None and final.matches:
        verdict = final.verdict
        key = "compare.wdl" if tuning.terms.seats == 2 else "compare.opponents"
        figures = speaker.say(key, won=final.won, tied=final.tied, lost=final.lost)
        figures += "   " + elo_line(verdict, speaker)
        rounds = told_rounds(verdict.clusters, tuning.terms.seats, speaker)
        said.append(speaker.say("tune.final", rounds=rounds, figures=figures))
    said.append(speaker.say(f"tune.{outcome}"))
    lines = {"tune.to-play": command, "tune.in-toml": toml(tuning.space, best.values)}
    lines = lines if outcome in RECOMMENDED else {}
    typed = [
        element(tag, text)
        for key, line in lines.items()
        if line
        for tag, text in (("p", speaker.say(key)), ("pre", line))
    ]
    table = element("table", element("thead", element("tr", *heads)), element("tbody", *rows))
    return element("section", table, *(element("p", one) for one in said), *typed)


def _of(tuning: Tuning, one: Parameter) -> str:
    assert tuning.best is not None
    return tuning.best.values[one.name]


# --- one parameter


def _plot(tuning: Tuning, axis: int, speaker: Speaker) -> Markup:
    """The expected score along one parameter."""
    one, points = tuning.space[axis], curve(tuning, axis)
    dots = _dots(tuning, axis)
    ends = [end for point in points for end in (point.score - point.wide, point.score + point.wide)]
    up = scale([100 * min(max(end, 0.0), 1.0) for end in ends] + [100 * score for _, score, _ in dots])
    last = max(len(one.words) - 1, 1)

    def across(place: float) -> float:
        share = (place + 0.5) / (last + 1) if one.words else place
        return LEFT + min(max(share, 0.0), 1.0) * (WIDE - LEFT - RIGHT)

    def height(score: float) -> float:
        return TOP + (1 - up.share(100 * score)) * (HIGH - TOP - BOTTOM)

    grid: list[Markup] = []
    for tick in up.ticks:
        y = height(tick / 100)
        grid.append(element("line", x1=LEFT, x2=WIDE - RIGHT, y1=y, y2=y, class_="grid"))
        grid.append(element("text", f"{tick:g}", x=LEFT - 6, y=y + 4, text_anchor="end", class_="tick"))
    for value, place in _marks(one):
        grid.append(element("text", value, x=across(place), y=HIGH - 8, text_anchor="middle", class_="tick"))
    circles = [
        element("circle", cx=across(place), cy=height(score), r=min(2 + count**0.5, 9.0), class_="dot")
        for place, score, count in dots
    ]
    lines = _uprights(tuning, one, across, speaker)
    drawn = _steps(points, across, height) if one.words else _curve(points, across, height)
    picture = element("svg", *grid, *drawn, *circles, *lines, viewBox=f"0 0 {WIDE} {HIGH}", role="img",
                      aria_label=one.name)  # fmt: skip
    return element("figure", element("figcaption", one.name), picture)


def _marks(one: Parameter) -> list[tuple[str, float]]:
    """The values that are written below a plot, with their places."""
    if one.words:
        return [(word, float(at)) for at, word in enumerate(one.words)]
    return [(value, one.place(value)) for value in values_along(one, MARKS)]


def _curve(points: Sequence[Point], across: Any, height: Any) -> list[Markup]:
    over = [f"{across(point.place):.1f},{height(point.score + point.wide):.1f}" for point in points]
    under = [f"{across(point.place):.1f},{height(point.score - point.wide):.1f}" for point in points]
    mean = " ".join(f"{across(point.place):.1f},{height(point.score):.1f}" for point in points)
    band = " ".join([*over, *reversed(under)])
    return [element("polygon", points=band, class_="band"), element("polyline", points=mean, class_="mean")]


def _steps(points: Sequence[Point], across: Any, height: Any) -> list[Markup]:
    """For words, a line with its interval for each."""
    drawn = []
    for point in points:
        x, top, low = across(point.place), height(point.score + point.wide), height(point.score - point.wide)
        drawn.append(element("rect", x=x - 9, y=top, width=18, height=low - top, class_="band"))
        middle = height(point.score)
        drawn.append(element("line", x1=x - 9, x2=x + 9, y1=middle, y2=middle, class_="mean"))
    return drawn


def _dots(tuning: Tuning, axis: int) -> list[tuple[float, float, int]]:
    """The mean place and score of candidates by groups along a parameter, and how many these are."""
    one = tuning.space[axis]
    groups: dict[int, list[tuple[float, float]]] = {}
    for tried in tuning.tried:
        place = one.place(tried.values[one.name])
        group = int(place) if one.words else int(min(max(place, 0.0), 0.999) * BINS)
        groups.setdefault(group, []).append((place, tried.score))
    return [
        (sum(place for place, _ in each) / len(each), sum(score for _, score in each) / len(each), len(each))
        for each in groups.values()
    ]


def _uprights(tuning: Tuning, one: Parameter, across: Any, speaker: Speaker) -> list[Markup]:
    """Lines at the best value and at the default, with their names above."""
    drawn = []
    for key, value in (("best", _of(tuning, one)), ("default", one.default)):
        if value:
            x = across(one.place(value))
            side = "end" if x > WIDE / 2 else "start"
            drawn.append(element("line", x1=x, x2=x, y1=TOP - 4, y2=HIGH - BOTTOM, class_=key))
            y = TOP - 12 if key == "best" else TOP
            shown = speaker.labelled(speaker.say(f"tune.page-{key}"), str(value))
            drawn.append(element("text", shown, x=x + (5 if side == "start" else -5), y=y, text_anchor=side,
                                 class_="key"))  # fmt: skip
    return drawn


# --- two parameters


def _two(tuning: Tuning, speaker: Speaker) -> Markup | None:
    """The expected score over the two numbers that change it most; none if there are no two."""
    axes = numbers(tuning)[:2]
    if len(axes) < 2 or tuning.best is None:
        return None
    across, up = sorted(axes)
    one, other = tuning.space[across], tuning.space[up]

    def circle(values: Mapping[str, str], radius: float, name: str) -> Markup | None:
        if not values[one.name] or not values[other.name]:
            return None
        right, above = (min(max(each.place(values[each.name]), 0.0), 1.0) for each in (one, other))
        x, y = LEFT + right * AREA, TOP + (1 - above) * AREA
        return element("circle", cx=x, cy=y, r=radius, class_=name)

    drawn: list[Markup | None] = [*_squares(surface(tuning, across, up))]
    drawn += [circle(tried.values, 1.8, "dot") for tried in tuning.tried]
    drawn.append(circle({each.name: each.default for each in tuning.space}, 7, "default"))
    drawn.append(circle(tuning.best.values, 7, "best"))
    for value, place in _marks(one):
        x = LEFT + place * AREA
        drawn.append(element("text", value, x=x, y=TOP + AREA + 18, text_anchor="middle", class_="tick"))
    for value, place in _marks(other):
        y = TOP + (1 - place) * AREA + 4
        drawn.append(element("text", value, x=LEFT - 6, y=y, text_anchor="end", class_="tick"))
    said = speaker.say("tune.page-surface-is", across=one.name, up=other.name)
    box = f"0 0 {LEFT + AREA + RIGHT} {TOP + AREA + BOTTOM}"
    picture = element("svg", *drawn, viewBox=box, role="img", aria_label=said)
    heading = element("h2", speaker.say("tune.page-surface"))
    return element("section", heading, element("p", said, class_="note"), element("figure", picture))


def _squares(scores: Sequence[Sequence[float]]) -> list[Markup]:
    """A field of squares, the darker the higher the score; rows from low to high."""
    flat = [score for row in scores for score in row]
    low, span, size = min(flat), max(max(flat) - min(flat), 0.01), AREA / len(scores)
    return [
        element(
            "rect",
            x=LEFT + column * size,
            y=TOP + AREA - (row + 1) * size,
            width=size,
            height=size,
            fill_opacity=0.04 + 0.9 * (score - low) / span,
            shape_rendering="crispEdges",
            class_="square",
        )
        for row, each in enumerate(scores)
        for column, score in enumerate(each)
    ]
