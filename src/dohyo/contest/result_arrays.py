"""Results as arrays, and as pairs: the input of every rating.

A match of many seats is read as all its pairs: of each, one is placed before the other or they share a place. How
often each pair came out in which way is kept by cluster, so that a bootstrap weighs clusters anew by one product of a
sparse matrix with their weights.

The pairs of a match are not independent, and count less for it: each 3 / (seats + 1). With that weight the results of
equally strong bots say as much of their strengths as if what counts were independent (of so many seats a bot's place
has the variance (seats**2 - 1) / 12, as many independent duels (seats - 1) / 4). It decides how much a match weighs
against one of fewer seats, and against the prior.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

from dohyo.contest.libraries import Floats, Ints, np, sparse
from dohyo.core.contest import Result

EMPTY = -1  # where a match has fewer seats than the array is wide
WHOLE = 1 << 30  # weights are whole multiples of one divided by it
LEVEL = 1  # of before, level, behind


class ResultArrays(NamedTuple):
    """Matches as arrays. The order of matches and of seats does not matter."""

    seats: Ints  # (matches, seats): the entrant's number, `EMPTY` where there is no seat
    places: Ints  # (matches, seats): 1 the best, equal ones shared; only their order counts
    clusters: Ints  # (matches,): results of one cluster (one seed) are drawn together


class Pairs(NamedTuple):
    """How the pairs of all matches came out, by cluster. Pairs of seats of the same bot do not count."""

    entrants: int
    first: Ints  # (pairs,): those that met, each once
    second: Ints  # (pairs,): a higher number than the first
    incidence: Any  # sparse (entrants, pairs): 1 for the first, -1 for the second
    outcomes: Any  # sparse (3 * pairs, clusters): how often the first was before the second; level; behind
    has_ties: bool
    played_in: Ints  # (entrants,): how many clusters each took part in

    def weighed(self, weights: Floats) -> Floats:
        """The outcomes (3, pairs, samples) when clusters have the weights (clusters, samples)."""
        found: Floats = (self.outcomes @ weights).reshape(3, len(self.first), weights.shape[1])
        return found


def as_arrays(played: Sequence[Result]) -> ResultArrays:
    """The results as arrays, with the fixture's seed as cluster."""
    width = max((len(one.places) for one in played), default=0)
    seats = np.full((len(played), width), EMPTY, dtype=np.int32)
    places = np.zeros((len(played), width), dtype=np.int32)
    for row, one in enumerate(played):
        seats[row, : len(one.places)] = one.fixture.seats
        places[row, : len(one.places)] = one.places
    # A seed may fill all 64 bits of an unsigned number; only which are equal counts.
    numbers = {seed: number for number, seed in enumerate(sorted({one.fixture.seed for one in played}))}
    clusters = np.array([numbers[one.fixture.seed] for one in played], dtype=np.int64)
    return ResultArrays(seats, places, clusters)


def pairs_of(results: ResultArrays, entrants: int) -> Pairs:
    """The pairs that the results are made of, for entrants 0 to `entrants` - 1.

    The same for every order of the matches and the seats. `ValueError` when the arrays do not fit each other, or
    name an entrant that is not there.
    """
    _check(results, entrants)
    labels, inverse = np.unique(results.clusters, return_inverse=True)
    cluster = inverse.astype(np.int32)  # half the memory, here and below: a long contest has a row for each match
    del inverse
    sizes = (results.seats != EMPTY).sum(axis=1)
    weights = np.round(3 * WHOLE / (sizes + 1))  # whole numbers, whose sums do not depend on their order
    rows, keys, ways = _met(results, entrants)
    found, pair = np.unique(keys, return_inverse=True)
    del keys
    pairs = len(found)
    where = (ways * np.int32(pairs) + pair.astype(np.int32)), cluster[rows]
    del pair
    outcomes = sparse.coo_array((weights[rows], where), shape=(3 * pairs, len(labels))).tocsr()
    outcomes.data /= WHOLE
    has_ties = bool((ways == LEVEL).any())
    del rows, ways, where, weights
    return Pairs(
        entrants,
        found // entrants,
        found % entrants,
        _incidence(found // entrants, found % entrants, entrants),
        outcomes,
        has_ties,
        _played_in(results.seats, cluster, entrants),
    )


def _met(results: ResultArrays, entrants: int) -> tuple[Ints, Ints, Ints]:
    """For each pair of seats of each match: the match's row, the two bots as one number, how the pair came out."""
    rows, keys, ways = ([np.zeros(0, kind)] for kind in (np.int32, np.int64, np.int32))
    for one, other in itertools.combinations(range(results.seats.shape[1]), 2):
        mine, its = results.seats[:, one], results.seats[:, other]
        row = np.flatnonzero((np.minimum(mine, its) != EMPTY) & (mine != its)).astype(np.int32)
        mine, its = mine[row], its[row]
        turned = np.sign(its - mine) * np.sign(results.places[row, one] - results.places[row, other])
        rows.append(row)
        keys.append(np.minimum(mine, its).astype(np.int64) * entrants + np.maximum(mine, its))
        ways.append((1 + turned).astype(np.int32))
    return np.concatenate(rows), np.concatenate(keys), np.concatenate(ways)


def groups_of(results: ResultArrays, entrants: int) -> list[list[int]]:
    """The entrants in groups that results connect, however indirectly; one group when all are connected.

    Largest first, then by the lowest number. An entrant without a result is a group of its own.
    """
    _check(results, entrants)
    first = np.broadcast_to(results.seats.max(axis=1, keepdims=True, initial=EMPTY), results.seats.shape)
    met = results.seats != EMPTY
    pairs = (np.ones(int(met.sum())), (first[met], results.seats[met]))
    _, label = sparse.csgraph.connected_components(
        sparse.coo_array(pairs, shape=(entrants, entrants)), directed=False
    )
    groups: dict[int, list[int]] = {}
    for number in range(entrants):
        groups.setdefault(int(label[number]), []).append(number)
    return sorted(groups.values(), key=lambda group: (-len(group), group))


def _check(results: ResultArrays, entrants: int) -> None:
    seats, places, clusters = results
    if seats.ndim != 2 or seats.shape != places.shape or clusters.shape != seats.shape[:1]:
        raise ValueError("seats and places must have one shape (matches, seats), clusters one number a match")
    if seats.size and not (seats.min() >= EMPTY and seats.max() < entrants):
        raise ValueError(f"a seat is held by an entrant that is not one of {entrants}")


def _incidence(first: Ints, second: Ints, entrants: int) -> Any:
    """Sparse (entrants, pairs): see `Pairs.incidence`."""
    column = np.arange(len(first))
    values = np.repeat([1.0, -1.0], len(first))
    where = np.concatenate([first, second]), np.concatenate([column, column])
    return sparse.coo_array((values, where), shape=(entrants, len(first))).tocsr()


def _played_in(seats: Ints, cluster: Ints, entrants: int) -> Ints:
    """In how many clusters each entrant took part."""
    taken = seats != EMPTY
    where = seats[taken].astype(np.int32), np.broadcast_to(cluster[:, None], seats.shape)[taken]
    shape = (entrants, int(cluster.max(initial=-1)) + 1)
    ones = np.ones(len(where[0]), dtype=np.int8)  # what they add up to does not matter
    met = sparse.coo_array((ones, where), shape=shape).tocsr()  # entries of the same place become one
    counted: Ints = np.diff(met.indptr).astype(np.int64)
    return counted
