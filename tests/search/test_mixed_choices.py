"""Mixed choices where seats act at once: known equilibria of small games, and the same plain and compiled."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.core.flat import Layout, flat
from dohyo.core.game import Chance, Turns
from dohyo.search import Search
from dohyo.search.mixed_choices import draw_edge, learn
from tests.search import piles
from tests.search.piles import pile

GOOFSPIEL = Path(__file__).parents[2] / "examples" / "goofspiel.py"
ROCK_PAPER_SCISSORS = [0, -1, 1, 1, 0, -1, -1, 1, 0]
WITH_A_WEAK_ROCK = [0, -0.5, 1, 0.5, 0, -0.5, -1, 0.5, 0]  # a rock that meets paper loses half as much
ONE_IS_BEST = [0.2, 0.4, 0.6, -0.5, 0.1, 0.3, 0.0, -0.2, 0.1]


class Matrix:
    """A game of one turn, in which both seats choose one of three at once; `pays` by the first's and the second's."""

    ACTIONS = 3
    EVENTS_A_TURN = 1
    CONCESSIONS = ()
    REASONS: ClassVar = {1: "piles.won"}
    LAYOUT = Layout("Matrix", ("pays", "f8", 9), ("chosen", "i1", 2), ("turn", "i1", 0))
    SOURCE, reseed = piles.game().rules.SOURCE, staticmethod(piles.game().rules.reseed)

    @staticmethod
    @flat
    def acts(s: Any, seat: int) -> bool:
        """Both."""
        return bool(s.turn == 0)

    @staticmethod
    @flat
    def legal(s: Any, seat: int, out: Any) -> int:
        """All three."""
        for i in range(3):
            out[i] = i
        return 3

    @staticmethod
    @flat
    def is_legal(s: Any, seat: int, action: int) -> bool:
        """See `legal`."""
        return 0 <= action < 3

    @staticmethod
    @flat
    def step(s: Any, actions: Any, events: Any) -> None:
        """Choose."""
        s.chosen[0] = actions[0]
        s.chosen[1] = actions[1]
        s.turn = 1

    @staticmethod
    @flat
    def over(s: Any) -> bool:
        """Never, for a search: its `value` judges."""
        return False

    @staticmethod
    @flat
    def winner(s: Any) -> int:
        """Nobody."""
        return -1

    @staticmethod
    @flat
    def places(s: Any, out: Any) -> int:
        """Equal ones."""
        out[0] = 1
        out[1] = 1
        return 1


@flat
def payoff(s: Any, seat: int) -> float:
    """What the choices pay."""
    pays = s.pays[3 * s.chosen[0] + s.chosen[1]]
    return pays if seat == 0 else -pays


GAME = replace(piles.game(Turns.SIMULTANEOUS), name="matrix", rules=Matrix, chance=Chance.NEVER)


def matrix(pays: list[float]) -> Any:
    """The state before the choice."""
    state = Matrix.LAYOUT.new()
    state.pays = [float(each) for each in pays]
    return state


def shares(search: Search, state: Any, seat: int, playouts: int) -> list[float]:
    """By action, how often it should be chosen."""
    found = {one.action: one.share for one in search.choose(state, seat, playouts=playouts).options}
    return [found.get(action) or 0.0 for action in range(search.game.rules.ACTIONS)]


@pytest.mark.parametrize("mixed", ["regret", "exp3"])
@pytest.mark.parametrize(
    ("pays", "equilibrium"),
    [
        (ROCK_PAPER_SCISSORS, (1 / 3, 1 / 3, 1 / 3)),
        (WITH_A_WEAK_ROCK, (1 / 4, 1 / 2, 1 / 4)),
        (ONE_IS_BEST, (1, 0, 0)),
    ],
    ids=["rock-paper-scissors", "weak-rock", "one-is-best"],
)
def test_it_comes_close_to_the_equilibrium(mixed: str, pays: list[float], equilibrium: Any) -> None:
    """Both seats' shares are near the only equilibrium of the game, and their sum is 1."""
    for seat in range(2):
        search = Search(GAME, 2, value=payoff, horizon=0, mixed=mixed, seed=seat + 1)
        found = shares(search, matrix(pays), seat, 12000)
        assert sum(found) == pytest.approx(1)
        assert found == pytest.approx(equilibrium, abs=0.08)


@flat
def high_payoff(s: Any, seat: int) -> float:
    """The same in another unit, and with 20 for coming."""
    return 20.0 + 4.0 * payoff(s, seat)


@pytest.mark.parametrize("mixed", ["regret", "exp3"])
def test_payoffs_may_be_any_numbers(mixed: str) -> None:
    """Where a reward of one's own pays 18 to 24, both seats come close to the equilibrium as with -0.5 to 1."""
    for seat in range(2):
        search = Search(GAME, 2, value=high_payoff, reward=high_payoff, horizon=0, mixed=mixed, seed=seat + 1)
        assert shares(search, matrix(WITH_A_WEAK_ROCK), seat, 12000) == pytest.approx((1 / 4, 1 / 2, 1 / 4), abs=0.08)


