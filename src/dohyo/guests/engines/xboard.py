"""Players that are engines of the Chess Engine Communication Protocol, version 2, as XBoard speaks it.

Theory of operation
-------------------
As a UCI engine (`uci.py`), such a program lives for the match and is asked, timed and judged as every other one is.

Before the first turn: `xboard`, `protover 2`. It tells its features until `done=1`; each is answered by `accepted` or
`rejected`. One that has told none after `SILENCE` seconds is told the match's beginning all the same, line by line,
and `force` again and again; after `WAKING` seconds of that it is an engine of version 1, and has the usual features.
(gnuchess 6.2 holds a lock on its input while it waits for a line, and another thread of it needs that lock before it
begins: with each line it has a chance to get it. On a busy machine it was seen to need 41.) One that says `done=0` is
waited for until its time for being ready is over: at least `READY` seconds, or the clock's. Then come the values of
its options, `new`, `easy` (or `hard`, where pondering is allowed), `post`, the clock, `force`, and where the match
begins, if that is not the usual position; an engine without `setboard` cannot play such a match. With `ping`, it is
ready with `pong`.

In each turn: `time`, `otim`, and the moves that it has not been told; in its first one `go`. It answers with `move`
(or `My move is`; the form that it uses first counts), in coordinates or as people write it (Nf3), or with `resign`.
If it has not moved shortly before its time is over, `?` asks it to move now. Offers and claims of draws are passed
over: the rules end matches. A line that begins with `Illegal move` is an answer that is none: the engine has refused
the other side's legal move, and will not move.

What it tells of its search is kept as UCI engines tell it, an `info` line with a score, for PGN and for ends by
scores.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from time import monotonic_ns

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.guests.engines import xboard_protocol
from dohyo.guests.engines.uci import LONGEST_INFO, MAX_OPTIONS, EngineOption, EngineProcess, plain
from dohyo.guests.engines.uci_protocol import spare
from dohyo.guests.engines.xboard_protocol import HURRY, THOUGHT, USUAL
from dohyo.match.processes.bot_process import NANO, BotProcess
from dohyo.match.processes.poller import Poller
from dohyo.match.processes.stopwatch import Stopwatch

SILENCE = 2.0  # seconds after which an engine without a word is woken up
WAKING = 2.0  # seconds of that after which it is one of version 1
NUDGE = 0.01  # seconds between the lines that are to wake it up
AWAKE = "force\n"  # such a line: it changes nothing before a match
GIVE_UP = "give-up"  # what the referee takes for `resign`
PING, PONG = "ping 1", "pong 1"
TAKEN = frozenset(("ping", "setboard", "usermove", "time", "colors", "done", "myname", "option", "sigint", "sigterm"))
TAKEN |= {"reuse", "draw", "name", "analyze", "variants"}
USUALLY = frozenset(("analyze", "time", "colors", "sigint", "sigterm"))  # features of who tells nothing of them
_FEATURE = re.compile(r'(\w{1,40})=("[^"]*"|\S*)')
_MOVE = re.compile(rb"(move|my move is)[ :]{1,4}(\S{1,20})\s*$", re.IGNORECASE)
_SQUARES = re.compile(r"([a-h][1-8]){2}[qrbn]?", re.IGNORECASE)


class XboardLines:
    """Sorts an engine's lines into answers and what is kept besides."""

    def __init__(self) -> None:
        self._info = b""  # its last thought
        self._form = b""  # how it writes its moves
        self.has_resigned = False

    def __call__(self, lines: list[bytes]) -> tuple[list[bytes], list[bytes]]:
        """The answers among these lines, and the lines to keep."""
        answers, kept = [], []
        for line in lines:
            if self._is_answer(line):
                answers.append(line)
                if self._info:
                    kept.append(self._info)
                self._info = b""
            elif thought := THOUGHT.match(line[:LONGEST_INFO]):
                self._info = _info(*thought.groups())
            elif not line.startswith((b"#", b"pong")) and not _MOVE.match(line):
                kept.append(line[:LONGEST_INFO])
        return answers, kept

    def _is_answer(self, line: bytes) -> bool:
        if found := _MOVE.match(line):
            self._form = self._form or found[1].lower()
            return found[1].lower() == self._form
        self.has_resigned |= line.strip() == b"resign"
        return line.strip() == b"resign" or line[:12].lower() == b"illegal move"


