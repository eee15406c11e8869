"""The engines of a match: which seats have one, of which protocol, and what each is sent in its turn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from dohyo.core import xboard_protocol
from dohyo.core.clock import Account, Clock
from dohyo.core.faults import Fault
from dohyo.core.parameters import PROTOCOLS
from dohyo.core.uci_protocol import LIMITS, PROTOCOL, VARIANTS, UciMatch, limits_of
from dohyo.runner import uci, verdict
from dohyo.runner.uci import EngineProcess

if TYPE_CHECKING:
    from dohyo.core.referee import Referee
    from dohyo.core.replay import Turn
    from dohyo.core.sent import Sent
    from dohyo.runner.bot_process import BotProcess
    from dohyo.runner.launch import Launch
    from dohyo.runner.poller import Poller
    from dohyo.runner.stopwatch import Stopwatch
    from dohyo.runner.xboard import XboardProcess


class Engines:
    """The engines of a match, by seat, and what they are told in each turn."""

    def __init__(
        self, launches: Mapping[int, Launch], referee: Referee, clock: Clock, told: Sent | None = None
    ) -> None:
        """Engines sit on the seats whose `launches` say so. `referee` is at the match's first turn.

        With `told` they are told a recorded match: its times, and its limits if they have none of their own.
        """
        self.seats = {seat: launch for seat, launch in launches.items() if launch.protocol in PROTOCOLS}
        self._xboard: dict[int, XboardProcess] = {}
        self._referee, self._clock = referee, clock
        tell = referee.game.uci
        self._start = "" if tell is None else tell(referee.state)
        self._can_play, self._is_recorded = bool(self._start), told is not None
        self._variant = referee.game.engine_variant(referee.setup)
        self._to_xboard = _MovesOfVariant(referee) if self._variant else None
        self._match = UciMatch(self._start, clock, referee.seats) if told is None else told.to_engines
        self._limits = {
            seat: limits_of(launch.settings) or ("" if told is None else told.limits[seat])
            for seat, launch in self.seats.items()
        }
        self._known = 0  # turns that they have been told

    @property
    def fault(self) -> Fault | None:
        """Why no engine can play here; none where one can."""
        return None if self._can_play else verdict.not_started("no UCI engine can play this game")

    def process(self, seat: int, process: BotProcess, poller: Poller, watch: Stopwatch | None) -> EngineProcess:
        """The player on one of the seats."""
        launch, is_legal = self.seats[seat], partial(self._is_legal, seat)
        if launch.protocol == PROTOCOL:
            options = {name: value for name, value in launch.settings.items() if name not in LIMITS}
            options |= VARIANTS.get(self._variant, {})
            return EngineProcess(process, poller, watch, options, is_legal)
        from dohyo.runner.xboard import XboardProcess

        options = {name: value for name, value in launch.settings.items() if name not in xboard_protocol.LIMITS}
        lines = xboard_protocol.opening(self._start, self._clock, launch.settings, self._variant)
        beginning = self._start, lines, self._variant
        made = XboardProcess(process, poller, watch, options, is_legal, beginning, self._meant)
        self._xboard[seat] = made
        return made

    def _meant(self, word: str) -> str:
        """The move that a word means now, as the game's own text; the word where it means none."""
        return self._referee.game.meant(self._referee.state, word) or word

    def _is_legal(self, seat: int, word: str) -> bool:
        """Whether a word is a move that the seat may make now."""
        game, state = self._referee.game, self._referee.state
        action = game.protocol.read(word)
        return action is not None and bool(game.rules.is_legal(state, seat, action))

    def ready_limit(self) -> float:
        """Seconds for the handshake."""
        return max(uci.READY, self._clock.ready)

    def prompt(self, seat: int, is_first: bool, accounts: Mapping[int, Account]) -> bytes:
        """What an engine is sent in its turn; `accounts` by seat, as far as there are any."""
        if not self._is_recorded:
            turns = self._referee.turns
            while self._known < len(turns):
                self._match.add(turns[self._known])
                if self._to_xboard is not None:
                    self._to_xboard.add(turns[self._known])
                self._known += 1
            for other, account in accounts.items():
                self._match.left[other] = account.bank
        if seat in self._xboard:
            return self._xboard_prompt(seat, is_first)
        return self._match.prompt(is_first, self._limits[seat])

    def _xboard_prompt(self, seat: int, is_first: bool) -> bytes:
        """What an engine of XBoard's protocol is sent: the moves since its own."""
        engine, clock = self._xboard[seat], self._clock
        moves = self._match.moves if self._to_xboard is None else self._to_xboard.moves
        new, engine.told = moves[engine.told :], len(moves) + 1  # with the move that it will make
        left = [*self._match.left] if clock.is_whole_match else [clock.limit(is_first)] * 2
        return xboard_protocol.turn(new, left[seat], left[1 - seat], is_first, engine.has_time, engine.prefix)


class _MovesOfVariant:
    """The moves of a match of a variant, as XBoard engines are told them."""

    def __init__(self, referee: Referee) -> None:
        self.moves: list[str] = []
        self._game, self._state = referee.game, referee.game.rules.LAYOUT.copy(referee.state)

    def add(self, turn: Turn) -> None:
        """Take the next turn's move."""
        for move in turn.moves[:1]:
            self.moves.append(self._game.xboard_move(self._state, move.action))
            action = self._game.protocol.read(move.action)
            self._game.rules.step(self._state, [action, action], None)
