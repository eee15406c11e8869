"""A clock in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dohyo.core.clock import Clock
from dohyo.i18n import Speaker


def clock_name(clock: Clock | Mapping[str, Any] | None, speaker: Speaker) -> str:
    """A clock in words: its preset, the seconds, and what differs from the usual."""
    if not clock:
        return "-"
    limits = Clock(**clock) if isinstance(clock, Mapping) else clock
    again = [speaker.say("fact.clock-moves", turns=limits.moves)] if limits.moves else []
    if limits.is_whole_match:
        words = speaker.say("fact.seconds-a-match", seconds=f"{limits.bank:g}", more=f"{limits.increment:g}")
        facts = [words, *again]
    else:
        facts = [speaker.say("fact.seconds-a-turn", seconds=f"{limits.turn:g}")]
    if limits.mode != "wall":
        facts.append(speaker.say(f"fact.clock-{limits.mode}", wall=f"{limits.behind(limits.turn or limits.bank):g}"))
    if limits.bank and not limits.is_whole_match:
        facts.append(speaker.say("fact.clock-bank", seconds=f"{limits.bank:g}"))
        if limits.increment:
            facts.append(speaker.say("fact.clock-increment", seconds=f"{limits.increment:g}"))
        facts += again
    if limits.grace and limits.strikes:
        facts.append(speaker.say("fact.clock-grace", seconds=f"{limits.grace:g}", strikes=limits.strikes))
    told = speaker.say("fact.and").join(facts)
    return speaker.say("fact.clock", name=limits.preset, facts=told) if limits.preset else told
