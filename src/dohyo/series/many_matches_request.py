"""What can be asked of every series of matches that plays until something is known."""

from dohyo.core.asked import Request
from dohyo.core.request_fields import (
    ClockWord,
    Interpreter,
    Pondering,
    Restart,
    SandboxWord,
    Seats,
    Seed,
    Setup,
    Workers,
)


class ManyMatchesRequest(Request, kw_only=True):
    """On what terms matches are played, and how many at once."""

    seats: Seats = None
    workers: Workers = None
    seed: Seed = None
    setup: Setup = {}
    clock: ClockWord = None
    pondering: Pondering = False
    python: Interpreter = None
    restart: Restart = False
    sandbox: SandboxWord = "auto"
