"""A batch on a graphics card: the same functions, compiled by numba-cuda, over arrays in the card's memory.

This module has what a batch uses instead of the loops and threads of a CPU (`dohyo.sim.loops`): the kernels of a
game, and the card that runs them. Arrays stay on the card. PyTorch, CuPy and others can use them without a copy by
`__cuda_array_interface__`; arrays of such libraries are accepted by that interface or by DLPack.

A step starts one kernel, or two, and neither waits for the card nor takes memory nor copies anything to the host: so
it can be recorded as a CUDA graph.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from copy import copy
from functools import cache
from types import FunctionType
from typing import Any

from dohyo.core.cheap_random import LUCK
from dohyo.core.errors import OperatorError
from dohyo.core.flat import Layout
from dohyo.core.game import Game
from dohyo.core.policies import Field, room_of
from dohyo.core.rewards import Rewards
from dohyo.sim import kernels, turns
from dohyo.sim.card_answers import constant_answer
from dohyo.sim.card_arrays import as_column, by_dlpack, bytes_of, is_on_card
from dohyo.sim.compiled import DiskCache, Target, build_all, import_numba, without_settings
from dohyo.sim.loops import (
    Policy,
    nothing_seen,
    observation_parts,
    once,
    parts_of,
    pay_parts,
    policy_parts,
    scratch_rows,
)
from dohyo.sim.records import row
from dohyo.sim.turns import Games

BLOCK = 128  # threads
REGISTERS = 128  # of a thread in a rollout, at most: 512 of them at once on each of the card's processors
MIN_CAPABILITY = {12: (5, 0), 13: (7, 5)}  # by CUDA's version
OUT_OF_MEMORY = 2  # CUDA's number for it
LEGACY_STREAM = 1  # CUDA's number for the default stream, where 0 means that there is none


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
    least = MIN_CAPABILITY.get(version[0], (7, 5))
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
    """A game's kernels for a number of seats, named as the loops in `Loops`; each is compiled when first run.

    Steps are there in what `paying` returns.
    """

    rewards: Rewards
    promise: Any
    shape: Any
    of_seats: dict[Any, dict[str, Any]]  # those of `card_seat`, by opponents
    _steps: dict[tuple[bool, bool], Any]

    def __init__(self, game: Game, seats: int) -> None:
        """Raises `OperatorError` where no card can be used."""
        self._cuda = open_card()
        self._game, self.seats = game, seats
        self.parts = {**parts_of(game), "SEATS": seats}
        self.answer = constant_answer(game)
        judging = (kernels.begin, kernels.begin_each, kernels.illegal)
        looking = (kernels.acting, kernels.mask, kernels.sample)
        found = self.made(self.parts, *judging, *looking)
        self.begin, self.begin_each, self.find_illegal, self.acting, self.legal, self.sample = found
        self.widen, self.name_seeds, self.move_rows = self.made(
            {}, kernels.widen, kernels.name_seeds, kernels.move_rows
        )
        self._rolls: dict[tuple[Policy, ...], Any] = {}
        self._choices: dict[Policy, Any] = {}
        self._observe: Any = None

    def paying(self, rewards: Rewards) -> Kernels:
        """These kernels, with those of steps that end in these rewards; `promise` and `shape` are for paid steps."""
        twin = copy(self)
        twin.rewards = rewards
        twin.of_seats = {}
        twin._steps = {}
        twin.promise, twin.shape = twin.made(pay_parts(rewards), kernels.promise, kernels.shape)
        return twin

    def step(self, observing: bool, masking: bool) -> Any:
        """The kernel of a step, which also says what is seen, or what is legal, or both.

        Raises `ValueError` for an observation of a game that has none.
        """
        if (observing, masking) not in self._steps:
            sight = observation_parts(self._game) if observing else {"observe": nothing_seen}
            chosen = {"OBSERVING": int(observing), "MASKING": int(masking), "ANSWER": self.answer}
            parts = {**sight, **self.parts, **chosen, **pay_parts(self.rewards)}
            (self._steps[observing, masking],) = self.made(parts, kernels.step)
        return self._steps[observing, masking]

    def roll(self, policies: tuple[Policy, ...], turns_ahead: int = 0) -> Any:
        """As `Loops.roll`."""
        if policies not in self._rolls:
            parts, own = policy_parts(self._game, policies, kernels.roomy_luck)
            parts |= self.parts
            self._rolls[policies] = self.made(parts, *own, kernels.roll, room=room_of(*policies))[-1]
        return self._rolls[policies]

    def choose(self, policy: Policy) -> Any:
        """As `Loops.choose`."""
        if policy not in self._choices:
            parts = self.parts | policy_parts(self._game, (policy,), kernels.roomy_luck)[0]
            self._choices[policy] = self.made(parts, kernels.choose, room=room_of(policy))[0]
        return self._choices[policy]

    def observe(self) -> Any:
        """As `Loops.observe`."""
        if self._observe is None:
            (self._observe,) = self.made(observation_parts(self._game), kernels.observe)
        return self._observe

    def made(
        self, parts: dict[str, Any], *functions: Callable[..., Any], room: Sequence[Field] = (), **constants: float
    ) -> list[Any]:
        """Kernels, and functions beside them; `room` are fields of policies, `constants` what they must know too."""
        return compile_kernels(self._cuda, functions, parts, {**self.constants(room), **constants})

    def constants(self, room: Sequence[Field] = ()) -> dict[str, Any]:
        """What the kernels have to know when they are compiled, with policies that think in the fields of `room`."""
        from_dtype = importlib.import_module("numba.cuda.np.numpy_support").from_dtype
        rules, types = self._game.rules, self._cuda.types
        return {
            "OPTIONS": rules.ACTIONS,
            "DICE": max(1, rules.DICE),
            "SEATS": self.seats,
            "WINS": (1, self.seats + 1),
            "NUMBER": types.int64,
            "OPTION": types.int32,
            "MIND": from_dtype(Layout("Mind", *LUCK.fields, *room).dtype()),
            "DOUBLE": types.float64,
            "STATE": from_dtype(rules.LAYOUT.dtype()),
            "SOURCE": from_dtype(rules.SOURCE.dtype()),
            "SLOT": from_dtype(turns.SLOT.dtype()),
            "CONCEDED": scratch_rows(rules, self.seats)["conceded"][0],
        }


def compile_kernels(
    cuda: Any, functions: Sequence[Callable[..., Any]], parts: dict[str, Any], constants: dict[str, Any]
) -> list[Any]:
    """Kernels, and functions beside them, over what `parts` and `constants` supply; kept on disk as the loops are."""
    told = {name: value.tolist() if hasattr(value, "tolist") else str(value) for name, value in constants.items()}
    given = {"cuda": cuda, **constants}
    return build_all(target_of(cuda), functions, parts, given, repr(told))


def target_of(cuda: Any) -> Target:
    """What kernels are compiled for: the card in use."""
    version = importlib.import_module("numba_cuda").__version__
    config = importlib.import_module("numba.cuda.core.config")

    def make(function: FunctionType, kept: DiskCache, digest: str) -> Any:
        name = f"{function.__module__}.{function.__qualname__}"
        if name not in kernels.KERNELS:
            put_in = function.__qualname__ == kernels.rows.__qualname__
            return cuda.jit(function, device=True, inline="always" if put_in else "never")
        if is_simulated():
            return cuda.jit(function)
        limit = REGISTERS if function.__name__ == kernels.roll.__name__ else None
        return cuda.jit(function, cache=kept is DiskCache.WRITTEN, max_registers=limit)

    return Target("cuda", repr((version, REGISTERS)), config, make)


def number_of(device: str) -> int | None:
    """The number in "cuda:1"; none in "cuda", which is the card that the process has chosen, or the first.

    Raises `ValueError` for another word.
    """
    found = re.fullmatch(r"cuda(?::(\d{1,4}))?", device)
    if found is None:
        raise ValueError(f"device is one of cpu, cuda, cuda:0, cuda:1 and on, not {device!r}")
    return None if found[1] is None else int(found[1])


class Card:
    """Where a batch's arrays are, and what runs its loops: as `dohyo.sim.loops.Cores`, on a graphics card.

    `stream` is in which of the card's streams it works: see `BatchMatch`.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        rewards: Rewards,
        illegal: str,
        renew: bool,
        device: str = "cuda",
        stream: Any = None,
    ) -> None:
        """`illegal` and `renew` are those of `BatchMatch`.

        Raises `OperatorError` where no card can be used, or not that one.
        """
        self._cuda = open_card()
        number = number_of(device)
        if number is not None and number >= len(self._cuda.gpus):
            reason = f"there is no card number {number}, the driver finds {len(self._cuda.gpus)}, from 0 on"
            raise OperatorError("no-gpu", reason=reason)
        self._gpu: Any = nullcontext() if number is None else self._cuda.gpus[number]
        self.given_stream = stream
        self._streams: dict[int, Any] = {}
        self._others: list[Any] = []  # streams of others' arrays, which go on when ours has used these
        seats = self._seats = rewards.seats
        shared: Kernels = once(game, (Kernels, seats), lambda: Kernels(game, seats))
        self.loops: Kernels = once(game, (Kernels, seats, rewards.key), lambda: shared.paying(rewards))
        self._rewards = rewards
        self._illegal, self._renew = illegal, renew
        answers = illegal == "fault" and self.loops.answer != kernels.NO_ANSWER
        self._way = kernels.TRUSTED if illegal == "trust" else kernels.ANSWERED if answers else kernels.JUDGED
        self._prepare(count)

    def flag(self) -> tuple[Any, Any]:
        """A number in the host's memory that kernels can write to, for the host and for kernels."""
        import numpy

        with self._gpu:
            flag = self._cuda.mapped_array(1, numpy.int64)
            flag[0] = 0
            is_plain = not hasattr(flag, "__cuda_array_interface__")  # in a simulator
            return flag, flag if is_plain else self._cuda.as_cuda_array(flag)

    def _prepare(self, count: int) -> None:
        """Memory for what steps of so many games find: see `kernels`."""
        self._count = count
        self.rows_of_wins = min(count, kernels.ROWS_OF_WINS)
        self._flag, flag_there = self.flag()
        self._found = kernels.Found(
            counts=self.zeros((2,), "i8"),
            flag=flag_there,
            taken=self.empty((count, self._seats), "i8"),
            wrong=self.zeros((count, self._seats), "?"),
        )
        shaped = (count, self._seats) if self._rewards.is_shaped else (1, 1)
        self._promised = self.empty(shaped, "f8")
        self._discount = self.array(row(self._rewards.discount))
        self._wide: dict[int, Any] = {}
        self._nothing = self.empty((1, 1, 1), "i1")

    def again(self, count: int) -> Card:
        """Another place like this, for a batch of so many of its game's games."""
        twin = Card.__new__(Card)
        vars(twin).update(vars(self))
        twin._prepare(count)
        return twin

    # --- running

    @property
    def stream(self) -> Any:
        """The stream to work in now, as numba-cuda takes it; 0 is the default one."""
        given = self.given_stream
        handle = 0 if given is None else handle_of(given)
        if handle in (0, LEGACY_STREAM):
            return 0
        if handle not in self._streams:
            with self._gpu:
                self._streams[handle] = self._cuda.external_stream(handle)
        return self._streams[handle]

    def run(self, kernel: Any, games: Games, *rest: Any, turns_a_slot: int = 1) -> int:
        """Start `kernel(games, *rest)` over all slots, which goes on while the caller does."""
        self.launch(kernel, (games, *rest))
        return 0

    def launch(self, kernel: Any, arguments: Sequence[Any], count: int | None = None) -> None:
        """Start a kernel on so many threads, by default one for each slot."""
        stream = self.stream
        for each in arguments:
            for part in each if isinstance(each, tuple) else (each,):
                if hasattr(part, "__cuda_ndarray__"):
                    part.stream = stream  # whoever takes it by the interface can wait for us
        with self._gpu:
            with warnings.catch_warnings():  # numba-cuda's, that a card could do more: a batch may be small
                warnings.simplefilter("ignore")
                start = kernel[-(-(self._count if count is None else count) // BLOCK), BLOCK, stream]
            start(*arguments)
            others, self._others = self._others, []
            for other in others:
                self._order(stream, other)

    def _order(self, first: Any, then: Any) -> None:
        """Let one stream go on only when the other has done what it has been given; the host does not wait."""
        event = self._cuda.event(timing=False)
        event.record(first)
        event.wait(then)

    def wait(self) -> None:
        """Wait until the card has done all the work of this batch."""
        stream = self.stream
        with self._gpu:
            if stream:
                stream.synchronize()
            else:
                self._cuda.synchronize()

    def step(self, games: Games, given: Any, seen: Any, mask: Any, answered: Callable[[Any, Any], Any]) -> None:
        """Play a turn in every game, as `BatchMatch.step` says; `answered` is that of `Cores.step`."""
        if self._way == kernels.JUDGED:
            self.run(self.loops.find_illegal, games, self._found, given, 0)
            if self._illegal == "fault" and self.has_refused(wait=True):  # only the host knows its answer
                given = self.rows(answered(self.fetch(self._found.wrong), self.fetch(given)))
                self.forget()
        kernel = self.loops.step(seen is not None, mask is not None)
        seen = self._nothing if seen is None else seen
        mask = self._nothing if mask is None else mask
        self.run(kernel, games, self._found, given, seen, mask, int(self._renew), self._way)

    def promise(self, games: Games) -> None:
        """As `Cores.promise`."""
        if self._rewards.is_shaped:
            self.run(self.loops.promise, games, self._promised)

    def shape(self, games: Games) -> None:
        """As `Cores.shape`."""
        if self._rewards.is_shaped:
            self.run(self.loops.shape, games, self._promised, self._discount)

    def has_refused(self, wait: bool) -> bool:
        """Whether a step has met an action that it may not play; of steps under way, only if it is to `wait`."""
        if wait:
            self.wait()
        return bool(self._flag[0])

    def forget(self) -> None:
        """Begin anew after that: what was found is known."""
        import numpy

        self.wait()
        self.write(self._found.counts, numpy.zeros(2, numpy.int64))
        self.write(self._found.wrong, numpy.zeros(self._found.wrong.shape, numpy.bool_))
        self._flag[0] = 0

    def refused(self) -> tuple[Any, Any]:
        """Of the step that was refused, as arrays of NumPy's (n, seats): who acted against the rules, all actions."""
        return self.fetch(self._found.wrong), self.fetch(self._found.taken)

    # --- arrays

    def array(self, values: Any) -> Any:
        """A NumPy array's values, on the card. Raises `OperatorError` where it has no room for them."""
        stream = self.stream
        with self._gpu:
            return self._roomy(values.nbytes, lambda: self._cuda.to_device(values, stream=stream))

    def zeros(self, shape: tuple[int, ...], kind: str) -> Any:
        """An array of zeros on the card. Raises `OperatorError` where there is no room for it."""
        import numpy

        return self.array(numpy.zeros(shape, kind))

    def empty(self, shape: tuple[int, ...], kind: str) -> Any:
        """An array on the card with whatever was there. Raises `OperatorError` where there is no room for it."""
        import numpy

        size = numpy.dtype(kind).itemsize * int(numpy.prod(shape))
        stream = self.stream
        with self._gpu:
            return self._roomy(size, lambda: self._cuda.device_array(shape, numpy.dtype(kind), stream=stream))

    def _roomy(self, size: int, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except Exception as error:
            if getattr(error, "code", None) == OUT_OF_MEMORY:
                raise OperatorError("gpu-memory", bytes=size) from error
            raise

    def fetch(self, array: Any) -> Any:
        """The values of an array of the card, as one of NumPy."""
        stream = self.stream
        with self._gpu:
            found = array.copy_to_host(stream=stream)
        if stream:
            self.wait()
        return found

    def copy(self, array: Any) -> Any:
        """An array of the same values, copied on the card."""
        stream = self.stream
        with self._gpu:
            twin = self._roomy(array.nbytes, lambda: self._cuda.device_array(array.shape, array.dtype, stream=stream))
            bytes_of(twin).copy_to_device(bytes_of(array), stream=stream)
        return twin

    def write(self, array: Any, values: Any) -> None:
        """Give an array of the card other values, NumPy's or the card's, in the same memory."""
        stream = self.stream
        with self._gpu:
            if is_on_card(values):
                bytes_of(array).copy_to_device(bytes_of(values), stream=stream)
                return
            array.copy_to_device(values, stream=stream)
        if stream:
            self.wait()  # NumPy's memory may be given back before the copy is done

    def one(self, array: Any, at: int) -> Any:
        """A NumPy array of one: the record at this place."""
        with self._gpu:
            return self.fetch(array[at : at + 1])

    def put(self, array: Any, at: int, one: Any) -> None:
        """Write a record, in a NumPy array of one, to this place."""
        with self._gpu:
            self.write(array[at : at + 1], one)

    def take_rows(self, array: Any, come: Any) -> Any:
        """An array of these rows of the card's, copied there; `come` are whole numbers in NumPy's memory."""
        import numpy

        out = self.empty((len(come), *array.shape[1:]), array.dtype)
        self._move(array, come, out, numpy.arange(len(come)))
        return out

    def put_rows(self, array: Any, go: Any, rows: Any) -> None:
        """Copy all rows of an array of the card to these places of another."""
        import numpy

        self._move(rows, numpy.arange(len(go)), array, go)

    def _move(self, source: Any, come: Any, out: Any, go: Any) -> None:
        import numpy

        both = [self.array(numpy.ascontiguousarray(each, numpy.int64)) for each in (come, go)]
        of, to = bytes_of(source), bytes_of(out)
        self.launch(self.loops.move_rows, (of, both[0], to, both[1]), len(come) * of.shape[1])

    def seeds_of(self, games: Games, which: Any, given: Any) -> Any:
        """The seeds of the matches in these slots, and the numbers of their games: as `Cores.seeds_of`."""
        out = self.empty((len(which), 2), "i8")
        self.launch(self.loops.name_seeds, (games, self.array(which), given, out), len(which))
        return out

    def is_array(self, value: Any) -> bool:
        """Whether this is in the card's memory."""
        return is_on_card(value)

    def view(self, array: Any) -> Any:
        """An array of somebody's on the card, as one of ours on the same memory.

        Where its interface names a stream (version 3), ours goes on when that one has done what it has been given,
        and that one when ours has used the array.
        """
        ours = self.stream
        with self._gpu:
            if hasattr(array, "__cuda_ndarray__"):
                found = array.bind(array.stream)
            elif hasattr(array, "__cuda_array_interface__"):
                found = self._cuda.as_cuda_array(array, sync=False)
            else:
                return by_dlpack(self._cuda, array)
            theirs = found.stream
            is_callers = callable(self.given_stream) and hasattr(array, "__cuda_ndarray__")  # who orders them
            if _number(theirs) != _number(ours) and not is_callers:
                self._order(theirs, ours)
                self._others.append(theirs)
        return found

    def is_whole(self, array: Any) -> bool:
        """Whether its rows lie one after the other."""
        return bool(array.is_c_contiguous())

    def rows(self, given: Any) -> Any:
        """Whole numbers of a caller, (n,) or (n, k), as rows of int64: the caller's own memory if they are that."""
        import numpy

        if not is_on_card(given):
            return self.array(numpy.ascontiguousarray(given.reshape(self._count, -1), numpy.int64))
        columns = given.size // self._count
        if given.dtype == numpy.int64 and given.is_c_contiguous():
            return given.reshape(self._count, columns)
        if columns not in self._wide:
            self._wide[columns] = self.empty((self._count, columns), "i8")
        out = self._wide[columns]
        self.launch(self.loops.widen, (given if given.ndim == 2 else as_column(self._cuda, given), out))
        return out


def handle_of(stream: Any) -> int:
    """The number of a stream, CUDA's own: of PyTorch's, CuPy's, Numba's or cuda.core's, or what a function returns.

    Raises `TypeError` for what is none.
    """
    for name in ("cuda_stream", "ptr"):
        if isinstance(found := getattr(stream, name, None), int):
            return found
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    if callable(stream):
        return handle_of(stream())
    if isinstance(stream, int) and not isinstance(stream, bool) and stream >= 0:
        return stream
    raise TypeError(f"a stream is one of PyTorch's, CuPy's or Numba's, a function that returns one, not {stream!r}")


def _number(stream: Any) -> int:
    """The number of a stream as numba-cuda has it; of the default one always 0."""
    handle = handle_of(stream)
    return 0 if handle == LEGACY_STREAM else handle
