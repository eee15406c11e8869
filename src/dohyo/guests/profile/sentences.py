"""A bot's profile in words, for the terminal and for its page."""

from __future__ import annotations

from typing import Any

from dohyo import doors
from dohyo.guests.profile.measure import Profile, Spread, TurnTime
from dohyo.guests.profile.profilers import FEW, Found
from dohyo.i18n import Speaker
from dohyo.match.command_lines import command

SPREAD = ("what", "turns", "median", "p90", "p99", "longest", "limit", "share")  # columns
SLOW = ("match", "seat", "turn", "time", "share", "cpu", "sent")


def headings(columns: tuple[str, ...], speaker: Speaker) -> list[str]:
    """The headings of a table."""
    return [speaker.say(f"profile.column.{name}") for name in columns]


def spread_rows(found: Profile, speaker: Speaker) -> list[list[str]]:
    """A row for each kind of turn: the columns of `SPREAD`."""
    kinds = (("usual", found.usual), ("first", found.first), ("cpu", found.cpu))
    return [
        [speaker.say(f"profile.row.{name}"), *_cells(spread, speaker)] for name, spread in kinds if spread is not None
    ]


def _cells(spread: Spread, speaker: Speaker) -> list[str]:
    times = (spread.median, spread.p90, spread.p99, spread.longest, spread.limit)
    return [str(spread.turns), *map(speaker.duration, times), percent(spread.share)]


def slow_rows(found: Profile, count: int, speaker: Speaker) -> list[list[str]]:
    """A row for each of the slowest turns: the columns of `SLOW`."""
    return [_slow(turn, found, speaker) for turn in found.slowest(count)]


def _slow(turn: TurnTime, found: Profile, speaker: Speaker) -> list[str]:
    first = f" ({speaker.say('profile.first')})" if turn.is_first else ""
    seat = str(found.matches[turn.match - 1].seat)
    times = [speaker.duration(turn.seconds), percent(turn.share), speaker.duration(turn.cpu)]
    return [str(turn.match), seat, f"{turn.turn}{first}", *times, speaker.say("profile.bytes", count=turn.sent)]


def sentences(found: Profile, speaker: Speaker) -> list[str]:
    """What the tables do not say: how near to the limit, memory, faults."""
    told = []
    if not found.turns:
        told.append(speaker.say("profile.no-turns"))
    elif found.late or not found.clock.is_whole_match:  # time for a whole match may be spent freely
        key = "profile.late" if found.late else "profile.close" if found.close else "profile.far"
        worst = percent(max(turn.share for turn in found.turns))
        told.append(speaker.say(key, late=found.late, close=found.close, turns=len(found.turns), worst=worst))
    if found.memory is None:
        told.append(speaker.say("profile.no-memory"))
    else:
        key = "profile.memory" if found.memory_limit else "profile.memory-free"
        limit = (found.memory_limit or 0) >> 20
        told.append(speaker.say(key, memory=_mebibytes(found.memory), limit=limit))
    if found.usual is not None and found.cpu is None:
        told.append(speaker.say("profile.no-cpu"))
    if faults := sum(match.faults for match in found.matches):
        told.append(speaker.say("profile.faults", count=faults, game=found.game))
    return told


def notes(looked: Found, speaker: Speaker) -> list[str]:
    """What one has to know of the functions that a profiler found."""
    told = []
    if looked.is_whole:
        told.append(speaker.say("profile.whole"))
    elif looked.startup is not None:
        told.append(speaker.say("profile.startup", time=speaker.duration(looked.startup)))
    if looked.samples is not None and looked.samples < FEW:
        told.append(speaker.say("profile.few", count=looked.samples))
    if looked.is_rebuilt:
        told.append(speaker.say("profile.rebuilt"))
    return told


def commands(found: Profile, word: str, **again: Any) -> list[tuple[str, str]]:
    """Commands that show the slowest turn, each with its sentence's key; none where no replay was kept.

    `word` is what the operator typed for the bot, `again` how it is run (`python` and `trust` of `command`).
    """
    slowest = found.slowest(1)
    match = found.matches[slowest[0].match - 1] if slowest else None
    if match is None or match.replay is None:
        return []
    turn, seat, replay = str(slowest[0].turn), str(match.seat), match.replay
    shown = [
        ("profile.see", command("replay", replay, "--html", "slow.html")),
        ("profile.input", command("replay", replay, "--inputs", seat, "--turn", turn)),
    ]
    if doors.has_command("rerun"):
        shown.append(("profile.rerun", command("rerun", replay, seat, word, "--until", turn, **again)))
    return shown


def percent(part: float) -> str:
    """A part of a whole."""
    return f"{part:.0%}" if part >= 0.1 else f"{part:.1%}"


def _mebibytes(count: int) -> str:
    size = count / (1 << 20)
    return f"{size:.0f}" if size >= 10 else f"{size:.1f}"
