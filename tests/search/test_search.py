"""Tree search and beam search: what they choose, in plain Python and compiled."""

from __future__ import annotations

import time
from typing import Any

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.core.game import Chance
from dohyo.core.options import resolve
from dohyo.search import PUCT, AlphaBeta, Beam, Choice, Search, beam, uct
from dohyo.search.playout import nothing
from tests.search import piles
from tests.search.piles import pile

ROOM = (("mine", "f8", 2),)
GAME = piles.game()


@pytest.fixture(scope="session")
def compiled() -> Search:
    """A compiled search, which may be told another way to search."""
    return Search(GAME, 2, compiled=True, value=piles.even, seed=5)


@pytest.mark.parametrize("stones", [5, 6, 7, 9])
@pytest.mark.parametrize("ahead", [False, True])
def test_the_winning_action_is_found(stones: int, ahead: bool) -> None:
    """Who can leave a multiple of four stones does."""
    choice = Search(GAME, 2, ahead=ahead, seed=3).choose(pile(stones), 0, playouts=600)
    assert choice.action == stones % 4
    assert choice.value > 0.5
    assert choice.playouts == 600
    assert sum(option.visits for option in choice.options) >= 600
    assert choice.visits == max(option.visits for option in choice.options)


def test_what_is_won_is_counted_for_the_seat_that_acts() -> None:
    """The second seat wins by the same action as the first would."""
    assert Search(GAME, 2, seed=3).choose(pile(6, mover=1), 1, playouts=400).action == 2


def test_a_position_is_assessed_for_every_seat() -> None:
    """What one seat wins the other loses; a state that is over is worth its places; a seed repeats the figures."""
    search = Search(GAME, 2, seed=3, by_win=True)
    found = search.assess([pile(6)], playouts=400)
    assert found.playouts == 400
    assert found.values[0] > 0.5
    assert sum(found.values) == pytest.approx(0)
    assert found.options[0][0].action == 2
    assert set(found.options) == {0}
    for _ in range(2):
        search.reseed(7)
        again = search.assess([pile(6)], playouts=100)
        search.reseed(7)
        assert search.assess([pile(6)], playouts=100) == again


def test_a_look_at_a_position_begins_with_few_playouts() -> None:
    """A position before it may have been a thousand times as quick: how many fitted there says nothing here."""
    search = Search(GAME, 2, seed=3)
    search._bundle = uct.MAX_IN_A_BUNDLE
    assert uct.LEAST <= search.assess([pile(6)], seconds=0).playouts <= 2 * uct.LEAST


def test_a_value_is_asked_where_a_playout_is_cut() -> None:
    """A search that sees nothing but the next turn does what `value` says; without one, all is the same to it."""
    told = Search(GAME, 2, value=piles.even, horizon=0, seed=1).choose(pile(22), 0, playouts=40)
    assert told.action == 2
    assert Search(GAME, 2, horizon=0, seed=1).choose(pile(22), 0, playouts=3).value == 0


def test_a_rate_judges_for_all_seats_at_once() -> None:
    """`rate` in the place of `value`, with room of its own, finds the same; also where it looks ahead."""

    @piles.flat
    def rate(s: Any, scratch: Any) -> None:
        for seat in range(2):
            scratch.mine[seat] = piles.even(s, seat)
            scratch.result[seat] = scratch.mine[seat]

    for ahead in (False, True):
        told = {"horizon": 0, "ahead": ahead, "seed": 1}
        one, other = Search(GAME, 2, value=piles.even, **told), Search(GAME, 2, rate=rate, room=ROOM, **told)
        assert one.choose(pile(22), 0, playouts=40) == other.choose(pile(22), 0, playouts=40)


def test_no_tree_is_grown_deeper_than_wanted() -> None:
    """Without depth no action is chosen, all is left to the policy; with one turn, only the first is."""
    search = Search(GAME, 2, seed=1)
    search.limit_depth(0)
    assert search.assess([pile(6)], playouts=200).options == {}
    search.limit_depth(1)
    shallow = search.assess([pile(6)], playouts=400).values[0]
    search.limit_depth(99)
    assert search.assess([pile(6)], playouts=400).values[0] > shallow


def test_playouts_go_on_for_no_longer_than_wanted() -> None:
    """With a horizon of 0 a position is worth what its own value says; with a long one, what comes of it."""
    search = Search(GAME, 2, value=piles.even, seed=1)
    search.limit_depth(0)
    search.limit_horizon(0)
    assert search.assess([pile(6)], playouts=8).values == tuple(piles.even(pile(6), seat) for seat in range(2))
    search.limit_horizon(64)
    assert search.assess([pile(6)], playouts=8).values != tuple(piles.even(pile(6), seat) for seat in range(2))


