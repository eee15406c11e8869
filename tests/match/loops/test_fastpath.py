"""The fast path changes nothing but the referee's time: a match is the same, whoever plays its turns."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path
from typing import Any

import pytest

from dohyo.core.game import Turns
from dohyo.core.replay import Replay
from dohyo.games import all_games
from dohyo.games.drop_block import GAME
from dohyo.match.loops import compiled_loop, driver, kernel, python_loop
from dohyo.match.loops import driver as fastpath
from dohyo.match.loops.python_loop import PythonLoop
from dohyo.match.play import play_match
from dohyo.system import shipped
from tests.covering import covering
from tests.match.loops.three_ways import LONG, WAYS, Stage, compiled_once, faults_of, moves_of, stage, timeless

__all__ = ["compiled_once", "stage"]

pytestmark = pytest.mark.xdist_group("loops")  # one worker compiles them, and not each of them

DROP, WONDEV, SHOOT = "drop-block", "wondev-woman", "shoot-em-up"


SAMPLES: dict[str, tuple[str, list[str], dict[str, Any]]] = {
    "drop": (DROP, ["random.py"] * 4, {"turns": 200}),
    "drop-hunter": (DROP, ["hunter.py", "random.py"] * 2, {"turns": 60, "position_order": "column-row"}),
    "wondev": (WONDEV, ["random.py", "random.py"], {}),
    "wondev-climber": (WONDEV, ["climber.py", "random.py"], {"league": "wood1"}),
    "shoot": (SHOOT, ["gunner.py", "random.py"], {}),
}


@pytest.mark.parametrize(("match", "pondering"), covering(SAMPLES, [True, False]))
def test_samples_play_the_same_three_ways(stage: Stage, match: str, pondering: bool) -> None:
    """Bots that draw from their seed play the same match turn by turn, by the loop in Python and compiled."""
    game, bots, setup = SAMPLES[match]
    replay = stage.same(game, bots, 5, seed=11, setup=setup, pondering=pondering)
    assert not replay.result.unfinished
    assert all(not move.faults for turn in replay.turns for move in turn.moves)


def test_in_a_sandbox_it_is_the_same(stage: Stage) -> None:
    """Whatever the programs run in."""
    stage.same(DROP, [stage.quiet()] * 4, 50, setup={"turns": 100}, sandbox="auto")


def test_who_has_no_choice_may_say_anything(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player without a legal action has no move, whatever action it names: in the loop, and the replay tells it."""
    monkeypatch.setattr(driver, "TICK", LONG.turn)
    stubborn = stage.bot(
        """
        size, units = int(line()), int(line())
        while True:
            for _ in range(size + 2 * units):
                line()
            legal = [line() for _ in range(int(line()))]
            say((legal[0] if legal else "PUSH&BUILD 1 SW N") + chr(10))
        """
    )
    replay = stage.same(WONDEV, [stubborn] * 2, 20, seed=37, setup={"league": "bronze"})
    idle = [turn.moves[0] for turn in replay.turns if turn.moves[0].action == "NO-MOVE"]
    assert idle, "it always had a choice: this match shows nothing"
    assert {move.reply for move in idle} == {"PUSH&BUILD 1 SW N"}
    assert faults_of(replay, 0) == faults_of(replay, 1) == {}
    assert stage.in_loop == len(replay.turns)


def test_nobody_is_there(stage: Stage) -> None:
    """Bots of which none gets ready play a match all the same: turns in which nobody is asked."""
    stage.same(DROP, [stage.dropper(before="sys.exit(3)")] * 4, 0, setup={"turns": 8})


def test_a_match_that_is_taken_up_is_the_same(stage: Stage) -> None:
    """Turns are numbered on, and the rules go on from the state of that turn."""
    bots = [stage.dropper("say('URDLA'[turn * 7 // 4 % 5] + '\\n')")] * 4
    whole = stage.play("ring", DROP, bots, setup={"turns": 90})
    rest = stage.same(DROP, bots, 20, resume=(whole, 31))
    assert [turn.digest for turn in rest.turns] == [turn.digest for turn in whole.turns[31:]]


def test_most_turns_are_played_by_the_loop(stage: Stage) -> None:
    """Between bots that behave the loop hands over only when the timer's signal falls into a read."""
    for way in ("python", "compiled"):
        replay = stage.play(way, DROP, [stage.dropper()] * 4, setup={"turns": 2000})
        assert len(replay.turns) == 2000
        assert stage.in_loop > 1000
        assert all((move.seconds or 0) > 0 for turn in replay.turns for move in turn.moves)


def test_who_thinks_longer_than_the_tick_is_waited_for(stage: Stage) -> None:
    """A turn of 20 ms is not cut short, is charged in full, and is nobody's fault."""
    bots = [stage.dropper("if turn == 41: burn(0.02)\nsay('U\\n')"), *[stage.quiet()] * 3]
    bots = [bots[1], bots[0], *bots[2:]]
    replays = {way: stage.play(way, DROP, bots, setup={"turns": 100}) for way in WAYS}
    for replay in replays.values():
        slow = moves_of(replay, 1)[41]
        assert (slow.action, slow.faults) == ("U", ())
        assert slow.seconds is not None
        assert slow.seconds >= 0.02
    assert timeless(replays["python"]) == timeless(replays["ring"]) == timeless(replays["compiled"])


