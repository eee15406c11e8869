"""An analysis in words, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.guests.analysis.found import Analysis, TurningPoint
from dohyo.i18n import Speaker

DRAWN = 0.4, 0.6  # between these chances a proven result is a draw


def point_in_words(point: TurningPoint, name: str, speaker: Speaker) -> str:
    """A turning point as a sentence; actions are what a bot writes, which its author knows."""
    played = done_in_words(point.played, point.fault, speaker)
    told = {"turn": point.turn, "name": name, "seat": point.seat, "played": played, "better": point.better}
    if point.proven:
        left, kept = _proven(point.left, speaker), _proven(point.kept, speaker)
        return speaker.say("analysis.point-proven", left=left, kept=kept, **told)
    if point.always:
        told |= {"left": percent(point.left), "kept": percent(point.kept)}
        return speaker.say("analysis.point-always", times=point.times, **told)
    left, kept = (_count(won) for won in point.won)
    return speaker.say("analysis.point", times=point.times, left=left, kept=kept, **told)


def stopped_in_words(found: Analysis, names: Sequence[str], speaker: Speaker) -> str:
    """Which bot was stopped, when and why; empty if none was."""
    if (end := found.stopped) is None:
        return ""
    told = {"turn": end.turn, "seat": end.seat, "fault": speaker.say(f"fault.{end.fault}")}
    return speaker.say("analysis.stopped", name=names[end.seat], **told)


def tried_in_words(found: Analysis, speaker: Speaker) -> str:
    """How many decisions were tried, and who played on."""
    if not found.by:
        return speaker.say("analysis.nobody-plays-on")
    if found.error and not found.matches:
        return speaker.say("analysis.not-played-on", reason=found.error)
    told = {"tried": found.tried, "matches": found.matches}
    if found.own:
        return speaker.say("analysis.tried", **told)
    names = ", ".join(dict.fromkeys(name for name in found.by if name))
    if not names:
        return speaker.say("analysis.tried-by-search", **told)
    return speaker.say("analysis.tried-by-others", bots=names, **told)


def _proven(chance: float, speaker: Speaker) -> str:
    """A proven result in words."""
    key = "loss" if chance < DRAWN[0] else "win" if chance > DRAWN[1] else "draw"
    return speaker.say(f"analysis.proven-{key}")


def _count(won: float) -> str:
    """How many first places; a shared one is a part of one."""
    return f"{won:.0f}" if won == int(won) else f"{won:.1f}"


def done_in_words(action: str, fault: str, speaker: Speaker) -> str:
    """What a seat did: its action as a bot writes it, or the kind of its fault where that decided instead."""
    if fault:
        return speaker.say("analysis.fault", fault=speaker.say(f"fault.{fault}"))
    return action


def percent(chance: float) -> str:
    """A chance for people."""
    return f"{100 * chance:.0f} %"
