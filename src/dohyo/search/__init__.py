"""Search over any game's rules, for bots: trees (`Search`, with a network `PUCT`), alpha-beta (`AlphaBeta`), `Beam`.

The search calls the rules' own functions, plain or compiled (with the extra `fast`); nothing of a game is repeated.
`uct.py` is the tree search as bots call it, `tree.py` its loops; `puct.py` and `puct_tree.py` the same with a
network, `alpha_beta.py` and `deepening.py` for alpha-beta, `beam_search.py` and `beam.py` for beams; `playout.py`
what UCT and beams do with a state. `bot.py` has the `Thinker`, which answers in time (`turn_clock.py`). `backend.py`
gives rows and functions in plain Python or compiled, `ahead.py` those that a bot's build has compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dohyo.search.alpha_beta import AlphaBeta
    from dohyo.search.beam_search import Beam
    from dohyo.search.puct import PUCT, Thought
    from dohyo.search.uct import Choice, Option, Search

__all__ = ["PUCT", "AlphaBeta", "Beam", "Choice", "Option", "Search", "Thought"]


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
    if name in ("PUCT", "Thought"):  # which import NumPy
        from dohyo.search import puct

        return getattr(puct, name)
    from dohyo.search import uct

    return getattr(uct, name)
