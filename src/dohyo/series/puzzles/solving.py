"""A bot is put into a puzzle's position, as if its match went on from there; its first answer counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import msgspec

from dohyo.bench.rerun import Rerun, said
from dohyo.bots import Bot
from dohyo.core.faults import Fault, FaultKind
from dohyo.sandbox import Sandbox
from dohyo.series.puzzles.puzzle import Position, as_replay
from dohyo.series.sequential import wilson

LATE = (FaultKind.TIMEOUT, FaultKind.NOT_READY)

Verdict = Literal["solved", "wrong", "late", "fault"]


class Solved(msgspec.Struct, frozen=True):
    """What came of a bot in one puzzle: its action's text, or what it wrote; the fault where there was one."""

    position: Position
    verdict: Verdict
    answer: str
    seconds: float | None
    fault: Fault | None = None


class Score(msgspec.Struct, frozen=True):
    """How many were solved, of how many, and between which shares the true one lies, with 95 % certainty."""

    solved: int
    of: int
    low: float
    high: float


def solve(
    positions: Iterable[Position],
    bot: Bot,
    sandbox: Sandbox,
    clock: str | float | None = None,
    on_solved: Callable[[Solved], None] = lambda one: None,
) -> list[Solved]:
    """Put a bot into each position, started anew, with the clock for a match's first turn; what came of it."""
    found = []
    for position in positions:
        found.append(_solve(position, bot, sandbox, None if clock is None else str(clock)))
        on_solved(found[-1])
    return found


def _solve(position: Position, bot: Bot, sandbox: Sandbox, clock: str | None) -> Solved:
    seat, protocol = position.puzzle.seat, position.game.protocol
    with Rerun(position.game, as_replay(position), seat, bot, sandbox, clock) as rerun:
        (asked,) = rerun.feed(until=position.puzzle.turn)
    move = asked.now
    fault = next((each for each in move.faults if not each.note), None)
    if fault is not None:
        verdict: Verdict = "late" if fault.kind in LATE else "fault"
        return Solved(position, verdict, said(move) or "", move.seconds, fault)
    is_right = move.action == protocol.text(position.solution)
    return Solved(position, "solved" if is_right else "wrong", move.action, move.seconds)


def score_of(found: Sequence[Solved]) -> Score:
    """How many were solved; the interval is Wilson's."""
    count, solved = len(found), sum(one.verdict == "solved" for one in found)
    if not count:
        return Score(0, 0, 0.0, 1.0)
    share = solved / count
    return Score(solved, count, *wilson(count, share, share * (1 - share)))
