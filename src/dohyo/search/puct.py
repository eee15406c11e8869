"""Tree search with a network (PUCT) as bots and self-play call it. The search itself is `dohyo.search.puct_tree`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from math import prod
from operator import ge
from typing import Any

import msgspec
import numpy

from dohyo.core.errors import OperatorError
from dohyo.core.game import Chance, Game, State
from dohyo.core.rewards import PLACE, Payoff, rewards_at_end
from dohyo.search import puct_gumbel, puct_tree
from dohyo.search.backend import Function, check_rolled, field, plain_states, put_field, rules_of
from dohyo.search.uct import Choice, Option, Searcher, end_of, ranked

Array = numpy.ndarray[Any, Any]
Evaluate = Callable[[Array, Array], tuple[Any, Any]]
NODES = 4096  # that a tree has room for
EDGES_A_NODE = 8
GUMBEL = "gumbel"
ROOTS = "puct", GUMBEL
FIRST_PLAN = 64  # playouts that Gumbel's root expects of the first search by time alone
MIN_ROOM = 16  # edges of a tree, as a multiple of all actions of all seats


class Thought(msgspec.Struct, frozen=True):
    """What a search found out about positions, as arrays: of each the `visits` by seat and action (positions, seats,
    actions), the `values` by seat, -1..1 (positions, seats), and how many playouts were made (positions).

    `actions` are what each seat should do (positions, seats), -1 for a seat that does not act. With Gumbel's root
    `improved` is the improved policy (positions, seats, actions), which a network learns; otherwise there is none.
    """

    visits: Array
    values: Array
    playouts: Array
    actions: Array
    improved: Array | None = None

    def policy(self, temperature: float = 1.0) -> Array:
        """The improved policy, or without one the visits, as probabilities (positions, seats, actions).

        They are 0 everywhere for a seat that does not act. With the temperature 1 they are as they are, or the shares
        of the visits; near 0 the most likely action has all of it.
        """
        weights = self.visits if self.improved is None else self.improved
        most = weights.max(axis=2, keepdims=True)
        if temperature <= 0:
            raised = (weights == most) * (weights > 0)
            raised = raised * (numpy.cumsum(raised, axis=2) == 1)  # the first of equal ones
        else:
            raised = (weights / numpy.where(most > 0, most, 1)) ** (1 / temperature)
        total = raised.sum(axis=2, keepdims=True)
        return numpy.asarray(raised / numpy.where(total > 0, total, 1))


class PUCT(Searcher):
    """AlphaZero's tree search for any game with an observation, with a network of yours, in many positions at once.

    `evaluate(observations, masks)` is called with at most `batch` rows. `observations` has the shape (rows, planes,
    ...) and the kind that the game's observation has; `masks` (rows, actions), int8, 1 for what is legal. It returns
    the policy (rows, actions), as logits, or with `priors` as probabilities; and values, -1..1: (rows,) for the seat
    that sees it, or (rows, seats) for every seat, the own first, the others in the order of seats. Of one number the
    seats that do not act get what makes the sum of all zero. What the network says of illegal actions is dropped.

    `positions` is how many positions can be searched together, `leaves` how many new nodes of one tree are judged in
    a call (virtual loss): 1 is strongest for its playouts, more make larger calls. `noise` is (alpha, part) of the
    Dirichlet noise at the root, for self-play. `unvisited` is how much worse than its node an action counts that was
    never tried.

    With `root="gumbel"` it is the search of Gumbel AlphaZero, as DeepMind's mctx has it, which improves the policy
    even with few playouts: at the root at most `considered` actions are tried, drawn by the network's policy and
    halved again and again; below it actions follow the improved policy. `gumbel_scale` times the usual chance is in
    that draw; 0 for none, in earnest. Halving is planned for the `playouts`; by time alone, for as many as the search
    before has made. `explore`, `unvisited` and `noise` do not count then, trees begin anew with each search, and
    `leaves=1` is the search as it is published.

    A tree has room for `nodes` states and `edges` actions; beyond them playouts end in the last node.
    The same seed, network and playouts give the same choices, compiled or not.

    `reward` is what ends are worth, as for `Search`: by any but "place" the values of the network are payoffs, too,
    not bound to -1..1, and `explore` and `unvisited` count in halves of the range of the results so far. By a reward
    whose sum is not 0 let the network say every seat's value.

    A state must be whole: where something is hidden, give `choose` several `worlds`. Dice are rolled anew in every
    playout. Raises `OperatorError` for a game without an observation, for `compiled` without the extra `fast`, and
    what `dohyo.core.rewards.rewards_at_end` raises.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        evaluate: Evaluate,
        *,
        compiled: bool = False,
        positions: int = 1,
        leaves: int = 8,
        batch: int | None = None,
        priors: bool = False,
        root: str = "puct",
        considered: int = 16,
        gumbel_scale: float = 1.0,
        explore: float = 1.5,
        unvisited: float = 0.2,
        noise: tuple[float, float] | None = None,
        seed: int = 0,
        nodes: int = NODES,
        edges: int | None = None,
        reward: Payoff = PLACE,
    ) -> None:
        rules = rules_of(game, seats)
        if game.observation is None:
            raise OperatorError("rl-no-sight", game=game.name)
        if min(positions, leaves, nodes) < 1 or (batch is not None and batch < seats):
            raise ValueError("`positions`, `leaves` and `nodes` are 1 or more, `batch` at least the number of seats")
        if root not in ROOTS or considered < 1 or gumbel_scale < 0:
            raise ValueError(f"`root` is one of {', '.join(ROOTS)}, `considered` 1 or more, `gumbel_scale` 0 or more")
        super().__init__(game, seats, compiled)
        self._backend = self._backend.in_numpy()
        self.positions, self.leaves, self.noise = positions, leaves, noise
        self.is_gumbel, self.gumbel_scale = root == GUMBEL, gumbel_scale
        self._planned = FIRST_PLAN
        self._evaluate, self._priors, self._nodes = evaluate, priors, nodes
        self._actions = game.rules.ACTIONS
        self._chance = numpy.random.default_rng(seed)
        room = max(edges or nodes * EDGES_A_NODE, MIN_ROOM * seats * self._actions)
        self._make_room(batch or positions * leaves * seats, room, seed)
        told = {"explore": explore, "unvisited": unvisited, "considered": considered if self.is_gumbel else 0}
        rewards = rewards_at_end(game, seats, reward)
        for name, number in {**told, "adapts": int(not rewards.by_place)}.items():
            put_field(self._scratch, name, number)
        self._forget_range()
        self._compile({**rules, "observe": game.observation.observe, "payoffs": rewards.payoffs})

    def _make_room(self, batch: int, edges: int, seed: int) -> None:
        """The trees, their nodes' states, and the arrays of a call."""
        rules, blank = self.game.rules, self._backend.blank
        observation = self.game.observation
        assert observation is not None
        self._trees = blank(puct_tree.tree_layout(self._nodes, edges, self.seats, self._actions), self.positions)
        self._states = blank(self._layout, self.positions * self._nodes)
        self._work = blank(self._layout, 1)
        self._source = self._backend.worlds(rules.SOURCE, [self.game.source(seed)])[0]
        layout = puct_tree.scratch_layout(self._actions, rules.DICE, self.seats, self._nodes)
        self._scratch = blank(layout, 1)[0]
        told = {"seats": self.seats, "all_actions": self._actions, "nodes": self._nodes}
        for name, number in (told | {"has_dice": int(self.game.chance is Chance.EVERY_TURN)}).items():
            put_field(self._scratch, name, number)
        self._shape = (len(observation.PLANES), *observation.SHAPE)
        self._seen = numpy.zeros((batch, prod(self._shape)), observation.KIND)
        self._masks = numpy.zeros((batch, self._actions), numpy.int8)
        self._rows = numpy.zeros((batch, 3), numpy.int64)

    def _compile(self, parts: dict[str, Function]) -> None:
        """Make the loops, and call each once, with nothing to do: it is compiled then."""
        loops = puct_tree.plant, puct_tree.keep, puct_tree.gather, puct_tree.settle, puct_gumbel.conclude
        self._plant, self._keep, self._gather, self._settle, self._conclude = (
            self._backend.over(self._layout, function, parts) for function in loops
        )
        self._plant(self._trees, 0, self._states, self._work, self._work, puct_tree.NONE, self._scratch)
        self._keep(self._trees, 0, self._states, 0, self._scratch)
        self._gather_rows()
        nothing = numpy.zeros((1, self._actions))
        self._settle(self._trees, self._scratch, 0, self._rows, nothing, nothing, 0)
        self._concluded(0)

    def _gather_rows(self) -> int:
        """Go down the trees; returns how many rows the network is to judge."""
        arrays = self._seen, self._masks, self._rows
        used = self._gather(self._trees, self._states, self._work, self._source, self._scratch, self.leaves, *arrays)
        return int(used)

    # --- what is called ------------------------------------------------------------------------------------------

    def choose(
        self,
        state: State,
        seat: int,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        worlds: Iterable[State] | None = None,
        until: float | None = None,
        temperature: float = 0.0,
    ) -> Choice:
        """What the seat should do; limits as for `dohyo.search.Search`, and by `temperature` a draw by the visits.

        `worlds` are states that may be the true one: the first `positions` of them are searched, each in a tree of
        its own, and their visits are added. Raises `ValueError` if the seat has nothing to decide, if dice are still
        to be rolled, if no limit is given, and for what the network must not answer.
        """
        end = end_of(seconds, until, playouts)
        if worlds is None:
            check_rolled(self.game, state)
        allowed = self._options(state, seat)
        if len(allowed) == 1:
            return Choice(allowed[0], 0, 0.0, 0)
        possible = [state] if worlds is None else plain_states(self._layout, worlds)
        roots = [each for each in possible if not self.game.rules.over(each)]
        thought = self._think((roots or [state])[: self.positions], playouts, end, as_one=True)
        visits, totals = self._summed(len(thought.playouts), seat)
        action = self._drawn(thought, visits, seat, allowed, temperature)
        tried = [int(each) for each in numpy.flatnonzero(visits)]
        found = ranked([Option(each, int(visits[each]), float(totals[each] / visits[each])) for each in tried])
        value = float(totals[action] / max(visits[action], 1))
        return Choice(action, int(visits[action]), value, int(thought.playouts.sum()), tuple(found))

    def _drawn(self, thought: Thought, visits: Array, seat: int, allowed: list[int], temperature: float) -> int:
        """The action that the trees lead to, or by temperature one that is drawn."""
        first = int(thought.actions[0, seat])
        if thought.improved is not None and temperature <= 0 and len(thought.actions) == 1 and first in allowed:
            return first
        weights = numpy.zeros((1, 1, self._actions))
        weights[0, 0, allowed] = (visits if thought.improved is None else thought.improved[:, seat].sum(axis=0))[
            allowed
        ]
        chances = Thought(weights, thought.values, thought.playouts, thought.actions).policy(temperature)[0, 0]
        if not chances.any():
            return allowed[0]
        return int(self._chance.choice(self._actions, p=chances)) if temperature > 0 else int(chances.argmax())

    def think(
        self,
        states: Sequence[State] | Array,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        until: float | None = None,
    ) -> Thought:
        """Search in several positions at once, at most `positions`: with `playouts` in each, or until the time is up.

        `states` are plain states, or a row of records such as a batch has. A position that the tree of the same place
        has seen goes on from there (tree reuse): keep a game at its place. Raises `ValueError` for a match that is
        over, for too many positions, if no limit is given, and for what the network must not answer.
        """
        return self._think(states, playouts, end_of(seconds, until, playouts))

    def forget(self) -> None:
        """Begin all trees anew with the next position."""
        for at in range(self.positions):
            field(self._trees[at], "used")[puct_tree.NODES] = 0
        self._forget_range()

    def _forget_range(self) -> None:
        """Begin with the range of places, or for other rewards with none."""
        adapts = bool(field(self._scratch, "adapts"))
        put_field(self._scratch, "low", 1.0 if adapts else -1.0)
        put_field(self._scratch, "high", -1.0 if adapts else 1.0)

    def reseed(self, seed: int) -> None:
        """Begin with other random numbers, in new trees: the same for the same seed."""
        self._chance = numpy.random.default_rng(seed)
        self._source = self._backend.worlds(self.game.rules.SOURCE, [self.game.source(seed)])[0]
        self.forget()

    # --- a search --------------------------------------------------------------------------------------------------

    def _think(
        self, states: Sequence[State] | Array, playouts: int | None, end: float, as_one: bool = False
    ) -> Thought:
        """See `think`; `as_one`: the states are worlds of one position, in which chance favours the same actions."""
        if len(states) > self.positions:
            raise ValueError(f"{len(states)} positions, and `positions` is {self.positions}")
        if any(self.game.rules.over(state) for state in plain_states(self._layout, states)):
            raise ValueError("there is nothing to search where the match is over")
        roots = self._worlds(states)
        wanted = playouts if playouts is not None else numpy.iinfo(numpy.int32).max
        for at in range(self.positions):
            tree = self._trees[at]
            for name, number in {"done": 0, "waiting": 0, "wanted": max(wanted, 1) * (at < len(roots))}.items():
                put_field(tree, name, number)
            if at < len(roots):
                self._begin(at, roots)
        if self.is_gumbel:
            self._favour(len(roots), as_one)
        told = {"next_tree": 0, "planned": self._planned if playouts is None else max(playouts, 1)}
        for name, number in told.items():
            put_field(self._scratch, name, number)
        self._rounds(len(roots), end)
        thought = self._thought(len(roots))
        if playouts is None:
            self._planned = max(1, int(thought.playouts.max()))
        return thought

    def _favour(self, count: int, as_one: bool) -> None:
        """Draw the Gumbel numbers of the roots."""
        shape = (1 if as_one else count, self.seats * self._actions)
        drawn = self._chance.gumbel(size=shape) * self.gumbel_scale
        for at in range(count):
            field(self._trees[at], "gumbel")[:] = drawn[at % len(drawn)].tolist()

    def _begin(self, at: int, roots: Any) -> None:
        """Make a position a tree's root: a node of the tree that is there, or a new tree's."""
        node = puct_tree.NONE if self.is_gumbel else self._node_of(at, roots[at])
        if node == puct_tree.NONE:
            self._plant(self._trees, at, self._states, self._work, roots, at, self._scratch)
        elif node > 0:
            self._keep(self._trees, at, self._states, node, self._scratch)
            self._disturb(at)

    def _node_of(self, at: int, root: Any) -> int:
        """The judged node of a tree that has this state, or none."""
        tree = self._trees[at]
        begin, used = at * self._nodes, int(field(tree, "used")[puct_tree.NODES])
        kinds = field(tree, "kind")
        if self.compiled:
            size = self._layout.size
            bytes_of = self._states[begin : begin + used].view("u1").reshape(used, self._states.dtype.itemsize)
            wanted = numpy.frombuffer(root.tobytes(), "u1")[:size]
            same = (bytes_of[:, :size] == wanted).all(axis=1).nonzero()[0]
        else:
            pack = self._layout.pack
            packed = pack(root)
            same = [node for node in range(used) if pack(self._states[begin + node]) == packed]
        return next((int(node) for node in same if kinds[node] == puct_tree.OPEN), puct_tree.NONE)

    def _rounds(self, count: int, end: float) -> None:
        """Judge round after round of leaves, until all playouts are made or the time is up; one is made anyway."""
        planted = [at for at in range(count) if field(self._trees[at], "kind")[0] == puct_tree.WAITS]
        first = True
        while first or time.monotonic() < end:
            used = self._gather_rows()
            if used:
                priors, values, for_all = self._judged(used)
                self._settle(self._trees, self._scratch, used, self._rows, priors, values, for_all)
            if planted:
                for at in [at for at in planted if field(self._trees[at], "kind")[0] == puct_tree.OPEN]:
                    planted.remove(at)
                    self._disturb(at)
                continue
            done, wanted = self._numbers("done", count), self._numbers("wanted", count)
            first = first and not all(done)
            if all(map(ge, done, wanted)):
                break

    def _numbers(self, name: str, count: int) -> list[int]:
        """A number of the first `count` trees."""
        if self.compiled:
            return self._trees[name][:count].tolist()  # type: ignore[no-any-return]
        return [getattr(tree, name) for tree in self._trees[:count]]

    def _judged(self, used: int) -> tuple[Array, Array, int]:
        """What the network says of the rows: priors, values, and whether those are every seat's."""
        masks = self._masks[:used]
        policy, values = self._evaluate(self._seen[:used].reshape(used, *self._shape), masks)
        policy, values = numpy.asarray(policy, numpy.float64), numpy.asarray(values, numpy.float64)
        if policy.shape != masks.shape or values.shape not in ((used,), (used, 1), (used, self.seats)):
            told = f"policies {policy.shape} and values {values.shape}"
            raise ValueError(f"`evaluate` returned {told} for {used} rows of {self._actions} actions")
        if not (numpy.isfinite(values).all() and numpy.isfinite(policy[masks > 0]).all()):
            raise ValueError("`evaluate` returned numbers that are not finite")
        values = numpy.ascontiguousarray(values.reshape(used, -1))
        return legal_priors(policy, masks, self._priors), values, int(values.shape[1] == self.seats > 1)

    def _disturb(self, at: int) -> None:
        """Mix noise into the priors of a root."""
        if self.noise is None or self.is_gumbel:
            return
        alpha, part = self.noise
        tree = self._trees[at]
        prior = field(tree, "prior")
        for seat in range(self.seats):
            edges = _at_root(tree, seat)
            if count := edges.stop - edges.start:
                drawn = self._chance.dirichlet([alpha] * count)
                for edge, noise in enumerate(drawn, edges.start):
                    prior[edge] = (1 - part) * prior[edge] + part * noise

    # --- what was found --------------------------------------------------------------------------------------------

    def _thought(self, count: int) -> Thought:
        """The roots of the first `count` trees, as arrays."""
        visits = numpy.zeros((count, self.seats, self._actions), numpy.int64)
        values = numpy.zeros((count, self.seats))
        playouts = numpy.zeros(count, numpy.int64)
        for at in range(count):
            tree = self._trees[at]
            playouts[at] = field(tree, "done")
            for seat in range(self.seats):
                edges = _at_root(tree, seat)
                visits[at, seat, field(tree, "action")[edges]] = field(tree, "visits")[edges]
                values[at, seat] = field(tree, "sum")[seat] / max(field(tree, "times")[0], 1)
        if self.is_gumbel:
            improved, actions = self._concluded(count)
            return Thought(visits, values, playouts, actions, improved)
        return Thought(
            visits, values, playouts, numpy.where(visits.any(axis=2), visits.argmax(axis=2), puct_tree.NONE)
        )

    def _concluded(self, count: int) -> tuple[Array, Array]:
        """The improved policies and the chosen actions of the first `count` trees."""
        improved = numpy.zeros((count, self.seats, self._actions))
        actions = numpy.zeros((count, self.seats), numpy.int64)
        self._conclude(self._trees, count, self._scratch, improved, actions)
        return improved, actions

    def _summed(self, count: int, seat: int) -> tuple[Array, Array]:
        """A seat's visits and sums of results at the roots, by action, over the first `count` trees."""
        visits, totals = numpy.zeros(self._actions, numpy.int64), numpy.zeros(self._actions)
        for at in range(count):
            tree = self._trees[at]
            edges = _at_root(tree, seat)
            actions = field(tree, "action")[edges]
            visits[actions] += numpy.asarray(field(tree, "visits")[edges], numpy.int64)
            totals[actions] += numpy.asarray(field(tree, "total")[edges])
        return visits, totals


def _at_root(tree: Any, seat: int) -> slice:
    """Where a seat's edges are, at the root."""
    first = int(field(tree, "first")[seat])
    return slice(first, first + int(field(tree, "count")[seat]))


def legal_priors(policy: Array, masks: Array, are_priors: bool) -> Array:
    """Probabilities over the legal actions of each row (rows, actions), which sum to 1, from logits or priors.

    Where priors leave nothing to the legal ones, all of these are as likely.
    """
    allowed = masks > 0
    if are_priors:
        raised = numpy.where(allowed, numpy.maximum(policy, 0.0), 0.0)
    else:
        highest = numpy.where(allowed, policy, -numpy.inf).max(axis=1, keepdims=True)
        raised = numpy.exp(numpy.where(allowed, policy - highest, -numpy.inf))
    total = raised.sum(axis=1, keepdims=True)
    nothing = total <= 0
    raised = numpy.where(nothing, allowed, raised)
    return numpy.ascontiguousarray(raised / numpy.where(nothing, allowed.sum(axis=1, keepdims=True), total))
