"""The rules in batch: the same functions, compiled over arrays of records. Needs the extra `fast`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dohyo.sim.luck import below
from dohyo.sim.turns import uniform_legal

if TYPE_CHECKING:
    from dohyo.sim.batch import BatchMatch, IllegalActionError, Totals

__all__ = ["BatchMatch", "IllegalActionError", "Totals", "below", "uniform_legal"]


def __getattr__(name: str) -> Any:
    """What makes batches is imported when it is used: bots that search do not, and are started for every turn."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from dohyo.sim import batch

    return getattr(batch, name)
