"""Whole conversations of the referee, as scripts; with a game that has all that Drop-Block has not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dohyo.core import playback
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.flat import uniform
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Replay, Seat
from dohyo.core.replay_format import decode, encode
from dohyo.games import find
from tests.core.heap import HEAP

DROP_BLOCK = find("drop-block")

# A line of a script: the seats that must be asked with the first words that each is sent, then what each answers.
Line = tuple[dict[int, str], dict[int, str | Answer]]

FOUR_APART = {"players": "0,0,R/0,17,D/17,0,U/17,17,L"}


def referee_of(game: Game, seed: int = 1, **setup: Any) -> Referee:
    """A match before its first turn."""
    return Referee(game, resolve(game.options, setup), game.seats[0], seed)


def follow(referee: Referee, script: Sequence[Line]) -> None:
    """Hold the referee to a script."""
    for number, (asked, answers) in enumerate(script):
        assert not referee.over, f"over before line {number}"
        assert referee.pending() == list(asked), f"line {number}"
        for seat, beginning in asked.items():
            sent = referee.prompt(seat).decode()
            assert sent.startswith(beginning), f"line {number}: {sent!r}"
        given = {seat: Answer(words) if isinstance(words, str) else words for seat, words in answers.items()}
        referee.submit(given)


def replay_of(referee: Referee, setup: dict[str, Any], start: dict[str, Any] | None = None) -> Replay:
    """The match so far as a replay."""
    header = Header(
        game=referee.game.name,
        rules=referee.game.version,
        setup=resolve(referee.game.options, setup),
        seats=tuple(Seat(str(seat)) for seat in range(referee.seats)),
        seed=1,
        software="a script",
        start=start,
        first=referee.first,
    )
    result = referee.result()
    return Replay(header, referee.turns, result)


def timeout(seconds: float = 1.0) -> Answer:
    """No answer within the time."""
    return Answer(None, (Fault(FaultKind.TIMEOUT, "no answer in time"),), seconds)


def test_a_conversation() -> None:
    """Players are asked in turn, each is sent its own text, and their letters move them."""
    referee = referee_of(DROP_BLOCK, **FOUR_APART)
    follow(
        referee,
        [
            ({0: "0\n0\n0 0 0 0 0 0\n"}, {0: "R"}),
            ({1: "1\n1\n0 0 0 0 0 0\n"}, {1: "N"}),
            ({2: "2\n2\n"}, {2: "U"}),
            ({3: "3\n3\n"}, {3: "A"}),
            (
                {0: "0\n4\n0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n19 15 11 7 3 0\n"},
                {0: "D"},
            ),
        ],
    )
    assert [turn.moves[0].action for turn in referee.turns] == ["R", "N", "U", "A", "D"]
    assert referee.prompt(1).endswith(b"1 1 D 0\n0 17 D 0\n16 0 U 0\n17 17 L 2\nEOD\n")


def test_a_player_that_times_out_stays_and_can_win() -> None:
    """It is never asked again, does nothing, stands in the way, and wins when the others have fallen."""
    setup = {"players": "0,0,R/9,9,D/-/-", "blocks": "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,0,0" + ",0" * 12}
    referee = referee_of(DROP_BLOCK, **setup)
    follow(
        referee,
        [
            ({0: "0\n0\n"}, {0: timeout()}),
            ({1: "1\n1\n"}, {1: "N"}),
            ({2: "2\n2\n"}, {2: "N"}),
            ({3: "3\n3\n"}, {3: "N"}),
            ({}, {}),
            ({1: "1\n5\n0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n0 0 0 1 0 0\n"}, {1: "N"}),
        ],
    )
    assert referee.over
    result = referee.result()
    assert (result.winner, result.places, result.reason_key) == (0, (1, 2, 3, 3), "drop-block.last-standing")
    first, fifth = referee.turns[0].moves[0], referee.turns[4].moves[0]
    assert (first.action, first.seconds, first.faults[0].kind) == ("N", 1.0, FaultKind.TIMEOUT)
    assert (fifth.action, fifth.seconds, fifth.faults) == ("N", None, ())


def test_a_stopped_player_stands_in_the_way() -> None:
    """Nobody may come near one that was stopped."""
    referee = referee_of(DROP_BLOCK, players="0,0,R/0,4,L/-/-")
    follow(referee, [({0: "0\n"}, {0: timeout()}), ({1: "1\n"}, {1: "L"})])
    assert referee.state.column[1] == 4


def test_a_fault_of_a_match_without_turns_is_told_in_the_result() -> None:
    """Where no turn of the player comes, its fault stands after the last turn."""
    referee = referee_of(DROP_BLOCK, turns=0)
    referee.stop(2, Answer(None, (Fault(FaultKind.NOT_READY),)))
    assert referee.over
    result = referee.result({3: Answer(stderr="farewell"), 0: Answer()})
    assert [(move.seat, len(move.faults), move.stderr) for move in result.last] == [(2, 1, ""), (3, 0, "farewell")]
    assert result.places == (1, 1, 1, 1)
    assert [turn.moves for turn in referee.turns] == [()], "the deal is a line of its own"


def test_an_illegal_action_is_not_a_malformed_one() -> None:
    """What can be read but is not allowed is ILLEGAL; the game's rules answer it."""
    referee = referee_of(HEAP, sticks=2)
    follow(referee, [({0: "2\n"}, {0: "take 3"})])
    move = referee.turns[0].moves[0]
    assert [fault.kind for fault in move.faults] == [FaultKind.ILLEGAL]
    assert (move.faults[0].values["action"], move.action, move.reply) == ("take 3", "give up", "take 3")
    assert referee.result().winner == 1


