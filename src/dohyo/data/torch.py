"""Decisions for PyTorch: as tensors, or as a stream from replays. PyTorch is imported when this module is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Unpack

import numpy

from dohyo.core.errors import OperatorError
from dohyo.data.decisions import Decisions
from dohyo.data.loading import AT_ONCE, chunks
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


def tensors(decisions: Decisions) -> TensorDataset:
    """A `TensorDataset` of observations, actions, masks (where there are) and returns, on the arrays' own memory."""
    arrays = (decisions.observations, decisions.actions, decisions.masks, decisions.returns)
    return TensorDataset(*(torch.from_numpy(array) for array in arrays if array is not None))


class Stream(IterableDataset[dict[str, Any]]):  # type: ignore[misc, unused-ignore]
    """Decisions of replays, read while somebody takes them, in bounded memory.

        loader = torch.utils.data.DataLoader(Stream("replays/", bots="hunter", seed=1), batch_size=256)

    An item is that of `Decisions`. Sources and options are those of `dohyo.data.chunks`; with a `seed` the `size`
    decisions that are in memory at a time are shuffled. Several workers of a loader share the sources' pieces.
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
        self._seed, self._where = seed, {"size": size, "game": game, "contest": contest, "store": store}
        self._asked = asked

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The decisions, from the beginning."""
        worker = get_worker_info()
        part, parts = (0, 1) if worker is None else (worker.id, worker.num_workers)
        chance = None if self._seed is None else numpy.random.default_rng(self._seed)
        for number, piece in enumerate(chunks(self._sources, **self._where, **self._asked)):
            order = numpy.arange(len(piece)) if chance is None else chance.permutation(len(piece))
            if number % parts == part:
                for at in order.tolist():
                    yield piece[at]
