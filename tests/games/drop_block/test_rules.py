"""Drop-Block's rules, sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.games.drop_block import rules
from dohyo.games.drop_block.protocol import LETTERS

GAME = games.find("drop-block")
FAR_APART = "0,0,D/0,17,D/17,0,U/17,17,U"


def board(players: str = FAR_APART, **setup: object) -> Any:
    """A state with explicit players; `turns`, `blocks`, `idle` as in the setup."""
    return GAME.new_state(resolve(GAME.options, {"players": players, **setup}), 4)


def play(s: Any, letters: str) -> Any:
    """Let the players answer with these letters, one turn each."""
    for letter in letters:
        rules.step(s, [LETTERS.index(letter)] * 4, None)
    return s


def blocks(values: Mapping[int, int]) -> list[int]:
    """All blocks stable but these."""
    return [values.get(block, 0) for block in range(36)]


def place(s: Any, p: int) -> tuple[int, int]:
    return s.row[p], s.column[p]


def stuns(s: Any, turns: int) -> list[int]:
    """The first player's stun before each of its next turns, doing nothing."""
    seen = []
    for _ in range(turns):
        seen.append(s.stun[0])
        play(s, "NNNN")
    return seen


def test_a_move_turns_and_steps() -> None:
    """A move faces its direction and goes there."""
    s = play(board("5,5,D/0,17,D/17,0,U/17,17,U"), "R")
    assert (place(s, 0), s.facing[0]) == ((5, 6), rules.RIGHT)


@pytest.mark.parametrize(
    ("players", "loose", "letter"),
    [
        ("0,0,D/0,17,D/17,0,U/17,17,U", {}, "U"),
        ("0,0,D/0,17,D/17,0,U/17,17,U", {}, "L"),
        ("0,2,D/0,17,D/17,0,U/17,17,U", {1: -5}, "R"),
        ("5,5,D/5,9,D/17,0,U/17,17,U", {}, "R"),
    ],
    ids=["over the edge", "over the other edge", "onto a block that is gone", "within three squares of another"],
)
def test_a_cancelled_move_still_turns(players: str, loose: Mapping[int, int], letter: str) -> None:
    """A move that is cancelled changes the facing and nothing else."""
    s = board(players, blocks=blocks(loose))
    start = place(s, 0)
    play(s, letter)
    assert (place(s, 0), s.facing[0]) == (start, LETTERS.index(letter))


def test_a_step_away_from_someone_near_may_stay_near() -> None:
    """What counts is the distance after the move: from 4 squares one may go to 4 again, not to 3."""
    s = play(board("5,5,D/5,9,D/17,0,U/17,17,U"), "U")
    assert place(s, 0) == (4, 5)


def test_the_fallen_stand_in_nobodys_way() -> None:
    """A fallen player does not keep others away, wherever its marks say that it is."""
    s = play(board("0,0,R/-/17,0,U/17,17,U"), "R")
    assert place(s, 0) == (0, 1)
    s = play(board("2,0,U/-/17,0,U/17,17,U"), "U")
    assert place(s, 0) == (1, 0)


def test_a_block_about_to_fall_may_be_entered() -> None:
    """Stepping onto a block that shows 2 is allowed; it falls a turn later, with the player."""
    s = board("0,2,R/0,17,D/17,0,U/17,17,U", blocks=blocks({1: 2}))
    play(s, "R")
    assert place(s, 0) == (0, 3)
    play(s, "N")
    assert s.row[0] == -1


def test_at_one_the_mover_can_still_step_off_and_live() -> None:
    """In the turn where its block shows 1 the mover steps off it and lives."""
    s = play(board("0,2,R/0,17,D/17,0,U/17,17,U", blocks=blocks({0: 1})), "R")
    assert place(s, 0) == (0, 3)


