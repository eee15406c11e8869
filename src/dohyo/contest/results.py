"""Results as arrays, and as the choices that they are made of: what every rating starts from.

A result is read as a row of choices. From all seats the best are chosen (one, or several who share the place), from
those that remain the next best, and so on, until nobody or one alone is left. The likelihood of a Plackett-Luce model
with ties then needs two things only: how often each set of bots was chosen from, and what was chosen in total. Both
are kept by cluster, so that a bootstrap weighs clusters anew by one product of a sparse matrix and a vector.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from dohyo.contest.fixtures import Played
from dohyo.contest.libraries import Ints, np, sparse

EMPTY = -1  # where a match has fewer seats than the array is wide


class Results(NamedTuple):
    """Matches as arrays. The order of matches and of seats means nothing."""

    seats: Ints  # (matches, seats): the entrant's number, `EMPTY` where there is no seat
    places: Ints  # (matches, seats): 1 the best, equal ones shared; only their order counts
    clusters: Ints  # (matches,): results of one cluster (one seed) are drawn together


class Choices(NamedTuple):
    """The sufficient statistics of a Plackett-Luce model with ties, by cluster."""

    entrants: int
    orders: tuple[int, ...]  # how many shared a place where some did, ascending
    sets: tuple[
        Ints, ...
    ]  # for each size r that occurred: (r, different sets) entrants that could be chosen, one below another
    counts: tuple[Any, ...]  # for each of these: sparse (different sets, clusters), how often it was chosen from
    chosen: Any  # sparse (entrants + orders, clusters): each chosen one's share of its choice; how often each order
    played_in: Ints  # (entrants,): how many clusters each took part in


def as_arrays(played: Sequence[Played]) -> Results:
    """The results as arrays, with the fixture's seed as cluster."""
    width = max((len(one.places) for one in played), default=0)
    seats = np.full((len(played), width), EMPTY, dtype=np.int64)
    places = np.zeros((len(played), width), dtype=np.int64)
    for row, one in enumerate(played):
        seats[row, : len(one.places)] = one.fixture.seats
        places[row, : len(one.places)] = one.places
    # A seed may fill all 64 bits of an unsigned number; only which are equal counts.
    numbers = {seed: number for number, seed in enumerate(sorted({one.fixture.seed for one in played}))}
    clusters = np.array([numbers[one.fixture.seed] for one in played], dtype=np.int64)
    return Results(seats, places, clusters)


def choices_of(results: Results, entrants: int) -> Choices:
    """The choices that the results are made of, for entrants 0 to `entrants` - 1.

    The same for every order of the matches and the seats. `ValueError` when the arrays do not fit each other, or
    name an entrant that is not there.
    """
    _check(results, entrants)
    labels, cluster = np.unique(results.clusters, return_inverse=True)
    seats, places, sizes = _best_first(results)
    started, shared = _choices_in(places, sizes)
    orders = tuple(int(order) for order in np.unique(shared[started]) if order > 1)
    sets, counts = [], []
    for size in range(2, seats.shape[1] + 1):
        if parts := _sets_of_size(size, seats, sizes, started, cluster):
            found, count = _counted(np.concatenate([part[0] for part in parts]), entrants,
                                    np.concatenate([part[1] for part in parts]), len(labels))  # fmt: skip
            sets.append(found)
            counts.append(count)
    chosen = _chosen(seats, started, shared, cluster, entrants, orders, len(labels))
    return Choices(entrants, orders, tuple(sets), tuple(counts), chosen, _played_in(seats, cluster, entrants))


def groups_of(results: Results, entrants: int) -> list[list[int]]:
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


def _check(results: Results, entrants: int) -> None:
    seats, places, clusters = results
    if seats.ndim != 2 or seats.shape != places.shape or clusters.shape != seats.shape[:1]:
        raise ValueError("seats and places must have one shape (matches, seats), clusters one number a match")
    if seats.size and not (seats.min() >= EMPTY and seats.max() < entrants):
        raise ValueError(f"a seat is held by an entrant that is not one of {entrants}")


