"""A bot walked through the protocol alone, step by step, and asked further when it fails.

Theory of operation
-------------------
Nobody else's program runs, so that whatever happens is the bot's doing. In each turn it is sent its input, and what
it writes is compared with what the protocol expects. When a turn fails, a match would end here; the walk goes on
asking, because what comes late tells why nothing came in time:

    an answer a little later                          it is too slow
    an answer when the next turn's input has come     it waits for more lines than it is sent
    all answers when its input is closed              it forgets to flush
    one answer when its input is closed               it reads its input to the end first

A program that reads less than it is sent is found by sending it less: it answers all the same.

Every wait ends as soon as something comes; only for silence it takes its full length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dohyo.app.course import Course
from dohyo.app.findings import Finding, Severity, fine, wrong
from dohyo.app.housing import launch
from dohyo.app.interview import Interview
from dohyo.app.judging import flushing, in_box, judge, last_lines, near, noted, of_fault, quoted
from dohyo.app.play import environment
from dohyo.bots import Bot
from dohyo.core.clock import Account, Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import OF_ANSWERS, Fault, FaultKind
from dohyo.core.game import Game
from dohyo.interrupts import Shield
from dohyo.runner.launch import NO_ROOM
from dohyo.runner.stopwatch import stopwatches
from dohyo.sandbox import Box

STEPS = 5  # turns
SETTLE = 0.02  # seconds in which a line too many follows an answer
LONGER = 0.25  # seconds in which an answer follows a line that is none
SHORT = 0.15  # seconds, and three of its longest turns, that a line is kept back
LATE = 1.0  # seconds, at least, in which a late answer is still waited for
LATEST = 5.0  # seconds, at most; and for everything that comes when its input is closed
NEXT = 1.0  # seconds in which an answer follows the next turn's input
MOST_LINES = 100  # that are listened to at once
# What is no note where it is out, as in a match: what it does to the machine.
HARM = frozenset(f"check.{kind}" for kind in FaultKind if kind not in OF_ANSWERS)
FLOOD = Fault(FaultKind.OUTPUT, f"{MOST_LINES} lines and more that nobody asked for")


class Walk:
    """The walk of one bot. After `go`: what was found, how long its turns took, whether it came to the end."""

    def __init__(
        self,
        game: Game,
        bot: Bot,
        limits: Clock,
        seed: int,
        setup: Mapping[str, object],
        seats: int,
        shield: Shield,
        box: Box,
    ) -> None:
        self.findings: list[Finding] = []
        self.times: list[float] = []
        self.survived = False
        self._game, self._bot, self._limits, self._shield = game, bot, limits, shield
        self._watches = stopwatches(limits)
        self._setup = (seed, setup, seats)
        self._course = Course(game, *self._setup)
        self._played: list[int | None] = []
        self._launch = launch(bot, environment(seed, 0), box)
        self._turn = 0
        self._is_out = False  # whether nothing that it does in this turn counts any more
        self._prompt = b""

    def go(self) -> None:
        """Walk. No program is left running, however this ends. Raises `OperatorError` when the machine is full."""
        try:
            program = self._start()
        except OSError as error:
            if error.errno in NO_ROOM:
                raise OperatorError("no-room-for-programs", reason=error.strerror) from error
            command = " ".join(self._bot.command)
            self._add(wrong("check.cannot-start", reason=error.strerror, command=command))
            return
        try:
            self._walk(program)
        finally:
            program.stop()

    def _start(self) -> Interview:
        return Interview(self._launch, self._shield, self._game.comment, self._watches)

    def _add(self, finding: Finding, line: int | None = None) -> None:
        """Take down what was found in this turn."""
        if finding.severity != "fine" and self._turn:
            finding.turn = self._turn
            finding.input = self._prompt.decode()
            if self._is_out and finding.key not in HARM:
                noted(finding)
        finding.line = line
        self.findings.append(finding)

    # --- as it should go

    def _walk(self, program: Interview) -> None:
        self._add(fine("check.started"))
        if not self._game.wire.READY:
            program.await_reading()
        elif not self._await_ready(program):
            return
        for _ in range(STEPS):
            if self._course.over:
                break
            if not self._one_turn(program):
                if not self._is_out:
                    return
                break
        self.survived = True
        if any(finding.severity == "wrong" for finding in self.findings):
            return
        if not self._course.over and not self._is_out:
            self._send_less(program)
        if self.times:
            self._add(fine("check.answers", turns=len(self.times)))
        if (ran_into := program.ran_into) is not None:
            self._turn = 0  # in which turn that was is not known
            self._add(wrong("check.ran-into", "warning", detail=ran_into.detail))

    def _await_ready(self, program: Interview) -> bool:
        """Whether it says in time that it is ready."""
        word, left = self._game.wire.READY, self._limits.ready
        before: list[bytes] = []
        while left > 0 and isinstance(heard := program.hear(left, self._limits.behind(left)), bytes):
            left -= program.seconds
            if heard.strip() == word.encode() and left > 0:
                if before:
                    shown = ", ".join(quoted(line.decode("utf-8", "backslashreplace")) for line in before[:3])
                    self._add(wrong("check.before-ready", "warning", word=word, written=shown), 1)
                self._add(fine("check.ready", word=word, seconds=self._limits.ready - left))
                return True
            before.append(heard)
        fault = heard if isinstance(heard, Fault) else Fault(FaultKind.TIMEOUT, "no line in time")
        return self._never_ready(program, before, program.verdict(fault))

    def _one_turn(self, program: Interview) -> bool:
        """Ask once; whether it can be asked again."""
        course = self._course
        early = program.hear_all(0, MOST_LINES)
        if len(early) == MOST_LINES:
            self._fail(program, FLOOD, 0.0)
            return False
        self._write_extra(early, program.line - len(early) + 1)
        self._turn += 1
        self._prompt = course.prompt()
        self._is_out = self._game.is_out(course.state, course.seat)
        program.send(self._prompt)
        limit = Account(self._limits).limit(self._turn == 1)  # what no reserve covers is too slow in any match
        heard = program.hear(limit, self._limits.behind(limit))
        if isinstance(heard, Fault):
            self._no_answer(program, heard, limit)
            return False
        self.times.append(program.seconds)
        if program.seconds >= limit:
            if (ran_into := program.ran_into) is not None:  # the limit's verdict, as in a match
                self._fail(program, ran_into, limit)
                return False
            self._add(wrong("check.too-slow", seconds=program.seconds, limit=limit), program.line)
            return False
        line = program.line
        is_action = isinstance(judge(self._game, course.state, course.seat, heard), int)
        rest = program.hear_all(SETTLE if is_action else LONGER, MOST_LINES)
        if len(rest) == MOST_LINES:
            self._fail(program, FLOOD, limit)
            return False
        self._played.append(self._weigh([heard, *rest], line))
        course.play(self._played[-1])
        return True

    def _weigh(self, lines: Sequence[bytes], line: int) -> int | None:
        """The action among the lines that came for one turn, of which the first has the number `line`.

        None if there is none. All else is taken down.
        """
        judged = [judge(self._game, self._course.state, self._course.seat, written) for written in lines]
        actions = [at for at, found in enumerate(judged) if isinstance(found, int)]
        first = judged[0]
        if isinstance(first, Finding) and not actions:
            self._write_down(first, lines[0], line)
            return None
        self._write_extra(lines[: actions[0]], line)
        self._write_extra(lines[actions[0] + 1 :], line + actions[0] + 1)
        action = judged[actions[0]]
        return action if isinstance(action, int) else None

    def _write_extra(self, lines: Sequence[bytes], line: int) -> None:
        """Take down lines besides the one that answers a turn; the first of them has the number `line`."""
        game, state, seat = self._game, self._course.state, self._course.seat
        for at, written in enumerate(lines):
            shown = quoted(written.decode("utf-8", "backslashreplace"))
            if self._turn == 0:
                finding = wrong("check.unasked", written=shown)
            elif isinstance(judge(game, state, seat, written), int):
                finding = wrong("check.two-answers", second=shown)
            else:
                finding = wrong("check.debugging", written=shown)
            self._write_down(finding, written, line + at)

    def _write_down(self, finding: Finding, written: bytes, line: int) -> None:
        finding.written = written.decode("utf-8", "backslashreplace")
        self._add(finding, line)

    # --- no word that it is ready

    def _never_ready(self, program: Interview, before: list[bytes], fault: Fault) -> bool:
        """Find out why it did not say in time that it is ready; whether it can be walked all the same."""
        word = self._game.wire.READY
        details = {"word": word, "limit": self._limits.ready}
        texts = [line.decode("utf-8", "backslashreplace") for line in before]
        alike = next((text for text in texts if near(text, word)), None)
        if alike is not None and alike.strip() != word:
            self._add(wrong("check.ready-spelling", written=quoted(alike), **details), texts.index(alike) + 1)
        elif fault.kind is not FaultKind.TIMEOUT:
            self._fail(program, fault, self._limits.ready)
        else:
            heard = Fault(FaultKind.TIMEOUT) if alike is None else alike.encode()
            while isinstance(heard, Fault) or heard.strip() != word.encode():
                heard = program.hear(self._patience(self._limits.ready))
                if isinstance(heard, Fault):
                    self._ready_after_all(program, heard, details)
                    return False
            self._add(wrong("check.ready-late", **details))
            return True
        return False

    def _ready_after_all(self, program: Interview, fault: Fault, details: dict[str, object]) -> None:
        """Send it turns although it is not ready, then close its input: when does the word come?"""
        word = str(details["word"])
        heard: bytes | Fault = fault
        if fault.kind is FaultKind.TIMEOUT:
            program.send(self._course.prompt())
            heard = program.hear(NEXT)
        if isinstance(heard, Fault) and heard.kind is not FaultKind.TIMEOUT:
            self._fail(program, heard, self._limits.ready)
            return
        if isinstance(heard, bytes):
            key = "check.ready-after-input" if heard.strip() == word.encode() else "check.no-ready"
            self._add(wrong(key, **details))
            return
        asked = self._send_rest(program, 1)
        first = program.line + 1
        lines = program.last_words(LATEST, MOST_LINES)
        at = next((at for at, line in enumerate(lines, 1) if line.strip() == word.encode()), 0)
        if at:
            self._add(flushing(self._bot, wrong("check.flush", lines=len(lines), **details)))
            self._weigh_late(lines[at:], asked, first + at)
        else:
            self._add(wrong("check.no-ready", **details))

    # --- no answer

    def _no_answer(self, program: Interview, fault: Fault, limit: float) -> None:
        """Find out why there was no answer in time."""
        fault = program.verdict(fault)
        if fault.kind is not FaultKind.TIMEOUT:
            self._fail(program, fault, limit)
        elif program.partial.strip():
            self._add(wrong("check.no-newline", written=quoted(program.partial)), program.line + 1)
        else:
            heard = program.hear(self._patience(limit))
            if isinstance(heard, bytes):
                self._add(wrong("check.too-slow", seconds=limit + program.seconds, limit=limit), program.line)
            elif heard.kind is not FaultKind.TIMEOUT:
                self._fail(program, heard, limit)
            else:
                self._ask_on(program, limit)

    def _ask_on(self, program: Interview, limit: float) -> None:
        """Send the next turn's input, then some more, then close it: when does the answer come?"""
        asked = 1
        self._course.play()
        if not self._course.over:
            program.send(self._course.prompt())
            heard = program.hear(NEXT)
            if isinstance(heard, bytes) or heard.kind in (FaultKind.EXITED, FaultKind.KILLED):
                finding = wrong("check.waits-for-more", lines=self._prompt.count(b"\n"), limit=limit)
                finding.errors = last_lines(in_box(program.stop(), self._bot))
                self._add(finding)
                return
            asked = self._send_rest(program, 2)
        first = program.line + 1
        lines = program.last_words(LATEST, MOST_LINES)
        if 2 * len(lines) > asked:  # whatever they say: that is told besides
            self._add(flushing(self._bot, wrong("check.flush", lines=len(lines), limit=limit)))
            self._weigh_late(lines, asked, first)
        elif lines:
            self._add(wrong("check.until-end", limit=limit))
            judged = judge(self._game, self._course.state, self._course.seat, lines[-1])
            if isinstance(judged, Finding) and judged.key != "check.illegal":  # for which turn it was is not known
                self._write_down(judged, lines[-1], first + len(lines) - 1)
        else:
            finding = wrong("check.no-answer", limit=limit)
            finding.errors = last_lines(in_box(program.stop(), self._bot))
            self._add(finding)

    def _send_rest(self, program: Interview, asked: int) -> int:
        """Send the input of more turns without waiting for answers; how many were sent in all, `asked` before."""
        while asked < STEPS:
            self._course.play()
            if self._course.over:
                break
            program.send(self._course.prompt())
            asked += 1
        return asked

    def _weigh_late(self, lines: Sequence[bytes], asked: int, line: int) -> None:
        """Take down what is wrong with the answers to so many turns, which came at once; `line` numbers the first."""
        course = Course(self._game, *self._setup)
        for action in self._played:
            course.play(action)
        self._course = course
        self._turn = len(self._played) + 1
        # Who goes on for ever at the end of its input writes more than its answers.
        each = max(len(lines) // asked, 1) if len(lines) < MOST_LINES else 1
        for at in range(0, min(len(lines), asked * each), each):
            self._prompt = course.prompt()
            self._weigh(lines[at : at + each], line + at)
            course.play()
            self._turn += 1

    def _fail(self, program: Interview, fault: Fault, limit: float) -> None:
        """Take down how a program ended, or what else it did in the place of an answer."""
        errors = in_box(program.stop(), self._bot)
        # Who goes wrong after an answer may have read it wrongly.
        if fault.kind in (FaultKind.EXITED, FaultKind.KILLED, FaultKind.OUTPUT) and self.times:
            self._look_for_leftovers("wrong")
        self._add(of_fault(fault, limit, self._turn, errors))

    # --- less input

    def _send_less(self, program: Interview) -> None:
        """Keep the last line of a turn's input back for a moment: who answers all the same has not read it."""
        self._turn += 1
        self._prompt = self._course.prompt()
        lines = self._prompt.splitlines(keepends=True)
        if len(lines) == 1:
            return
        program.send(b"".join(lines[:-1]))
        if isinstance(program.hear(SHORT + 3 * max(self.times)), bytes):
            self._look_for_leftovers("warning")
            return
        program.send(lines[-1])
        program.hear(self._limits.turn)

    def _look_for_leftovers(self, severity: Severity) -> None:
        """Tell how many of the last lines of its first input it does not read, if there are any."""
        prompt = Course(self._game, *self._setup).prompt()
        lines = prompt.splitlines(keepends=True)
        few, many = 0, len(lines)  # with all but so many it answers; with all but so many it does not
        while many - few > 1:
            missing = 1 if few == 0 else (few + many) // 2
            if self._answers(lines[:-missing]):
                few = missing
            else:
                many = missing
        if few == len(lines) - 1 and self._answers([]):
            return  # it does not read at all, and what it writes is told otherwise
        if few:
            left = quoted(lines[-few].decode().rstrip("\n"))
            found = wrong("check.reads-too-few", severity, read=len(lines) - few, lines=len(lines), left=left)
            found.turn, found.input = 1, prompt.decode()  # whichever turn it is now: these are the lines left over
            self.findings.append(found)

    def _answers(self, lines: Sequence[bytes]) -> bool:
        """Whether a new process of the bot answers to these lines."""
        program = self._start()
        try:
            if word := self._game.wire.READY:
                while isinstance(heard := program.hear(LATEST), bytes) and heard.strip() != word.encode():
                    pass
            program.send(b"".join(lines))
            return isinstance(program.hear(LONGER + 3 * max(self.times)), bytes)
        finally:
            program.stop()

    @staticmethod
    def _patience(limit: float) -> float:
        return min(max(LATE, 2 * limit), LATEST)
