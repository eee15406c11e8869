"""A search for a program that has to answer in time: compiled ahead of time, or plain first and compiled later.

Theory of operation
-------------------
The bot's build step (`python bot.py --warm`, see `warm_up`) compiles the search and stores it as machine code in the
folder `cache` beside the bot (`dohyo.search.ahead`); where an author has declared no build, Dohyo adds this one
(`dohyo.bots.python_sources`). The program loads that at its start, in a few milliseconds, and searches with compiled
code from its first turn on.

If there was no build, or the search asks for compiled functions by itself, importing the compiler and loading the
compiled functions takes about a second of processor time, too much for a turn. Then the program forks a second
process at its start, the thinker (unless the build failed to compile: that would take longer than a match). The
thinker imports Numba and loads the compiled search, while the program answers by the same search in plain Python.
When the thinker reports that it is ready, positions go to it through a pipe, as packed states. The program never
waits for it beyond its own deadline, because it has an answer of its own by then. A thread instead of a process would
hold the interpreter's lock during the import. Without Numba there is no thinker, and the search stays plain.

The program writes to standard error which kind of search it uses, one line for each change; a replay keeps these.

A bot that is a class (`dohyo.Bot`) needs no `Thinker`: its build compiles what its searches with `compiled=True` ask
for, and a match loads that (`of_program.py`).
"""

from __future__ import annotations

import atexit
import gc
import importlib.util
import os
import select
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NoReturn, Protocol

from dohyo.core import build_notes
from dohyo.core.errors import OperatorError
from dohyo.core.flat import Layout
from dohyo.core.game import Game, State
from dohyo.search import ahead, of_program
from dohyo.search.backend import CHOSEN, plain_states
from dohyo.search.of_program import AHEAD, DONE, WARM, folder
from dohyo.search.turn_clock import LOADING, TurnClock, limits_within, since_start, told
from dohyo.search.uct import Choice
from dohyo.system.allowance import Allowance, used_by

BUILD_SECONDS = "DOHYO_BUILD_SECONDS", 60.0  # the variable with a build's processor seconds, and its usual value
WARM_SHARE = 5 / 6  # of that time, for compiling
DONE_WELL, FAILED, OTHER_WAY, WITHOUT = 0, 1, 2, 3  # exit statuses of a child that compiles; the last: no compiler
BROKEN_OFF = -1  # for a child that did not exit in time
NOTES = {  # what the build reports (`dohyo.core.build_notes`)
    FAILED: build_notes.NOT_COMPILED,
    OTHER_WAY: build_notes.NOT_COMPILED,
    WITHOUT: build_notes.NO_NUMBA,
    BROKEN_OFF: build_notes.BROKEN_OFF,
}
ASK = struct.Struct("<qqdq")  # number of the question, seat, until when, how many worlds follow the state
TELL = struct.Struct("<qqqdq")  # number of the question, action, visits, value, playouts
READY = -1  # the number of the thinker's first message, which answers no question
MAX_BYTES = 48 * 1024  # of a question: a pipe holds 64 KiB
WORTH_ASKING = 0.005  # seconds
BEHIND = 10  # the thinker's niceness: if both want to run, the program goes first
LATER = "search: compiled by Numba, in another process"
PLAIN = "search: in plain Python, until it is compiled"
ONLY_PLAIN = "search: in plain Python; build the bot with the extra `fast` (numba) installed, and it is stronger"
LONGEST_BUNDLE = 0.004  # seconds that a search may be late, on a quiet machine


class Searching(Protocol):
    """`Search` or `Beam`."""

    game: Game

    def choose(
        self,
        state: State,
        seat: int,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        worlds: Iterable[State] | None = None,
        until: float | None = None,
    ) -> Choice:
        """What the seat should do."""


# Makes the search, compiled or not: a function of the bot.
Maker = Callable[[bool], Searching]


