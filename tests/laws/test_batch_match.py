"""The law of substrates, for batches: whatever plays a game, and beside however many others, it is the same match."""

from __future__ import annotations

import pytest

from dohyo.core.game import Game
from dohyo.laws import of_batches
from dohyo.laws.matches import seat_counts
from dohyo.laws.of_batches import Lone
from dohyo.laws.tally import Tally
from dohyo.sim import BatchMatch, below, loops
from tests.laws.matches import every_game


@every_game
def test_a_batch_plays_the_matches_of_its_seeds(game: Game, tally: Tally) -> None:
    """Each game of a batch is, turn by turn, the match that its seed gives when it is played alone."""
    of_batches.a_batch_plays_the_matches_of_its_seeds(game, tally)


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
    lots = [Lot(int(batch.games.slots[n]["word"])) for n in range(batch.n)]
    for _ in range(20):
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
