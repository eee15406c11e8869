"""Pairing a ranked field: bots with near ranks meet, and rematches are avoided as long as possible.

Sources: the matching is Edmonds' (Paths, trees, and flowers, 1965), in the form that labels each vertex by the base
of its blossom, O(n^3); within equal points the upper half meets the lower one, as in the Dutch system of FIDE.
"""

from __future__ import annotations

from collections.abc import Callable

NOBODY = -1


def paired(count: int, allowed: Callable[[int, int], bool], wishes: Callable[[list[int]], list[int]]) -> list[int]:
    """Pairs of all of `count` ranked bots (0 the first): each one's opponent; empty where no pairing is allowed.

    From the top down, each bot gets the first of its wishes with whom the rest can still be paired. `wishes` orders
    the others that are left; its list begins with the bot whose wishes they are.
    """
    free = [[other != one and allowed(one, other) for other in range(count)] for one in range(count)]
    mates = matched(free, _first_come(free, wishes))
    if NOBODY in mates:
        return []
    left = list(range(count))
    while left:
        one = left[0]
        for other in wishes(left):
            if free[one][other] and (mates[one] == other or _rematched(free, mates, one, other)):
                break
        left = [bot for bot in left if bot not in (one, other)]
        for bot in left:  # a bot that has a pair cannot be chosen by others
            free[bot][one] = free[bot][other] = free[one][bot] = free[other][bot] = False
    return mates


def _rematched(free: list[list[bool]], mates: list[int], one: int, other: int) -> bool:
    """Pair the two, and mend the pairing of the bots that they had; whether that can be done."""
    first, second = mates[one], mates[other]
    new = mates.copy()
    new[one], new[other], new[first], new[second] = other, one, NOBODY, NOBODY
    if not _augment(free, new, first, (one, other)):
        return False
    mates[:] = new
    return True


def _first_come(free: list[list[bool]], wishes: Callable[[list[int]], list[int]]) -> list[int]:
    """Pairs as wished from the top down, with no thought of the rest: few of them have to be changed later."""
    mates = [NOBODY] * len(free)
    left = list(range(len(free)))
    while left:
        one = left[0]
        other = next((bot for bot in wishes(left) if free[one][bot]), one)
        left = [bot for bot in left if bot not in (one, other)]
        if other != one:
            mates[one], mates[other] = other, one
    return mates


def matched(free: list[list[bool]], mates: list[int]) -> list[int]:
    """A greatest matching of the graph, grown from a smaller one: each vertex's mate, or `NOBODY`."""
    for root in range(len(free)):
        if mates[root] == NOBODY:
            _augment(free, mates, root)
    return mates


def _augment(free: list[list[bool]], mates: list[int], root: int, closed: tuple[int, ...] = ()) -> bool:
    """Find a path from the unmatched root to another unmatched vertex, and match along it; whether there is one.

    It keeps clear of the vertices that are closed.
    """
    end, parents = _path(free, mates, root, closed)
    if end == NOBODY:
        return False
    while end != NOBODY:
        before = parents[end]
        after = mates[before]
        mates[end], mates[before] = before, end
        end = after
    return True


def _path(free: list[list[bool]], mates: list[int], root: int, closed: tuple[int, ...]) -> tuple[int, list[int]]:
    """The end of an augmenting path from the root (`NOBODY`: there is none), and the parents that lead back."""
    count = len(free)
    parents, base = [NOBODY] * count, list(range(count))
    outer = [False] * count
    outer[root] = True
    waiting = [root]
    for vertex in waiting:  # grows while it is walked
        for to in range(count):
            if not free[vertex][to] or base[vertex] == base[to] or mates[vertex] == to or to in closed:
                continue
            if to == root or (mates[to] != NOBODY and parents[mates[to]] != NOBODY):
                _contract(vertex, to, root, mates, base, parents, outer, waiting)
            elif parents[to] == NOBODY:
                parents[to] = vertex
                if mates[to] == NOBODY:
                    return to, parents
                outer[mates[to]] = True
                waiting.append(mates[to])
    return NOBODY, parents


def _contract(
    one: int,
    other: int,
    root: int,
    mates: list[int],
    base: list[int],
    parents: list[int],
    outer: list[bool],
    waiting: list[int],
) -> None:
    """Contract the blossom that the edge between two outer vertices closes: all of it becomes outer."""
    stem = _common_base(one, other, root, mates, base, parents)
    blossom = [False] * len(base)
    for start, across in ((one, other), (other, one)):
        vertex, child = start, across
        while base[vertex] != stem:
            blossom[base[vertex]] = blossom[base[mates[vertex]]] = True
            parents[vertex] = child
            child = mates[vertex]
            vertex = parents[child]
    for vertex in range(len(base)):
        if blossom[base[vertex]]:
            base[vertex] = stem
            if not outer[vertex]:
                outer[vertex] = True
                waiting.append(vertex)


def _common_base(one: int, other: int, root: int, mates: list[int], base: list[int], parents: list[int]) -> int:
    """The first base that the two vertices' ways to the root share."""
    seen = set()
    while True:
        one = base[one]
        seen.add(one)
        if one == root:
            break
        one = parents[mates[one]]
    while base[other] not in seen:
        other = parents[mates[base[other]]]
    return base[other]