def test_the_last_of_several_faults_is_the_reason() -> None:
    """Without a reply the last fault says why; those before it are recorded and change nothing."""
    referee = referee_of(HEAP, sticks=5)
    both = (Fault(FaultKind.MALFORMED, "a second line"), Fault(FaultKind.TIMEOUT, "no answer"))
    follow(referee, [({0: "5\n"}, {0: Answer(None, both)})])
    assert referee.stopped[0] == both[1]
    move = referee.turns[0].moves[0]
    assert (move.action, move.faults) == ("give up", both)


def test_a_concession_is_accepted_and_never_offered() -> None:
    """To give up is no fault, and no legal action."""
    referee = referee_of(HEAP, sticks=2)
    assert 0 not in HEAP.legal_actions(referee.state, 0)
    follow(referee, [({0: "2\n"}, {0: "give up"})])
    assert referee.turns[0].moves[0].faults == ()
    assert referee.stopped == [None, None]
    assert referee.result().reason_key == "heap.given-up"


def test_simultaneous_moves_are_one_line() -> None:
    """Where both act at once, both are asked with their own view, and the line holds both, by seat."""
    referee = referee_of(HEAP, seed=5, sticks=4, together=True)
    prompts = [referee.prompt(seat) for seat in (0, 1)]
    assert prompts[0] != prompts[1], "each sees its own secret"
    follow(referee, [({0: "4\n", 1: "4\n"}, {1: "take 1", 0: "take 2"})])
    assert [(move.seat, move.action) for move in referee.turns[0].moves] == [(0, "take 2"), (1, "take 1")]
    follow(referee, [({0: "1\n", 1: "1\n"}, {0: timeout(), 1: "take 1"})])
    assert referee.result().winner == 1


def test_every_pending_seat_has_to_be_answered_for() -> None:
    """An answer that is missing is the caller's mistake, and the match stays as it was."""
    referee = referee_of(HEAP, sticks=4, together=True)
    with pytest.raises(KeyError):
        referee.submit({0: Answer("take 1")})
    assert referee.turn == 0
    assert referee.turns == []


def test_dice_that_move_every_turn_are_recorded_with_it() -> None:
    """Each line holds what the dice did before it; the same seed rolls the same; a replay needs no generator."""

    def whole_match(seed: int) -> Referee:
        referee = referee_of(HEAP, seed=seed, windy=True, sticks=30)
        while not referee.over:
            referee.submit({seat: Answer("take 1") for seat in referee.pending()})
        return referee

    first, second, other = whole_match(7), whole_match(7), whole_match(8)
    dice = [turn.dice for turn in first.turns]
    assert all(len(rolled) == (3 if turn == 0 else 1) for turn, rolled in enumerate(dice) if rolled)
    assert len(dice) > 10
    assert dice == [turn.dice for turn in second.turns] != [turn.dice for turn in other.turns]
    for turn, rolled in enumerate(dice[1:], 1):
        source = HEAP.source(7)
        source.turn = turn
        assert rolled in ((), (uniform(source, 2),)), "a turn's dice hang on no other turn's"
    replay = decode(encode(replay_of(first, {"windy": True, "sticks": 30})))
    assert playback.verify(HEAP, replay) == len(first.turns)


def test_an_interrupted_match_says_so() -> None:
    """Before its end a match has no places and no winner, but a replay that can be read and verified."""
    referee = referee_of(DROP_BLOCK, **FOUR_APART)
    follow(referee, [({0: "0\n"}, {0: "R"}), ({1: "1\n"}, {1: "L"})])
    replay = decode(encode(replay_of(referee, FOUR_APART)))
    assert replay.result.unfinished
    assert (replay.result.places, replay.result.winner, replay.result.reason_key) == ((), None, "unfinished")
    assert playback.verify(DROP_BLOCK, replay) == 2


def test_an_interrupted_match_keeps_its_last_dice() -> None:
    """Dice that moved before a turn that never came stand in a line without moves, once."""
    referee = referee_of(HEAP, windy=True, sticks=30)
    referee.submit({0: Answer("take 2")})
    for _ in range(2):
        result = referee.result()
    assert result.unfinished
    assert [len(turn.moves) for turn in referee.turns] == [1, 0]
    assert referee.turns[1].dice


def test_another_match_begins_where_one_was() -> None:
    """A match taken up at a turn starts from the state that the players saw there, with other bots."""
    referee = referee_of(DROP_BLOCK, **FOUR_APART)
    letters = ["R", "L", "U", "A", "R", "D"]
    for turn, letter in enumerate(letters):
        follow(referee, [({turn % 4: f"{turn % 4}\n{turn}\n"}, {turn % 4: letter})])
    replay = replay_of(referee, FOUR_APART)
    state = playback.state_at(DROP_BLOCK, replay, 4)
    start = DROP_BLOCK.rules.LAYOUT.as_dict(state)
    again = Referee(DROP_BLOCK, replay.header.setup, 4, 99, state, 4)
    follow(again, [({0: "0\n4\n"}, {0: "N"}), ({1: "1\n5\n"}, {1: "N"})])
    assert [turn.turn for turn in again.turns] == [4, 5], "turns are numbered on"
    assert again.turns[0].dice == (), "the players are on the board already"
    continued = decode(encode(replay_of(again, FOUR_APART, start)))
    assert playback.verify(DROP_BLOCK, continued) == 2
    assert DROP_BLOCK.prompt(playback.beginning(DROP_BLOCK, continued), 0).startswith(b"0\n4\n")
