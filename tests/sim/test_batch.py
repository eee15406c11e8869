"""A batch from outside: what it takes, what it refuses, and that what it refuses changes nothing."""

from __future__ import annotations

import os
import re
import signal
from typing import Any

import msgspec
import numpy
import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.flat import flat
from dohyo.core.game import Game, Turns
from dohyo.sim import BatchMatch, IllegalActionError, below
from tests.core.heap import HEAP
from tests.quality.project import SOURCE, python_files

GAME = games.find("connect-four")
DROP = games.find("drop-block")
CHESS = games.find("chess")
AT_ONCE = msgspec.structs.replace(HEAP, turns=Turns.SIMULTANEOUS)


def batch(n: int = 3, **more: Any) -> BatchMatch:
    """A small batch of connect four, on one thread."""
    return BatchMatch(GAME, n, 1, threads=1, **more)


def full_column(made: BatchMatch, slot: int, column: int) -> None:
    """Fill a column of one game; the others play elsewhere."""
    for turn in range(6):
        actions = numpy.full(made.n, (turn // 2 * 2 + turn) % 5 + 1)
        actions[slot] = column
        made.step(actions)


def test_games_are_won_lost_and_renewed() -> None:
    """Four in a column win: 1 for one, -1 for the other, `done` in that step alone, and another game goes on."""
    made = batch()
    before = made.seed_of(0)
    for turn in range(7):
        made.step(numpy.array([turn % 2, turn % 2, turn % 7]))
        assert made.done.tolist() == [turn == 6, turn == 6, False]
    assert made.rewards().tolist() == [[1, -1], [1, -1], [0, 0]]
    assert made.unpack(0).turn == 0
    assert made.seed_of(0) != before
    made.step(numpy.array([0, 0, 0]))
    assert not made.done.any()
    assert not made.rewards().any()


def test_without_renewal_what_has_ended_waits() -> None:
    """The last state stays to be looked at, nobody acts in it, and actions for it are not read, until `reset`."""
    made = batch(renew=False)
    for turn in range(7):
        made.step(numpy.array([turn % 2, turn % 7, turn % 7]))
    last = made.states[0].tobytes()
    assert made.done.tolist() == [True, False, False]
    assert not made.legal()[0].any()
    assert not made.acting()[0].any()
    made.step(numpy.array([99, 0, 0]))
    assert not made.done.any()
    assert made.states[0].tobytes() == last
    made.reset(numpy.array([True, False, False]))
    assert made.unpack(0).turn == 0
    assert made.unpack(1).turn == 8


@pytest.mark.parametrize(
    ("actions", "error", "sentence"),
    [
        (numpy.zeros(2, int), ValueError, r"shape \(3, 2\) or \(3,\), not \(2,\)"),
        (numpy.zeros((3, 3), int), ValueError, r"not \(3, 3\)"),
        (numpy.zeros(3), TypeError, "whole numbers, not float64"),
        (numpy.zeros(3, bool), TypeError, "whole numbers, not bool"),
        (numpy.array([0, 7, 0]), IllegalActionError, "in game 1, seat 0 may not play"),
        (numpy.array([0, -1, 7]), IllegalActionError, r"in game 1, seat 0 .*, and 1 more"),
        (numpy.array([1 << 40, 0, 0]), IllegalActionError, "in game 0"),
    ],
)
def test_wrong_actions_are_refused_before_any_game_moves(actions: Any, error: type, sentence: str) -> None:
    """Another shape, another type, what is no action: a sentence, with the first place, and all states as before."""
    made = batch()
    if error is IllegalActionError:
        actions = numpy.where(actions == 7, GAME.rules.ACTIONS + 5, actions)
    before = made.states.tobytes()
    with pytest.raises(error, match=sentence):
        made.step(actions)
    assert made.states.tobytes() == before


def test_an_illegal_action_is_an_error_with_its_place_or_the_games_own_answer() -> None:
    """A full column: refused by default, answered as the referee would by choice, and played as it is on trust."""
    for kind in ("raise", "fault", "trust"):
        made = batch(illegal=kind, renew=False)
        full_column(made, 2, 3)
        actions = numpy.array([0, 0, 3])
        if kind == "raise":
            with pytest.raises(IllegalActionError) as caught:
                made.step(actions)
            assert (caught.value.slot, caught.value.seat, caught.value.action) == (2, 0, 3)
            assert made.unpack(0).turn == 6
            continue
        made.step(actions)
        assert made.unpack(0).turn == 7
        assert bool(made.done[2]) is (kind == "fault")
    made = batch(illegal="trust")
    with pytest.raises(IllegalActionError):
        made.step(numpy.array([0, 0, 1000]))


@pytest.mark.parametrize(
    ("more", "error", "sentence"),
    [
        ({"n": 0}, ValueError, "n must be at least 1"),
        ({"n": 2.0}, TypeError, "n must be a whole number"),
        ({"seats": 3}, ValueError, "is for 2 players, so `seats` cannot be 3"),
        ({"game": "connect-four"}, TypeError, r"a game: dohyo\.games\.find"),
        ({"setup": "moves=33"}, TypeError, "setup maps options to values"),
        ({"threads": 0}, ValueError, "threads must be at least 1"),
        ({"illegal": "maybe"}, ValueError, "illegal is one of raise, fault, trust"),
        ({"seed": -1}, ValueError, "seed must be at least 0"),
        ({"seed": 1 << 63}, ValueError, "at most"),
        ({"game": DROP, "setup": {"turns": "0"}}, OperatorError, "over before its first turn"),
        ({"game": CHESS, "setup": {"variant": "chess960"}}, OperatorError, "choose one start, or take"),
        ({"game": CHESS, "setup": {"opening": "random"}}, OperatorError, "draws its start by its seed"),
    ],
)
def test_a_batch_is_not_made_of_nonsense(more: dict[str, Any], error: type, sentence: str) -> None:
    """Numbers out of range and words that mean nothing are refused with what would be right."""
    with pytest.raises(error, match=sentence):
        BatchMatch(**{"game": GAME, "n": 2, "seed": 1, "threads": 1, **more})


def test_arrays_to_write_to_are_looked_at() -> None:
    """They have the shape and type that the batch says, and lie in one piece; then it writes to them and no other."""
    made = batch()
    out = numpy.zeros((3, 2, GAME.rules.ACTIONS), bool)
    assert made.legal(out) is out
    assert out[:, 0].any()
    for wrong in (out.astype(int), out[:2], out.transpose(2, 1, 0).copy().transpose(2, 1, 0), [1, 2]):
        with pytest.raises(ValueError, match="out is an array"):
            made.legal(wrong)
    mover = made.legal(mover=True)
    assert (mover == out[:, 0]).all()
    seen = made.observe()
    assert (made.observe(mover=True) == seen[:, 0]).all()


def test_states_come_and_go() -> None:
    """`unpack` gives a state of its own, `pack` takes one, of any moment; what is none is refused."""
    made = batch()
    full_column(made, 2, 3)
    state = made.unpack(2)
    other = batch()
    other.pack(1, state, turn=6)
    assert GAME.rules.LAYOUT.pack(other.unpack(1)) == GAME.rules.LAYOUT.pack(state)
    assert not other.legal()[1, 0, 3]
    state.turn = 1 << 40
    with pytest.raises(ValueError, match="no state of connect-four"):
        other.pack(1, state)
    with pytest.raises(IndexError, match="from 0 to 2; there is no 3"):
        other.unpack(3)
    drop = BatchMatch(DROP, 1, 1, threads=1)
    with pytest.raises(ValueError, match="the dice are to move"):
        drop.pack(0, DROP.rules.LAYOUT.new())


def test_a_copy_goes_its_own_way() -> None:
    """What a copy plays changes nothing in the batch that it was made from."""
    made = batch()
    twin = made.copy()
    twin.step(numpy.array([0, 1, 2]))
    assert made.unpack(0).turn == 0
    made.step(numpy.array([0, 1, 2]))
    assert made.states.tobytes() == twin.states.tobytes()


@flat
def lowest(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """The first of the legal actions."""
    return options[0]  # type: ignore[no-any-return]


@flat
def drawn(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """Any of them."""
    return options[below(luck, count)]  # type: ignore[no-any-return]


def test_policies_play_in_rollouts() -> None:
    """One policy for all seats, or one each; a function that is not flat is refused."""
    made = batch(50)
    totals = made.rollout(7, lowest)
    assert totals == (350, 0, (0, 0), 0)
    assert made.unpack(0).turn == 7
    made.reset()
    totals = made.rollout(200, [lowest, drawn])
    assert totals.turns == 10_000
    assert totals.games == sum(totals.wins) + totals.draws
    assert totals.wins[0] > totals.wins[1], "who builds a column beats who plays anywhere"
    with pytest.raises(TypeError, match="bears the mark `flat`"):
        made.rollout(1, lambda s, seat, options, count, luck: 0)
    with pytest.raises(ValueError, match="at most 4 policies"):
        made.rollout(1, [lowest] * 5)


@pytest.mark.parametrize("game", [GAME, DROP, games.find("wondev-woman"), AT_ONCE], ids=lambda game: game.name)
def test_a_drawn_action_is_the_one_of_random_play(game: Game) -> None:
    """`step(sample())` plays as a rollout of one turn does, whether one seat moves or several; all are legal."""
    setup = {"together": True} if game is AT_ONCE else {}
    drawing, rolling = (BatchMatch(game, 70, 3, setup, threads=1) for _ in range(2))
    out = drawing.sample()
    drawing.reset(seed=3)
    for _ in range(40):
        assert drawing.sample(out) is out
        drawing.step(out)
        rolling.rollout(1)
        assert drawing.states.tobytes() == rolling.states.tobytes()


@pytest.mark.parametrize("mover", [True, False])
@pytest.mark.parametrize("game", [GAME, pytest.param(DROP, marks=pytest.mark.full)], ids=lambda game: game.name)
def test_a_step_leaves_what_is_seen_and_what_is_legal(game: Game, mover: bool) -> None:
    """In arrays that are given it writes what `observe` and `legal` would, in every game of a batch."""
    made, plain = (BatchMatch(game, 150, 3, threads=1, illegal="trust", renew=False) for _ in range(2))
    seen, mask = made.observe(mover=mover), made.legal(mover=mover)
    for turn in range(60):
        actions = made.sample()
        given = {"observe": seen, "legal": mask} if turn % 3 else {"legal": mask}
        made.step(actions, **given)
        plain.step(actions)
        assert made.states.tobytes() == plain.states.tobytes()
        assert mask.tobytes() == plain.legal(mover=mover).tobytes()
        over = made.games.slots["ended"] == 1  # what nobody sees any more
        if turn % 3:
            assert seen[~over].tobytes() == plain.observe(mover=mover)[~over].tobytes()
    before = made.states.tobytes()
    for wrong in (mask[:2], seen, mask.view("i1")):
        with pytest.raises(ValueError, match="out is an array of shape"):
            made.step(made.sample(), legal=wrong)
    assert made.states.tobytes() == before, "a step that is refused moves no game"


def test_the_same_seed_gives_the_same_batch() -> None:
    """A seed tells all of a batch; another one is another batch; `reset` with it begins anew."""
    first, second, other = (BatchMatch(DROP, 8, seed, threads=1) for seed in (3, 3, 4))
    start = first.states.tobytes()
    assert second.states.tobytes() == start != other.states.tobytes()
    assert len({first.seed_of(n) for n in range(8)}) == 8
    first.rollout(50)
    first.reset()
    assert first.states.tobytes() != start
    first.reset(seed=3)
    assert first.states.tobytes() == start


def policy_of(column: int) -> Any:
    """A policy of the same name and code as its sisters, which differ by a default alone."""

    @flat
    def fixed(s: Any, seat: int, options: Any, count: int, luck: Any, mine: int = column) -> int:
        return mine

    return fixed


def test_policies_of_one_name_are_told_apart() -> None:
    """Which of them sits where is seen, in every order; what is no action counts as the first legal one."""
    first, second, none = policy_of(2), policy_of(5), policy_of(1000)
    for seated, columns in (
        ([first, second], (2, 5)),
        ([second, first], (5, 2)),
        ([first, first, second], (2, 2)),
        ([none, second], (0, 5)),
    ):
        made = batch(1)
        other = batch(1)
        made.rollout(2, seated)
        for column in columns:
            other.step(numpy.array([column]))
        assert made.states.tobytes() == other.states.tobytes()


def test_small_seeds_and_slots_are_not_mistaken_for_each_other() -> None:
    """No two slots of batches with the seeds 0 .. 39 play one match; a seed may be a number of NumPy's."""
    made = [BatchMatch(GAME, 40, seed, threads=1) for seed in range(40)]
    assert len({each.seed_of(slot) for each in made for slot in range(40)}) == 40 * 40
    assert BatchMatch(GAME, 1, numpy.uint32(7), threads=1).seed_of(0) == made[7].seed_of(0)


def test_a_state_of_another_number_of_seats_is_refused() -> None:
    """Loops that were told of two seats would write the third one's numbers elsewhere."""
    made = BatchMatch(games.find("abotcalypse"), 1, 1, seats=2, threads=1)
    other = BatchMatch(games.find("abotcalypse"), 1, 1, seats=3, threads=1)
    with pytest.raises(ValueError, match="for 2 can come to this state: it is one for 3"):
        made.pack(0, other.unpack(0))
    impossible = DROP.new_state({option.name: option.default for option in DROP.options}, 4)
    impossible.dealt, impossible.row = 1, [120] * 4
    with pytest.raises(ValueError, match="its rules never lead there"):
        BatchMatch(DROP, 1, 1, threads=1).pack(0, impossible)


def test_a_forked_child_plays_too() -> None:
    """Threads stay behind in the parent; a child makes its own."""
    made = BatchMatch(GAME, 600, 1, threads=2)
    made.rollout(100)
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        made.rollout(100)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


REACHED = re.compile(r"\bbatch\._[^_]\w*")


def test_nobody_reaches_into_a_batch() -> None:
    """What plays on a batch's games, or copies them, uses its public names; only its own class has others."""
    for path in python_files():
        found = REACHED.findall(path.read_text(encoding="utf-8"))
        assert not found, f"{path.relative_to(SOURCE.parent.parent)}: {found}"


def test_decisions_of_a_policy_are_those_of_its_rollout() -> None:
    """`decide` asks one seat of each game where it is told to, and nothing moves by it."""
    game = games.find("drop-block")
    batch = BatchMatch(game, 3, seed=2, threads=1)
    before = batch.games.states.copy()
    seats = numpy.array([0, -1, 0])

    decided = batch.decide(by_column, seats)
    assert decided.tolist() == [int(before["column"][0][0]) % 4, 0, int(before["column"][2][0]) % 4]
    assert (batch.games.states == before).all()
    for wrong in (numpy.array([0, 0]), numpy.array([4, 0, 0]), numpy.array([-2, 0, 0]), numpy.array([0.0, 0.0, 0.0])):
        with pytest.raises(ValueError, match="3 seats"):
            batch.decide(by_column, wrong)


@flat
def by_column(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """A direction that follows from where it stands."""
    return s.column[seat] % 4  # type: ignore[no-any-return]
