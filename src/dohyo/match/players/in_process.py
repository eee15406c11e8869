"""Players that are objects of the caller's own process: its own code, which it has passed to a match.

Theory of operation
-------------------
Such a player is called like a function, after the programs of the same turn have answered. Nothing can stop it: if it
is late, that is seen when it has returned. Otherwise it is judged like a program: what it raises is the end of a
program with exit status 1 (of `sys.exit`, with that status), and its traceback is what that program would have
written to standard error. What it prints is stored likewise, and also goes where it would go anyway, but for what it
draws: that is for the replay, and would fill a terminal or a notebook. Ctrl-C works while it thinks.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TextIO

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault
from dohyo.core.game import Game
from dohyo.core.observation import prompt_lines
from dohyo.core.referee import Answer
from dohyo.interrupts import DeferSignals
from dohyo.match import verdict
from dohyo.match.players.player import Group, MatchContext
from dohyo.match.processes.bot_process import LONGEST_LINE, NANO, BoundedTail

DRAWN = "@"  # how a line begins that may draw
LONGEST_DRAWN = 1000  # characters of such a line; what is longer is shown as it comes


class Talking(Protocol):
    """What plays: it is given the lines that a program would read, and returns the line that it would print."""

    def begin(self) -> None:
        """The match begins."""

    def take(self, line: str) -> str | None:
        """One line; the reply, if that is asked for now."""

    def draws(self, line: str) -> bool:
        """Whether this line of what it prints draws something, and is no text for people."""


class InProcessPlayer:
    """One seat on which an object of this process sits."""

    # What `verdict.judge` looks at: nothing but its time can go wrong with the output of an object.
    flooded, stdout_open, has_unsent, partial, ending = False, True, False, "", 0

    def __init__(self, talking: Talking, game: Game, clock: Clock, signals: DeferSignals) -> None:
        """`clock` says what of its time is charged. It plays when `start` was called."""
        self.ran: float = 0.0
        self._talking, self._game, self._signals = talking, game, signals
        self._counts_processor = clock.mode == "cpu"
        self._is_plain = clock.is_plain
        self._errors = BoundedTail()
        self._ended: Fault | None = None
        self._reply: str | None = None
        self._wall, self._cpu = 0, 0

    def start(self, ready: float) -> Fault | None:
        """The match begins: it has `ready` seconds if the game's protocol asks programs whether they are ready."""
        self._call(self._talking.begin)
        if self._ended is not None:
            return self._ended
        word = self._game.protocol.READY
        late, _ = self._is_late(ready, ready)
        return verdict.judge(self, verdict.ready(word), came=True, late=late) if word else None

    def ask(self, prompt: bytes, limit: float, behind: float) -> Answer:
        """Its answer or its fault: it has `limit` seconds by its clock, `behind` by wall time.

        One that has ended is not called.
        """
        self._reply, self._wall, self._cpu = None, 0, 0
        if self._ended is None:
            self._call(lambda: self._take(prompt))
        late, by_watch = self._is_late(limit, behind)
        seconds = round((self._cpu if self._counts_processor else self._wall) / NANO, 6)
        fault = self._ended
        if fault is None and len(self._reply or "") > LONGEST_LINE:
            fault = verdict.too_long()
        if fault is None:
            fault = verdict.judge(self, verdict.ANSWER, came=True, late=late, by_watch=by_watch)
        answer = Answer(self._reply if fault is None else None, () if fault is None else (fault,), seconds)
        answer.stderr, answer.stderr_dropped = self.take_errors()
        if not self._is_plain:
            answer.cpu = round(self._cpu / NANO, 6)
            answer.wall = round(self._wall / NANO, 6) if self._counts_processor else None
        return answer

    def _take(self, prompt: bytes) -> None:
        for line in prompt_lines(self._game, prompt):
            self._reply = self._talking.take(line)

    def _is_late(self, limit: float, behind: float) -> tuple[bool, bool]:
        """Whether its time is over, and whether only by the wall clock limit behind its own clock."""
        if not self._counts_processor:
            return self._wall >= int(limit * NANO), False
        is_late = self._cpu >= int(limit * NANO)
        return is_late or self._wall >= int(behind * NANO), not is_late

    def _call(self, work: Callable[[], None]) -> None:
        """Run its code, measured; what it raises ends it. Raises `KeyboardInterrupt`."""
        wall, cpu = time.monotonic_ns(), time.process_time_ns()
        self._signals.open()
        try:
            with _listening(self._errors, self._talking.draws):
                self._guarded(work)
        finally:
            self._signals.shut()
            self._wall, self._cpu = time.monotonic_ns() - wall, time.process_time_ns() - cpu
            self.ran += self._cpu / NANO

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else int(left.code is not None)
            if isinstance(left.code, str):
                print(left.code, file=sys.stderr)
            self._ended = verdict.ended(status & 0xFF)
        except Exception:
            traceback.print_exc()
            self._ended = verdict.ended(1)

    def how_it_ended(self) -> Fault | None:
        """The end of a program that did the same; none while it plays."""
        return self._ended

    def verdict(self, fault: Fault) -> Fault:
        """The fault itself: there is no sandbox that knows more."""
        return fault

    def take_errors(self) -> tuple[str, int]:
        """What it printed since the last call, and how many bytes before that were not stored."""
        return self._errors.take()


