"""Standard error on the fast path: nothing is lost; from a bot that goes on writing it stands beside its turns."""

from __future__ import annotations

from typing import Any

import pytest

from dohyo.core.faults import FaultKind
from dohyo.core.replay import Replay
from dohyo.match.processes.bot_process import KEPT_PER_TURN
from tests.match.loops.three_ways import Stage, compiled_once, faults_of, moves_of, stage, without_asides

__all__ = ["compiled_once", "stage"]

pytestmark = pytest.mark.xdist_group("loops")  # one worker compiles them, and not each of them

DROP, WONDEV = "drop-block", "wondev-woman"


TURNS = {"turns": 120}
TALK = "complain(f'turn {turn}\\n')\nsay('N\\n')"


def asides(replay: Replay, seat: int) -> dict[int, str]:
    """What a seat wrote to standard error, by the number of the turn where it stands."""
    return {turn: move.stderr for turn, move in moves_of(replay, seat).items() if move.stderr}


def all_of(replay: Replay, seat: int) -> str:
    """All that a seat wrote."""
    last = [move.stderr for move in replay.result.last if move.seat == seat]
    return "".join([*asides(replay, seat).values(), *last])


def test_a_bot_that_writes_in_every_turn(stage: Stage) -> None:
    """What it wrote before its answer stands beside that answer."""
    bots = [stage.quiet(), stage.dropper(TALK), stage.quiet(), stage.dropper(TALK)]
    replay = stage.same(DROP, bots, 20, setup=TURNS)
    for seat in (1, 3):
        assert asides(replay, seat) == {turn: f"turn {turn}\n" for turn in range(seat, 120, 4)}


def test_a_bot_that_writes_in_every_turn_and_another_that_is_slow(stage: Stage) -> None:
    """A loop that is cut short at once has not learnt yet who writes."""
    slow = stage.dropper("if turn == 2: burn(0.02)\nsay('N\\n')")
    bots = [stage.quiet(), stage.quiet(), slow, stage.dropper(TALK)]
    replay = stage.same(DROP, bots, 20, setup=TURNS)
    assert asides(replay, 3) == {turn: f"turn {turn}\n" for turn in range(3, 120, 4)}


@pytest.mark.parametrize("reply", ["N ", "nonsense", "N and more"])
def test_beside_an_answer_that_is_not_ordinary(stage: Stage, reply: str) -> None:
    """It stands there as well: also where every single turn is judged by the ring."""
    bots = [stage.dropper(TALK.replace("N", reply, 1)), stage.dropper(TALK), *[stage.quiet()] * 2]
    replay = stage.same(DROP, bots, 5, setup=TURNS)
    for seat in (0, 1):
        assert asides(replay, seat) == {turn: f"turn {turn}\n" for turn in range(seat, 120, 4)}


def test_beside_a_message(stage: Stage) -> None:
    """In Wondev Woman, too, where a text stands behind every action."""
    bots = [stage.climber("complain(f'turn {turn}\\n')\nsay(legal[0] + f' hello {turn}\\n')"), stage.climber()]
    replay = stage.same(WONDEV, bots, 1)
    assert list(asides(replay, 0).values()) == [f"turn {turn}\n" for turn in range(len(moves_of(replay, 0)))]


ENDS: dict[str, FaultKind] = {
    "sys.exit(1)": FaultKind.EXITED,
    "os.abort()": FaultKind.KILLED,
    "say('nonsense\\n')": FaultKind.MALFORMED,
    "say('x' * 100_000)": FaultKind.OUTPUT,
}


@pytest.mark.parametrize("end", ENDS)
def test_last_words_stand_beside_the_fault(stage: Stage, end: str) -> None:
    """A bot that was silent before and complains in the turn in which it fails, as of an exception."""
    bots = [stage.dropper(f"if turn == 80:\n    complain('last words')\n    {end}\nelse:\n    say('N\\n')")]
    replay = stage.same(DROP, [*bots, *[stage.quiet()] * 3], 20, setup=TURNS)
    assert asides(replay, 0) == {80: "last words"}
    assert [fault.kind for fault in faults_of(replay, 0)[80]] == [ENDS[end]]


