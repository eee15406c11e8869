"""Drop-Block's rules, sentence by sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.games.drop_block import rules
from dohyo.games.drop_block.rules import BLOCKS, GONE, LAYOUT, SEATS
from tests.games.drop_block.board import FAR, GAME, block, board, kinds, places, play, where

STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}


# --- moving


@pytest.mark.parametrize("letter", "URDL")
def test_a_move_is_one_square_and_turns_the_player(letter: str) -> None:
    """U is a row less, D a row more, L a column less, R a column more; the player faces where it went."""
    state = board("9,9,U/0,0,U/0,17,U/17,0,U")
    play(state, letter)
    down, right = STEPS[letter]
    assert where(state, 0) == (9 + down, 9 + right)
    assert state.facing[0] == "URDL".index(letter)


@pytest.mark.parametrize(("start", "letter"), [("0,9", "U"), ("17,9", "D"), ("9,0", "L"), ("9,17", "R")])
def test_nobody_leaves_the_board(start: str, letter: str) -> None:
    """A move off the board is cancelled; the player turns all the same."""
    facing = "U" if letter == "D" else "D"
    state = board(f"{start},{facing}/4,4,U/4,13,U/13,4,U")
    before = where(state, 0)
    happened = play(state, letter)
    assert where(state, 0) == before
    assert state.facing[0] == "URDL".index(letter)
    assert kinds(happened[0]) == [rules.BLOCKED]


def test_a_block_that_is_gone_cannot_be_entered() -> None:
    """A move onto a block that is gone is cancelled, and turns the player."""
    state = board("0,2,D/0,17,D/17,0,U/17,17,L", b01=-5)
    play(state, "R")
    assert where(state, 0) == (0, 2)
    assert state.facing[0] == rules.RIGHT


@pytest.mark.parametrize("value", [1, 2, 20])
def test_a_block_about_to_fall_can_be_entered(value: int) -> None:
    """A block that is falling may be entered, in its last turn too: then the player falls with it."""
    state = board("0,2,D/0,17,D/17,0,U/17,17,L", b01=value)
    play(state, "R")
    assert where(state, 0) == ((-1, -1) if value == 1 else (0, 3))


@pytest.mark.parametrize(
    ("other", "moves"),
    [
        ("9,13", False),
        ("9,14", True),
        ("8,12", False),
        ("8,13", True),
        ("7,11", False),
        ("7,12", True),
        ("12,10", False),
    ],
)
def test_nobody_comes_within_three_squares(other: str, moves: bool) -> None:
    """A move that would end at Manhattan distance 3 or less from another living player is cancelled."""
    state = board(f"9,9,U/{other},U/0,0,U/17,0,U")
    play(state, "R")
    assert where(state, 0) == ((9, 10) if moves else (9, 9))
    assert state.facing[0] == rules.RIGHT


def test_a_step_at_four_squares_may_stay_at_four() -> None:
    """From a distance of 4 a step is free that ends at 4 or more."""
    state = board("9,9,U/9,13,U/0,0,U/17,0,U")
    play(state, "U")
    assert where(state, 0) == (8, 9)


def test_a_move_away_is_cancelled_too_while_it_ends_too_near() -> None:
    """Where the move ends decides, not where it began."""
    state = board("9,9,U/9,13,U/0,0,U/17,0,U")
    state.column[1] = 11  # nearer than any match could come
    play(state, "L")
    assert where(state, 0) == (9, 9)


def test_the_fallen_stand_in_nobodys_way() -> None:
    """A fallen player blocks no move, not even one past its corner (-1, -1)."""
    state = board("0,1,U/-/-/17,17,U")
    play(state, "L")
    assert where(state, 0) == (0, 0)


def test_doing_nothing_changes_nothing_but_the_turn() -> None:
    """N leaves the player where it is, facing where it did."""
    state = board()
    before = GAME.rules.LAYOUT.as_dict(state)
    play(state, "N")
    assert GAME.rules.LAYOUT.as_dict(state) == {**before, "turn": 1}


# --- attacking


def test_an_attack_loosens_the_blocks_ahead_the_nearer_the_sooner() -> None:
    """Attack at T = t: the n-th block away is seen as 4n - 1 at t + 1, and is gone, -19, at t + 4n."""
    state = board("9,0,R/0,17,D/17,0,U/17,17,L")
    play(state, "A")
    assert [block(state, 3, column) for column in range(6)] == [0, 3, 7, 11, 15, 19]
    for n in range(1, 6):
        play(state, "N" * (4 * n - state.turn - 1))
        assert block(state, 3, n) == 1
        play(state, "N")
        assert (state.turn, block(state, 3, n)) == (4 * n, GONE)


@pytest.mark.parametrize(
    ("facing", "ahead"),
    [
        ("U", [(2, 2), (1, 2), (0, 2)]),
        ("R", [(3, 3), (3, 4), (3, 5)]),
        ("D", [(4, 2), (5, 2)]),
        ("L", [(3, 1), (3, 0)]),
    ],
)
def test_an_attack_goes_where_the_player_faces(facing: str, ahead: list[tuple[int, int]]) -> None:
    """Only the blocks from the player's own outward in its direction, to the edge, are loosened."""
    state = board(f"10,8,{facing}/0,0,U/0,17,U/17,17,U")
    play(state, "A")
    expected = {place: 4 * n - 1 for n, place in enumerate(ahead, 1)}
    found = {(row, column): block(state, row, column) for row in range(6) for column in range(6)}
    assert {place: value for place, value in found.items() if value} == expected


