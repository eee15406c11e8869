"""Tree search (UCT), in the rules' common language.

Theory of operation
-------------------
The tree knows sequences of actions, not states. Each playout takes one of the worlds that are possible for the seat,
plays down the tree with dice of its own, and goes on where the tree ends. So the state at a node may differ between
playouts; an action that is not legal this time is omitted (open-loop search over determinised worlds).

At a node every seat that acts chooses for itself, by the results of its own actions for itself (UCB1). With one
acting seat this is UCT, with a value for every seat backed up (max^n); with several it is decoupled UCT, or each of
them draws its action (`mixed_choices.py`). UCB1 is made for bounded results. Places are worth -1..1; of other rewards
the bounds are those of the results so far, and exploring is multiplied by half of their distance, which is what
scaling all results to -1..1 would do (as MuZero does: Schrittwieser et al., Mastering Atari, Go, chess and shogi by
planning with a learned model, Nature 2020).

Source: Kocsis and Szepesvari, Bandit based Monte-Carlo planning (ECML 2006); for several seats at once: Tak, Lanctot
and Winands, Monte Carlo tree search variants for simultaneous move games (CIG 2014); for hidden information: Cowling,
Powley and Whitehouse, Information set Monte Carlo tree search (TCIAIG 2012).

Nodes and edges are numbers; their values are in rows. An edge is an action of one seat at one node. The nodes after a
turn are attached to the edge of its last acting seat; a key of all actions of the turn distinguishes them.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from dohyo.core.cheap_random import below
from dohyo.core.flat import Layout, flat
from dohyo.search.mixed_choices import draw_edge, edge_fields, learn
from dohyo.search.playout import AHEAD, PLAYED, forget_range, go_on, half_range, note, play_out, worth

acts: Any = None
legal: Any = None
over: Any = None
put: Any = None

NODES, EDGES = 0, 1  # places in `used`
NONE = -1
KEY_FACTOR, KEY_MASK = 1000003, 0xFFFFFFFFFF
WORST = -1e9


def tree_layout(nodes: int, edges: int, seats: int, is_mixed: bool = False) -> Layout:
    """The fields of a tree with room for so many nodes and edges, may be with mixed choices."""
    return Layout(
        "Tree",
        ("used", "i8", 2),  # how many nodes and edges there are
        # by node
        ("key", "i8", nodes),
        ("sibling", "i8", nodes),  # the next node after the same edge
        # by node * seats + seat
        ("first", "i8", nodes * seats),  # the seat's first edge
        ("seen", "i8", nodes * seats),  # how often the seat has chosen here
        # by edge
        ("action", "i8", edges),
        ("next", "i8", edges),  # the seat's next edge
        ("child", "i8", edges),  # the first node after it
        ("visits", "i8", edges),
        ("total", "f8", edges),  # the sum of its visits' results
        *edge_fields(edges if is_mixed else 1),
    )


@flat
def grow(worlds: Any, states: Any, source: Any, tree: Any, scratch: Any, playouts: int, fresh: int) -> None:
    """Make so many playouts from the root, each in a world that is drawn; in a `fresh` tree, or the one that is."""
    if fresh == 1:
        plant(tree, scratch.seats)
        forget_range(scratch)
        for seat in range(scratch.seats):
            scratch.total[seat] = 0.0
    for _ in range(playouts):
        scratch.mixed_playout += 1
        put(states, PLAYED, worlds, below(scratch, len(worlds)))
        s = states[PLAYED]
        length = descend(s, states, source, tree, scratch)
        play_out(s, source, scratch)
        for seat in range(scratch.seats):
            scratch.total[seat] += scratch.result[seat]
            note(scratch.result[seat], scratch)
        back_up(tree, scratch, length)


@flat
def plant(tree: Any, seats: int) -> None:
    """Cut the tree down to its root."""
    tree.used[NODES] = 0
    tree.used[EDGES] = 0
    new_node(tree, 0, seats)


@flat
def descend(s: Any, states: Any, source: Any, tree: Any, scratch: Any) -> int:
    """Play down the tree, and one turn out of it, which becomes a node; how many edges were taken."""
    node = 0
    length = 0
    while node != NONE and length + scratch.seats <= scratch.depth and not over(s):
        acting = 0
        for seat in range(scratch.seats):
            if acts(s, seat):
                acting += 1
        last = NONE
        key = 0
        for seat in range(scratch.seats):
            if acts(s, seat):
                scratch.mixed_chance[length] = 0.0
                if scratch.mixed > 0 and acting > 1:
                    last = select_mixed(s, seat, node, tree, scratch, length)
                else:
                    last = select(s, seat, node, states, source, tree, scratch, acting)
                if last == NONE:
                    return length
                scratch.path[length] = last
                scratch.path_at[length] = node * scratch.seats + seat
                length += 1
                scratch.actions[seat] = tree.action[last]
                key = (key * KEY_FACTOR + tree.action[last] + 1) & KEY_MASK
        if last == NONE:
            return length
        go_on(s, source, scratch)
        node = follow(tree, last, key, scratch.seats)
    return length


@flat
def select(s: Any, seat: int, node: int, states: Any, source: Any, tree: Any, scratch: Any, acting: int) -> int:
    """The edge that a seat takes at a node: one not tried yet, or the most promising; none if there is no room."""
    at = node * scratch.seats + seat
    count = legal(s, seat, scratch.options)
    mark(tree, scratch, at)
    missing = 0
    for i in range(count):
        if scratch.edge_of[scratch.options[i]] == NONE:
            missing += 1
    edge = NONE
    if missing == 0:
        edge = most_promising(tree, scratch, at, count)
    elif tree.used[EDGES] + missing <= len(tree.action):
        if scratch.ahead == 1 and acting == 1:
            look_ahead(s, seat, states, source, tree, scratch, at, count)
            edge = most_promising(tree, scratch, at, count)
        else:
            edge = new_edge(tree, at, untried(scratch, count, below(scratch, missing)))
    unmark(tree, scratch, at)
    return edge


@flat
def select_mixed(s: Any, seat: int, node: int, tree: Any, scratch: Any, length: int) -> int:
    """The edge that a seat draws at a node where others act, too; none if there is no room."""
    at = node * scratch.seats + seat
    count = legal(s, seat, scratch.options)
    mark(tree, scratch, at)
    edge = NONE
    if count > 0 and tree.used[EDGES] + count <= len(tree.action):
        for i in range(count):
            if scratch.edge_of[scratch.options[i]] == NONE:
                made = new_edge(tree, at, scratch.options[i])
                scratch.edge_of[scratch.options[i]] = made
                tree.gain[made] = 0.0
                tree.share[made] = 0.0
        edge = draw_edge(tree, scratch, at, count, length)
    unmark(tree, scratch, at)
    return edge


@flat
def mark(tree: Any, scratch: Any, at: int) -> None:
    """Write down which action has which edge."""
    edge = tree.first[at]
    while edge != NONE:
        scratch.edge_of[tree.action[edge]] = edge
        edge = tree.next[edge]


@flat
def unmark(tree: Any, scratch: Any, at: int) -> None:
    """Wipe out what `mark` has written."""
    edge = tree.first[at]
    while edge != NONE:
        scratch.edge_of[tree.action[edge]] = NONE
        edge = tree.next[edge]


@flat
def untried(scratch: Any, count: int, number: int) -> int:
    """The option with this number, from 0, among those that have no edge."""
    left = number
    for i in range(count):
        if scratch.edge_of[scratch.options[i]] == NONE:
            if left == 0:
                return scratch.options[i]  # type: ignore[no-any-return]
            left -= 1
    return NONE


@flat
def look_ahead(s: Any, seat: int, states: Any, source: Any, tree: Any, scratch: Any, at: int, count: int) -> None:
    """Give every option that has none an edge, visited once: with the value of the state after it."""
    for i in range(count):
        action = scratch.options[i]
        if scratch.edge_of[action] == NONE:
            put(states, AHEAD, states, PLAYED)
            after = states[AHEAD]
            scratch.actions[seat] = action
            go_on(after, source, scratch)
            edge = new_edge(tree, at, action)
            scratch.edge_of[action] = edge
            tree.visits[edge] = 1
            tree.total[edge] = worth(after, seat, scratch)
            note(tree.total[edge], scratch)
            tree.seen[at] += 1


@flat
def most_promising(tree: Any, scratch: Any, at: int, count: int) -> int:
    """The edge with the highest upper confidence bound among the options, all of which have one."""
    scale = scratch.explore * half_range(scratch) * sqrt(log(tree.seen[at] + 1.0))
    best = NONE
    highest = WORST
    for i in range(count):
        edge = scratch.edge_of[scratch.options[i]]
        visits = tree.visits[edge]
        bound = WORST if visits == 0 else tree.total[edge] / visits + scale / sqrt(visits)
        if best == NONE or bound > highest:
            best = edge
            highest = bound
    return best


@flat
def new_edge(tree: Any, at: int, action: int) -> int:
    """An edge for an action, before the seat's others."""
    edge = tree.used[EDGES]
    tree.used[EDGES] = edge + 1
    tree.action[edge] = action
    tree.next[edge] = tree.first[at]
    tree.child[edge] = NONE
    tree.visits[edge] = 0
    tree.total[edge] = 0.0
    tree.first[at] = edge
    return edge  # type: ignore[no-any-return]