class Thinker:
    """A search within a turn's time: `limit` seconds, `first` for the first turn, of which it uses a `share`.

    Without limits they are those that Dohyo tells the program, by hand the game's usual ones; limits that are given
    are shorter where those are. Without a share it is 0.6, and 0.75 by a clock that counts no waits for a processor
    (`fair`, `cpu`). `make(compiled)` makes the search. Construct it before the first input is read. Called with
    `--warm` on the command line, the constructor compiles what will be needed, and exits.
    """

    def __init__(
        self, make: Maker, limit: float | None = None, first: float | None = None, share: float | None = None
    ) -> None:
        if WARM in sys.argv[1:] and not CHOSEN:
            warm_up(make)
        self._said = ""
        self._ahead = loaded(make)
        self._plain = self._ahead or make(False)
        layout = self._plain.game.rules.LAYOUT
        self._other = _Other(make, layout) if self._ahead is None and pays() else None
        self.clock = TurnClock(*limits_within(self._plain.game, limit, first), share)
        gc.freeze()
        gc.disable()  # a search makes no reference cycles, and a collection would come in the middle of a turn
        self.clock.ready()

    def wait(self, seconds: float) -> None:
        """Wait for the compiled search until the given number of seconds after the program's start.

        For a program that has time before it reports that it is ready: its first turns then use compiled code.
        """
        if self._other is not None:
            self._other.is_ready(time.monotonic() + seconds - since_start())
        self.clock.ready()

    def begin(self) -> None:
        """The turn begins: call this as soon as its first line was read."""
        self.clock.begin()

    def choose(self, state: State, seat: int, worlds: Iterable[State] | None = None) -> Choice:
        """What the seat should do, found in the rest of the turn. For the rest see `Search.choose`."""
        possible = [state] if worlds is None else plain_states(self._plain.game.rules.LAYOUT, worlds)
        until = self.clock.until()
        other = self._other
        if other is None:
            choice = self._plain.choose(state, seat, worlds=possible, until=until)
            return self._kept(choice, AHEAD if self._ahead is not None else ONLY_PLAIN)
        if other.is_ready():
            return self._kept(self._asked(other, state, seat, possible, until, self.clock.quick()), LATER)
        # The thinker needs the processor too, if there is only one. On a busy machine a sleeping process wakes up
        # late.
        choice = self._plain.choose(state, seat, worlds=possible, until=self.clock.until(LOADING))
        if self.clock.is_calm() and other.is_ready(until) and self.clock.left() > WORTH_ASKING:
            found = other.ask(state, seat, possible, until) and other.answer(until + LONGEST_BUNDLE)
            if found:
                return self._kept(found, LATER)
        return self._kept(choice, PLAIN)

    def _asked(
        self, other: _Other, state: State, seat: int, worlds: Sequence[State], until: float, soon: float
    ) -> Choice:
        """The thinker's choice, or a quick one of our own if it is late."""
        beside = other.cores > 1
        asked = beside and other.ask(state, seat, worlds, until)
        own = self._plain.choose(state, seat, worlds=worlds, until=soon)
        asked = asked or (not beside and other.ask(state, seat, worlds, until))
        found = other.answer(until + LONGEST_BUNDLE) if asked else None
        return found or own

    def _kept(self, choice: Choice, how: str) -> Choice:
        """Note how late the answer is; report which search found it, if that has changed."""
        self.clock.end()
        if how != self._said:
            self._said = how
            with suppress(OSError):
                os.write(2, f"{how}; {choice.playouts} tried in this turn\n".encode())
        return choice


def loaded(make: Maker) -> Searching | None:
    """The search that the build has compiled ahead of time; none if it cannot be loaded."""
    if CHOSEN:  # a build is under way, of a class that makes a thinker in its `begin`
        return make(True)
    if not ahead.is_there(folder()):
        return None
    try:
        with ahead.loading(folder()):
            return make(True)
    except Exception as reason:  # whatever it is: Numba or plain Python is left, and somebody may read this
        print(f"search: not loaded: {reason}", file=sys.stderr)
        return None


