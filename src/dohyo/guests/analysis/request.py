"""What can be asked about how a match went."""

from typing import Annotated

from dohyo.core.asked import Request, says
from dohyo.core.request_fields import Interpreter, ReplayWord, SandboxWord

LONGEST = 1e6  # seconds of an analysis: eleven days


class AnalyseRequest(Request, kw_only=True):
    """Say why a match went as it did."""

    file: ReplayWord
    seconds: Annotated[float, says("How long to think about the whole match.", "S")] = 60.0
    playouts: Annotated[int | None, says("Instead of a time, so many playouts for each turn.", "N", at_least=1)] = (
        None
    )
    seat: Annotated[str | None, says("Judge the decisions of this seat only: its number, or name.", "SEAT")] = None
    by: Annotated[
        str | None, says("Who says what positions are worth, in place of bots and search: uci:stockfish.", "BOT")
    ] = None
    bot: Annotated[
        list[str],
        says("Whose program plays on for a seat, in place of the bot that is looked for by its name.", "SEAT=BOT"),
    ] = []
    python: Interpreter = None
    sandbox: SandboxWord = "auto"
