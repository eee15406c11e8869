"""The environment of an attack: a hostile bot among other bots, with secrets nearby, and what is left afterwards."""

from __future__ import annotations

import os
import re
import secrets
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.replay import Move, Replay
from dohyo.system.proc import fair_mode
from tests.hostile import layers
from tests.hostile.table import expected
from tests.processes import every_pid, runs
from tests.skips import program

GUESTS = Path(__file__).parent / "guests"
SHARED = ("guest.h", "guest.py")
NEIGHBOUR = "neighbour"
LONG = 60.0  # seconds: nothing depends on how fast the machine is
SHORT = 0.3  # seconds: for a guest that is late for certain
HOLD = {"holds_output", "holds_errors", "holds_input", "holds_by_sendfile", "holds_by_pages"}
SLOW = {*HOLD, "closes_stdout", "closes_stdin", "never_reads", "answers_late", "no_newline", "stops_itself"}
PATIENCE = 20  # seconds, for a guest that is ended because of what it has taken by then
ENOUGH = 1.0  # seconds: for one that uses more by far, and where little may be forgiven
FAIR = {"naps", "thinks_in_turns", "awaits_pages"}  # they wait, where others are forgiven that
SEATS = 4
TURNS = 12  # three for every seat
FAULTS = {kind.value for kind in FaultKind}
FLOODS = 400  # turns, until more lies about than anybody reads
SECRET = "TESTS_SECRET_TOKEN"  # a name in the environment, none that bots are told
SECRETS = "a secret\n"  # what files hold
TOKEN = "hostile-guest-"  # every guest has it in its command line, and so has what it leaves behind
CGROUPS = Path("/sys/fs/cgroup")
BUBBLES = ("/newroot/", "/oldroot/")


class Told(NamedTuple):
    """What a match told of a guest: the faults in order, the marks, and how often it answered.

    `others` are the marks that may be any guest's of the match, where there were several.
    """

    replay: Replay
    faults: list[tuple[FaultKind, int | None]]
    marks: list[str]
    answered: int
    others: list[str]

    def marked(self, kind: str) -> list[str]:
        """The marks of one kind: GOT, NOT or ABSENT."""
        return [mark for mark in self.marks if mark.startswith(f"{kind} ")]


