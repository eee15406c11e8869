"""The whole tree of a game: every roll, every action, every end, and what each seat knows; built once, as arrays.

Theory of operation
-------------------
Level by level, each state is asked what comes next. It is over: its payoffs are noted. The dice move: a child for
each outcome, with its probability (`dohyo.core.chance`). Seats act: they choose one after the other, each without
being told what the others of the turn have chosen, so that turns of several seats at once need no care elsewhere;
when all have chosen, the rules step. An information state is found by its seat, by what the seat knew and did before,
and by what it is sent now.

Every node but the first has one edge, from its parent; so an edge has the number of the node below it. The children
of a node lie side by side, in the order of its actions, and levels one behind the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy

from dohyo.core.chance import Dice
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State, usual_seats
from dohyo.core.given import check_game
from dohyo.core.rewards import PLACE, Payoff, rewards_at_end
from dohyo.solve.information import Array, InformationState
from dohyo.solve.policy import Policy
from dohyo.solve.turns import actions_of, stepped

MAX_NODES = 1_000_000  # a minute in small games, and a gigabyte
WAYS = 5  # by which the size of a tree is estimated
MAX_DEPTH = 1000  # of such a way
BEYOND = 1_000_000  # times as many nodes as there may be, by the estimate: certainly too many
NONE = -1


class Level(NamedTuple):
    """Nodes that are as far from the first: `first` up to `end`, and those above that have children among them."""

    first: int
    end: int
    parents: Array  # each once, in order
    starts: Array  # where the children of each begin, from `first` on


class _Moment(NamedTuple):
    """A node that is to be looked at: a state, and what seats of the turn have chosen already."""

    state: State
    chosen: tuple[tuple[int, int], ...]  # (seat, action)
    waiting: tuple[int, ...]  # seats that are still to choose in this turn
    known: tuple[tuple[InformationState, int] | None, ...]  # by seat: what it knew last, and which action it took


class Tree:
    """All that can happen in a match, from `state` on, or from the beginning under a `setup`.

    `reward` says what an end is worth to each seat, see `dohyo.core.rewards`: "place", "score", "margin", or a
    function of one's own. `information_states` are what seats may know, in the order of `number`; `nodes` is how many
    nodes there are, `ends` how many of them are ends. The arrays, one number for each node, or for the edge above it:

        parent   the node above, -1 for the first
        mover    the seat whose action leads there; -1 for the dice
        slot     the number of that action among the actions of all information states; -1 for the dice
        chance   the probability of that roll; 1 for an action
        payoff   (nodes, seats): what an end is worth; 0 elsewhere

    Raises `OperatorError` for a tree of more than `most` nodes, for dice that cannot be counted, for a seat whose
    input does not tell it what is legal, and for a reward that the game does not have or that pays
    for steps; `ValueError` for a number of
    seats that it does not have.
    """

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        setup: Mapping[str, Any] | None = None,
        *,
        reward: Payoff = PLACE,
        state: State | None = None,
        most: int = MAX_NODES,
    ) -> None:
        check_game(game)
        self.game = game
        self.seats = usual_seats(game) if seats is None else seats
        self._rewards = rewards_at_end(game, self.seats, reward)
        self._dice, self._most = Dice(game), most
        first = game.new_state(setup or {}, self.seats) if state is None else game.rules.LAYOUT.copy(state)
        self._begin()
        self._estimate(first)
        self._begin()
        self._grow(first)
        parents, movers, slots, chances = self._edges
        self.nodes, self.ends = len(parents), len(self._payoffs)
        self.parent, self.mover = numpy.array(parents, numpy.int64), numpy.array(movers, numpy.int64)
        self.slot, self.chance = numpy.array(slots, numpy.int64), numpy.array(chances)
        self.payoff = numpy.zeros((self.nodes, self.seats))
        self.payoff[[node for node, _ in self._payoffs]] = [each for _, each in self._payoffs]
        self.firsts = numpy.array([each.first for each in self.information_states], numpy.int64)
        self.counts = numpy.array([len(each.actions) for each in self.information_states], numpy.int64)
        del self._dice, self._rewards, self._edges, self._found, self._payoffs  # what is left can be pickled

    @property
    def is_zero_sum(self) -> bool:
        """Whether two seats play, and what one wins the other loses, but for a constant."""
        inner = numpy.zeros(self.nodes, bool)
        inner[self.parent[1:]] = True
        sums = self.payoff[~inner].sum(axis=1)
        return self.seats == 2 and bool(numpy.ptp(sums) <= 1e-9 * max(1.0, float(numpy.abs(sums).max())))

    def uniform(self) -> Policy:
        """The policy in which each action of an information state is as likely as every other."""
        return Policy(self, numpy.repeat(1 / self.counts, self.counts))

    def policy(self, decide: Callable[[InformationState], Sequence[float]]) -> Policy:
        """The policy by a function from an information state to the probabilities of its `actions`, in their order.

        Raises `ValueError` for what are no such probabilities.
        """
        given = [list(decide(each)) for each in self.information_states]
        for each, shares in zip(self.information_states, given, strict=True):
            if len(shares) != len(each.actions):
                raise ValueError(f"{len(shares)} probabilities for {len(each.actions)} actions in {each!r}")
        return Policy(self, numpy.array([share for shares in given for share in shares]))

    def tensors_differ(self) -> bool:
        """Whether a seat's tensors tell all its information states apart; if not, a learner needs a memory."""
        seen = {(each.seat, each.tensor().tobytes()) for each in self.information_states}
        return len(seen) == len(self.information_states)

    # --- how it is built

    def _begin(self) -> None:
        """Have nothing of the tree."""
        self.information_states: list[InformationState] = []
        self._found: dict[Any, InformationState] = {}
        self.slots = 0  # actions of all information states
        self.levels: list[Level] = []
        self._edges: tuple[list[int], list[int], list[int], list[float]] = ([NONE], [NONE], [NONE], [1.0])
        self._payoffs: list[tuple[int, list[float]]] = []

    def _estimate(self, first: State) -> None:
        """Raise `OperatorError` at once for a tree that is far too large: to find that out by building takes minutes.

        A way down by lot, on which the number of nodes beside it multiplies, is an estimate whose mean is the number
        of nodes (Knuth, Estimating the efficiency of backtrack programs, 1975). So of a tree of `most` nodes it is
        greater by `BEYOND` with a probability of 1 / `BEYOND` at most.
        """
        lot = random.Random(0)
        for _ in range(WAYS):
            moment = _Moment(first, (), (), (None,) * self.seats)
            nodes, width = 1, 1
            for _ in range(MAX_DEPTH):
                below: list[_Moment] = []
                self._look(0, moment, below)
                if not below:
                    break
                width *= len(below)
                nodes += width
                if nodes > BEYOND * self._most:
                    raise OperatorError("solve-large", game=self.game.name, most=self._most)
                moment = lot.choice(below)

    def _grow(self, first: State) -> None:
        moments = [_Moment(first, (), (), (None,) * self.seats)]
        start = 0
        while moments:
            below: list[_Moment] = []
            parents, starts = [], []
            for node, moment in enumerate(moments, start):
                before = len(below)
                self._look(node, moment, below)
                if len(below) > before:
                    parents.append(node)
                    starts.append(before)
                if len(self._edges[0]) > self._most:
                    raise OperatorError("solve-large", game=self.game.name, most=self._most)
            start += len(moments)
            if below:
                level = start, start + len(below), numpy.array(parents), numpy.array(starts)
                self.levels.append(Level(*level))
            moments = below

    def _look(self, node: int, moment: _Moment, below: list[_Moment]) -> None:
        """Note what comes after a node, and note its children in `below`."""
        rules, state = self.game.rules, moment.state
        if moment.waiting:
            self._act(node, moment, moment.waiting, below)
        elif rules.over(state):
            self._payoffs.append((node, self._rewards.payoffs_of(state)))
        elif rules.needs_dice(state):
            for follows, outcome in self._dice.after(state):
                self._edge(node, NONE, NONE, float(outcome.probability))
                below.append(_Moment(follows, (), (), moment.known))
        elif acting := self.game.acting(state, self.seats):
            self._act(node, moment, tuple(acting), below)
        else:  # nobody is asked: the turn goes by
            self._edge(node, NONE, NONE, 1.0)
            below.append(self._stepped(moment, ()))

    def _act(self, node: int, moment: _Moment, waiting: tuple[int, ...], below: list[_Moment]) -> None:
        """The children of a node in which the first of these seats chooses."""
        seat, *rest = waiting
        knows = self._information(moment, seat)
        for at, action in enumerate(knows.actions):
            known = (*moment.known[:seat], (knows, at), *moment.known[seat + 1 :])
            chosen = (*moment.chosen, (seat, action))
            after = _Moment(moment.state, chosen, tuple(rest), known)
            self._edge(node, seat, knows.first + at, 1.0)
            below.append(after if rest else self._stepped(after, chosen))

    def _stepped(self, moment: _Moment, chosen: Sequence[tuple[int, int]]) -> _Moment:
        """The node after a turn in which the seats have chosen so."""
        return _Moment(stepped(self.game, moment.state, self.seats, chosen), (), (), moment.known)

    def _edge(self, parent: int, mover: int, slot: int, chance: float) -> None:
        parents, movers, slots, chances = self._edges
        parents.append(parent)
        movers.append(mover)
        slots.append(slot)
        chances.append(chance)

    def _information(self, moment: _Moment, seat: int) -> InformationState:
        """What the seat knows: the same as in another node where it knew and did the same, and is sent the same."""
        last, state = moment.known[seat], moment.state
        before, answered = (None, 0) if last is None else last
        prompt = self.game.prompt(state, seat)
        key = seat, prompt, before and before.number, answered
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = InformationState(self.game, seat, prompt, state, before, answered)
            found.number, found.first = len(self.information_states), self.slots
            self.information_states.append(found)
            self.slots += len(found.actions)
        elif actions_of(self.game, state, seat) != found.actions:
            raise OperatorError("solve-actions", game=self.game.name, seat=seat)
        return found
