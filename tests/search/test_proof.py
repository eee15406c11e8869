"""Proofs: what is proven is true, whatever the limit; compiled it is the same."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.core.flat import Layout
from dohyo.core.game import Chance, Game, Turns
from dohyo.core.options import resolve
from dohyo.search import Proof, Proven, Result
from dohyo.search.keys import key_of
from dohyo.search.proof import is_provable
from tests.search import graphs, piles
from tests.search.piles import pile

PILES = replace(piles.game(), chance=Chance.AT_START)
GRAPHS = graphs.game()
TIC_TAC_TOE = games.load(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")
FOUR = games.find("connect-four")


def begun(game: Game, *actions: int) -> Any:
    """The state after these actions."""
    s = game.new_state(resolve(game.options, {}), 2)
    for action in actions:
        game.rules.step(s, [action, action], None)
    return s


def after(game: Game, s: Any, action: int) -> Any:
    """A state after an action."""
    found = game.rules.LAYOUT.copy(s)
    game.rules.step(found, [action, action], None)
    return found


KNOWN: dict[tuple[str, bytes, int], int] = {}


def minimax(game: Game, s: Any, seat: int) -> int:
    """What a position is worth to a seat, by the definition."""
    asked = game.name, game.rules.LAYOUT.pack(s), seat
    if asked not in KNOWN:
        KNOWN[asked] = by_definition(game, s, seat)
    return KNOWN[asked]


def by_definition(game: Game, s: Any, seat: int) -> int:
    """The same, one turn further."""
    rules = game.rules
    if rules.over(s):
        ranks = [0, 0]
        rules.places(s, ranks)
        return (ranks[seat] < ranks[1 - seat]) - (ranks[seat] > ranks[1 - seat])
    mover = 0 if rules.acts(s, 0) else 1
    found = [minimax(game, after(game, s, action), seat) for action in game.legal_actions(s, mover)]
    return max(found) if mover == seat else min(found)


def is_forced(game: Game, s: Any, seat: int, result: int, plies: int) -> bool:
    """Whether a seat that wins does so within so many plies, whatever the other does; of a draw, that it is over."""
    rules = game.rules
    if rules.over(s):
        return minimax(game, s, seat) == result
    if plies == 0:
        return False
    mover = 0 if rules.acts(s, 0) else 1
    each = (
        is_forced(game, after(game, s, action), seat, result, plies - 1) for action in game.legal_actions(s, mover)
    )
    return any(each) if (mover == seat) == (result > 0) else all(each)


def compared(proven: Proven | None, game: Game, s: Any) -> int:
    """Compare all that was proven with the definition; how much it is."""
    if proven is None:
        return 0
    count = 0
    seat = 0 if game.rules.acts(s, 0) else 1
    assert proven.seat == seat
    if proven.result is not None:
        count += 1
        assert proven.result == minimax(game, s, seat)
        assert proven.plies is not None
        assert proven.result == 0 or is_forced(game, s, seat, proven.result, proven.plies)
    assert [one.action for one in proven.actions] == list(game.legal_actions(s, seat))
    for one in proven.actions:
        if one.result is not None:
            count += 1
            s_after = after(game, s, one.action)
            assert one.result == minimax(game, s_after, seat)
            assert one.plies is not None
            assert one.result == 0 or is_forced(game, s_after, seat, one.result, one.plies - 1)
    return count


@pytest.mark.parametrize("stones", [1, 2, 3, 4, 5, 8, 9, 11])
def test_a_pile_is_proven(stones: int) -> None:
    """Who can leave a multiple of four wins; everything is known of every action."""
    s = pile(stones, mover=1)
    proven = Proof(PILES).prove(s, playouts=10**6)
    assert proven is not None
    assert proven.result is (Result.LOSS if stones % 4 == 0 else Result.WIN)
    assert compared(proven, PILES, s) == 1 + len(proven.actions)


def test_a_draw_is_proven_only_to_its_end() -> None:
    """Tic-tac-toe is a draw, by each first sign; with few positions nothing is said of it, not even that."""
    s = begun(TIC_TAC_TOE)
    proof = Proof(TIC_TAC_TOE)
    assert proof.prove(s, playouts=500) is None
    proven = proof.prove(s, playouts=10**6)
    assert proven is not None
    assert (proven.result, proven.plies) == (Result.DRAW, 9)
    assert {(one.result, one.plies) for one in proven.actions} == {(Result.DRAW, 9)}


def test_whatever_the_limit_what_is_proven_is_true(full: bool) -> None:
    """In positions of tic-tac-toe, after any number of positions, and with a table that has nearly no room."""
    luck, count = random.Random(2), 0
    for at in range(300 if full else 30):
        s = begun(TIC_TAC_TOE, *luck.sample(range(9), luck.randrange(3, 7)))
        if TIC_TAC_TOE.rules.over(s):
            continue
        entries = (2, 16, 1 << 12)[at % 3]
        for playouts in (1, 20, 100, 1000):
            count += compared(Proof(TIC_TAC_TOE, entries=entries).prove(s, playouts=playouts), TIC_TAC_TOE, s)
    assert count > 200


def test_a_circle_proves_nothing(full: bool) -> None:
    """On graphs that lead back to where one was: no result that going backwards from the ends does not find.

    What is finite and rests on no circle is found, nearly always.
    """
    proof = Proof(GRAPHS, entries=1 << 8)
    told = known = 0
    for seed in range(2000 if full else 300):
        s = graphs.drawn(seed)
        if s.end[0]:
            continue
        true = graphs.truth(s)
        proven = proof.prove(s, playouts=20_000)
        for place, result in placed(s, proven):
            seat = s.owner[0]
            mine, theirs = true[place][seat], true[place][1 - seat]
            expected = 1 if mine else -1 if theirs else 0 if mine is False and theirs is False else None
            known += expected is not None
            told += result is not None
            assert result in (None, expected), seed
    assert told > 0.9 * known > 100


def placed(s: Any, proven: Proven | None) -> list[tuple[int, Result | None]]:
    """The place of a graph and those after it, with what was proven of each."""
    legal = list(GRAPHS.legal_actions(s, s.owner[0]))
    if proven is None:
        return [(0, None), *((s.edge[action], None) for action in legal)]
    return [(0, proven.result), *((s.edge[one.action], one.result) for one in proven.actions)]


def test_a_long_win_of_connect_four_is_proven() -> None:
    """In a position where it takes 13 turns: the action that wins, and that others lose or draw."""
    s = begun(FOUR, *FORCED)
    proven = Proof(FOUR).prove(s, playouts=200_000)
    assert proven is not None
    assert proven.result is Result.WIN
    assert proven.plies is not None
    assert proven.plies >= 13


FORCED = (2, 6, 1, 4, 4, 4, 6, 2, 0, 6, 4, 6, 6, 6, 2, 3, 3, 4, 0, 4, 5, 0, 0, 5, 5, 0, 0)  # then 13 more


def test_compiled_it_proves_the_same(full: bool) -> None:
    """The same results after the same number of positions, even if it is interrupted after each step."""
    pytest.importorskip("numba")
    kinds = [(FOUR, [begun(FOUR, *FORCED), begun(FOUR, *FORCED[:-1])])]
    if full:
        kinds.append((GRAPHS, [graphs.drawn(seed) for seed in range(40)]))
    for game, states in kinds:
        plain, fast = Proof(game, entries=1 << 8), Proof(game, entries=1 << 8, compiled=True)
        for s in states:
            for playouts in (300, 3000):
                fast._bundle = 1
                assert fast.prove(s, playouts=playouts) == plain.prove(s, playouts=playouts)


def test_what_was_found_before_helps() -> None:
    """With `keep`, the next position of a match takes less; without it, as much as ever."""
    proof = Proof(TIC_TAC_TOE)
    first = proof.prove(begun(TIC_TAC_TOE, 0), playouts=10**6)
    again = proof.prove(begun(TIC_TAC_TOE, 0, 4), playouts=10**6, keep=True)
    anew = proof.prove(begun(TIC_TAC_TOE, 0, 4), playouts=10**6)
    assert first is not None
    assert again is not None
    assert anew is not None
    assert again.positions < 0.7 * anew.positions
    assert replace(again, positions=0) == replace(anew, positions=0)
    assert proof.prove(begun(TIC_TAC_TOE, 0), playouts=10**6) == first


def test_it_ends_when_it_should() -> None:
    """After so many positions, or at a moment; what is over needs none; and a limit must be said."""
    proof, s = Proof(FOUR), begun(FOUR, 3, 3)
    assert proof.prove(s, until=time.monotonic() - 1) is None
    assert proof.prove(s, playouts=1) is None
    assert proof.prove(s, seconds=0.01) is None
    with pytest.raises(ValueError, match="say how long"):
        proof.prove(s)
    won = begun(FOUR, 0, 1, 0, 1, 0, 1, 0)
    assert proof.prove(won, playouts=1) == Proven(0, Result.WIN, 0, (), 0)
    last = proof.prove(begun(FOUR, 0, 1, 0, 1, 0, 1), playouts=50)
    assert last is not None
    assert (last.result, last.plies, last.of(0).plies) == (Result.WIN, 1, 1)
    with pytest.raises(ValueError, match="not legal"):
        last.of(7)
    assert Proof(PILES).prove(pile(1, dice=1, rolled=0), playouts=100) is None  # one more may come


def test_only_for_two_seats_that_take_turns_and_see_all() -> None:
    """Other games are refused, and a table of any other size."""
    assert is_provable(FOUR)
    assert not is_provable(FOUR, 4)
    for other in (games.find("drop-block"), games.find("shoot-em-up"), piles.game(), piles.game(Turns.SIMULTANEOUS)):
        assert not is_provable(other)
        with pytest.raises(ValueError, match="two seats"):
            Proof(other)
    with pytest.raises(ValueError, match="power of two"):
        Proof(FOUR, entries=1000)


WIDE = Layout(
    "Wide",
    ("whole", "i8", 0),
    ("words", "i8", 3),
    ("real", "f8", 0),
    ("reals", "f8", 2),
    ("half", "i4", 3),
    ("short", "i2", 7),
    ("byte", "i1", 17),
    ("flag", "i1", 0),
)
RECORD = Layout("Halves", ("a", "i8", 0), ("b", "i8", 0))


def others(kind: str, value: float) -> list[float]:
    """Numbers of a kind beside this one: the next, one that differs in its sign, and one in its highest bits."""
    if kind == "f8":
        return [value + 0.125, value + 1e-9, -1.5e300, 2e-310, float("inf"), float("-inf"), float("nan")]
    bits = {"i8": 64, "i4": 32, "i2": 16, "i1": 8}[kind]
    return [*(1 << bit for bit in range(bits - 1)), -1, -(1 << bits - 1)]


def test_every_number_of_a_state_is_in_its_key() -> None:
    """No two states that differ in one number share one half of their keys; compiled they are the same."""
    key = key_of(WIDE)
    assert key.__module__ in sys.modules  # where kept code finds it
    states = [WIDE.new()]
    for name, kind, length in WIDE.fields:
        for place in range(length or 1):
            for value in others(kind, 0.0):
                s = WIDE.new()
                if length:
                    getattr(s, name)[place] = value
                else:
                    setattr(s, name, value)
                states.append(s)
    found = [keyed(key, s) for s in states]
    assert len({a for a, _ in found}) == len({b for _, b in found}) == len(states)
    assert all(0 <= half < 1 << 62 for pair in found for half in pair)
    pytest.importorskip("numba")
    assert compiled_keys(key, states) == found


def keyed(key: Any, s: Any) -> tuple[int, int]:
    """The two halves of a state's key."""
    record = RECORD.new()
    key(s, record)
    return record.a, record.b


def compiled_keys(key: Any, states: list[Any]) -> list[tuple[int, int]]:
    """The same by compiled code."""
    from dohyo.sim import compiled, records

    (fast,) = compiled.compile_all([key], {})
    found = []
    for s in states:
        row, record = records.blank(WIDE, 1), records.blank(RECORD, 1)
        records.write(WIDE, row, 0, s)
        fast(row[0], record[0])
        found.append((int(record[0]["a"]), int(record[0]["b"])))
    return found