def _info(depth: bytes, score: bytes, time: bytes, nodes: bytes, pv: bytes) -> bytes:
    """A thought as UCI engines tell it."""
    value = int(score)
    far = abs(value) - xboard_protocol.MATE
    told = f"mate {far if value > 0 else -far}" if far > 0 else f"cp {value}"
    words = f"info depth {int(depth)} score {told} time {10 * int(time)} nodes {int(nodes)} pv "
    return (words.encode() + pv).rstrip()


class XboardOption(EngineOption):
    """An option that an engine has told, as "NAME -spin 5 0 100"."""

    def line(self, value: str) -> str:
        """The line that sets it."""
        if self.kind in ("button", "save", "reset"):
            return f"option {self.name}\n"
        if self.kind == "check":
            value = "1" if value.lower() in ("1", "true") else "0"
        return f"option {self.name}={' '.join(value.splitlines())}\n"

    def takes(self, value: str) -> bool:
        """Whether the value is within the bounds, or one of the words."""
        return super().takes(value) or (self.kind == "check" and value in ("0", "1"))


def option_of(text: str) -> XboardOption | None:
    """The option that a feature tells; none if it tells none. In one pass: it is a stranger's, and may be long."""
    words = text.split()
    at = next((place for place, word in enumerate(words) if place and re.fullmatch(r"-[a-z]{1,20}", word)), 0)
    if not at:
        return None
    name, kind, rest = " ".join(words[:at]), words[at][1:], words[at + 1 :]
    if kind in ("spin", "slider"):
        bounds = f"min {rest[1]} max {rest[2]}" if len(rest) == 3 else ""
        return XboardOption(name, "spin", bounds)
    if kind == "combo":
        choices = [each.strip().lstrip("*") for each in " ".join(rest).split("///")]
        return XboardOption(name, "combo", " ".join(f"var {each}" for each in choices if each))
    return XboardOption(name, kind, "")


