"""A batch on a graphics card, held against plain rules and against a batch on a CPU.

    python -m tests.sim.on_card slots TURNS GAME ...        on a card
    NUMBA_ENABLE_CUDASIM=1 python -m tests.sim.on_card ...  in numba-cuda's simulator

The simulator calls kernels as plain Python functions, a thread of the system for each of the card's. What it does not
imitate is done here: compiled code computes with 64 bits whatever the width of a field, and reads a record's fields
by name, also in a thread's local memory. In a process of its own, since numba-cuda looks when it is imported.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy
import pytest

from dohyo.games import find
from dohyo.laws.of_batches import play_beside
from dohyo.laws.tally import Tally
from dohyo.sim import BatchMatch, IllegalActionError, compiled
from dohyo.sim import cuda as card
from dohyo.sim.compiled import is_record
from dohyo.sim.cuda import is_simulated
from tests import cuda_library
from tests.sim import card_steps


class Seen:
    """An array or a record as compiled code sees it."""

    def __init__(self, values: Any) -> None:
        object.__setattr__(self, "values", getattr(values, "_ary", values))

    def __getattr__(self, name: str) -> Any:
        return seen(self.values[name]) if name in (self.values.dtype.names or ()) else getattr(self.values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self.values[name] = value

    def __getitem__(self, at: Any) -> Any:
        return seen(self.values[at])

    def __setitem__(self, at: Any, value: Any) -> None:
        self.values[at] = value.values if isinstance(value, Seen) else value

    def __len__(self) -> int:
        return len(self.values)


def seen(value: Any) -> Any:
    """A part of an array: records and rows are seen as the array is, a number is one of 64 bits."""
    return Seen(value) if isinstance(value, numpy.ndarray | numpy.void) else value.item()


def simulate() -> None:
    """Make the simulator show arrays as compiled code sees them."""
    from numba.cuda.np.numpy_support import as_dtype
    from numba.cuda.simulator import kernel, kernelapi
    from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

    def local_array(self: Any, shape: Any, dtype: Any) -> Seen:
        values = numpy.empty(shape, as_dtype(dtype))
        values.view("u1")[:] = 77  # nobody may count on what was there before
        return Seen(values)

    plain = kernel.FakeCUDAKernel.__call__

    def call(self: Any, *arguments: Any) -> Any:
        """It looks at arrays only, not at those within a record."""
        return plain(self, *(type(each)(*map(shown, each)) if is_record(type(each)) else each for each in arguments))

    def shown(part: Any) -> Any:
        return Seen(part) if isinstance(part, FakeCUDAArray) else part

    kernel.FakeCUDAKernel.__call__ = call
    kernel.FakeWithinKernelCUDAArray = Seen
    kernelapi.FakeCUDALocal.array = local_array
    compiled._frozen = lambda value: value
    card.BLOCK = 8  # each thread of a block is one of the system's, whether it has a game or not


class Fetched:
    """A batch on a card, of which one sees NumPy's arrays."""

    def __init__(self, batch: BatchMatch) -> None:
        self.batch = batch

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.batch, name)
        return value.copy_to_host() if hasattr(value, "copy_to_host") else value

    def legal(self) -> Any:
        return self.batch.legal().copy_to_host()

    def acting(self) -> Any:
        return self.batch.acting().copy_to_host()

    def rewards(self) -> Any:
        return self.batch.rewards().copy_to_host()


def play(name: str, slots: int, turns: int) -> None:
    """A batch on the card plays the matches of its seeds; a rollout there ends where that of a CPU ends."""
    game = find(name)
    batch = BatchMatch(game, slots, 7, device="cuda")
    play_beside(Fetched(batch), {}, turns, 1, Tally())  # type: ignore[arg-type]
    twin = BatchMatch(game, slots, 8, threads=1)
    batch.reset(seed=8)
    assert batch.rollout(turns) == twin.rollout(turns), name
    for slot in range(slots):
        assert game.rules.LAYOUT.pack(batch.unpack(slot)) == game.rules.LAYOUT.pack(twin.unpack(slot)), (name, slot)
    if game.observation is not None:
        assert batch.observe().copy_to_host().tobytes() == twin.observe().tobytes(), name
        seen, mask, actions = batch.observe(), batch.legal(), batch.sample()
        assert actions.copy_to_host().tolist() == twin.sample().tolist()
        batch.step(actions, observe=seen, legal=mask)
        twin.step(actions.copy_to_host())
        assert seen.copy_to_host().tobytes() == twin.observe().tobytes()
        assert mask.copy_to_host().tobytes() == twin.legal().tobytes()
    print(name, "agrees")


def check_callers() -> None:
    """What callers give and take: actions on the card, of any width; wrong ones; single states."""
    from numba import cuda

    game = find("drop-block")
    batch = BatchMatch(game, 3, 7, device="cuda")
    before = batch.states.copy_to_host().tobytes()
    for wrong in (cuda.to_device(numpy.array([0, 6, 0])), numpy.array([0, 6, 0])):
        batch.step(wrong)
        with pytest.raises(IllegalActionError) as illegal:
            batch.check()
        assert (illegal.value.slot, illegal.value.seat) == (1, 0)
    for shape in ((2,), (3, 3)):
        with pytest.raises(ValueError, match=r"\(3, 4\) or \(3,\)"):
            batch.step(cuda.to_device(numpy.zeros(shape, int)))
    with pytest.raises(TypeError, match="whole numbers"):
        batch.step(cuda.to_device(numpy.zeros(3)))
    assert batch.states.copy_to_host().tobytes() == before
    twin = batch.copy()
    for kind in ("i8", "i1", "i4"):
        batch.step(cuda.to_device(numpy.array([1, 2, 3], kind)))
        twin.step(numpy.array([[1] * 4, [2] * 4, [3] * 4], kind))
    assert batch.states.copy_to_host().tobytes() == twin.states.copy_to_host().tobytes() != before
    mask = cuda.to_device(numpy.zeros((3, game.rules.ACTIONS), bool))
    assert batch.legal(mask, mover=True) is mask
    assert mask.copy_to_host().all()
    state = batch.unpack(2)
    batch.pack(0, state, 3)
    assert game.rules.LAYOUT.pack(batch.unpack(0)) == game.rules.LAYOUT.pack(state)
    batch.reset(cuda.to_device(numpy.array([True, False, False])))
    assert [batch.unpack(n).turn for n in range(3)] == [0, 3, 3]
    print("callers agree")


if __name__ == "__main__":
    cuda_library.redirect()
    if is_simulated():
        simulate()
    slots, turns, *names = sys.argv[1:]
    for each in names:
        play(each, int(slots), int(turns))
    check_callers()
    card_steps.main(names, int(slots), int(turns))
