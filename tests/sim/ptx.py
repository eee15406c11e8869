"""Kernels compiled for cards that are not there: to PTX, the assembly that a card's driver takes.

python -m tests.sim.ptx GAME FOLDER [9.0]     write each kernel to FOLDER, and say how long that took
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy

from dohyo.core.game import Game
from dohyo.games import find
from dohyo.sim import cuda as card
from dohyo.sim import turns
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
    made = card.Kernels(game, seats)

    def rows(kind: Any, dimensions: int = 1) -> Any:
        return types.Array(kind, dimensions, "C")

    whole, rules = types.int64, game.rules
    found, given = rows(whole), rows(whole, 2)
    states, slots = rows(from_dtype(rules.LAYOUT.dtype())), rows(from_dtype(turns.SLOT.dtype()))
    sources = rows(from_dtype(rules.SOURCE.dtype()))
    done, rewards, marks = rows(types.boolean), rows(types.float32, 2), rows(types.boolean, 2)
    arrays = (states, states, sources, slots)
    all_of_them = {
        "begin": (made.begin, (found, done, *arrays, done, rewards, whole, whole, whole)),
        "illegal": (made.find_illegal, (found, states, slots, given, marks, whole)),
        "step": (made.step, (found, *arrays, given, rewards, done, whole, whole, whole)),
        "roll": (made.roll((turns.uniform_legal,)), (found, *arrays, given, done, rewards, whole, whole, whole)),
        "acting": (made.acting, (found, states, slots, marks)),
        "legal": (made.legal, (found, states, slots, rows(types.boolean, 3), whole)),
        "sample": (made.sample, (found, states, slots, given, whole)),
        "widen": (made.widen, (types.Array(types.int32, 2, "A"), given)),
    }
    if game.observation is not None:
        seen = rows(from_dtype(numpy.dtype(game.observation.KIND)), 3)
        all_of_them["observe"] = (made.observe(), (found, states, seen, whole))
    return all_of_them


def ptx(kernel: Any, arguments: tuple[Any, ...], capability: tuple[int, int]) -> str:
    """The kernel as text for cards of this compute capability."""
    from numba import cuda

    NoCard.compute_capability = capability
    text, _ = cuda.compile_ptx(kernel.py_func, arguments, cc=capability)
    return str(text)


def main(name: str, folder: str, capability: str = "9.0") -> None:
    """Write them, and say how long it took."""
    game = find(name)
    major, minor = capability.split(".")
    for kernel, (made, arguments) in kernels(game, game.seats[0]).items():
        start = time.process_time()
        text = ptx(made, arguments, (int(major), int(minor)))
        Path(folder, f"{kernel}.ptx").write_text(text)
        print(f"{name} {kernel}: {time.process_time() - start:.1f} s, {len(text)} characters", flush=True)


if __name__ == "__main__":
    cuda_library.redirect()
    main(*sys.argv[1:])
