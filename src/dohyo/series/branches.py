"""Matches that go on from a given state: how often a seat comes first after one action, and after another.

Theory of operation
-------------------
Two actions are compared in pairs: one number of luck decides the dice to come, the bots' own seeds and, where the
caller chooses among states, which state; with it the match is played on once after each action. A pair whose two
matches end alike says nothing about which action is better. Of those that differ, an action that is no better than
the other one has the better end in half of them at most; so how sure one can be is a sign test.

Looks at a test that goes on are paid for: `ALPHA` is for one look, and there are at most `TIMES / STEP` of them.

Many bots draw no random numbers, and many games roll no dice. Then luck decides nothing: where the first `ALIKE`
pairs all ended in the same two states, others would hardly end elsewhere. (By chance alone, two actions that are as
good as each other, each of two endings, do so in favour of one in one of `4 ** ALIKE` trials.)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from math import comb, sqrt
from typing import Any, NamedTuple, Protocol

from dohyo import clean
from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultKind
from dohyo.core.game import Game, State
from dohyo.core.referee import outcome
from dohyo.core.replay_format import decode
from dohyo.executors.messages import Executor, MatchOrder, MatchReport
from dohyo.i18n import Message
from dohyo.match.telling.fault_words import kind_word

TIMES = 40  # pairs, at most
ALIKE = 5  # pairs that end in the same states, whatever the luck
STEP = 8  # pairs between two looks
ALPHA = 0.004  # of a look: how likely it may be that an action which is no better looks so
WIDE = 1.96  # half of a 95 % interval, in standard errors


class Branch(NamedTuple):
    """Where a match goes on: a state, the number of its next turn, and the match's seed from then on."""

    state: State
    turn: int
    seed: int


class End(NamedTuple):
    """How a match ended: by seat the share of the first place, 0..1, and the last state's digest."""

    shares: tuple[float, ...]
    digest: str


class PlaysOn(Protocol):
    """Who plays matches on. `error` is the last sentence of a match that could not be played."""

    error: str

    @property
    def names(self) -> tuple[str, ...]:
        """By seat, who plays."""

    def ends(self, branches: Sequence[Branch], until: float | None = None) -> list[End | None]:
        """Play each on to its end; none where no end was reached.

        `until` is a moment of `time.monotonic`: what is not over then is given up.
        """


def shares_of(places: Sequence[int]) -> tuple[float, ...]:
    """By seat its share of the first place."""
    first = places.count(1)
    return tuple(1 / first if place == 1 else 0.0 for place in places)


def end_of(game: Game, state: State, seats: int) -> End:
    """The end of a match that is over in this state."""
    return End(shares_of(outcome(game, state, seats).places), game.rules.LAYOUT.digest(state))


class ByBots:
    """Bots play on: programs, by an executor, several matches at a time. They begin with the state that they meet.

    Matches in which one has a fault have no end here: a bot that cannot begin there says nothing.
    """

    def __init__(
        self,
        game: Game,
        bots: Sequence[Bot],
        executor: Executor,
        *,
        setup: dict[str, Any],
        clock: Clock | None = None,
        sandbox: str = "auto",
    ) -> None:
        """`setup` is the whole one of the match; without a `clock` it is the game's usual one."""
        self.game, self.bots, self.executor = game, tuple(bots), executor
        self.names = tuple(bot.name for bot in bots)
        self.error = ""
        self._setup, self._clock, self._sandbox = setup, clock, sandbox

    def ends(self, branches: Sequence[Branch], until: float | None = None) -> list[End | None]:
        """Play each on to its end; see `PlaysOn`."""
        found: list[End | None] = [None] * len(branches)
        orders = []
        for at, branch in enumerate(branches):
            if self.game.rules.over(branch.state):
                found[at] = end_of(self.game, branch.state, len(self.bots))
            else:
                orders.append(self._order(at, branch))
        if not orders or (until is not None and time.monotonic() >= until):
            return found
        reports = self.executor.play(orders)  # before the timer: what begins is not given up yet
        with _given_up(self.executor, until):
            for report in reports:
                if self._counts(report):
                    last = decode(report.replay).turns[-1].digest
                    found[int(report.key)] = End(shares_of(report.places), last)
        return found

    def _order(self, at: int, branch: Branch) -> MatchOrder:
        start = self.game.rules.LAYOUT.as_dict(branch.state)
        return MatchOrder(
            str(at),
            self.game.name,
            self.bots,
            branch.seed,
            setup=self._setup,
            clock=self._clock,
            sandbox=self._sandbox,
            start=start,
            first=branch.turn,
        )

    def _counts(self, report: MatchReport) -> bool:
        """Whether a match says anything: not where a bot had a fault.

        Many a program knows only what it has seen since the beginning, and fails when it begins here, after whatever
        action: that decides nothing about actions.
        """
        if report.error:
            self.error = report.error
        elif any(report.faults):
            self.error = self._fault_in(report)
        return bool(report.places) and not any(report.faults)

    def _fault_in(self, report: MatchReport) -> str:
        """The first fault of a match: whose, when, which, and what that says of the bot."""
        replay = decode(report.replay)
        for turn in replay.turns:
            for move in turn.moves:
                for fault in move.faults:
                    if not fault.note:
                        kind = kind_word(fault)
                        told = {"name": clean.line(self.names[move.seat]), "seat": move.seat, "turn": turn.turn}
                        told |= {"first": replay.header.first, "fault": Message(f"fault.{kind}")}
                        key = "branch-late" if fault.kind is FaultKind.TIMEOUT else "branch-faulty"
                        return OperatorError(key, **told).say()
        return ""


