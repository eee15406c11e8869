"""A clock in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dohyo.core.clock import Clock
from dohyo.i18n import say


def clock_name(clock: Clock | Mapping[str, Any] | None, language: str) -> str:
    """A clock in words: its preset, the seconds, and what differs from the usual."""
    if not clock:
        return "-"
    limits = Clock(**clock) if isinstance(clock, Mapping) else clock
    again = [say("fact.clock-moves", language, turns=limits.moves)] if limits.moves else []
    if limits.is_whole_match:
        words = say("fact.seconds-a-match", language, seconds=f"{limits.bank:g}", more=f"{limits.increment:g}")
        facts = [words, *again]
    else:
        facts = [say("fact.seconds-a-turn", language, seconds=f"{limits.turn:g}")]
    if limits.mode != "wall":
        facts.append(
            say(f"fact.clock-{limits.mode}", language, wall=f"{limits.behind(limits.turn or limits.bank):g}")
        )
    if limits.bank and not limits.is_whole_match:
        facts.append(say("fact.clock-bank", language, seconds=f"{limits.bank:g}"))
        if limits.increment:
            facts.append(say("fact.clock-increment", language, seconds=f"{limits.increment:g}"))
        facts += again
    if limits.grace and limits.strikes:
        facts.append(say("fact.clock-grace", language, seconds=f"{limits.grace:g}", strikes=limits.strikes))
    told = say("fact.and", language).join(facts)
    return say("fact.clock", language, name=limits.preset, facts=told) if limits.preset else told