class XboardProcess(EngineProcess):
    """One engine: its features, and its answers."""

    def __init__(
        self,
        process: BotProcess,
        poller: Poller,
        watch: Stopwatch | None,
        settings: Mapping[str, str],
        is_legal: Callable[[str], bool],
        beginning: tuple[str, str, str],
        meant: Callable[[str], str],
    ) -> None:
        """`beginning` is where the match begins, the lines that say so, and the variant, if it is one; `meant` is the
        move that a word means, as the game's own text."""
        super().__init__(process, poller, watch, settings, is_legal)
        self._start, self._opening, self._variant = beginning
        self.variants: frozenset[str] = frozenset()  # those that it plays, as it tells it
        self._meant = meant
        self._lines = XboardLines()
        self._awaited = "feature done=1"
        self._features: dict[str, str] = {}
        self._silent_until = int(SILENCE * NANO)
        self._nudges: list[str] | None = None
        self._give_up = 0  # nanoseconds after which it is taken as it is
        self._hurry = 0  # nanoseconds of its turn after which it is asked to move now; 0: never, or already
        self.told = 0  # moves of the match that it has been told, or has made

    @property
    def has_time(self) -> bool:
        """Whether it wants to know the time that is left."""
        return self._features.get("time") != "0"

    def has(self, name: str) -> bool:
        """Whether it has a feature that is there or not; as the protocol says where it tells nothing of it."""
        return self._features.get(name, "1" if name in USUALLY else "0") == "1"

    @property
    def prefix(self) -> str:
        """What stands before a move that it is told."""
        return "usermove " if self._features.get("usermove") == "1" else ""

    # --- before the first turn

    def greet(self) -> None:
        """Begin the handshake."""
        self.send(b"xboard\nprotover 2\n")

    def _shake(self) -> Fault | None:
        """Read what has come of the handshake, and answer it."""
        while self._awaited and (line := self.process.take_before_ready()) is not None:
            text = line.decode("utf-8", "replace").strip()
            if text.startswith("feature ") and self._awaited != PONG:
                self._take_features(text.removeprefix("feature "))
                if self._features.get("done") == "1" and (fault := self._begin()) is not None:
                    return fault
            elif text == self._awaited == PONG:
                self._become_ready()
        if self._awaited and not self._features and monotonic_ns() - self.start >= self._silent_until:
            return self._nudge()
        return None

    def _nudge(self) -> Fault | None:
        """Wake up an engine that has told nothing, or take it as it is."""
        if self._nudges is None:
            self._nudges = self._opening.splitlines(keepends=True)
            self._give_up = self._silent_until + int(WAKING * NANO)
        if not self._nudges and self._silent_until >= self._give_up:
            return self._begin()
        self.send((self._nudges.pop(0) if self._nudges else AWAKE).encode())
        self._silent_until += int(NUDGE * NANO)
        return None

    def _take_features(self, text: str) -> None:
        replies = []
        for name, quoted in _FEATURE.findall(text):
            value, takes = quoted.strip('"'), name in TAKEN
            replies.append(f"{'accepted' if takes else 'rejected'} {name}\n")
            if name == "option":
                option = option_of(value)
                if option is not None and len(self.options) < MAX_OPTIONS:
                    self.options[plain(option.name)] = option
            elif name == "variants":
                self.variants = frozenset(value.replace(" ", "").split(","))
            elif name == "myname":
                self.name = value[:LONGEST_INFO]
            if takes:
                self._features[name] = value[:LONGEST_INFO]
        self.send("".join(replies).encode())

    def _begin(self) -> Fault | None:
        """Set the options, and begin the match."""
        if self._variant and self._variant not in self.variants:
            return Fault(FaultKind.NOT_READY, FaultCode.NO_VARIANT, {"name": self._variant})
        if self._start != USUAL and self._features.get("setboard") != "1":
            return Fault(FaultKind.NOT_READY, FaultCode.NO_SETBOARD)
        lines, fault = self._option_lines()
        if fault is not None:
            return fault
        has_ping = self._features.get("ping") == "1"
        self.send(("".join(lines) + self._opening + f"{PING}\n" * has_ping).encode())
        self._awaited = PONG
        if not has_ping:
            self._become_ready()
        return None

    def _become_ready(self) -> None:
        self._awaited = ""
        self.process.sort_lines(self._lines)

    # --- a turn

    def begin(self, limit: float, behind: float) -> None:
        """Start its stopwatch."""
        super().begin(limit, behind)
        self._hurry = 0 if self._awaited else int((limit - spare(limit)) * NANO)

    def time_left(self, now: int) -> int:
        """Nanoseconds until something is due for it."""
        due = self._silent_until if self._awaited and not self._features else self._hurry
        left = due - (now - self.start)
        return min(super().time_left(now), left) if due and left > 0 else super().time_left(now)

    def look(self, now: int) -> None:
        """Ask it to move now, if its time is nearly over."""
        if self._hurry and now - self.start >= self._hurry:
            self._hurry = 0
            if not self.process.has_line:
                self.send(HURRY)

    def prepare(self) -> None:
        """Before it is asked: `resign` may come at any time, also right behind a move."""
        super().prepare()
        self._was_early = self._was_early and not self._lines.has_resigned

    def take_reply(self) -> str:
        """The move of a line, in the game's own text; any other line as it stands."""
        line = self.process.take_line() or ""
        if line.strip() == "resign":
            return GIVE_UP
        found = _MOVE.match(line.encode("utf-8", "replace"))
        if found is None:
            return line[:LONGEST_INFO]
        word = found[2].decode("utf-8", "replace")
        return word.lower() if _SQUARES.fullmatch(word) else self._meant(word)
