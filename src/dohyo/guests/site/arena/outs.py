"""Who is disqualified in a ladder or a contest, since when and why, as somebody may know it at this moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dohyo.core.errors import OperatorError
from dohyo.core.rulings_in_force import InForce, Ruling
from dohyo.guests.site.arena.hand_ins import HandInRow
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.people.accounts import Person
from dohyo.series.store import Store


def outs_in(store: Store | None, slugs: Sequence[str]) -> dict[str, dict[str, Ruling]]:
    """By contest, then by bot: the ruling by which it is disqualified; without contests that have not begun."""
    if store is None:
        return {}
    numbers = {each.name: each.id for each in store.contests()}
    there = [slug for slug in slugs if slug in numbers]
    return {slug: InForce(store.rulings_of_bots(numbers[slug])).disqualified for slug in there}


def outs(arena: Arena, ladder: Ladder, person: Person | None) -> Mapping[str, Ruling]:
    """The rulings by which bots of a ladder are disqualified, by their names, as this person sees it."""
    with seen(arena, ladder, person) as store:
        return outs_in(store, [ladder.slug]).get(ladder.slug, {})


def with_outs(arena: Arena, rows: Sequence[HandInRow], person: Person | None) -> list[HandInRow]:
    """These hand-ins, each with the ruling by which its bot is disqualified, if it is, as this person sees it."""
    found = {slug: outs(arena, each, person) for slug, each in {row.ladder.slug: row.ladder for row in rows}.items()}
    return [replace(row, out=found.get(row.ladder.slug, {}).get(row.bot)) for row in rows]


def out_error(bot: str, ruling: Ruling) -> OperatorError:
    """That no version of a disqualified bot is taken, and why, in words for its author."""
    return OperatorError("serve-disqualified", bot=bot, why=ruling.because or "-")
