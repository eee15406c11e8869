"""The rules in batch: the same functions, compiled over arrays of records. Needs the extra `fast`."""

from __future__ import annotations

from dohyo.sim.batch import BatchMatch, IllegalActionError, Totals
from dohyo.sim.luck import below
from dohyo.sim.turns import uniform_legal

__all__ = ["BatchMatch", "IllegalActionError", "Totals", "below", "uniform_legal"]
