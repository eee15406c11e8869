"""Whether a bot lives long enough to answer once: what is known of a hand-in within a moment, before a contest."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from time import monotonic

import msgspec

from dohyo import clean
from dohyo.bench.check.practice_match import PracticeMatch
from dohyo.bench.check.probe import Probe
from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game
from dohyo.i18n import Message
from dohyo.i18n.speaker import signal_name
from dohyo.interrupts import DeferSignals
from dohyo.match.play import environment
from dohyo.match.processes.launch import NO_ROOM
from dohyo.match.sandboxing import launch
from dohyo.match.telling.fault_words import LONGEST_REASON, last_words
from dohyo.match.working_copies import WorkingCopies
from dohyo.sandbox import Sandbox
from dohyo.sandbox.environment import settings_for

PATIENCE = 1.0  # seconds for each line: one that takes longer may be slow, or the machine busy, and is not judged
MAX_LINES = 20  # that may stand before the ready word
# What no busy machine can do to a program: it has ended.
ENDED = frozenset({FaultKind.EXITED, FaultKind.KILLED})


class FirstFailure(msgspec.Struct, frozen=True):
    """A bot's program ended before its first answer: the fault, and its last words on standard error, or none."""

    fault: Fault
    said: str

    @property
    def why(self) -> str | Message:
        """Its last words, cut as in a contest's standings; without any, how it ended."""
        if self.said or self.fault.status is None:
            return clean.line(self.said, LONGEST_REASON) or Message(f"fault.{self.fault.kind}")
        kind = Message(f"fault.{self.fault.kind}")
        if self.fault.kind is FaultKind.KILLED:
            return Message("fault-signal", {"fault": kind, "signal": signal_name(self.fault.status)})
        return Message("fault-status", {"fault": kind, "status": self.fault.status})


def first_failure(
    game: Game, bot: Bot, clock: Clock, setup: Mapping[str, object], sandbox: Sandbox, until: float = inf
) -> FirstFailure | None:
    """What ended the bot's program before it had answered once; none if it answered, or nothing is known.

    It is asked alone, as in the first turn of a match of `game` with this setup. Nothing is known of one that has
    a process for each turn, speaks another protocol, is no program of this machine, or takes longer than `PATIENCE`
    for a line; nor is any waited for after `until` by the monotonic clock, in seconds.
    """
    if bot.lifetime == "turn" or bot.protocol or not bot.command:
        return None
    practice = PracticeMatch(game, 0, setup, game.seats[0])
    told = {**environment(0, 0, game, clock, setup), **settings_for(bot.programs, asks_where=False)}
    with DeferSignals() as signals, WorkingCopies() as copies:
        (copy,) = copies.make([bot]) if game.lifetimes and not bot.private else (bot,)
        try:
            probe = Probe(launch(copy, told, sandbox), signals, game.comment)
        except OSError as error:
            if error.errno in NO_ROOM:
                return None
            return FirstFailure(Fault(FaultKind.EXITED), str(error))
        try:
            fault = _asked(game, practice, probe, until)
            if fault is None or fault.kind not in ENDED:
                return None
            return FirstFailure(fault, last_words(fault, probe.stop(), bot.language))
        finally:
            probe.stop()


def _asked(game: Game, practice: PracticeMatch, probe: Probe, until: float) -> Fault | None:
    """Ask a program that has just been started; why there was no line for an answer."""
    ready = game.protocol.READY.encode()
    for _ in range(MAX_LINES if ready else 0):
        line = probe.read_line(_left(until))
        if isinstance(line, Fault):
            return probe.verdict(line)
        if line.strip() == ready:
            break
    if practice.over:
        return None
    probe.send(practice.prompt())
    reply = probe.read_line(_left(until))
    return probe.verdict(reply) if isinstance(reply, Fault) else None


def _left(until: float) -> float:
    """For how many seconds the next line is waited for."""
    return max(0.0, min(PATIENCE, until - monotonic()))
