"""Kernels compiled for cards that are not there: to PTX, the assembly that a card's driver takes.

python -m tests.sim.ptx GAME FOLDER [9.0 [KERNEL ...]]     write each kernel, or these, to FOLDER, and say how
                                                           long that took
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy

from dohyo.core.game import Game
from dohyo.core.rewards import Rewards, rewards_of
from dohyo.games import find
from dohyo.sim import card_seat, seat_kernels, turns
from dohyo.sim import cuda as card
from dohyo.sim import kernels as kernel_module
from tests import cuda_library


class NoCard:
    """What the compiler asks of a card."""

    compute_capability = (9, 0)


def kernels(game: Game, seats: int) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Each kernel by name, with the types of its arguments. Only in a process in which no card is used."""
    import numba.cuda.dispatcher
    from numba import cuda, types
    from numba.cuda.np.numpy_support import from_dtype

    numba.cuda.dispatcher.get_current_device = NoCard
    card.open_card = lambda: cuda
    reward = rewards_of(game, seats)
    made = card.Kernels(game, seats).paying(reward)

    whole = types.int64
    games, found = games_of(game), found_of()
    given, numbers, masks, bytes_of = rows(whole, 2), rows(whole), rows(types.boolean, 3), rows(types.uint8, 2)
    all_of_them = {
        "begin": (made.begin, (games, rows(types.boolean), whole)),
        "begin_each": (made.begin_each, (games, numbers)),
        "illegal": (made.find_illegal, (games, found, given, whole)),
        "roll": (made.roll((turns.uniform_legal,)), (games, given, whole)),
        "acting": (made.acting, (games, rows(types.boolean, 2))),
        "legal": (made.legal, (games, masks)),
        "sample": (made.sample, (games, given)),
        "widen": (made.widen, (types.Array(types.int32, 2, "A"), given)),
        "name_seeds": (made.name_seeds, (games, numbers, given, given)),
        "move_rows": (made.move_rows, (bytes_of, numbers, bytes_of, numbers)),
    }
    looks = game.observation is not None
    seen = rows(types.int8, 3)
    if game.observation is not None:
        seen = rows(from_dtype(numpy.dtype(game.observation.KIND)), 3)
        all_of_them["observe"] = (made.observe(), (games, seen))
    arguments = (games, found, given, seen, masks, whole, whole)
    all_of_them["step"] = (made.step(looks, True), arguments)
    all_of_them["bare_step"] = (made.step(False, False), arguments)
    if looks:
        all_of_them |= kernels_of_seats(game, made, reward)
    return all_of_them


def rows(kind: Any, dimensions: int = 1) -> Any:
    """The type of an array in one piece."""
    from numba import types

    return types.Array(kind, dimensions, "C")


def record(kind: Any, **fields: Any) -> Any:
    """The type of a record."""
    from numba import types

    return types.NamedTuple([fields[name] for name in kind._fields], kind)


def games_of(game: Game) -> Any:
    """The type of a batch's games."""
    from numba import types
    from numba.cuda.np.numpy_support import from_dtype

    states = rows(from_dtype(game.rules.LAYOUT.dtype()))
    return record(
        turns.Games,
        states=states,
        blank=states,
        sources=rows(from_dtype(game.rules.SOURCE.dtype())),
        slots=rows(from_dtype(turns.SLOT.dtype())),
        rewards=rows(types.float32, 2),
        done=rows(types.boolean),
        low=types.int64,
        high=types.int64,
    )


def found_of() -> Any:
    """The type of what steps find."""
    from numba import types

    numbers = rows(types.int64)
    fields = {"counts": numbers, "flag": numbers, "taken": rows(types.int64, 2), "wrong": rows(types.boolean, 2)}
    return record(kernel_module.Found, **fields)


def kernels_of_seats(game: Game, made: Any, reward: Rewards) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """The same for the kernels of an environment, with opponents inside, and with networks."""
    from numba import types
    from numba.cuda.np.numpy_support import from_dtype

    assert game.observation is not None
    whole, yes, floats = types.int64, types.boolean, types.float32
    numbers, given = rows(whole), rows(whole, 2)
    seen, mask = rows(from_dtype(numpy.dtype(game.observation.KIND)), 2), rows(types.int8, 2)
    games = games_of(game)
    learners = record(
        seat_kernels.Learners,
        seats=numbers,
        episodes=rows(from_dtype(seat_kernels.EPISODE.dtype())),
        flag=numbers,
        everywhere=rows(yes),
    )
    told = record(
        seat_kernels.StepResults,
        rewards=rows(floats),
        ends=rows(yes, 2),
        ranks=given,
        points=rows(types.float64, 2),
        reasons=numbers,
        seen=seen,
        mask=mask,
        seeds=numbers,
        known=given,
        last=seen,
        last_mask=mask,
    )
    inside = card_seat._kernels(made, reward, (turns.uniform_legal,), False)
    outside = card_seat._kernels(made, reward, (), True)
    return {
        "play": (inside["play"], (games, learners, told, numbers, whole, whole, whole)),
        "open_matches": (inside["open_matches"], (games, learners, told, rows(yes))),
        "open_outside": (outside["open_matches"], (games, learners, told, rows(yes))),
        "receive": (outside["receive"], (games, learners, numbers, numbers, whole)),
        "see": (outside["see"], (games, learners, numbers, seen, mask, whole)),
        "answer": (outside["answer"], (learners, numbers, numbers, given, whole)),
        "turn": (outside["turn"], (games, learners, given, whole)),
        "finish": (outside["finish"], (games, learners, told, numbers, whole, whole)),
        "look": (outside["look"], (games, learners, told)),
        "scale_rows": (outside["scale_rows"], (seen, rows(floats), rows(floats, 2))),
    }


def ptx(kernel: Any, arguments: tuple[Any, ...], capability: tuple[int, int]) -> str:
    """The kernel as text for cards of this compute capability."""
    from numba import cuda

    NoCard.compute_capability = capability
    text, _ = cuda.compile_ptx(kernel.py_func, arguments, cc=capability)
    return str(text)


def main(name: str, folder: str, capability: str = "9.0", *chosen: str) -> None:
    """Write them, and say how long it took."""
    game = find(name)
    major, minor = capability.split(".")
    for kernel, (made, arguments) in kernels(game, game.seats[0]).items():
        if chosen and kernel not in chosen:
            continue
        start = time.process_time()
        text = ptx(made, arguments, (int(major), int(minor)))
        Path(folder, f"{kernel}.ptx").write_text(text)
        print(f"{name} {kernel}: {time.process_time() - start:.1f} s, {len(text)} characters", flush=True)


if __name__ == "__main__":
    cuda_library.redirect()
    main(*sys.argv[1:])
