"""How long a program may think in a turn, so that its answer is never late."""

from __future__ import annotations

import os
import select
import time

from dohyo.core.clock import TURNS_OF_MATCH, Clock
from dohyo.core.game import Game

SHARE = 0.6  # of a limit, on a quiet machine: the rest is for pipes, and for the system to let us run
SPARED_SHARE = 0.75  # where it costs nothing to wait until we run
REST = 0.004  # seconds that are left in any case then, if that is not more than SHARE leaves
LEAST = 0.1  # of a limit, however busy the machine is
CALM = 0.25  # of our time kept waiting for a processor, at most
SOON = 0.001  # seconds of waiting for a processor that are normal
FORGETS = 0.9  # factor for each turn, for the greatest delay so far
CAUTION = 1.5  # the next answer may be this many times as late as the latest so far
NEAR = 0.1  # of a limit: from so long before the end on, every question how much time is left looks at the waits
QUICK = 0.08  # of a limit, for an answer to fall back on
LOADING = 0.5  # of the time that may be used, for a search of our own while the thinker loads
UNSEEN_SHARE, UNSEEN = 0.02, 0.001  # of a turn, and seconds, that the match's clock may count beyond what we see
# What Dohyo tells a bot's program (docs/bots.md): its limits in seconds, what the match's clock counts, the limit by
# wall time behind that, and the seconds for the whole match.
LIMIT, FIRST_LIMIT, MODE = "DOHYO_LIMIT", "DOHYO_FIRST_LIMIT", "DOHYO_CLOCK_MODE"
WALL_LIMIT, BANK = "DOHYO_WALL_LIMIT", "DOHYO_BANK"
SPARING = ("fair", "cpu")  # modes in which waiting for a processor costs nothing
STAT = "/proc/self/schedstat"  # of this process's first thread: nanoseconds that it ran, and that it waited


class Deadline(float):
    """A moment of `time.monotonic` that moves on while this process waits for a processor.

    Compared with the time now (`time.monotonic() < deadline`) it counts what has been waited meanwhile; it looks at
    that only when the time seems to be over, so a loop may compare in each round. In any other calculation it is the
    moment that was known when it was made, which is never later.
    """

    _clock: TurnClock
    _moment: float
    _last: float
    known: float  # the moment, as far as it is known

    @classmethod
    def of(cls, clock: TurnClock, moment: float, last: float) -> Deadline:
        """`moment`, if nothing is waited in the clock's turn; `last` is the latest of all."""
        made = cls(min(moment + clock.waited, last))
        made._clock, made._moment, made._last, made.known = clock, moment, last, float(made)
        return made

    def at(self, now: float) -> float:
        """The moment as it is to be compared with `now`."""
        if now >= self.known:
            self._clock.look_at_waits()
            self.known = max(self.known, min(self._moment + self._clock.waited, self._last))
        return self.known

    def __reduce__(self) -> tuple[type[float], tuple[float]]:
        """Copied, or in another process, it is the moment: waits there are not this turn's."""
        return float, (float(self),)

    # Python asks these first, also for `time.monotonic() < deadline`: this class is a subclass of the other's.
    def __lt__(self, now: float) -> bool:
        return self.at(now) < now

    def __le__(self, now: float) -> bool:
        return self.at(now) <= now

    def __gt__(self, now: float) -> bool:
        return self.at(now) > now

    def __ge__(self, now: float) -> bool:
        return self.at(now) >= now


