"""What can be asked about a bot, or a folder of them."""

from typing import Annotated

from dohyo.core.asked import Request, says
from dohyo.core.request_fields import MATCH, MAX_SEED, Build, ClockWord, GameWord, Interpreter, SandboxWord, Setup

FOLDERS = "Folders of bots"  # the heading of options


class CheckRequest(Request, kw_only=True):
    """Examine a bot, or a folder of them: what goes wrong at which line, how long its turns take."""

    game: GameWord
    bot: Annotated[str, says("The bot, or a folder of bots.", "BOT", is_bare=True)]
    seed: Annotated[
        int | None, says("Decides the dice. Without it: 0.", "N", at_least=0, at_most=MAX_SEED, group=MATCH)
    ] = None
    setup: Setup = {}
    clock: ClockWord = None
    build: Build = None
    python: Interpreter = None
    each: Annotated[bool, says("BOT is a folder: examine every bot in it.", group=FOLDERS)] = False
    names: Annotated[
        str | None, says("Who handed in what: a CSV or TOML file of hand-ins and names.", "FILE", group=FOLDERS)
    ] = None
    sandbox: SandboxWord = "auto"