def test_a_tick_alone_hands_no_turn_over(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that thinks for several ticks is waited for in the loop, unless that has lasted too long."""
    monkeypatch.setattr(driver, "TICK", 0.0005)
    monkeypatch.setattr(python_loop, "PATIENCE", 60 * 10**9)
    bots = [stage.dropper("burn(0.002)\nsay('N\\n')"), *[stage.quiet()] * 3]
    assert len(stage.play("python", DROP, bots, setup={"turns": 40}).turns) == stage.in_loop == 40


def test_a_quiet_match_is_one_call_of_the_loop(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether programs write to standard error is learnt in the loop itself, in its first turns."""
    monkeypatch.setattr(driver, "TICK", LONG.turn)
    monkeypatch.setattr(driver.os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    monkeypatch.setattr(driver, "BURST_SECONDS", 60.0)  # however slow the machine is
    for way in ("python", "compiled"):
        stage.play(way, DROP, [stage.quiet()] * 4, setup={"turns": 200})
        assert [(end[kernel.TURNS], end[kernel.WATCH_STDERR]) for end in stage.ends] == [(200, 0)]
        noisy = stage.dropper("complain('x')\nsay('N\\n')")
        stage.play(way, DROP, [noisy, *[stage.quiet()] * 3], setup={"turns": 12})
        assert [(end[kernel.TURNS], end[kernel.WATCH_STDERR]) for end in stage.ends] == [
            (1, 1),
            (4, 1),
            (4, 1),
            (3, 1),
        ]


def test_every_turn_longer_than_the_tick(stage: Stage) -> None:
    """Then every turn is handed over to the ring, which ends it."""
    slow = stage.dropper("burn(0.006)\nsay('R\\n')")
    stage.same(DROP, [slow, stage.quiet(), slow, stage.quiet()], 5, setup={"turns": 40})


def test_outside_the_main_thread_there_is_no_fast_path(stage: Stage) -> None:
    """No signal can end a read there: turn by turn, the match is the same."""
    bots = [stage.quiet()] * 4
    usual = timeless(stage.play("ring", DROP, bots, setup={"turns": 60}))
    for way in ("python", "compiled"):
        found: list[Replay] = []
        work = threading.Thread(target=lambda: found.append(stage.play(way, DROP, bots, setup={"turns": 60})))  # noqa: B023
        work.start()
        work.join()
        assert stage.in_loop == 0
        assert timeless(found[0]) == usual


# --- which loop


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A process that has played nothing yet; the names of games whose loop was compiled, which is only noted."""
    made: list[str] = []

    class Loop:
        def __init__(self, game: Any) -> None:
            made.append(game.name)

    monkeypatch.setattr(compiled_loop, "CompiledLoop", Loop)
    monkeypatch.setattr(fastpath, "_loops", {})
    monkeypatch.setattr(fastpath, "_played", {})
    monkeypatch.setattr(fastpath, "_shipped", {})
    monkeypatch.setattr(shipped, "SHIPPED", Path("/nowhere"))
    return made


def test_the_compiled_loop_comes_when_it_has_been_paid_for(fresh: list[str]) -> None:
    """So many turns of that very game are played by the loop in Python; then the other one is made, once."""
    fastpath.note_turns(GAME, fastpath.TURNS_TO_PAY - 1)
    fastpath.note_turns(all_games()[WONDEV], fastpath.TURNS_TO_PAY)
    assert isinstance(fastpath.loop_for(GAME), PythonLoop)
    assert fresh == []
    fastpath.note_turns(GAME, 1)
    loop = fastpath.loop_for(GAME)
    assert loop is fastpath.loop_for(GAME)
    assert fresh == [DROP]
    assert isinstance(fastpath.loop_for(GAME, compiled=False), PythonLoop)


def test_the_compiled_loop_can_be_asked_for(fresh: list[str]) -> None:
    """Then it is there at once."""
    fastpath.loop_for(GAME, compiled=True)
    assert fresh == [DROP]


def test_without_the_compiler_it_stays_in_python(fresh: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """However many turns have been played."""
    fastpath.note_turns(GAME, fastpath.TURNS_TO_PAY)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert isinstance(fastpath.loop_for(GAME), PythonLoop)
    assert fresh == []


@pytest.mark.parametrize("name", [game.name for game in all_games().values() if game.turns is Turns.SIMULTANEOUS])
@pytest.mark.parametrize("compiled", [True, False, None])
def test_games_of_moves_at_once_have_no_loop(fresh: list[str], name: str, compiled: bool | None) -> None:
    """Nor is anything compiled for them."""
    fastpath.note_turns(all_games()[name], 2 * fastpath.TURNS_TO_PAY)
    assert fastpath.loop_for(all_games()[name], compiled) is None
    assert fresh == []


def test_turns_are_counted(fresh: list[str], stage: Stage) -> None:
    """Whoever plays them: the next match knows of them."""
    for way in ("ring", "python"):
        play_match(DROP, [stage.quiet()] * 4, clock=LONG, setup={"turns": 24}, sandbox="none", **WAYS[way])
    assert fastpath._played == {DROP: 48}
