"""What can be asked about whether a bot improved."""

from typing import Annotated

from dohyo.core.asked import says
from dohyo.core.request_fields import GameWord
from dohyo.series.many_matches_request import ManyMatchesRequest


class CompareRequest(ManyMatchesRequest, kw_only=True):
    """Tell whether a bot improved: matches against its older self, or others, until it is known."""

    game: GameWord
    candidate: Annotated[str, says("The bot that may have improved.", "CANDIDATE", is_bare=True)]
    baselines: Annotated[
        list[str], says("What it is compared with: a bot, or git:REV[:PATH].", "BASELINE...", is_bare=True)
    ]
    elo0: Annotated[float, says("Better is what is more than so much better.", "ELO")] = 0.0
    elo1: Annotated[float, says("Give up once it is surely not so much better.", "ELO")] = 10.0
    alpha: Annotated[float, says("How often it may be called better wrongly.", "RATE")] = 0.05
    beta: Annotated[float, says("How often it may be called not better wrongly.", "RATE")] = 0.05
    max_pairs: Annotated[int | None, says("Stop after so many pairs. Without it: when it is known.", "N")] = None
    against: Annotated[
        list[str], says("A bot that all play against, on the seats that are left. May be repeated.", "BOT")
    ] = []
