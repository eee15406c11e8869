"""A bot's ratings by batch, as a drawing that the server makes: a line for each version, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from dohyo.guests.site.arena.bot_facts import Point
from dohyo.series.standings import TOLD
from dohyo.web.plain.markup import Markup, element
from dohyo.web.plain.scales import Scale, scale

HEIGHT = 220  # pixels
MARGIN = 12  # pixels above and below
FINE = 1000  # units of width in which lines are drawn
MARKS = 44  # pixels: the width of the ratings beside it


def rating_chart(points: Sequence[Point], label: str, ends: tuple[str, str], version: Sequence[str]) -> Markup | None:
    """The chart; none of fewer than two points. `version` are the versions' names, in the order of entering.

    `label` says what it shows, `ends` what stands below both its ends.
    """
    batches = sorted({point.batch for point in points})
    if len(batches) < 2:
        return None
    across = Scale(batches[0], batches[-1], ())
    up = scale([value for point in points for value in (*_ends(point), point.rating)], most=4)
    by_version = [list(own) for _, own in groupby(sorted(points, key=_order), key=lambda point: point.entrant)]
    grid = [_across(_height(up, tick)) for tick in up.ticks]
    fine = {"viewBox": f"0 0 {FINE} {HEIGHT}", "preserveAspectRatio": "none", "width": "100%", "height": str(HEIGHT)}
    lines = [part for own in by_version for part in _version(own, across, up)]
    begins = [
        part for own, name in zip(by_version[1:], version[1:], strict=False) for part in _begin(own, name, across)
    ]
    under = [
        element("text", ends[0], x="0", y=str(HEIGHT + 16), class_="tick"),
        element("text", ends[1], x="100%", y=str(HEIGHT + 16), text_anchor="end", class_="tick"),
    ]
    plot = element(
        "svg", *grid, element("svg", *lines, **fine), *begins, *under, class_="plot", height=str(HEIGHT + 20)
    )
    return element("div", _marks(up), plot, class_="chart", role="img", aria_label=label)


def _order(point: Point) -> tuple[int, int]:
    return point.entrant, point.batch


def _ends(point: Point) -> tuple[float, float]:
    """The ends of its interval, as far as they say anything."""
    low = point.rating if point.low is None else point.low
    high = point.rating if point.high is None else point.high
    return max(low, point.rating - TOLD), min(high, point.rating + TOLD)


def _height(up: Scale, rating: float) -> float:
    return MARGIN + (1 - up.share(rating)) * (HEIGHT - 2 * MARGIN)


def _across(y: float) -> Markup:
    return element("line", x1="0", x2="100%", y1=f"{y:.1f}", y2=f"{y:.1f}", class_="grid")


def _marks(up: Scale) -> Markup:
    """The ratings of the grid's lines."""
    texts = [
        element("text", f"{t:g}", x=str(MARKS - 8), y=f"{_height(up, t) + 4:.1f}", text_anchor="end", class_="tick")
        for t in up.ticks
    ]
    return element("svg", *texts, class_="marks", width=str(MARKS), height=str(HEIGHT + 20))


def _version(own: Sequence[Point], across: Scale, up: Scale) -> list[Markup]:
    """One version's interval as a band, and its rating as a line in it; a dot for a single one."""

    def at(point: Point, rating: float) -> str:
        return f"{FINE * across.share(point.batch):.1f},{_height(up, rating):.1f}"

    high = [at(point, _ends(point)[1]) for point in own]
    low = [at(point, _ends(point)[0]) for point in reversed(own)]
    line = " ".join(at(point, point.rating) for point in own)
    band = element("polygon", points=" ".join([*high, *low]), class_="band")
    return [band, element("polyline", points=line, vector_effect="non-scaling-stroke", class_="curve")]


def _begin(own: Sequence[Point], name: str, across: Scale) -> list[Markup]:
    """Where a newer version begins."""
    share = across.share(own[0].batch)
    x, anchor = f"{100 * share:.2f}%", "end" if share > 0.9 else "start"
    return [
        element("line", x1=x, x2=x, y1="0", y2=str(HEIGHT), class_="begin"),
        element("text", name, x=x, y="11", dx="4" if anchor == "start" else "-4", text_anchor=anchor, class_="tick"),
    ]
