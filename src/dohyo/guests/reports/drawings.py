"""The drawings of a report, as SVG. Horizontal positions are in percent of the width, heights in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

import msgspec

from dohyo.web.plain.markup import Markup, element, joined
from dohyo.web.plain.scales import Scale, scale

ROW = 30  # pixels: the height of a row's drawing
CHART = 280  # pixels: the height of the chart of ratings
MARGIN = 14  # pixels above and below what it shows
LABELS = 118  # pixels: the width of the names beside it
APART = 15  # pixels between two names at least
LETTERS = 13  # of a name beside the chart; wide ones count twice
FINE = 1000  # units of width in which the lines of the chart are drawn
MARKS = 40  # pixels: the width of the ratings to the left of it
NEAR = 0.15  # of the width: the text of a mark this close to an end of a scale might reach over it
COLOURS = 8

# --- drawings in the row of a table


def axis(along: Scale, form: str = "{:g}", is_inside: bool = False) -> Markup:
    """The marks of a scale, above the rows; on request, texts close to an end do not reach over it."""
    texts = []
    for tick in along.ticks:
        side = _side(along.share(tick)) if is_inside else "middle"
        texts.append(element("text", form.format(tick), x=along.at(tick), y="18", text_anchor=side, class_="tick"))
    return _drawing(24, *texts)


def _side(share: float) -> str:
    """Which part of a mark's text is at its position."""
    if share < NEAR:
        return "start"
    return "end" if share > 1 - NEAR else "middle"


def interval(along: Scale, middle: float, low: float, high: float) -> Markup:
    """A rating in its interval."""
    y = str(ROW / 2)
    return _drawing(
        ROW,
        *_grid(along),
        element("line", x1=along.at(low), x2=along.at(high), y1=y, y2=y, class_="span"),
        *(
            element(
                "line", x1=along.at(end), x2=along.at(end), y1=str(ROW / 2 - 5), y2=str(ROW / 2 + 5), class_="end"
            )
            for end in (low, high)
        ),
        element("circle", cx=along.at(middle), cy=y, r="5", class_="middle"),
    )


def bar(along: Scale, value: float, limit: float | None, is_over: bool = False) -> Markup:
    """A bar from the scale's beginning to the value, with a mark at the limit."""
    width = f"{100 * along.share(value):.2f}%"
    mark = None if limit is None else _upright(along.at(limit), "limit")
    bad = " over" if is_over else ""
    return _drawing(
        ROW, *_grid(along), element("rect", x="0", y="8", height="14", width=width, rx="2", class_=f"bar{bad}"), mark
    )


def _grid(along: Scale) -> list[Markup]:
    return [_upright(along.at(tick), "grid") for tick in along.ticks]


def _upright(x: str, name: str) -> Markup:
    """A line through the row and its neighbours, however high they are; the part outside is cut off."""
    return element("line", x1=x, x2=x, y1=f"-{3 * ROW}", y2=str(4 * ROW), class_=name)


def _drawing(height: int, *parts: Markup | None) -> Markup:
    return element("svg", *parts, width="100%", height=str(height), aria_hidden="true", focusable="false")


# --- the chart of ratings


class PlotLine(msgspec.Struct, frozen=True):
    """A bot's ratings: its name, in whole and short, the number of its colour, and its points (batch, rating)."""

    name: str
    short: str
    colour: int
    points: tuple[tuple[int, float], ...]


def chart(lines: Sequence[PlotLine], label: str, ends: tuple[str, str]) -> Markup:
    """Ratings by batch, each line with its name at its end. `label` says what it shows, `ends` both ends of x."""
    batches = [batch for line in lines for batch, _ in line.points]
    across = Scale(min(batches), max(batches), ())
    up = scale([rating for line in lines for _, rating in line.points])
    grid = []
    for tick in up.ticks:
        y = f"{_height(up, tick):.1f}"
        grid.append(element("line", x1="0", x2="100%", y1=y, y2=y, class_="grid"))
    drawn = [_line(line, across, up) for line in lines]
    fine = {"viewBox": f"0 0 {FINE} {CHART}", "preserveAspectRatio": "none", "width": "100%", "height": str(CHART)}
    under = joined(
        element("text", ends[0], x="0", y=str(CHART + 16), class_="tick"),
        element("text", ends[1], x="100%", y=str(CHART + 16), text_anchor="end", class_="tick"),
    )
    plot = element(
        "svg", *grid, element("svg", *drawn, **fine), under, class_="plot", height=str(CHART + 20), aria_hidden="true"
    )
    return element("div", _marks(up), plot, _labels(lines, up), class_="chart", role="img", aria_label=label)


def _marks(up: Scale) -> Markup:
    """The ratings of the grid's lines, to the left of the lines, where there is no curve."""
    texts = [
        element(
            "text", f"{tick:g}", x=str(MARKS - 7), y=f"{_height(up, tick) + 4:.1f}", text_anchor="end", class_="tick"
        )
        for tick in up.ticks
    ]
    return element("svg", *texts, class_="marks", width=str(MARKS), height=str(CHART + 20), aria_hidden="true")


def _line(line: PlotLine, across: Scale, up: Scale) -> Markup:
    points = " ".join(f"{FINE * across.share(batch):.1f},{_height(up, rating):.1f}" for batch, rating in line.points)
    return element("polyline", points=points, vector_effect="non-scaling-stroke", class_=f"curve c{line.colour}")


def _labels(lines: Sequence[PlotLine], up: Scale) -> Markup:
    """The names, each at the height of its line's end, if there is space."""
    ends = sorted((_height(up, line.points[-1][1]), at) for at, line in enumerate(lines))
    heights = spread([height for height, _ in ends], APART, MARGIN - 4, CHART - 2)
    texts = []
    for (end, at), y in zip(ends, heights, strict=True):
        colour = f"c{lines[at].colour}"
        lead = element("line", x1="0", x2="10", y1=f"{end:.1f}", y2=f"{y:.1f}", class_=f"curve {colour}")
        texts += [
            lead,
            element("text", lines[at].short, x="14", y=f"{y + 4:.1f}", class_=f"label {colour}"),
        ]
    return element("svg", *texts, class_="labels", width=str(LABELS), height=str(CHART + 20), aria_hidden="true")


def _height(up: Scale, rating: float) -> float:
    return MARGIN + (1 - up.share(rating)) * (CHART - 2 * MARGIN)


def spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Positions close to ascending wishes, at least `apart` from each other, between `low` and `high` if they fit."""
    found: list[float] = []
    for wish in wanted:
        found.append(max(wish, low if not found else found[-1] + apart))
    limit = high
    for at in range(len(found) - 1, -1, -1):
        found[at] = min(found[at], limit)
        limit = found[at] - apart
    return found


def cut(name: str, letters: int) -> str:
    """A name that is not wider than so many letters."""
    width = 0
    for at, letter in enumerate(name):
        width += 2 if east_asian_width(letter) in "WF" else 1
        if width > letters:
            return name[: at - 1] + "…"
    return name
