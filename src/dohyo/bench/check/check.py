"""The check of one bot: the protocol check, then real matches, and what both showed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from dohyo import bots, clean, doors
from dohyo.bench.check.crashes import for_python, path_of
from dohyo.bench.check.diagnosis import (
    diagnose_fault,
    diagnose_reply,
    for_process_per_turn,
    quoted,
    where_it_was,
    with_sandbox_paths,
)
from dohyo.bench.check.findings import CheckReport, FailedMatch, Finding, fine, wrong
from dohyo.bench.check.protocol_check import ProtocolCheck
from dohyo.bots import Bot
from dohyo.bots.content import likeness_of, listed
from dohyo.core import build_notes, parameters, playback
from dohyo.core.bot_spec import BotSpec, HandIn, Sample, text_of
from dohyo.core.clock import Account, Clock, Mode
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.replay import Move, Replay
from dohyo.core.seeds import derived
from dohyo.interrupts import DeferSignals
from dohyo.match.clocks import read_clock, slower
from dohyo.match.command_lines import command
from dohyo.match.found_bots import find_bots
from dohyo.match.play import MAX_SEED, Interrupted, play_match
from dohyo.match.players.kind import player_kinds
from dohyo.match.sandboxing import sandbox_of
from dohyo.match.telling.annotations import broken_in
from dohyo.match.telling.own_times import CLOSE, Taken, Turn, own_times
from dohyo.match.telling.summary import middle
from dohyo.match.working_copies import WorkingCopies
from dohyo.sandbox import Sandbox
from dohyo.system.proc import fair_mode

SEATS = 4  # of a match, where the game allows several numbers
MATCHES = 2
MATCH_SECONDS = 15.0  # a longer match is stopped: the check of thirty hand-ins must not take all day
PER_TURN_SECONDS = 5.0  # the same with a process for each turn: each turn is like the one before
OPPONENT = "random"
CHOSEN = ("main", "__main__", "bot")  # names by which an author says which file is started
MIN_APART = 2  # files beside a program that it does not use: one is often what trains or draws it
SHOWN_FILE = 100  # characters of its name

# Findings about the lines that a bot writes.
LINE_MISTAKES = frozenset(
    f"check.{what}"
    for what in (
        *("unasked", "two-answers", "debugging", "case", "spelling"),
        *("malformed", "empty-line", "encoding", "utf16", "utf8-mark"),
    )
)
# Of these, the findings after which each of its answers comes one turn too late in a match.
EXTRA_LINES = frozenset({"check.unasked", "check.two-answers", "check.debugging"})


KeepReplay = Callable[[Replay], None]


class TimeIsUp(KeyboardInterrupt):
    """A match has used all the time that it may take."""


def check_bot(
    game: Game,
    bot: str | BotSpec | Bot,
    *,
    seed: int = 0,
    setup: Mapping[str, object] | None = None,
    clock: str | float | Clock | None = None,
    matches: int = MATCHES,
    python: str | None = None,
    sandbox: str | Sandbox = "auto",
    keep: KeepReplay | None = None,
    debug: bool = False,
) -> CheckReport:
    """Check one bot of `game`: what is wrong with it, and how long its turns take.

    `bot` is the operator's word for it (as for `play_match`), or a bot that was resolved. After the protocol check,
    `matches` matches are played against the game's sample bot `random`, from different seats, with `seed`, `setup`
    and `clock`. `python` is the interpreter for bots in Python, `sandbox` what the bots run in (as for
    `play_match`). `keep` is called with the replay of each match in which something was wrong; for its sake a
    bot that fails the protocol check plays one match too, which adds nothing to what was found. With `debug`, it is a
    debug build (docs/debugging.md), and without a `clock` it has more time.

    Raises `OperatorError` for a bot that is not there or does not build, and for a wrong setup or clock. No program
    is left running, not even after an interrupt.
    """
    check_options(game, seed, setup, clock)
    sandbox = sandbox_of(sandbox)
    (known,) = find_bots(game, [bot], python, sandbox, debug=debug, setup=setup)
    limits = read_clock(game, clock, [known.lifetime], fair_mode())
    if known.debug and clock is None:
        limits = slower(limits)
    work = _BotCheck(game, known, seed, setup or {}, limits, clock, python, sandbox, keep, debug)
    if isinstance(bot, HandIn) and bot.entry:
        work.compare_files()
    elif isinstance(bot, str):
        work.tell_apart()
    work.tell_start()
    work.check_build()
    if known.protocol:
        survived, seconds = work.check_kind(), MATCH_SECONDS
    elif work.per_turn:
        survived, seconds = True, PER_TURN_SECONDS
    else:
        survived, seconds = work.check_protocol(), MATCH_SECONDS
        survived = not work.is_unnamed() and survived
    for number in range(matches if survived else 0):  # after a failed protocol check they would show the same again
        work.play(number, seconds)
    if matches and not survived and keep is not None:
        work.record(seconds)
    return work.finish()


class _BotCheck:
    """The check of one bot, so far."""

    def __init__(
        self,
        game: Game,
        known: Bot,
        seed: int,
        setup: Mapping[str, object],
        limits: Clock,
        clock: str | float | Clock | None,
        python: str | None,
        sandbox: Sandbox,
        keep: KeepReplay | None,
        debug: bool,
    ) -> None:
        self._game, self._known, self._limits = game, known, limits
        self._seed, self._setup, self._python, self._sandbox = seed, setup, python, sandbox
        self._clock, self._keep, self._debug = clock, keep, debug
        self._seats = max(game.seats[0], min(SEATS, game.seats[1]))
        self._times: list[list[Taken]] = []  # of each process
        self.per_turn = known.lifetime == "turn" and "turn" in game.lifetimes
        first_limit = limits.limit(is_first=True)
        self._found = CheckReport(game.name, known.name, known.language, limit=limits.turn, first_limit=first_limit)
        self._found.digest = known.digest
        self._cut_short = 0  # matches that were not played to their end

    def compare_files(self) -> None:
        """Note the digest by which hand-ins with the very same files are found."""
        if self._known.staged:
            with suppress(OperatorError):
                self._found.likeness = likeness_of(Path(self._known.staged))

    def tell_apart(self) -> None:
        """Say what in a folder that an operator named looks like further bots: it may be a folder of hand-ins."""
        further = [clean.line(name, SHOWN_FILE) for name in self._known.apart]
        if len(further) >= MIN_APART:
            self._found.add([wrong("check.taken-as-one", "warning", files=listed(further), number=len(further))])

    def tell_start(self) -> None:
        """Say which file of a folder is started, where no name such as main says it and the command shows it."""
        known = self._known
        inside = [
            word.removeprefix(f"{known.staged}/") for word in known.command if word.startswith(f"{known.staged}/")
        ]
        if not known.staged or known.is_lone or not inside or Path(inside[0]).stem.lower() in CHOSEN:
            return
        self._found.add([fine("check.starts", file=clean.line(inside[0], SHOWN_FILE))])

    def check_build(self) -> None:
        """Whether the build says that the bot could play better, and what was not built."""
        if note := build_notes.key_in(self._known.log):
            self._found.add([wrong(note, "warning", bot=self._found.name)])
        if self._known.left_out:
            self._found.add([fine("check.left-out", files=listed(self._known.left_out))])

    def check_protocol(self) -> bool:
        """Run the protocol check; whether the bot survived it."""
        with DeferSignals() as signals, WorkingCopies() as copies:
            # What the bot writes into its folder must not outlive the protocol check.
            moves = self._game.lifetimes and not self._known.private
            (working_copy,) = copies.make([self._known]) if moves else (self._known,)
            check = ProtocolCheck(
                self._game, working_copy, self._limits, self._seed, self._setup, self._seats, signals, self._sandbox
            )
            check.run()
        self._found.add(check.findings)
        self._times.append(check.taken)
        return check.survived

    def check_kind(self) -> bool:
        """Whether a program that speaks another protocol than its game's is ready to play."""
        finding = self._handshake(self._known)
        self._found.add([finding])
        return finding.severity == "fine"

    def is_unnamed(self) -> bool:
        """Whether a bot that did not answer as it should speaks another protocol, and nobody has said so; that is
        added."""
        if self._found.fit:
            return False
        for name, kind in player_kinds():
            if not kind.hint(self._game):
                continue
            found = self._handshake(self._known.given(parameters.speaking(name)))
            if found.severity == "fine":
                self._found.add([wrong(f"check.speaks-{name}", name=found.details["name"], bot=self._found.name)])
                return True
        return False

    def _handshake(self, bot: Bot) -> Finding:
        """What the guest that brings the bot's kind finds before its matches."""
        handshake = doors.load(doors.find("players", bot.kind).check)
        with DeferSignals() as signals:
            found: Finding = handshake(self._game, bot, self._limits, self._seed, self._setup, self._sandbox, signals)
            return found

    def play(self, number: int, seconds: float) -> None:
        """Play match `number`, counted from 0, for at most the given seconds."""
        game, found = self._game, self._found
        seat, specs, seed = self._match(number)
        replay, whole = self._play(specs, seed, seconds)
        if replay.disturbed or _not_ready(replay, seat):  # the machine may have been busy for a moment
            replay, whole = self._play(specs, seed, seconds)
        found.matches += 1
        seen = list(findings_of_match(game, replay, seat, found.matches, self._limits, self.per_turn, self._known))
        if replay.disturbed:
            found.add([wrong("check.disturbed", "warning", seconds=replay.disturbed)])
            for finding in seen:
                finding.severity = "warning"
        if any(finding.severity == "wrong" for finding in seen):
            self._fail(found.matches, seat, seed, replay)
        _add_new(found, seen)
        self._add_annotations(_moves(replay, seat))
        if not any(finding.severity == "wrong" for finding in seen):  # otherwise it is shown with what is wrong
            self._add_standard_error(_moves(replay, seat))
        if not replay.disturbed:  # its times are not the bot's
            late = FaultKind.TIMEOUT
            self._times.append(
                [
                    Taken(move.seconds, move.cpu, any(fault.kind is late for fault in move.faults))
                    for move in _moves(replay, seat)
                    if move.seconds is not None
                ]
            )
        if not whole:
            self._cut_short += 1
            found.add([fine("check.cut-short", seconds=seconds, turns=replay.played)])

    def record(self, seconds: float) -> None:
        """Play match 0 for its replay alone, which is kept if the bot fails in it too."""
        seat, specs, seed = self._match(0)
        replay, _ = self._play(specs, seed, seconds)
        moves = [*_moves(replay, seat), *(move for move in replay.result.last if move.seat == seat)]
        if any(move.faults for move in moves):
            self._fail(1, seat, seed, replay)

    def _match(self, number: int) -> tuple[int, list[BotSpec | Bot], int]:
        """The bot's seat in match `number`, who sits where, and the seed."""
        samples = bots.samples_of(self._game)
        seat = 0 if number % 2 == 0 else self._seats - 1
        specs: list[BotSpec | Bot] = [Sample(OPPONENT) if OPPONENT in samples else self._known] * self._seats
        specs[seat] = self._known
        return seat, specs, derived(self._seed, "check", number)

    def _fail(self, number: int, seat: int, seed: int, replay: Replay) -> None:
        """Note that match `number`, counted from 1, went wrong, and keep its replay."""
        found = self._found
        named = [OPPONENT if OPPONENT in bots.samples_of(self._game) else found.name] * self._seats
        named[seat] = found.name if self._known.spec is None else text_of(self._known.spec)
        found.failed.append(FailedMatch(number, seed, self._command(named, seed)))
        if self._keep is not None:
            self._keep(replay)

    def _add_annotations(self, moves: Iterable[Move]) -> None:
        """Count the lines that were meant to draw something, and draw nothing."""
        if lines := [line for move in moves for line in broken_in(move)]:
            one = wrong("check.annotation", "warning", written=quoted(lines[0]))
            one.count = len(lines)
            self._found.add([one])

    def _add_standard_error(self, moves: Iterable[Move]) -> None:
        """Say that the bot wrote to standard error, and what last."""
        written = [line for move in moves for line in move.stderr.splitlines() if line.strip()]
        if written and all(finding.key != "check.stderr" for finding in self._found.findings):
            details = {"written": quoted(written[-1])}
            self._found.add([Finding("check.stderr", "fine", details, "check.stderr.do")])

    def _command(self, named: list[str], seed: int) -> str:
        """The command line that plays the same match again."""
        words = ["play", self._game.name, *named, "--seed", str(seed), "--faults"]
        clock = None if self._clock is None or isinstance(self._clock, Clock) else str(self._clock)
        return command(*words, setup=self._setup, clock=clock, python=self._python, debug=self._debug)

    def _play(self, specs: list[BotSpec | Bot], seed: int, seconds: float) -> tuple[Replay, bool]:
        """Play a match for a limited time; its replay, and whether it was played to its end."""
        end = monotonic() + seconds

        def look(replay: Replay) -> None:
            if monotonic() > end:
                raise TimeIsUp

        options: dict[str, Any] = {"setup": self._setup, "clock": self._limits, "python": self._python}
        options["sandbox"], options["debug"], options["asks_where"] = self._sandbox, self._debug, True
        try:
            # Not on the fast path, which measures no processor time.
            return play_match(self._game, specs, seed=seed, on_turn=look, **options), True
        except Interrupted as interrupt:
            if isinstance(interrupt.__cause__, TimeIsUp):
                return interrupt.replay, False
            raise

    def finish(self) -> CheckReport:
        """The report: everything that was found, with the times."""
        found = self._found
        if found.matches and found.fit and not any(finding.match for finding in found.findings):
            key = "check.played-part" if self._cut_short else "check.played"
            whole = found.matches - self._cut_short
            found.add([fine(key, matches=found.matches, opponent=OPPONENT, whole=whole, cut=self._cut_short)])
        _add_times(found, self._times, self._limits.mode)
        return found


