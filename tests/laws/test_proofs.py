"""The law of proofs: what is proven of a position is what playing out all that can follow says."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo import classics, games
from dohyo.core.game import Game, State
from dohyo.core.playback import moments
from dohyo.games import all_games
from dohyo.laws.tally import Tally
from dohyo.search.proof import Proof, Proven, Result, is_provable
from tests.laws.matches import play

SEED = 23
SEATS = 2
LAST = 8  # turns of a match whose positions are looked at
BUDGETS = (40, 1000)
LOOKED_AT = 150  # positions, by the definition

EXAMPLES = Path(__file__).parents[2] / "examples"
ALL = [*all_games().values(), *map(games.find, classics.NAMES), games.load(EXAMPLES / "tic_tac_toe.py")]
provable_game = pytest.mark.parametrize(
    "game", [game for game in ALL if is_provable(game)], ids=[game.name for game in ALL if is_provable(game)]
)


@provable_game
def test_what_is_proven_is_true(game: Game, tally: Tally) -> None:
    """At the end of random matches no result is proven that playing on does not allow, or that comes later than said.

    Within small budgets, for each position and each action.
    """
    proof = Proof(game, entries=1 << 10)
    for seed in range(SEED, SEED + max(2, int(20 * tally.part))):
        replay = play(game, seed).replay
        if len(replay.header.seats) != SEATS:
            continue
        played = [moment for moment in moments(game, replay) if moment.turn.moves][-LAST:]
        for at, moment in enumerate(reversed(played)):
            proven = proof.prove(moment.before, playouts=BUDGETS[at % len(BUDGETS)], keep=at % 3 == 0)
            if proven is not None:
                compare(game, moment.before, proven, tally)
    tally.reach(results=100)


def compare(game: Game, state: State, proven: Proven, tally: Tally) -> None:
    """Compare what was proven with what playing on says."""
    legal = list(game.legal_actions(state, proven.seat))
    assert [one.action for one in proven.actions] == legal
    assert game.acting(state, SEATS) == [proven.seat]
    check(game, state, proven.seat, proven.result, proven.plies, tally)
    known = [one for one in proven.actions if one.result is not None]
    for one in known:
        after = game.rules.LAYOUT.copy(state)
        game.rules.step(after, [one.action] * SEATS, None)
        assert one.plies is not None
        check(game, after, proven.seat, one.result, one.plies - 1, tally)
    if proven.result is not None:
        assert all(one.result <= proven.result for one in known if one.result is not None)
    if len(known) == len(legal):
        assert proven.result == max(one.result for one in known if one.result is not None)


def check(game: Game, state: State, seat: int, result: Result | None, plies: int | None, tally: Tally) -> None:
    """Compare one result; as deep as the plies that it says, or as can be looked at."""
    if result is None or plies is None:
        return
    tally["results"] += 1
    for depth in range(plies + 1):
        room = [LOOKED_AT]
        low, high = bounds(game, state, seat, depth, room)
        if room[0] < 0:
            return
        assert low <= result <= high
    tally["whole"] += 1
    assert low == result == high


def bounds(game: Game, state: State, seat: int, depth: int, room: list[int]) -> tuple[int, int]:
    """Between what a seat gets, playing all that can follow in so many turns; `room` counts what may be looked at."""
    rules = game.rules
    if rules.over(state):
        ranks = [0] * SEATS
        rules.places(state, ranks)
        found = (ranks[seat] < ranks[1 - seat]) - (ranks[seat] > ranks[1 - seat])
        return found, found
    room[0] -= 1
    if depth == 0 or room[0] < 0:
        return -1, 1
    mover = 0 if rules.acts(state, 0) else 1
    each = []
    for action in game.legal_actions(state, mover):
        after = rules.LAYOUT.copy(state)
        rules.step(after, [action] * SEATS, None)
        each.append(bounds(game, after, seat, depth - 1, room))
    best = max if mover == seat else min
    return best(low for low, _ in each), best(high for _, high in each)
