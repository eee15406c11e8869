"""The law of substrates, for batches: whatever plays a game, and beside however many others, it is the same match."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy
import pytest

from dohyo.core import flat
from dohyo.core.game import Game, Turns
from dohyo.core.options import resolve
from dohyo.sim import BatchMatch, below, loops
from tests.laws.matches import every_game, seat_counts, setups
from tests.laws.tally import Tally

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


def ends_at_once(game: Game, setup: dict[str, Any], seats: int) -> bool:
    """Whether nothing is played with this setup; no batch can be made of that."""
    return bool(game.rules.over(game.new_state(setup, seats)))


def play_beside(batch: BatchMatch, setup: dict[str, Any], turns: int, seed: int, tally: Tally) -> None:
    """Play a batch by random actions, and each of its games alone; compare all that can be seen, at every turn."""
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
            assert batch.rewards()[n].tolist() == pytest.approx(lone[n].rewards() if over else [0.0] * seats)
            if over:
                tally["games"] += 1
                lone[n] = Lone(game, setup, seats, batch.seed_of(n))
            assert game.rules.LAYOUT.pack(batch.unpack(n)) == game.rules.LAYOUT.pack(lone[n].state)
            tally["states"] += 1


@every_game
def test_a_batch_plays_the_matches_of_its_seeds(game: Game, tally: Tally, full: bool) -> None:
    """Each game of a batch is, turn by turn, the match that its seed gives when it is played alone."""
    kinds = [kind for kind in itertools.product(setups(game), seat_counts(game)) if not ends_at_once(game, *kind)]
    count = -(-1000 // len(kinds)) if full else 4
    turns = 400 if full else -(-STATES // (count * len(kinds)))
    for seed, (setup, seats) in enumerate(kinds):
        batch = BatchMatch(game, count, seed, setup, seats=seats, threads=1)
        play_beside(batch, setup, turns, seed, tally)
    assert len(loops.loops_of(game).step.signatures) == 1  # whatever the setup, and however many seats
    tally.reach(states=STATES)


@every_game
def test_threads_change_nothing(game: Game, tally: Tally, full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rollout ends in the same states, and with the same totals, however many threads play it."""
    monkeypatch.setattr(loops, "TURNS_A_SPAN", 1)  # however few turns there are, they are handed out
    seats = seat_counts(game)[-1]
    found = []
    for threads in (1, 2, 3):
        batch = BatchMatch(game, 2000 if full else 200, 5, threads=threads, seats=seats)
        totals = batch.rollout(2000 if full else 20)
        found.append((totals, batch.states.tobytes()))
        tally["turns"] += totals.turns
    assert found[1] == found[0]
    assert found[2] == found[0]


@every_game
def test_a_rollout_plays_what_its_policy_says(game: Game, tally: Tally) -> None:
    """The compiled loop of random play ends where the rules and the same lots lead that are played plainly."""
    seats = seat_counts(game)[-1]
    batch = BatchMatch(game, 20, 11, seats=seats, threads=1)
    lone = [Lone(game, {}, seats, batch.seed_of(n)) for n in range(batch.n)]
    lots = [Lot(int(batch._slots[n]["word"])) for n in range(batch.n)]
    for _ in range(6):
        batch.rollout(1)
        for n in range(batch.n):
            if game.rules.over(lone[n].state):
                continue  # the slot has the next game
            legal = [list(game.legal_actions(lone[n].state, seat)) for seat in range(seats)]
            acts = [bool(game.rules.acts(lone[n].state, seat)) for seat in range(seats)]
            lone[n].step([legal[k][below(lots[n], len(legal[k]))] if acts[k] else 0 for k in range(seats)])
            if not game.rules.over(lone[n].state):
                tally["turns"] += 1
                assert game.rules.LAYOUT.pack(batch.unpack(n)) == game.rules.LAYOUT.pack(lone[n].state)
    tally.reach(turns=50)


class Lot:
    """What a policy's lots are drawn from, plain."""

    def __init__(self, word: int) -> None:
        self.word = word
