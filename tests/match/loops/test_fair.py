"""The fast path under the clock of contests: the loops play quick turns, and no turn that may be late."""

from __future__ import annotations

from time import monotonic_ns

import pytest

from dohyo.core.clock import Clock
from dohyo.core.faults import BY_WALL, FaultKind
from dohyo.match.processes import process_tree
from dohyo.match.processes.process_tree import Used
from dohyo.system import proc
from tests.covering import covering
from tests.match.loops.three_ways import SHORT, Stage, compiled_once, faults_of, moves_of, stage
from tests.skips import Reason, skip_for

__all__ = ["compiled_once", "stage"]

pytestmark = pytest.mark.xdist_group("loops")  # one worker compiles them, and not each of them

FAIR = Clock(turn=60.0, ready=60.0, mode="fair")
# On a machine whose cores others use, the time of one turn may take a program minutes by the watch behind its clock.
STRICT = Clock(turn=SHORT.turn, first=60.0, ready=60.0, wall=3600.0, mode="fair")
LOOPS = ["python", "compiled"]


@pytest.fixture(autouse=True)
def measured() -> None:
    """Skip the test where the system does not tell what programs use."""
    if lacks := proc.missing("fair"):
        skip_for(Reason.KERNEL, f"fair clocks need {lacks}")


@pytest.mark.parametrize(("game", "pondering"), covering(["drop-block", "wondev-woman"], [True, False]))
def test_a_fair_match_is_the_same_three_ways(stage: Stage, game: str, pondering: bool) -> None:
    """Turn by turn, and most of them in the loop."""
    bots = ["random.py"] * (4 if game == "drop-block" else 2)
    replay = stage.same(game, bots, 5, seed=11, pondering=pondering, clock=FAIR)
    assert not any(move.faults for turn in replay.turns for move in turn.moves)


@pytest.mark.parametrize("way", LOOPS)
def test_quick_turns_are_charged_by_the_watch(stage: Stage, way: str) -> None:
    """Nothing else was looked at; of a turn that was handed over in its midst, processor time stands beside."""
    slow = stage.dropper("if turn == 41: burn(0.05)\nsay('U\\n')")
    bots = [stage.quiet(), slow, stage.quiet(), stage.quiet()]
    replay = stage.play(way, "drop-block", bots, setup={"turns": 100}, clock=FAIR)
    assert stage.in_loop > 50
    quick = [move for turn in replay.turns for move in turn.moves if move.cpu is None]
    assert len(quick) >= stage.in_loop
    assert {move.wall for move in quick} == {None}
    thought = moves_of(replay, 1)[41]
    assert thought.seconds is not None
    assert thought.cpu is not None
    assert thought.wall is not None
    # What we ourselves took between the loop's wait and the next one is in neither: on a busy machine that is long.
    assert thought.seconds <= thought.wall
    assert thought.cpu >= 0.045


@pytest.mark.parametrize(("does", "pondering"), covering(["hang()", "burn(60)"], [True, False]))
def test_who_is_too_slow_is_late_whoever_began_the_turn(stage: Stage, does: str, pondering: bool) -> None:
    """By its own clock, not by the watch behind it, all three ways."""
    late = stage.dropper(f"if turn == 41: {does}\nsay('U\\n')")
    bots = [stage.quiet(), late, stage.quiet(), stage.quiet()]
    replay = stage.same("drop-block", bots, 20, setup={"turns": 60}, clock=STRICT, pondering=pondering)
    assert [fault.kind for faults in faults_of(replay, 1).values() for fault in faults] == [FaultKind.TIMEOUT]
    assert list(faults_of(replay, 1)) == [41]
    assert BY_WALL not in faults_of(replay, 1)[41][0].also
    assert not any(faults_of(replay, seat) for seat in (0, 2, 3))


@pytest.mark.parametrize("way", LOOPS)
def test_who_waited_for_a_processor_is_not_late(stage: Stage, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that the loop has begun is judged by `fair`: the system says here that every moment was such a wait."""
    for look in ("look", "glance"):
        monkeypatch.setattr(process_tree.Tree, look, lambda self: Used(0, {}, {1: monotonic_ns()}))
    slow = stage.dropper(f"if turn == 41: time.sleep({2 * SHORT.turn})\nsay('U\\n')")
    bots = [stage.quiet(), slow, stage.quiet(), stage.quiet()]
    replay = stage.play(way, "drop-block", bots, setup={"turns": 60}, clock=STRICT)
    assert stage.in_loop >= 20
    answer = moves_of(replay, 1)[41]
    assert (answer.action, answer.faults) == ("U", ())
    assert answer.wall is not None
    assert answer.seconds is not None
    assert answer.seconds < min(SHORT.turn, answer.wall)


@pytest.mark.parametrize("way", LOOPS)
@pytest.mark.parametrize("clock", [Clock(turn=60.0, mode="cpu"), Clock(turn=60.0, mode="fair", bank=1.0)])
def test_where_more_must_be_known_of_each_turn_there_is_no_fast_path(stage: Stage, way: str, clock: Clock) -> None:
    """Processor time may be more than the watch shows, and a replay says after each turn what is left of a bank."""
    replay = stage.play(way, "drop-block", [stage.quiet()] * 4, setup={"turns": 12}, clock=clock)
    assert stage.in_loop == 0
    assert all(move.cpu is not None for turn in replay.turns for move in turn.moves)
