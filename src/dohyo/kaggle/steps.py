"""Turns as Kaggle's environments tell them: for each step and seat a state with `action`, `reward`, `status`.

Theory of operation
-------------------
The first step has no actions; each turn of the match is one more. A seat's observation is made of the text that it is
sent, and of nothing else; a seat that is not asked keeps the one before. A match that was played whole, and one that
is stepped by hand, both go through `Telling.add`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dohyo.core import playback
from dohyo.core.adjudication import Verdict, places_of
from dohyo.core.faults import FaultKind
from dohyo.core.flat import row_of
from dohyo.core.game import Game, State
from dohyo.core.observation import Observation, prompt_lines
from dohyo.core.reader import Reader
from dohyo.core.replay import Move, Replay, Turn
from dohyo.core.rewards import Payoff, rewards_at_end
from dohyo.i18n import ENGLISH
from dohyo.kaggle.agents import Struct, struct_of

ACTIVE, INACTIVE, DONE = "ACTIVE", "INACTIVE", "DONE"
TIMEOUT, INVALID, ERROR = "TIMEOUT", "INVALID", "ERROR"
OF_TIME = frozenset({FaultKind.TIMEOUT, FaultKind.NOT_READY})
OF_ACTION = frozenset({FaultKind.MALFORMED, FaultKind.ILLEGAL, FaultKind.OUTPUT})


class Telling:
    """The steps of one match so far, by seat, and what was printed in them (`logs`)."""

    def __init__(
        self, game: Game, setup: Mapping[str, Any], seats: int, reserve: float, start: State, reward: Payoff
    ) -> None:
        """`start` is the state that the players saw first. Raises what `rewards_at_end` raises."""
        self.rewards = rewards_at_end(game, seats, reward)
        self._game, self._seats = game, seats
        self._readers = [Reader(game, setup) for _ in range(seats)]
        self._seen: list[Observation | None] = [None] * seats
        self._reserve = [reserve] * seats
        self._failed = [""] * seats
        self._adjudicator = game.adjudicator(setup)
        self._verdict: Verdict | None = None
        self.steps: list[list[Struct]] = []
        self.logs: list[list[Struct]] = []
        self._tell(start, {})

    def add(self, turn: Turn, after: State) -> None:
        """One more turn, and the state after it as the players see it."""
        moves = {move.seat: move for move in turn.moves}
        for seat, move in moves.items():
            self._readers[seat].answered(move.action if move.reply is None else move.reply)
            self._failed[seat] = _failure(self._game, move) or self._failed[seat]
            if move.bank is not None:
                self._reserve[seat] = move.bank
        if self._adjudicator is not None and not self._game.rules.over(after):
            self._verdict = self._adjudicator.after(after, turn)
        self.logs.append([_log(moves.get(seat)) for seat in range(self._seats)])
        self._tell(after, moves)

    def end(self, last: tuple[Move, ...]) -> None:
        """What came after the last turn: a program that failed before it acted says it here."""
        for move in last:
            failed = _failure(self._game, move)
            if failed:
                self._failed[move.seat] = failed
                self.steps[-1][move.seat].status = failed

    def _tell(self, state: State, moves: Mapping[int, Move]) -> None:
        rules = self._game.rules
        is_over = self._verdict is not None or rules.over(state)
        places = row_of(self._seats)
        if self._verdict is not None:
            places = places_of(self._verdict, self._seats)
        elif is_over:
            rules.places(state, places)
        rewards = self.rewards.payoffs_of(state, places) if is_over else [0.0] * self._seats
        told = []
        for seat in range(self._seats):
            acts = not is_over and not self._failed[seat] and bool(rules.acts(state, seat))
            if acts:
                self._see(state, seat)
            move = moves.get(seat)
            status = self._failed[seat] or (DONE if is_over else ACTIVE if acts else INACTIVE)
            seen = struct_of(self._game.name, self._seen[seat], len(self.steps), seat, self._reserve[seat])
            told.append(
                Struct(
                    action=None if move is None else move.action if move.reply is None else move.reply,
                    reward=rewards[seat],
                    info=self._wrong(move),
                    observation=seen,
                    status=status,
                )
            )
        self.steps.append(told)

    def _wrong(self, move: Move | None) -> Struct:
        """The last fault of a move that counts: its kind, and what happened in words; empty without one."""
        counting = [] if move is None else [fault for fault in move.faults if not fault.note]
        if not counting:
            return Struct()
        fault = counting[-1]
        return Struct(fault=fault.kind.value, detail=ENGLISH.knowing(self._game.catalogue).say_any(fault.told))

    def _see(self, state: State, seat: int) -> None:
        """Read what the seat is sent now."""
        for line in prompt_lines(self._game, self._game.prompt(state, seat)):
            found = self._readers[seat].take(line)
            self._seen[seat] = self._seen[seat] if found is None else found


def told_of(game: Game, replay: Replay, reward: Payoff) -> Telling:
    """The steps of a match that was played. Raises `ReplayError` for one that does not follow from the rules."""
    header = replay.header
    clock = header.clock
    seats, moments = len(header.seats), list(playback.moments(game, replay))
    start = moments[0].before if moments else playback.beginning(game, replay)
    telling = Telling(game, header.setup, seats, 0.0 if clock is None else clock.bank, start, reward)
    played = [moment for moment in moments if moment.turn.moves]
    for at, moment in enumerate(played):
        telling.add(moment.turn, played[at + 1].before if at + 1 < len(played) else moment.after)
    telling.end(replay.result.last)
    return telling


def _failure(game: Game, move: Move) -> str:
    """The status of a seat whose part ended by its last fault; empty if it plays on."""
    fault = move.faults[-1] if move.faults else None
    if fault is None or fault.note or not game.protocol.stops(fault):
        return ""
    return TIMEOUT if fault.kind in OF_TIME else INVALID if fault.kind in OF_ACTION else ERROR


def _log(move: Move | None) -> Struct:
    """What a seat took and printed in one step; nothing of a seat that did not act."""
    if move is None:
        return Struct()
    return Struct(duration=move.seconds or 0.0, stdout=move.comments, stderr=move.stderr)