class Scene:
    """What guests attack. A context manager: nothing of it is left afterwards."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.token = f"{TOKEN}{os.getpid()}-{secrets.token_hex(6)}"
        self.folder = folder
        self.cache = cache
        self.place = self._made("place")
        self.store = self._made("store")
        self.neighbour = self._made("neighbour")
        for home in (self.store, self.neighbour):
            (home / "secret").write_text(SECRETS)
        self.is_searched = False  # for processes that were left, since the last match
        self._hits = 0
        self._attacked: subprocess.Popen[str] | None = None
        self._address = ""
        self._stack = ExitStack()

    def _made(self, name: str) -> Path:
        place = self.folder / name
        place.mkdir()
        return place

    def __enter__(self) -> Scene:
        with ExitStack() as stack:
            self.tcp = stack.enter_context(_listening(socket.AF_INET, ("127.0.0.1", 0)))
            self.udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            self.udp.bind(("127.0.0.1", 0))
            self.unix = stack.enter_context(_listening(socket.AF_UNIX, str(self.folder / "socket")))
            self.abstract = stack.enter_context(_listening(socket.AF_UNIX, f"\0{self.token}"))
            self.letters = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            self.letters.bind(str(self.folder / "letters"))
            for listener in (self.tcp, self.udp, self.unix, self.abstract, self.letters):
                listener.setblocking(False)
            shm = "/dev/shm" if os.path.isdir("/dev/shm") else str(self.folder)  # in memory, where there is such
            self.shm = stack.enter_context(tempfile.TemporaryDirectory(prefix=f"{self.token}-", dir=shm))
            before = signal.signal(signal.SIGURG, self._hit)
            stack.callback(signal.signal, signal.SIGURG, before)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _hit(self, *_: object) -> None:
        self._hits += 1

    @property
    def victim(self) -> subprocess.Popen[str]:
        """A process of the operator's, for guests that attack one; started when it is asked for."""
        if self._attacked is None:
            self._attacked = _victim(self.token)
            self._stack.callback(self._attacked.communicate)
            assert self._attacked.stdout is not None
            self._address = self._attacked.stdout.readline().strip()
        return self._attacked

    # --- the match

    def place_guest(self, name: str) -> Path:
        """A copy of a guest in a folder of its own."""
        source = next(path for path in GUESTS.glob(f"{name}.*"))
        if source.suffix == ".c":
            program("cc")
        home = self.folder / name
        home.mkdir(exist_ok=True)
        for file in (source.name, *SHARED):
            shutil.copy(GUESTS / file, home)
        return home / source.name

    def command(self, name: str, **words: object) -> str:
        """The command line of a guest: it bears the token, and in hexadecimal digits what the guest is told.

        As digits it names no path, which would be shown in the sandbox; nor is a file of words brought along.
        """
        told = "".join(f"{key}={value}\n" for key, value in words.items()).encode().hex()
        return f"{shlex.quote(str(self.place_guest(name)))} token={self.token} words={told}"

    def play(self, name: str, layer: int, clock: Clock | None = None) -> Told:
        """Play a match under a layer, with the guest on seat 0; what it tells of the guest."""
        return self.play_together([name], layer, clock)[name]

    def play_together(self, names: Sequence[str], layer: int, clock: Clock | None = None) -> dict[str, Told]:
        """Play a match under a layer between at most three guests that take the same clock; what it tells of each."""
        guests = [self.command(name, **self._words(name, layer)) for name in names]
        turns = FLOODS if names[0].startswith("floods_") else TURNS
        replay = self._match(guests, layer, clock or clock_for(names[0]), turns)
        return dict(zip(names, self.tell(replay, len(names)), strict=True))

    def play_folder(self, home: Path, layer: int) -> Told:
        """The same with a folder as it was handed in."""
        return self.tell(self._match([str(home)], layer, Clock(turn=LONG, ready=LONG)))[0]

    def _match(self, guests: list[str], layer: int, clock: Clock, turns: int = TURNS) -> Replay:
        for file in (f"{NEIGHBOUR}.c", "guest.h"):
            shutil.copy(GUESTS / file, self.neighbour)
        beside = f"{shlex.quote(str(self.neighbour))}/{NEIGHBOUR}.c token={self.token}"
        bots = [*guests, *[beside] * (SEATS - len(guests))]
        self.is_searched = False
        return layers.play(layer, "drop-block", bots, setup={"turns": turns}, clock=clock)

    def _words(self, name: str, layer: int) -> dict[str, object]:
        """What a guest is told of what there is to attack."""
        words = {
            "token": self.token,
            "seconds": ENOUGH if name in FAIR else SHORT,
            "referee": os.getpid(),
            "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "unix": self.folder / "socket",
            "letters": self.folder / "letters",
            "abstract": self.token,
            "neighbour": self.neighbour,
            "store": self.store,
            "cache": self.cache,
            "mebibytes": layers.MEBIBYTES,
            "tasks": layers.TASKS,
            "disk": layers.DISK,
        }
        if "victim" in next(GUESTS.glob(f"{name}.*")).read_text():
            words |= {"victim": self.victim.pid, "address": self._address}
        if name in (guests := expected()) and guests[name][layer].word in FAULTS:  # it is ended before that is over
            words["patience"] = PATIENCE
        free = {"free": 1, "place": self.place, "shm": self.shm} if layer == layers.FREE else {}
        return {**words, **free}

    def tell(self, replay: Replay, guests: int = 1) -> list[Told]:
        """What a replay tells of the players on the first seats, and what was seen from outside."""
        moves = [move for turn in replay.turns for move in turn.moves]
        last = list(replay.result.last)
        others = [line for move in (*moves, *last) if move.seat >= guests for line in _marks(move, "GOT ")]
        others += self._seen()
        told = []
        for seat in range(guests):
            own = [move for move in moves if move.seat == seat]
            faults = [(fault.kind, fault.status) for move in own for fault in move.faults]
            text = "".join(move.stderr for move in (*own, *(move for move in last if move.seat == seat)))
            marks = [line for line in text.splitlines() if line.startswith(("GOT ", "NOT ", "ABSENT "))]
            answered = sum(1 for move in own if move.seconds is not None and not _unanswered(move))
            told.append(Told(replay, faults, marks, answered, others))
        return told if guests > 1 else [told[0]._replace(marks=told[0].marks + others, others=[])]

    def _seen(self) -> list[str]:
        """What came out of the sandbox, as those tell who got it."""
        seen = []
        for receiver in (self.udp, self.letters):
            with suppress(BlockingIOError):
                receiver.recv(100)
                seen.append("GOT a datagram arrived")
        for listener in (self.tcp, self.unix, self.abstract):
            with suppress(BlockingIOError):
                listener.accept()[0].close()
                seen.append("GOT somebody connected")
        for place in (self.folder, self.cache):
            for planted in place.rglob("planted"):
                planted.unlink()
                seen.append("GOT a file was planted")
        for home in (self.store, self.neighbour):
            with suppress(PermissionError):
                if (home / "secret").read_text() != SECRETS:
                    seen.append("GOT a file was changed")
        if self._hits:
            seen.append("GOT a signal came to the referee")
        return seen

    # --- what is left

    def left(self) -> list[int]:
        """The processes that carry the token, but for the victim."""
        found = [pid for pid in carriers(self.token) if self._attacked is None or pid != self._attacked.pid]
        self.is_searched = not found
        return found


