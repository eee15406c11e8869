"""Tree search by a network's priors (PUCT), in the rules' common language: the loops of `dohyo.search.puct`.

Theory of operation
-------------------
A node is a state, and keeps it: after a turn's actions and, in a game with dice, one result of the dice, which are
rolled anew each time a playout passes. It has a block of edges, an edge for each legal action of each seat that acts.
`gather` goes down several trees, several times each, and writes down what the seats see that act at the new nodes;
an evaluator judges all of them at once, and `settle` enters its priors and values and backs them up. Until then each
edge on the way counts a visit that was lost (virtual loss), so that the next way down is another one.

At a node every acting seat chooses for itself, by the results of its own actions for itself: with one acting seat
this is max^n with a value for every seat, in games of two negamax; with several it is decoupled PUCT. With
`considered` actions it chooses as Gumbel AlphaZero does (`puct_gumbel.py`).

Source: Silver et al., A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play
(Science 2018); virtual loss: Chaslot, Winands and van den Herik, Parallel Monte-Carlo tree search (CG 2008).
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from dohyo.core.flat import Layout, flat
from dohyo.search.playout import half_range, note
from dohyo.search.puct_gumbel import considered_edge, improved_edge

acts: Any = None
legal: Any = None
needs_dice: Any = None
roll: Any = None
deal: Any = None
step: Any = None
over: Any = None
places: Any = None
payoffs: Any = None  # (s, seats, ranks, out), of `dohyo.core.rewards`
observe: Any = None  # (s, seat, out): what a seat sees of a state
put: Any = None  # (states, to, others, at): states[to] becomes a copy of others[at]

NODES, EDGES = 0, 1  # places in `used`
NONE = -1
WAITS, OPEN, OVER = 0, 1, 2  # kinds of nodes: not judged yet, judged, the match is over
KEY_FACTOR, KEY_MASK = 1000003, 0xFFFFFFFFFF


def tree_layout(nodes: int, edges: int, seats: int, actions: int) -> Layout:
    """The fields of a tree with room for so many nodes and edges, in a game with so many actions."""
    return Layout(
        "PriorTree",
        ("used", "i8", 2),  # how many nodes and edges there are
        ("done", "i8", 0),  # playouts since they were last asked for
        ("wanted", "i8", 0),
        ("waiting", "i8", 0),  # nodes that are with the evaluator
        # by node
        ("key", "i8", nodes),
        ("parent", "i4", nodes),
        ("sibling", "i4", nodes),  # the next node after the same edge
        ("kind", "i4", nodes),
        ("times", "i4", nodes),  # how many playouts have passed or ended here
        # by node * seats + seat
        ("first", "i4", nodes * seats),  # the seat's first edge
        ("count", "i4", nodes * seats),  # how many it has; none for a seat that does not act
        ("seen", "i4", nodes * seats),  # how often it has chosen here
        ("via", "i4", nodes * seats),  # the edge at the parent by which it came here
        ("sum", "f8", nodes * seats),  # of the results of the playouts that passed
        ("raw", "f8", nodes * seats),  # what the evaluator has said of the state
        # by edge
        ("action", "i4", edges),
        ("child", "i4", edges),  # the first node after it
        ("visits", "i4", edges),
        ("prior", "f8", edges),
        ("total", "f8", edges),  # the sum of its visits' results
        # by seat * actions + action, at the root
        ("gumbel", "f8", seats * actions),
    )


def scratch_layout(actions: int, dice: int, seats: int, nodes: int) -> Layout:
    """The fields of the search's scratch record: what it was told, and where it puts things meanwhile."""
    return Layout(
        "PriorScratch",
        ("seats", "i8", 0),
        ("all_actions", "i8", 0),  # how many there are in the game
        ("nodes", "i8", 0),  # that a tree has room for
        ("has_dice", "i8", 0),
        ("explore", "f8", 0),
        ("adapts", "i8", 0),  # 1: results may be any numbers, and exploring is as wide as they are
        ("low", "f8", 0),  # the least result so far, and the greatest
        ("high", "f8", 0),
        ("lost", "f8", 0),  # what a visit counts until its result is known
        ("unvisited", "f8", 0),  # how much worse than its node an action counts that was never tried
        ("considered", "i8", 0),  # actions that Gumbel's root considers; 0: another way to choose
        ("planned", "i8", 0),  # playouts that it halves them in
        ("next_tree", "i8", 0),  # where the next round begins
        ("fresh", "i8", 0),  # 1: the node that the way down has ended in was not there before
        ("last", "i8", 0),  # the edge of the last acting seat
        ("options", "i8", actions),
        ("actions", "i8", seats),
        ("chosen", "i8", seats),  # by seat: its edge
        ("dice", "i8", max(dice, 1)),
        ("ranks", "i8", seats),
        ("result", "f8", seats),
        ("worth", "f8", actions),  # of the edges of a seat
        ("new", "i8", nodes),  # by node: its number in the part of a tree that is kept
        ("shift", "i8", nodes),  # by node: how far its edges move then
    )


