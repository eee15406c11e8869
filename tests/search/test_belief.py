"""What a seat can know by what it is told: worlds that fit, as likely as they are, and no word of what is hidden."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.core.flat import flat
from dohyo.core.observation import Observation, prompt_lines
from dohyo.core.playback import moments
from dohyo.search import Belief, Search
from tests.laws.matches import play

KUHN = games.find("kuhn-poker")
PASS, BET = 0, 1
JACK, QUEEN, KING = 1, 2, 3


def kuhn(first: int, second: int, *moves: int) -> Any:
    """Kuhn poker with these cards, after these moves."""
    state = KUHN.new_state({}, 2)
    KUHN.rules.deal(state, [first, second], None)
    for move in moves:
        KUHN.rules.step(state, [move, move], None)
    return state


def told(seat: int, *states: Any) -> list[bytes]:
    """What the seat is sent in these states."""
    return [KUHN.prompt(state, seat) for state in states]


@flat
def bluffs_with_jacks(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """Bets with a jack, and passes with all else."""
    return 1 if s.card[seat] == 1 else 0


def others(belief: Belief) -> Counter[int]:
    """How often the worlds have which card in the other's hand."""
    return Counter(world.card[1 - belief.seat] for world in belief.worlds)


def test_the_other_s_card_is_one_of_the_rest() -> None:
    """Who has the king takes the other to have the jack as often as the queen; its own card is sure."""
    belief = Belief(KUHN, 2, 0, size=400, tries=4000)
    worlds = belief.observe(told(0, kuhn(KING, JACK))[0])
    assert worlds is belief.worlds
    assert {world.card[0] for world in worlds} == {KING}
    assert set(others(belief)) == {JACK, QUEEN}
    assert abs(others(belief)[JACK] - 200) < 50  # five standard errors
    assert (belief.fitted, belief.is_lost, belief.is_doubtful) == (400, False, False)


def test_what_the_others_do_tells_of_them() -> None:
    """By a policy that bets with jacks alone, who bets has a jack; by that of any action, any card but one's own."""
    sent = told(1, kuhn(JACK, QUEEN, BET))[0]
    by_any, by_policy = Belief(KUHN, 2, 1), Belief(KUHN, 2, 1, policy=bluffs_with_jacks)
    by_any.observe(sent)
    by_policy.observe(sent)
    assert set(others(by_any)) == {JACK, KING}
    assert set(others(by_policy)) == {JACK}


def test_where_nothing_fits_it_is_lost_and_says_so() -> None:
    """A text that no state sends, and one that comes of what the policy never does; the search is given nothing."""
    for belief, sent in (
        (Belief(KUHN, 2, 0), b"nonsense\n"),
        (Belief(KUHN, 2, 0), b"x" * 100_000),
        (Belief(KUHN, 2, 1, policy=bluffs_with_jacks), told(1, kuhn(QUEEN, JACK, BET))[0]),
    ):
        assert belief.observe(sent) == belief.worlds == []
        assert belief.is_lost
        assert belief.is_doubtful
        belief.act(PASS)
        assert belief.observe(told(0, kuhn(KING, JACK))[0]) == []  # it does not come back
    with pytest.raises(ValueError, match="no world"):
        Search(KUHN, 2).choose(kuhn(KING, JACK), 0, playouts=1, worlds=belief.worlds)


def test_few_worlds_are_doubtful_from_there_on() -> None:
    """Fewer than 8 that fit are told as a doubt, also in later turns."""
    belief = Belief(KUHN, 2, 0, size=5)
    belief.observe(told(0, kuhn(KING, JACK))[0])
    assert len(belief.worlds) == 5
    assert belief.is_doubtful
    assert not belief.is_lost


@pytest.mark.parametrize("kind", [bytes, str, Observation])
def test_a_turn_is_told_in_any_form(kind: Any) -> None:
    """As bytes, as text, or as the observation of a bot's class, and actions as numbers or texts."""
    first, second = told(0, kuhn(QUEEN, KING), kuhn(QUEEN, KING, PASS, BET))
    belief = Belief(KUHN, 2, 0)
    for sent in (first, second):
        given: Any = sent
        if kind is str:
            given = sent.decode()
        elif kind is Observation:
            given = Observation(lines=tuple(prompt_lines(KUHN, sent)), own_turn=0)
        assert belief.observe(given)
        belief.act("pass")
    assert set(others(belief)) == {JACK, KING}


