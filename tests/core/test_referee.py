"""The referee, by script: who is asked, what is judged, what stands in the replay. No process anywhere."""

from __future__ import annotations

import pytest

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game
from dohyo.core.referee import REPLY_KEPT, Answer, Referee
from tests.core.matches import referee

TIMEOUT = Fault(FaultKind.TIMEOUT, "no answer in time")


def answer(match: Referee, *replies: str | Fault) -> None:
    """Submit one answer a turn."""
    for reply in replies:
        [seat] = match.pending()
        match.submit({seat: Answer(reply) if isinstance(reply, str) else Answer(None, (reply,))})


def idle(match: Referee, turns: int) -> None:
    """Let so many turns pass in which everybody who is asked does nothing."""
    for _ in range(turns):
        match.submit({seat: Answer("N") for seat in match.pending()})


def test_seats_are_asked_in_turn_with_their_own_prompt() -> None:
    """Seats 0, 1, 2, 3, 0 are asked; the prompt begins with the seat and the turn."""
    match = referee()
    for turn in range(5):
        assert match.pending() == [turn % 4]
        assert match.prompt(turn % 4).startswith(f"{turn % 4}\n{turn}\n".encode())
        answer(match, "N")


def test_the_deal_is_the_dices_first_move() -> None:
    """The first line holds the dice's twelve numbers, and no other line has any."""
    match = referee()
    answer(match, "N", "N")
    assert [len(turn.dice) for turn in match.turns] == [12, 0]


def test_a_reply_as_it_should_be_is_not_kept_twice() -> None:
    """`reply` is recorded only where it is not the canonical text of the action."""
    match = referee()
    answer(match, "U", " U ", "U L")
    assert [turn.moves[0].action for turn in match.turns] == ["U", "U", "U"]
    assert [turn.moves[0].reply for turn in match.turns] == [None, " U ", "U L"]


def test_a_malformed_reply_counts_as_nothing_and_the_player_goes_on() -> None:
    """The rules' answer takes its place, the fault is recorded with the reply, and the player is asked again."""
    match = referee()
    answer(match, "up!")
    move = match.turns[0].moves[0]
    assert (move.action, move.reply, [fault.kind for fault in move.faults]) == ("N", "up!", [FaultKind.MALFORMED])
    idle(match, 3)
    assert match.pending() == [0]


@pytest.mark.parametrize("kind", [kind for kind in FaultKind if kind not in (FaultKind.MALFORMED, FaultKind.ILLEGAL)])
def test_a_program_that_fails_is_never_asked_again(kind: FaultKind) -> None:
    """After any fault of the program itself the rules answer N for its player to the end."""
    match = referee()
    answer(match, Fault(kind))
    assert match.stopped[0] == Fault(kind)
    idle(match, 3)
    assert match.pending() == []
    match.submit({})
    assert match.turns[4].moves[0].action == "N"
    assert match.turns[4].moves[0].faults == ()


def test_a_stopped_player_can_still_win() -> None:
    """A player whose program was stopped stays on the board, and wins when the others fall."""
    blocks = [1] + [0] * 4 + [1] + [0] * 24 + [1] + [0] * 5
    match = referee(setup={"players": "0,0,D/0,17,D/17,0,U/17,17,U", "blocks": blocks})
    for seat in range(4):
        match.stop(seat, Answer(None, (Fault(FaultKind.NOT_READY, "no line 'READY' in time"),)))
    match.submit({})
    assert match.over
    assert (match.result().winner, match.result().places) == (3, (2, 2, 2, 1))


def test_a_stopped_player_can_fall() -> None:
    """A stopped player does not leave its block, and falls with it."""
    match = referee(setup={"players": "0,0,D/0,17,D/17,0,U/17,17,U", "blocks": [5] + [0] * 35})
    answer(match, TIMEOUT)
    idle(match, 4)
    assert match.state.row[0] == -1


