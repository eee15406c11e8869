"""Search over any game's rules, for bots: tree search (`Search`), alpha-beta (`AlphaBeta`), beam search (`Beam`).

The search calls the rules' own functions, plain or compiled (with the extra `fast`); nothing of a game is repeated.
`uct.py` is the tree search as bots call it, `tree.py` its loops; `alpha_beta.py` and `deepening.py`, `beam_search.py`
and `beam.py` are the same for the other two;
`playout.py` what both do with a state. `bot.py` has the `Thinker`, which answers in time (`turn_clock.py`).
`backend.py` gives rows and functions in plain Python or compiled, `ahead.py` those that a bot's build has compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dohyo.search.alpha_beta import AlphaBeta
    from dohyo.search.beam_search import Beam
    from dohyo.search.uct import Choice, Option, Search

__all__ = ["AlphaBeta", "Beam", "Choice", "Option", "Search"]


def __getattr__(name: str) -> Any:
    """Import a search on first use: a bot that only asks how much time it has does not need one."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "AlphaBeta":
        from dohyo.search import alpha_beta

        return alpha_beta.AlphaBeta
    if name == "Beam":
        from dohyo.search import beam_search

        return beam_search.Beam
    from dohyo.search import uct

    return getattr(uct, name)
