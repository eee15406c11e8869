"""What a search would do in a person's place: asked of a process that a guest brings (`dohyo.doors.Guest.hints`).

It is told the match so far, and says no more than the person's seat could find out by itself. The process is killed
when its time is over; its order, and what it answers, are a line of JSON each.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import threading
from contextlib import suppress

import msgspec

from dohyo import doors
from dohyo.core.replay import FORMAT, Header, Replay, Seat
from dohyo.core.replay_format import encode
from dohyo.i18n import Speaker
from dohyo.match.people.desk import Question
from dohyo.match.running import UNFINISHED
from dohyo.system import interpreter

BESIDE = 300.0  # seconds beside those of the search: rules are compiled before it, on a busy machine for minutes
MAX_ANSWER = 1 << 16  # bytes


class HintOrder(msgspec.Struct, frozen=True):
    """For which seat, in how many seconds, in which language; the match so far follows, of `size` bytes."""

    size: int
    seat: int
    seconds: float
    compiled: bool
    language: str


class Hint(msgspec.Struct, frozen=True):
    """A sentence, and the action that it names; empty where none can be named."""

    said: str = ""
    action: str = ""


class Hints:
    """Asks for hints, one at a time."""

    def __init__(self, module: str, beside: float = BESIDE) -> None:
        self._module, self._beside = module, beside
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    @classmethod
    def found(cls) -> Hints | None:
        """What a guest brings; none if none does."""
        module = doors.brought("hints").get("match")
        return None if module is None else cls(module)

    def ask(self, question: Question, seconds: float, speaker: Speaker) -> Hint:
        """What to do for the person who is asked; a sentence in its place where that cannot be said."""
        return self.ask_of(so_far(question), question.seat, seconds, speaker)

    def ask_of(self, match: bytes, seat: int, seconds: float, speaker: Speaker) -> Hint:
        """What the seat should do behind the end of an encoded match; may be called in any thread."""
        nothing = Hint(speaker.say("hint.none"))
        compiled = importlib.util.find_spec("numba") is not None
        order = HintOrder(len(match), seat, seconds, compiled, speaker.language)
        with self._lock:
            if self._is_closed:
                return nothing
            if self._process is not None:
                return Hint(speaker.say("hint.busy"))
            process = self._process = subprocess.Popen(
                interpreter.module(self._module, interpreter.current_folder()),
                cwd=interpreter.FOLDER,
                env=interpreter.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                process_group=0,
            )
        try:
            told, _ = process.communicate(msgspec.json.encode(order) + b"\n" + match, seconds + self._beside)
            return msgspec.json.decode(told[:MAX_ANSWER], type=Hint)
        except subprocess.TimeoutExpired:
            return Hint(speaker.say("hint.late"))
        except (msgspec.MsgspecError, OSError, ValueError):
            return nothing
        finally:
            _kill(process)
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError, ValueError):  # what the process did not read
                    if pipe is not None:
                        pipe.close()
            with self._lock:
                self._process = None

    def close(self) -> None:
        """End what runs; nothing starts any more."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                _kill(self._process)


def so_far(question: Question) -> bytes:
    """The match up to now, as a replay's bytes; its last line has the dice of the turn that comes."""
    referee = question.referee
    head = Header(
        dohyo=FORMAT,
        game=referee.game.name,
        rules=referee.game.version,
        setup=dict(referee.setup),
        seats=tuple(Seat(f"{seat}", "", "") for seat in range(referee.seats)),
        seed=referee.seed,
        software="",
        start=referee.began,
        first=referee.first,
    )
    return encode(Replay(head, referee.so_far(), UNFINISHED))


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