# --- planting, and keeping a part ----------------------------------------------------------------------------------


@flat
def plant(trees: Any, at: int, states: Any, work: Any, roots: Any, root: int, scratch: Any) -> None:
    """Begin a tree anew, from one of the `roots`; without one (`NONE`), leave it without nodes."""
    tree = trees[at]
    tree.used[NODES] = 0
    tree.used[EDGES] = 0
    if root == NONE:
        return
    put(work, 0, roots, root)
    new_node(tree, at, states, work, scratch, NONE, NONE, 0)


@flat
def keep(trees: Any, at: int, states: Any, root: int, scratch: Any) -> None:
    """Make a node the root, and keep what is below it. Nodes and edges only move towards the start of their rows."""
    tree = trees[at]
    nodes = 0
    for node in range(tree.used[NODES]):
        scratch.new[node] = NONE
        if node == root or (node > root and scratch.new[tree.parent[node]] != NONE):
            scratch.new[node] = nodes
            nodes += 1
    edges = 0
    for node in range(root, tree.used[NODES]):
        if scratch.new[node] != NONE:
            edges = move_edges(tree, node, edges, scratch)
            move_node(tree, node, root, scratch)
            put(states, at * scratch.nodes + scratch.new[node], states, at * scratch.nodes + node)
    tree.used[NODES] = nodes
    tree.used[EDGES] = edges


@flat
def move_edges(tree: Any, node: int, to: int, scratch: Any) -> int:
    """Move a node's block of edges; returns where the next block goes."""
    block = tree.first[node * scratch.seats]
    scratch.shift[node] = block - to
    size = 0
    for seat in range(scratch.seats):
        size += tree.count[node * scratch.seats + seat]
    for edge in range(block, block + size):
        child = tree.child[edge]
        tree.child[to] = NONE if child == NONE else scratch.new[child]
        tree.action[to] = tree.action[edge]
        tree.visits[to] = tree.visits[edge]
        tree.prior[to] = tree.prior[edge]
        tree.total[to] = tree.total[edge]
        to += 1
    return to


@flat
def move_node(tree: Any, node: int, root: int, scratch: Any) -> None:
    """Move a node behind those that were moved."""
    to = scratch.new[node]
    parent = tree.parent[node]
    sibling = tree.sibling[node]
    for seat in range(scratch.seats):
        here = node * scratch.seats + seat
        there = to * scratch.seats + seat
        via = tree.via[here]
        if node == root or via == NONE:
            tree.via[there] = NONE
        else:
            tree.via[there] = via - scratch.shift[parent]
        tree.first[there] = tree.first[here] - scratch.shift[node]
        tree.count[there] = tree.count[here]
        tree.seen[there] = tree.seen[here]
        tree.sum[there] = tree.sum[here]
        tree.raw[there] = tree.raw[here]
    tree.key[to] = tree.key[node]
    tree.kind[to] = tree.kind[node]
    tree.times[to] = tree.times[node]
    tree.parent[to] = NONE if node == root else scratch.new[parent]
    tree.sibling[to] = NONE if node == root or sibling == NONE else scratch.new[sibling]


