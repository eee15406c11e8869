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
        played=done_in_words(point.played, point.fault, game, language),
        better=game.action_in_words(point.better, language),
        left=percent(point.left),
        kept=percent(point.kept),
        error=f"{100 * point.error:.0f}",
    )


def done_in_words(action: str, fault: str, game: Game, language: str) -> str:
    """What a seat did: its action, or the kind of its fault where that decided instead."""
    if fault:
        return say("analysis.fault", language, fault=say(f"fault.{fault}", language))
    return game.action_in_words(action, language)


def percent(chance: float) -> str:
    """A chance for people."""
    return f"{100 * chance:.0f} %"
