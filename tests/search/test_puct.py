"""Tree search with a network: what it asks the network, what it chooses, in plain Python and compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.game import Plane, Turns
from dohyo.core.options import resolve
from dohyo.search import PUCT
from tests.search import piles
from tests.search.piles import pile


class Sight:
    """What a learner sees of the small game."""

    KIND, SHAPE = "i1", (1,)
    PLANES = (Plane("pile", 0, 99, ""), Plane("mine", 0, 1, ""), Plane("won", 0, 5, ""), Plane("lost", 0, 5, ""))

    @staticmethod
    @piles.flat
    def observe(s: Any, seat: int, out: Any) -> None:
        """The pile, whether the seat is to move, and what both have won."""
        out[0] = s.pile
        out[1] = 1 if s.mover == seat else 0
        out[2] = s.won[seat]
        out[3] = s.won[1 - seat]


GAME = replace(piles.game(), observation=Sight)
BOTH = replace(piles.game(Turns.SIMULTANEOUS), observation=Sight)


class Network:
    """An evaluator that knows nothing, and writes down what it was asked; with `taste`, it likes numbers."""

    def __init__(self, taste: int = 0, wide: bool = False) -> None:
        self.asked: list[tuple[Any, Any]] = []
        self.taste, self.wide = taste, wide

    def __call__(self, observations: Any, masks: Any) -> tuple[Any, Any]:
        self.asked.append((observations.copy(), masks.copy()))
        seen = observations.reshape(len(observations), -1).astype(float)
        policy = numpy.sin(seen.sum(axis=1, keepdims=True) + numpy.arange(masks.shape[1])) * self.taste
        values = numpy.cos(seen @ numpy.arange(1, seen.shape[1] + 1)) * 0.3 * (self.taste > 0)
        return policy, numpy.stack([values, -values], axis=1) if self.wide else values


@pytest.fixture(scope="module")
def connect_four() -> Any:
    """The game of the examples."""
    return games.find("connect-four")


def board(game: Any, moves: str) -> Any:
    """Connect four after these columns, from 0."""
    state = game.new_state(resolve(game.options, {}), 2)
    for column in moves:
        game.rules.step(state, [int(column)] * 2, None)
    return state


@pytest.mark.parametrize("stones", [5, 6, 7, 9])
@pytest.mark.parametrize("leaves", [1, 8])
def test_a_network_that_knows_nothing_finds_the_winning_action(stones: int, leaves: int) -> None:
    """By the ends of matches alone: who can leave a multiple of four stones does, from either seat."""
    for seat in range(2):
        choice = PUCT(GAME, 2, Network(), leaves=leaves).choose(pile(stones, mover=seat), seat, playouts=800)
        assert choice.action == stones % 4
        assert choice.value > 0.3
        assert choice.playouts == sum(option.visits for option in choice.options) == 800


def test_forced_wins_are_found(connect_four: Any) -> None:
    """In connect four: three in a row are completed, and stopped; two open ones are made three."""
    search = PUCT(connect_four, 2, Network())
    assert search.choose(board(connect_four, "001122"), 0, playouts=200).action == 3
    assert search.choose(board(connect_four, "06162"), 1, playouts=200).action == 3
    assert search.choose(board(connect_four, "3040"), 0, playouts=1500).action in (2, 5)


def test_a_file_of_rules_is_searched_too() -> None:
    """Tic-tac-toe, by its general observation: the cell that wins is taken, the one that loses is stopped."""
    game = games.load(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")
    state, search = game.new_state(resolve(game.options, {}), 2), PUCT(game, 2, Network())
    for cell in (0, 3, 1, 4):
        game.rules.step(state, [cell] * 2, None)
    assert search.choose(state, 0, playouts=200).action == 2
    game.rules.step(state, [8] * 2, None)
    assert search.choose(state, 1, playouts=200).action == 5


@pytest.mark.parametrize("given", [{}, {"leaves": 1}, {"noise": (1.0, 0.25)}, {"positions": 3, "batch": 5}])
def test_plain_and_compiled_choose_the_same(given: dict[str, Any], cache: Any) -> None:
    """With the same seed every visit is the same, and so is every question to the network, with dice too."""
    plain, compiled = Network(taste=1), Network(taste=1)
    one = PUCT(GAME, 2, plain, seed=3, nodes=300, **given)
    other = PUCT(GAME, 2, compiled, seed=3, nodes=300, compiled=True, **given)
    for stones in ([30, 12, 9], [12, 9, 30]):
        states = [pile(number, dice=1) for number in stones][: given.get("positions", 1)]
        first, second = one.think(states, playouts=150), other.think(states, playouts=150)
        assert (first.visits == second.visits).all()
        assert (first.values == second.values).all()
    assert one.choose(pile(9), 0, playouts=90) == other.choose(pile(9), 0, playouts=90)
    assert len(plain.asked) == len(compiled.asked)
    for asked, again in zip(plain.asked, compiled.asked, strict=True):
        assert (asked[0] == again[0]).all()
        assert (asked[1] == again[1]).all()


def test_the_network_is_asked_within_its_bounds() -> None:
    """At most `batch` rows in a call, masks as the rules say, each position once, and none when it is over."""
    network = Network(taste=2)
    search = PUCT(GAME, 2, network, positions=4, leaves=8, batch=6)
    search.think([pile(10), pile(11), pile(12), pile(13)], playouts=60)
    sizes = [len(masks) for _, masks in network.asked]
    assert 4 < max(sizes) <= 6
    for observations, masks in network.asked:
        assert observations.shape == (len(masks), 4, 1)
        assert observations.dtype == numpy.int8
        for seen, mask in zip(observations.reshape(-1, 4), masks, strict=True):
            assert seen[0] > 0
            assert seen[1] == 1  # the seat that moves
            assert mask.tolist() == [0] + [int(action <= seen[0]) for action in range(1, piles.ACTIONS)]


def test_priors_sum_to_one_over_legal_actions() -> None:
    """Of logits and of priors, whatever the network says of illegal ones; nothing left is shared equally."""
    from dohyo.search.puct import legal_priors

    masks = numpy.array([[1, 1, 0], [0, 1, 1], [1, 0, 0]], numpy.int8)
    policy = numpy.array([[700.0, -700, 900], [numpy.nan, 1, 1], [0, 5, 5]])
    found = legal_priors(policy, masks, False)
    assert numpy.allclose(found, [[1, 0, 0], [0, 0.5, 0.5], [1, 0, 0]])
    found = legal_priors(numpy.array([[0.2, 0.6, 9], [7, 0, -1], [0.0, 1, 0]]), masks, True)
    assert numpy.allclose(found, [[0.25, 0.75, 0], [0, 0.5, 0.5], [1, 0, 0]])


def test_the_priors_lead_the_search() -> None:
    """Where all values are the same, the action that the network likes is visited most."""

    def likes_two(observations: Any, masks: Any) -> tuple[Any, Any]:
        return numpy.array([[0.05, 0.1, 0.8, 0.05]] * len(masks)), numpy.zeros(len(masks))

    assert PUCT(GAME, 2, likes_two, priors=True).choose(pile(60), 0, playouts=80).action == 2


def test_a_value_is_the_observing_seat_s() -> None:
    """A network that hates ten stones in its own hand avoids giving none: the other's gain is the seat's loss."""

    def knows(observations: Any, masks: Any) -> tuple[Any, Any]:
        return numpy.zeros(masks.shape), numpy.where(observations[:, 0, 0] == 28, -0.9, 0.0)

    for leaves in (1, 4):
        assert PUCT(GAME, 2, knows, leaves=leaves).choose(pile(30), 0, playouts=60).action == 2


def test_values_for_every_seat_and_for_one_are_the_same_in_a_duel() -> None:
    """(rows,) and (rows, seats), the own first, lead to the same visits."""
    found = [PUCT(GAME, 2, Network(1, wide)).think([pile(21, mover=1)], playouts=200) for wide in (False, True)]
    assert (found[0].visits == found[1].visits).all()
    assert found[0].values[0].sum() == pytest.approx(0)


def test_both_at_once_choose_for_themselves() -> None:
    """Each seat that acts is asked about; each takes the highest number, which never loses."""
    network = Network()
    thought = PUCT(BOTH, 2, network).think([pile(0, both=1, won=[3, 3])], playouts=900)
    assert len(network.asked[0][1]) == 2
    assert thought.visits[0].argmax(axis=1).tolist() == [3, 3]


def test_a_tree_is_used_again() -> None:
    """After a turn the new position's visits are those that it had, and the new ones."""
    for compiled in (False, True):
        network = Network(taste=1)
        search = PUCT(GAME, 2, network, compiled=compiled, nodes=300)
        search.think([pile(20)], playouts=150)
        asked = sum(len(masks) for _, masks in network.asked)
        after = pile(17, mover=1, rolled=0)
        again = search.think([after], playouts=100)
        assert again.visits.sum() > 100
        assert again.playouts.tolist() == [100]
        assert sum(len(masks) for _, masks in network.asked) - asked <= 100
        search.forget()
        assert search.think([after], playouts=100).visits.sum() == 100