class InProcessPlayers(Group):
    """The objects of a match, by seat."""

    def __init__(self, talking: Mapping[int, Talking], context: MatchContext) -> None:
        """`talking` by seat."""
        self.seats = frozenset(talking)
        self._referee, self._clock = context.referee, context.clock
        of_match = context.referee.game, context.clock, context.signals
        self._players = {seat: InProcessPlayer(one, *of_match) for seat, one in sorted(talking.items())}

    def await_ready(self) -> dict[int, Answer]:
        """The match begins; an answer with a fault for each that cannot play."""
        failed = {}
        for seat, player in self._players.items():
            fault = player.start(self._clock.ready)
            if fault is not None:
                failed[seat] = Answer(None, (fault,), None, *player.take_errors())
        return failed

    def ask(
        self, seats: Sequence[int], limits: Mapping[int, float], behind: Mapping[int, float]
    ) -> dict[int, Answer]:
        """Their answers, one after the other."""
        prompts = {seat: self._referee.prompt(seat) for seat in seats}
        return {seat: self._players[seat].ask(prompt, limits[seat], behind[seat]) for seat, prompt in prompts.items()}

    @property
    def ran(self) -> Mapping[int, float | None]:  # type: ignore[override]
        """By seat: processor seconds so far."""
        return {seat: player.ran for seat, player in self._players.items()}


class _Tee:
    """A stream whose text goes to two places; lines that draw are kept alone."""

    def __init__(self, stream: TextIO | None, kept: BoundedTail, draws: Callable[[str], bool]) -> None:
        self._stream, self._kept, self._draws = stream, kept, draws
        self._begun = ""  # a line that may come to draw, as far as it was written
        self._is_inside = False  # whether a line was begun that is shown

    def write(self, text: str) -> int:
        """Write to both."""
        self._kept.add(text.encode("utf-8", "replace"))
        if self._stream is not None and (shown := "".join(map(self._shown, _pieces(text)))):
            self._stream.write(shown)
        return len(text)

    def _shown(self, piece: str) -> str:
        """What is shown now that this piece of a line was written, which may be its end."""
        is_whole = piece.endswith("\n")
        if self._is_inside or not (self._begun or piece).startswith(DRAWN):
            self._is_inside = not is_whole
            return piece
        line, self._begun = self._begun + piece, ""
        if not is_whole and len(line) <= LONGEST_DRAWN:
            self._begun = line
            return ""
        if is_whole and self._draws(line[:-1]):
            return ""
        self._is_inside = not is_whole
        return line

    def end(self) -> None:
        """Nothing more will be written: show a line that was begun, if it is none that draws."""
        if self._begun and self._stream is not None and not self._draws(self._begun):
            self._stream.write(self._begun)
        self._begun = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _pieces(text: str) -> list[str]:
    """The lines of a text, each with its newline, the last one without if it has none."""
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])


@contextmanager
def _listening(kept: BoundedTail, draws: Callable[[str], bool]) -> Iterator[None]:
    """What is printed inside is also kept."""
    before = sys.stdout, sys.stderr
    ours: Sequence[Any] = [_Tee(stream, kept, draws) for stream in before]
    sys.stdout, sys.stderr = ours
    try:
        yield
    finally:
        for at, name in enumerate(("stdout", "stderr")):
            ours[at].end()
            if getattr(sys, name) is ours[at]:  # otherwise its code has put another one there, and wants it to stay
                setattr(sys, name, before[at])
