"""What fails while a program is being started leaves nothing: no process, no descriptor, no sandbox, no cores."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import pytest

from dohyo.core.faults import Fault
from dohyo.interrupts import DeferSignals
from dohyo.match.players.per_match import PerMatchProcesses
from dohyo.match.players.per_turn import PerTurnProcesses
from dohyo.match.processes import bot_process
from dohyo.match.processes.bot_process import BotProcess
from dohyo.match.processes.launch import Launch
from tests.match.players.living import LONG, Workshop


class TroubleError(Exception):
    """What no part of the code expects."""


class SandboxedRun:
    """A sandboxed run that fails when its program has been started."""

    ends_together = False

    def __init__(self, command: Sequence[str], folder: str, environment: Mapping[str, str] | None) -> None:
        self.command, self.folder, self.environment = tuple(command), folder, environment
        self.closed = 0

    def started(self, pid: int) -> None:
        raise TroubleError

    def began(self) -> int | None:
        return None

    def verdict(self, fault: Fault) -> Fault:
        return fault

    def processor_seconds(self) -> None:
        return None

    def close(self) -> None:
        self.closed += 1


def fail(*_: object, **__: object) -> None:
    """In the place of anything."""
    raise TroubleError


def test_a_house_that_fails_after_the_start(workshop: Workshop) -> None:
    """The process that runs already is ended, and the sandboxed run is closed, once."""
    launch, made = workshop.launch("hang()"), []

    def build(command: Sequence[str], folder: str, environment: Mapping[str, str] | None) -> SandboxedRun:
        made.append(SandboxedRun(command, folder, environment))
        return made[-1]

    with pytest.raises(TroubleError):
        BotProcess(launch.command, launch.folder, sandbox_factory=build)
    assert [sandbox_factory.closed for sandbox_factory in made] == [1]


def test_a_house_whose_command_fails_strangely(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sandboxed run is closed whatever was raised, not for the errors of the system alone."""
    made: list[SandboxedRun] = []
    monkeypatch.setattr(bot_process, "start_in", fail)

    def build(command: Sequence[str], folder: str, environment: Mapping[str, str] | None) -> SandboxedRun:
        made.append(SandboxedRun(command, folder, environment))
        return made[-1]

    with pytest.raises(TroubleError):
        BotProcess(("true",), str(workshop.folder), sandbox_factory=build)
    assert [sandbox_factory.closed for sandbox_factory in made] == [1]


def test_a_program_whose_pipes_cannot_be_set_up(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process is ended where the first thing that is done with it fails."""
    launch = workshop.launch("hang()")
    monkeypatch.setattr(bot_process.os, "set_blocking", fail)
    with pytest.raises(TroubleError):
        BotProcess(launch.command, launch.folder)


def test_a_program_for_a_turn_whose_stopwatch_fails(workshop: Workshop) -> None:
    """What was started for the turn is ended, and can be seen by nobody."""
    launch = workshop.launch("hang()")
    a_turn = Launch(launch.command, launch.folder, None, a_turn=True)
    made = PerTurnProcesses({0: a_turn}, DeferSignals(), watches=fail)  # type: ignore[arg-type]
    with pytest.raises(TroubleError):
        made.ask(1, {0: b"x"}, {0: LONG})
    made.stop_all()


def test_programs_for_a_turn_all_end(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose end fails by a defect of ours does not keep the others, nor itself, from ending."""
    launch = workshop.launch("hang()")
    a_turn = Launch(launch.command, launch.folder, None, a_turn=True)
    made = PerTurnProcesses({0: a_turn, 1: a_turn}, DeferSignals())
    for seat in (0, 1):
        made._players[seat].begin(LONG, LONG)
        assert made._start(seat, 1, b"x") is None
    processes = [made._running[seat].process.process for seat in (0, 1)]
    exits = [number for number, (_, what) in made._poller._watched.items() if what == "exit"]
    monkeypatch.setattr(made._poller, "remove", fail)
    with pytest.raises(TroubleError):
        made.stop_all()
    for number in exits:
        os.close(number)
    assert [process.returncode for process in processes] == [-9, -9]


def test_programs_of_a_match_all_end(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for those that live for a match."""
    players: PerMatchProcesses = workshop.start("hang()", "hang()")
    processes = [one.process for one in players.programs if one is not None]
    monkeypatch.setattr(players._poller, "remove", fail)
    with pytest.raises(TroubleError):
        players.stop_all()
    assert [process.returncode for process in processes] == [-9, -9]


def test_a_program_ends_whatever_fails_in_its_end(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it cannot be told what it computed, its pipes are closed all the same, and it is gone."""
    launch = workshop.launch("hang()")
    begun = BotProcess(launch.command, launch.folder)
    monkeypatch.setattr(begun, "look", fail)
    with pytest.raises(TroubleError):
        begun.stop()
    assert begun.process.returncode == -9


def test_a_program_for_a_turn_that_cannot_be_watched(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was started and cannot be watched is ended: nobody else would know of it."""
    launch = workshop.launch("hang()")
    made = PerTurnProcesses({0: Launch(launch.command, launch.folder, None, a_turn=True)}, DeferSignals())
    monkeypatch.setattr(made._poller, "follow_exit", fail)
    with pytest.raises(TroubleError):
        made.ask(1, {0: b"x"}, {0: LONG})
    made.stop_all()
    assert made._players[0].process.process.returncode == -9