def test_the_own_block_is_untouched() -> None:
    """The block under the attacker keeps its value's own time."""
    state = board("9,9,R/0,0,U/0,17,U/17,17,U", b33=9)
    play(state, "A")
    assert block(state, 3, 3) == 8


def test_a_block_with_a_time_of_its_own_keeps_it() -> None:
    """A block that is falling or gone stays as it is, and the ray goes on behind it with its own n."""
    state = board("9,0,R/0,17,D/17,0,U/17,17,L", b31=9, b32=-7, b34=1)
    play(state, "A")
    assert [block(state, 3, column) for column in range(6)] == [0, 8, -6, 11, GONE, 19]


def test_an_attack_stuns_the_attacker() -> None:
    """The attacker sees stun 2, 1, 0 in its next inputs: its turns t + 4 and t + 8 are lost, t + 12 is free."""
    state = board()
    play(state, "A")
    seen = []
    for _ in range(3):
        play(state, "NNN")
        seen.append((state.turn, state.stun[0]))
        play(state, "D")
    assert seen == [(4, 2), (8, 1), (12, 0)]
    assert where(state, 0) == (1, 0), "only the move of turn 12 counted"


def test_a_stunned_players_letter_changes_nothing() -> None:
    """It does not even turn; what it said is noted as in vain."""
    state = board()
    play(state, "ANNN")
    before = rules.LAYOUT.as_dict(state)
    happened = play(state, "D")
    after = rules.LAYOUT.as_dict(state)
    assert {name for name in after if after[name] != before[name]} == {"turn", "stun", "block"}
    assert happened[0][0] == (rules.IGNORED, 0, rules.DOWN, 0)
    play(state, "NNN")
    play(state, "A")
    assert state.stun[0] == 0, "an attack in vain does not stun again"


def test_an_attack_without_a_block_ahead_stuns_all_the_same() -> None:
    """At the edge, facing out, nothing is loosened, and the player is stunned."""
    state = board("9,0,L/0,17,D/17,0,U/17,17,L")
    play(state, "A")
    assert not any(state.block)
    assert state.stun[0] == 2


def test_stun_changes_only_in_the_players_own_turns() -> None:
    """What others do takes nothing off it."""
    state = board()
    play(state, "A")
    stuns = []
    for letter in "RRRNUUU":
        stuns.append(state.stun[0])
        play(state, letter)
    assert stuns == [2, 2, 2, 2, 1, 1, 1]


