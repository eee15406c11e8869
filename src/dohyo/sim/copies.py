"""Games of a batch, copied: some of its slots as a batch of their own and back, all of it kept and brought back.

What belongs to slots are a batch's arrays with an item for each; `_blank` alone belongs to none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dohyo.core.possible import check_possible
from dohyo.sim import records

COMPILED = ("_place", "_run", "_loops", "_looks", "_moves", "_stream")  # of a batch: made anew in another process


class Saved:
    """All games of a batch at one moment, in memory of its own, where the batch has its; it can be pickled.

    `about` is the batch that it fits: the game's name and version, slots, seats. What was saved in this process is
    known to be of a batch; of what came from elsewhere every state is looked at before it is taken.
    """

    def __init__(self, about: tuple[Any, ...], words: tuple[int, int], arrays: dict[str, Any]) -> None:
        self.about, self.words, self.arrays = about, words, arrays
        self.is_known = False

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles: arrays of NumPy's; out of one it is not known."""
        return Saved, (self.about, self.words, {name: _of_host(array) for name, array in self.arrays.items()})


def _of_host(array: Any) -> Any:
    """An array as one of NumPy's, wherever it is."""
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array


def blank_twin(batch: Any) -> Any:
    """A batch with the same attributes, to be given arrays of its own."""
    twin = object.__new__(type(batch))
    vars(twin).update(vars(batch))
    return twin


def saved(batch: Any) -> Saved:
    """The batch's games as they are now."""
    batch.check()
    found = Saved(_about(batch), batch._words, {name: _copied(batch, array) for name, array in _of_slots(batch)})
    found.is_known = True
    return found


def load(batch: Any, given: Any) -> None:
    """Go on from there. Raises `ValueError` for what was saved of another kind of batch; nothing has changed then."""
    if not isinstance(given, Saved) or given.about != _about(batch):
        name = given.about if isinstance(given, Saved) else repr(given)
        raise ValueError(f"this batch is {_about(batch)} (game, version, games, seats), and what was saved is {name}")
    batch.check()
    if not given.is_known:
        _look_at(batch, given.arrays)
        given.is_known = True
    batch._words = given.words
    names = {name for name, _ in _of_slots(batch)} | set(given.arrays)
    for name in names:
        found = given.arrays.get(name)
        _write(batch, name, found)


def _look_at(batch: Any, arrays: dict[str, Any]) -> None:
    """Raise `ValueError` for what is not a batch's: arrays of another form, a state that no match comes to."""
    own: dict[str, Any] = dict(_of_slots(batch))
    own.setdefault("_given_seeds", _no_seeds(batch.n))
    for name in {"states", "_slots", *arrays}:
        found: Any = arrays.get(name)
        array = own.get(name)
        form, wanted = [(getattr(each, "dtype", None), getattr(each, "shape", None)) for each in (found, array)]
        if array is None or (form != wanted and not (found is None and name == "_given_seeds")):
            raise ValueError(f"what was saved has no {name.strip('_')} as this batch has them")
    layout, states = batch.game.rules.LAYOUT, _of_host(arrays["states"])
    for at in range(batch.n):
        check_possible(batch.game, records.read(layout, states, at), batch.seats)


def take(batch: Any, indices: Any) -> Any:
    """A batch of its own with the games of these slots; see `BatchMatch.take`."""
    which = _checked(batch, indices)
    batch.check()
    twin = blank_twin(batch)
    twin.n = len(which)
    twin._place = batch._placed(twin.n)
    twin._run, twin._loops = twin._place.run, twin._place.loops
    twin._blank = batch._place.copy(batch._blank)
    for name, array in _of_slots(batch):
        setattr(twin, name, batch._place.take_rows(array, which) if _is_there(batch, array) else array[which])
    twin._given_seeds = _seeds(batch, which)
    return twin


def put(batch: Any, indices: Any, other: Any) -> None:
    """Write the games of another batch into these slots; see `BatchMatch.put`."""
    import numpy

    which = _checked(batch, indices)
    if len(set(which.tolist())) < len(which):
        raise ValueError("each slot is named once: two games cannot be in the same")
    fits = type(other) is type(batch) and _kind(other) == _kind(batch)
    if not fits or other.n != len(which):
        raise ValueError(
            f"{len(which)} games of {batch.game.name} for {batch.seats} are wanted, as `take` makes them"
        )
    batch.check()
    other.check()
    given, now = _seeds(other, numpy.arange(other.n)), batch._given_seeds
    for name, array in _of_slots(batch):
        if name != "_given_seeds":
            _put_rows(batch, array, which, _fitting(batch, getattr(other, name)))
    if now is None:
        batch._given_seeds = now = batch._place.array(_no_seeds(batch.n))
    _put_rows(batch, now, which, _fitting(batch, given))


