"""The law of substrates, for batches: whatever plays a game, and beside however many others, it is the same match."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

from dohyo.core import flat
from dohyo.core.game import Game, Turns
from dohyo.core.options import resolve
from dohyo.laws.matches import seat_counts, setups
from dohyo.laws.tally import Tally

STATES = 500  # that are compared, of each game


class Lone:
    """One match of a game on a plain state, its dice from a seed; what a batch should say of it."""

    def __init__(self, game: Game, setup: dict[str, Any], seats: int, seed: int) -> None:
        self.game, self.seats, self.turn = game, seats, 0
        self.state = game.new_state(resolve(game.options, setup), seats)
        self._source = game.source(seed)
        self._roll()

    def step(self, actions: list[int]) -> None:
        """Play one turn."""
        self.game.rules.step(self.state, actions, None)
        self.turn += 1
        self._roll()

    def _roll(self) -> None:
        rules = self.game.rules
        if rules.needs_dice(self.state):
            self._source.turn, self._source.draw = self.turn, 0
            dice = flat.row_of(max(1, rules.DICE))
            rules.roll(self.state, self._source, dice)
            rules.deal(self.state, dice, None)

    def legal(self) -> list[list[int]]:
        """Every seat's legal actions; none for a seat that need not act."""
        return [
            sorted(self.game.legal_actions(self.state, seat)) if self.game.rules.acts(self.state, seat) else []
            for seat in range(self.seats)
        ]

    def rewards(self) -> list[float]:
        """What a match that is over has brought each seat."""
        ranks = flat.row_of(self.seats)
        self.game.rules.places(self.state, ranks)
        others = max(1, self.seats - 1)
        return [(sum(r > mine for r in ranks) - sum(r < mine for r in ranks)) / others for mine in ranks]


def same_reward(single: float, double: float) -> bool:
    """Whether a reward is the same but for its precision."""
    return math.isclose(single, double, rel_tol=1e-6, abs_tol=1e-9)


def ends_at_once(game: Game, setup: dict[str, Any], seats: int) -> bool:
    """Whether nothing is played with this setup; no batch can be made of that."""
    return bool(game.rules.over(game.new_state(setup, seats)))


def play_beside(batch: Any, setup: dict[str, Any], turns: int, seed: int, tally: Tally) -> None:
    """Play a batch by random actions, and each of its games alone; compare all that can be seen, at every turn."""
    import numpy

    game, seats = batch.game, batch.seats
    lot = random.Random(seed)
    lone = [Lone(game, setup, seats, batch.seed_of(n)) for n in range(batch.n)]
    for _ in range(turns):
        legal = [match.legal() for match in lone]
        masks, acting = batch.legal(), batch.acting()
        actions = numpy.full((batch.n, seats), -7)
        for n in range(batch.n):
            for seat in range(seats):
                assert masks[n, seat].nonzero()[0].tolist() == legal[n][seat]
                assert bool(acting[n, seat]) == bool(legal[n][seat])
                if legal[n][seat]:
                    actions[n, seat] = lot.choice(legal[n][seat])
        batch.step(actions if game.turns is Turns.SIMULTANEOUS or lot.random() < 0.5 else actions.max(1))
        for n in range(batch.n):
            lone[n].step(actions[n].tolist())
            over = bool(game.rules.over(lone[n].state))
            assert bool(batch.done[n]) == over
            brought = lone[n].rewards() if over else [0.0] * seats
            assert all(map(same_reward, batch.rewards()[n].tolist(), brought))
            if over:
                tally["games"] += 1
                lone[n] = Lone(game, setup, seats, batch.seed_of(n))
            assert game.rules.LAYOUT.pack(batch.unpack(n)) == game.rules.LAYOUT.pack(lone[n].state)
            tally["states"] += 1


def a_batch_plays_the_matches_of_its_seeds(game: Game, tally: Tally) -> None:
    """Each game of a batch is, turn by turn, the match that its seed gives when it is played alone."""
    from dohyo.sim import BatchMatch

    full = tally.part == 1
    kinds = [kind for kind in itertools.product(setups(game), seat_counts(game)) if not ends_at_once(game, *kind)]
    count = -(-1000 // len(kinds)) if full else 4
    turns = 400 if full else -(-STATES // (count * len(kinds)))
    for seed, (setup, seats) in enumerate(kinds):
        batch = BatchMatch(game, count, seed, setup, seats=seats, threads=1)
        play_beside(batch, setup, turns, seed, tally)
        assert len(batch.place.loops.step.signatures) == 1  # whatever the setup, and however many seats
    tally.reach(states=STATES)