def test_moves_are_all_that_is_looked_at() -> None:
    """`moves` leaves actions out, also the best."""

    @piles.flat
    def one(s: Any, seat: int, out: Any) -> int:
        out[0], out[1] = 1, 3
        return 2

    found = Search(GAME, 2, moves=one, seed=1).choose(pile(6), 0, playouts=50)
    assert {option.action for option in found.options} == {1, 3}


def test_both_at_once_choose_what_wins_most() -> None:
    """Of seats that act at once each takes the highest number, which never loses."""
    state = pile(0, both=1, won=[3, 3])
    for seat in range(2):
        assert Search(GAME, 2, seed=2).choose(state, seat, playouts=900).action == 3


def test_the_true_world_may_be_any_of_the_worlds() -> None:
    """What is best in most worlds is chosen, though the state shown is another one."""
    worlds = [pile(6), pile(6), pile(6), pile(7)]
    search = Search(GAME, 2, seed=4)
    assert search.choose(pile(7), 0, playouts=900, worlds=worlds).action == 2
    assert search.choose(pile(6), 0, playouts=300, worlds=iter([pile(7)])).action == 3


def test_an_action_that_is_not_legal_in_the_state_is_never_chosen() -> None:
    """Worlds may allow more than the seat can do."""
    assert Search(GAME, 2, seed=1).choose(pile(2), 0, playouts=200, worlds=[pile(3)]).action in (1, 2)


def test_dice_are_rolled_anew() -> None:
    """With dice the same position has several ends: the value of an action is between them."""
    found = Search(GAME, 2, seed=1).choose(pile(3, dice=1), 0, playouts=300)
    assert found.action == 3  # it has won, before any dice
    by_action = {option.action: option.value for option in found.options}
    assert -1 < by_action[1] < 1


def test_a_full_tree_still_answers() -> None:
    """Where there is no room for a node or an edge, playouts begin there."""
    found = Search(GAME, 2, nodes=3, edges=7, seed=1).choose(pile(7), 0, playouts=300)
    assert found.action == 3


@pytest.mark.parametrize("kind", [Search, Beam])
def test_one_action_needs_no_thought(kind: Any) -> None:
    """Where there is nothing to choose, no time is spent."""
    assert kind(GAME, 2).choose(pile(1), 0, seconds=60) == Choice(1, 0, 0.0, 0)


@pytest.mark.parametrize("kind", [Search, Beam])
def test_what_cannot_be_searched_is_refused(kind: Any) -> None:
    """Mistakes in the arguments are told in a sentence."""
    with pytest.raises(ValueError, match="seat 1 has nothing to decide"):
        kind(GAME, 2).choose(pile(4), 1, seconds=1)
    with pytest.raises(ValueError, match="how long"):
        kind(GAME, 2).choose(pile(4), 0)
    with pytest.raises(ValueError, match="no world"):
        kind(GAME, 2).choose(pile(4), 0, seconds=1, worlds=[])
    with pytest.raises(TypeError, match=r"`state` must be one of piles, as .* not None"):
        kind(GAME, 2).choose(None, 0, playouts=5)
    with pytest.raises(TypeError, match="the first argument is a game"):
        kind("nim", 2)
    with pytest.raises(ValueError, match="is for 2 players, so `seats` cannot be 3"):
        kind(GAME, 3)
    with pytest.raises(ValueError, match="`value` must carry the mark @flat"):
        kind(GAME, 2, value=lambda s, seat: 0.0)