def packed(batch: Any) -> dict[str, Any]:
    """What of a batch goes into a pickle."""
    batch.check()
    place = batch._place
    return {
        name: place.fetch(value) if place.is_array(value) else value
        for name, value in vars(batch).items()
        if name not in COMPILED
    }


def unpack(batch: Any, kept: dict[str, Any]) -> None:
    """Make a batch of what came out of a pickle. Raises what making a batch raises."""
    import numpy

    vars(batch).update({"_stream": None, **kept})
    batch._place = batch._placed(batch.n)
    batch._run, batch._loops = batch._place.run, batch._place.loops
    for name, value in kept.items():
        if isinstance(value, numpy.ndarray):
            setattr(batch, name, batch._place.array(value))


def _of_slots(batch: Any) -> Iterator[tuple[str, Any]]:
    """The arrays with an item for each slot, by name; those on another device only if they are there."""
    import numpy

    for name, value in list(vars(batch).items()):
        known = batch._place.is_array(value) or isinstance(value, numpy.ndarray)
        if known and name != "_blank" and value.ndim and len(value) == batch.n:
            yield name, value


def _is_there(batch: Any, array: Any) -> bool:
    """Whether an array is where the batch's games are; learners' arrays may be NumPy's."""
    return bool(batch._place.is_array(array))


def _copied(batch: Any, array: Any) -> Any:
    """An array of the same values in the same kind of memory."""
    return batch._place.copy(array) if _is_there(batch, array) else array.copy()


def _fitting(batch: Any, array: Any) -> Any:
    """Another batch's array, where this one's are: a copy if they are elsewhere."""
    return array if _is_there(batch, array) else batch._place.array(_of_host(array))


def _put_rows(batch: Any, array: Any, which: Any, rows: Any) -> None:
    """Write rows to these places."""
    if _is_there(batch, array):
        batch._place.put_rows(array, which, rows)
    else:
        array[which] = _of_host(rows)


def _write(batch: Any, name: str, values: Any) -> None:
    """Give an array other values, in the same memory: others may hold it."""
    now = getattr(batch, name)
    if values is None or now is None:
        setattr(batch, name, None if values is None else batch._place.copy(_fitting(batch, values)))
    elif _is_there(batch, now):
        batch._place.write(now, values if _is_there(batch, values) else _of_host(values))
    else:
        now[...] = _of_host(values)


def _checked(batch: Any, indices: Any) -> Any:
    """Slots' numbers as an array. Raises `TypeError`, `ValueError` or `IndexError` for what is none."""
    import numpy

    which = numpy.asarray(indices)
    if which.dtype == numpy.bool_ and which.shape == (batch.n,):
        which = which.nonzero()[0]
    if which.dtype.kind not in "iu":
        raise TypeError(f"slots are whole numbers, not {which.dtype}")
    if which.ndim != 1 or not len(which):
        raise ValueError("slots are a row of at least one number")
    if which.min() < 0 or which.max() >= batch.n:
        raise IndexError(f"there are {batch.n} games, from 0 to {batch.n - 1}")
    return which.astype(numpy.int64)


def _seeds(batch: Any, which: Any) -> Any:
    """The seeds of the matches in these slots, and the numbers of the games there."""
    import numpy

    if batch.device != "cpu":
        given = batch._given_seeds
        given = batch._place.array(_no_seeds(batch.n)) if given is None else given
        return batch._place.seeds_of(which, given, batch._slots, batch._words)
    slots = batch._place.fetch(batch._slots)
    games = slots["game"] - slots["ended"]
    return numpy.array([[batch.seed_of(int(i)), int(games[int(i)])] for i in which], numpy.int64).reshape(-1, 2)


def _no_seeds(count: int) -> Any:
    import numpy

    found = numpy.zeros((count, 2), numpy.int64)
    found[:, 1] = -1
    return found


def _kind(batch: Any) -> tuple[Any, ...]:
    return batch.game.name, batch.game.version, batch.seats


def _about(batch: Any) -> tuple[Any, ...]:
    return batch.game.name, batch.game.version, batch.n, batch.seats