@pytest.mark.parametrize("compiled", [False, True])
def test_positions_may_be_records(compiled: bool, cache: Any) -> None:
    """A row of records as a batch has it finds what plain states find, plain and compiled, in used trees too."""
    from dohyo.sim import records

    states = [pile(20), pile(21, mover=1)]
    rows = records.blank(piles.LAYOUT, 2)
    for at, state in enumerate(states):
        records.write(piles.LAYOUT, rows, at, state)
    by_states, by_rows = (
        PUCT(GAME, 2, Network(taste=1), positions=2, compiled=compiled, nodes=300) for _ in range(2)
    )
    for _ in range(2):  # the second time the trees are used again
        first, second = by_states.think(states, playouts=40), by_rows.think(rows, playouts=40)
        assert (first.visits == second.visits).all()
        assert (first.values == second.values).all()
    one, other = (
        s.choose(pile(20), 0, playouts=20, worlds=given) for s, given in ((by_states, states), (by_rows, rows))
    )
    assert one == other
    with pytest.raises(ValueError, match="record of Piles"):
        by_rows.think(numpy.zeros(2), playouts=1)


def test_a_full_tree_still_answers() -> None:
    """Where there is no room for a node, playouts end in the last one."""
    choice = PUCT(GAME, 2, Network(), nodes=4).choose(pile(3), 0, playouts=300)
    assert (choice.action, choice.playouts) == (3, 300)