@pytest.mark.parametrize("module", [uct, beam])
def test_the_clock_ends_it(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search looks at its clock after every playout, and ends with the first look that is past the end."""
    ticks = iter(range(1000))
    monkeypatch.setattr(module.time, "monotonic", lambda: float(next(ticks)))
    kind: Any = Search if module is uct else Beam
    found = kind(GAME, 2, value=piles.even).choose(pile(6), 0, until=time.monotonic() + 20)
    assert 1 <= found.playouts <= 20


def test_a_beam_plans_ahead() -> None:
    """Against one who always takes three, a plan over own turns finds the end that wins."""
    plan = Beam(GAME, 2, value=piles.even, policy=piles.three, width=8, depth=3, seed=1)
    found = plan.choose(pile(13), 0, playouts=5)
    assert found.action == 1 or found.value == 1
    assert found.value == 1


@pytest.mark.parametrize("ahead", [0, 1])
@pytest.mark.parametrize("fields", [{"dice": 1}, {"both": 1}, {"mover": 1}])
def test_plain_and_compiled_choose_the_same(compiled: Search, ahead: int, fields: dict[str, int]) -> None:
    """The law of substrates: the same seed, worlds and playouts give the same visits and values of every action."""
    plain = Search(GAME, 2, value=piles.even, seed=5, horizon=3, ahead=bool(ahead))
    compiled._workspace.scratch["horizon"], compiled._workspace.scratch["ahead"] = 3, ahead
    compiled._workspace.scratch["word"] = plain._workspace.scratch.word
    compiled._workspace.source["draw"] = 0
    state, worlds = pile(17, **fields), [pile(stones, **fields) for stones in (17, 18, 20)]
    for _ in range(2):
        seat = fields.get("mover", 0)
        assert compiled.choose(state, seat, playouts=200, worlds=worlds) == plain.choose(
            state, seat, playouts=200, worlds=worlds
        )


def test_worlds_may_be_records(compiled: Search) -> None:
    """A row of records is taken, compiled and in plain Python; one of another game is refused."""
    import numpy

    from dohyo.sim import records

    rows = records.blank(piles.LAYOUT, 2)
    for at in range(2):
        records.write(piles.LAYOUT, rows, at, pile(6))
    for search in (compiled, Search(GAME, 2), AlphaBeta(replace(GAME, chance=Chance.AT_START), value=piles.even)):
        assert search.choose(pile(6), 0, playouts=400, worlds=rows).action == 2
        with pytest.raises(ValueError, match="record of Piles"):
            search.choose(pile(6), 0, playouts=1, worlds=numpy.zeros(2))


@pytest.mark.parametrize("name", ["Search", "Beam"])
def test_compiled_it_refuses_what_no_match_comes_to(name: str) -> None:
    """Compiled rules would look its numbers up outside their rows; plain ones say so themselves."""
    pytest.importorskip("numba")
    strict = replace(GAME, possible=lambda s: s.both == 0)
    made = {
        "Search": lambda on: Search(strict, 2, seed=1, compiled=on),
        "Beam": lambda on: Beam(strict, 2, value=piles.even, width=4, depth=3, seed=9, compiled=on),
    }[name]
    state = pile(19, dice=1)
    made(True).choose(state, 0, playouts=2)
    state.both = 1
    made(False).choose(state, 0, playouts=2)
    for told in ({}, {"worlds": [pile(19, dice=1), state]}):
        with pytest.raises(ValueError, match="can come to this state"):
            made(True).choose(state, 0, playouts=2, **told)


def test_compiled_beam_chooses_the_same() -> None:
    """The law of substrates, for beams."""
    plain, other = (Beam(GAME, 2, value=piles.even, width=4, depth=3, seed=9, compiled=on) for on in (False, True))
    state = pile(19, dice=1)
    assert plain.choose(state, 0, playouts=4) == other.choose(state, 0, playouts=4)


def test_dice_that_lie_are_left_out() -> None:
    """Of a game whose dice move at the start only, no roll is ever asked for."""
    still = replace(GAME, chance=Chance.AT_START)
    found = Search(still, 2, seed=1).choose(pile(6, dice=1), 0, playouts=300)
    assert found.action == 2


def test_every_game_is_searched_alike(full: bool) -> None:
    """The law of substrates for the games themselves, at full size: compiling them all takes a minute."""
    for name in ("drop-block", "shoot-em-up", "wondev-woman", "abotcalypse") if full else ():
        game = games.find(name)
        seats = game.seats[1] if name == "drop-block" else 2
        state = game.new_state(resolve(game.options, {}), seats)
        dice, source = [0] * game.rules.DICE, game.source(5)
        while game.rules.needs_dice(state):
            game.rules.roll(state, source, dice)
            game.rules.deal(state, dice, None)
        seat = game.acting(state, seats)[0]
        for ahead in (False, True):
            plain, other = (Search(game, seats, horizon=6, ahead=ahead, compiled=on) for on in (False, True))
            assert plain.choose(state, seat, playouts=200) == other.choose(state, seat, playouts=200), name


def none_known(observations: Any, masks: Any) -> Any:
    """A network that knows nothing."""
    return masks * 0.0, masks[:, 0] * 0.0


BEFORE_DICE = {
    "tree": ("backgammon", lambda game: Search(game, 2)),
    "several at once": ("battlesnake", lambda game: Search(game, 2)),
    "alpha-beta": ("kuhn-poker", lambda game: AlphaBeta(game, value=nothing)),
    "beam": ("kuhn-poker", lambda game: Beam(game, 2, value=nothing)),
    "network": ("backgammon", lambda game: PUCT(game, 2, none_known)),
}


@pytest.mark.parametrize(("name", "make"), BEFORE_DICE.values(), ids=BEFORE_DICE)
def test_a_state_before_its_dice_is_refused(name: str, make: Any) -> None:
    """Nobody can move in it: it is an error with the remedy, not an answer without sense; so is it among worlds."""
    game = games.find(name)
    search, state, rolled = make(game), game.new_state(resolve(game.options, {}), 2), game.first_state(3)
    seat = game.acting(rolled, 2)[0]
    for given in ({"state": state}, {"state": rolled, "worlds": [state]}):
        with pytest.raises(ValueError, match=r"still to be rolled .* game.first_state\(seed\)"):
            search.choose(seat=seat, playouts=4, **given)
    assert search.choose(rolled, seat, playouts=4).action in game.legal_actions(rolled, seat)
