"""Whether what a program in Python gives is a game, and a number of players that the game has."""

from __future__ import annotations

from dohyo.core.game import Game


def check_game(game: object) -> None:
    """Raise `TypeError` for what is no game: a name, for example."""
    if not isinstance(game, Game):
        raise TypeError(f"the first argument is a game: dohyo.games.find(NAME), not {game!r}")


def check_seats(game: Game, seats: object) -> None:
    """Raise `ValueError` for a number of players that the game does not have."""
    fewest, most = game.seats
    if not isinstance(seats, int) or not fewest <= seats <= most:
        players = fewest if fewest == most else f"{fewest} to {most}"
        raise ValueError(f"{game.name} is for {players} players, so `seats` cannot be {seats!r}")
