"""The page that reveals standings place by place, from the last one on: for a projector, with a key or a button.

Only organisers have it, and what it shows at first is what everybody sees. Nobody else sees more before the standings
are revealed by the button at its end.
"""

from __future__ import annotations

from time import time
from typing import Any

import msgspec
from litestar import Response, get

from dohyo.guests.site.arena import hand_ins, ladders
from dohyo.guests.site.arena.contest_page import Place, contest_page
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.edge.asking import Asking, organisers_only
from dohyo.guests.site.people.accounts import Person


class Step(msgspec.Struct, frozen=True):
    """One bot: its place at the end, and the one that everybody has seen (none: it was not there)."""

    place: int
    was: int | None
    bot: str
    author: str
    points: str


@get("/ladders/{slug:str}/reveal", sync_to_thread=True)
def reveal_page(ask: Asking, slug: str) -> Response[Any]:
    """The standings, covered, to be revealed one after the other."""
    if (refused := organisers_only(ask)) is not None:
        return refused
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    page = contest_page(ask.arena, ask.database, ladder, ask.person)
    if ladder.terms is not None and ladder.terms.phase(time(), page.is_over) != "over":  # who leads is no result yet
        return ask.page("reveal", ladder=ladder, steps=[], early=page.played)
    before = {each.bot: each.place for each in _placed(ask, ladder, None)}
    places = _placed(ask, ladder, ask.person)
    authors = hand_ins.authors(ask.database, ladder, [each.bot for each in places])  # as everybody knows them
    steps = [
        Step(each.place or 0, before.get(each.bot), each.bot, authors.get(each.bot, ""), each.points)
        for each in places
    ]
    return ask.page("reveal", ladder=ladder, steps=steps, early=None)


def _placed(ask: Asking, ladder: Ladder, person: Person | None) -> list[Place]:
    """Who has which place in the eyes of this person, the best first."""
    page = contest_page(ask.arena, ask.database, ladder, person)
    return [each for each in page.places if each.place is not None]


HANDLERS = [reveal_page]
