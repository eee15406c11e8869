"""What a batch on a card promises of its steps, copies, streams and cards; run by `on_card`, on a card or simulated.

Where numba-cuda only simulates a card, it has streams and a second card only so far as is made up here.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy
import pytest

from dohyo.core.errors import OperatorError
from dohyo.games import find
from dohyo.sim import BatchMatch, IllegalActionError
from dohyo.sim.cuda import is_simulated
from dohyo.sim.kernels import NO_ANSWER


def refused(*_: Any, **__: Any) -> Any:
    """What stands for everything that a step may not do."""
    raise AssertionError("a step copies to the host, takes memory of the card, or waits for it")


@contextmanager
def nothing_but_kernels(monkeypatch: pytest.MonkeyPatch, flags: list[Any]) -> Iterator[None]:
    """Inside, whatever copies to the host, takes memory or waits for the card fails; but of `flags` one may read."""
    from numba import cuda

    with monkeypatch.context() as patch:
        if is_simulated():
            from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray as Array

            plain = Array.__getitem__

            def read(self: Any, at: Any) -> Any:
                found = plain(self, at)
                return found if isinstance(found, Array) or any(self is flag for flag in flags) else refused()

            patch.setattr(Array, "__getitem__", read)
        else:
            from numba.cuda.cudadrv.devicearray import DeviceNDArray as Array
        patch.setattr(Array, "copy_to_host", refused)
        patch.setattr(Array, "__array__", refused, raising=False)
        for name in ("to_device", "device_array", "mapped_array", "synchronize"):
            patch.setattr(cuda, name, refused)
        yield


def check_steps(monkeypatch: pytest.MonkeyPatch, name: str, slots: int, turns: int) -> None:
    """A step with what is seen and legal is one kernel or two, and nothing else; it plays as a processor does."""
    game = find(name)
    for illegal in ("raise", "fault", "trust"):
        batch = BatchMatch(game, slots, 7, illegal=illegal, device="cuda")
        twin = BatchMatch(game, slots, 7, illegal=illegal, threads=1)
        seen, mask, actions = batch.observe(), batch.legal(), batch.sample()
        batch.step(actions, observe=seen, legal=mask)  # compiles
        twin.step(twin.sample())
        started = count_launches(monkeypatch, batch)
        with nothing_but_kernels(monkeypatch, [batch.place._flag]):
            for _ in range(turns):
                batch.sample(actions)
                batch.step(actions, observe=seen, legal=mask)
        assert len(started) == turns * (3 if illegal == "raise" else 2)
        for _ in range(turns):
            twin.step(twin.sample())
        for mine, its in ((seen, twin.observe()), (mask, twin.legal()), (batch.rewards(), twin.rewards())):
            assert mine.copy_to_host().tobytes() == its.tobytes()
        assert batch.done.copy_to_host().tolist() == twin.done.tolist()
        same_states(batch, twin)
    print(name, "steps agree")


def count_launches(monkeypatch: pytest.MonkeyPatch, batch: BatchMatch) -> list[Any]:
    """The kernels that the batch has started since."""
    started: list[Any] = []
    launch = batch.place.launch
    monkeypatch.setattr(batch.place, "launch", lambda *given: started.append(given[0]) or launch(*given))
    return started


def same_states(batch: BatchMatch, twin: BatchMatch) -> None:
    """Both have the same games."""
    pack = batch.game.rules.LAYOUT.pack
    for slot in range(batch.n):
        assert pack(batch.unpack(slot)) == pack(twin.unpack(slot))
        assert batch.seed_of(slot) == twin.seed_of(slot)


def check_wrong_actions() -> None:
    """Actions against the rules: found by a later call, answered by the game, or by the host where it must."""
    from numba import cuda

    game = find("wondev-woman")
    for illegal in ("fault", "raise", "trust"):
        batch = BatchMatch(game, 2, 7, illegal=illegal, device="cuda")
        twin = BatchMatch(game, 2, 7, illegal=illegal, threads=1)
        mask = twin.legal(mover=True)
        legal, wrong = (mask.argmax(axis=1), (~mask).argmax(axis=1))
        given = numpy.array([legal[0], wrong[1] if illegal != "trust" else 99999])
        batch.step(cuda.to_device(given))
        if illegal == "fault":
            twin.step(given)
            same_states(batch, twin)
            continue
        with pytest.MonkeyPatch.context() as patch:  # the host does not know it yet, and goes on
            patch.setattr(batch.place, "has_refused", lambda wait: False)
            batch.step(cuda.to_device(legal))
        with pytest.raises(IllegalActionError) as found:
            batch.step(cuda.to_device(legal)) or batch.check()
        assert (found.value.slot, found.value.action) == (1, given[1])
        batch.check()
        if illegal == "raise":
            assert "no game has moved" in str(found.value)
            same_states(batch, twin)
        else:
            assert "that game has moved" in str(found.value)
        batch.reset(seed=3)
        twin.reset(seed=3)
        batch.step(cuda.to_device(twin.legal(mover=True).argmax(axis=1)))
        twin.step(twin.legal(mover=True).argmax(axis=1))
        same_states(batch, twin)
    asked = msgspec.structs.replace(game, protocol=Asked(game.protocol))
    batch = BatchMatch(asked, 2, 7, illegal="fault", device="cuda")
    assert batch.place.loops.answer == NO_ANSWER
    twin = BatchMatch(asked, 2, 7, illegal="fault", threads=1)
    for each in (batch, twin):
        for _ in range(2):
            each.step(numpy.array([99999, 99999]))
    same_states(batch, twin)
    print("wrong actions agree")


class Asked:
    """A game's protocol whose answer to a fault depends on the state: its last legal action."""

    def __init__(self, plain: Any) -> None:
        vars(self).update(vars(plain))
        self.legal, self.answer = find("wondev-woman").rules.legal, self.last

    def last(self, s: Any, seat: int, fault: Any) -> int:
        """The last legal action."""
        options = [0] * 10000
        return options[self.legal(s, seat, options) - 1]


