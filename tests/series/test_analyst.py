"""How positions are judged: chances of every game add up, and each game's judge knows what its rules say."""

from __future__ import annotations

import random
from functools import cache

import pytest

from dohyo import games
from dohyo.core.cheap_random import LUCK
from dohyo.core.flat import Layout
from dohyo.core.game import Game, State
from dohyo.core.options import resolve
from dohyo.core.playback import moments
from dohyo.games.abotcalypse import judge as abotcalypse
from dohyo.games.drop_block import careful
from dohyo.games.drop_block import judge as falling
from dohyo.games.drop_block import rules as floor
from dohyo.games.shoot_em_up import judge as duel
from dohyo.search import Proven, ProvenAction, Result
from dohyo.series import analyst
from dohyo.series.analyst import Analyst, chance_of, chances_of
from tests.laws import matches
from tests.skips import Reason, skip_for

NAMES = ("abotcalypse", "connect-four", "drop-block", "shoot-em-up", "wondev-woman")


@cache
def states_of(name: str, seed: int = 0) -> tuple[list[State], int]:
    """The states before the turns of a match of random play, and how many seats it has."""
    game = games.find(name)
    replay = matches.play(game, seed).replay
    return [one.before for one in moments(game, replay) if one.turn.moves], len(replay.header.seats)


