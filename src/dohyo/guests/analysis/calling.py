"""An analysis for a program in Python: what `dohyo.analyse` comes to, by the door `analyses`."""

from __future__ import annotations

import importlib.util

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.guests.analysis.request import LONGEST
from dohyo.match.sandboxing import sandbox_of
from dohyo.series.analysed import Analysis


def analyse_match(
    replay: Replay,
    path: str | None,
    *,
    seconds: float,
    playouts: int | None,
    seat: int | None,
    by: str | None,
    python: str | None,
    sandbox: str,
) -> Analysis:
    """Analyse a match as `dohyo analyse` does; `path` is the file that it came from, beside which bots may lie.

    Raises `OperatorError` for a mistake of the caller, `ReplayError` for a replay that contradicts the rules.
    """
    if not 0 < seconds <= LONGEST:
        raise OperatorError("no-time-to-analyse")
    if by is not None and playouts is not None:
        raise OperatorError("analysis-by-playouts")
    game, box = games.find(replay.header.game), sandbox_of(sandbox)
    if by is not None:
        from dohyo.guests.analysis.by_judge import analyse_by, judge_of

        with judge_of(game, replay, by, python, box) as judge:
            return analyse_by(replay, judge, seconds=seconds, seat=seat)
    from dohyo.guests.analysis.analysis import analyse
    from dohyo.series.onward import finder, onward

    compiled = importlib.util.find_spec("numba") is not None
    # Who says in a program that there shall be no sandbox, says that the bots are to be trusted.
    find = finder(replay, path, python, box, None, sandbox == "none")
    with onward(game, replay, find, compiled=compiled, sandbox=sandbox) as plays_on:
        return analyse(replay, seconds=seconds, playouts=playouts, seat=seat, compiled=compiled, plays_on=plays_on)
