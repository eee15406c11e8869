"""A batch on a graphics card: the same functions, compiled by numba-cuda, over arrays in the card's memory.

This module has what a batch uses instead of the loops and threads of a CPU (`dohyo.sim.loops`): the kernels of a
game, and the card that runs them. Arrays stay on the card. PyTorch, CuPy and others can use them without a copy by
`__cuda_array_interface__`; arrays of such libraries are accepted by that interface or by DLPack.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.sim import kernels, turns
from dohyo.sim.compiled import DiskCache, Target, build_all, import_numba, without_settings
from dohyo.sim.loops import Policy, observation_parts, parts_of, policy_parts, scratch_rows

BLOCK = 128  # threads
REGISTERS = 128  # of a thread in a rollout, at most: 512 of them at once on each of the card's processors
LEAST_CAPABILITY = {12: (5, 0), 13: (7, 5)}  # by CUDA's version
OUT_OF_MEMORY = 2  # CUDA's number for it
ON_CARD = (2, 13)  # DLPack's numbers for memory that a card can read: its own, and managed memory


class Scratch(NamedTuple):
    """A thread's rows, as `turns.scratch_layout` has them."""

    options: Any
    dice: Any
    actions: Any
    ranks: Any
    conceded: Any


@cache
def open_card() -> Any:
    """The module `numba.cuda`, with a card that it can use. Raises `OperatorError` where there is none."""
    import_numba()
    if importlib.util.find_spec("numba_cuda") is None:
        raise OperatorError("needs-cuda")
    with without_settings():
        try:
            from numba import cuda
        except ImportError as error:  # a part of it is missing
            raise OperatorError("needs-cuda") from error
    if not is_simulated():
        check_card(cuda)
    return cuda


def is_simulated() -> bool:
    """Whether numba-cuda only simulates a card, for tests: then functions run as they are."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


def check_card(cuda: Any) -> None:
    """Raise `OperatorError` unless there is a card, its driver, and a compiler that knows both."""
    try:
        count = len(cuda.gpus)
        driver = cuda.driver.driver.get_version()
    except (cuda.CudaSupportError, cuda.driver.CudaAPIError) as error:
        raise OperatorError("no-gpu", reason=_one_line(error)) from error
    if count == 0:
        raise OperatorError("no-gpu", reason="the driver finds none")
    try:
        version = cuda.runtime.get_version()
    except Exception as error:  # whatever the search for the compiler's libraries raises
        raise OperatorError("no-cuda-compiler", reason=_one_line(error)) from error
    if driver[0] < version[0]:
        details = {"found": _dotted(driver), "needed": f"{version[0]}.0", "found_major": driver[0]}
        raise OperatorError("old-gpu-driver", **details)
    try:
        card = cuda.get_current_device()
    except (cuda.CudaSupportError, cuda.driver.CudaAPIError) as error:
        raise OperatorError("no-gpu", reason=_one_line(error)) from error
    least = LEAST_CAPABILITY.get(version[0], (7, 5))
    if card.compute_capability < least:
        found = _dotted(card.compute_capability)
        raise OperatorError("old-gpu", name=_text(card.name), found=found, needed=_dotted(least), cuda=version[0])


def _one_line(error: Exception) -> str:
    """The first thing that the error says, without a heading or a full stop."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = [line for line in lines if not line.endswith(":")] or lines or [type(error).__name__]
    return said[0].rstrip(".")


def _dotted(version: Sequence[int]) -> str:
    return ".".join(str(number) for number in version)


def _text(name: Any) -> str:
    return name.decode("ascii", "replace") if isinstance(name, bytes) else str(name)


