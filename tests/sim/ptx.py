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
from dohyo.games import find
from dohyo.sim import card_seat, seat_kernels, turns
from dohyo.sim import cuda as card
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
    found, given, numbers = rows(whole), rows(whole, 2), rows(whole)
    states, slots = rows(from_dtype(rules.LAYOUT.dtype())), rows(from_dtype(turns.SLOT.dtype()))
    sources = rows(from_dtype(rules.SOURCE.dtype()))
    done, rewards, marks = rows(types.boolean), rows(types.float32, 2), rows(types.boolean, 2)
    masks, bytes_of = rows(types.boolean, 3), rows(types.uint8, 2)
    arrays = (states, states, sources, slots)
    words = (whole, whole)
    all_of_them = {
        "begin": (made.begin, (done, *arrays, done, rewards, *words, whole)),
        "begin_each": (made.begin_each, (numbers, *arrays)),
        "illegal": (made.find_illegal, (found, found, states, slots, given, given, marks, whole)),
        "roll": (made.roll((turns.uniform_legal,)), (*arrays, given, done, rewards, *words, whole)),
        "acting": (made.acting, (states, slots, marks)),
        "legal": (made.legal, (states, slots, masks, whole)),
        "sample": (made.sample, (states, slots, given, whole)),
        "widen": (made.widen, (types.Array(types.int32, 2, "A"), given)),
        "name_seeds": (made.name_seeds, (numbers, given, slots, *words, given)),
        "move_rows": (made.move_rows, (bytes_of, numbers, bytes_of, numbers)),
    }
    seen = rows(types.int8, 3)
    if game.observation is not None:
        seen = rows(from_dtype(numpy.dtype(game.observation.KIND)), 3)
        all_of_them["observe"] = (made.observe(), (states, seen, whole))
    looks = game.observation is not None
    rest = (given, given, marks, rewards, done, seen, masks, *words, whole, whole)
    all_of_them["step"] = (made.step(looks, True), (found, found, *arrays, *rest))
    all_of_them["bare_step"] = (made.step(False, False), (found, found, *arrays, *rest))
    if looks:
        all_of_them |= kernels_of_seats(game, made, rows)
    return all_of_them


def kernels_of_seats(game: Game, made: Any, rows: Any) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """The same for the kernels of an environment, with opponents inside, and with networks."""
    from numba import types
    from numba.cuda.np.numpy_support import from_dtype

    assert game.observation is not None
    whole, yes, rules = types.int64, types.boolean, game.rules
    numbers, given = rows(whole), rows(whole, 2)
    states, slots = rows(from_dtype(rules.LAYOUT.dtype())), rows(from_dtype(turns.SLOT.dtype()))
    sources, episodes = rows(from_dtype(rules.SOURCE.dtype())), rows(from_dtype(seat_kernels.EPISODE.dtype()))
    seen, mask, floats = rows(from_dtype(numpy.dtype(game.observation.KIND)), 2), rows(types.int8, 2), types.float32
    eight = (states, states, sources, slots, numbers, episodes, whole, whole)
    games = (*eight, numbers, rows(yes))
    told = (rows(floats), rows(yes, 2), given, numbers, seen, mask, numbers, given, seen, mask)
    inside = card_seat._kernels(made, game, (turns.uniform_legal,), False)
    outside = card_seat._kernels(made, game, (), True)
    return {
        "play": (inside["play"], (*games, *told, numbers, whole, whole, whole)),
        "open_matches": (inside["open_matches"], (*games, *told, rows(yes))),
        "open_outside": (outside["open_matches"], (*games, *told, rows(yes))),
        "receive": (outside["receive"], (*games, numbers, numbers, whole)),
        "see": (outside["see"], (states, slots, numbers, episodes, numbers, seen, mask, whole)),
        "answer": (outside["answer"], (numbers, numbers, numbers, given, whole)),
        "turn": (outside["turn"], (*eight, given, whole)),
        "finish": (outside["finish"], (*games, *told, numbers, whole, whole)),
        "look": (outside["look"], (*games, *told)),
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
