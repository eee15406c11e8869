"""The rules in batch: the same functions, compiled over arrays of records. Needs the extra `fast`.

`batch.py` has `BatchMatch`, many games at once, and `one_seat.py` a batch in which the caller plays one seat of each.
`turns.py` says what happens to one game; `loops.py` runs that on the processor's cores, `cuda.py` and `kernels.py` on
a graphics card. `compiled.py` compiles flat functions and keeps the result; `whole_program.py` and `ahead.py` turn
them into a file of machine code. `records.py` converts states to arrays; policies draw by `dohyo.core.cheap_random`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dohyo.core.cheap_random import below
from dohyo.core.rewards import Reward
from dohyo.sim.turns import uniform_legal

if TYPE_CHECKING:
    from dohyo.sim.batch import BatchMatch, IllegalActionError, Totals

__all__ = ["BatchMatch", "IllegalActionError", "Reward", "Totals", "below", "uniform_legal"]


if not TYPE_CHECKING:  # who checks types sees the names above, and finds a misspelt one

    def __getattr__(name):
        """Import the batch modules on first use: bots that search do not need them, and may start for every turn."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from dohyo.sim import batch

        return getattr(batch, name)