def test_what_is_out_of_order_is_said() -> None:
    """An action without a turn, a turn without the action before it, what is no action, a seat that is not there."""
    belief = Belief(KUHN, 2, 0)
    with pytest.raises(ValueError, match="first comes `observe`"):
        belief.act(PASS)
    sent = told(0, kuhn(KING, JACK))[0]
    belief.observe(sent)
    with pytest.raises(ValueError, match="by `act`"):
        belief.observe(sent)
    for action in (7, -1, "dance"):
        with pytest.raises(ValueError, match="is no action of kuhn-poker"):
            belief.act(action)
    with pytest.raises(ValueError, match="no seat 2"):
        Belief(KUHN, 2, 2)
    with pytest.raises(ValueError, match="2 seats, and not 3"):
        next(Belief(replace(KUHN, seats=(2, 3)), 3, 0).follow(play(KUHN, 1).replay))


def test_no_time_leaves_no_world() -> None:
    """With the time over after the first look at the clock, what was found until then is all."""
    belief = Belief(KUHN, 2, 0, size=1000, tries=100_000)
    belief.observe(told(0, kuhn(KING, JACK))[0], seconds=0)
    assert belief.tried <= 20
    assert len(belief.worlds) == belief.fitted < 20


def test_a_match_may_have_begun_elsewhere() -> None:
    """With `starts`, one of these is the beginning, also after the dice."""
    starts = [kuhn(KING, JACK), kuhn(QUEEN, JACK)]
    belief = Belief(KUHN, 2, 0, starts=starts)
    belief.observe(told(0, starts[0])[0])
    assert {tuple(world.card) for world in belief.worlds} == {(KING, JACK)}


def test_plain_and_compiled_find_the_same(cache: Any) -> None:
    """With the same seed and tries, in a game whose bids are made at once."""
    game = games.load(Path(__file__).parents[2] / "examples" / "goofspiel.py")
    replay, found = play(game, 3).replay, []
    for compiled in (False, True):
        belief = Belief(game, len(replay.header.seats), 1, compiled=compiled, tries=300, seed=7)
        found.append([[game.rules.LAYOUT.pack(one) for one in belief.worlds] for _ in belief.follow(replay)])
    assert found[0] == found[1]
    assert found[0][1]


def test_a_search_plays_by_worlds() -> None:
    """A search takes the worlds as they are: with the king, who is asked to pay bets."""
    belief = Belief(KUHN, 2, 0)
    belief.observe(told(0, kuhn(KING, JACK))[0])
    belief.act(PASS)
    worlds = belief.observe(told(0, kuhn(KING, JACK, PASS, BET))[0])
    assert Search(KUHN, 2).choose(worlds[0], 0, playouts=200, worlds=worlds).action == BET


def test_a_deal_that_shows_much_is_put_together() -> None:
    """In Wondev Woman, under fog: by its first prompt a seat finds the map, its units, and places for the others."""
    game = games.find("wondev-woman")
    replay = play(game, 5).replay
    assert replay.header.setup["league"] == "bronze"
    belief = Belief(game, 2, 0, setup=replay.header.setup)
    next(belief.follow(replay))
    assert not belief.is_doubtful
    assert len({game.rules.LAYOUT.pack(world) for world in belief.worlds}) > 5
    first = next(moments(game, replay)).before
    assert {game.prompt(world, 0) for world in belief.worlds} == {game.prompt(first, 0)}


@pytest.mark.parametrize("name", ["shoot-em-up", "abotcalypse"])
def test_worlds_differ_where_something_is_hidden(name: str) -> None:
    """Some worlds differ from the true state, and are not all the same."""
    game = games.find(name)
    replay = play(game, 8).replay
    belief = Belief(game, len(replay.header.seats), 0, setup=replay.header.setup)
    third = next(islice(belief.follow(replay), 2, None))
    true = next(moment.before for moment in moments(game, replay) if moment.turn.turn == third)
    seen = {game.rules.LAYOUT.pack(world) for world in belief.worlds}
    assert len(seen) > 1
    assert seen != {game.rules.LAYOUT.pack(true)}