def warm_up(make: Callable[[bool], object], later: bool = True) -> NoReturn:
    """Compile the search into the folder beside the bot, and exit.

    What cannot be stored as machine code is left to Numba's cache, if a match can load that `later`, in another
    process.

    No error here may stop the bot: it then plays in plain Python. So this has a time limit of its own, and always
    exits with status 0. The next build tries again what was stopped.
    """
    from dohyo.bots.cache import AGAIN

    seconds = WARM_SHARE * told(*BUILD_SECONDS)
    left = Allowance(seconds)
    left.used = time.process_time()
    os.environ["DOHYO_CACHE"] = str(folder())
    status = _in_a_child(lambda: _compile_ahead(make, later), left)
    if later and (status == OTHER_WAY or (status is not None and status < 0)):
        status = _in_a_child(lambda: _compile_into_cache(make), left)
    if status is None or status < 0:
        what = "the compiler was killed" if status else f"not compiled within {seconds:g} s of the processor"
        print(f"search: {what}; it will be plain until the next build, which tries again", file=sys.stderr)
        with suppress(OSError):
            (folder().parent / AGAIN).touch()
    if status == OTHER_WAY:
        status = FAILED
    if note := NOTES.get(BROKEN_OFF if status is None or status < 0 else status):
        print(build_notes.line(note), file=sys.stderr)
    sys.exit(0)


def _in_a_child(work: Callable[[], int], left: Allowance) -> int | None:
    """The exit status of a child that runs this; none if time was up; minus the number of a signal that ended it.

    What it used is taken from what is left.
    """
    pid = os.fork()
    if pid == 0:
        status = FAILED
        try:
            status = work()
        except OperatorError as reason:
            print(f"search: {reason}", file=sys.stderr, flush=True)
            status = WITHOUT if reason.key == "needs-fast" else FAILED
        except Exception as reason:
            print(f"search: {reason}", file=sys.stderr, flush=True)
            status = OTHER_WAY
        finally:
            os._exit(status)
    while True:
        used = used_by(pid)
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended or left.is_over(used):
            break
        time.sleep(0.05)
    left.used += used or 0.0
    if ended:
        return os.waitstatus_to_exitcode(status)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def _compile_ahead(make: Callable[[bool], object], later: bool) -> int:
    """Store the search as machine code; returns the result as an exit status."""
    import shutil

    shutil.rmtree(folder(), ignore_errors=True)  # what an earlier build compiled
    folder().mkdir(exist_ok=True)
    with ahead.recording(of_program.noted()) as backend:
        make(True)
    backend.forget_unused()
    if backend.asked:
        return DONE_WELL if backend.save(folder()) else OTHER_WAY
    if not later:
        print("search: the build has seen none: make it in `begin`, or let the class name its game", file=sys.stderr)
        return OTHER_WAY
    (folder() / DONE).touch()  # it has compiled functions by itself, with Numba, which has kept them
    return DONE_WELL


def _compile_into_cache(make: Callable[[bool], object]) -> int:
    """Let Numba keep what it compiles: for a search that cannot be stored as machine code."""
    with of_program.aside():
        make(True)
    (folder() / DONE).touch()
    return DONE_WELL


def pays() -> bool:
    """Whether there is a compiler, and no build has failed to compile: compiling would then take minutes."""
    return importlib.util.find_spec("numba") is not None and (not folder().is_dir() or (folder() / DONE).is_file())


