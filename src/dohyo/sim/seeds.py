"""Seeds of a batch's matches that the caller names, one a slot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dohyo.core.flat import flat
from dohyo.sim.turns import begin_with
from dohyo.sim.whole_program import compile_loops

if TYPE_CHECKING:
    from dohyo.core.game import Game

MOST = (1 << 63) - 1
_loops: dict[int, Any] = {}
NAMES = ("deal", "needs_dice", "roll")  # of the rules, which `begin_with` calls


@flat
def begin_span(
    first: int, last: int, given: Any, states: Any, blank: Any, sources: Any, slots: Any, scratch: Any
) -> None:
    """Begin the game of each slot with its given seed."""
    for at in range(first, last):
        begin_with(at, states, blank, sources, slots, scratch[0].dice, given[at])


def of_slots(seed: Any, count: int) -> Any:
    """A seed a slot as an array (count,) of int64; none where a single number was given.

    Raises `ValueError` for another count or numbers outside 0 .. 2**63 - 1, `TypeError` for what is no whole number.
    """
    import numpy

    if hasattr(seed, "__index__") and not getattr(seed, "shape", ()):
        return None
    numbers = list(seed)
    if any(isinstance(one, bool) or not hasattr(one, "__index__") for one in numbers):
        raise TypeError("seeds are whole numbers")
    if len(numbers) != count:
        raise ValueError(f"a seed for each of the {count} games is wanted, or one for all, not {len(numbers)}")
    if any(not 0 <= one <= MOST for one in numbers):
        raise ValueError("seeds are from 0 to 2**63 - 1")
    return numpy.array([int(one) for one in numbers], numpy.int64)


def of_all(each: Any) -> int:
    """One seed that follows from a seed a slot."""
    import numpy

    words = numpy.concatenate([each & 0xFFFFFFFF, each >> 32]).astype(numpy.uint32)
    return int(numpy.random.SeedSequence(words.tolist()).generate_state(1, numpy.uint64)[0]) & MOST


def begin(batch: Any, each: Any) -> Any:
    """Begin the first game of each slot with its seed; returns what the batch has to remember, (n, 2) int64."""
    import numpy

    game: Game = batch.game
    known = numpy.stack([each, numpy.zeros(len(each), numpy.int64)], 1)
    if batch.device != "cpu":
        arrays = (batch._place.array(each), batch.states, batch._blank, batch._sources, batch._slots)
        batch._run(batch._loops.begin_each, arrays)
        return batch._place.array(known)
    if id(game) not in _loops:  # the game is kept, so that its identity is never given to another
        parts = {name: getattr(game.rules, name) for name in NAMES}
        _loops[id(game)] = game, *compile_loops([begin_span], {**parts, "reseed": game.rules.reseed})
    arrays = (each, batch.states, batch._blank, batch._sources, batch._slots)
    batch._run(_loops[id(game)][1], arrays, scratch=5)
    return known
