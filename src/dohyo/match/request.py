"""What can be asked of one match."""

from typing import Annotated

from dohyo.core.asked import Request, says
from dohyo.core.request_fields import (
    Build,
    ClockWord,
    GameWord,
    Interpreter,
    PonderingOrNot,
    SandboxWord,
    Seed,
    Setup,
)

ONWARD = "From a position, or many times"  # the heading of options


class PlayRequest(Request, kw_only=True):
    """Play one match: between bots, or yourself against them."""

    game: GameWord
    bots: Annotated[list[str], says("One bot a seat.", "BOT", is_bare=True)]
    seed: Seed = None
    setup: Setup = {}
    clock: ClockWord = None
    build: Build = None
    python: Interpreter = None
    start: Annotated[
        str | None, says("Begin with the state of a replay's turn.", "FILE@TURN", option="--from", group=ONWARD)
    ] = None
    first: Annotated[
        list[str],
        says(
            "With --from: what a seat does in that turn, as a bot writes it; the bots begin after it.",
            "SEAT=ACTION",
            group=ONWARD,
        ),
    ] = []
    times: Annotated[
        int | None,
        says(
            "With two --first for one seat: play on so often after each, with the same luck, and compare.",
            "N",
            at_least=1,
            at_most=100_000,
            group=ONWARD,
        ),
    ] = None
    pondering: PonderingOrNot = None
    sandbox: SandboxWord = "auto"
