"""Search over any game's rules: trees (`Search`, with a network `PUCT`), alpha-beta (`AlphaBeta`), `Beam`, `Proof`.

Bots choose by the first four; `Proof` says what a position is certainly worth, `Belief` what a seat can know.

The search calls the rules' own functions, plain or compiled (with the extra `fast`); nothing of a game is repeated.
`uct.py` is the tree search as bots call it, `tree.py` and `mixed_choices.py` its loops; `puct.py`, `puct_tree.py`
and `puct_gumbel.py` the same with a network; `alpha_beta.py` is alpha-beta, `deepening.py` its loop,
`deepening_stack.py` and `transpositions.py` what it knows; `beam.py` is for beams; `playout.py` what UCT and beams do
with a state. `proof.py` and `proof_numbers.py` are for proofs, `keys.py` knows positions again. `belief.py` finds
worlds. `bot.py` has the `Thinker`, which answers in time (`turn_clock.py`). `backend.py` gives rows and functions in
plain Python or compiled, `ahead.py` those that a bot's build has compiled.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dohyo.search.alpha_beta import AlphaBeta
    from dohyo.search.beam import Beam
    from dohyo.search.belief import Belief
    from dohyo.search.proof import Proof, Proven, ProvenAction, Result
    from dohyo.search.puct import PUCT, Thought
    from dohyo.search.uct import Choice, Option, Search

__all__ = [
    "PUCT",
    "AlphaBeta",
    "Beam",
    "Belief",
    "Choice",
    "Option",
    "Proof",
    "Proven",
    "ProvenAction",
    "Result",
    "Search",
    "Thought",
]

# Imported on first use: a bot that only asks how much time it has needs none, and those with a network import NumPy.
_HOMES = {"AlphaBeta": "alpha_beta", "Beam": "beam", "Belief": "belief", "PUCT": "puct", "Thought": "puct"}
_HOMES |= dict.fromkeys(("Proof", "Proven", "ProvenAction", "Result"), "proof")


if not TYPE_CHECKING:  # who checks types sees the names above, and finds a misspelt one

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"dohyo.search.{_HOMES.get(name, 'uct')}"), name)
