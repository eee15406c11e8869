"""Runs the contests that games provide (`koth`): from a folder of bots to matches and files of results.

Theory of operation
-------------------
The game's state machine (`core/dialogue.py`) yields requests: build the bots, check one, play a match, print, write a
file. Here each request is carried out. Each match's replay is written when the match ends, also if a signal ends it;
the machine's files are written when it requests that. A signal takes effect while bots are built and while they play:
the machine receives the information that the match was interrupted, and may still report the standings.

All results are in one folder that was new or empty: the replays, the machine's files, and in `bots` the working
copies of the bots. Bots that are declared by a `bot.toml` or `command.txt` write there from match to match; their
authors' folders do not change.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import msgspec

from dohyo import clean
from dohyo.bench.check.check import check_bot
from dohyo.bench.check.findings import Finding
from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.dialogue import (
    Command,
    Entrant,
    Entrants,
    Examine,
    Keep,
    Lapse,
    Machine,
    Play,
    Played,
    Print,
    Request,
)
from dohyo.core.errors import BuildError, MachineError, OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.executors.played_again import again_in_words
from dohyo.i18n import ENGLISH, Message, Speaker
from dohyo.interrupts import DeferSignals
from dohyo.match import files
from dohyo.match.folder_bots import find
from dohyo.match.play import Interrupted, play_match
from dohyo.match.replays import replays
from dohyo.match.sandboxing import sandbox_of
from dohyo.match.telling.summary import summarise
from dohyo.match.working_copies import WorkingCopies
from dohyo.sandbox import Sandbox

MAX_TRIES = 3  # of a match in which we ourselves were stopped for a time
LINES_OF_LOG = 40  # of the output of a failed build
ENDS = (".", "?", "!", "。")  # of a sentence; some end with what a bot wrote


class Output(Protocol):
    """Takes the lines that a contest prints."""

    def print(self, line: str) -> None:
        """Print a line that stays."""

    def note(self, line: str) -> None:
        """Print something about the contest, beside its own output."""

    def show(self, line: str) -> None:
        """Show the progress: a line that replaces the one before."""

    def tick(self, line: Callable[[], str]) -> None:
        """Show the progress at intervals during a match: the line is made only if it is shown."""


class Outcome(msgspec.Struct):
    """One match of the contest: the place of its replay and its result; no result if it was interrupted."""

    number: int
    seed: int
    replay: str
    played: Played | None


class Record(msgspec.Struct):
    """A contest's record, for scripts: who played, who could not and why, and every match.

    `again` is how many matches had to be played again, because Dohyo was stopped or the machine too busy.
    """

    bots: list[str] = []
    refused: dict[str, str] = {}
    skipped: list[str] = []
    matches: list[Outcome] = []
    again: int = 0


class FolderContest:
    """Carries out a state machine's requests, one after the other.

    `folder` holds the bots, `place` gets the results: an empty folder (see `reserve`). `python` is the interpreter of
    bots in Python, `clock` a preset of the game or seconds per turn, `sandbox` what bots run in (see `play_match`).
    `record` holds what happened so far, `interrupt` the exception of the signal that ended it, if one did.
    """

    def __init__(
        self,
        game: Game,
        command: Command,
        folder: str,
        place: Path,
        output: Output,
        *,
        speaker: Speaker = ENGLISH,
        python: str | None = None,
        clock: str | float | Clock | None = None,
        sandbox: str | Sandbox = "auto",
    ) -> None:
        self.record = Record()
        self.interrupt: KeyboardInterrupt | None = None
        self._game = game
        self._command = command
        self._folder = folder
        self._place = place
        self._output = output
        self._speaker = speaker
        self._python = python
        self._sandbox = sandbox_of(sandbox)
        self._clock = command.clock if clock is None else clock
        known = {*game.catalogue, *command.catalogue}
        self._catalogue = {at: {**game.catalogue.get(at, {}), **command.catalogue.get(at, {})} for at in known}
        self._copies = WorkingCopies(place / "bots")
        self._bots: dict[str, Bot] = {}
        self._working_bots: dict[str, Bot] = {}
        self._signals = DeferSignals()

    def run(self, machine: Machine) -> int:
        """Run the machine to its end; its exit status. No process is left running, however this ends.

        Raises `OperatorError` for a mistake of the operator, and the `KeyboardInterrupt` of a signal that came
        before the first match; a later one is in `interrupt`.
        """
        answers: dict[type[Request], Callable[[Any], Any]] = {
            Entrants: self._entrants,
            Examine: self._examine,
            Play: self._play,
            Message: lambda request: self._output.print(self._speaker.knowing(self._catalogue).say(request)),
            Print: lambda request: self._output.print(request.line),
            Keep: self._keep,
        }
        with self._copies, self._signals:
            try:
                request = next(machine)
                while True:
                    request = machine.send(answers[type(request)](request))
            except StopIteration as end:
                status: int = end.value
                return status
            finally:
                if self.record.again:
                    self._output.note(self._busy())

    def _busy(self) -> str:
        """How many matches were played again, and what would help."""
        clock = self._clock if isinstance(self._clock, Clock) else None
        return again_in_words(self.record.again, clock, None, self._speaker)

    # --- the operator

    def _keep(self, request: Keep) -> None:
        text = clean.block(request.text, most=clean.TAB * len(request.text))
        files.write_whole(self._place / request.name, text.encode())

    # --- the bots

    def _entrants(self, _: Entrants) -> list[Entrant]:
        """Everything in the folder that can be a bot, built; other entries are only named."""
        self._output.show(self._speaker.say("contest.builds"))
        found = self._interruptible(
            lambda: find(self._folder, self._game.seats[1], self._python, os.fspath(self._place), self._sandbox)
        )
        self._output.note(self._speaker.say("contest.place", place=self._place))
        if found.skipped:
            self._output.print(self._speaker.say("contest.skipped", names=self._speaker.listed(found.skipped)))
        self._bots = {bot.name: bot for bot in found.bots}
        self.record.bots = list(self._bots)
        refused = [Entrant(name, error.say(self._speaker), _log(error)) for name, error in found.refused.items()]
        self.record.refused = {entrant.name: "\n    ".join([entrant.refusal, *entrant.log]) for entrant in refused}
        self.record.skipped = list(found.skipped)
        return [*refused, *(Entrant(name) for name in self._bots)]

    def _examine(self, request: Examine) -> list[str]:
        """What one bot does wrong in a short match, in a folder that is removed afterwards."""
        self._output.show(self._speaker.say("contest.examines", bot=request.name))
        with WorkingCopies() as copies:
            (bot,) = copies.make([self._bots[request.name]])
            options: dict[str, Any] = {"setup": request.setup, "clock": self._clock, "sandbox": self._sandbox}
            found = self._interruptible(lambda: check_bot(self._game, bot, matches=1, **options))
        return [self._finding(finding) for finding in found.findings if finding.severity != "fine"]

    def _finding(self, finding: Finding) -> str:
        """Where it was seen, what it was, and what to do about it."""
        speaker = self._speaker.knowing(self._game.catalogue)
        told, advice = finding.say(speaker), finding.advice(speaker)
        if advice:
            whole = told if told.endswith(ENDS) else speaker.say("contest.sentence", text=told)
            told = speaker.sentences((whole, advice))
        where = finding.where(speaker)
        return speaker.labelled(where, told) if where else told

    # --- matches

    def _play(self, request: Play) -> Played | None:
        """Play one match, and write its replay before anything else."""
        if self.interrupt is not None:
            return None
        try:
            for number in range(MAX_TRIES):
                self.record.again += number == 1
                replay = self._interruptible(lambda: self._match(request))
                if not replay.disturbed:
                    break
        except Interrupted as interrupt:
            self.interrupt, replay = interrupt, interrupt.replay
        except KeyboardInterrupt as interrupt:
            self.interrupt = interrupt
            return None
        path = self._place / f"game-{request.number:02d}.replay.zst"
        replays.save(replay, path)
        # A signal may also come when the last turn is over: then the match counts.
        played = None if replay.result.unfinished else _played(replay, request.names)
        self.record.matches.append(Outcome(request.number, request.seed, os.fspath(path), played))
        return played

    def _match(self, request: Play) -> Replay:
        return play_match(
            self._game,
            [self._working_copy(name) for name in request.names],
            seed=request.seed,
            setup=request.setup,
            clock=self._clock,
            sandbox=self._sandbox,
            on_progress=lambda so_far: self._show(request, so_far),
        )

    def _working_copy(self, name: str) -> Bot:
        """The bot in the copy of its folder, which it keeps during the contest."""
        if name not in self._working_bots:
            (self._working_bots[name],) = self._copies.make([self._bots[name]])
        return self._working_bots[name]

    def _show(self, request: Play, replay: Replay) -> None:
        """Report the progress of the match; whoever was asked in the last turn still plays."""
        told = {
            "match": request.number,
            "turn": len(replay.turns),
            "playing": len(replay.turns[-1].moves),
            "bots": len(request.names),
        }
        again = f", {self._speaker.say('contest.again', count=self.record.again)}" if self.record.again else ""
        self._output.tick(lambda: self._speaker.say("contest.progress", **told) + again)

    def _interruptible(self, work: Callable[[], Any]) -> Any:
        """Do something that signals may interrupt."""
        try:
            self._signals.open()
            return work()
        finally:
            self._signals.shut()


def _log(error: OperatorError) -> tuple[str, ...]:
    """The output of a failed build: its first lines and its last ones."""
    lines = clean.block(error.log.rstrip()).splitlines() if isinstance(error, BuildError) else []
    if len(lines) > LINES_OF_LOG:
        half = LINES_OF_LOG // 2
        lines = [*lines[:half], "[...]", *lines[-half:]]
    return tuple(lines)


def _played(replay: Replay, names: tuple[str, ...]) -> Played:
    """The result of a finished match, by the bots' names."""
    summary = summarise(replay)
    seats = dict(zip(names, summary.seats, strict=True))
    lapses = [
        Lapse(name, fault.turn, fault.kind, fault.reply is not None)
        for name, seat in seats.items()
        for fault in seat.faults
        if not fault.note and fault.turn < len(replay.turns)  # output after the last turn answers no turn
    ]
    return Played(
        scores={name: seat.score or 0 for name, seat in seats.items()},
        fates={name: seat.fate.key for name, seat in seats.items()},
        lapses=tuple(sorted(lapses, key=lambda lapse: lapse.turn)),
        disturbed=replay.disturbed,
    )


def reserve(given: str | None, stem: str) -> Path:
    """A new or empty folder for results: `given`, or `stem`-1, `stem`-2, ... in the current one.

    Raises `OperatorError` if it cannot be made, or is in use.
    """
    try:
        if given is not None:
            place = Path(given)
            place.mkdir(parents=True, exist_ok=True)
            if any(place.iterdir()):
                raise OperatorError("contest-out-in-use", path=given)
            files.check_place(place / "leaderboard")
            return place
        for number in itertools.count(1):
            place = Path(f"{stem}-{number}")
            with suppress(FileExistsError):
                place.mkdir()
                return place
    except OSError as error:
        raise MachineError("cannot-write", path=given or Path(), reason=error) from error
    raise AssertionError("never")
