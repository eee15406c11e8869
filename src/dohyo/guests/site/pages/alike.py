"""Which hand-ins of a ladder are alike, for organisers: pairs, shares, and both sources side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from litestar import Response, get, post

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.edge.asking import Asking, going, organisers_only
from dohyo.guests.site.judging import alike
from dohyo.guests.site.judging.alike_process import LONGEST, Side
from dohyo.guests.site.pages.teaching import taught


@get("/ladders/{slug:str}/alike", sync_to_thread=True)
def show_pairs(ask: Asking, slug: str) -> Response[Any]:
    """What came of the last comparison, and a button for another one."""
    ladder = taught(ask, slug)
    if ladder is None:
        return organisers_only(ask) or ask.nothing()
    return ask.page("alike", **_shown(ask, ladder))


def _shown(ask: Asking, ladder: Ladder) -> dict[str, Any]:
    there = alike.state_of(ask.database, ladder)
    state, found = ("", None) if there is None else (there.state, alike.found(ask.site, there))
    return {
        "ladder": ladder,
        "is_there": alike.is_there(),
        "state": state,
        "found": found,
        "longest": LONGEST // 1000,
    }


@post("/ladders/{slug:str}/alike", sync_to_thread=True)
def compare(ask: Asking, slug: str) -> Response[Any]:
    """Have the hand-ins compared."""
    ladder = taught(ask, slug)
    if ladder is None:
        return organisers_only(ask) or ask.nothing()
    try:
        alike.ask(ask.database, ask.organiser, ladder)
    except OperatorError as error:
        return ask.problem("alike", error, **_shown(ask, ladder))
    return going(f"/ladders/{slug}/alike")


@get("/ladders/{slug:str}/alike/{number:int}", sync_to_thread=True)
def show_pair(ask: Asking, slug: str, number: int) -> Response[Any]:
    """Two sources side by side, with what they have in common marked."""
    ladder = taught(ask, slug)
    found = None if ladder is None else _shown(ask, ladder)["found"]
    if ladder is None or found is None or not 1 <= number <= len(found.pairs):
        return organisers_only(ask) or ask.nothing()
    halves = [(one, [*pieces(one.side)]) for one in found.pairs[number - 1]]
    return ask.page("alike-pair", ladder=ladder, halves=halves)


def pieces(side: Side) -> Iterator[tuple[str, bool]]:
    """A source in pieces, each with whether it is marked."""
    at = 0
    for first, last in sorted(side.marks):
        start, end = max(at, first), min(len(side.text), last)
        if start < end:
            yield side.text[at:start], False
            yield side.text[start:end], True
            at = end
    yield side.text[at:], False


HANDLERS = [show_pairs, compare, show_pair]
