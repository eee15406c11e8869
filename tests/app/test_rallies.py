"""Rallies change nothing but the referee's time: a match is the same, however its ordinary turns are played."""

from __future__ import annotations

import importlib.util
import threading
from typing import Any

import pytest

import dohyo
from dohyo.app import rallies
from dohyo.app.table import play_match
from dohyo.core.game import Turns
from dohyo.core.replay import Replay
from dohyo.games import all_games
from dohyo.games.drop_block import GAME
from dohyo.runner import plain_rally, rally
from dohyo.runner import rallies as rallies_of_match
from dohyo.runner.plain_rally import PlainLoop
from tests.app.three_ways import LONG, WAYS, Stage, compiled_once, moves_of, stage, timeless

__all__ = ["compiled_once", "stage"]

DROP, WONDEV, SHOOT = "drop-block", "wondev-woman", "shoot-em-up"


@pytest.mark.parametrize("pondering", [True, False], ids=["pondering", "paused"])
@pytest.mark.parametrize(
    ("game", "bots", "setup"),
    [
        (DROP, ["random.py"] * 4, {"turns": 200}),
        (DROP, ["hunter.py", "random.py"] * 2, {"turns": 60, "position_order": "column-row"}),
        (WONDEV, ["random.py", "random.py"], {}),
        (WONDEV, ["climber.py", "random.py"], {"league": "wood1"}),
        (SHOOT, ["gunner.py", "random.py"], {}),
    ],
    ids=["drop", "drop-hunter", "wondev", "wondev-climber", "shoot"],
)
def test_samples_play_the_same_three_ways(
    stage: Stage, game: str, bots: list[str], setup: dict[str, Any], pondering: bool
) -> None:
    """Bots that draw from their seed play the same match turn by turn, in the plain loop and in the compiled one."""
    replay = stage.same(game, bots, 5, seed=11, setup=setup, pondering=pondering)
    assert not replay.result.unfinished
    assert all(not move.faults for turn in replay.turns for move in turn.moves)


def test_in_a_sandbox_it_is_the_same(stage: Stage) -> None:
    """Whatever the programs run in."""
    stage.same(DROP, [stage.dropper()] * 4, 50, setup={"turns": 100}, sandbox="auto")


def test_nobody_is_there(stage: Stage) -> None:
    """Bots of which none gets ready play a match all the same: turns in which nobody is asked."""
    stage.same(DROP, [stage.dropper(before="sys.exit(3)")] * 4, 0, setup={"turns": 8})


def test_a_match_that_is_taken_up_is_the_same(stage: Stage) -> None:
    """Turns are numbered on, and the rules go on from the state of that turn."""
    bots = [stage.dropper("say('URDLA'[turn * 7 // 4 % 5] + '\\n')")] * 4
    whole = stage.play("ring", DROP, bots, setup={"turns": 90})
    rest = stage.same(DROP, bots, 20, resume=(whole, 31))
    assert [turn.digest for turn in rest.turns] == [turn.digest for turn in whole.turns[31:]]


def test_most_turns_are_played_in_rallies(stage: Stage) -> None:
    """Between bots that behave a rally hands over only when the timer's signal falls into a read."""
    for way in ("plain", "compiled"):
        replay = stage.play(way, DROP, [stage.dropper()] * 4, setup={"turns": 2000})
        assert len(replay.turns) == 2000
        assert stage.in_rallies > 1000
        assert all((move.seconds or 0) > 0 for turn in replay.turns for move in turn.moves)


def test_who_thinks_longer_than_the_tick_is_waited_for(stage: Stage) -> None:
    """A turn of 20 ms is not cut short, is charged in full, and is nobody's fault."""
    bots = [stage.dropper("if turn == 41: burn(0.02)\nsay('U\\n')"), *[stage.dropper()] * 3]
    bots = [bots[1], bots[0], *bots[2:]]
    replays = {way: stage.play(way, DROP, bots, setup={"turns": 100}) for way in WAYS}
    for replay in replays.values():
        slow = moves_of(replay, 1)[41]
        assert (slow.action, slow.faults) == ("U", ())
        assert slow.seconds is not None
        assert slow.seconds >= 0.02
    assert timeless(replays["plain"]) == timeless(replays["ring"]) == timeless(replays["compiled"])


