"""What `dohyo compare` and `dohyo tune` make of what both are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dohyo.cli.options import read_clock_terms

if TYPE_CHECKING:
    from dohyo.core.game import Game
    from dohyo.series.request import ManyMatchesRequest


def terms_of(asked: ManyMatchesRequest, game: Game) -> dict[str, Any]:
    """What all matches are played on, as arguments for `Terms`; seed and seats are the command's matter."""
    more = {"sandbox": asked.sandbox, "restart": asked.restart, "pondering": asked.pondering}
    return {"setup": dict(asked.setup), **read_clock_terms(game, asked.clock), **more}
