"""Hand-ins whose programs end before they have answered once: told before a contest's first match.

They take part all the same: what is told is for the operator, who may want their matches to count in another way.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from dohyo.bench.check.first_answer import first_failure
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.notices import Tell
from dohyo.core.request_fields import STRICT
from dohyo.match.clocks import read_clock
from dohyo.match.sandboxing import sandbox_of
from dohyo.series.another import another
from dohyo.series.request import ContestRequest
from dohyo.series.roster import BuiltBot

SECONDS = 10.0  # for all together: whoever begins a contest with many hand-ins waits no longer than for a few


def tell_early_ends(game: Game, request: ContestRequest, built: Sequence[BuiltBot], tell: Tell) -> None:
    """Tell which bots of the folder end before their first answer and, where it matters, what may be done about it.

    Each is started once, alone, until `SECONDS` are over; of those that are left then nothing is known. Nothing is
    told of a game that another program referees.
    """
    of_folder = [each for each in built if each.of_folder]
    if game.referee is not None or not of_folder:
        return
    clock, box = read_clock(game, request.clock), sandbox_of(request.sandbox or STRICT)
    tell("contest.trying", count=len(of_folder), seconds=round(SECONDS))
    is_any, until = False, monotonic() + SECONDS
    for each in of_folder:
        if monotonic() >= until:
            break
        try:
            found = first_failure(game, each.bot, clock, request.setup, box, until)
        except OperatorError:  # no room for its copy, or the machine is full: its matches will say so
            continue
        if found is not None:
            is_any = True
            tell("contest.ends-early", bot=each.contender.name, why=found.why)
    if is_any and not request.fault_is_last:
        tell("contest.ends-early.counts", option="--fault-is-last", another=another(request.store))
