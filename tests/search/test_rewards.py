"""Searches by what a match pays, not by who wins it: points, margins, functions of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.flat import flat
from dohyo.core.game import Game
from dohyo.core.rewards import Reward
from dohyo.search import PUCT, AlphaBeta, Beam, Search
from dohyo.search.uct import Searcher

SURE, LARGE, GAMBLE = range(3)
DEFAULT: dict[str, Any] = {"reward": Reward()}
# Seat 0 takes 1 point, or 3, or lets dice or the other decide between 12 for it and 2 for the other.
STAKES = '''"""Stakes: one choice."""
from dohyo.core.flat import Layout, uniform
from dohyo.core.game import Plane
ACTIONS = 3
LAYOUT = Layout("Stakes", ("turn", "i1", 0), ("ended", "i1", 0), ("open", "i1", 0), ("points", "i2", 2))
RANGES = {"points": (0, 12)}
KIND, SHAPE = "i1", (1,)
PLANES = (Plane("turn", 0, 2, "turns"), Plane("open", 0, 1, "whether it is still open"))
def is_legal(s, seat, action):
    return 0 <= action < 3
def step(s, actions, events):
    action = actions[s.turn % 2]
    s.turn += 1
    if s.open:
        pay(s, 0)
    elif action == 2:
        s.open = 1
    else:
        s.points[0] = 1 + 2 * action
        s.ended = 1
def pay(s, wins):
    s.points[1 - wins] = 12 if wins else 2
    s.ended = 1
def score(s, seat):
    return s.points[seat]
def observe(s, seat, out):
    out[0], out[1] = s.turn, s.open
'''
DICE = """
DICE = 1
def needs_dice(s):
    return s.open == 1 and s.ended == 0
def roll(s, source, dice):
    dice[0] = uniform(source, 2)
    return 1
def deal(s, dice, events):
    pay(s, dice[0])
"""


@pytest.fixture(scope="module")
def games_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Game]:
    """The game with these rules, too."""
    folder, known = tmp_path_factory.mktemp("stakes"), dict[str, Game]()

    def make(more: str) -> Game:
        if more not in known:
            file = folder / ("dicey_stakes.py" if more else "stakes.py")
            file.write_text(STAKES + more)
            known[more] = games.load(file)
        return known[more]

    return make


@flat
def points(s: Any, seat: int) -> float:
    """A seat's points."""
    return 1.0 * s.points[seat]  # type: ignore[no-any-return]


@flat
def many_points(s: Any, seat: int) -> float:
    """The same in another unit."""
    return 1024.0 * s.points[seat]  # type: ignore[no-any-return]


@flat
def nothing(s: Any, seat: int) -> float:
    """A value that knows nothing."""
    return 0.0


def ignorant(seen: Any, masks: Any) -> tuple[Any, Any]:
    """A network that knows nothing, of either seat."""
    return numpy.zeros(masks.shape), numpy.zeros((len(seen), 2))


def first_choice(search: Searcher) -> Any:
    """What it does in the beginning."""
    return search.choose(search.game.new_state({}, 2), 0, playouts=400)


def test_a_gamble_is_taken_for_its_points(games_of: Any) -> None:
    """By places a sure win is best; by score and margin a gamble is that brings more on average, with that value."""
    game = games_of(DICE)
    assert first_choice(Search(game, 2)).action != GAMBLE
    by_score, by_margin = (first_choice(Search(game, 2, reward=word)) for word in ("score", "margin"))
    assert by_score.action == by_margin.action == GAMBLE
    assert by_score.value == pytest.approx(6, abs=1)
    assert by_margin.value == pytest.approx(5, abs=1)


def test_a_network_is_no_hindrance(games_of: Any) -> None:
    """Tree search with a network takes the gamble, too, with several leaves under way, and says what it is worth."""
    game = games_of(DICE)
    assert first_choice(PUCT(game, 2, ignorant)).action != GAMBLE
    found = first_choice(PUCT(game, 2, ignorant, reward="score"))
    assert (found.action, found.value) == (GAMBLE, pytest.approx(6, abs=1))


def test_the_unit_does_not_matter(games_of: Any) -> None:
    """Exploring is measured by the range of results: in another unit the search makes the very same playouts."""
    game = games_of(DICE)
    makers: list[Callable[[Any], Searcher]] = [
        lambda reward: Search(game, 2, reward=reward),
        lambda reward: PUCT(game, 2, ignorant, reward=reward),
    ]
    for make in makers:
        one, many = first_choice(make(points)), first_choice(make(many_points))
        tried = [[(each.action, each.visits) for each in choice.options] for choice in (one, many)]
        assert tried[0] == tried[1]
        assert many.value == 1024 * one.value


@pytest.mark.parametrize("kind", ["AlphaBeta", "Beam"])
def test_of_two_wins_the_larger_is_taken(games_of: Any, kind: str) -> None:
    """Where the other decides the gamble, alpha-beta and beams by score take the larger of the sure wins."""
    game = games_of("")

    def make(**reward: Any) -> Searcher:
        return AlphaBeta(game, value=nothing, **reward) if kind == "AlphaBeta" else Beam(game, 2, depth=1, **reward)

    assert first_choice(make()).action == SURE
    found = first_choice(make(reward="score"))
    assert (found.action, found.value) == (LARGE, 1.5 if kind == "AlphaBeta" else 3)


def test_compiled_it_is_the_same_search(games_of: Any) -> None:
    """The compiled search by score makes the same choices as the plain one."""
    game = games_of(DICE)
    plain, compiled = (first_choice(Search(game, 2, reward="score", compiled=how)) for how in (False, True))
    assert plain == compiled


def test_what_no_search_looks_at_is_refused(games_of: Any) -> None:
    """`by_win` is about places, and points must be counted to be looked for."""
    game = games_of("")
    with pytest.raises(ValueError, match="by_win"):
        Search(game, 2, reward="score", by_win=True)
    with pytest.raises(OperatorError, match="hex has none"):
        Search(games.find("hex"), 2, reward="score")


def test_the_default_said_at_length_is_the_default(games_of: Any) -> None:
    """`Reward()` is "place": a won match counts above all, exploring is the same, and `by_win` goes with it."""
    game = games.find("connect-four")
    state = game.new_state({}, 2)
    for action in (0, 1) * 3:
        game.rules.step(state, [action, action], None)
    choices = [AlphaBeta(game, value=nothing, **each).choose(state, 0, playouts=50) for each in ({}, DEFAULT)]
    assert choices[0] == choices[1]
    assert choices[0].value > 999_000
    game = games_of(DICE)
    makers: list[Callable[..., Searcher]] = [
        lambda **reward: Search(game, 2, **reward),
        lambda **reward: PUCT(game, 2, ignorant, **reward),
    ]
    for make in makers:
        assert first_choice(make()) == first_choice(make(**DEFAULT))
    Search(game, 2, by_win=True, **DEFAULT)