def _best_first(results: Results) -> tuple[Ints, Ints, Ints]:
    """Each match's seats by place, then by entrant, the empty ones last; their places; the number of seats."""
    empty = results.seats == EMPTY
    order = np.lexsort((results.seats, results.places, empty), axis=1)
    seats = np.take_along_axis(results.seats, order, axis=1)
    return seats, np.take_along_axis(results.places, order, axis=1), (~empty).sum(axis=1)


def _choices_in(places: Ints, sizes: Ints) -> tuple[Any, Ints]:
    """Where a choice begins (matches, seats), and how many were chosen there (counted only where one begins).

    The last one who is left over is no choice.
    """
    at = np.arange(places.shape[1])
    valid = at < sizes[:, None]
    begins = valid.copy()
    begins[:, 1:] &= places[:, 1:] != places[:, :-1]
    shared = np.ones_like(places)
    for column in range(places.shape[1] - 2, -1, -1):
        goes_on = valid[:, column + 1] & ~begins[:, column + 1]
        shared[:, column] += np.where(goes_on, shared[:, column + 1], 0)
    return begins & (sizes[:, None] - at >= 2), shared


def _sets_of_size(size: int, seats: Ints, sizes: Ints, started: Any, cluster: Ints) -> list[tuple[Ints, Ints]]:
    """All sets of this size that were chosen from, each ascending, with their clusters."""
    parts = []
    for column in range(seats.shape[1] - size + 1):
        rows = np.flatnonzero(started[:, column] & (sizes == column + size))
        if len(rows):
            parts.append((np.sort(seats[rows, column : column + size], axis=1), cluster[rows]))
    return parts


def _counted(found: Ints, entrants: int, cluster: Ints, clusters: int) -> tuple[Ints, Any]:
    """The different rows of `found` as columns, ascending, and sparse (rows, clusters) how often each occurs."""
    size = found.shape[1]
    if entrants**size < 2**62:  # as one number each they sort much faster
        powers = entrants ** np.arange(size - 1, -1, -1, dtype=np.int64)
        keys, row = np.unique(found @ powers, return_inverse=True)
        rows = keys[:, None] // powers % entrants
    else:
        rows, row = np.unique(found, axis=0, return_inverse=True)
    ones = np.ones(len(found))
    return np.ascontiguousarray(rows.T), sparse.coo_array(
        (ones, (row.ravel(), cluster)), shape=(len(rows), clusters)
    ).tocsr()


def _chosen(
    seats: Ints, started: Any, shared: Ints, cluster: Ints, entrants: int, orders: tuple[int, ...], clusters: int
) -> Any:
    """Sparse (entrants + orders, clusters): see `Choices.chosen`."""
    where, values = [], []
    whole = math.lcm(*orders)  # sums of whole numbers do not depend on their order
    for column in range(seats.shape[1]):
        rows = np.flatnonzero(started[:, column])
        size = shared[rows, column]
        for offset in range(int(size.max(initial=0))):
            some = rows[size > offset]
            where.append((seats[some, column + offset], cluster[some]))
            values.append(whole / size[size > offset])
        for at, order in enumerate(orders):
            some = rows[size == order]
            where.append((np.full(len(some), entrants + at), cluster[some]))
            values.append(np.full(len(some), float(whole)))
    shape = (entrants + len(orders), clusters)
    if not values:
        return sparse.csr_array(shape)
    row, column_of = (np.concatenate(parts) for parts in zip(*where, strict=True))
    return sparse.coo_array((np.concatenate(values), (row, column_of)), shape=shape).tocsr() / whole


def _played_in(seats: Ints, cluster: Ints, entrants: int) -> Ints:
    """In how many clusters each entrant took part."""
    taken = seats != EMPTY
    where = seats[taken], np.broadcast_to(cluster[:, None], seats.shape)[taken]
    shape = (entrants, cluster.max(initial=-1) + 1)
    met = sparse.coo_array((np.ones(len(where[0])), where), shape=shape).tocsr()  # sums what stands in one place
    counted: Ints = np.diff(met.indptr).astype(np.int64)
    return counted
