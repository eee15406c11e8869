"""Decisions for PyTorch: as tensors, or as a stream from replays. PyTorch is imported when this module is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Unpack

import numpy

from dohyo.core.errors import OperatorError
from dohyo.data.decisions import Decisions
from dohyo.data.loading import AT_ONCE, part_of
from dohyo.data.sources import ONE, Source
from dohyo.data.wish import Asked

try:
    import torch  # type: ignore[import-not-found, unused-ignore]
    from torch.utils.data import (  # type: ignore[import-not-found, unused-ignore]
        IterableDataset,
        TensorDataset,
        get_worker_info,
    )
except ImportError as error:
    raise OperatorError("data-needs", library="torch") from error

MAX_WORKERS = 1024  # of a loader, whose epochs are counted apart


def tensors(decisions: Decisions) -> TensorDataset:
    """A `TensorDataset` of observations, actions, masks (where there are) and returns, on the arrays' own memory."""
    arrays = (decisions.observations, decisions.actions, decisions.masks, decisions.returns)
    return TensorDataset(*(torch.from_numpy(array) for array in arrays if array is not None))


class Stream(IterableDataset[dict[str, Any]]):  # type: ignore[misc, unused-ignore]
    """Decisions of replays, read while somebody takes them, in bounded memory.

        loader = torch.utils.data.DataLoader(Stream("replays/", bots="hunter", seed=1), batch_size=256)

    An item is that of `Decisions`. Sources and options are those of `dohyo.data.chunks`; with a `seed` the `size`
    decisions that are in memory at a time are shuffled, in each epoch in another order, which follows from the seed.
    Several workers of a loader share the replays, and each plays its own again.
    """

    def __init__(
        self,
        sources: Source | Iterable[Source],
        *,
        seed: int | None = None,
        size: int = AT_ONCE,
        game: Any = None,
        contest: str | None = None,
        store: str | None = None,
        **asked: Unpack[Asked],
    ) -> None:
        super().__init__()
        self._sources = [sources] if isinstance(sources, ONE) else list(sources)
        self._seed, self._where = seed, (size, game, contest, store)
        self._asked = asked
        # A loader may start its workers anew for each epoch, and they may be processes: what they count is shared.
        self._epochs = torch.zeros(MAX_WORKERS, dtype=torch.int64).share_memory_()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The decisions, from the beginning."""
        worker = get_worker_info()
        part, parts = (0, 1) if worker is None else (worker.id, worker.num_workers)
        self._epochs[part % MAX_WORKERS] += 1
        seed = None if self._seed is None else [self._seed, part, int(self._epochs[part % MAX_WORKERS])]
        chance = None if seed is None else numpy.random.default_rng(seed)
        for piece in part_of(part, parts, self._sources, *self._where, self._asked):
            order = numpy.arange(len(piece)) if chance is None else chance.permutation(len(piece))
            for at in order.tolist():
                yield piece[at]