@flat
def new_node(tree: Any, key: int, seats: int) -> int:
    """A node without edges; none when there is no room."""
    node = tree.used[NODES]
    if node >= len(tree.key):
        return NONE
    tree.used[NODES] = node + 1
    tree.key[node] = key
    tree.sibling[node] = NONE
    for seat in range(seats):
        tree.first[node * seats + seat] = NONE
        tree.seen[node * seats + seat] = 0
    return node  # type: ignore[no-any-return]


@flat
def follow(tree: Any, edge: int, key: int, seats: int) -> int:
    """The node behind a turn; none when it was not there, and is made now."""
    node = tree.child[edge]
    while node != NONE:
        if tree.key[node] == key:
            return node  # type: ignore[no-any-return]
        node = tree.sibling[node]
    made = new_node(tree, key, seats)
    if made != NONE:
        tree.sibling[made] = tree.child[edge]
        tree.child[edge] = made
    return NONE


@flat
def back_up(tree: Any, scratch: Any, length: int) -> None:
    """Count a playout at every edge that it has taken."""
    for i in range(length):
        at = scratch.path_at[i]
        if scratch.mixed_chance[i] > 0.0:
            learn(tree, scratch, at, scratch.path[i], scratch.mixed_chance[i], scratch.result[at % scratch.seats])
        tree.seen[at] += 1
        tree.visits[scratch.path[i]] += 1
        tree.total[scratch.path[i]] += scratch.result[at % scratch.seats]
