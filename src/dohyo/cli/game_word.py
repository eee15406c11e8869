"""The first word of a command, which names the game; often it is left out, or stands behind the bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dohyo.core.errors import OperatorError

if TYPE_CHECKING:
    from dohyo.core.game import Game


def find_game(command: str, word: str, behind: Sequence[str]) -> Game:
    """The game that `word` names. Raises `OperatorError`, which tells of a game `behind` it."""
    from dohyo import games

    try:
        return games.find(word)
    except OperatorError as error:
        if error.key != "unknown-game":
            raise
        known = games.all_games()
        for at, other in enumerate(behind):
            if other in known:
                rest = [*behind[:at], *behind[at + 1 :]]
                right = " ".join(["dohyo", command, other, word, *rest])
                raise OperatorError("game-behind", word=word, game=other, right=right) from error
        raise


def missing_game(command: str, word: str) -> OperatorError | None:
    """The error for a command whose only word is no game: what is missing is the game, and not a bot."""
    from dohyo import games

    try:
        games.find(word)
    except OperatorError as error:
        if error.key != "unknown-game" or error.details.get("nearest"):
            return error
        return OperatorError("game-missing", command=command, word=word, known=", ".join(games.all_games()))
    return None