def _marks(move: Move, kind: str) -> list[str]:
    """The marks of one kind that a player wrote with a move."""
    return [line for line in move.stderr.splitlines() if line.startswith(kind)]


def _unanswered(move: Move) -> bool:
    """Whether a fault stands in the place of the reply."""
    return move.reply is None and bool(move.faults)


def clock_for(name: str) -> Clock:
    """All the time in the world, but for guests that use up all they have."""
    if name == "never_ready":
        return Clock(turn=LONG, ready=SHORT)
    if name in FAIR:
        return Clock(turn=ENOUGH, ready=LONG, mode=fair_mode())
    return Clock(turn=SHORT if name in SLOW else LONG, ready=LONG)


def carriers(token: str) -> list[int]:
    """The running processes with this token in their command line or environment."""
    found = []
    for pid in every_pid():
        with suppress(OSError):
            texts = [Path(f"/proc/{pid}/{name}").read_bytes() for name in ("cmdline", "environ")]
            if pid != os.getpid() and any(token.encode() in text for text in texts) and runs(pid):
                found.append(pid)
    return found


def cgroups() -> set[str]:
    """The cgroups that this process has made.

    Those of processes that are no more may be another worker's, whose test has just killed a command; what is still
    there when all tests have ended fails the run (`tests/leftovers.py`).
    """
    ours = re.compile(rf"dohyo-{os.getpid()}-\d+")
    return {
        os.path.join(folder, name) for folder, names, _ in os.walk(CGROUPS) for name in names if ours.fullmatch(name)
    }


def mounts(*places: Path) -> set[str]:
    """What is mounted in these folders, or where bubblewrap makes a root; elsewhere others may mount things."""
    below = tuple(f"{place}/" for place in places) + BUBBLES
    with suppress(OSError):
        lines = Path("/proc/self/mounts").read_text().splitlines()
        return {line for line in lines if f"{line.split()[1]}/".startswith(below)}
    return set()


def end(pid: int) -> None:
    """End a process that a guest left behind, and wait until it is gone."""
    with suppress(ProcessLookupError):
        descriptor = os.pidfd_open(pid)
        try:
            signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            poll.poll()
        finally:
            os.close(descriptor)


def _listening(family: int, address: object) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.bind(address)
    listener.listen()
    return listener


VICTIM = """
import ctypes, sys
secret = ctypes.create_string_buffer(b"secret!!")
print(hex(ctypes.addressof(secret)), flush=True)
sys.stdin.read()
"""


def _victim(token: str) -> subprocess.Popen[str]:
    """A process of the operator's that has a name, an environment and a memory to be read."""
    return subprocess.Popen(
        [sys.executable, "-c", VICTIM, f"{token}-victim"],
        env={**os.environ, "SECRET": f"{token}-victim"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