def check_options(
    game: Game, seed: int, setup: Mapping[str, object] | None, clock: str | float | Clock | None
) -> None:
    """Raise `OperatorError` for a wrong seed, setup or clock, before anything is built."""
    if not 0 <= seed <= MAX_SEED:
        raise OperatorError("bad-seed", seed=seed, most=MAX_SEED)
    resolve(game.options, setup or {}, game.catalogue)
    read_clock(game, clock)


def _add_new(found: CheckReport, of_match: Iterable[Finding]) -> None:
    """Add what a match showed, but not what only follows from what the protocol check has found.

    What is wrong with the bot's lines is then only counted. After an extra line every later answer comes one turn
    too late: that is added once, and no line is judged by the turn in which it arrived.
    """
    of_protocol = [finding for finding in found.findings if finding.match is None]
    known = next((finding for finding in of_protocol if finding.key in LINE_MISTAKES), None)
    extra = any(finding.key in EXTRA_LINES for finding in of_protocol)
    for finding in of_match:
        if finding.key == "check.behind" or (extra and finding.key == "check.two-answers"):
            if not any(told.key == "check.behind" for told in found.findings):
                found.findings.append(_behind(finding))
        elif extra and (finding.key in LINE_MISTAKES or finding.key == "check.illegal"):
            continue
        elif known is not None and finding.key in LINE_MISTAKES:
            known.count += 1
        else:
            found.add([finding])