def test_what_stops_a_player_before_the_first_turn_stands_in_its_first_line() -> None:
    """NOT_READY is told once, with the first turn of that seat, and what it wrote to standard error with it."""
    match = referee()
    match.stop(2, Answer(None, (Fault(FaultKind.NOT_READY),), stderr="Traceback"))
    idle(match, 7)
    told = [
        (turn.turn, move.faults[0].kind, move.stderr) for turn in match.turns for move in turn.moves if move.faults
    ]
    assert told == [(2, FaultKind.NOT_READY, "Traceback")]


def test_what_was_never_told_stands_in_the_result() -> None:
    """In a match without turns the fault of a player that was not ready is in the result."""
    match = referee(setup={"turns": 0})
    match.stop(1, Answer(None, (Fault(FaultKind.NOT_READY),)))
    assert [(move.seat, move.faults[0].kind) for move in match.result().last] == [(1, FaultKind.NOT_READY)]


def test_a_fault_beside_a_reply_changes_nothing() -> None:
    """A line too many is recorded, and the reply counts."""
    match = referee()
    match.submit({0: Answer("U", (Fault(FaultKind.MALFORMED, "a second line"),))})
    move = match.turns[0].moves[0]
    assert (move.action, move.reply, len(move.faults), match.stopped[0]) == ("U", "U", 1, None)


def test_an_endless_reply_is_kept_in_part() -> None:
    """A reply of many characters is judged whole and recorded up to a limit."""
    match = referee()
    answer(match, "U" + " " * 5000)
    assert match.turns[0].moves[0].action == "U"
    assert len(match.turns[0].moves[0].reply or "") == REPLY_KEPT


def test_an_interrupted_match_says_so() -> None:
    """A result asked for before the end has no places, and is marked."""
    match = referee()
    answer(match, "N", "N")
    result = match.result()
    assert (result.unfinished, result.places, result.winner, result.reason_key) == (True, (), None, "unfinished")


def test_an_answer_that_is_missing_is_our_own_defect() -> None:
    """The referee does not go on without the answer of a pending seat."""
    with pytest.raises(KeyError):
        referee().submit({})


def test_the_same_seed_gives_the_same_deal() -> None:
    """The deal follows from the seed alone."""
    assert referee(5).prompt(0) == referee(5).prompt(0)
    assert referee(5).prompt(0) != referee(6).prompt(0)


@pytest.mark.parametrize(
    ("kind", "is_out", "note"),
    [
        (FaultKind.EXITED, True, True),
        (FaultKind.TIMEOUT, True, True),
        (FaultKind.MEMORY, True, False),
        (FaultKind.EXITED, False, False),
    ],
)
def test_what_a_fallen_player_does(kind: FaultKind, is_out: bool, note: bool) -> None:
    """What is wrong with the answers of who has fallen is a note; what it does to the machine is a fault."""
    match = referee()
    if is_out:
        match.state.row[0] = match.state.column[0] = -1
    answer(match, Fault(kind))
    assert match.turns[-1].moves[0].faults == (Fault(kind, note=note),)


def test_a_line_of_a_fallen_player() -> None:
    """A line that cannot be read is a note there, too."""
    match = referee()
    match.state.row[0] = match.state.column[0] = -1
    answer(match, "nonsense")
    (fault,) = match.turns[-1].moves[0].faults
    assert (fault.kind, fault.note) == (FaultKind.MALFORMED, True)


@pytest.mark.parametrize("chooses", [False, True])
def test_who_would_have_chosen_again_has_a_fault(chooses: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stops a player with nothing to choose is a note until it would have had a choice again, then a fault."""
    match = referee()
    monkeypatch.setattr(Game, "is_out", lambda game, state, seat: match.turn == 0 or not chooses)
    answer(match, Fault(FaultKind.EXITED))
    assert match.turns[0].moves[0].faults == (Fault(FaultKind.EXITED, note=True),)
    for _ in range(4):  # until it is the first seat's turn once more
        match.submit({seat: Answer("N") for seat in match.pending()})
    assert match.turns[0].moves[0].faults == (Fault(FaultKind.EXITED, note=not chooses),)
    assert [turn.turn for turn in match.turns] == [0, 1, 2, 3, 4]