class _Other:
    """The thinker, as the program sees it."""

    def __init__(self, make: Maker, layout: Layout) -> None:
        self._layout = layout
        self.cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        here, there = os.pipe(), os.pipe()  # for answers, for questions
        self._pid = os.fork()
        if self._pid == 0:
            os.close(here[0])
            os.close(there[1])
            _think(make, layout, there[0], here[1])
        os.close(here[1])
        os.close(there[0])
        self._reads, self._writes = here[0], there[1]
        os.set_blocking(self._writes, False)
        self._number = 0
        self._ready = self._gone = False
        self._pending = b""
        atexit.register(self.close)

    def is_ready(self, until: float = 0.0) -> bool:
        """Whether the thinker can be asked; waits for it until a moment of `time.monotonic`."""
        if not self._ready and not self._gone:
            said = self._read(until)
            self._ready = said is not None and said[0] == READY
        return self._ready

    def ask(self, state: State, seat: int, worlds: Sequence[State], until: float) -> bool:
        """Send a position; whether it could be sent. The state itself comes first, then as many worlds as fit."""
        self._number += 1
        pack, some = self._layout.pack, worlds[: max(1, MAX_BYTES // self._layout.size - 1)]
        whole = b"".join((ASK.pack(self._number, seat, until, len(some)), pack(state), *map(pack, some)))
        try:
            if os.write(self._writes, whole) < len(whole):
                self._lose()  # it got half a question, and could not read any later one
        except BlockingIOError:
            return False
        except OSError:
            self._lose()
        return self._ready

    def answer(self, until: float) -> Choice | None:
        """The answer to the last question, if it comes in time."""
        while (said := self._read(until)) is not None:
            number, action, visits, value, playouts = said
            if number == self._number:
                return Choice(action, visits, value, playouts)
        return None

    def _read(self, until: float) -> Any:
        """The thinker's next message, if it comes in time."""
        while len(self._pending) < TELL.size:
            left = max(0.0, until - time.monotonic())
            if not select.select([self._reads], [], [], left)[0]:
                return None
            came = os.read(self._reads, 4096)
            if not came:  # it has ended
                self._lose()
                return None
            self._pending += came
        said, self._pending = TELL.unpack_from(self._pending), self._pending[TELL.size :]
        return said

    def _lose(self) -> None:
        """Do not ask it any more: from now on the program searches alone, with all its time."""
        self._ready, self._gone = False, True

    def close(self) -> None:
        """End it."""
        with suppress(OSError):
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)


# --- the thinker itself --------------------------------------------------------------------------------------------


def _think(make: Maker, layout: Layout, reads: int, writes: int) -> NoReturn:
    """Load the compiled search, report that, and answer questions until the pipe is closed."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.nice(BEHIND)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)  # the referee's pipes are the program's alone
        os.dup2(nothing, 1)
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy would start an unused thread for each core
        if folder().is_dir():
            os.environ["DOHYO_CACHE"] = str(folder())
        with of_program.aside():
            search = make(True)
        os.write(writes, TELL.pack(READY, 0, 0, 0.0, 0))
        gc.freeze()
        gc.disable()
        while question := _whole(reads, ASK.size):
            number, seat, until, count = ASK.unpack(question)
            state, content = _whole(reads, layout.size), _whole(reads, count * layout.size)
            if time.monotonic() < until:
                choice = search.choose(layout.unpack(state), seat, worlds=_records(layout, content), until=until)
                os.write(writes, TELL.pack(number, choice.action, choice.visits, choice.value, choice.playouts))
    except BrokenPipeError:
        pass
    finally:
        os._exit(0)


def _whole(reads: int, size: int) -> bytes:
    """The given number of bytes; none at the end of the input."""
    found = b""
    while len(found) < size:
        came = os.read(reads, size - len(found))
        if not came:
            return b""
        found += came
    return found


def _records(layout: Layout, content: bytes) -> Any:
    """Packed states as an array of records."""
    import numpy

    rows = numpy.frombuffer(content, numpy.uint8).reshape(-1, layout.size)
    records = numpy.zeros(len(rows), layout.dtype())
    records.view(numpy.uint8).reshape(len(rows), -1)[:, : layout.size] = rows
    return records
