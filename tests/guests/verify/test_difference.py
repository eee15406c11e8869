"""Where two recordings of one match first differ, and who did it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.replay import Header, Move, Replay, Result, Seat, Turn
from dohyo.guests.verify.difference import first_difference

SEATS = tuple(Seat(name, digest * 64) for name, digest in (("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")))


def played() -> Replay:
    """A recording of five turns, one seat in each."""
    header = Header(dohyo=1, game="g", rules=1, setup={"turns": 5}, seats=SEATS, seed=7, software="s")
    turns = [Turn(at, (at,), (Move(at % 4, "N", seconds=0.1),), f"{at:08x}") for at in range(5)]
    return Replay(header, turns, Result((1, 2, 3, 4), 0, "reason"))


def changed(replay: Replay, at: int, change: Callable[[Turn], Turn]) -> Replay:
    """A copy of a replay with another turn."""
    turns = list(replay.turns)
    turns[at] = change(turns[at])
    return Replay(replay.header, turns, replay.result)


def with_move(**values: object) -> Callable[[Turn], Turn]:
    """What changes the first move of a turn."""
    return lambda turn: replace(turn, moves=(replace(turn.moves[0], **values), *turn.moves[1:]))


def test_times_and_what_is_written_beside_do_not_count() -> None:
    """Seconds, processor time, standard error and notes are different in each playing of the same match."""
    match = played()
    note = Fault(FaultKind.EXITED, note=True)
    other = changed(match, 2, with_move(seconds=9.0, cpu=1.0, wall=3.0, stderr="hello", faults=(note,)))
    assert first_difference(match, replace(other, cpu=(1.0,), disturbed=0.1)) is None


def test_when_a_line_too_many_was_seen_does_not_count() -> None:
    """Who writes two lines is told so if the second is there before the next turn: that is luck, the line is not."""
    match = played()
    early = with_move(reply="N", faults=(Fault(FaultKind.MALFORMED, FaultCode.EARLY, {"line": "N"}),))
    assert first_difference(match, changed(match, 2, early)) is None
    assert first_difference(changed(match, 2, early), match) is None
    for kind, reply in ((FaultKind.KILLED, "N"), (FaultKind.MALFORMED, None)):  # no referee writes that
        forged = with_move(reply=reply, faults=(Fault(kind, FaultCode.EARLY),))
        assert first_difference(match, changed(match, 2, forged)) is not None
    other = with_move(reply="S", action="S", faults=(Fault(FaultKind.MALFORMED, FaultCode.EARLY, {"line": "S"}),))
    assert first_difference(match, changed(match, 2, other)) is not None


CHANGES: dict[str, tuple[Callable[[Replay], Replay], str, int]] = {
    "an answer": (lambda match: changed(match, 2, with_move(reply="x", action="N")), "bot", 2),
    "the same action, worded otherwise": (lambda match: changed(match, 2, with_move(reply=" n")), "bot", 2),
    "a fault": (lambda match: changed(match, 1, with_move(faults=(Fault(FaultKind.TIMEOUT),))), "bot", 1),
    "a state": (lambda match: changed(match, 3, lambda turn: replace(turn, digest="00000000")), "rules", 3),
    "dice": (lambda match: changed(match, 1, lambda turn: replace(turn, dice=(7,))), "rules", 1),
    "who moved": (lambda match: changed(match, 1, lambda turn: replace(turn, moves=())), "rules", 1),
    "the result": (
        lambda match: Replay(match.header, match.turns, Result((4, 3, 2, 1), 3, match.result.reason_key)),
        "rules",
        -2,
    ),
    "the length": (lambda match: Replay(match.header, list(match.turns)[:-1], match.result), "rules", -3),
    "the seed": (lambda match: Replay(replace(match.header, seed=99), match.turns, match.result), "terms", -1),
    "the bots": (
        lambda match: Replay(
            replace(match.header, seats=(Seat("x", "f" * 64), *match.header.seats[1:])), match.turns, match.result
        ),
        "terms",
        -1,
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_differs_first(what: str) -> None:
    """Each change is found in its turn, with who did it; in either direction."""
    match = played()
    change, by, turn = CHANGES[what]
    other = change(match)
    wanted = {-2: len(match.turns), -3: len(match.turns) - 1}.get(turn, turn)
    for one, two in ((match, other), (other, match)):
        found = first_difference(one, two)
        assert found is not None
        assert (found.by, found.turn) == (by, wanted)
        assert found.before != found.now


def test_the_first_seat_of_a_turn_is_named() -> None:
    """Where several moved at once, the first seat that answered differently is told, with both answers."""
    moves = (Move(0, "A"), Move(1, "B"), Move(2, "C"))
    match = played()
    one = changed(match, 0, lambda turn: replace(turn, moves=moves))
    two = changed(match, 0, lambda turn: replace(turn, moves=(moves[0], Move(1, "X"), Move(2, "Y"))))
    found = first_difference(one, two)
    assert found is not None
    assert (found.seat, found.before, found.now) == (1, "B", "X")