class _given_up:  # noqa: N801 - a context manager that reads as a phrase
    """Lets an executor give up what it plays at a moment of `time.monotonic`, if one is given."""

    def __init__(self, executor: Executor, until: float | None) -> None:
        self._timer = None
        give_up = getattr(executor, "give_up", None)
        if until is not None and give_up is not None:
            self._timer = threading.Timer(max(0.0, until - time.monotonic()), give_up)
            self._timer.daemon = True

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.start()

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()


class Tally:
    """What pairs of matches have said of a first action and a second one, for one seat."""

    def __init__(self) -> None:
        self.pairs: list[tuple[float, float]] = []  # the share of the first place after each
        self._digests: set[tuple[str, str]] = set()

    def add(self, first: End | None, second: End | None, seat: int) -> None:
        """Count a pair, if both matches came to an end."""
        if first is not None and second is not None:
            self.pairs.append((first.shares[seat], second.shares[seat]))
            self._digests.add((first.digest, second.digest))

    @property
    def is_always_alike(self) -> bool:
        """Whether luck decides nothing, by all that is known: the pairs all ended in the same states."""
        return self.times >= ALIKE and len(self._digests) == 1

    @property
    def times(self) -> int:
        """How many pairs there are."""
        return len(self.pairs)

    @property
    def won(self) -> tuple[float, float]:
        """How many first places there were after each; a shared one is a part of one."""
        return sum(one for one, _ in self.pairs), sum(one for _, one in self.pairs)

    @property
    def gain(self) -> float:
        """By how much more the second action won, as a share; 0 without pairs."""
        return (self.won[1] - self.won[0]) / max(1, self.times)

    @property
    def error(self) -> float:
        """Half of the 95 % interval of `gain`. Pairs that say the same are not certain: what was never seen in so
        many may be 3 of them, and otherwise two more that say something else are counted.
        """
        if self.is_always_alike:
            return 3 / (self.times + 3)
        gains = [second - first for first, second in self.pairs] + [1.0, -1.0]
        mean = sum(gains) / len(gains)
        return WIDE * sqrt(sum((one - mean) ** 2 for one in gains) / (len(gains) - 1) / len(gains))

    @property
    def is_known(self) -> bool:
        """Whether the second action is better, as far as one can tell at a look."""
        if self.is_always_alike:
            return self.gain > 0
        more = sum(second > first for first, second in self.pairs)
        return chance_of_as_many(more, more + sum(second < first for first, second in self.pairs)) <= ALPHA

    def can_be_known(self, times: int = TIMES) -> bool:
        """Whether that may still come out, after so many pairs in all."""
        if self.is_always_alike:
            return self.gain > 0
        left = max(0, times - self.times)
        more = sum(second > first for first, second in self.pairs) + left
        less = sum(second < first for first, second in self.pairs)
        return chance_of_as_many(more, more + less) <= ALPHA


def chance_of_as_many(heads: int, tosses: int) -> float:
    """How likely so many heads or more are in so many tosses of a fair coin."""
    return float(sum(comb(tosses, many) for many in range(heads, tosses + 1)) / 2**tosses)
