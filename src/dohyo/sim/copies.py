"""What is kept of a batch's games (`BatchMatch.save`), which slots and batches fit each other, and seeds of slots.

What belongs to slots are a batch's arrays with an item for each, by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dohyo.core.possible import check_possible
from dohyo.sim import records

if TYPE_CHECKING:
    from dohyo.sim.batch import BatchMatch

MAX_SEED = (1 << 63) - 1


class Saved:
    """All games of a batch at one moment, in memory of its own, where the batch has its; it can be pickled.

    `about` is the batch that it fits: the game's name and version, slots, seats. `words` are those of the batch's
    seed. What was saved in this process is known to be of a batch; of what came from elsewhere every state is looked
    at before it is taken.
    """

    def __init__(self, about: tuple[Any, ...], words: tuple[int, int], arrays: dict[str, Any]) -> None:
        self.about, self.words, self.arrays = about, words, arrays
        self.is_known = False

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles: arrays of NumPy's; out of one it is not known."""
        return Saved, (self.about, self.words, {name: of_host(array) for name, array in self.arrays.items()})


def of_host(array: Any) -> Any:
    """An array as one of NumPy's, wherever it is."""
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array


def kind_of(batch: BatchMatch) -> tuple[Any, ...]:
    """What two batches have in common whose games can be in each other's slots."""
    return batch.game.name, batch.game.version, batch.seats


def about(batch: BatchMatch) -> tuple[Any, ...]:
    """What two batches have in common of which one can go on from what the other has saved."""
    return batch.game.name, batch.game.version, batch.n, batch.seats


def check_fits(batch: BatchMatch, given: Any) -> None:
    """Raise `ValueError` for what was not saved of such a batch."""
    if not isinstance(given, Saved) or given.about != about(batch):
        name = given.about if isinstance(given, Saved) else repr(given)
        raise ValueError(f"this batch is {about(batch)} (game, version, games, seats), and what was saved is {name}")


def check_arrays(batch: BatchMatch, given: Saved, own: Mapping[str, Any]) -> None:
    """Raise `ValueError` for what is not a batch's: arrays of another form, a state that no match comes to.

    `own` are the batch's arrays by name.
    """
    for name in {*own, *given.arrays}:
        found, wanted = [_form(arrays.get(name)) for arrays in (given.arrays, own)]
        if found is None or found != wanted:
            raise ValueError(f"what was saved has no {name.strip('_')} as this batch has them")
    if not given.is_known:
        layout, states = batch.game.rules.LAYOUT, of_host(given.arrays["states"])
        for at in range(batch.n):
            check_possible(batch.game, records.read(layout, states, at), batch.seats)
        given.is_known = True


def _form(array: Any) -> Any:
    """The type and shape of an array; none of what is none."""
    return None if array is None else (getattr(array, "dtype", None), getattr(array, "shape", None))


def checked_slots(indices: Any, count: int) -> Any:
    """Numbers of slots, of `count`, as an array. Raises `TypeError`, `ValueError` or `IndexError` for others."""
    import numpy

    which = numpy.asarray(indices)
    if which.dtype == numpy.bool_ and which.shape == (count,):
        which = which.nonzero()[0]
    if which.dtype.kind not in "iu":
        raise TypeError(f"slots are whole numbers, not {which.dtype}")
    if which.ndim != 1 or not len(which):
        raise ValueError("slots are a row of at least one number")
    if which.min() < 0 or which.max() >= count:
        raise IndexError(f"there are {count} games, from 0 to {count - 1}")
    return which.astype(numpy.int64)


def seeds_of_slots(seed: Any, count: int) -> Any:
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
    if any(not 0 <= one <= MAX_SEED for one in numbers):
        raise ValueError("seeds are from 0 to 2**63 - 1")
    return numpy.array([int(one) for one in numbers], numpy.int64)


def seed_of_all(each: Any) -> int:
    """One seed that follows from a seed a slot."""
    import numpy

    words = numpy.concatenate([each & 0xFFFFFFFF, each >> 32]).astype(numpy.uint32)
    return int(numpy.random.SeedSequence(words.tolist()).generate_state(1, numpy.uint64)[0]) & MAX_SEED


def given_seeds(each: Any, game: int = 0) -> Any:
    """What a batch remembers of a seed a slot, (n, 2) int64: the seed, and the number of its game (-1: of none)."""
    import numpy

    return numpy.stack([each, numpy.full(len(each), game)], 1)
