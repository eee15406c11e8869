"""A fault in words: its kind, and what exactly happened. What is printed below it, is in `terminal/faults.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dohyo.core.faults import UNCONNECTED, Fault, FaultCode, FaultKind
from dohyo.core.game import Game
from dohyo.i18n import Speaker
from dohyo.i18n.speaker import signal_name

if TYPE_CHECKING:
    from dohyo.match.telling.summary import Misstep

# What a program does that ends, or is stopped: its standard error may say why.
FAILURES = frozenset(FaultKind) - {FaultKind.MALFORMED, FaultKind.ILLEGAL, FaultKind.FILES, FaultKind.NOT_ENDED}


def verdict(fault: Misstep | Fault, speaker: Speaker) -> str:
    """The kind of a fault in words, with the exit status or the signal if there is one."""
    kind = speaker.say(f"fault.{kind_word(fault)}")
    if fault.status is None:
        return kind
    if fault.kind is FaultKind.KILLED:
        return speaker.say("fault-signal", fault=kind, signal=signal_name(fault.status))
    return speaker.say("fault-status", fault=kind, status=fault.status)


def kind_word(fault: Misstep | Fault) -> str:
    """What a fault is called: a server without a connection is not a program that has closed its output."""
    return FaultCode.NO_CONNECTION if fault.code in UNCONNECTED else fault.kind


def last_words(fault: Fault, stderr: str, language: str) -> str:
    """Where and why a program failed, by what it wrote, if it has failed and wrote any; `language` is its own."""
    if fault.kind not in FAILURES or not stderr:
        return ""
    from dohyo.languages.traces import crash_line

    return crash_line(stderr, language)


def detail(fault: Misstep | Fault, game: Game, speaker: Speaker) -> str:
    """What exactly happened, cleaned; empty if nothing more is known than `verdict` says."""
    known = fault if isinstance(fault, Fault) else fault.fault
    return speaker.knowing(game.catalogue).say_any(known.told) if known.says_more else ""


def counted(kinds: Mapping[str, int], speaker: Speaker) -> str:
    """Kinds of faults, each with how often it happened if that was more than once."""
    told = [
        speaker.say("fault-times", fault=speaker.say(f"fault.{kind}"), count=count)
        if count > 1
        else speaker.say(f"fault.{kind}")
        for kind, count in kinds.items()
    ]
    return "; ".join(told)
