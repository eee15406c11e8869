"""Bots that misbehave on the fast path: the same verdict, in the same turn, however turns are played."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.games import find
from dohyo.match.loops import driver
from dohyo.match.players.per_match import PerMatchProcesses
from dohyo.match.verdict import early as early_line
from tests.covering import covering
from tests.match.loops.three_ways import (
    LONG,
    SHORT,
    Stage,
    compiled_once,
    faults_of,
    moves_of,
    stage,
    without_asides,
)

__all__ = ["compiled_once", "stage"]

pytestmark = pytest.mark.xdist_group("loops")  # one worker compiles them, and not each of them

DROP, WONDEV = "drop-block", "wondev-woman"
AT = 40  # the turn in which seat 0 misbehaves
TURNS = {"turns": 80}


# What seat 0 does in a turn, and plays on: the kind of its fault, if there is one.
ONCE: dict[str, FaultKind | None] = {
    "say('nonsense\\n')": FaultKind.MALFORMED,
    "say('\\n')": FaultKind.MALFORMED,
    "say('n\\n')": FaultKind.MALFORMED,
    "say('NN\\n')": FaultKind.MALFORMED,
    "say('N  \\n')": None,
    "say('  N\\n')": None,
    "say('N\\r\\n')": None,
    "say('N and more\\n')": None,
    "say('N\\0\\n')": None,
    "say('\\0\\n')": FaultKind.MALFORMED,
    "say('N\\tx\\n')": FaultKind.MALFORMED,
    "say(b'\\xff\\xfe\\n')": FaultKind.MALFORMED,
    "say(b'N\\xc3\\n')": FaultKind.MALFORMED,
    "say(b'U' * 65536 + b'\\n')": FaultKind.MALFORMED,
    "say('N'); burn(0.012); say('\\n')": None,
    "say(''); burn(0.012); say('N'); burn(0.012); say(' \\n')": None,
}

# What it does in that turn and never plays again.
ENDS: dict[str, FaultKind] = {
    "say('N'); sys.exit(0)": FaultKind.EXITED,
    "sys.exit(0)": FaultKind.EXITED,
    "sys.exit(3)": FaultKind.EXITED,
    "say('N\\n'); sys.exit(3)": FaultKind.EXITED,
    "os.kill(os.getpid(), 9)": FaultKind.KILLED,
    "os.kill(os.getpid(), 11)": FaultKind.KILLED,
    "say(b'U' * 65537 + b'\\n')": FaultKind.OUTPUT,
    "say(b'U' * 10_000_000)": FaultKind.OUTPUT,
    "say(b'U' * 10_000_000 + b'\\n')": FaultKind.OUTPUT,
    "os.close(1); hang()": FaultKind.CLOSED,
    "hang()": FaultKind.TIMEOUT,
    "say('N'); hang()": FaultKind.TIMEOUT,
}
PAUSED = ("sys.exit(3)", "hang()")


@pytest.mark.parametrize("pondering", [True, False], ids=["pondering", "paused"])
def test_turns_that_are_not_ordinary(stage: Stage, pondering: bool) -> None:
    """The rest of each such turn is the ring's, with its verdict; all play on, and between them the loop plays."""
    at = {AT + 8 * number: what for number, what in enumerate(ONCE)}
    does = "".join(f"if turn == {turn}: {what}\nel" for turn, what in at.items())
    bots = [stage.dropper(f"{does}se: say('N\\n')"), *[stage.quiet("U")] * 3]
    turns = AT + 8 * len(ONCE) + 40
    replay = stage.same(DROP, bots, turns // 2, setup={"turns": turns}, pondering=pondering)
    moves = moves_of(replay, 0)
    for turn, what in at.items():
        kind = ONCE[what]
        assert [fault.kind for fault in moves[turn].faults] == ([] if kind is None else [kind]), what
        assert moves[turn].reply is not None or what.endswith("say('\\n')"), what
    assert set(faults_of(replay, 0)) <= set(at)
    assert len(replay.turns) == turns
    assert not any(faults_of(replay, seat) for seat in (1, 2, 3))


@pytest.mark.parametrize(
    ("what", "pondering"), [*((what, True) for what in ENDS), *((what, False) for what in PAUSED)]
)
def test_a_turn_that_is_the_last(stage: Stage, what: str, pondering: bool) -> None:
    """The rest of the turn is the ring's, with its verdict; the others play on."""
    clock = {"clock": SHORT} if ENDS[what] in (FaultKind.CLOSED, FaultKind.TIMEOUT) else {}
    bots = [stage.dropper(f"if turn == {AT}: {what}\nelse: say('N\\n')"), *[stage.quiet("U")] * 3]
    replay = stage.same(DROP, bots, 20, setup=TURNS, pondering=pondering, **clock)
    found = faults_of(replay, 0)
    assert [fault.kind for faults in found.values() for fault in faults] == [ENDS[what]]
    assert set(found) <= {AT, AT + 4}
    assert len(replay.turns) == TURNS["turns"]
    assert not any(faults_of(replay, seat) for seat in (1, 2, 3))


def test_who_closes_its_input_plays_on(stage: Stage) -> None:
    """Who reads nothing any more, and says so, may go on answering: here whenever the next one is asked."""
    turns = range(AT + 4, TURNS["turns"], 4)
    stage.pipes(*(f"turn{turn}" for turn in turns))
    blind = f"""
    if turn == {AT}:
        os.close(0)
        say('N\\n')
        for turn in range({AT + 4}, {TURNS["turns"]}, 4):
            wait_for(f'turn{{turn}}')
            say('U\\n')
        hang()
    say('N\\n')
    """
    guide = f"""
    say('N\\n')
    if turn - 3 >= {AT} and turn + 1 < {TURNS["turns"]}: tell(f'turn{{turn + 1}}')
    """
    bots = [stage.dropper(blind), *[stage.quiet()] * 2, stage.dropper(guide)]
    for way in ("ring", "python", "compiled"):
        replay = stage.play(way, DROP, bots, setup=TURNS)
        assert [move.action for move in moves_of(replay, 0).values()] == ["N"] * 11 + ["U"] * 9
        faults = [fault for faults in faults_of(replay, 0).values() for fault in faults]
        assert all(fault == early_line("U") for fault in faults)  # it may be quicker than the question


# --- lines too many


@pytest.fixture
def no_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No timer's signal falls into the loop: it is not the ring that looks at what waits."""
    monkeypatch.setattr(driver, "TICK", LONG.turn)


def early(found: dict[int, tuple[Fault, ...]]) -> list[int]:
    """The turns with the fault of a line too many, and nothing else."""
    for faults in found.values():
        (fault,) = faults
        assert fault.code == FaultCode.EARLY
    return list(found)


@pytest.mark.usefixtures("no_tick")
def test_two_lines_in_one_write(stage: Stage) -> None:
    """The second one answers the next turn, and is told of there; so is every line from then on."""
    stage.pipes("said", *(f"said{turn}" for turn in range(AT + 4, TURNS["turns"] - 3, 4)))
    bots = [
        stage.dropper(f"say('U\\nR\\n' if turn == {AT} else 'N\\n')\nif turn > {AT}: tell(f'said{{turn}}')"),
        stage.dropper(f"if turn > {AT + 1}: wait_for(f'said{{turn - 1}}')\nsay('N\\n')"),
        *[stage.quiet()] * 2,
    ]
    replay = stage.same(DROP, bots, 20, setup=TURNS)
    assert early(faults_of(replay, 0)) == list(range(AT + 4, TURNS["turns"], 4))
    assert [move.action for move in moves_of(replay, 0).values()] == ["N"] * 10 + ["U", "R"] + ["N"] * 8


def ahead(stage: Stage, turn: int, more: str, silent: int = -1, every: bool = False) -> list[str]:
    """Bots of which the first does `more` when its answer of that turn has been read, before it is asked again.

    It says nothing in the turn `silent`. With `every`, each of its answers after that is there before anybody asks.
    """
    marks = range(turn, TURNS["turns"] - 3, 4) if every else [turn]
    stage.pipes("read", *(f"said{mark}" for mark in marks))
    first = f"""
    if turn != {silent}: say('N\\n')
    if turn == {turn}:
        wait_for('read')
        {more}
    if turn in {list(marks)}: tell(f'said{{turn}}')
    """
    second = f"""
    if turn == {turn + 1}: tell('read')
    if turn - 1 in {list(marks)}: wait_for(f'said{{turn - 1}}')
    say('N\\n')
    """
    return [stage.dropper(first), stage.dropper(second), *[stage.quiet()] * 2]


@pytest.mark.usefixtures("no_tick")
@pytest.mark.parametrize("more", ["say('R\\n')", "say('R\\nD\\n')", "say('R\\n'); say('D\\n')"])
def test_a_line_too_many_in_a_write_of_its_own(stage: Stage, more: str) -> None:
    """It lies there when the seat is asked next: from that turn on every answer is early, and told of."""
    replay = stage.same(DROP, ahead(stage, AT, more, every=True), 20, setup=TURNS)
    assert early(faults_of(replay, 0)) == list(range(AT + 4, TURNS["turns"], 4))


@pytest.mark.usefixtures("no_tick")
def test_a_line_too_many_and_one_too_few(stage: Stage) -> None:
    """Who is silent in the turn after is even again: the fault stands beside the one early answer, and no other."""
    replay = stage.same(DROP, ahead(stage, AT, "say('R\\n')", silent=AT + 4), 20, setup=TURNS)
    assert early(faults_of(replay, 0)) == [AT + 4]
    assert moves_of(replay, 0)[AT + 4].action == "R"


@pytest.mark.usefixtures("no_tick")
def test_a_line_too_many_at_the_very_end(stage: Stage) -> None:
    """The last turn of all has its fault, too."""
    last = TURNS["turns"] - 4
    replay = stage.same(DROP, ahead(stage, last - 4, "say('R\\n')"), 20, setup=TURNS)
    assert early(faults_of(replay, 0)) == [last]


def test_a_line_before_anybody_was_asked(stage: Stage) -> None:
    """It answers the first turn, and stands there as a fault; also where the game has no word to be ready by."""
    turns = range(0, TURNS["turns"], 4)
    stage.pipes(*(f"said{turn}" for turn in turns))
    bots = [
        stage.dropper("say('N\\n')\ntell(f'said{turn}')", "say('READY\\nU\\n')"),
        stage.dropper("wait_for(f'said{turn - 1}')\nsay('N\\n')"),
        *[stage.quiet()] * 2,
    ]
    replay = stage.same(DROP, bots, 0, setup=TURNS)
    assert early(faults_of(replay, 0)) == list(turns)


# --- Wondev Woman: other lines, no word to be ready by


ODD = (
    "say(legal[0] + ' hello there\\n')",
    "say(legal[0].replace('MOVE', 'move') + '\\n')",
    "say('ACCEPT-DEFEAT\\n')",
    "say('OUT\\n')",
    "say('NO-MOVE\\n')",
    "say('MOVE&BUILD 7 N S\\n')",
    "say('PUSH&BUILD 0 N S\\n')",
    "sys.exit(1)",
)


@pytest.mark.parametrize(("what", "pondering", "begins"), covering(ODD, [True, False], [True, False]))
def test_wonders_that_are_not_ordinary(stage: Stage, what: str, pondering: bool, begins: bool) -> None:
    """The reply is recorded as it came, with the verdict of always; a well-behaved opponent never pays for it."""
    odd, usual = stage.climber(f"if turn == 3: {what}\nelse: say(legal[0] + '\\n')"), stage.climber()
    bots = [odd, usual] if begins else [usual, odd]
    options = {"pondering": pondering, "clock": SHORT, "setup": {"league": "wood1", "map": "square"}}
    replays = [stage.play(way, WONDEV, bots, **options) for way in ("ring", "python", "compiled")]
    honest = bots.index(odd) ^ 1
    assert not any(faults_of(replay, honest) for replay in replays)
    assert without_asides(replays[0]) == without_asides(replays[1]) == without_asides(replays[2])
    assert replays[0].result == replays[1].result == replays[2].result
    odd_moves = moves_of(replays[0], bots.index(odd))
    if "hello" in what:
        assert (odd_moves[6 + honest ^ 1].reply or "").endswith(" hello there")


@pytest.mark.usefixtures("no_tick")
def test_nobody_stays_paused(stage: Stage) -> None:
    """Without pondering, whoever was only asked by the loop so far is let run on when the ring asks it."""
    stage.pipes("up")
    odd = stage.bot(
        "wait_for('up')\nfor turn, legal in wonders():\n    say((legal[0] + '\\n') * (2 if turn == 2 else 1))\n"
    )
    honest = stage.bot("tell('up')\nfor turn, legal in wonders():\n    say(legal[0] + '\\n')\n")
    for way in ("ring", "python", "compiled"):
        replay = stage.play(way, WONDEV, [odd, honest], pondering=False, clock=SHORT, setup={"map": "square"})
        assert faults_of(replay, 1) == {}, way
        assert len(replay.turns) > 8


def test_messages_behind_every_action(stage: Stage) -> None:
    """Texts to be shown beside the board are recorded, turn for turn."""
    chatty = stage.climber("say(f'{legal[0]} turn {turn}\\n')")
    replay = stage.same(WONDEV, [chatty, stage.climber()], 1)
    replies = [move.reply or "" for move in moves_of(replay, 0).values()]
    assert [reply.rpartition(" turn ")[2] for reply in replies] == [str(turn) for turn in range(len(replies))]


@pytest.mark.usefixtures("no_tick")
@pytest.mark.parametrize("way", ["python", "compiled"])
def test_a_line_that_only_has_to_be_read_needs_no_ring(
    stage: Stage, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole lines that mean an action without being its text: the fast path judges them itself, and goes on."""
    asked = []
    ask = PerMatchProcesses.ask

    def counted(*arguments: Any) -> Any:
        asked.append(arguments)
        return ask(*arguments)

    monkeypatch.setattr(PerMatchProcesses, "ask", counted)
    replay = stage.play(way, DROP, [stage.dropper("say('U  \\n')"), *[stage.quiet()] * 3], setup=TURNS)
    assert {move.reply for move in moves_of(replay, 0).values()} == {"U  "}
    assert len(asked) <= 2


@pytest.mark.usefixtures("no_tick")
def test_such_a_line_may_be_late(stage: Stage) -> None:
    """One that came after its limit, in the midst of the loop, does not count."""
    bots = [stage.dropper(f"if turn == {AT}: burn(2 * {SHORT.turn})\nsay('U  \\n')"), *[stage.quiet()] * 3]
    for way in ("ring", "python", "compiled"):
        found = faults_of(stage.play(way, DROP, bots, setup=TURNS, clock=SHORT), 0)
        assert [fault.kind for faults in found.values() for fault in faults] == [FaultKind.TIMEOUT]


def test_such_a_line_may_be_a_comment(stage: Stage) -> None:
    """In a game that has comments, a line that is one is no answer, though it would mean an action."""
    game = find(DROP)
    game = msgspec.structs.replace(game, protocol=SimpleNamespace(**{**vars(game.protocol), "COMMENT": "N #"}))
    bots = [stage.dropper("say('N # well\\n')\nsay('U\\n')"), *[stage.quiet()] * 3]
    for way in ("ring", "python"):
        moves = moves_of(stage.play(way, game, bots, setup=TURNS), 0)
        assert {move.action for move in moves.values()} == {"U"}


def test_who_never_reads_may_answer(stage: Stage) -> None:
    """A pipe that fills up with prompts holds nobody up; guesses in time count, here by somebody who is told when."""
    count = 400  # of prompts of 170 bytes and more: more than a pipe holds
    stage.pipes("go")
    blind = stage.bot(
        f"say('READY\\n')\nwith open('go') as pipe:\n    for _ in range({count}):\n        pipe.read(1)\n"
        "        say('N\\n')\nhang()"
    )
    guide = stage.bot(
        "pipe = os.open('go', os.O_WRONLY)\nos.write(pipe, b'x')\nsay('READY\\n')\n"
        "for turn in blocks():\n    say('N\\n')\n    os.write(pipe, b'x')\n"
    )
    setup = {"turns": 4 * count - 8}
    for way in ("ring", "python", "compiled"):
        replay = stage.play(way, DROP, [blind, *[stage.quiet()] * 2, guide], setup=setup)
        moves = moves_of(replay, 0)
        assert len(replay.turns) == setup["turns"]
        assert {move.action for move in moves.values()} == {"N"}
        assert {fault.kind for faults in faults_of(replay, 0).values() for fault in faults} <= {FaultKind.MALFORMED}


def test_endless_lines(stage: Stage) -> None:
    """A program that never stops writing is a flood before long; nobody else notices."""
    bots = [stage.dropper(f"while turn >= {AT}: say('N\\n' * 1000)\nsay('N\\n')"), *[stage.quiet()] * 3]
    for way in ("ring", "python", "compiled"):
        replay = stage.play(way, DROP, bots, setup={"turns": 4000})
        kinds = [fault.kind for faults in faults_of(replay, 0).values() for fault in faults]
        assert kinds[-1] is FaultKind.OUTPUT
        assert set(kinds[:-1]) <= {FaultKind.MALFORMED}
        assert not any(faults_of(replay, seat) for seat in (1, 2, 3))
