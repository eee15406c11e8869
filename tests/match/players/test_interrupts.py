"""Signals: they take effect where a match waits, nowhere else, and whatever they do, no process is left."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator

import pytest

from dohyo.core.clock import Clock
from dohyo.core.options import resolve
from dohyo.core.playback import verify
from dohyo.core.referee import Referee
from dohyo.core.replay import Header, Replay, Seat
from dohyo.games.drop_block import GAME
from dohyo.interrupts import DeferSignals
from dohyo.match.players.per_match import PerMatchProcesses
from dohyo.match.processes import bot_process, ending
from dohyo.match.processes.bot_process import BotProcess
from dohyo.match.running import Match
from tests.match.players.living import LONG, Workshop

ANSWERS = "say('READY\\n')\nwhile asked():\n    complain('.')\n    say('A\\n')"
SIGNS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


class Stop(KeyboardInterrupt):
    """What the test's handlers raise."""


@pytest.fixture(autouse=True)
def handlers() -> Iterator[list[int]]:
    """Handlers for all signals that note them and raise; the usual ones are back afterwards."""
    arrived: list[int] = []

    def stop(number: int, frame: object) -> None:
        arrived.append(number)
        raise Stop

    before = {number: signal.signal(number, stop) for number in SIGNS}
    yield arrived
    for number, handler in before.items():
        signal.signal(number, handler)


# --- the shield alone


@pytest.mark.parametrize("number", SIGNS)
def test_a_signal_waits_until_the_shield_opens(handlers: list[int], number: int) -> None:
    """Shut, nothing happens; the signal takes effect where the shield opens, and after that it is shut again."""

    def work() -> None:
        signal.raise_signal(number)
        assert handlers == []
        try:
            signals.open()
        finally:
            assert handlers == [number]
            signal.raise_signal(signal.SIGINT)  # while cleaning up: held back, and dropped

    with pytest.raises(Stop), DeferSignals() as signals:
        work()
    assert handlers == [number]


def test_an_open_shield_lets_through(handlers: list[int]) -> None:
    """Open, a signal takes effect at once; what it raises finds the shield shut."""

    def wait() -> None:
        signals.open()
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGTERM)

    with pytest.raises(Stop), DeferSignals() as signals:
        wait()
    assert handlers == [signal.SIGINT]


def test_a_held_signal_takes_effect_when_the_shield_is_put_down(handlers: list[int]) -> None:
    """A signal in the last moment of a match is not lost."""
    with pytest.raises(Stop), DeferSignals():
        signal.raise_signal(signal.SIGINT)
    assert handlers == [signal.SIGINT]


def test_handlers_are_put_back(handlers: list[int]) -> None:
    """After a shield all is as before: own handlers, the system's; what a handler itself has changed stays so."""
    own = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def once(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_IGN)

    signal.signal(signal.SIGTERM, once)
    with DeferSignals() as signals:
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        signals.open()
        signal.raise_signal(signal.SIGTERM)
        signals.shut()
    assert signal.getsignal(signal.SIGINT) is own
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_a_handler_that_does_not_raise_changes_nothing() -> None:
    """The shield stays as open as it was."""
    seen: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: seen.append(number))
    with DeferSignals() as signals:
        signals.open()
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        assert len(seen) == 2


def test_only_the_main_thread_has_signals() -> None:
    """In any other thread a shield does nothing, and does not fail."""
    opened = []

    def use() -> None:
        with DeferSignals() as signals:
            signals.open()
            opened.append(signal.getsignal(signal.SIGINT))

    own = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert opened == [own]


# --- a match, interrupted at every kind of moment


def interrupted(workshop: Workshop, body: str = ANSWERS, on_turn: Callable[[], None] | None = None) -> Replay:
    """Play a match of twelve turns that a signal ends; the replay, which verifies."""
    setup = resolve(GAME.options, {"turns": 12})
    judge = Referee(GAME, setup, 4, 1)
    game = Match(judge, [workshop.launch(body) for _ in range(4)], Clock(turn=LONG, ready=LONG), on_turn)
    with pytest.raises(Stop):
        game.play()
    header = Header(game=GAME.name, rules=1, setup=setup, seats=(Seat("bot"),) * 4, seed=1, software="test")
    replay = Replay(header, judge.turns, game.result)
    verify(GAME, replay)
    return replay


def signal_in(
    monkeypatch: pytest.MonkeyPatch, place: object, name: str, call: int, after: bool, number: int = signal.SIGINT
) -> None:
    """Send the signal in the `call`th call of a function, before or after it does its work."""
    work = getattr(place, name)
    calls = iter(range(1, 1_000_000))

    def signalled(*arguments: object, **named: object) -> object:
        now = next(calls) == call
        if now and not after:
            signal.raise_signal(number)
        found = work(*arguments, **named)
        if now and after:
            signal.raise_signal(number)
        return found

    monkeypatch.setattr(place, name, signalled)


