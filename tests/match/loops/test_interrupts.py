"""A signal in the midst of the loop: the replay adds up, nothing is left running, the timer is nobody's any more."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import dohyo
from dohyo.core.replay import Replay
from dohyo.match.loops.compiled_loop import CompiledLoop
from dohyo.match.loops.driver import FastPath
from dohyo.match.loops.python_loop import PythonLoop
from dohyo.match.play import Interrupted
from tests.covering import covering
from tests.match.loops.three_ways import Stage, compiled_once, moves_of, stage

__all__ = ["compiled_once", "stage"]

pytestmark = pytest.mark.xdist_group("loops")  # one worker compiles them, and not each of them

DROP = "drop-block"
LOOPS: dict[str, Any] = {"python": PythonLoop, "compiled": CompiledLoop}
STEPS = ["_channels", "_note_stderr", "close", "_run_loop", "_end_turn"]  # of the fast path, between its loops
both_loops = pytest.mark.parametrize("way", LOOPS)


@pytest.fixture(autouse=True)
def timer() -> Iterator[None]:
    """The timer and its signal are as they were, whatever happens."""
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    yield
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def interrupted(stage: Stage, way: str, bots: list[str], **setup: int) -> Replay:
    """Play a match that a signal ends; its replay, which verifies."""
    with pytest.raises(Interrupted) as caught:
        stage.play(way, DROP, bots, setup={"turns": 1_000_000, **setup})
    replay = caught.value.replay
    assert replay.result.unfinished
    assert dohyo.verify(replay) == len(replay.turns)  # a line of dice alone among them, where nobody had moved yet
    return replay


@both_loops
def test_a_signal_from_outside(stage: Stage, way: str) -> None:
    """Ctrl-C while bots play at full speed for ever; one of them sends it."""
    parent = os.getpid()
    bots = [stage.dropper(f"if turn == 2000: os.kill({parent}, signal.SIGINT)\nsay('N\\n')"), *[stage.dropper()] * 3]
    replay = interrupted(stage, way, bots)
    assert stage.in_loop > 1000
    assert 2000 <= len(replay.turns) < 1_000_000


@both_loops
def test_a_signal_while_a_bot_thinks(stage: Stage, way: str) -> None:
    """It takes effect while the ring waits: the turn that was begun is no turn."""
    parent = os.getpid()
    body = f"""
    if turn == 400:
        complain('deep in thought')
        os.kill({parent}, signal.SIGINT)
        hang()
    say('N\\n')
    """
    replay = interrupted(stage, way, [stage.dropper(body), *[stage.dropper()] * 3])
    assert len(replay.turns) == 400
    said = [move.stderr for move in [*moves_of(replay, 0).values(), *replay.result.last] if move.stderr]
    assert said == ["deep in thought"]


@pytest.mark.parametrize(("call", "way", "after"), covering([1, 2, 5], LOOPS, [True, False]))
def test_a_signal_around_the_loop(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, way: str, call: int, after: bool
) -> None:
    """What the loop has played is in the replay, turn for turn."""
    signal_in(monkeypatch, LOOPS[way], "play", call, after)
    replay = interrupted(stage, way, [stage.dropper()] * 4)
    assert abs(len(replay.turns) - stage.in_loop) <= 20  # the others are the ring's


@pytest.mark.parametrize(("name", "way", "after"), covering(STEPS, LOOPS, [False, True]))
def test_a_signal_in_the_work_between(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, way: str, name: str, after: bool
) -> None:
    """Whatever was being done is done first; one that comes at the very end finds a whole match."""
    signal_in(monkeypatch, FastPath, name, 1, after)
    if name != "close":
        # Some lines are not ordinary, so that the loop ends before the match is over.
        odd = stage.dropper("say('N  \\n' if turn >= 50 else 'N\\n')")
        interrupted(stage, way, [odd, *[stage.dropper()] * 3])
        return
    with pytest.raises(Interrupted) as caught:
        stage.play(way, DROP, [stage.dropper()] * 4, setup={"turns": 100})
    assert dohyo.verify(caught.value.replay) == 100
    assert not caught.value.replay.result.unfinished


@both_loops
def test_any_other_signal(stage: Stage, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """Whatever signal it is whose handler raises: the turns that were played are there, and how they ended."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, stop)
    try:
        signal_in(monkeypatch, LOOPS[way], "play", 3, True, signal.SIGUSR1)
        with pytest.raises(Interrupted) as caught:
            stage.play(way, DROP, [stage.dropper()] * 4, setup={"turns": 1_000_000})
    finally:
        signal.signal(signal.SIGUSR1, before)
    replay = caught.value.replay
    assert dohyo.verify(replay) == replay.played >= stage.in_loop


def test_somebody_elses_timer(stage: Stage) -> None:
    """Where the timer is in use there is no fast path, and the timer goes on."""
    seen: list[int] = []
    signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
    try:
        for way in LOOPS:
            assert len(stage.play(way, DROP, [stage.dropper()] * 4, setup={"turns": 60}).turns) == 60
            assert stage.in_loop == 0
        assert signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@both_loops
def test_a_thread_that_works_beside(stage: Stage, way: str) -> None:
    """What else the process does goes on while the loop plays: here a bot waits for it in mid-match."""
    stage.pipes("ask", "go")

    def help_out() -> None:
        assert (stage.folder / "ask").read_text() == "on"
        (stage.folder / "go").write_text("on")

    helper = threading.Thread(target=help_out)
    helper.start()
    bots = [stage.dropper("if turn == 80:\n    tell('ask')\n    wait_for('go')\nsay('N\\n')"), *[stage.dropper()] * 3]
    assert len(stage.play(way, DROP, bots, setup={"turns": 120}).turns) == 120
    helper.join()


def signal_in(
    monkeypatch: pytest.MonkeyPatch, place: Any, name: str, call: int, after: bool, number: int = signal.SIGINT
) -> None:
    """Send the signal in the `call`th call of a function, before or after it does its work."""
    work = getattr(place, name)
    calls = iter(range(1, 1_000_000))

    def signalled(*arguments: Any) -> Any:
        now = next(calls) == call
        if now and not after:
            signal.raise_signal(number)
        found = work(*arguments)
        if now and after:
            signal.raise_signal(number)
        return found

    monkeypatch.setattr(place, name, signalled)
