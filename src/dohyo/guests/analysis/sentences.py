"""An analysis in words, for the terminal and the page."""

from __future__ import annotations

from dohyo.guests.analysis.analysis import TurningPoint
from dohyo.i18n import say


def point_in_words(point: TurningPoint, name: str, language: str) -> str:
    """A turning point as a sentence; actions are what a bot writes, which its author knows."""
    return say(
        "analysis.point",
        language,
        turn=point.turn,
        name=name,
        seat=point.seat,
        played=done_in_words(point.played, point.fault, language),
        better=point.better,
        left=percent(point.left),
        kept=percent(point.kept),
        error=f"{100 * point.error:.0f}",
    )


def done_in_words(action: str, fault: str, language: str) -> str:
    """What a seat did: its action as a bot writes it, or the kind of its fault where that decided instead."""
    if fault:
        return say("analysis.fault", language, fault=say(f"fault.{fault}", language))
    return action


def percent(chance: float) -> str:
    """A chance for people."""
    return f"{100 * chance:.0f} %"
