"""Looking for bots, authors, ladders and matches."""

from __future__ import annotations

from typing import Any

from litestar import Response, get

from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.searching import LONGEST, Found, Search
from dohyo.guests.site.edge.asking import Asking


@get("/search", sync_to_thread=True)
def search(ask: Asking, q: str = "") -> Response[Any]:
    """The page with what was found."""
    wanted = q[:LONGEST].strip()
    there = ladders.all_of(ask.database, ask.person)
    found = Search(ask.database, ask.arena, ask.person, there).find(wanted) if wanted else Found()
    return ask.page("search", wanted=wanted, found=found)


HANDLERS = [search]
