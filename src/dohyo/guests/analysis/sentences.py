"""An analysis in words, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from dohyo import clean
from dohyo.core.game import Game
from dohyo.guests.analysis.trials import Trying
from dohyo.i18n import Speaker
from dohyo.series.analysed import Analysis, Facts, SeatFacts, TurningPoint
from dohyo.series.onward import MAX_SEATS

DRAWN = 0.4, 0.6  # between these chances a proven result is a draw


class Fact(NamedTuple):
    """A sentence about a seat; the turn in which it begins, if it is about turns."""

    turn: int | None
    seat: int
    text: str


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


def trying_in_words(trying: Trying, now: float, speaker: Speaker) -> str:
    """What is played on just now, and for how long at most; `now` is a moment of `time.monotonic`."""
    told = speaker.say(f"analysis.trying-{trying.kind}", turn=trying.turn, at=trying.at, of=trying.of)
    if trying.until is None:
        return told
    return speaker.say("analysis.trying-left", what=told, seconds=max(0, round(trying.until - now)))


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
        is_large = len(found.seats) > MAX_SEATS
        return speaker.say("analysis.too-many-play-on" if is_large else "analysis.nobody-plays-on", most=MAX_SEATS)
    if found.error and not found.matches:
        return speaker.say("analysis.not-played-on", reason=found.error)
    told = {"tried": found.tried, "matches": found.matches}
    if found.decisions and not found.seen:
        return speaker.say("analysis.no-time")
    others = _others(found, speaker)
    if found.tried and not found.matches:
        return " ".join((speaker.say("analysis.no-time"), *others))
    if found.own:
        return speaker.say("analysis.tried", **told)
    names = ", ".join(dict.fromkeys(name for name in found.by if name))
    if not names:
        return " ".join((speaker.say("analysis.tried-by-search", **told), *others))
    return " ".join((speaker.say("analysis.tried-by-others", bots=names, **told), *others))


def _others(found: Analysis, speaker: Speaker) -> Iterator[str]:
    """Whose bots were not at hand as they played, and in whose place sits what the operator named."""
    for key, seats in (("analysis.absent", found.absent), ("analysis.named", found.named)):
        if seats:
            bots = ", ".join(f"{clean.line(found.seats[seat])} ({seat})" for seat in seats)
            yield speaker.say(key, bots=bots)


def judged_in_words(found: Analysis, speaker: Speaker) -> str:
    """That some turns and decisions were judged only, where the time was not enough for all; else empty."""
    said = []
    if found.unread:
        said.append(speaker.say("analysis.unread", unread=found.unread))
    if len(found.chances) < found.turns:
        said.append(speaker.say("analysis.judged-some", judged=len(found.chances), of=found.turns))
    if len(found.seen) < found.decisions:
        said.append(speaker.say("analysis.seen-some", judged=len(found.seen), of=found.decisions))
    return " ".join(said)


def how_in_words(found: Analysis, speaker: Speaker) -> str:
    """Where the curve comes from, and what its bounds are."""
    if (judge := found.judge) is None:
        key = (
            "analysis.how-settled"
            if found.settled
            else "analysis.how-own"
            if found.own and found.matches
            else "analysis.how"
        )
        how = speaker.say(key, playouts=found.playouts, settled=found.settled)
        return " ".join(filter(None, (judged_in_words(found, speaker), how)))
    told = {"judge": judge.name, "depth": judge.depth, "depth_again": judge.depth_again or judge.depth}
    return " ".join(filter(None, (judged_in_words(found, speaker), speaker.say("analysis.how-by", **told))))


def facts_in_words(facts: Facts, names: Sequence[str], game: Game, speaker: Speaker) -> list[Fact]:
    """What is known without any search, in sentences; nothing where the game counts and marks nothing."""
    found = list(_course_in_words(facts, names, speaker))
    for own in facts.seats:
        found += _seat_in_words(own, names[own.seat], speaker)
        found += _marks_in_words(own, names[own.seat], game, speaker)
    return found


def _course_in_words(facts: Facts, names: Sequence[str], speaker: Speaker) -> Iterator[Fact]:
    """Since when the leader was ahead, and where the others fell behind."""
    leader = facts.leader
    if leader is None:
        return
    if facts.since is not None:
        told: dict[str, Any] = {"name": names[leader], "seat": leader, "turn": facts.since, "times": facts.changes}
        key = "analysis.ahead-after" if facts.changes else "analysis.ahead"
        yield Fact(facts.since, leader, speaker.say(key, **told))
    for gap in facts.gaps:
        told = {"name": names[gap.seat], "seat": gap.seat, "other": names[leader], "of": leader}
        told |= {name: _behind(getattr(gap, name), speaker) for name in ("before", "after", "end")}
        key = "analysis.gap" if gap.first < gap.last else "analysis.gap-in"
        yield Fact(gap.first, gap.seat, speaker.say(key, first=gap.first, last=gap.last, **told))


def _seat_in_words(own: SeatFacts, name: str, speaker: Speaker) -> Iterator[Fact]:
    """What a seat's points were made of."""
    if own.points is not None and own.scoring:
        told = {"points": _points(own.points), "count": own.scoring}
        yield Fact(None, own.seat, speaker.say("analysis.scored", name=name, seat=own.seat, **told))
    for key, turns in (("analysis.made-most", own.made), ("analysis.lost-most", own.lost)):
        each = [speaker.say("analysis.points-of-turn", turn=one.turn, points=f"{one.points:+g}") for one in turns]
        if turns:
            listed = ", ".join(each)
            yield Fact(turns[0].turn, own.seat, speaker.say(key, name=name, seat=own.seat, turns=listed))


def _marks_in_words(own: SeatFacts, name: str, game: Game, speaker: Speaker) -> Iterator[Fact]:
    """What the game's drawing marks of a seat, but for the points themselves."""
    for mark in own.marks:
        if own.points is not None and mark.times == own.scoring:
            continue
        told = {"mark": speaker.knowing(game.catalogue).say(f"{game.name}.mark.{mark.kind}"), "times": mark.times}
        key = "analysis.marked" if mark.times > 1 else "analysis.marked-once"
        words = speaker.say(key, name=name, seat=own.seat, first=mark.first, last=mark.last, **told)
        yield Fact(mark.first, own.seat, words)


def _points(points: float) -> str:
    """Points of the game's for people: at most six digits that count."""
    return f"{points:g}"


def _behind(points: float, speaker: Speaker) -> str:
    """How far somebody is behind somebody else; below 0: ahead."""
    key = "level" if points == 0 else "behind" if points > 0 else "ahead"
    return speaker.say(f"analysis.points-{key}", points=_points(abs(points)), count=1 if abs(points) == 1 else 2)


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