def begun(game: Game) -> State:
    """The state in the middle of a match of random play."""
    states, _ = states_of(game.name)
    return game.rules.LAYOUT.copy(states[len(states) // 2])


@pytest.mark.parametrize("name", NAMES)
def test_each_game_s_judge_finds_shares(name: str) -> None:
    """The chances of all seats add up to one, each between 0 and 1, and the same seed finds the same ones."""
    game = games.find(name)
    state = begun(game)
    seats = states_of(name)[1]
    first, second = (Analyst(game, seats, compiled=False).judge([state], playouts=12, seed=2) for _ in range(2))
    assert sum(first.chance) == pytest.approx(1)
    assert all(0 <= chance <= 1 for chance in first.chance)
    assert first == second


def test_each_game_s_judge_says_the_same_compiled(full: bool) -> None:
    """The law of substrates for the judges, at full size: compiling them all takes a minute."""
    if not full:
        skip_for(Reason.LONG, "compiling all judges takes a minute: --full")
    for name in NAMES:
        game, (states, seats) = games.find(name), states_of(name)
        for state in states[:: len(states) // 3 + 1]:
            plain, other = (Analyst(game, seats, compiled=on).judge([state], playouts=100) for on in (False, True))
            assert plain.options == other.options, name
            assert plain.chance == pytest.approx(other.chance)


def test_who_must_fall_has_no_chance() -> None:
    """In Drop-Block, a player on a block that falls before its next turn is lost; the others share what is left."""
    game = games.find("drop-block")
    state = floor.LAYOUT.new()
    state.dealt, state.limit = 1, 100
    state.row[:], state.column[:], state.stun[:] = [1, 1, 16, 16], [1, 16, 1, 16], [0] * 4
    state.turn = 4
    mover = floor.block_at(1, 16)
    state.block[mover] = 1  # seat 0 is to move; seat 1 falls at the end of its turn
    judged = Analyst(game, 4, compiled=False).judge([state], playouts=16)
    assert judged.beside is not None
    for chance in (judged.chance, judged.beside.chance):
        assert chance[1] < 0.01
    assert judged.beside.chance[2] == pytest.approx(1 / 3, abs=0.05)


def test_nobody_acts_by_what_nobody_sees() -> None:
    """Where a game's judge is blind, the true state is judged without anybody's choosing in it; a decision is not."""
    game = games.find("shoot-em-up")
    judge = Analyst(game, 2, compiled=False).judge
    assert judge([begun(game)], playouts=40, deciding=False).options == {}
    assert list(judge([begun(game)], playouts=200).options) == [begun(game).turn % 2]


def test_the_two_ways_of_judging_are_kept_apart() -> None:
    """In Drop-Block a position's chances are the policy's; what a tree sees is told beside them, with the actions."""
    game, state = games.find("drop-block"), begun(games.find("drop-block"))
    judged = Analyst(game, 4, compiled=False).judge([state], playouts=16)
    policy = analyst.search_of(game, 4, compiled=False)
    policy.limit_depth(0)
    assert policy.assess([state], playouts=2).options == {}
    assert list(judged.options) == [state.turn % 4]
    assert judged.beside is not None
    assert judged.beside.beside is None
    assert judged.beside.options == judged.options
    assert judged.chance == chances_of(judged.values, game.judge().sharpness)
    assert judged.chance != judged.beside.chance


def test_a_decision_is_a_mistake_if_both_ways_say_so() -> None:
    """What a decision cost is told by the way of judging by which that is less sure."""

    def judged(chance: float, beside: float | None) -> analyst.Judged:
        other = None if beside is None else judged(beside, None)
        return analyst.Judged((chance, 1 - chance), (0.03, 0.03), {}, 1, (0.0, 0.0), other)

    error = pytest.approx((2 * 0.03**2 + 0.04**2) ** 0.5)
    assert analyst.cost_of(judged(0.8, None), judged(0.3, None), 0, 0.04) == (0.8, 0.3, error)
    assert analyst.cost_of(judged(0.8, 0.6), judged(0.3, 0.5), 0, 0.04) == (0.6, 0.5, error)
    assert analyst.cost_of(judged(0.8, 0.9), judged(0.7, 0.1), 0, 0.04) == (0.8, 0.7, error)


def test_in_drop_block_all_go_on_as_careful_players() -> None:
    """A letter of a playout is the careful player's, but for a slip now and then, and the board stays as it is."""
    game = games.find("drop-block")
    mind = Layout("Mind", ("word", "i8", 0), *careful.FIELDS).new()
    letters, slips = 0, 0
    for state in [one for seed in range(3) for one in states_of(game.name, seed)[0][::3]]:
        seat, before = state.turn % 4, bytes(floor.LAYOUT.pack(state))
        options = [0] * floor.ACTIONS
        count = falling.moves(state, seat, options)
        letter = falling.policy(state, seat, options, count, mind)
        assert bytes(floor.LAYOUT.pack(state)) == before
        if state.row[seat] < 0 or state.stun[seat] > 0:
            assert letter == floor.NOTHING
            continue
        letters += 1
        slips += letter != careful.careful(state, seat, mind)
    assert letters > 40
    assert slips < letters / 5


def test_a_robot_s_policy_sees_nothing() -> None:
    """In Shoot-Em-Up, what a robot does in playouts stays on the board, and does not depend on where the other is."""
    game = games.find("shoot-em-up")
    luck = random.Random(1)
    for _ in range(200):
        state = begun(game)
        state.turn, state.ended = luck.randrange(2), 0
        seat = state.turn
        state.x[:], state.y[:] = [luck.randrange(10) for _ in "ab"], [luck.randrange(10) for _ in "ab"]
        state.shot[seat], state.hits[seat] = luck.choice([0, 9]), luck.randrange(3)
        done = []
        for place in (0, 7):
            state.x[1 - seat] = place
            word = LUCK.new()
            word.word = 5
            done.append(duel.policy(state, seat, [], 17, word))
        assert done[0] == done[1]
        game.rules.step(state, done[:1] * 2, None)
        assert state.ended in (0, game.rules.SHOT_DOWN)


def test_the_actions_that_are_searched_are_all_that_differ() -> None:
    """In aBOTcalypse, every legal action does the same as one of those that the analysis looks at."""
    game = games.find("abotcalypse")
    for state in [one for seed in range(4) for one in states_of(game.name, seed)[0][::3] if game.rules.acts(one, 0)]:
        room = [0] * game.rules.ACTIONS
        few = room[: abotcalypse.moves(state, 0, room)]
        assert len(few) == len(set(few))
        assert {after(game, state, action) for action in game.legal_actions(state, 0)} == {
            after(game, state, action) for action in few
        }


def after(game: Game, state: State, action: int) -> bytes:
    """The state after a turn in which everybody else rests."""
    found = game.rules.LAYOUT.copy(state)
    game.rules.step(found, [action, *[0] * (found.bots - 1)], None)
    return bytes(game.rules.LAYOUT.pack(found))


def dropped(game: Game, columns: str) -> State:
    """Connect four after stones in these columns."""
    state = game.new_state(resolve(game.options, {}), 2)
    for column in map(int, columns):
        game.rules.step(state, [column] * 2, None)
    return state


def test_what_is_proven_is_no_estimate() -> None:
    """Where a win is proven, 13 turns before it, the chance is 1 and 0 without an error; the same for its options."""
    game = games.find("connect-four")
    judge = Analyst(game, 2, compiled=False).judge
    state = dropped(game, "261444620646662334045005500")
    judged = judge([state], playouts=2000)
    assert judged.proven is not None
    assert (judged.chance, judged.error, judged.values) == ((0.0, 1.0), (0.0, 0.0), (-1.0, 1.0))
    assert (judged.proven.seat, judged.proven.result) == (1, Result.WIN)
    options = judged.options[1]
    assert set(options) == set(game.legal_actions(state, 1))
    best = max(options, key=lambda action: options[action][1])
    assert options[best][0] == 1.0
    lost = [one.action for one in judged.proven.actions if one.result is Result.LOSS]
    assert lost
    assert all(options[action] == (-1.0, 0) for action in lost)
    assert judge([state], playouts=2000) == judged


def test_where_all_is_proven_nothing_is_searched() -> None:
    """A match that is over, and one whose last stone decides it, are judged without a playout."""
    game = games.find("connect-four")
    judge = Analyst(game, 2, compiled=False).judge
    over = judge([dropped(game, "0101010")], playouts=100)
    assert (over.chance, over.error, over.playouts, over.options) == ((1.0, 0.0), (0.0, 0.0), 0, {})
    full = game.new_state(resolve(game.options, {}), 2)
    rows = ("0011001", "1100110", "0011001", "1100110", "0011001", "0110011"[:6])  # from the bottom: no four
    for height, row in enumerate(rows):
        for column, owner in enumerate(row):
            full.stones[int(owner)] |= 1 << column * game.rules.HEIGHT + height
    full.turn = game.rules.CELLS - 1
    drawn = judge([full], playouts=100)
    assert (drawn.chance, drawn.error, drawn.playouts) == ((0.5, 0.5), (0.0, 0.0), 0)
    assert drawn.options == {1: {6: (0.0, 1)}}


def test_an_action_that_loses_is_none_that_was_tried() -> None:
    """Where the position itself is open, an action that loses has the value -1 and no weight; others keep theirs."""
    tried = {3: (0.2, 40), 4: (0.5, 60), 5: (0.9, 70)}
    judged = analyst.Judged((0.6, 0.4), (0.03, 0.03), {0: tried}, 170, (0.2, -0.2))
    actions = (ProvenAction(3), ProvenAction(4, Result.DRAW, 9), ProvenAction(5, Result.LOSS, 2))
    found = analyst.with_proof(judged, Proven(0, None, None, actions, 100))
    assert found == judged._replace(options={0: {3: (0.2, 40), 4: (0.0, 60), 5: (-1.0, 0)}})
    drawn = analyst.with_proof(judged, Proven(0, Result.DRAW, 9, actions, 100))
    assert drawn.options == {0: {3: (0.0, 40), 4: (0.0, 171), 5: (-1.0, 0)}}
    assert (drawn.chance, drawn.error) == ((0.5, 0.5), (0.0, 0.0))


def test_a_win_is_rather_soon_and_a_defeat_rather_late() -> None:
    """Of the actions with the position's result, the quickest win or the slowest defeat is the most tried one."""
    for result, best in ((Result.WIN, 2), (Result.LOSS, 3)):
        actions = tuple(ProvenAction(action, result, plies) for action, plies in ((1, 9), (2, 5), (3, 13)))
        proven = Proven(1, result, 9, actions, 100)
        options = analyst.with_proof(analyst.Judged((), (), {}, 0, ()), proven).options[1]
        assert max(options, key=lambda action: options[action][1]) == best
        assert {value for value, _ in options.values()} == {float(result)}


def test_nothing_is_proven_where_something_is_hidden() -> None:
    """Games with more seats, dice or anything hidden are judged by search alone, and so are several worlds."""
    for name in ("abotcalypse", "drop-block", "shoot-em-up", "wondev-woman"):
        assert analyst.proof_of(games.find(name), seats=2, compiled=False) is None
    game = games.find("connect-four")
    state = dropped(game, "010101")
    several = Analyst(game, 2, compiled=False).judge([state, state], playouts=40)
    assert several.proven is None


def test_few_playouts_are_not_certain() -> None:
    """A share of 0 or 1 in a few playouts has a wide interval, in many a narrow one."""
    for share in (0.0, 1.0):
        assert analyst.sampling(share, 8) > 0.15
        assert analyst.sampling(share, 100_000) < 0.001
    assert analyst.sampling(0.5, 1000) == pytest.approx(0.026, abs=0.001)


def test_shares_become_chances() -> None:
    """Chances of a few seats add up to one; sharper ones lie farther apart, and equal ones stay equal."""
    assert chances_of([0.0, 0.0], 2.0) == (0.5, 0.5)
    assert chances_of([-0.5] * 4, 3.0) == (0.25,) * 4
    flat, sharp = chances_of([0.2, -0.2], 1.0), chances_of([0.2, -0.2], 2.0)
    assert 0.5 < flat[0] < sharp[0]
    assert sum(sharp) == pytest.approx(1)
    assert chance_of(0.2, 2, 1.0) == pytest.approx(flat[0])


def test_who_is_out_stays_so_however_little_is_sharpened() -> None:
    """A small sharpness brings those who may win nearer to each other, and nobody back who cannot."""
    for sharpness in (0.4, 1.0, 3.0):
        chances = chances_of([-1.0, 0.5, -0.5], sharpness)
        assert 0 < chances[0] < 0.003
        assert chance_of(-1.0, 3, sharpness) < 0.005
    assert chances_of([-1.0, 0.5, -0.5], 0.4)[2] > 0.35