def _behind(finding: Finding) -> Finding:
    """The finding that each answer comes one turn too late, at the same place as `finding`."""
    behind = Finding("check.behind", "warning", turn=finding.turn, match=finding.match, written=finding.written)
    behind.replay_turn = finding.replay_turn
    return behind


def _not_ready(replay: Replay, seat: int) -> bool:
    moves = [*_moves(replay, seat), *(move for move in replay.result.last if move.seat == seat)]
    return any(fault.kind is FaultKind.NOT_READY for move in moves for fault in move.faults)


def _moves(replay: Replay, seat: int) -> list[Move]:
    return [move for turn in replay.turns for move in turn.moves if move.seat == seat]


def findings_of_match(
    game: Game, replay: Replay, seat: int, match: int, limits: Clock, per_turn: bool, bot: Bot
) -> Iterator[Finding]:
    """What went wrong on a seat of a match; `a_turn` says that the seat has a new process for each turn."""
    asked = early = 0
    for moment in playback.moments(game, replay):
        for move in moment.turn.moves:
            if move.seat != seat:
                continue
            asked += move.seconds is not None
            all_found: list[tuple[Finding, bool]] = []  # each with whether the referee made it a note
            if move.reply is not None and any(_is_early(fault) for fault in move.faults):
                all_found.append((_too_early(move, early), all(fault.note for fault in move.faults)))
                early += 1
            else:
                for fault in move.faults:
                    if fault.kind in (FaultKind.MALFORMED, FaultKind.ILLEGAL):
                        one = for_python(diagnose_reply(game, moment.before, seat, move.reply or "", fault), bot)
                    else:
                        said = with_sandbox_paths(move.stderr, bot)
                        limit = Account(limits).limit(asked == 1)
                        one = diagnose_fault(fault, limit, asked, said, bot.language, path_of(bot))
                        where_it_was(one, fault, said, bot)
                        if fault.kind is FaultKind.TIMEOUT and move.reply is not None:
                            one.severity = "warning"  # a strike: the answer counted
                    all_found.append((one, fault.note))
            for one, note in all_found:
                found = for_process_per_turn(one, per_turn, note)
                found.turn, found.match, found.replay_turn = asked or None, match, moment.turn.turn
                found.written = move.reply
                if move.seconds is not None and not bot.protocol:
                    found.input = game.prompt(moment.before, seat).decode()
                yield found
    for move in replay.result.last:
        for fault in move.faults if move.seat == seat else ():
            said = with_sandbox_paths(move.stderr, bot)
            found = diagnose_fault(fault, limits.ready, asked, said, bot.language, path_of(bot))
            where_it_was(found, fault, said, bot)
            found.match = match
            yield found