def test_a_fallen_players_facing_and_stun_stay() -> None:
    """They are told as they were when it fell, in its later turns too."""
    state = board("0,0,R/0,17,D/17,0,U/17,17,L", b00=2)
    play(state, "AN")
    assert where(state, 0) == (-1, -1)
    play(state, "NN" + "NNNN" * 4)
    assert (state.facing[0], state.stun[0]) == (rules.RIGHT, 2)


# --- falling


def test_blocks_count_down_fall_and_come_back() -> None:
    """v > 1 counts down, 1 becomes -19, v < 0 counts up to 0 and stays; 20 turns after its fall a block is back."""
    state = board(b22=3)
    values = []
    for _ in range(25):
        play(state, "N")
        values.append(block(state, 2, 2))
    assert values == [2, 1, *range(-19, 0), 0, 0, 0, 0]
    fell_in, back_at = values.index(-19), values.index(0) + 1
    assert back_at - fell_in == 20


def test_everybody_on_a_falling_block_falls() -> None:
    """Every player on a block that shows 1 falls at the end of that turn, to (-1, -1)."""
    state = board("0,0,R/0,17,D/17,0,U/17,17,L", b00=1, b05=1)
    happened = play(state, "N")
    assert [where(state, seat) for seat in range(SEATS)] == [(-1, -1), (-1, -1), (17, 0), (17, 17)]
    assert [event for event in happened[0] if event[0] == rules.PLAYER_FELL] == [
        (rules.PLAYER_FELL, 0, 0, 0),
        (rules.PLAYER_FELL, 1, 0, 17),
    ]


def test_the_mover_can_step_off_in_the_last_turn() -> None:
    """In the turn in which a block shows 1 whoever is to move can still leave it."""
    state = board("0,2,R/0,17,D/17,0,U/17,17,L", b00=1)
    play(state, "R")
    assert where(state, 0) == (0, 3)
    assert block(state, 0, 0) == GONE


def test_a_player_can_walk_a_block_that_came_back() -> None:
    """Once its value is 0 again a block can be entered."""
    state = board("0,2,R/0,17,D/17,0,U/17,17,L", b01=-4)
    play(state, "RNNN" + "R")
    assert where(state, 0) == (0, 3)


def test_the_fallen_are_asked_and_their_answer_is_void() -> None:
    """A fallen player has its turns; whatever it says, nothing happens but time."""
    state = board("-/0,17,D/17,0,U/17,17,L")
    assert [rules.acts(state, seat) for seat in range(SEATS)] == [True, False, False, False]
    happened = play(state, "A")
    assert kinds(happened[0]) == [rules.IGNORED]
    assert not any(state.block)
    assert state.turn == 1


def test_what_happened_is_told_in_order() -> None:
    """An attack, the blocks that it aimed at, falls and returns: the events of one turn."""
    state = board("9,12,R/0,0,U/0,17,U/17,0,U", b35=0, b00=1, b50=-1, b20=1)
    happened = play(state, "A")[0]
    assert happened == [
        (rules.ATTACKED, 0, rules.RIGHT, 0),
        (rules.AIMED, 0, 23, 1),
        (rules.PLAYER_FELL, 1, 0, 0),
        (rules.BLOCK_FELL, 0, 0, 0),
        (rules.BLOCK_FELL, 12, 0, 0),
        (rules.BLOCK_RETURNED, 30, 0, 0),
    ]
    assert len(happened) <= rules.EVENTS_A_TURN


# --- the end


def test_the_last_one_standing_wins() -> None:
    """Exactly one alive: that one wins, and places go by how late the others fell."""
    state = board("0,0,U/0,17,U/17,0,U/17,17,U", b00=2, b05=1, b50=3)
    for _ in range(3):
        assert not rules.over(state)
        play(state, "N")
    assert rules.over(state)
    assert places(state) == ([3, 4, 2, 1], "drop-block.last-standing", 3)


