"""An analysis in words, for the terminal and the page."""

from __future__ import annotations

from dohyo.guests.analysis.found import TurningPoint
from dohyo.i18n import Speaker


def point_in_words(point: TurningPoint, name: str, speaker: Speaker) -> str:
    """A turning point as a sentence; actions are what a bot writes, which its author knows."""
    return speaker.say(
        "analysis.point",
        turn=point.turn,
        name=name,
        seat=point.seat,
        played=done_in_words(point.played, point.fault, speaker),
        better=point.better,
        left=percent(point.left),
        kept=percent(point.kept),
        error=f"{100 * point.error:.0f}",
    )


def done_in_words(action: str, fault: str, speaker: Speaker) -> str:
    """What a seat did: its action as a bot writes it, or the kind of its fault where that decided instead."""
    if fault:
        return speaker.say("analysis.fault", fault=speaker.say(f"fault.{fault}"))
    return action


def percent(chance: float) -> str:
    """A chance for people."""
    return f"{100 * chance:.0f} %"