def test_regrets_are_against_what_was_to_be_expected() -> None:
    """After each playout the new regrets, weighed by the chances of that draw, sum to nothing: as the mix did."""
    tree = SimpleNamespace(
        first=[0], next=[1, 2, -1], seen=[0], visits=[0] * 3, total=[0.0] * 3, gain=[0.0] * 3, share=[0.0] * 3
    )
    tree.now, tree.when = [0.0] * 3, [0] * 3
    scratch = SimpleNamespace(word=7, mixed=1, edge_of=[0, 1, 2], options=[0, 1, 2])
    scratch.mixed_playout, scratch.mixed_share, scratch.mixed_chance = 0, [0.0] * 3, [0.0]
    scratch.low, scratch.high = -1.0, 1.0
    for playout in range(1, 40):
        scratch.mixed_playout, before = playout, list(tree.gain)
        drawn = draw_edge(tree, scratch, 0, 3, 0)
        result = (0.3, -0.9, 0.8)[drawn]
        learn(tree, scratch, 0, drawn, scratch.mixed_chance[0], result)
        change = [now - then for now, then in zip(tree.gain, before, strict=True)]
        assert sum(p * each for p, each in zip(tree.now, change, strict=True)) == pytest.approx(0, abs=1e-9)
        tree.visits[drawn], tree.total[drawn] = tree.visits[drawn] + 1, tree.total[drawn] + result
        tree.seen[0] += 1
    assert sum(tree.share) == pytest.approx(39)


def test_the_action_is_drawn_by_the_shares() -> None:
    """Other seeds draw other actions, each of them about as often as its share says; the same seed draws the same."""
    search = Search(GAME, 2, value=payoff, horizon=0, mixed="regret")
    drawn = [search.choose(matrix(ROCK_PAPER_SCISSORS), 0, playouts=60).action for _ in range(150)]
    assert all(drawn.count(action) > 25 for action in range(3))
    again = []
    for _ in range(2):
        search.reseed(5)
        again.append([search.choose(matrix(ROCK_PAPER_SCISSORS), 0, playouts=60).action for _ in range(9)])
    assert again[0] == again[1]
    plain = Search(GAME, 2, value=payoff, horizon=0).choose(matrix(ROCK_PAPER_SCISSORS), 0, playouts=60)
    assert all(one.share is None for one in plain.options)


def solved(pays: list[list[float]], rounds: int = 1500) -> tuple[float, list[float]]:
    """The value of a matrix game for the rows, and their shares, by regret matching over whole rows and columns."""
    rows, columns = len(pays), len(pays[0])
    regret, total = [[0.0] * rows, [0.0] * columns], [0.0] * rows
    for each in range(1, rounds + 1):
        mix = []
        for one in regret:
            above = [max(0.0, value) for value in one]
            mix.append([value / sum(above) for value in above] if sum(above) > 0 else [1 / len(one)] * len(one))
        worth = [sum(p * q for p, q in zip(row, mix[1], strict=True)) for row in pays]
        costs = [-sum(mix[0][i] * pays[i][j] for i in range(rows)) for j in range(columns)]
        for one, values, chances in ((regret[0], worth, mix[0]), (regret[1], costs, mix[1])):
            mean = sum(p * value for p, value in zip(chances, values, strict=True))
            one[:] = [max(0.0, now + value - mean) for now, value in zip(one, values, strict=True)]
        total = [now + each * chance for now, chance in zip(total, mix[0], strict=True)]
    best = [share / sum(total) for share in total]
    return min(sum(best[i] * pays[i][j] for i in range(rows)) for j in range(columns)), best


def table(game: Any, state: Any) -> list[list[float]]:
    """What each pair of bids is worth for the first seat, if both go on as well as can be."""
    found = []
    for own in game.legal_actions(state, 0):
        found.append([])
        for other in game.legal_actions(state, 1):
            after = game.rules.LAYOUT.copy(state)
            game.rules.step(after, [own, other], None)
            found[-1].append(worth(game, after))
    return found


def worth(game: Any, state: Any) -> float:
    """The value of a state for the first seat of two."""
    if game.rules.over(state):
        places = [0] * 4
        game.rules.places(state, places)
        return float(places[1] - places[0])
    return solved(table(game, state))[0]


@cache
def small_goofspiel() -> Any:
    """Goofspiel with three cards."""
    return games.load(GOOFSPIEL)


@pytest.mark.parametrize("mixed", ["regret", "exp3"])
def test_goofspiel_is_bid_nearly_as_well_as_can_be(mixed: str) -> None:
    """At the last three prizes, whoever knows the shares wins hardly more against them than against the best ones."""
    game = small_goofspiel()
    state = game.new_state({}, 2)
    game.rules.deal(state, [1, 2, 3, 4, 6, 5], None)
    for bids in ([1, 2], [3, 1], [2, 3]):
        game.rules.step(state, bids, None)
    pays = table(game, state)
    value, _ = solved(pays)
    found = shares(Search(game, 2, mixed=mixed, horizon=1000, seed=1), state, 0, 6000)
    mine = [found[action] for action in game.legal_actions(state, 0)]
    assert sum(mine) == pytest.approx(1)
    least = min(sum(share * row[column] for share, row in zip(mine, pays, strict=True)) for column in range(3))
    assert least > value - 0.15


@pytest.mark.parametrize("mixed", ["regret", "exp3"])
def test_plain_and_compiled_draw_the_same(mixed: str, cache: Any) -> None:
    """With the same seed every share and every drawn action is the same, at once and in turns, with dice."""
    plain, compiled = (Search(piles.game(), 2, mixed=mixed, seed=5, compiled=one) for one in (False, True))
    for state in (pile(0, both=1, won=[3, 3]), pile(9, both=1, dice=1), pile(9, dice=1)):
        for _ in range(3):
            assert plain.choose(state, 0, playouts=150) == compiled.choose(state, 0, playouts=150)


def test_what_is_no_way_to_mix_is_said() -> None:
    """In a sentence."""
    with pytest.raises(ValueError, match="`mixed` is 'nash', and must be one of None, 'regret', 'exp3'"):
        Search(GAME, 2, mixed="nash")
