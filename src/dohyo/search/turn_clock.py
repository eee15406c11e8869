"""How long a program may think in a turn, so that its answer is never late."""

from __future__ import annotations

import os
import select
import time

from dohyo.core.game import Game

SHARE = 0.6  # of a limit, on a quiet machine: the rest is for pipes, and for the system to let us run
LEAST = 0.1  # of a limit, however busy the machine is
CALM = 0.25  # of our time kept waiting for a processor, at most
SOON = 0.001  # seconds of waiting for a processor that are normal
FORGETS = 0.9  # factor for each turn, for the greatest delay so far
CAUTION = 1.5  # the next answer may be this many times as late as the latest so far
QUICK = 0.08  # of a limit, for an answer to fall back on
LOADING = 0.5  # of the time that may be used, for a search of our own while the thinker loads
# What Dohyo tells a bot's program (docs/bots.md): its limits in seconds, and what the match's clock counts.
LIMIT, FIRST_LIMIT, MODE = "DOHYO_LIMIT", "DOHYO_FIRST_LIMIT", "DOHYO_CLOCK_MODE"
SPARING = ("fair", "cpu")  # modes in which waiting for a processor costs nothing


class TurnClock:
    """The clock of one's own turns: `limit` seconds each, `first` for the first, of which a `share` may be used.

    Two measurements show how busy the machine is, and make the next turns shorter: how much later than planned an
    answer came, and for what part of its time the program was ready to run while the machine ran something else. A
    program that uses up its time slice has to wait for all others: so on a busy machine short searches end in time
    and long ones late.

    A clock that counts no such waits (`mode` "fair" or "cpu"; by default what Dohyo tells programs) shortens no turn
    for them, and only what was late for other reasons counts: a busy machine makes nobody weaker there.
    """

    def __init__(
        self, limit: float, first: float | None = None, share: float = SHARE, mode: str | None = None
    ) -> None:
        self._limit = first or limit
        self._is_spared = (os.environ.get(MODE) if mode is None else mode) in SPARING
        self._share = share
        self._next_limit = limit
        self._start = time.monotonic()
        self._planned = 0.0
        self._late = 0.0
        self._busy = 0.0  # 0..1
        self._ran, self._stood = 0.0, 0.0  # seconds of this process until the last look
        self._begun = False
        self._waited_for = False

    def ready(self) -> None:
        """The program is about to read its first line."""
        self._waited_for = is_there()

    def forget(self) -> None:
        """How busy the machine was until now says nothing: this process did other things."""
        self._ran, self._stood = time_of_ours()

    def begin(self) -> None:
        """A turn begins."""
        now = time.monotonic()
        if self._begun:
            self._limit = self._next_limit
        else:
            self._look()
            if self._waited_for:  # the line was there before we read: the clock ran during our own start
                now -= since_start()
        self._start = now
        self._begun = True

    def until(self, share: float = 1.0) -> float:
        """The moment of `time.monotonic` when the thinking, or this share of it, has to end."""
        busy = 0.0 if self._is_spared else self._busy
        usable = max(LEAST * self._limit, self._share * self._limit * (1 - busy) ** 2 - self._late)
        self._planned = self._start + usable
        return self._start + share * usable

    def quick(self) -> float:
        """The moment by which there should be a first answer."""
        return min(time.monotonic() + QUICK * self._limit, self.until())

    def left(self) -> float:
        """Seconds that may still be thought in this turn."""
        return self.until() - time.monotonic()

    def is_calm(self) -> bool:
        """Whether there is time to wait for something in this turn."""
        return self._busy < CALM

    def end(self) -> None:
        """The answer is ready."""
        late, waited = time.monotonic() - self._planned, self._look()
        if self._is_spared:
            late -= waited
        self._late = max(CAUTION * late, FORGETS * self._late, 0.0)

    def _look(self) -> float:
        """Measure how busy the machine was since the last call; returns for how long it kept us waiting."""
        ran, stood = time_of_ours()
        waited, ran_now = stood - self._stood, ran - self._ran
        self._ran, self._stood = ran, stood
        busy = max(0.0, waited - SOON) / max(waited + ran_now, SOON)
        self._busy = max(busy, FORGETS * self._busy)
        return waited


def told_limits(game: Game) -> tuple[float, float]:
    """Seconds that a turn may take, and the first one: as Dohyo tells this program, else as usual in the game."""
    usual = game.usual_clock()
    return _told(LIMIT, usual.limit(False)), _told(FIRST_LIMIT, _told(LIMIT, usual.limit(True)))


def _told(variable: str, usual: float) -> float:
    try:
        return float(os.environ.get(variable) or usual)
    except ValueError:  # set by hand
        return usual


def is_there() -> bool:
    """Whether a line, or the end, waits in the standard input already."""
    try:
        return bool(select.select([0], [], [], 0)[0])
    except (OSError, ValueError):
        return False


def time_of_ours() -> tuple[float, float]:
    """Seconds that this process ran, and waited for a processor, so far; if not known, it never waited."""
    try:
        with open("/proc/self/schedstat", encoding="ascii") as file:
            ran, stood, _ = file.read().split()
        return int(ran) / 1e9, int(stood) / 1e9
    except (OSError, ValueError):
        return time.process_time(), 0.0


def since_start() -> float:
    """Seconds since this process was started; if the system does not say it, its processor time."""
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:
            ticks = int(file.read().rpartition(")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (AttributeError, IndexError, OSError, ValueError):
        return time.process_time()