def test_noise_and_temperature() -> None:
    """Noise changes what is visited, a seed repeats it; a temperature draws, none takes the most visited."""
    state = pile(40)
    quiet = PUCT(GAME, 2, Network()).think([state], playouts=60)
    noisy = [PUCT(GAME, 2, Network(), noise=(0.5, 0.9), seed=5).think([state], playouts=60) for _ in range(2)]
    assert (noisy[0].visits == noisy[1].visits).all()
    assert (noisy[0].visits != quiet.visits).any()
    shares = quiet.policy()[0]
    assert shares.sum(axis=1).tolist() == pytest.approx([1, 0])
    assert sorted(quiet.policy(0)[0, 0])[-2:] == [0, 1]
    search = PUCT(GAME, 2, Network(), seed=1)
    assert len({search.choose(state, 0, playouts=30, temperature=1).action for _ in range(20)}) > 1


def test_worlds_are_searched_together() -> None:
    """What is best in most of the worlds is chosen, if it is legal in the state itself."""
    search = PUCT(GAME, 2, Network(), positions=4)
    assert search.choose(pile(7), 0, playouts=300, worlds=[pile(6), pile(6), pile(6), pile(7)]).action == 2
    assert search.choose(pile(2), 0, playouts=100, worlds=[pile(3)]).action in (1, 2)


def test_what_is_wrong_is_said() -> None:
    """The caller's mistakes are told in a sentence."""
    search = PUCT(GAME, 2, Network())
    with pytest.raises(ValueError, match="say how long"):
        search.choose(pile(5), 0)
    with pytest.raises(ValueError, match="nothing to decide"):
        search.choose(pile(5), 1, playouts=1)
    with pytest.raises(ValueError, match="`positions` is 1"):
        search.think([pile(5), pile(6)], playouts=1)
    with pytest.raises(ValueError, match="the match is over"):
        search.think([pile(0, won=[5, 0])], playouts=1)
    with pytest.raises(OperatorError):
        PUCT(replace(GAME, observation=None), 2, Network())
    with pytest.raises(ValueError, match="`evaluate` returned policies"):
        PUCT(GAME, 2, lambda seen, masks: (masks, masks)).choose(pile(5), 0, playouts=1)
    with pytest.raises(ValueError, match="not finite"):
        PUCT(GAME, 2, lambda seen, masks: (masks * numpy.nan, masks[:, 0])).choose(pile(5), 0, playouts=1)


def test_one_action_needs_no_network() -> None:
    """Where there is nothing to choose, nobody is asked; within no time at least one playout is made."""
    network = Network()
    search = PUCT(GAME, 2, network)
    assert search.choose(pile(1), 0, seconds=60).playouts == 0
    assert network.asked == []
    assert search.choose(pile(9), 0, seconds=0).playouts >= 1


def test_what_is_kept_of_a_tree_is_the_tree() -> None:
    """Nodes and edges of the part that is kept hang together as before: visits, parents, children, states."""
    search = PUCT(GAME, 2, Network(taste=1), nodes=300)
    search.think([pile(20)], playouts=200)
    search.think([pile(18, mover=1, rolled=0)], playouts=1)
    tree = search._trees[0]
    pack = GAME.rules.LAYOUT.pack
    for node in range(1, tree.used[0]):
        parent = tree.parent[node]
        mover = search._states[parent].mover
        edge = tree.via[node * 2 + mover]
        state = GAME.rules.LAYOUT.copy(search._states[parent])
        GAME.rules.step(state, [tree.action[edge]] * 2, None)
        first = tree.first[parent * 2 + mover]
        assert first <= edge < first + tree.count[parent * 2 + mover]
        assert tree.child[edge] == node
        assert pack(state) == pack(search._states[node])
        assert tree.times[node] == tree.visits[edge]
    assert tree.used[0] > 20
