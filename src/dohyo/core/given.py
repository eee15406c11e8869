"""Whether what a program in Python gives is a game."""

from __future__ import annotations

from dohyo.core.game import Game


def check_game(game: object) -> None:
    """Raise `TypeError` for what is no game: a name, for example."""
    if not isinstance(game, Game):
        raise TypeError(f"the first argument is a game: dohyo.games.find(NAME), not {game!r}")
