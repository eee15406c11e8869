"""The games that an organiser can choose from."""

from __future__ import annotations

from contextlib import suppress

from dohyo import games
from dohyo.core.descriptions import about_in
from dohyo.guests.site.edge.asking import Asking


def playable(ask: Asking) -> list[dict[str, str]]:
    """The games that a ladder or a contest can be of, with a sentence about each."""
    found = games.all_games()
    with suppress(ImportError):  # somebody has taken the classics away
        from dohyo import classics

        found = found | {name: games.find(name) for name in classics.NAMES}
    told = [about_in(game, ask.speaker) for game in found.values()]
    return [
        {"name": game.name, "title": game.title, "about": about[:1].upper() + about[1:]}
        for game, about in zip(found.values(), told, strict=True)
    ]
