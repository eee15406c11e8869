"""Small games solved exactly: the whole tree, CFR and CFR+, best responses, NashConv; and expectimax.

A `Tree` (`tree.py`) is built once from a game's own rules, with what each seat knows (`information.py`); `policy.py`
has what seats do there. `cfr.py` learns such a policy, `responses.py` says what one is worth and how far it is from
an equilibrium; both go over the tree as arrays (`passes.py`), with NumPy. `expectimax.py` looks some turns ahead,
without a tree, in games in which nothing is hidden; it needs no extra.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dohyo.solve.cfr import CFR, CFRPlus
    from dohyo.solve.expectimax import Expected, Expectimax
    from dohyo.solve.information import InformationState
    from dohyo.solve.policy import Policy
    from dohyo.solve.responses import BestResponse, best_response, expected_value, exploitability, nash_conv
    from dohyo.solve.tree import Tree

__all__ = [
    "CFR",
    "BestResponse",
    "CFRPlus",
    "Expected",
    "Expectimax",
    "InformationState",
    "Policy",
    "Tree",
    "best_response",
    "expected_value",
    "exploitability",
    "nash_conv",
]

# Imported on first use: expectimax needs no NumPy.
_HOMES = {"CFR": "cfr", "CFRPlus": "cfr", "Policy": "policy", "Tree": "tree", "InformationState": "information"}
_HOMES |= dict.fromkeys(("Expected", "Expectimax"), "expectimax")


def _check_numpy() -> None:
    """Raise `OperatorError` where NumPy is not installed."""
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        from dohyo.core.errors import OperatorError

        raise OperatorError("solve-needs-numpy") from error


if not TYPE_CHECKING:  # who checks types sees the names above, and finds a misspelt one

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if _HOMES.get(name) != "expectimax":
            _check_numpy()
        return getattr(importlib.import_module(f"dohyo.solve.{_HOMES.get(name, 'responses')}"), name)
