"""The protocol check: one bot alone is asked for a few turns, and when it fails, the check finds out why.

Theory of operation
-------------------
No other bot runs, so everything that happens is caused by this bot. In each turn it is sent its input, and what it
writes is compared with what the protocol expects. Where a turn fails, a match would end. The check goes on asking,
because what comes late shows why nothing came in time:

    an answer a little later                          it is too slow
    an answer when the next turn's input has come     it waits for more lines than it is sent
    all answers when its input is closed              it forgets to flush
    one answer when its input is closed               it reads its input to the end first

A slow program answers then, too. So what helped is told only of one that is silent without it: a new process gets
the same input, and then nothing for a multiple of the time that the answer took.

A program that reads less than it is sent is found by sending it less: if it still answers, it had not read the rest.

Every wait ends as soon as something comes; it takes its full time only if nothing comes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dohyo.bench.check.crashes import for_python, path_of
from dohyo.bench.check.diagnosis import (
    as_note,
    diagnose_fault,
    diagnose_line,
    quoted,
    resembles,
    where_it_was,
    with_flush_hint,
    with_sandbox_paths,
)
from dohyo.bench.check.findings import Finding, Severity, fine, wrong
from dohyo.bench.check.practice_match import PracticeMatch
from dohyo.bench.check.probe import Probe
from dohyo.bots import Bot
from dohyo.core.clock import Account, Clock
from dohyo.core.errors import MachineError
from dohyo.core.faults import OF_ANSWERS, Fault, FaultCode, FaultKind
from dohyo.core.game import Game
from dohyo.interrupts import DeferSignals
from dohyo.languages import traces
from dohyo.match.play import environment
from dohyo.match.processes.launch import NO_ROOM
from dohyo.match.processes.stopwatch import stopwatches
from dohyo.match.sandboxing import launch
from dohyo.match.telling.own_times import Taken
from dohyo.sandbox import Sandbox
from dohyo.sandbox.environment import settings_for

TURNS = 5
SETTLE = 0.02  # seconds in which an extra line may follow an answer
LONGER = 0.25  # seconds in which an answer may follow a line that is no answer
SHORT = 0.15  # seconds, and three of its longest turns, for which a line is withheld
LATE = 1.0  # seconds, at least, that the check waits for a late answer
LATEST = 5.0  # seconds, at most; also for everything that comes after its input is closed
NEXT = 1.0  # seconds in which an answer may follow the next turn's input
TIMES = 2.0  # times as long as its answer took, a bot that is not merely slow is silent without more input
MAX_LINES = 100  # that are read at once
# Faults that count even when the bot is out of the match: those that harm the machine.
NEVER_NOTES = frozenset(f"check.{kind}" for kind in FaultKind if kind not in OF_ANSWERS)
FLOOD = Fault(FaultKind.OUTPUT, FaultCode.FLOOD_LINES, {"lines": MAX_LINES})


class ProtocolCheck:
    """The protocol check of one bot. After `run`: what was found, how long its turns took, whether it survived."""

    def __init__(
        self,
        game: Game,
        bot: Bot,
        limits: Clock,
        seed: int,
        setup: Mapping[str, object],
        seats: int,
        signals: DeferSignals,
        sandbox: Sandbox,
    ) -> None:
        self.findings: list[Finding] = []
        self.times: list[float] = []  # of the turns that it answered
        self.taken: list[Taken] = []  # of the same turns, and of one that was late
        self.survived = False
        self._game, self._bot, self._limits, self._signals = game, bot, limits, signals
        self._watches = stopwatches(limits)
        self._setup = (seed, setup, seats)
        self._practice = PracticeMatch(game, *self._setup)
        self._actions: list[int | None] = []
        told = {**environment(seed, 0, game, limits, setup), **settings_for(bot.programs, asks_where=True)}
        self._launch = launch(bot, told, sandbox)
        self._turn = 0
        self._is_out = False  # whether what it does in this turn no longer counts
        self._prompt = b""

    def run(self) -> None:
        """Run the check. No program is left running, however it ends. Raises `OperatorError` for a full machine."""
        try:
            probe = self._start()
        except OSError as error:
            if error.errno in NO_ROOM:
                raise MachineError("no-room-for-programs", reason=error) from error
            command = " ".join(self._bot.command)
            self._add(wrong("check.cannot-start", reason=error, command=command))
            return
        try:
            self._check(probe)
        finally:
            probe.stop()

    def _start(self) -> Probe:
        return Probe(self._launch, self._signals, self._game.comment, self._watches)

    def _add(self, finding: Finding, line: int | None = None) -> None:
        """Add what was found in this turn."""
        if finding.severity != "fine" and self._turn:
            finding.turn = self._turn
            finding.input = self._prompt.decode()
            if self._is_out and finding.key not in NEVER_NOTES:
                as_note(finding)
        finding.line = line
        self.findings.append(finding)

    # --- turns, as they should go

    def _check(self, probe: Probe) -> None:
        self._add(fine("check.started"))
        if not self._game.protocol.READY:
            probe.await_reading()
        elif not self._await_ready(probe):
            return
        for _ in range(TURNS):
            if self._practice.over:
                break
            if not self._one_turn(probe):
                if not self._is_out:
                    return
                break
        self.survived = True
        if any(finding.severity == "wrong" for finding in self.findings):
            return
        if not self._practice.over and not self._is_out:
            self._withhold_last_line(probe)
        if self.times:
            self._add(fine("check.answers", turns=len(self.times)))
        if (limit_hit := probe.limit_hit) is not None:
            self._turn = 0  # it is not known in which turn that was
            self._add(wrong("check.ran-into", "warning", detail=limit_hit.told))

    def _await_ready(self, probe: Probe) -> bool:
        """Whether the bot says in time that it is ready."""
        word, left = self._game.protocol.READY, self._limits.ready
        before: list[bytes] = []
        while left > 0 and isinstance(reply := probe.read_line(left, self._limits.behind(left)), bytes):
            left -= probe.seconds
            if reply.strip() == word.encode() and left > 0:
                if before:
                    shown = ", ".join(quoted(line.decode("utf-8", "backslashreplace")) for line in before[:3])
                    self._add(wrong("check.before-ready", "warning", word=word, written=shown), 1)
                self._add(fine("check.ready", word=word, seconds=self._limits.ready - left))
                return True
            before.append(reply)
        fault = reply if isinstance(reply, Fault) else Fault(FaultKind.TIMEOUT, FaultCode.NO_LINE)
        return self._diagnose_not_ready(probe, before, probe.verdict(fault))

    def _one_turn(self, probe: Probe) -> bool:
        """Ask once; whether it can be asked again."""
        practice = self._practice
        early = probe.read_lines(0, MAX_LINES)
        if len(early) == MAX_LINES:
            self._fail(probe, FLOOD, 0.0)
            return False
        self._add_extra_lines(early, probe.line - len(early) + 1)
        self._turn += 1
        self._prompt = practice.prompt()
        self._is_out = self._game.is_out(practice.state, practice.seat)
        probe.send(self._prompt)
        limit = Account(self._limits).limit(self._turn == 1)  # what no time bank covers is too slow in any match
        reply = probe.read_line(limit, self._limits.behind(limit))
        if isinstance(reply, Fault):
            self._diagnose_no_answer(probe, reply, limit)
            return False
        self.times.append(probe.seconds)
        self.taken.append(Taken(probe.seconds, probe.ran, probe.seconds >= limit))
        if probe.seconds >= limit:
            if (limit_hit := probe.limit_hit) is not None:  # the limit decides the fault, as in a match
                self._fail(probe, limit_hit, limit)
                return False
            line = probe.line
            self._add(self._with_place(wrong("check.too-slow", seconds=probe.seconds, limit=limit)), line)
            return False
        line = probe.line
        is_action = isinstance(diagnose_line(self._game, practice.state, practice.seat, reply), int)
        rest = probe.read_lines(SETTLE if is_action else LONGER, MAX_LINES)
        if len(rest) == MAX_LINES:
            self._fail(probe, FLOOD, limit)
            return False
        self._actions.append(self._judge_lines([reply, *rest], line))
        practice.play(self._actions[-1])
        return True

    def _judge_lines(self, lines: Sequence[bytes], line: int) -> int | None:
        """The action among the lines that came for one turn, or none; every other line is a finding.

        `line` is the number of the first line in the bot's output.
        """
        readings = [
            diagnose_line(self._game, self._practice.state, self._practice.seat, written) for written in lines
        ]
        actions = [at for at, found in enumerate(readings) if isinstance(found, int)]
        first = readings[0]
        if isinstance(first, Finding) and not actions:
            self._add_line(first, lines[0], line)
            return None
        self._add_extra_lines(lines[: actions[0]], line)
        self._add_extra_lines(lines[actions[0] + 1 :], line + actions[0] + 1)
        action = readings[actions[0]]
        return action if isinstance(action, int) else None

    def _add_extra_lines(self, lines: Sequence[bytes], line: int) -> None:
        """Add findings for lines besides the one that answers a turn; `line` is the number of the first."""
        game, state, seat = self._game, self._practice.state, self._practice.seat
        for at, written in enumerate(lines):
            shown = quoted(written.decode("utf-8", "backslashreplace"))
            if self._turn == 0:
                finding = wrong("check.unasked", written=shown)
            elif isinstance(diagnose_line(game, state, seat, written), int):
                finding = wrong("check.two-answers", second=shown)
            else:
                finding = wrong("check.debugging", written=shown)
            self._add_line(finding, written, line + at)

    def _add_line(self, finding: Finding, written: bytes, line: int) -> None:
        finding.written = written.decode("utf-8", "backslashreplace")
        self._add(for_python(finding, self._bot), line)

    # --- not ready in time

    def _diagnose_not_ready(self, probe: Probe, before: list[bytes], fault: Fault) -> bool:
        """Find out why the bot did not say in time that it is ready; whether the check can go on all the same."""
        word = self._game.protocol.READY
        details = {"word": word, "limit": self._limits.ready}
        texts = [line.decode("utf-8", "backslashreplace") for line in before]
        similar = next((text for text in texts if resembles(text, word)), None)
        if similar is not None and similar.strip() != word:
            self._add(wrong("check.ready-spelling", written=quoted(similar), **details), texts.index(similar) + 1)
        elif fault.kind is not FaultKind.TIMEOUT:
            self._fail(probe, fault, self._limits.ready)
        elif similar is None and (missing := probe.await_word(word.encode(), self._patience(self._limits.ready))):
            self._diagnose_never_ready(probe, missing, details)
        else:
            self._add(wrong("check.ready-late", **details))
            return True
        return False

    def _diagnose_never_ready(self, probe: Probe, fault: Fault, details: dict[str, object]) -> None:
        """Send turns although the bot is not ready, then close its input: when does the word come?"""
        word, took = str(details["word"]), self._limits.ready + probe.seconds
        reply: bytes | Fault = fault
        if fault.kind is FaultKind.TIMEOUT:
            probe.send(self._practice.prompt())
            reply = probe.read_line(NEXT)
            took += probe.seconds
        if isinstance(reply, Fault) and reply.kind is not FaultKind.TIMEOUT:
            self._fail(probe, reply, self._limits.ready)
            return
        if isinstance(reply, bytes):
            key = "check.ready-after-input" if reply.strip() == word.encode() else "check.no-ready"
            if key == "check.ready-after-input" and self._is_slow_to_be_ready(took):
                key = "check.ready-late"
            self._add(wrong(key, **details))
            return
        asked = self._send_rest(probe, 1)
        first = probe.line + 1
        lines = probe.read_to_end(LATEST, MAX_LINES)
        at = next((at for at, line in enumerate(lines, 1) if line.strip() == word.encode()), 0)
        if at and self._is_slow_to_be_ready(took + probe.waited):
            self._add(wrong("check.ready-late", **details))
        elif at:
            self._add(with_flush_hint(self._bot, wrong("check.flush", lines=len(lines), **details)))
            self._judge_late_lines(lines[at:], asked, first + at)
        else:
            self._add(self._stuck(probe, wrong("check.no-ready", **details)))

    def _is_slow_to_be_ready(self, took: float) -> bool:
        """Whether it gets ready without any input, too. With some, that took it so many seconds."""
        probe = self._start()
        try:
            return self._pass_ready(probe, TIMES * took)
        finally:
            probe.stop()

    # --- no answer in time

    def _diagnose_no_answer(self, probe: Probe, fault: Fault, limit: float) -> None:
        """Find out why there was no answer in time."""
        fault = probe.verdict(fault)
        if fault.kind is FaultKind.TIMEOUT:
            self.taken.append(Taken(max(probe.seconds, limit), probe.ran, late=True))
        if fault.kind is not FaultKind.TIMEOUT:
            self._fail(probe, fault, limit)
        elif probe.partial.strip():
            self._add(wrong("check.no-newline", written=quoted(probe.partial)), probe.line + 1)
        else:
            reply = probe.read_line(self._patience(limit))
            if isinstance(reply, bytes):
                found, line = wrong("check.too-slow", seconds=limit + probe.seconds, limit=limit), probe.line
                self._add(self._with_place(found), line)
            elif reply.kind is not FaultKind.TIMEOUT:
                self._fail(probe, reply, limit)
            else:
                self._send_more(probe, limit, limit + probe.seconds)

    def _send_more(self, probe: Probe, limit: float, silent: float) -> None:
        """After so many `silent` seconds: send the next turn's input, more, then close it. When does it answer?"""
        asked = 1
        self._practice.play()
        if not self._practice.over:
            probe.send(self._practice.prompt())
            reply = probe.read_line(NEXT)
            silent += probe.seconds
            if isinstance(reply, bytes) or reply.kind in (FaultKind.EXITED, FaultKind.KILLED):
                if self._is_slow(silent, limit):
                    return
                finding = wrong("check.waits-for-more", lines=self._prompt.count(b"\n"), limit=limit)
                finding.errors = traces.excerpt(with_sandbox_paths(probe.stop(), self._bot))
                self._add(finding)
                return
            asked = self._send_rest(probe, 2)
        first = probe.line + 1
        lines = probe.read_to_end(LATEST, MAX_LINES)
        if lines and self._is_slow(silent + probe.waited, limit):
            return
        if 2 * len(lines) > asked:  # what kind of lines they are does not matter: mistakes are added below
            self._add(with_flush_hint(self._bot, wrong("check.flush", lines=len(lines), limit=limit)))
            self._judge_late_lines(lines, asked, first)
        elif lines:
            self._add(wrong("check.until-end", limit=limit))
            reading = diagnose_line(self._game, self._practice.state, self._practice.seat, lines[-1])
            if isinstance(reading, Finding) and reading.key != "check.illegal":  # for which turn it was is not known
                self._add_line(reading, lines[-1], first + len(lines) - 1)
        else:
            self._add(self._stuck(probe, wrong("check.no-answer", limit=limit)))

    def _is_slow(self, took: float, limit: float) -> bool:
        """Whether it ends its turn without more input, too; how it does is added.

        With more input, that took it so many seconds.
        """
        probe = self._start()
        try:
            self._ask_again(probe)
            longest = TIMES * took
            reply = probe.read_line(longest, self._limits.behind(longest))
            if isinstance(reply, bytes):
                found = wrong("check.too-slow", seconds=max(probe.seconds, limit), limit=limit)
                self._add(self._with_place(found), probe.line)
            elif reply.kind is FaultKind.TIMEOUT:
                return False
            else:
                self._fail(probe, reply, limit)
        finally:
            probe.stop()
        return True

    def _stuck(self, probe: Probe, finding: Finding) -> Finding:
        """The finding, with the place at which the bot is now, and what it wrote; it is ended."""
        probe.ask_where()
        said = with_sandbox_paths(probe.stop(), self._bot)
        finding.errors = traces.excerpt(said)
        where_it_was(finding, Fault(FaultKind.TIMEOUT), said, self._bot)
        return finding

    def _with_place(self, finding: Finding) -> Finding:
        """A finding of a slow turn, with the place at which the bot was when its time was over.

        The bot that was slow has gone on since: a new process of it gets the same input, and is asked at the limit.
        """
        probe = self._start()
        try:
            self._ask_again(probe)
            limit = Account(self._limits).limit(self._turn == 1)
            is_late = isinstance(probe.read_line(limit, self._limits.behind(limit)), Fault)
            return self._stuck(probe, finding) if is_late else finding
        finally:
            probe.stop()

    def _ask_again(self, probe: Probe) -> None:
        """Send a new process of the bot what the first one was sent, as it answered, up to this turn's input."""
        practice = PracticeMatch(self._game, *self._setup)
        self._pass_ready(probe, LATEST)
        if not self._game.protocol.READY:
            probe.await_reading()
        for action in self._actions:
            probe.send(practice.prompt())
            probe.read_line(LATEST)
            probe.read_lines(LONGER, MAX_LINES)
            practice.play(action)
        probe.send(practice.prompt())

    def _pass_ready(self, probe: Probe, seconds: float) -> bool:
        """Whether a new process of the bot, if it has to, says within so many seconds that it is ready."""
        word = self._game.protocol.READY
        return not word or probe.await_word(word.encode(), seconds) is None

    def _send_rest(self, probe: Probe, asked: int) -> int:
        """Send the input of more turns without waiting; how many turns were sent in all, with the `asked` before."""
        while asked < TURNS:
            self._practice.play()
            if self._practice.over:
                break
            probe.send(self._practice.prompt())
            asked += 1
        return asked

    def _judge_late_lines(self, lines: Sequence[bytes], asked: int, line: int) -> None:
        """Add findings for answers that came at once, to `asked` turns; `line` is the number of the first."""
        practice = PracticeMatch(self._game, *self._setup)
        for action in self._actions:
            practice.play(action)
        self._practice = practice
        self._turn = len(self._actions) + 1
        # A bot that never stops at the end of its input writes more than its answers.
        each = max(len(lines) // asked, 1) if len(lines) < MAX_LINES else 1
        for at in range(0, min(len(lines), asked * each), each):
            self._prompt = practice.prompt()
            self._judge_lines(lines[at : at + each], line + at)
            practice.play()
            self._turn += 1

    def _fail(self, probe: Probe, fault: Fault, limit: float) -> None:
        """Add how the bot ended, or what else it did instead of answering."""
        errors = with_sandbox_paths(probe.stop(), self._bot)
        # A bot that fails after it has answered may have read its input wrongly.
        if fault.kind in (FaultKind.EXITED, FaultKind.KILLED, FaultKind.OUTPUT) and self.times:
            self._find_unread_lines("wrong")
        self._add(diagnose_fault(fault, limit, self._turn, errors, self._bot.language, path_of(self._bot)))

    # --- unread input

    def _withhold_last_line(self, probe: Probe) -> None:
        """Withhold the last line of a turn's input for a moment: a bot that answers all the same has not read it."""
        self._turn += 1
        self._prompt = self._practice.prompt()
        lines = self._prompt.splitlines(keepends=True)
        if len(lines) == 1:
            return
        probe.send(b"".join(lines[:-1]))
        if isinstance(probe.read_line(SHORT + 3 * max(self.times)), bytes):
            self._find_unread_lines("warning")
            return
        probe.send(lines[-1])
        probe.read_line(self._limits.share(False))

    def _find_unread_lines(self, severity: Severity) -> None:
        """Add how many of the last lines of its first input the bot does not read, if there are any."""
        prompt = PracticeMatch(self._game, *self._setup).prompt()
        lines = prompt.splitlines(keepends=True)
        few, many = 0, len(lines)  # with all but so many it answers; with all but so many it does not
        while many - few > 1:
            missing = 1 if few == 0 else (few + many) // 2
            if self._answers(lines[:-missing]):
                few = missing
            else:
                many = missing
        if few == len(lines) - 1 and self._answers([]):
            return  # it reads nothing at all, and what it writes is a finding of its own
        if few:
            left = quoted(lines[-few].decode().rstrip("\n"))
            found = wrong("check.reads-too-few", severity, read=len(lines) - few, lines=len(lines), left=left)
            # Whichever turn it is now: that is where these lines were left.
            found.turn, found.input = 1, prompt.decode()
            self.findings.append(found)

    def _answers(self, lines: Sequence[bytes]) -> bool:
        """Whether a new process of the bot answers to these lines."""
        probe = self._start()
        try:
            self._pass_ready(probe, LATEST)
            probe.send(b"".join(lines))
            return isinstance(probe.read_line(LONGER + 3 * max(self.times)), bytes)
        finally:
            probe.stop()

    @staticmethod
    def _patience(limit: float) -> float:
        return min(max(LATE, 2 * limit), LATEST)
