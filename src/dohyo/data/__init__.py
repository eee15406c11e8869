"""Recorded matches as arrays: observations, actions, masks and returns, for learning from what was played.

    import dohyo.data

    found = dohyo.data.load("replays/", bots="hunter", scaled=True)
    found.observations, found.actions, found.masks, found.returns   # a row for each decision

    load         all decisions of replays, folders, a store, a Parquet file
    chunks       the same piece by piece, in bounded memory
    Decisions    what both give; a sequence for PyTorch's loaders

The recorded moves and dice are played again by the game's compiled rules, and every turn is compared with the replay,
as `dohyo.core.playback` does it, only quicker, with the same states.

`dohyo.data.torch` makes tensors and streams for PyTorch, `dohyo.data.minari` data sets of Minari.

`sources.py` finds replays, `reading.py` reads some at a time, `scanning.py` has ordinary lines read by the compiled
loop of `lines.py`, `columns.py` makes numbers of one replay, `loop.py` plays many in one compiled loop, `again.py`
calls it, and plays in plain Python what the loop may not. `loading.py` goes through all of it, `wish.py` says whose
decisions are wanted, `decisions.py` holds what came out.

Raises `OperatorError` if NumPy is not installed; Numba is needed at the first use.
"""

from __future__ import annotations

from dohyo.sim.records import import_numpy

import_numpy()

from dohyo.data.decisions import Decisions, Episodes, LeftOut  # noqa: E402
from dohyo.data.loading import chunks, load  # noqa: E402

__all__ = ["Decisions", "Episodes", "LeftOut", "chunks", "load"]
