"""One match between living programs: the referee says who is asked, the ring asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic_ns

import msgspec

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Result, Turn
from dohyo.play.program import Program
from dohyo.play.ring import Ring


class Launch(msgspec.Struct, frozen=True):
    """How to start one seat's program: argv, working folder, environment (the referee's own when none)."""

    command: tuple[str, ...]
    folder: str
    environment: Mapping[str, str] | None = None


def play(
    referee: Referee,
    launches: Sequence[Launch],
    clock: Clock,
    on_turn: Callable[[Referee, Turn], None] | None = None,
) -> Result:
    """Play the referee's match to its end with one program a seat; its turns stand in `referee.turns`.

    `on_turn` is called after every turn, outside everybody's thinking time. Whatever ends this function, an exception
    or an interrupt from the keyboard too, no program of the match is left running.
    """
    programs: list[Program | None] = []
    ring: Ring | None = None
    try:
        started, failures = _start(launches, programs)
        ring = Ring(programs)
        for seat, answer in failures.items():
            referee.stop(seat, answer)
        if ready := referee.game.wire.READY:
            for seat, answer in ring.await_ready(ready, clock.ready, started).items():
                referee.stop(seat, answer)
        _turns(referee, ring, clock, on_turn)
        return referee.result(ring.close())
    finally:
        for program in programs if ring is None else ring.programs:
            if program is not None:
                program.stop()


def _start(launches: Sequence[Launch], programs: list[Program | None]) -> tuple[dict[int, int], dict[int, Answer]]:
    """Start all programs together: when each started, in nanoseconds, and the answers of those that could not."""
    started, failures = {}, {}
    for seat, launch in enumerate(launches):
        try:
            programs.append(Program(launch.command, launch.folder, launch.environment))
        except OSError as error:
            programs.append(None)
            failures[seat] = Answer(None, (Fault(FaultKind.EXITED, f"could not be started: {error.strerror}"),))
        started[seat] = monotonic_ns()
    return started, failures


def _turns(referee: Referee, ring: Ring, clock: Clock, on_turn: Callable[[Referee, Turn], None] | None) -> None:
    """Ask, judge and play until the match is over."""
    asked: set[int] = set()
    while not referee.over:
        seats = referee.pending()
        limits = {seat: clock.limit(seat not in asked) for seat in seats}
        asked.update(seats)
        answers = ring.ask({seat: referee.prompt(seat) for seat in seats}, limits) if seats else {}
        turn = referee.submit(answers)
        for seat in seats:
            if referee.stopped[seat] is not None:
                _add_last_words(turn, seat, ring.stop(seat))
        if on_turn is not None:
            on_turn(referee, turn)


def _add_last_words(turn: Turn, seat: int, rest: Answer) -> None:
    """Record what a stopped program still had to say, a traceback most likely, with the turn that ended it."""
    for move in turn.moves:
        if move.seat == seat:
            move.stderr += rest.stderr
            move.stderr_dropped += rest.stderr_dropped
