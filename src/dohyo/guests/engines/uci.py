"""Players that are chess engines: programs that speak the Universal Chess Interface (UCI).

Theory of operation
-------------------
An engine is a process that lives for the match, and is asked, timed and judged as every other one is: only what is
written and read differs. The lines of a turn (`position`, `go`) are made in `guests/engines/uci_protocol.py`.

Before the first turn: `uci`, upon which it tells its name and its options until `uciok`; `setoption` for each value
that it was given; `ucinewgame`, `isready`, and it is ready with `readyok`. For all this it has the clock's time for
being ready, at least `READY` seconds: some read a large file first. An option that it does not have, a number beyond
its bounds, or none of its words, is a fault, `not-ready`: an engine that silently played without it would be taken
for another one.

In each turn: `position` with the start and all moves so far, and `go` with what the clock says, in one write, right
after which its clock starts. Its answer is the line that begins with `bestmove`; the word behind it is the reply. All
other lines are no answers, and may come at any time. Of the `info` lines the last one with a score is kept, as a
comment in the replay, and every new `info string`; all of them count towards the limit for unread output.

Castling that is written as in Chess960, `e1h1`, is the king's move `e1g1` where only that is legal; a note says so.

Where the operator allows pondering, an engine with the option `Ponder` gets it set, and upon `bestmove e2e4 ponder
e7e5` it is told the position after both moves, and `go ponder`, before the other side is asked. If that move comes,
its turn begins with `ponderhit`; its clock runs from there, and a `bestmove` that came too soon is its answer. If
another move comes, its turn begins with `stop`; the next `bestmove` is thrown away, with what it told of that search,
and right upon it follows what a turn usually begins with. One clock runs from `stop` to its answer: nobody waits for
an engine that does not stop but in its own time. Its other lines are counted anew when its turn begins.

At the end it is sent `quit`, also while it ponders, or it is kept for another match (`kept.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from dohyo.core.faults import KEPT, Fault, FaultCode, FaultKind
from dohyo.core.referee import Answer
from dohyo.guests.engines.uci_protocol import CASTLING
from dohyo.match import verdict
from dohyo.match.players.per_match import PerMatchProcess

if TYPE_CHECKING:
    from dohyo.match.processes.bot_process import BotProcess
    from dohyo.match.processes.poller import Poller
    from dohyo.match.processes.stopwatch import Stopwatch

READY = 10.0  # seconds at least to answer `uci` and `isready`
MAX_OPTIONS = 1000
LONGEST_INFO = 500  # bytes of an `info` line that are kept
LONGEST_MOVE = 10  # characters
PONDER = "ponder"  # the option by which an engine says that it can
_BOUND = re.compile(r"\b(min|max)\s+(-?\d{1,18})\b")
_CHOICE = re.compile(r"\bvar\s+(.+?)(?=\s+var\s|\s*$)", re.DOTALL)
_NO_LETTERS = re.compile(r"[^a-z0-9]+")


def plain(name: str) -> str:
    """An option's name as a parameter's: small letters, digits and _; `Skill Level` is `skill_level`."""
    return _NO_LETTERS.sub("_", name.lower()).strip("_")


class EngineLines:
    """Sorts an engine's lines into answers and what is kept besides."""

    def __init__(self) -> None:
        self._info = b""  # the last one with a score, of the main line
        self._said = b""  # the last `info string`
        self.was_stopped = False  # the next answer, and what was told of its search, is of a search that was stopped

    def __call__(self, lines: list[bytes]) -> tuple[list[bytes], list[bytes]]:
        """The answers among these lines, and the lines to keep."""
        answers, kept = [], []
        for line in lines:
            if line.startswith(b"bestmove"):
                answers.append(line)
                if self._info and not self.was_stopped:
                    kept.append(self._info)
                self._info, self.was_stopped = b"", False
            elif not line.startswith(b"info"):
                kept.append(line[:LONGEST_INFO])
            elif line.startswith(b"info string"):
                if line != self._said:  # many say the same before every move
                    kept.append(line[:LONGEST_INFO])
                self._said = line
            elif b" score " in line and (b" multipv " not in line or b" multipv 1 " in line):
                self._info = line[:LONGEST_INFO].rstrip(b"\r")
        return answers, kept


class EngineOption:
    """An option that an engine has told: its own name, and the bounds of its number or the words that it takes."""

    def __init__(self, name: str, kind: str, rest: str) -> None:
        self.name, self.kind = name, kind
        bounds = dict(_BOUND.findall(rest)) if kind == "spin" else {}
        self._least, self._most = (int(bounds[key]) if key in bounds else None for key in ("min", "max"))
        words = ["true", "false"] if kind == "check" else _CHOICE.findall(rest) if kind == "combo" else []
        self._words = frozenset(word.lower() for word in words)

    def takes(self, value: str) -> bool:
        """Whether the value is within the bounds, or one of the words; of texts only the engine knows."""
        if self.kind != "spin":
            return not self._words or value.lower() in self._words
        try:
            number = int(value)
        except ValueError:
            return False
        return (self._least is None or number >= self._least) and (self._most is None or number <= self._most)

    def line(self, value: str) -> str:
        """The line that sets it."""
        rest = "" if self.kind == "button" else f" value {' '.join(value.splitlines())}"
        return f"setoption name {self.name}{rest}\n"