def test_at_one_the_mover_can_step_on_and_falls() -> None:
    """In the turn where the next block shows 1 the mover may step onto it, and falls at once."""
    s = play(board("0,2,R/0,17,D/17,0,U/17,17,U", blocks=blocks({1: 1})), "R")
    assert place(s, 0) == (-1, -1)


def test_the_nth_block_falls_after_4n_turns() -> None:
    """After an attack at turn t block n shows 4n - 1 at t + 1 and is gone, -19, at t + 4n."""
    s = play(board("0,0,R/0,17,D/17,0,U/17,17,U"), "A")
    assert [s.block[n] for n in range(6)] == [0, 3, 7, 11, 15, 19]
    for n in range(1, 6):
        while s.turn < 4 * n:
            assert s.block[n] == 4 * n - s.turn
            play(s, "N")
        assert s.block[n] == -19


def test_a_block_is_back_twenty_turns_after_the_turn_it_fell_in() -> None:
    """Block n is stable again at t + 4n + 19."""
    s = play(board("0,0,R/0,17,D/17,0,U/17,17,U"), "A" + "N" * 3)
    assert s.block[1] == -19
    play(s, "N" * 18)
    assert s.block[1] == -1
    play(s, "N")
    assert (s.block[1], s.turn) == (0, 4 + 19)


def test_blocks_that_fall_or_are_gone_keep_their_time_and_the_ray_goes_on() -> None:
    """An attack changes only stable blocks, and the others still count for the distance."""
    s = play(board("0,0,R/0,17,D/17,0,U/17,17,U", blocks=blocks({1: 9, 2: -7})), "A")
    assert s.block[:6] == [0, 8, -6, 11, 15, 19]


def test_the_own_block_is_untouched() -> None:
    """Neither the attacker's block nor those behind it are loosened."""
    s = play(board("8,8,R/0,17,D/17,0,U/17,17,U"), "A")
    assert [s.block[12 + n] for n in range(6)] == [0, 0, 0, 3, 7, 11]


def test_an_attack_costs_the_attacker_two_turns() -> None:
    """After an attack the stun is seen as 2, 1, 0: two turns are lost, the third is free."""
    s = play(board(), "ANNN")
    assert stuns(s, 4) == [2, 1, 0, 0]


def test_an_attack_with_no_block_ahead_stuns_all_the_same() -> None:
    """At the edge, facing out, nothing is loosened and the attacker is stunned."""
    s = play(board("0,0,U/0,17,D/17,0,U/17,17,U"), "ANNN")
    assert s.block == [0] * 36
    assert stuns(s, 3) == [2, 1, 0]


def test_a_stunned_players_letter_changes_nothing() -> None:
    """A stunned player is asked; neither its place nor its facing follow its letter."""
    s = play(board("5,5,D/0,17,D/17,0,U/17,17,U"), "ANNN" + "L")
    assert (place(s, 0), s.facing[0]) == ((5, 5), rules.DOWN)


def test_stun_stays_as_it_was_when_its_owner_falls() -> None:
    """A fallen player's stun and facing no longer change."""
    s = play(board("0,2,R/0,17,D/17,0,U/17,17,U", blocks=blocks({0: 5})), "A" + "NNN" + "N")
    assert (s.row[0], s.stun[0], s.facing[0]) == (-1, 1, rules.RIGHT)
    play(s, "NNNNNNN")
    assert (s.stun[0], s.facing[0]) == (1, rules.RIGHT)


def test_everyone_on_the_block_falls() -> None:
    """All players on a block that falls are removed in the same turn."""
    s = board("0,0,D/2,2,D/17,0,U/17,17,U", blocks=blocks({0: 1}))
    play(s, "N")
    assert [place(s, p) for p in range(2)] == [(-1, -1), (-1, -1)]
    assert s.fallen_at[:2] == [0, 0]


def test_the_last_one_standing_wins() -> None:
    """With one player left the match is over, and that player has won."""
    s = play(board("0,0,D/-/-/17,17,U", blocks=blocks({0: 1})), "N")
    assert (rules.over(s), rules.winner(s)) == (True, 3)
    assert places(s) == ([2, 3, 3, 1], rules.LAST_STANDING)


