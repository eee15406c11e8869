"""Members of a league that are programs, or objects of this process, in compiled games.

A match in which one plays has a referee beside the compiled game: it writes what the program is sent, judges what it
answers, and its action is played in both. So the program is started in the sandbox, timed and judged as in any match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.game import Game
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Move, Turn
from dohyo.match.clocks import read_clock
from dohyo.match.python_bot import Owned
from dohyo.match.sandboxing import sandbox_of
from dohyo.rl.bot_opponents import BotOpponents
from dohyo.rl.opponents import made_ready
from dohyo.sandbox import Sandbox


class Programs:
    """Given to a `VectorEnv` as `programs`: members of its league may be programs, which are run as this says.

    Each match of such a member is a process of its own, asked turn by turn, one game after the other: a decision of
    the learner's takes about 0.4 ms of processor time and the program's own, where a compiled one takes 0.003 ms.
    """

    def __init__(
        self, clock: str | float | Clock | None = None, sandbox: str | Sandbox = "auto", python: str | None = None
    ) -> None:
        """`clock`, `sandbox` and `python` as in `dohyo.play`."""
        self.clock, self.sandbox, self.python = clock, sandbox, python


class _Beside(Referee):
    """The referee beside a compiled game: the actions of `given` seats are known, and have been judged."""

    given: Mapping[int, int]
    played: Sequence[int]

    def _judge(self, seat: int, answers: Mapping[int, Answer]) -> tuple[int, Move]:
        if seat in self.given:
            action = self.given[seat]
            return action, Move(seat, self.game.protocol.text(action))
        return super()._judge(seat, answers)

    def _step(self, actions: Sequence[int], moves: Sequence[Move]) -> Turn:
        self.played = list(actions)
        return super()._step(actions, moves)


class _Match(NamedTuple):
    """A match beside a compiled game; `seats` are the programs'."""

    referee: _Beside
    bots: BotOpponents
    seats: frozenset[int]


class ProgramMatches:
    """The matches in which programs play now, by slot. `close` ends all; so does deleting this."""

    def __init__(self, game: Game, setup: Mapping[str, Any], seats: int, programs: Programs) -> None:
        """`setup` is complete."""
        self._game, self._setup, self._seats, self._programs = game, setup, seats, programs
        self._ready: dict[str, Bot | Owned] = {}
        self._matches: dict[int, _Match] = {}
        self._sandbox: Sandbox | None = None

    def __contains__(self, slot: int) -> bool:
        """Whether a program plays in this slot."""
        return slot in self._matches

    def __len__(self) -> int:
        """In how many slots programs play."""
        return len(self._matches)

    def __reduce__(self) -> Any:
        """Between matches: as it was made. Raises `TypeError` while programs play, since they cannot be copied."""
        for match in self._matches.values():
            match.bots.__reduce__()
        return ProgramMatches, (self._game, self._setup, self._seats, self._programs)

    def begin(self, slot: int, seed: int, members: Mapping[int, tuple[str, Any]]) -> None:
        """Start the programs of a match: `members` are their names and who they are, by seat.

        Raises `OperatorError` for a bot that is not there or cannot be built or started.
        """
        self.end(slot)
        sandbox = self._sandbox = self._sandbox or sandbox_of(self._programs.sandbox)
        for name, player in members.values():
            if name not in self._ready:
                made = made_ready(self._game, player, self._programs.python, sandbox)
                assert isinstance(made, Bot | Owned)
                self._ready[name] = made
        players = {seat: self._ready[name] for seat, (name, _) in members.items()}
        lifetimes = [one.lifetime for one in players.values() if isinstance(one, Bot)]
        clock = read_clock(self._game, self._programs.clock, lifetimes)
        referee = _Beside(self._game, self._setup, self._seats, seed)
        started = BotOpponents(referee, players, clock, sandbox, seed)
        self._matches[slot] = _Match(referee, started, frozenset(members))

    def decide(self, slot: int, asked: Sequence[int], actions: Any) -> None:
        """Ask the programs of a slot, play the turn beside, and write their actions into the row `actions`."""
        referee, bots, theirs = self._matches[slot]
        referee.given = {seat: int(actions[seat]) for seat in asked if seat not in theirs}
        referee.submit(bots.ask([seat for seat in referee.pending() if seat in theirs]))
        bots.see()
        for seat in asked:
            actions[seat] = referee.played[seat]

    def end(self, slot: int) -> None:
        """End the programs of a slot."""
        match = self._matches.pop(slot, None)
        if match is not None:
            match.bots.close()

    def close(self) -> None:
        """End all programs."""
        for slot in list(self._matches):
            self.end(slot)
