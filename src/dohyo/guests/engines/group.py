"""The engines of a match: which seats have one, of which protocol, and what each is sent in its turn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from dohyo.core.faults import Fault
from dohyo.core.referee import Answer
from dohyo.guests.engines import uci, xboard_protocol
from dohyo.guests.engines.kept import KeptEngines
from dohyo.guests.engines.telling import ToEngines
from dohyo.guests.engines.uci import EngineProcess
from dohyo.guests.engines.uci_protocol import CASTLING, LIMITS, PROTOCOL, QUIT, VARIANTS, UciMatch, limits_of
from dohyo.i18n import Message
from dohyo.match import verdict
from dohyo.match.players.player import MatchContext, Programs
from dohyo.match.processes.bot_process import BotProcess, launched

if TYPE_CHECKING:
    from dohyo.core.referee import Referee
    from dohyo.core.replay import Turn
    from dohyo.guests.engines.kept import Key
    from dohyo.guests.engines.xboard import XboardProcess
    from dohyo.match.processes.launch import Launch
    from dohyo.match.processes.poller import Poller
    from dohyo.match.processes.stopwatch import Stopwatch


class Engines(Programs):
    """The engines of a match, by seat, and what they are told in each turn."""

    def __init__(self, launches: Mapping[int, Launch], context: MatchContext) -> None:
        """The referee is at the match's first turn.

        If a recorded match is told, they are told its times, and its limits if they have none of their own. Those
        that can ponder are told to think on after their own moves, if the match has pondering. Engines of earlier
        matches are taken, and those of this one are kept for later ones, where the series keeps players.
        """
        super().__init__(launches, context)
        referee, recorded = context.referee, context.told
        self._ponders = context.pondering is True
        # What an engine says of pondering, it says in its handshake.
        self._kept: KeptEngines | None = (
            None if self._ponders or context.kept is None else context.kept.of(KeptEngines)
        )
        self._xboard: dict[int, XboardProcess] = {}
        self._uci: dict[int, EngineProcess] = {}
        self._referee, self._clock = referee, context.clock
        tell = referee.game.uci
        self._start = "" if tell is None else tell(referee.state)
        self._can_play, self._is_recorded = bool(self._start), recorded is not None
        self._variant = referee.game.engine_variant(referee.setup)
        self._to_xboard = _MovesOfVariant(referee) if self._variant else None
        told = None if recorded is None else recorded.telling(min(launches))
        self._match = (
            told.match if isinstance(told, ToEngines) else UciMatch(self._start, context.clock, referee.seats)
        )
        self._limits = {
            seat: limits_of(launch.settings) or ("" if recorded is None else recorded.limits[seat])
            for seat, launch in launches.items()
        }
        self._known = 0  # turns that they have been told

    def launched(self, seat: int) -> BotProcess | Fault:
        """Take the seat's engine from an earlier match, or start it; the fault where it cannot play this game."""
        if not self._can_play:
            return verdict.not_started(Message("detail.no-engine-plays"))
        return self._take_kept(seat) or launched(self.launches[seat])

    def _take_kept(self, seat: int) -> BotProcess | None:
        """The seat's engine from an earlier match, ready for this one; none where none is kept."""
        if self._kept is None or not self.launches[seat].kept_as:
            return None
        process = self._kept.take(self._key(seat), self.context.signals)
        if process is not None:
            process.asks_where = self.launches[seat].asks_where
        return process

    def _may_keep(self, seat: int) -> bool:
        """Whether the seat's engine may play another match: a UCI engine without a fault in this one."""
        launch, turns = self.launches[seat], self._referee.turns
        if self._kept is None or not launch.kept_as or launch.protocol != PROTOCOL:
            return False
        return not any(
            not fault.note for turn in turns for move in turn.moves if move.seat == seat for fault in move.faults
        )

    def say_farewell(self) -> dict[int, Answer]:
        """Send `quit` to all but the engines that may play another match: these go on, and are kept."""
        rest = {}
        for seat in self.seats:
            if self.processes.lives(seat) and self._may_keep(seat):
                assert self._kept is not None
                process, asides = self.processes.release(seat)
                rest[seat] = Answer(None, (), None, *asides)
                self._kept.keep(self._key(seat), process)
        return rest | super().say_farewell()

    def farewell(self, seat: int) -> bytes:
        """What it is sent at the end."""
        return QUIT

    def _key(self, seat: int) -> Key:
        """What the seat's `Launch` says of its engine, and the options that this is told."""
        return (
            self.launches[seat].kept_as,
            *(word for option in sorted(self._options(seat).items()) for word in option),
        )

    def _options(self, seat: int) -> dict[str, str]:
        """The values of options that a UCI engine is told before its match."""
        options = {name: value for name, value in self.launches[seat].settings.items() if name not in LIMITS}
        return options | VARIANTS.get(self._variant, {})

    def player(self, seat: int, process: BotProcess, poller: Poller, watch: Stopwatch | None) -> EngineProcess:
        """The player on one of the seats."""
        launch, is_legal = self.launches[seat], partial(self._is_legal, seat)
        if launch.protocol == PROTOCOL:
            ponders = self._ponders
            self._uci[seat] = EngineProcess(process, poller, watch, self._options(seat), is_legal, ponders)
            return self._uci[seat]
        from dohyo.guests.engines.xboard import XboardProcess

        options = {name: value for name, value in launch.settings.items() if name not in xboard_protocol.LIMITS}
        lines = xboard_protocol.opening(self._start, self._clock, launch.settings, self._ponders, self._variant)
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

    def ready_word(self) -> str:
        """The end of the handshake."""
        return "readyok"

    def ready_limit(self) -> float:
        """Seconds for the handshake."""
        return max(uci.READY, self._clock.ready)

    def prompt(self, seat: int) -> bytes:
        """What an engine is sent in its turn."""
        is_first = seat not in self.context.asked
        self._catch_up()
        if seat in self._xboard:
            return self._xboard_prompt(seat, is_first)
        prompt, self._uci[seat].behind_stop = self._match.turn(seat, is_first, self._limits[seat])
        return prompt

    def _catch_up(self) -> None:
        """Note what has happened in the match; of a recorded one others do."""
        if self._is_recorded:
            return
        turns = self._referee.turns
        while self._known < len(turns):
            self._match.add(turns[self._known])
            if self._to_xboard is not None:
                self._to_xboard.add(turns[self._known])
            self._known += 1
        for seat, account in self.context.accounts.items():
            self._match.left[seat] = account.bank

    def ponder(self, turn: Turn) -> None:
        """After a turn: tell the engines that have moved in it to ponder, if they may and can.

        On which move is written into the turn; in a recorded match it stands there.
        """
        if not self._ponders or self._referee.over:
            return
        self._catch_up()
        for move in turn.moves:
            engine = self._uci.get(move.seat)
            if engine is None or not engine.can_ponder or self._referee.stopped[move.seat] is not None:
                self._match.guesses.pop(move.seat, None)
                continue
            if not self._is_recorded and (guess := self._guess(1 - move.seat, engine.guess)):
                move.ponder = guess
                self._match.guess(move.seat, guess)
            if move.ponder:
                engine.ponder(self._match.pondering(move.seat, self._limits[move.seat]))

    def _guess(self, seat: int, word: str) -> str:
        """The move that an engine expects of the seat that is to move, as it is recorded; empty if it is none."""
        for each in (word, CASTLING.get(word, "")):
            if each and self._is_legal(seat, each):
                return each
        return ""

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
