"""An analysis in words, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.i18n import Speaker
from dohyo.series.analysed import Analysis, TurningPoint

DRAWN = 0.4, 0.6  # between these chances a proven result is a draw


def point_in_words(point: TurningPoint, name: str, speaker: Speaker, judge: str = "") -> str:
    """A turning point as a sentence; actions are what a bot writes, which its author knows. `judge` said it, if one
    did."""
    played = done_in_words(point.played, point.fault, speaker)
    told = {"turn": point.turn, "name": name, "seat": point.seat, "played": played, "better": point.better}
    if (said := point.said) is not None:
        told |= {"judge": judge, "depth": said.depth, "before": _said(said.before, said.mate_before, speaker)}
        told |= {"left": _said(point.left, said.mate_left, speaker)}
        return speaker.say("analysis.point-said", kept=_said(point.kept, said.mate_kept, speaker), **told)
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
    key = "analysis.stopped" if found.judge is None else "analysis.stopped-said"
    return speaker.say(key, name=names[end.seat], **told)


def tried_in_words(found: Analysis, speaker: Speaker) -> str:
    """How many decisions were tried, and who played on."""
    if (judge := found.judge) is not None:
        told = {"judge": judge.name, "falls": judge.falls, "again": judge.again}
        return speaker.say("analysis.again-some" if judge.again < judge.falls else "analysis.again", **told)
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


def how_in_words(found: Analysis, speaker: Speaker) -> str:
    """Where the curve comes from, and what its bounds are."""
    if (judge := found.judge) is None:
        return speaker.say("analysis.how", playouts=found.playouts)
    told = {"judge": judge.name, "depth": judge.depth, "depth_again": judge.depth_again or judge.depth}
    return speaker.say("analysis.how-by", **told)


def _said(chance: float, mate: int | None, speaker: Speaker) -> str:
    """A chance as a judge has said it; a mate is its own word."""
    if not mate:
        return percent(chance)
    key = "analysis.mate" if mate > 0 else "analysis.mated"
    return speaker.say(key, chance=percent(chance), moves=abs(mate))


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