# --- down the trees ------------------------------------------------------------------------------------------------


@flat
def gather(
    trees: Any, states: Any, work: Any, source: Any, scratch: Any, leaves: int, seen: Any, masks: Any, rows: Any
) -> int:
    """Go down each tree that still wants playouts, at most `leaves` times; returns how many rows are to be judged.

    `seen` gets what a seat sees, `masks` 1 for each of its legal actions, `rows` its tree, node and seat.
    """
    used = 0
    scratch.lost = scratch.low if scratch.low <= scratch.high else -1.0  # now all earlier visits have their results
    begin = scratch.next_tree
    for i in range(len(trees)):
        at = (begin + i) % len(trees)
        tree = trees[at]
        for _ in range(leaves):
            if tree.done + tree.waiting >= tree.wanted:
                break
            if used + scratch.seats > len(rows):
                scratch.next_tree = at
                return used
            node = descend(tree, at, states, work, source, scratch)
            if tree.kind[node] == WAITS:
                if scratch.fresh == 0:
                    take_back(tree, node, scratch)
                    break
                tree.waiting += 1
                used = ask(tree, at, node, states, work, scratch, seen, masks, rows, used)
            else:
                judged_already(tree, at, node, states, work, scratch)
                back_up(tree, node, scratch)
    return used


@flat
def descend(tree: Any, at: int, states: Any, work: Any, source: Any, scratch: Any) -> int:
    """The node in which a way down ends: one that waits, one where the match is over, or one without room below."""
    node = 0
    scratch.fresh = 1 if tree.waiting == 0 else 0  # of the root, if nobody has judged it
    while tree.kind[node] == OPEN:
        scratch.fresh = 0
        key = choose(tree, node, scratch)
        if scratch.last == NONE:
            return node
        child = NONE
        if scratch.has_dice == 0:
            child = found(tree, scratch.last, key)
        if child == NONE:
            put(work, 0, states, at * scratch.nodes + node)
            key = go_on(work[0], source, scratch, key)
            if scratch.has_dice == 1:
                child = found(tree, scratch.last, key)
            if child == NONE:
                child = new_node(tree, at, states, work, scratch, node, scratch.last, key)
                if child == NONE:
                    return node
                scratch.fresh = 1
        lose(tree, node, scratch)
        node = child
    return node


@flat
def choose(tree: Any, node: int, scratch: Any) -> int:
    """Let each acting seat choose an edge; returns a key of all actions."""
    key = 0
    scratch.last = NONE
    for seat in range(scratch.seats):
        here = node * scratch.seats + seat
        scratch.chosen[seat] = NONE
        if tree.count[here] > 0:
            if scratch.considered == 0:
                edge = most_promising(tree, node, here, scratch)
            elif node == 0:
                edge = considered_edge(tree, seat, scratch)
            else:
                edge = improved_edge(tree, here, scratch)
            scratch.chosen[seat] = edge
            scratch.last = edge
            scratch.actions[seat] = tree.action[edge]
            key = (key * KEY_FACTOR + tree.action[edge] + 1) & KEY_MASK
    return key


@flat
def most_promising(tree: Any, node: int, here: int, scratch: Any) -> int:
    """A seat's edge with the highest sum of its average result and of what its prior promises.

    Of equal ones it is the first for even seats, the last for odd ones: if seats that act at once always did the
    same, they would never see what else can happen.
    """
    last_of_equals = here % scratch.seats % 2 == 1
    half = half_range(scratch)
    scale = scratch.explore * half * sqrt(tree.seen[here] + 1.0)
    otherwise = tree.sum[here] / tree.times[node] - scratch.unvisited * half
    first = tree.first[here]
    best = first
    highest = 0.0
    for edge in range(first, first + tree.count[here]):
        visits = tree.visits[edge]
        mean = otherwise
        if visits > 0:
            mean = tree.total[edge] / visits
        bound = mean + scale * tree.prior[edge] / (1 + visits)
        if edge == first or bound > highest or (last_of_equals and bound == highest):
            best = edge
            highest = bound
    return best  # type: ignore[no-any-return]


