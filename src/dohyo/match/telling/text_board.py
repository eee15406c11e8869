"""A state of a game as text."""

from __future__ import annotations

from dohyo.core.game import Game, State
from dohyo.i18n import ENGLISH


def board_markup(game: Game, state: State, seats: int) -> str:
    """The state as `rich` markup, in English, as a spectator sees it; hidden things are shown."""
    frame = game.frame(state, [None] * seats, (), state)
    names = [f"player {seat}" for seat in range(seats)]
    return game.terminal(frame, names, ENGLISH.knowing(game.catalogue))


def text_board(game: Game, state: State, seats: int) -> str:
    """The state as plain text, in English, as a spectator sees it; hidden things are shown."""
    from rich.text import Text

    return Text.from_markup(board_markup(game, state, seats), emoji=False).plain
