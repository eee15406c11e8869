"""What can be asked about the values of a bot's parameters."""

from typing import Annotated

from dohyo.core.asked import says
from dohyo.core.request_fields import GameWord
from dohyo.series.request import ManyMatchesRequest


class TuneRequest(ManyMatchesRequest, kw_only=True):
    """Find better values for a bot's parameters by playing, and show how much better they are."""

    game: GameWord
    bot: Annotated[str, says("The bot whose parameters are tuned.", "BOT", is_bare=True)]
    param: Annotated[list[str], says("A parameter: LOW..HIGH[:log], or words. May be repeated.", "NAME=RANGE")] = []
    against: Annotated[
        list[str], says("An opponent. May be repeated. Without it: the bot with its defaults.", "BOT")
    ] = []
    matches: Annotated[int, says("How many matches candidates play in all; in a duel 32 at least.", "N")] = 500
    batch: Annotated[int, says("How many candidates are chosen at once.", "N")] = 10
    final: Annotated[int, says("Pairs of the final comparison with the defaults; 0: none.", "N", at_least=0)] = 100