@flat
def go_on(s: Any, source: Any, scratch: Any, key: int) -> int:
    """Play a turn, roll the dice, and pass turns in which nobody acts; returns the key with the dice in it."""
    step(s, scratch.actions, None)
    asked = False
    while not asked and not over(s):
        if needs_dice(s):
            rolled = roll(s, source, scratch.dice)
            for i in range(rolled):
                key = (key * KEY_FACTOR + scratch.dice[i] + 1) & KEY_MASK
            deal(s, scratch.dice, None)
        else:
            for seat in range(scratch.seats):
                if acts(s, seat):
                    asked = True
            if not asked:
                step(s, scratch.actions, None)
    return key


@flat
def found(tree: Any, edge: int, key: int) -> int:
    """The node behind an edge that has this key, or none."""
    node = tree.child[edge]
    while node != NONE and tree.key[node] != key:
        node = tree.sibling[node]
    return node  # type: ignore[no-any-return]


@flat
def new_node(tree: Any, at: int, states: Any, work: Any, scratch: Any, parent: int, edge: int, key: int) -> int:
    """A node for the state in `work`, with its edges; none when there is no room."""
    node = tree.used[NODES]
    if node >= scratch.nodes or tree.used[EDGES] + scratch.seats * scratch.all_actions > len(tree.action):
        return NONE
    tree.used[NODES] = node + 1
    put(states, at * scratch.nodes + node, work, 0)
    s = work[0]
    ended = over(s)
    tree.key[node] = key
    tree.parent[node] = parent
    tree.kind[node] = OVER if ended else WAITS
    tree.times[node] = 0
    tree.sibling[node] = NONE
    if edge != NONE:
        tree.sibling[node] = tree.child[edge]
        tree.child[edge] = node
    for seat in range(scratch.seats):
        here = node * scratch.seats + seat
        tree.via[here] = NONE if parent == NONE else scratch.chosen[seat]
        tree.seen[here] = 0
        tree.sum[here] = 0.0
        tree.raw[here] = 0.0
        tree.first[here] = tree.used[EDGES]
        tree.count[here] = 0
        if not ended and acts(s, seat):
            add_edges(tree, here, legal(s, seat, scratch.options), scratch)
    return node  # type: ignore[no-any-return]


@flat
def add_edges(tree: Any, here: int, count: int, scratch: Any) -> None:
    """An edge for each of the first `count` options."""
    first = tree.used[EDGES]
    for i in range(count):
        edge = first + i
        tree.action[edge] = scratch.options[i]
        tree.child[edge] = NONE
        tree.visits[edge] = 0
        tree.prior[edge] = 0.0
        tree.total[edge] = 0.0
    tree.count[here] = count
    tree.used[EDGES] = first + count


@flat
def lose(tree: Any, node: int, scratch: Any) -> None:
    """Count a lost visit at the edges that were chosen, until the true result is known."""
    for seat in range(scratch.seats):
        edge = scratch.chosen[seat]
        if edge != NONE:
            tree.seen[node * scratch.seats + seat] += 1
            tree.visits[edge] += 1
            tree.total[edge] += scratch.lost


@flat
def take_back(tree: Any, node: int, scratch: Any) -> None:
    """Undo a way down: it has ended where an earlier one waits."""
    while tree.parent[node] != NONE:
        parent = tree.parent[node]
        for seat in range(scratch.seats):
            edge = tree.via[node * scratch.seats + seat]
            if edge != NONE:
                tree.seen[parent * scratch.seats + seat] -= 1
                tree.visits[edge] -= 1
                tree.total[edge] -= scratch.lost
        node = parent