def test_a_tick_alone_hands_no_turn_over(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that thinks for several ticks is waited for in the rally, unless that has lasted too long."""
    monkeypatch.setattr(rallies_of_match, "TICK", 0.0005)
    monkeypatch.setattr(plain_rally, "PATIENCE", 60 * 10**9)
    bots = [stage.dropper("burn(0.002)\nsay('N\\n')"), *[stage.dropper()] * 3]
    assert len(stage.play("plain", DROP, bots, setup={"turns": 40}).turns) == stage.in_rallies == 40


def test_a_quiet_match_is_a_single_rally(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether programs write to standard error is learnt in the loop itself, in its first turns."""
    monkeypatch.setattr(rallies_of_match, "TICK", LONG.turn)
    for way in ("plain", "compiled"):
        stage.play(way, DROP, [stage.dropper()] * 4, setup={"turns": 200})
        assert [(end[rally.TURNS], end[rally.WATCHFUL]) for end in stage.ends] == [(200, 0)]
        noisy = stage.dropper("complain('x')\nsay('N\\n')")
        stage.play(way, DROP, [noisy, *[stage.dropper()] * 3], setup={"turns": 12})
        assert [(end[rally.TURNS], end[rally.WATCHFUL]) for end in stage.ends] == [(1, 1), (4, 1), (4, 1), (3, 1)]


def test_every_turn_longer_than_the_tick(stage: Stage) -> None:
    """Then every turn is handed over to the ring, which ends it."""
    slow = stage.dropper("burn(0.006)\nsay('R\\n')")
    stage.same(DROP, [slow, stage.dropper(), slow, stage.dropper()], 5, setup={"turns": 40})


def test_outside_the_main_thread_there_is_no_rally(stage: Stage) -> None:
    """No signal can end a read there: turn by turn, the match is the same."""
    bots = [stage.dropper()] * 4
    usual = timeless(stage.play("ring", DROP, bots, setup={"turns": 60}))
    for way in ("plain", "compiled"):
        found: list[Replay] = []
        work = threading.Thread(target=lambda: found.append(stage.play(way, DROP, bots, setup={"turns": 60})))  # noqa: B023
        work.start()
        work.join()
        assert stage.in_rallies == 0
        assert timeless(found[0]) == usual


# --- which loop


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A process that has played nothing yet; the names of games whose loop was compiled, which is only noted."""
    made: list[str] = []

    class Loop:
        def __init__(self, game: Any) -> None:
            made.append(game.name)

    monkeypatch.setattr(rallies, "CompiledLoop", Loop)
    monkeypatch.setattr(rallies, "_loops", {})
    monkeypatch.setattr(rallies, "_played", {})
    return made


def test_the_compiled_loop_comes_when_it_has_been_paid_for(fresh: list[str]) -> None:
    """So many turns of that very game are played by the plain loop; then the other one is made, once."""
    rallies.note_turns(GAME, rallies.TURNS_TO_PAY - 1)
    rallies.note_turns(all_games()[WONDEV], rallies.TURNS_TO_PAY)
    assert isinstance(rallies.loop_for(GAME), PlainLoop)
    assert fresh == []
    rallies.note_turns(GAME, 1)
    loop = rallies.loop_for(GAME)
    assert loop is rallies.loop_for(GAME)
    assert fresh == [DROP]
    assert isinstance(rallies.loop_for(GAME, compiled=False), PlainLoop)


def test_the_compiled_loop_can_be_asked_for(fresh: list[str]) -> None:
    """Then it is there at once."""
    rallies.loop_for(GAME, compiled=True)
    assert fresh == [DROP]


def test_without_the_compiler_it_stays_plain(fresh: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """However many turns have been played."""
    rallies.note_turns(GAME, rallies.TURNS_TO_PAY)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert isinstance(rallies.loop_for(GAME), PlainLoop)
    assert fresh == []


@pytest.mark.parametrize("name", [game.name for game in all_games().values() if game.turns is Turns.SIMULTANEOUS])
@pytest.mark.parametrize("compiled", [True, False, None])
def test_games_of_moves_at_once_have_no_rally(fresh: list[str], name: str, compiled: bool | None) -> None:
    """Nor is anything compiled for them."""
    rallies.note_turns(all_games()[name], 2 * rallies.TURNS_TO_PAY)
    assert rallies.loop_for(all_games()[name], compiled) is None
    assert fresh == []


def test_turns_are_counted(fresh: list[str], stage: Stage) -> None:
    """Whoever plays them: the next match knows of them."""
    for way in ("ring", "plain"):
        play_match(DROP, [stage.dropper()] * 4, clock=LONG, setup={"turns": 24}, sandbox="none", **WAYS[way])
    assert rallies._played == {DROP: 48}
    assert dohyo.play is play_match
