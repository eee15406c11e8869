"""A fault in words: its kind, what exactly happened, and what its time consisted of.

What is printed below it, is in `terminal/faults.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.core.faults import UNCONNECTED, Fault, FaultCode, FaultKind
from dohyo.core.game import Game
from dohyo.core.replay import Move
from dohyo.i18n import Speaker
from dohyo.i18n.speaker import signal_name

if TYPE_CHECKING:
    from dohyo.match.telling.summary import Misstep

# What a program does that ends, or is stopped: its standard error may say why.
FAILURES = frozenset(FaultKind) - {FaultKind.MALFORMED, FaultKind.ILLEGAL, FaultKind.FILES, FaultKind.NOT_ENDED}

OF_TIME = frozenset({FaultKind.TIMEOUT, FaultKind.NOT_READY})
NOT_CHARGED = ("ours", "waited", "stalled")  # of the time by the wall clock, in this order
ROUNDED = 0.001  # seconds by which a sum may miss what it should be
MAX_READ = 4 << 20  # characters: as much of what a program wrote as is kept of a match
LONGEST_REASON = 120  # characters of a fault in one line of many
MOSTLY = 0.9  # who ran for so much of its time has computed


def verdict(fault: Misstep | Fault, speaker: Speaker) -> str:
    """The kind of a fault in words, with the exit status or the signal if there is one."""
    kind = speaker.say(f"fault.{kind_word(fault)}")
    if fault.status is None:
        return kind
    if fault.kind is FaultKind.KILLED:
        return speaker.say("fault-signal", fault=kind, signal=signal_name(fault.status))
    return speaker.say("fault-status", fault=kind, status=fault.status)


def kind_word(fault: Misstep | Fault) -> str:
    """What a fault is called.

    A server without a connection is not a program that has closed its output, nor is a person who resigns one that
    exits.
    """
    if fault.code == FaultCode.RESIGNED:
        return FaultCode.RESIGNED
    return FaultCode.NO_CONNECTION if fault.code in UNCONNECTED else fault.kind


def last_words(fault: Fault, stderr: str, language: str) -> str:
    """Where and why a program failed, by what it wrote, if it has failed and wrote any; `language` is its own.

    Of one whose time was over only where it was then: that it was aborted, we have done.
    """
    if fault.kind not in FAILURES or not stderr:
        return ""
    from dohyo.languages.traces import crash_line, stuck

    was = stuck(stderr, language) if fault.kind in OF_TIME else None
    return crash_line(stderr, language) if was is None else str(was)


def first_words(faults: Iterable[Fault], stderr: str, language: str) -> str:
    """The first of its faults' last words; it is read once for faults of one sort, as a stranger's may be many."""
    sorts = {(fault.kind in FAILURES, fault.kind in OF_TIME): fault for fault in reversed(tuple(faults))}
    return next(filter(None, (last_words(fault, stderr, language) for fault in sorts.values())), "")


def said_of(moves: Sequence[Move], language: str) -> str:
    """Where and why a seat's program in this language failed, by what it wrote in its moves, cleaned; empty if
    nothing is known, in the last `MAX_READ` characters."""
    left = MAX_READ
    for move in reversed(moves):
        if said := first_words(move.faults, move.stderr[-left:], language):
            return clean.line(said)
        left -= len(move.stderr)
        if left <= 0:
            break
    return ""


def detail(fault: Misstep | Fault, game: Game, speaker: Speaker) -> str:
    """What exactly happened, cleaned; empty if nothing more is known than `verdict` says."""
    known = fault if isinstance(fault, Fault) else fault.fault
    return speaker.knowing(game.catalogue).say_any(known.told) if known.says_more else ""


def kind_and_detail(fault: Misstep | Fault, game: Game, speaker: Speaker) -> tuple[str, str]:
    """The kind of a fault, and what exactly happened, if more is known; the exit status is in one of them only."""
    happened = detail(fault, game, speaker)
    code = (fault if isinstance(fault, Fault) else fault.fault).code
    has_status = happened and code in (FaultCode.EXIT, FaultCode.SIGNAL)
    return speaker.say(f"fault.{kind_word(fault)}") if has_status else verdict(fault, speaker), happened


def counted(kinds: Mapping[str, int], speaker: Speaker) -> str:
    """Kinds of faults, each with how often it happened if that was more than once."""
    told = [
        speaker.say("fault-times", fault=speaker.say(f"fault.{kind}"), count=count)
        if count > 1
        else speaker.say(f"fault.{kind}")
        for kind, count in kinds.items()
    ]
    return speaker.say("joined.items").join(told)


# --- what was measured of a turn's time: the sum that was charged, and what the program did in it


def proof_in_words(kind: str, known: Mapping[str, float | None], speaker: Speaker) -> str:
    """What was measured of the time of a fault of this kind; empty if it is not about time, or no more is known than
    what was charged.

    `known` has what a `Proof` has, by the same names: seconds, and the machine's `load`.
    """
    seen = {name: value for name, value in known.items() if value is not None}
    if kind not in OF_TIME or "charged" not in seen or len(seen) < 2:
        return ""
    told = [_charged(seen, speaker), _conclusion(seen, speaker)]
    if "load" in seen:
        told.append(speaker.say("fault-proof.load", value=f"{seen['load']:.2f}"))
    return speaker.sentences(told)


def _charged(seen: Mapping[str, float], speaker: Speaker) -> str:
    """The time that was charged, and what is allowed; as the sum that it is, where it is one."""
    limit = speaker.say("fault-proof.limit", value=speaker.duration(seen["limit"])) if "limit" in seen else ""
    charged, wall = speaker.duration(seen["charged"]), seen.get("wall")
    parts = {name: seen[name] for name in NOT_CHARGED if seen.get(name)}
    if wall is None:
        return speaker.say("fault-proof.charged", charged=charged, limit=limit)
    is_sum = abs(wall - sum(parts.values()) - seen["charged"]) <= ROUNDED
    less = "".join(speaker.say(f"fault-proof.{name}", value=speaker.duration(value)) for name, value in parts.items())
    key = "fault-proof.sum" if is_sum else "fault-proof.apart" if parts else "fault-proof.beside"
    return speaker.say(key, charged=charged, limit=limit, wall=speaker.duration(wall), less=less)


def _conclusion(seen: Mapping[str, float], speaker: Speaker) -> str:
    """What it did in the time that was charged; or that its time by the wall clock is what was over."""
    charged, ran = seen["charged"], seen.get("cpu")
    # At most so much, where it is not known when the turn began on its processor, or nothing is known besides.
    surely = None if ran is None else max(0.0, ran - seen.get("doubt", 0.0)) if "limit" in seen else 0.0
    if charged < seen.get("limit", 0.0):
        return speaker.say("fault-proof.by-wall")
    if ran is None or surely is None:
        return ""
    is_exact = surely == ran
    if surely >= MOSTLY * charged:
        key = "fault-proof.computed" if is_exact else "fault-proof.computed-least"
        return speaker.say(key, ran=speaker.duration(surely))
    if ran >= MOSTLY * charged:
        return speaker.say("fault-proof.at-most", ran=speaker.duration(ran))
    idle = charged - ran
    key = ("fault-proof.idle" if idle > ran else "fault-proof.both") + ("" if is_exact else "-at-most")
    return speaker.say(key, ran=speaker.duration(ran), idle=speaker.duration(idle))
