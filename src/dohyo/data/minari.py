"""Decisions as a data set of Minari, which keeps it where it keeps all others ($MINARI_DATASETS_PATH)."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import numpy

from dohyo.core.errors import OperatorError
from dohyo.data.decisions import Decisions
from dohyo.sim.planes import Planes

FORMATS = {"hdf5": "h5py", "arrow": "pyarrow"}  # Minari's words, with the library that each needs


def keep(decisions: Decisions, name: str, **more: Any) -> Any:
    """Keep the episodes as a data set of this name, such as "drop-block/hunter-v0"; the data set.

    An observation is a dictionary of `observation` and `action_mask`, as the environments have it with
    `masks="observation"`; without masks the array alone. `more` goes to Minari's `create_dataset_from_buffers`:
    author, description. Raises `OperatorError` where Minari is not installed, or neither h5py nor pyarrow is.
    """
    if importlib.util.find_spec("minari") is None:
        raise OperatorError("data-needs", library="minari[hdf5]")
    written = [word for word, library in FORMATS.items() if importlib.util.find_spec(library)]
    if not written:
        raise OperatorError("data-needs", library="h5py")
    spaces = importlib.import_module("gymnasium.spaces")
    minari = importlib.import_module("minari")
    buffer = importlib.import_module("minari.data_collector").EpisodeBuffer
    game, actions = decisions.game, decisions.game.rules.ACTIONS
    seen = Planes(game, scaled=decisions.observations.dtype != Planes(game).kind).space()
    if decisions.masks is not None:
        seen = spaces.Dict({"observation": seen, "action_mask": spaces.MultiBinary(actions)})
    return minari.create_dataset_from_buffers(
        name,
        [_episode(decisions, number, buffer) for number in range(len(decisions.episodes.seat))],
        **{
            "observation_space": seen,
            "action_space": spaces.Discrete(actions),
            "data_format": written[0],
            "jpeg_encoding": False,  # it would not give back the same numbers
            **more,
        },
    )


def _episode(decisions: Decisions, number: int, buffer: Any) -> Any:
    """One episode, with what is seen at its end behind its decisions."""
    rows, last = decisions.episode(number), decisions.episodes.final[number : number + 1]
    observations: Any = numpy.concatenate([decisions.observations[rows], last])
    if decisions.masks is not None:
        masks = decisions.masks[rows]
        masks = numpy.concatenate([masks, numpy.zeros_like(masks[:1])])  # nothing is legal any more
        observations = {"observation": observations, "action_mask": masks}
    count = rows.stop - rows.start
    ends = numpy.arange(count) == count - 1
    return buffer(
        id=number,
        observations=observations,
        actions=decisions.actions[rows],
        rewards=decisions.rewards[rows],
        terminations=ends,
        truncations=numpy.zeros(count, bool),
    )