def test_a_bot_that_begins_to_write_late(stage: Stage) -> None:
    """Its first words may stand beside a later turn; none are lost, and soon each has its own turn."""
    bots = [stage.quiet(), stage.dropper("if turn >= 40:\n    complain(f'turn {turn}\\n')\nsay('N\\n')")]
    bots += [stage.quiet()] * 2
    setup: dict[str, Any] = {"turns": 1000}
    replays = [stage.play(way, DROP, bots, setup=setup) for way in ("ring", "python", "compiled")]
    written = "".join(f"turn {turn}\n" for turn in range(41, 1000, 4))
    for replay in replays:
        assert all_of(replay, 1) == written
        assert without_asides(replay) == without_asides(replays[0])
        found = asides(replay, 1)
        first = min(found)
        assert first >= 41
        assert first <= 41 + 256
        assert found[first] == "".join(f"turn {turn}\n" for turn in range(41, first + 1, 4))
        exact = {turn: f"turn {turn}\n" for turn in range(first + 4, 1000, 4)}
        assert {turn: words for turn, words in found.items() if turn != first} == exact


def test_a_word_now_and_then(stage: Stage) -> None:
    """Who writes seldom loses nothing, and nothing stands before its time."""
    bots = [stage.dropper("if turn % 20 == 0: complain(f'{turn} ')\nsay('N\\n')"), *[stage.quiet()] * 3]
    replays = [stage.play(way, DROP, bots, setup={"turns": 1000}) for way in ("ring", "python", "compiled")]
    for replay in replays:
        assert all_of(replay, 0) == "".join(f"{turn} " for turn in range(0, 1000, 20))
        assert all(int(word) <= turn for turn, words in asides(replay, 0).items() for word in words.split())


@pytest.mark.parametrize("start", [0, 40])
def test_a_flood_of_standard_error(stage: Stage, start: int) -> None:
    """A megabyte in a turn is counted, its end is kept beside that turn, and the match goes on."""
    size = 1_000_000
    flood = f"if turn >= {start}: complain('x' * {size} + f'end{{turn}}')\nsay('N\\n')"
    bots = [stage.dropper(flood), *[stage.quiet()] * 3]
    for way in ("ring", "python", "compiled"):
        replay = stage.play(way, DROP, bots, setup={"turns": start + 20})
        assert len(replay.turns) == start + 20
        assert not any(faults_of(replay, seat) for seat in range(4))
        moves = moves_of(replay, 0)
        written = [turn for turn in moves if turn >= start]
        assert sum(len(move.stderr) + move.stderr_dropped for move in moves.values()) == sum(
            size + len(f"end{turn}") for turn in written
        )
        for turn in written:
            assert moves[turn].stderr.endswith(f"xend{turn}")
            assert len(moves[turn].stderr) == KEPT_PER_TURN


def test_what_is_written_between_turns_is_not_lost(stage: Stage) -> None:
    """Words behind an answer stand beside that turn or the next one, or at the end of the match; in order."""
    bots = [stage.dropper("say('N\\n')\ncomplain(f'{turn} ')"), *[stage.quiet()] * 3]
    for way in ("ring", "python", "compiled"):
        replay = stage.play(way, DROP, bots, setup={"turns": 400})
        assert all_of(replay, 0) == "".join(f"{turn} " for turn in range(0, 400, 4))


def test_who_closes_standard_error_plays_on(stage: Stage) -> None:
    """Nothing more comes from there, and that is no fault."""
    bots = [
        stage.dropper("if turn == 40:\n    complain('bye')\n    os.close(2)\nsay('N\\n')"),
        *[stage.quiet()] * 3,
    ]
    for way in ("ring", "python", "compiled"):
        replay = stage.play(way, DROP, bots, setup={"turns": 400})
        assert (all_of(replay, 0), faults_of(replay, 0)) == ("bye", {})
