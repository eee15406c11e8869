"""An analysis as the page shows it: see `Analysis` in `dohyo.web.content` for the form."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from dohyo.core import playback
from dohyo.core.game import Game
from dohyo.core.playback import Moment
from dohyo.core.replay import Move, Replay, Turn
from dohyo.guests.analysis.sentences import (
    facts_in_words,
    how_in_words,
    judged_in_words,
    point_in_words,
    stopped_in_words,
    tried_in_words,
)
from dohyo.i18n import Speaker
from dohyo.series.analysed import Analysis, TurningPoint
from dohyo.web import content
from dohyo.web.differences import difference

Row = list[list[float] | None]
DIGITS = 4  # behind the point


def shown(analysis: Analysis, game: Game, replay: Replay, speaker: Speaker) -> list[content.Analysis]:
    """The analysis for everybody's view, and for each seat that did not see everything its own view of it.

    Where both are, each says of what state its chances are: the true one, or what the seat saw. A seat's view leaves
    out the decisions for which no states were found that fit what it had seen: those were judged from the true state,
    of which the seat must learn nothing.
    """
    seats = range(len(analysis.seats))
    points = [_point(analysis, at, speaker) for at in range(len(analysis.points))]
    lines = [played_line(game, replay, point) for point in analysis.points]
    known = {one.turn: one for one in analysis.chances}
    turns = [turn.turn for turn in replay.turns if turn.moves and known and turn.turn <= max(known)]
    rows: list[Row | None] = [
        [_rounded(one.chance[seat], one.low[seat], one.high[seat]) for seat in seats] if one else None
        for one in map(known.get, turns)
    ]
    end = result_of(analysis, replay)
    everybody: content.Analysis = {
        "seat": None,
        "chances": [*rows, None if end is None else [_rounded(one, one, one) for one in end]],
        "points": _with_lines(game, points, lines, None),
        "facts": [one._asdict() for one in facts_in_words(analysis.facts, analysis.seats, game, speaker)],
    }
    stopped = stopped_in_words(analysis, analysis.seats, speaker)
    if not analysis.seen:
        words = {
            "note": how_in_words(analysis, speaker),
            "points_note": "\n".join(filter(None, (stopped, tried_in_words(analysis, speaker)))),
        }
        return [everybody | words]
    words = {
        "basis": speaker.say("analysis.basis-true"),
        "note": " ".join(filter(None, (speaker.say("analysis.true"), judged_in_words(analysis, speaker)))),
        "points_note": "\n".join(
            filter(None, (stopped, speaker.say("analysis.points-seen"), tried_in_words(analysis, speaker)))
        ),
    }
    views = [everybody | words]
    words = {"basis": speaker.say("analysis.basis-seen"), "note": speaker.say("analysis.as-seen")}
    for seat in sorted({one.seat for one in analysis.seen}):
        fitting = [one for one in analysis.seen if one.seat == seat and not one.is_true]
        told = {one.turn: _rounded(one.chance, one.low, one.high) for one in fitting}
        own: list[Row | None] = [
            [told[turn] if other == seat else None for other in seats] if turn in told else None for turn in turns
        ]
        mine = [point for point in _with_lines(game, points, lines, seat) if point["seat"] == seat]
        mine = [point for point in mine if point["turn"] in told]
        views.append({"seat": seat, "chances": [*own, None], "points": mine} | words)
    return views


def _point(analysis: Analysis, at: int, speaker: Speaker) -> dict[str, Any]:
    """A turning point: its sentence names the better action, too, `lost` is the part of its seat's chance.

    Its `basis` is said where there are two of them.
    """
    point = analysis.points[at]
    judge = "" if analysis.judge is None else analysis.judge.name
    text = point_in_words(point, analysis.seats[point.seat], speaker, judge)
    told: dict[str, Any] = {"turn": point.turn, "seat": point.seat, "text": text, "action": ""}
    if point.said is None:  # otherwise it is in a judge's own unit, and no part of a chance
        told["lost"] = round(point.loss, DIGITS)
    if analysis.seen:
        fits = any((one.turn, one.seat) == (point.turn, point.seat) and not one.is_true for one in analysis.seen)
        told["basis"] = speaker.say("analysis.basis-seen" if fits else "analysis.basis-alone")
    return told


def played_line(game: Game, replay: Replay, point: TurningPoint) -> list[Moment]:
    """The better way of a turning point, played by the rules from its turn on; nothing if the analysis has none."""
    if not point.line:
        return []
    dice = [(), *(turn.dice for turn in point.line)]
    turns = [
        Turn(number, fallen, tuple(Move(seat, action) for seat, action in sorted(turn.actions.items())))
        for number, (turn, fallen) in enumerate(zip(point.line, dice, strict=False), point.turn)
    ]
    return list(playback.continued(game, replay, turns))


def _with_lines(
    game: Game, points: Sequence[dict[str, Any]], lines: Sequence[Sequence[Moment]], seat: int | None
) -> list[dict[str, Any]]:
    """The turning points, each with its better way as a seat (none: everybody) would see it."""
    return [
        point | {"line": line_of(game, line, seat)} if line else point
        for point, line in zip(points, lines, strict=True)
    ]


def line_of(game: Game, line: Sequence[Moment], seat: int | None) -> dict[str, Any]:
    """Frames and moves of turns that were never played, in the form that views have."""
    frames = [game.frame(each.before, each.actions, each.events, each.after, seat) for each in line]
    turns = [[{"seat": move.seat, "action": move.action} for move in each.turn.moves] for each in line]
    return {"first": frames[0], "changes": [difference(old, new) for old, new in pairwise(frames)], "turns": turns}


def result_of(analysis: Analysis, replay: Replay) -> list[float] | None:
    """What the match came to, by seat: the shares of the first place; none if the analysis ends before it."""
    places = replay.result.places
    if not places or max(analysis.turns, len(analysis.chances)) < replay.played:
        return None
    return [1 / places.count(1) if place == 1 else 0.0 for place in places]


def _rounded(*values: float) -> list[float]:
    return [round(value, DIGITS) for value in values]