class TurnClock:
    """The clock of one's own turns: `limit` seconds each, `first` for the first, of which a `share` may be used.

    Without a share it is `SHARE`, and by a clock that counts no waits for a processor `SPARED_SHARE`.

    Two measurements show how busy the machine is, and make the next turns shorter: how much later than planned an
    answer came, and for what part of its time the program was ready to run while the machine ran something else. A
    program that uses up its time slice has to wait for all others: so on a busy machine short searches end in time
    and long ones late.

    A clock that counts no such waits (`mode` "fair" or "cpu"; by default what Dohyo tells programs) shortens no turn
    for them, and only what was late for other reasons counts. What this process itself waits in a turn makes the turn
    as much longer (`Deadline`), as far as the limit by wall time behind that clock allows: a busy machine makes
    nobody weaker there. Where the system does not say how long a process waits, nothing is added.

    With a `bank` of seconds for the whole match, of which `limit` is the first turn's part and an increment (by
    default what Dohyo tells programs), each turn gets as large a part of what is left then: so it never runs out.
    """

    def __init__(
        self,
        limit: float,
        first: float | None = None,
        share: float | None = None,
        mode: str | None = None,
        bank: float | None = None,
    ) -> None:
        self._bank = (told(BANK, 0.0) if mode is None else 0.0) if bank is None else bank
        self._increment = max(0.0, limit - self._bank / TURNS_OF_MATCH)
        self._limit = first or limit
        self._is_spared = (os.environ.get(MODE) if mode is None else mode) in SPARING
        self._given = share
        self._next_limit = limit
        self._start = time.monotonic()
        self._planned = 0.0
        self._late = 0.0
        self._busy = 0.0  # 0..1
        self._ran, self._stood = 0.0, 0.0  # seconds of this process until the last look
        self._base = 0.0  # seconds that it had waited when the turn began, where waits are not counted
        self.waited = 0.0  # seconds since then, as far as it is known; see `look_at_waits`
        self._begun = False
        self._waited_for = False
        self._left = self._bank  # for the turns to come

    @property
    def limit(self) -> float:
        """Seconds of this turn."""
        return self._limit

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
            if self._bank:
                self._limit = max(self._increment + self._left / TURNS_OF_MATCH, UNSEEN)
            if self._is_spared:
                self._base = time_of_ours()[1]
        else:
            self._look()
            self._base = self._stood
            if self._waited_for:  # the line was there before we read: the clock ran during our own start
                now -= since_start()
                self._base = 0.0
        self._start, self.waited = now, 0.0
        self._begun = True

    @property
    def _share(self) -> float:
        """The share of this turn's limit that may be used."""
        if self._given is not None:
            return self._given
        spared = min(SPARED_SHARE, 1 - REST / max(self._limit, REST))
        return max(SHARE, spared) if self._is_spared else SHARE

    def plan(self) -> float:
        """How many seconds of this turn may be used; the answer is expected by then."""
        busy = 0.0 if self._is_spared else self._busy
        usable = max(LEAST * self._limit, self._share * self._limit * (1 - busy) ** 2 - self._late)
        self._planned = self._start + usable
        return usable

    def until(self, share: float = 1.0) -> float:
        """The moment of `time.monotonic` when the thinking, or this share of it, has to end; see `Deadline`."""
        moment = self._start + share * self.plan()
        if not self._is_spared:
            return moment
        if time.monotonic() > moment + self.waited - NEAR * self._limit:
            self.look_at_waits()
        return Deadline.of(self, moment, max(moment, self._start + self._share * wall_limit(self._limit)))

    def look_at_waits(self) -> None:
        """Note for how long this process has waited for a processor since the turn began."""
        self.waited = max(self.waited, time_of_ours()[1] - self._base)

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
        now = time.monotonic()
        self._look()
        if self._is_spared:
            now -= max(0.0, self._stood - self._base)
        late, used = now - self._planned, max(0.0, now - self._start)
        if self._bank:
            self._left = max(0.0, self._left + self._increment - (1 + UNSEEN_SHARE) * used - UNSEEN)
        self._late = max(CAUTION * late, FORGETS * self._late, 0.0)

    def _look(self) -> None:
        """Measure how busy the machine was since the last call."""
        ran, stood = time_of_ours()
        waited, ran_now = stood - self._stood, ran - self._ran
        self._ran, self._stood = ran, stood
        busy = max(0.0, waited - SOON) / max(waited + ran_now, SOON)
        self._busy = max(busy, FORGETS * self._busy)


def told_limits(game: Game) -> tuple[float, float]:
    """Seconds that a turn may take, and the first one: as Dohyo tells this program, else as usual in the game."""
    usual = game.usual_clock()
    return told(LIMIT, usual.limit(False)), told(FIRST_LIMIT, told(LIMIT, usual.limit(True)))


def limits_within(game: Game, limit: float | None, first: float | None) -> tuple[float, float]:
    """Seconds of a turn, and of the first one: these, but no more than Dohyo tells this program; where `limit` is
    none, what it tells.

    An author's own limits are those of the game's usual clock. A match may have a shorter one, and never a longer one
    for whoever asks for less.
    """
    told_limit, told_first = told_limits(game)
    if limit is None:
        first = told_first if first is None else first
        return told_limit, min(first, told_first) if LIMIT in os.environ else first
    first = limit if first is None else first
    return (min(limit, told_limit), min(first, told_first)) if LIMIT in os.environ else (limit, first)


def told(variable: str, usual: float) -> float:
    """Seconds that Dohyo tells a program by this environment variable, or the usual ones."""
    try:
        return float(os.environ.get(variable) or usual)
    except ValueError:  # set by hand
        return usual


def wall_limit(limit: float) -> float:
    """Seconds of wall time that a turn of this limit may take in all, where waits for a processor do not count."""
    return max(limit, told(WALL_LIMIT, Clock(limit, mode="fair").behind(limit)))


def is_there() -> bool:
    """Whether a line, or the end, waits in the standard input already."""
    try:
        return bool(select.select([0], [], [], 0)[0])
    except (OSError, ValueError):
        return False


def time_of_ours() -> tuple[float, float]:
    """Seconds that this process ran, and waited for a processor, so far; if not known, it never waited."""
    try:
        file = os.open(STAT, os.O_RDONLY)  # every turn does this: `open` would take twice as long
        try:
            ran, stood, _ = os.read(file, 100).split()
        finally:
            os.close(file)
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
