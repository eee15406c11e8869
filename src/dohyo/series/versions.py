"""The names by which bots of a contest are shown: versions of a bot are told apart, everywhere in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dohyo import clean
from dohyo.i18n import Speaker


def version_numbers(bots: Iterable[tuple[int, str]]) -> dict[int, int]:
    """The numbers of versions, from 1 on in the order in which they entered, of bots that have several; by entrant.

    `bots` are the numbers and names of all entrants.
    """
    entered: dict[str, list[int]] = {}
    for entrant, name in sorted(bots):
        entered.setdefault(name, []).append(entrant)
    several = (own for own in entered.values() if len(own) > 1)
    return {entrant: number for own in several for number, entrant in enumerate(own, 1)}


def shown_names(
    bots: Iterable[tuple[int, str]], speaker: Speaker, named: Callable[[str], str] = clean.line
) -> dict[int, str]:
    """The names of bots by entrant, each version with its number. `named` shows a name."""
    known = dict(bots)
    numbers = version_numbers(known.items())
    return {
        entrant: speaker.say("report.version", bot=named(name), number=numbers[entrant])
        if entrant in numbers
        else named(name)
        for entrant, name in known.items()
    }
