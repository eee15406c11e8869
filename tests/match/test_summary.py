"""The summary of a match: what it says of each seat, from the replay alone."""

from __future__ import annotations

import pytest

from dohyo import games
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.game import State
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Replay, Seat
from dohyo.match.telling.summary import Summary, middle, summarise

PLAYERS = [[0, 0, "U"], [0, 9, "U"], [9, 0, "U"], [17, 17, "U"]]


def match(turns: int, answers: dict[int, Answer], before: dict[int, Answer] | None = None) -> tuple[Replay, State]:
    """A match in which everybody does nothing within a millisecond, but for `answers` by turn, and its last state.

    `before` holds what became of seats before the first turn.
    """
    game = games.find("drop-block")
    setup = {"turns": turns, "position_order": "row-column", "idle": False, "players": PLAYERS, "blocks": None}
    referee = Referee(game, setup, 4, 1)
    for seat, answer in (before or {}).items():
        referee.stop(seat, answer)
    while not referee.over:
        usual = Answer("N", seconds=0.001)
        referee.submit({seat: answers.get(referee.turn, usual) for seat in referee.pending()})
    seats = tuple(Seat(f"bot{seat}", f"{seat}" * 64, "c") for seat in range(4))
    header = Header(game=game.name, rules=game.version, setup=setup, seats=seats, seed=1, software="test")
    return Replay(header, referee.turns, referee.result()), referee.state


def summary(*arguments: object, with_inputs: bool = False) -> Summary:
    """The summary of such a match: the same from the replay alone, and with the state at its end."""
    replay, end = match(*arguments)  # type: ignore[arg-type]
    told = summarise(replay, with_inputs)
    assert summarise(replay, with_inputs, end) == told
    return told


def test_thinking() -> None:
    """Median, worst and its turn are taken over the turns in which the seat was asked."""
    told = summary(12, {0: Answer("N", seconds=0.3), 4: Answer("N", seconds=0.1), 8: Answer("N", seconds=0.2)})
    first, second = told.seats[:2]
    assert (first.turns, first.median, first.worst, first.worst_turn) == (3, 0.2, 0.3, 0)
    assert (second.turns, second.median, second.worst, second.worst_turn) == (3, 0.001, 0.001, 1)


def test_a_seat_that_was_never_asked() -> None:
    """Who was not ready has no time of thinking, its fault no input, and it stopped at its first turn."""
    fault = Fault(FaultKind.NOT_READY, FaultCode.NO_READY, {"word": "READY"})
    told = summary(12, {}, {2: Answer(None, (fault,))}, with_inputs=True)
    seat = told.seats[2]
    assert (seat.turns, seat.median, seat.worst, seat.worst_turn) == (0, None, None, None)
    assert seat.stopped is not None
    assert (seat.stopped.turn, seat.stopped.kind, seat.stopped.input) == (2, FaultKind.NOT_READY, None)


def test_stopped_and_not_stopped() -> None:
    """A fault that ends a program is told from one that does not; a match that is over in between loses neither."""
    late = Answer(None, (Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER),), 1.0)
    beside = Answer("N", (Fault(FaultKind.OUTPUT),), 0.1)  # a reply came all the same, and it is asked again
    told = summary(
        12, {1: late, 2: beside, 4: Answer("x", seconds=0.1)}, {3: Answer(None, (Fault(FaultKind.EXITED, status=3),))}
    )
    kinds = [[fault.kind for fault in seat.faults] for seat in told.seats]
    assert kinds == [[FaultKind.MALFORMED], [FaultKind.TIMEOUT], [FaultKind.OUTPUT], [FaultKind.EXITED]]
    stopped = [seat.stopped and seat.stopped.turn for seat in told.seats]
    assert stopped == [None, 1, None, 3]
    assert told.has_faults
    short = summary(2, {}, {3: Answer(None, (Fault(FaultKind.EXITED, status=3),))})
    assert short.seats[3].stopped is not None
    assert short.seats[3].stopped.status == 3


def test_inputs_and_standard_error_on_demand() -> None:
    """The input of a fault is the text of that turn's state; it comes only when it is asked for."""
    wrong = {5: Answer("x", seconds=0.1, stderr="oh")}
    for asked in (False, True):
        (fault,) = summary(8, wrong, with_inputs=asked).seats[1].faults
        assert (fault.turn, fault.reply) == (5, "x")
        lines = (fault.input or "").splitlines()
        assert (lines[:2], fault.stderr) == ((["1", "5"], "oh") if asked else ([], ""))


def test_places_and_fates() -> None:
    """Places are the result's; what became of a seat is in the game's words."""
    told = summary(8, {})
    assert (told.reason, told.winner, told.turns, told.unfinished) == ("drop-block.turn-limit", None, 8, False)
    assert [(seat.place, seat.fate.key) for seat in told.seats] == [(1, "drop-block.stood")] * 4


@pytest.mark.parametrize(("numbers", "median"), [([], None), ([3.0], 3.0), ([4.0, 1.0], 2.5), ([9.0, 1.0, 2.0], 2.0)])
def test_middle(numbers: list[float], median: float | None) -> None:
    """The median of any count of numbers."""
    assert middle(numbers) == median
