"""Against whom somebody may play, and the form to play on from a turn of a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dohyo.core.bot_spec import BotSpec
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.guests.site.arena import ladders, own_bots, sittings
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.sight import seen, sight
from dohyo.guests.site.arena.sittings import Sittings
from dohyo.guests.site.edge.asking import Asking

Offered = Mapping[str, Callable[[], BotSpec]]


def sittings_of(ask: Asking) -> Sittings | None:
    """What is played here; none on a server that runs nobody's program."""
    found: Sittings | None = ask.request.app.state.sittings
    return found


def offered_in(ask: Asking, game: Game, slug: str) -> tuple[Ladder | None, Offered]:
    """Against whom one can play: a ladder's bots as far as one may ask for them, else the game's samples."""
    ladder = ladders.find(ask.database, slug, ask.person) if slug else None
    if ladder is None or ladder.game != game.name or ladder.terms is not None or ladder.retired is not None:
        samples = sittings.samples(game)
        return None, {name: lambda bot=bot: bot for name, bot in samples.items()}
    with seen(ask.arena, ladder, ask.person) as store:
        there = own_bots.entrants_of(store, ladder)
    hides = not sight(ladder, ask.person).is_whole
    return ladder, sittings.opponents(game, there, ask.site.arena_files(), hides)


def on_from(ask: Asking, game: Game, replay: Replay, address: str, wrong: str = "", slug: str = "") -> dict[str, Any]:
    """What the form to play on from a turn of a match needs (`macros.on_from`)."""
    first, last = replay.header.first, replay.header.first + replay.played
    _, offered = offered_in(ask, game, slug)
    return {
        "onward": {
            "address": address,
            "first": first,
            "last": max(first, last - 1),
            "seats": [seat.name for seat in replay.header.seats],
            "offered": list(offered),
            "usual": next(iter(offered), ""),
            "here": sittings_of(ask) is not None and ask.person is not None and bool(offered),
            "wrong": wrong,
        }
    }