MOMENTS = {
    "starting the third program": (bot_process, "BotProcess", 3, 0),
    "the first look for READY": (BotProcess, "is_ready", 1, 0),
    "before the deal was told": (Referee, "prompt", 1, 0),
    "writing the first prompt": (BotProcess, "send", 1, 0),
    "writing the sixth prompt": (BotProcess, "send", 6, 5),
    "taking the third answer": (BotProcess, "take_asides", 3, 2),
    "judging the third answer": (Referee, "_judge", 3, 3),
    "stepping the third time": (Referee, "submit", 3, 3),
    "waiting for the end": (PerMatchProcesses, "await_ends", 1, 12),
    "ending the first": (BotProcess, "stop", 1, 12),
}


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupt_at_any_moment(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, moment: str, after: bool
) -> None:
    """Whatever the match was just doing, its turns so far verify, and no program or descriptor is left."""
    place, name, call, turns = MOMENTS[moment]
    signal_in(monkeypatch, place, name, call, after)
    replay = interrupted(workshop)
    assert len([turn for turn in replay.turns if turn.moves]) in (turns, turns + 1)
    assert replay.result.unfinished == (turns < 12)


def test_an_interrupt_while_a_bot_thinks(workshop: Workshop) -> None:
    """Ctrl-C while a program hangs ends the wait at once; what it had complained of is recorded."""
    workshop.pipes("thinking")
    body = "say('READY\\n')\nif len(asked()) > 1:\n    complain('deep in thought')\n    tell('thinking')\n    hang()"

    def press() -> None:
        workshop.wait_for("thinking")
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    replay = interrupted(workshop, body)
    thread.join()
    assert (replay.turns[0].moves, replay.result.unfinished) == ((), True)
    assert [(move.seat, move.stderr) for move in replay.result.last] == [(0, "deep in thought")]


def test_an_interrupt_in_the_callers_own_function(workshop: Workshop) -> None:
    """What the caller does after a turn may take its time, and is interrupted at once."""
    reached = []

    def on_turn() -> None:
        signal.raise_signal(signal.SIGINT)
        reached.append("never")

    replay = interrupted(workshop, on_turn=on_turn)
    assert (len(replay.turns), replay.result.unfinished, reached) == (1, True, [])


def test_an_interrupt_while_nobody_is_asked(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a match that runs by itself, all its programs stopped, can be interrupted."""
    signal_in(monkeypatch, Referee, "submit", 6, True)
    replay = interrupted(workshop, "say('READY\\n')\nasked()\nsys.exit(1)")
    assert len(replay.turns) == 6


def test_more_interrupts_while_cleaning_up(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second, third and fourth Ctrl-C during the cleaning up do not cut it short, nor hide the first."""
    work = ending.collect

    def signalled(process: object) -> float:
        signal.raise_signal(signal.SIGINT)
        waited = work(process)  # type: ignore[arg-type]
        signal.raise_signal(signal.SIGTERM)
        return waited

    monkeypatch.setattr(ending, "collect", signalled)
    replay = interrupted(workshop, on_turn=lambda: signal.raise_signal(signal.SIGINT))
    assert (len(replay.turns), replay.result.unfinished) == (1, True)


def test_an_error_of_the_caller_leaves_nothing_behind(workshop: Workshop) -> None:
    """Whatever the caller's own function raises comes through, and all programs are gone."""

    def on_turn() -> None:
        raise ZeroDivisionError

    judge = Referee(GAME, resolve(GAME.options, {}), 4, 1)
    game = Match(judge, [workshop.launch(ANSWERS) for _ in range(4)], Clock(turn=LONG, ready=LONG), on_turn)
    with pytest.raises(ZeroDivisionError):
        game.play()
    assert game.result.unfinished


def test_one_that_does_not_end_keeps_nobody_else_alive(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """When ending a program fails, by a defect of ours, the others are ended before anybody hears of it."""
    work = ending.collect
    calls = iter([True])

    def stuck(process: object) -> float:
        waited = work(process)  # type: ignore[arg-type]
        if next(calls, False):
            raise RuntimeError("does not end")
        return waited

    monkeypatch.setattr(ending, "collect", stuck)
    players = workshop.seat("hang()", "hang()")
    with pytest.raises(RuntimeError, match="does not end"):
        players.stop_all()
    assert players.programs[1] is None