def test_the_last_two_in_one_turn_draw() -> None:
    """When all have fallen nobody has won, though who fell last ranks first."""
    s = board("0,0,D/0,17,D/-/-", blocks=blocks({0: 1, 5: 1}))
    play(s, "N")
    assert (rules.over(s), rules.winner(s)) == (True, -1)
    assert places(s) == ([1, 1, 3, 3], rules.ALL_FALLEN)


def test_the_turn_limit_is_a_draw() -> None:
    """At the limit the match ends; those who stand share the first place, and nobody has won."""
    s = board("0,0,D/0,17,D/17,0,U/-", turns=5)
    play(s, "NNNN")
    assert not rules.over(s)
    play(s, "N")
    assert (rules.over(s), rules.winner(s)) == (True, -1)
    assert places(s) == ([1, 1, 1, 4], rules.TURN_LIMIT)


def test_who_fell_later_ranks_higher() -> None:
    """Places follow the turns of the falls; falls in one turn share a place."""
    s = board("0,0,D/0,17,D/17,0,U/17,17,U", blocks=blocks({0: 1, 5: 1, 30: 3}))
    play(s, "NNN")
    assert places(s)[0] == [3, 3, 2, 1]


def test_the_limit_may_be_zero() -> None:
    """A match of no turns is over at once, with everyone standing."""
    s = board(turns=0)
    assert (rules.over(s), rules.winner(s), places(s)) == (True, -1, ([1, 1, 1, 1], rules.TURN_LIMIT))


def test_idling_goes_on_to_the_limit() -> None:
    """With idle=yes a match in which all have fallen goes on, and blocks come back."""
    s = board("0,0,D/0,17,D/-/-", blocks=blocks({0: 1, 5: 1}), idle="yes", turns=40)
    play(s, "N")
    assert not rules.over(s)
    play(s, "N" * 39)
    assert (rules.over(s), rules.winner(s), s.block) == (True, -1, [0] * 36)


def test_positions_are_told_in_the_order_of_the_setup() -> None:
    """The texts say row and column; the contest's referee told the column first."""
    players = "3,9,R/0,17,D/17,0,U/17,17,U"
    by_text = GAME.prompt(board(players), 0).decode().splitlines()
    as_played = GAME.prompt(board(players, position_order="column-row"), 0).decode().splitlines()
    assert (by_text[8], as_played[8]) == ("3 9 R 0", "9 3 R 0")


@pytest.mark.parametrize(
    "players", ["0,0,D", "0,0,D/0,3,D/17,0,U/17,17,U", "18,0,D/0,17,D/17,0,U/17,17,U", "-/-/-/-", "0,0,X/-/-/-", ""]
)
def test_impossible_starts_are_refused(players: str) -> None:
    """Players too few, too near, off the board or facing nowhere are the operator's mistake."""
    with pytest.raises(OperatorError):
        board(players)


def test_the_deal_is_uniform_over_squares_and_keeps_the_distance() -> None:
    """Dealt players are more than three squares apart; every square and facing turns up."""
    seen: set[tuple[int, int]] = set()
    facings: set[int] = set()
    for seed in range(1200):
        dice = [0] * rules.DICE
        rules.roll(board(), GAME.source(seed), dice)
        squares = [(dice[3 * p], dice[3 * p + 1]) for p in range(4)]
        for p, (row, column) in enumerate(squares):
            assert all(abs(row - r) + abs(column - c) > 3 for r, c in squares[:p])
        seen.update(squares)
        facings.update(dice[2::3])
    assert len(seen) == 18 * 18
    assert facings == {0, 1, 2, 3}


def places(s: Any) -> tuple[Sequence[int], int]:
    """The places of all players, and why the match ended."""
    out = [0] * 4
    return out, rules.places(s, out)