@flat
def ask(
    tree: Any, at: int, node: int, states: Any, work: Any, scratch: Any, seen: Any, masks: Any, rows: Any, used: int
) -> int:
    """Write a row for each seat that acts at a node; returns how many rows there are now."""
    put(work, 0, states, at * scratch.nodes + node)
    for seat in range(scratch.seats):
        here = node * scratch.seats + seat
        if tree.count[here] > 0:
            observe(work[0], seat, seen[used])
            for action in range(scratch.all_actions):
                masks[used, action] = 0
            for edge in range(tree.first[here], tree.first[here] + tree.count[here]):
                masks[used, tree.action[edge]] = 1
            rows[used, 0] = at
            rows[used, 1] = node
            rows[used, 2] = seat
            used += 1
    return used


# --- and up again --------------------------------------------------------------------------------------------------


@flat
def settle(trees: Any, scratch: Any, used: int, rows: Any, priors: Any, values: Any, for_all: int) -> None:
    """Enter the evaluator's priors and values for the rows of a round.

    With `for_all`, a row of `values` has every seat's, the row's own first; otherwise only the first number counts:
    it is the own seat's, and the seats that do not act share what makes the sum of all zero.
    """
    row = 0
    while row < used:
        tree = trees[rows[row, 0]]
        node = rows[row, 1]
        end = row
        while end < used and rows[end, 0] == rows[row, 0] and rows[end, 1] == node:
            enter(tree, node * scratch.seats + rows[end, 2], end, priors)
            end += 1
        judge(scratch, row, end, rows, values, for_all)
        for seat in range(scratch.seats):
            tree.raw[node * scratch.seats + seat] = scratch.result[seat]
        tree.kind[node] = OPEN
        tree.waiting -= 1
        if node == 0:  # the root is no playout's end
            count_at(tree, node, scratch)
        else:
            back_up(tree, node, scratch)
        row = end


@flat
def enter(tree: Any, here: int, row: int, priors: Any) -> None:
    """Write a seat's priors to its edges."""
    for edge in range(tree.first[here], tree.first[here] + tree.count[here]):
        tree.prior[edge] = priors[row, tree.action[edge]]


@flat
def judge(scratch: Any, first: int, end: int, rows: Any, values: Any, for_all: int) -> None:
    """Fill `scratch.result` by the rows of one node."""
    seats = scratch.seats
    for seat in range(seats):
        scratch.result[seat] = 0.0
    known = 0.0
    for row in range(first, end):
        own = rows[row, 2]
        if for_all == 1:
            for i in range(seats):
                scratch.result[(own + i) % seats] += values[row, i] / (end - first)
        else:
            scratch.result[own] = values[row, 0]
            known += values[row, 0]
    if for_all == 0 and end - first < seats:
        share = -known / (seats - (end - first))
        for seat in range(seats):
            acting = False
            for row in range(first, end):
                if rows[row, 2] == seat:
                    acting = True
            if not acting:
                scratch.result[seat] = share


@flat
def judged_already(tree: Any, at: int, node: int, states: Any, work: Any, scratch: Any) -> None:
    """Fill `scratch.result` for a node where the match is over, or below which there is no room."""
    if tree.kind[node] == OVER:
        put(work, 0, states, at * scratch.nodes + node)
        places(work[0], scratch.ranks)
        payoffs(work[0], scratch.seats, scratch.ranks, scratch.result)
    else:
        for seat in range(scratch.seats):
            scratch.result[seat] = tree.sum[node * scratch.seats + seat] / tree.times[node]


@flat
def back_up(tree: Any, node: int, scratch: Any) -> None:
    """Count a playout at its nodes and edges, in the place of the lost visits."""
    tree.done += 1
    count_at(tree, node, scratch)
    while tree.parent[node] != NONE:
        for seat in range(scratch.seats):
            edge = tree.via[node * scratch.seats + seat]
            if edge != NONE:
                tree.total[edge] += scratch.result[seat] - scratch.lost
        node = tree.parent[node]
        count_at(tree, node, scratch)


@flat
def count_at(tree: Any, node: int, scratch: Any) -> None:
    """Add the result to a node's sums."""
    tree.times[node] += 1
    for seat in range(scratch.seats):
        tree.sum[node * scratch.seats + seat] += scratch.result[seat]
        note(scratch.result[seat], scratch)