class Kernels:
    """A game's kernels for a number of seats, named as the loops in `Loops`; each is compiled when first run."""

    def __init__(self, game: Game, seats: int) -> None:
        """Raises `OperatorError` where no card can be used."""
        self._cuda = open_card()
        self._game, self._seats = game, seats
        self._parts = {**parts_of(game), "SEATS": seats}
        loops = (kernels.begin, kernels.illegal, kernels.step, kernels.acting, kernels.legal, kernels.sample)
        found = self._made(self._parts, *loops)
        self.begin, self.find_illegal, self.step, self.acting, self.legal, self.sample = found
        (self.widen,) = self._made({}, kernels.widen)
        self._rolls: dict[tuple[Policy, ...], Any] = {}
        self._observe: Any = None

    def roll(self, policies: tuple[Policy, ...]) -> Any:
        """As `Loops.roll`."""
        if policies not in self._rolls:
            parts, own = policy_parts(self._game, policies)
            (*_, self._rolls[policies]) = self._made({**self._parts, **parts}, *own, kernels.roll)
        return self._rolls[policies]

    def observe(self) -> Any:
        """As `Loops.observe`."""
        if self._observe is None:
            (self._observe,) = self._made(observation_parts(self._game), kernels.observe)
        return self._observe

    def _made(self, parts: dict[str, Any], *functions: Callable[..., Any]) -> list[Any]:
        return compile_kernels(self._cuda, functions, parts, self.constants())

    def constants(self) -> dict[str, Any]:
        """What the kernels have to know when they are compiled."""
        from_dtype = importlib.import_module("numba.cuda.np.numpy_support").from_dtype
        rules, types = self._game.rules, self._cuda.types
        return {
            "OPTIONS": rules.ACTIONS,
            "DICE": max(1, rules.DICE),
            "SEATS": self._seats,
            "WINS": (1, self._seats + 1),
            "NUMBER": types.int64,
            "OPTION": types.int32,
            "STATE": from_dtype(rules.LAYOUT.dtype()),
            "SOURCE": from_dtype(rules.SOURCE.dtype()),
            "SLOT": from_dtype(turns.SLOT.dtype()),
            "CONCEDED": scratch_rows(rules, self._seats)["conceded"][0],
        }


def compile_kernels(
    cuda: Any, functions: Sequence[Callable[..., Any]], parts: dict[str, Any], constants: dict[str, Any]
) -> list[Any]:
    """Kernels, and functions beside them, over what `parts` and `constants` supply; kept on disk as the loops are."""
    told = {name: value.tolist() if hasattr(value, "tolist") else str(value) for name, value in constants.items()}
    given = {"cuda": cuda, "Scratch": Scratch, **constants}
    return build_all(target_of(cuda), functions, parts, given, repr(told))


def target_of(cuda: Any) -> Target:
    """What kernels are compiled for: the card in use."""
    version = importlib.import_module("numba_cuda").__version__
    config = importlib.import_module("numba.cuda.core.config")

    def make(function: FunctionType, kept: DiskCache) -> Any:
        if function.__module__ != kernels.__name__:
            return cuda.jit(function, device=True)
        if is_simulated():
            return cuda.jit(function)
        limit = REGISTERS if function.__name__ == kernels.roll.__name__ else None
        return cuda.jit(function, cache=kept is DiskCache.WRITTEN, max_registers=limit)

    return Target("cuda", repr((version, REGISTERS)), config, make)


@cache
def _kernels_of(game_identity: int, seats: int) -> list[Kernels]:
    return []


def kernels_of(game: Game, seats: int) -> Kernels:
    """The game's kernels, made once in this process."""
    found = _kernels_of(id(game), seats)  # the kernels hold the game, so that its identity is never given to another
    if not found:
        found.append(Kernels(game, seats))
    return found[0]