def option_of(line: str) -> EngineOption | None:
    """The option that a line tells: "option name NAME type KIND ..."; none if it tells none.

    By its words, in one pass: a line is a stranger's, and may be long.
    """
    words = line.split()
    if words[:2] != ["option", "name"] or "type" not in words[3:-1]:
        return None
    at = words.index("type", 3)
    return EngineOption(" ".join(words[2:at]), words[at + 1], " ".join(words[at + 2 :]))


class EngineProcess(PerMatchProcess):
    """One engine: its handshake, and its answers."""

    def __init__(
        self,
        process: BotProcess,
        poller: Poller,
        watch: Stopwatch | None,
        settings: Mapping[str, str],
        is_legal: Callable[[str], bool],
        ponders: bool = False,
    ) -> None:
        """`settings` are values of its options, by their `plain` names; `is_legal` says whether a word is a move
        that it may make now; if it `ponders`, its option for that is set, if it has it."""
        super().__init__(process, poller, watch)
        self._ponders = ponders
        self.can_ponder = False  # known when it is ready
        self.guess = ""  # the other side's move that it told behind its last one
        self.behind_stop = b""  # what it is sent in this turn when it has answered `stop`
        self._is_pondering = False
        self._engine_lines = EngineLines()
        self.name = ""  # as it tells it
        self.options: dict[str, EngineOption] = {}
        self._settings, self._is_legal = settings, is_legal
        self._awaited = "uciok"
        if process.matches:  # it is kept from an earlier match, and has said that it is ready for this one
            self._awaited = ""
            process.sort_lines(EngineLines())

    def greet(self) -> None:
        """Begin the handshake."""
        self.send(b"uci\n")

    def ready_fault(self, word: str, now: int) -> tuple[bool, Fault | None]:
        """Go on with the handshake: whether it is ready, and the fault; no fault while we wait for it."""
        fault = self._shake()
        if fault is not None:
            return False, fault
        ready = not self._awaited
        late, by_watch = self._is_late(now, ready)
        fault = verdict.judge(self.process, verdict.ready(self._awaited or "readyok"), ready, late, by_watch)
        return ready, None if fault is None else self._proved(fault)

    def _shake(self) -> Fault | None:
        """Read what has come of the handshake, and answer it."""
        while self._awaited and (line := self.process.take_before_ready()) is not None:
            text = line.decode("utf-8", "replace").strip()
            if text.startswith("id name "):
                self.name = text.removeprefix("id name ").strip()[:LONGEST_INFO]
            elif (option := option_of(text)) is not None:
                if len(self.options) < MAX_OPTIONS:
                    self.options[plain(option.name)] = option
            elif text == self._awaited == "uciok":
                if (fault := self._set_options()) is not None:
                    return fault
                self._awaited = "readyok"
            elif text == self._awaited:
                self._awaited = ""
                self.process.sort_lines(self._engine_lines)
        return None

    def _set_options(self) -> Fault | None:
        """Send the values that it was given; the fault of one that cannot be."""
        lines, fault = self._option_lines()
        option = self.options.get(PONDER)
        if self._ponders and option is not None and option.takes("true"):
            self.can_ponder = self._settings.get(PONDER, "true").lower() == "true"
            lines += [option.line("true")] if PONDER not in self._settings else []
        if fault is None:
            self.send("".join([*lines, "ucinewgame\nisready\n"]).encode())
        return fault

    def _option_lines(self) -> tuple[list[str], Fault | None]:
        """The lines that set the values that it was given, and the fault of one that cannot be."""
        lines: list[str] = []
        for name, value in self._settings.items():
            option = self.options.get(name)
            if option is None:
                return lines, Fault(FaultKind.NOT_READY, FaultCode.NO_OPTION, {"name": name[:KEPT]})
            if not option.takes(value):
                return lines, Fault(
                    FaultKind.NOT_READY, FaultCode.BAD_OPTION, {"name": option.name[:KEPT], "written": value[:KEPT]}
                )
            lines.append(option.line(value))
        return lines, None

    # --- a turn

    def ponder(self, lines: bytes) -> None:
        """Let it think while the other side is to move."""
        self._is_pondering = True
        self.send(lines)

    def prepare(self) -> None:
        """Before it is asked: what it has told while it pondered is over."""
        super().prepare()
        if self._is_pondering:
            self._is_pondering = self._was_early = False
            self._engine_lines.was_stopped = bool(self.behind_stop) and not self.process.has_line
            self.process.forget_passed()

    def look(self, now: int) -> None:
        """What is due while it thinks: if it was told to stop pondering and has, the position and its time."""
        if self.behind_stop and self.process.take_bytes() is not None:
            self._was_early = self.process.has_line
            self.send(self.behind_stop)
            self.behind_stop = b""
            if self.watch is not None:
                self.watch.asked(not self.process.has_unsent)

    def answer(self, now: int) -> Answer | None:
        """Its answer; of castling as in Chess960 the king's move, with a note."""
        self.look(now)
        found = super().answer(now)
        if found is not None and found.reply in CASTLING:
            meant = CASTLING[found.reply]
            if self._is_legal(meant) and not self._is_legal(found.reply):
                values = {"line": found.reply, "move": meant}
                note = Fault(FaultKind.ILLEGAL, FaultCode.CASTLING, values, note=True)
                found.faults = (*found.faults, note)
                found.reply = meant
        return found

    def take_reply(self) -> str:
        """The word behind `bestmove`; empty where there is none. What stands behind `ponder` is its guess."""
        words = (self.process.take_line() or "").split(maxsplit=4)
        self.guess = words[3][:LONGEST_MOVE] if len(words) > 3 and words[2] == "ponder" else ""
        return words[1] if len(words) > 1 else ""