def _is_early(fault: Fault) -> bool:
    return fault.code == FaultCode.EARLY


def _too_early(move: Move, before: int) -> Finding:
    """What it means that a line came before its turn was asked; `before` such lines came before this one."""
    shown = quoted(move.reply or "")
    if any(fault.kind is FaultKind.MALFORMED and not _is_early(fault) for fault in move.faults):
        return wrong("check.debugging", written=shown)
    return wrong("check.behind", "warning") if before else wrong("check.two-answers", second=shown)


def _add_times(found: CheckReport, times: list[list[Taken]], mode: Mode) -> None:
    """Add how long turns took: `times` are those of each process, turn by turn. See `own_times` for what counts."""
    first = [Turn(*process[0], found.first_limit) for process in times if process]
    usual = [Turn(*taken, found.limit) for process in times for taken in process[1:]]
    if not first:
        return
    firsts, others = own_times(first, mode), own_times(usual, mode)
    charged = [turn.seconds for turn in first + usual]
    found.turns, found.median = len(charged), middle(charged)
    found.first, found.longest = max(firsts), max(others, default=None)
    if unsure := [turn for turn, own in zip(first + usual, firsts + others, strict=True) if own < turn.seconds]:
        worst = max(unsure)
        found.add([fine("check.unsure", count=len(unsure), seconds=worst.seconds, ran=worst.ran)])
    if not found.limit:  # time for a whole match may be spent as the bot likes
        return
    parts = {"check.slow-first": found.first / found.first_limit, "check.slow": (found.longest or 0.0) / found.limit}
    found.share = max(parts.values())
    for key, share in parts.items():
        if CLOSE < share < 1:
            found.add([wrong(key, "warning", share=f"{share:.0%}", longest=found.longest, first=found.first)])
