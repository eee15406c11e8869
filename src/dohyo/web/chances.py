"""An analysis as the page shows it: see `Analysis` in `dohyo.web.content` for the form."""

from __future__ import annotations

from typing import Any

from dohyo.app.analysis import Analysis
from dohyo.app.analysis_words import point_in_words
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.i18n import say
from dohyo.web import content

Row = list[list[float] | None]
DIGITS = 4  # behind the point


def shown(analysis: Analysis, game: Game, replay: Replay, language: str) -> list[content.Analysis]:
    """The analysis for everybody's view, and for each seat that did not see everything its own view of it."""
    seats = range(len(analysis.seats))
    points = [_point(analysis, at, game, language) for at in range(len(analysis.points))]
    rows: list[Row] = [
        [_rounded(one.chance[seat], one.low[seat], one.high[seat]) for seat in seats] for one in analysis.chances
    ]
    note = (
        say("analysis.true", language) if analysis.seen else say("analysis.how", language, playouts=analysis.playouts)
    )
    views: list[content.Analysis] = [
        {"seat": None, "chances": [*rows, _end(analysis, replay)], "points": points, "note": note}
    ]
    for seat in sorted({one.seat for one in analysis.seen}):
        told = {one.turn: _rounded(one.chance, one.low, one.high) for one in analysis.seen if one.seat == seat}
        own: list[Row | None] = [
            [told[one.turn] if other == seat else None for other in seats] if one.turn in told else None
            for one in analysis.chances
        ]
        mine = [point for point in points if point["seat"] == seat]
        views.append(
            {"seat": seat, "chances": [*own, None], "points": mine, "note": say("analysis.as-seen", language)}
        )
    return views


def _point(analysis: Analysis, at: int, game: Game, language: str) -> dict[str, Any]:
    """A turning point; its sentence names the better action, too."""
    point = analysis.points[at]
    text = point_in_words(point, analysis.seats[point.seat], game, language)
    return {"turn": point.turn, "seat": point.seat, "text": text, "action": ""}


def _end(analysis: Analysis, replay: Replay) -> Row | None:
    """What the last position was worth: the shares of the first place; none if the analysis ends before it."""
    places = replay.result.places
    if not places or len(analysis.chances) < replay.played:
        return None
    share = 1 / places.count(1)
    return [_rounded(*[share if place == 1 else 0.0] * 3) for place in places]


def _rounded(*values: float) -> list[float]:
    return [round(value, DIGITS) for value in values]
