"""Games of a batch taken out, put back, saved, loaded and pickled: they go on exactly as they would have."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy
import pytest

from dohyo.games import find
from dohyo.sim import BatchMatch, records
from tests.core.heap import HEAP

GAME = find("shoot-em-up")


def batch(n: int = 6, **options: Any) -> BatchMatch:
    """Short games, some turns on."""
    found = BatchMatch(GAME, n, seed=3, setup={"pairs": 4}, threads=1, **options)
    play(found, 3)
    return found


def bytes_of(found: BatchMatch, slots: Any = None) -> bytes:
    """The states' fields: what is between them, for alignment, has no meaning."""
    states = found.states if slots is None else found.states[slots]
    return b"".join(records.packed(GAME.rules.LAYOUT, states, i) for i in range(len(states)))


def play(found: BatchMatch, turns: int, seed: int = 1) -> list[bytes]:
    """Play these turns by actions that depend on nothing but the turn and the seed; all that is seen of them."""
    told = []
    for turn in range(turns):
        found.step(numpy.full(found.n, (turn + seed) % 17))
        told.append(bytes_of(found) + found.rewards().tobytes() + found.done.tobytes())
    return told


def same(one: BatchMatch, other: BatchMatch) -> None:
    """Both have the same seeds, and go on identically, over the ends of games."""
    assert one.states.dtype.isalignedstruct == other.states.dtype.isalignedstruct
    assert [one.seed_of(i) for i in range(one.n)] == [other.seed_of(i) for i in range(other.n)]
    before = bytes_of(other)
    told = play(one, 12)
    assert bytes_of(other) == before, "they share nothing"
    assert told == play(other, 12)


@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy, copy.copy])
def test_a_copy_goes_on_identically(copied: Any) -> None:
    """Out of a pickle, or copied."""
    one = batch()
    one.reset(seed=[5, 6, 7, 8, 9, 10])
    same(one, copied(one))


def test_what_comes_from_elsewhere_is_looked_at() -> None:
    """A state that no match comes to, or arrays of another form, change nothing; what was saved here is not asked."""
    one = batch()
    before = bytes_of(one)
    for broken in ("x", "form", ""):
        saved = pickle.loads(pickle.dumps(one.save()))
        if broken == "x":
            saved.arrays["states"]["x"][2] = 100
        if broken == "form":
            saved.arrays["states"] = saved.arrays["states"][:3]
        play(one, 2)
        if broken:
            with pytest.raises(ValueError, match="its rules never lead there" if broken == "x" else "no states as"):
                one.load(saved)
        else:
            one.load(saved)
            assert bytes_of(one) == before
        one = batch()


def test_what_was_saved_is_brought_back() -> None:
    """`load` goes back to `save`, also in another batch, also from a pickle; what does not fit changes nothing."""
    one, other = batch(), batch()
    kept = pickle.loads(pickle.dumps(one.save()))
    states = one.states
    told = play(one, 12)
    one.load(kept)
    assert one.states is states, "in the same memory"
    assert play(one, 12) == told
    play(other, 5)
    other.load(kept)
    assert play(other, 12) == told
    smaller = batch(3)
    before = bytes_of(smaller)
    with pytest.raises(ValueError, match="this batch is"):
        smaller.load(kept)
    with pytest.raises(ValueError, match="this batch is"):
        smaller.load("kept")  # type: ignore[arg-type]
    assert bytes_of(smaller) == before


def test_games_taken_go_on_as_they_would_and_can_be_put_back() -> None:
    """A slot's game is the same game elsewhere, with its dice and its seed, until it ends."""
    one = batch(renew=False)
    part = one.take([4, 1, 4])
    assert [part.seed_of(i) for i in range(3)] == [one.seed_of(i) for i in (4, 1, 4)]
    for _ in range(12):
        actions = numpy.full(6, 12)
        one.step(actions)
        part.step(actions[:3])
        assert (part.states == one.states[[4, 1, 4]]).all()
        assert (part.done == one.done[[4, 1, 4]]).all()
        assert (part.rewards() == one.rewards()[[4, 1, 4]]).all()
    fresh = batch(renew=False)
    branch = fresh.take(numpy.array([False, True, False, True, False, False]))
    play(branch, 2)
    untouched = bytes_of(fresh, [0, 1, 2, 4])
    fresh.put([5, 3], branch)
    assert bytes_of(fresh, [0, 1, 2, 4]) == untouched
    assert (fresh.states[[5, 3]] == branch.states).all()
    assert [fresh.seed_of(5), fresh.seed_of(3)] == [branch.seed_of(0), branch.seed_of(1)]
    branch.step(numpy.full(2, 12))
    fresh.step(numpy.full(6, 12))
    assert (fresh.states[[5, 3]] == branch.states).all()


@pytest.mark.parametrize("name", ["wondev-woman", "shoot-em-up", "battlesnake"])
def test_games_taken_are_the_same_bytes(name: str) -> None:
    """Equal states are equal as bytes, too, with those behind the last field that mean nothing."""
    one = BatchMatch(find(name), 3, seed=3, threads=1)
    rows = one.states.view("u1").reshape(3, -1)
    rows[:, find(name).rules.LAYOUT.size :] = 7
    assert one.take([2, 0, 2]).states.tobytes() == rows[[2, 0, 2]].tobytes()


def test_what_cannot_be_taken_or_put_is_refused() -> None:
    """Other slots, other counts, other games, the same slot twice."""
    one = batch()
    for wrong, error in (([6], IndexError), ([-1], IndexError), ([0.5], TypeError), ([], (TypeError, ValueError))):
        with pytest.raises(error):
            one.take(wrong)
    part = one.take([0, 1])
    for indices, other in (([0], part), ([2, 2], part), ([0, 1], BatchMatch(HEAP, 2))):
        with pytest.raises(ValueError, match=r"wanted|once"):
            one.put(indices, other)


def test_arrays_are_numpys_and_other_libraries_look_at_the_same_memory() -> None:
    """DLPack and the array interface copy nothing; PyTorch and JAX take them by these.

    JAX copies nothing of what begins at a multiple of 64 bytes: that holds for copies and pickles, too.
    """
    one = batch()
    for each in (one, one.copy(), one.take([2, 0, 1]), pickle.loads(pickle.dumps(one))):
        shared = (each.rewards(), each.done, each.legal(), each.legal(mover=True), each.observe(), each.sample())
        for array in (*shared, each.acting(), each.observe(mover=True)):
            assert array.__array_interface__["data"][0] == array.ctypes.data
            assert numpy.shares_memory(numpy.from_dlpack(array), array)
            assert array.ctypes.data % 64 == 0


def test_a_match_of_one_is_no_match_where_two_can_play() -> None:
    """Without a number of seats a batch has the fewest with which the game is a match."""
    assert BatchMatch(find("abotcalypse"), 2, threads=1).seats == 2
    assert BatchMatch(find("abotcalypse"), 2, seats=1, threads=1).seats == 1
