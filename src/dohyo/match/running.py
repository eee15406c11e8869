"""One match between bots: the referee says who moves, `Players` asks them, the fast path plays ordinary turns."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING

from dohyo.core.clock import Clock
from dohyo.core.referee import Referee
from dohyo.core.replay import Result
from dohyo.interrupts import DeferSignals
from dohyo.match.loops.driver import FastPath
from dohyo.match.players.players import Players
from dohyo.match.processes.launch import Launch

if TYPE_CHECKING:
    from dohyo.match.loops.compiled_loop import LoopBuffers
    from dohyo.match.loops.python_loop import PythonLoop
    from dohyo.match.players.in_process import Talking
    from dohyo.match.players.kept import Kept

UNFINISHED = Result((), None, "unfinished", unfinished=True)


class Match:
    """The referee's match, played with one program for each seat.

    The turns are in `referee.turns`. `result` says at any time how the match has ended, or that it has not. `cpu` is
    as in a `Replay`, after the end. `players` are asked by the match alone. `on_turn` is called after every turn,
    when no clock runs; if a `loop` plays turns, it is called after several turns. With `pondering` players are asked
    to think while others move; without it (False, not None) a program is paused while it is not to move.
    """

    def __init__(
        self,
        referee: Referee,
        launches: Sequence[Launch] | Mapping[int, Launch],
        clock: Clock,
        on_turn: Callable[[], None] | None = None,
        pondering: bool | None = None,
        loop: PythonLoop | LoopBuffers | None = None,
        objects: Mapping[int, Talking] | None = None,
        kept: Kept | None = None,
    ) -> None:
        """`launches` in order of seats or by seat. `loop` plays ordinary turns, if the clock allows it and all
        players are programs that live for the whole match, and speak its own protocol. `objects` are players in this
        process, by seat. `kept` are players of earlier matches."""
        self.result = UNFINISHED
        self.cpu: tuple[float | None, ...] = ()
        self._referee = referee
        self._clock = clock
        self._on_turn = on_turn
        self._pondering = pondering
        self._signals = DeferSignals(self._is_in_rules)
        by_seat = dict(launches) if isinstance(launches, Mapping) else dict(enumerate(launches))
        self.players = Players(referee, by_seat, clock, self._signals, pondering, objects, kept=kept)
        is_slow = bool(objects) or any(launch.a_turn or launch.kind for launch in by_seat.values())
        self._loop = loop if clock.spares_the_quick and not is_slow else None

    def play(self) -> Result:
        """Play to the end.

        However this ends, no program of the match is left running. An exception of `on_turn`, or of a signal handler
        (for example `KeyboardInterrupt`), takes effect only between turns or during waits for programs, and leaves
        turns and `result` consistent. A second signal takes effect in the game's own code too, if that does not end.
        """
        players = self.players
        with self._signals:
            fast_path = None
            try:
                players.start()
                if self._loop is not None:
                    limit = min(self._clock.limit(True), self._clock.limit(False))
                    fast_path = FastPath(
                        self._loop,
                        self._referee,
                        players.programs.processes,
                        limit,
                        self._pondering is not False,
                        players.heartbeat,
                    )
                self._play_turns(fast_path)
                players.say_farewell()
            finally:
                try:
                    if fast_path is not None:
                        fast_path.close()
                finally:
                    players.stop_all()
                self.cpu = players.cpu
                if not self._signals.broke:  # in the rules, which may never end, with a turn that is half played
                    self.result = self._referee.result(players.last)
        return self.result

    @property
    def disturbed(self) -> float:
        """Seconds for which the referee itself stood still, when that may have changed the match."""
        return self.players.disturbed

    def _play_turns(self, fast_path: FastPath | None) -> None:
        """Ask, judge and play until the match is over."""
        referee, players = self._referee, self.players
        begun = None
        while not referee.over:
            if fast_path is not None:
                asked, begun = fast_path.play(self._let_see)
                players.asked |= asked
                if asked and referee.over:
                    break
            seats = referee.pending()
            answers = players.ask(seats, begun)
            players.see(referee.submit(answers), seats)
            self._let_see()

    def _is_in_rules(self, frame: FrameType) -> bool:
        """Whether this is the game's own code, from its file or its folder."""
        game, place = self._referee.game, frame.f_code.co_filename
        return place == str(game.file) if game.file else place.startswith(f"{game.folder}{os.sep}")

    def _let_see(self) -> None:
        """Between two turns: let signals take effect, and call `on_turn`."""
        self._signals.open()
        try:
            if self._on_turn is not None:
                self._on_turn()
        finally:
            self._signals.shut()
