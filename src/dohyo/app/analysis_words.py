"""An analysis in words, for the terminal and the page."""

from __future__ import annotations

from dohyo.app.analysis import TurningPoint
from dohyo.core.game import Game
from dohyo.i18n import say


def point_in_words(point: TurningPoint, name: str, game: Game, language: str) -> str:
    """A turning point as a sentence."""
    return say(
        "analysis.point",
        language,
        turn=point.turn,
        name=name,
        seat=point.seat,
        played=game.action_in_words(point.played, language),
        better=game.action_in_words(point.better, language),
        left=percent(point.left),
        kept=percent(point.kept),
        error=f"{100 * point.error:.0f}",
    )


def percent(chance: float) -> str:
    """A chance for people."""
    return f"{100 * chance:.0f} %"