class Card:
    """Where a batch's arrays are, and what runs its loops: as `dohyo.sim.loops.Cores`, on a graphics card."""

    def __init__(self, game: Game, count: int, seats: int) -> None:
        """Raises `OperatorError` where no card can be used."""
        import numpy

        self._cuda = open_card()
        self.loops = kernels_of(game, seats)
        self.rows_of_wins = min(count, kernels.ROWS_OF_WINS)
        self._count = count
        self._found = self.array(numpy.zeros(1, numpy.int64))

    def again(self) -> Card:
        """The same, for another batch of this game."""
        import numpy

        twin = Card.__new__(Card)
        vars(twin).update(vars(self))
        twin._found = self.array(numpy.zeros(1, numpy.int64))
        return twin

    # --- running

    def run(self, kernel: Any, arguments: Sequence[Any], turns_a_slot: int = 1, scratch: int | None = None) -> int:
        """Run a kernel over all slots; of `find_illegal`, how many it found. Others go on while the caller does."""
        self._launch(kernel, self._found, *arguments)
        if kernel is not self.loops.find_illegal:
            return 0
        found = int(self._found.copy_to_host()[0])
        if found:
            self._found = self.array(self._found.copy_to_host() * 0)
        return found

    def is_within(self, given: Any) -> bool:
        """As `Cores.is_within`: a kernel finds out."""
        return False

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        with warnings.catch_warnings():  # numba-cuda's, that a card could do more: a batch may be small
            warnings.simplefilter("ignore")
            launch = kernel[-(-self._count // BLOCK), BLOCK]
        launch(*arguments)

    def wait(self) -> None:
        """Wait until the card has done all its work."""
        self._cuda.synchronize()

    # --- arrays

    def array(self, values: Any) -> Any:
        """A NumPy array's values, on the card. Raises `OperatorError` where it has no room for them."""
        try:
            return self._cuda.to_device(values)
        except Exception as error:
            if getattr(error, "code", None) == OUT_OF_MEMORY:
                raise OperatorError("gpu-memory", bytes=values.nbytes) from error
            raise

    def fetch(self, array: Any) -> Any:
        """The values of an array of the card, as one of NumPy."""
        return array.copy_to_host()

    def copy(self, array: Any) -> Any:
        """An array of the same values."""
        return self.array(array.copy_to_host())

    def one(self, array: Any, at: int) -> Any:
        """A NumPy array of one: the record at this place."""
        return array[at : at + 1].copy_to_host()

    def put(self, array: Any, at: int, one: Any) -> None:
        """Write a record, in a NumPy array of one, to this place."""
        array[at : at + 1].copy_to_device(one)

    def is_array(self, value: Any) -> bool:
        """Whether this is in the card's memory."""
        return is_on_card(value)

    def view(self, array: Any) -> Any:
        """An array of somebody's on the card, as one of ours on the same memory."""
        if hasattr(array, "__cuda_ndarray__"):
            return array
        if hasattr(array, "__cuda_array_interface__"):
            return self._cuda.as_cuda_array(array)
        return _by_dlpack(self._cuda, array)

    def is_whole(self, array: Any) -> bool:
        """Whether its rows lie one after the other."""
        return bool(array.is_c_contiguous())

    def rows(self, given: Any) -> Any:
        """Whole numbers of a caller, (n,) or (n, k), as rows of int64: the caller's own memory if they are that."""
        import numpy

        if not is_on_card(given):
            return self.array(numpy.ascontiguousarray(given.reshape(self._count, -1), numpy.int64))
        if given.dtype == numpy.int64 and given.is_c_contiguous():
            return given.reshape(self._count, given.size // self._count)
        out = self.array(numpy.zeros((self._count, given.size // self._count), numpy.int64))
        self._launch(self.loops.widen, given if given.ndim == 2 else _as_column(self._cuda, given), out)
        return out


def is_on_card(value: Any) -> bool:
    """Whether this is an array in a card's memory, of whatever library."""
    if hasattr(value, "__cuda_ndarray__") or hasattr(value, "__cuda_array_interface__"):
        return True
    where = getattr(value, "__dlpack_device__", None)
    return where is not None and where()[0] in ON_CARD


def _by_dlpack(cuda: Any, array: Any) -> Any:
    """An array of somebody's who speaks DLPack only, on the same memory."""
    seen = importlib.import_module("cuda.core.utils").StridedMemoryView.from_dlpack(array, stream_ptr=-1)
    size = seen.dtype.itemsize
    strides = None if seen.strides is None else tuple(step * size for step in seen.strides)
    interface = {
        "shape": tuple(seen.shape),
        "strides": strides,
        "typestr": seen.dtype.str,
        "data": (seen.ptr, seen.readonly),
        "version": 3,
    }
    owner = SimpleNamespace(__cuda_array_interface__=interface, held=seen)
    return cuda.as_cuda_array(owner)


def _as_column(cuda: Any, row: Any) -> Any:
    """A row that may be strided, as a column on the same memory."""
    if is_simulated():
        return row.reshape(-1, 1)
    interface = dict(row.__cuda_array_interface__)
    strides = (interface.get("strides") or (row.dtype.itemsize,))[0]
    interface.update(shape=(*interface["shape"], 1), strides=(strides, row.dtype.itemsize))
    return cuda.as_cuda_array(SimpleNamespace(__cuda_array_interface__=interface, held=row))