def test_those_who_fall_together_share_a_place() -> None:
    """Two that fall in one turn share the better place; the next one is behind both."""
    state = board(FAR, b00=2, b05=2, b50=1)
    play(state, "NN")
    assert places(state) == ([2, 2, 4, 1], "drop-block.last-standing", 3)


def test_when_the_last_ones_fall_together_nobody_wins() -> None:
    """All fallen is a draw; those who fell last share the first place."""
    state = board(FAR, b00=1, b05=1, b50=2, b55=2)
    play(state, "N")
    assert not rules.over(state)
    play(state, "N")
    assert rules.over(state)
    assert places(state) == ([3, 3, 1, 1], "drop-block.all-fallen", -1)


def test_at_the_limit_those_who_stand_share_the_first_place() -> None:
    """The turn limit is a draw for all who stand, the fallen rank behind them."""
    state = board(FAR, b00=1, turns=7)
    play(state, "N" * 6)
    assert not rules.over(state)
    play(state, "N")
    assert rules.over(state)
    assert places(state) == ([4, 1, 1, 1], "drop-block.turn-limit", -1)


def test_the_limit_is_a_thousand_turns_of_all_players() -> None:
    """T runs from 0 to 999."""
    state = board()
    for turn in range(1000):
        assert not rules.over(state)
        assert state.turn == turn
        play(state, "N")
    assert rules.over(state)


def test_the_limit_may_be_zero() -> None:
    """Then the match is over before it began, and all share the first place."""
    state = board(turns=0)
    assert rules.over(state)
    assert places(state) == ([1, 1, 1, 1], "drop-block.turn-limit", -1)


def test_one_player_alone_has_won_at_once() -> None:
    """The end is checked before the first turn too; those who had fallen before it share the last place."""
    state = board("-/-/5,5,U/-")
    assert rules.over(state)
    assert places(state) == ([2, 2, 1, 2], "drop-block.last-standing", 2)


def test_a_player_that_wins_in_the_last_turn_has_won() -> None:
    """One alive counts before the limit does."""
    state = board("0,0,U/0,17,U/-/-", b00=1, turns=1)
    play(state, "N")
    assert places(state)[1:] == ("drop-block.last-standing", 1)


def test_a_match_can_idle_on_when_all_have_fallen() -> None:
    """With `idle` turns go on to the limit and blocks come back; the result is the same."""
    state = board(FAR, b00=1, b05=1, b50=1, b55=1, idle=True, turns=40)
    ended = board(FAR, b00=1, b05=1, b50=1, b55=1, turns=40)
    play(state, "N")
    play(ended, "N")
    assert rules.over(ended)
    result = places(state)
    for _ in range(39):
        assert not rules.over(state)
        play(state, "A")
    assert rules.over(state)
    assert places(state) == result == places(ended)
    assert not any(state.block)


def test_idling_needs_that_all_have_fallen() -> None:
    """With one alive the match ends, idle or not."""
    assert rules.over(board("-/-/5,5,U/-", idle=True))


def test_all_six_letters_are_always_legal() -> None:
    """Whether it stands, is stunned or has fallen: a player may say anything."""
    state = board("-/0,17,D/17,0,U/17,17,L")
    play(state, "NA")
    for seat in range(SEATS):
        assert list(GAME.legal_actions(state, seat)) == list(range(6))


@given(st.lists(st.integers(-128, 127), min_size=BLOCKS**2, max_size=BLOCKS**2))
def test_the_floor_ticks_alike_in_both_forms(values: list[int]) -> None:
    """What plain Python looks up for each block is what the compiled form works out."""
    floors = [LAYOUT.new(), LAYOUT.new()]
    for state, tick in zip(floors, (rules.tick_blocks, rules.tick_blocks_by_loop), strict=True):
        state.block[:] = values
        tick(state)
    assert floors[0].block == floors[1].block
    assert vars(rules.tick_blocks)["__twin__"] is rules.tick_blocks_by_loop