def check_copies() -> None:
    """Games taken, put, saved and loaded, copied and pickled go on as those of a processor."""
    game = find("drop-block")
    batch = BatchMatch(game, 4, [5, 6, 7, 8], device="cuda")
    twin = BatchMatch(game, 4, [5, 6, 7, 8], threads=1)
    same_states(batch, twin)
    memory = batch.states
    kept = batch.save(), twin.save()
    assert hasattr(kept[0].arrays["states"], "copy_to_host")
    for each in (batch, twin):
        each.step(each.sample())
        part = each.take([3, 1, 3])
        part.step(part.sample())
        each.put([0, 2], part.take([1, 2]))
    same_states(batch.take([3, 1, 3]), twin.take([3, 1, 3]))
    same_states(batch, twin)
    for mine in (batch.copy(), pickle.loads(pickle.dumps(batch))):
        mine.step(mine.sample())
        its = twin.copy()
        its.step(its.sample())
        same_states(mine, its)
        same_states(batch, twin)
    batch.load(pickle.loads(pickle.dumps(kept[0])))
    kept_twin = BatchMatch(game, 4, [5, 6, 7, 8], threads=1)
    same_states(batch, kept_twin)
    batch.step(batch.sample())
    batch.load(kept[0])
    assert batch.states is memory  # whoever holds it, and a graph, sees the games that were loaded
    same_states(batch, kept_twin)
    twin.load(kept[0])
    same_states(batch, twin)
    print("copies agree")


class Stream:
    """A stream in the place of a card's, as PyTorch names it."""

    def __init__(self, handle: int) -> None:
        self.cuda_stream = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.cuda_stream

    def synchronize(self) -> None:
        """All is done at once."""


def number(stream: Any) -> int:
    """A stream's number, in the simulator."""
    return int(getattr(stream, "cuda_stream", stream))


def watch_streams(monkeypatch: pytest.MonkeyPatch) -> tuple[list[int], list[tuple[int, int]]]:
    """In which streams kernels are started from now on, and which of two streams waits for which: (first, then)."""
    from numba import cuda
    from numba.cuda.simulator import kernel

    used: list[int] = []
    ordered: list[tuple[int, int]] = []

    class Event:
        def record(self, stream: Any = 0) -> None:
            self.of = number(stream)

        def wait(self, stream: Any = 0) -> None:
            ordered.append((self.of, number(stream)))

    plain = kernel.FakeCUDAKernel.__getitem__

    def configured(self: Any, configuration: Any) -> Any:
        used.append(number(configuration[2]))
        return plain(self, configuration)

    monkeypatch.setattr(kernel.FakeCUDAKernel, "__getitem__", configured)
    monkeypatch.setattr(cuda, "external_stream", Stream)
    monkeypatch.setattr(cuda, "event", lambda timing: Event())
    return used, ordered


def check_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch works in the stream that it is given, or that a function names; others' arrays are waited for."""
    used, ordered = watch_streams(monkeypatch)
    game = find("drop-block")
    batch = BatchMatch(game, 2, 7, device="cuda", stream=Stream(77), illegal="trust")
    assert batch.done.stream.cuda_stream == 77  # who takes it by the interface finds the stream there
    actions = batch.sample()
    batch.step(actions)
    assert set(used) == {77}
    assert not ordered
    actions.stream = Stream(88)  # as one of another library that works there
    used.clear()
    batch.step(actions)
    assert (set(used), ordered) == ({77}, [(88, 77), (77, 88)])
    now = [Stream(5)]
    for stream, handles in ((lambda: now[0], {5}), (9, {9}), (SimpleNamespace(ptr=4), {4}), (0, {0}), (1, {0})):
        used.clear()
        batch.stream = stream
        batch.step(batch.sample())
        assert set(used) == handles
    batch.stream = lambda: now[0]
    batch.step(actions)
    now[0] = Stream(6)
    used.clear()
    same_states(batch, batch.copy())
    batch.step(batch.sample())
    assert set(used) == {6}
    for wrong in ("here", -1, True):
        with pytest.raises(TypeError, match="a stream is one of"):
            batch.stream = wrong
    with pytest.raises(ValueError, match="graphics card's"):
        BatchMatch(game, 2, threads=1, stream=Stream(3))
    print("streams agree")


def check_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """`cuda:1` is the second card: everything there is done while it is the one in use."""
    from numba import cuda
    from numba.cuda.simulator import kernel
    from numba.cuda.simulator.cudadrv import devices

    inside: list[int] = []

    class Second(devices.FakeCUDAContext):  # type: ignore[misc]
        def __enter__(self) -> None:
            inside.append(1)

        def __exit__(self, *_: object) -> None:
            inside.pop()

    game = find("drop-block")
    with pytest.raises(OperatorError, match="no card number 1, the driver finds 1"):
        BatchMatch(game, 2, 7, device="cuda:1")
    monkeypatch.setattr(devices.gpus, "lst", (devices.FakeCUDAContext(0), Second(1)))
    calls = (("to_device", cuda), ("device_array", cuda), ("mapped_array", cuda))
    for name, owner in (*calls, ("__call__", kernel.FakeCUDAKernel)):
        monkeypatch.setattr(owner, name, watched(getattr(owner, name), inside))
    batch = BatchMatch(game, 2, 7, device="cuda:1")
    batch.step(batch.sample(), legal=batch.legal())
    part = batch.copy().take([1])
    part.step(part.sample())
    same_states(batch, batch.copy())
    with pytest.raises(AssertionError, match="another card"):
        BatchMatch(game, 2, 7, device="cuda:0")
    with pytest.raises(ValueError, match="device is one of"):
        BatchMatch(game, 2, 7, device="cuda:x")
    print("cards agree")


def check_real_streams() -> None:
    """A stream of its own, the second card if there is one, and a step recorded as a graph of PyTorch's."""
    from numba import cuda

    game = find("drop-block")
    devices = ["cuda", "cuda:0", *(f"cuda:{number}" for number in range(1, len(cuda.gpus)))]
    for device in devices:
        stream = cuda.stream() if device == "cuda" else None
        batch = BatchMatch(game, 1000, 7, device=device, stream=stream)
        twin = BatchMatch(game, 1000, 7, threads=1)
        for _ in range(20):
            batch.step(batch.sample())
            twin.step(twin.sample())
        batch.put([0, 1], batch.take([1, 0]))
        twin.put([0, 1], twin.take([1, 0]))
        same_states(batch, twin)
    print("streams agree")
    print("cards agree")
    if find_spec("torch"):
        check_graph()


def check_graph() -> None:
    """A recorded step plays on when it is run again, and fills the same tensors."""
    import torch  # type: ignore[import-not-found,unused-ignore]

    game = find("drop-block")
    stream = torch.cuda.current_stream
    batch = BatchMatch(game, 1000, 7, illegal="fault", device="cuda", stream=stream)
    twin = BatchMatch(game, 1000, 7, threads=1)
    seen = torch.empty(twin.observe().shape, dtype=torch.int8, device="cuda")
    mask = torch.empty((1000, game.rules.ACTIONS), dtype=torch.bool, device="cuda")
    actions = torch.empty(1000, dtype=torch.int64, device="cuda")

    def turn() -> None:
        batch.sample(actions)
        batch.step(actions, observe=seen, legal=mask)

    with torch.cuda.stream(side := torch.cuda.Stream()):
        turn()
    side.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        turn()
    for _ in range(10):
        graph.replay()
    torch.cuda.synchronize()
    for _ in range(11):
        twin.step(twin.sample())
    assert seen.cpu().numpy().tobytes() == twin.observe().tobytes()
    assert mask.cpu().numpy().tobytes() == twin.legal(mover=True).tobytes()
    same_states(batch, twin)
    print("graphs agree")


def watched(plain: Callable[..., Any], inside: list[int]) -> Callable[..., Any]:
    """A function that may only be called inside."""

    def call(*given: Any, **named: Any) -> Any:
        assert inside, f"{plain.__name__} is called for another card"
        return plain(*given, **named)

    return call


def main(names: list[str], slots: int, turns: int) -> None:
    """All of it; streams and cards as far as the simulator has them."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in names:
            check_steps(monkeypatch, name, slots, min(turns, 4))
    check_wrong_actions()
    check_copies()
    if not is_simulated():
        check_real_streams()
    else:
        for check in (check_streams, check_cards):
            with pytest.MonkeyPatch.context() as monkeypatch:
                check(monkeypatch)
