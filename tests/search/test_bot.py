"""A search in a program's turns: plain at first, the thinker's when that is ready, never late."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from dohyo.bots.cache import AGAIN
from dohyo.core import build_notes
from dohyo.search import bot, turn_clock
from dohyo.search.turn_clock import TurnClock
from dohyo.search.uct import end_of
from tests.search import piles

# Two searches that only say who they are, and how long they took: 0 the plain one, 1 the compiled one.
PROGRAM = """
import sys, time
sys.path.insert(0, {tests!r})
import dohyo.search.bot as bot
import dohyo.search.turn_clock
from dohyo.search import Choice
from tests.search import piles

dohyo.search.turn_clock.time_of_ours = lambda: (1.0, 0.0)  # the machine is calm, whatever it does
{before}
bot.importlib.util.find_spec = lambda name: {numba}

class Named:
    game = piles.game()

    def __init__(self, compiled):
        self.compiled = compiled
        if compiled:
            {loads}

    def choose(self, state, seat, worlds=None, until=None):
        if self.compiled:
            {thinks}
        count = len(list(worlds))
        return Choice(int(self.compiled), state.pile, float(count), seat)

thinker = bot.Thinker(Named, 1.0, 20.0)
for line in sys.stdin:
    thinker.begin()
    choice = thinker.choose(piles.pile(int(line)), 1, [piles.pile(1)] * 3)
    print(choice.action, choice.visits, choice.value, choice.playouts, flush=True)
"""


def said(
    folder: Path,
    lines: str,
    *words: str,
    numba: bool = True,
    loads: str = "pass",
    thinks: str = "pass",
    before: str = "",
) -> list[str]:
    """What a program prints that searches so."""
    root = str(Path(__file__).parent.parent.parent)
    text = textwrap.dedent(PROGRAM).format(tests=root, numba=numba or None, loads=loads, thinks=thinks, before=before)
    program = folder / "program.py"
    program.write_text(text, encoding="utf-8")
    done = subprocess.run(
        (sys.executable, str(program), *words), input=lines, capture_output=True, text=True, timeout=60, check=True
    )
    begins = ("search: ", build_notes.BEGINS)
    assert all(line.startswith(begins) for line in done.stderr.splitlines()), done.stderr
    return done.stdout.splitlines()


def test_without_a_compiler_the_search_is_plain(tmp_path: Path) -> None:
    """Where Numba is not installed, every turn is answered by the plain search, with the worlds it was given."""
    assert said(tmp_path, "7\n8\n", numba=False) == ["0 7 3.0 1", "0 8 3.0 1"]


def test_the_thinker_answers_when_it_is_ready(tmp_path: Path) -> None:
    """In the first turn there is time to wait for it; positions and worlds reach it whole."""
    assert said(tmp_path, "7\n8\n") == ["1 7 3.0 1", "1 8 3.0 1"]


@pytest.mark.parametrize("fault", ["raise SystemExit", "raise ValueError", "import os; os.kill(os.getpid(), 9)"])
def test_a_thinker_that_dies_costs_nothing(tmp_path: Path, fault: str) -> None:
    """Whether it dies while it loads or in a turn, the plain search answers."""
    assert said(tmp_path, "7\n8\n", loads=fault) == ["0 7 3.0 1", "0 8 3.0 1"]
    assert said(tmp_path, "7\n8\n", thinks=fault) == ["0 7 3.0 1", "0 8 3.0 1"]


def test_nobody_waits_for_the_thinker_on_a_busy_machine(tmp_path: Path) -> None:
    """Who is kept waiting for a processor answers by itself until the thinker has said that it is ready."""
    busy = "dohyo.search.turn_clock.time_of_ours = lambda: (1.0, 9.0)"
    assert said(tmp_path, "7\n", loads="__import__('signal').pause()", before=busy) == ["0 7 3.0 1"]


def test_a_late_answer_is_not_taken_for_the_next_one(tmp_path: Path) -> None:
    """What the thinker says too late belongs to a turn that is over."""
    late = "time.sleep(max(0, until - time.monotonic()) + 0.05) if state.pile == 8 else None"
    answers = said(tmp_path, "7\n8\n9\n", thinks=late)
    assert answers[:2] == ["1 7 3.0 1", "0 8 3.0 1"]
    assert answers[2] in ("0 9 3.0 1", "1 9 3.0 1")


def test_a_build_warms_and_exits(tmp_path: Path) -> None:
    """With --warm, the search is made compiled, and the program ends well; also when that fails."""
    assert said(tmp_path, "", "--warm", loads="raise ValueError") == []
    assert not (tmp_path / "cache" / "done").exists()
    assert said(tmp_path, "", "--warm") == []
    assert (tmp_path / "cache" / "done").is_file()
    assert not (tmp_path / AGAIN).exists()


@pytest.mark.parametrize("fault", ["__import__('signal').pause()", "import os; os.kill(os.getpid(), 9)"])
def test_a_build_that_was_broken_off_says_so(tmp_path: Path, fault: str) -> None:
    """Where the compiler runs out of time or is killed, the build ends well and asks for another one."""
    assert said(tmp_path, "", "--warm", loads=fault, before="bot.WARM_SHARE = 1 / 60") == []
    assert not (tmp_path / "cache" / "done").exists()
    assert (tmp_path / AGAIN).is_file()


def test_what_cannot_be_written_down_is_compiled_as_ever(tmp_path: Path) -> None:
    """A first way that fails, or ends the process, is followed by Numba's own: the search is made once more."""
    for fault in ("raise ValueError", "import os; os.kill(os.getpid(), 11)"):
        loads = f"bot.ahead.CHOSEN and exec({fault!r})"  # as long as somebody takes notes
        assert said(tmp_path, "", "--warm", loads=loads) == []
        assert (tmp_path / "cache" / "done").is_file()
        assert not (tmp_path / AGAIN).exists()


def test_a_build_that_was_not_done_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thinker starts where the build filled the folder, or where there was no build; not where it gave up."""
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "bot.py")])
    monkeypatch.setattr(bot.importlib.util, "find_spec", lambda name: object())
    assert bot.pays()
    (tmp_path / "cache").mkdir()
    assert not bot.pays()
    (tmp_path / "cache" / "done").touch()
    assert bot.pays()


def test_who_was_late_plans_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that took longer than it should makes the next ones shorter, until that is forgotten."""
    now = [100.0]
    monkeypatch.setattr(turn_clock.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(turn_clock, "is_there", lambda: False)
    monkeypatch.setattr(turn_clock, "time_of_ours", lambda: (1.0, 0.0))
    own = TurnClock(1.0)
    own.ready()
    now[0] += 1  # it waits for its first line
    own.begin()
    assert own.until() == pytest.approx(101 + turn_clock.SHARE)
    now[0] = own.until() + 0.2
    own.end()
    own.begin()
    late = now[0]
    assert own.until() - late == pytest.approx(turn_clock.SHARE - 0.3)
    for _ in range(40):
        now[0] = own.until()
        own.end()
        own.begin()
    assert own.until() - now[0] > turn_clock.SHARE - 0.01


def test_who_waits_for_a_processor_thinks_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that ran something else for half of our time, a turn is a quarter as long."""
    monkeypatch.setattr(turn_clock.time, "monotonic", lambda: 50.0)
    monkeypatch.setattr(turn_clock, "is_there", lambda: False)
    looks = iter([(0.5, 0.5), (0.6, 0.5), (0.7, 0.9)])
    monkeypatch.setattr(turn_clock, "time_of_ours", lambda: next(looks))
    own = TurnClock(1.0)
    own.begin()
    assert own.until() - 50 == pytest.approx(turn_clock.SHARE / 4, rel=0.02)
    own.end()
    own.begin()
    assert own.until() - 50 > turn_clock.SHARE / 4
    own.end()
    own.begin()
    assert own.until() - 50 == pytest.approx(turn_clock.LEAST)


@pytest.mark.parametrize("mode", ["fair", "cpu"])
def test_a_clock_that_counts_no_waits_leaves_a_turn_its_time(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By fair and cpu clocks, a busy machine takes nothing off a turn; what was late without waiting still does."""
    now = [50.0]
    monkeypatch.setattr(turn_clock.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(turn_clock, "is_there", lambda: False)
    waited = [0.5]
    monkeypatch.setattr(turn_clock, "time_of_ours", lambda: (0.5, waited[0]))
    monkeypatch.setenv(turn_clock.MODE, mode)
    own = TurnClock(1.0)
    own.begin()
    assert own.until() == pytest.approx(50 + turn_clock.SPARED_SHARE)
    now[0] = own.until() + 0.8
    waited[0] += 0.8
    own.end()
    own.begin()
    assert own.until() - now[0] == pytest.approx(turn_clock.SPARED_SHARE)
    now[0] = own.until() + 0.2  # and here for nothing
    own.end()
    own.begin()
    assert own.until() - now[0] == pytest.approx(turn_clock.SPARED_SHARE - 0.3)


class Waiting:
    """A machine whose clock and waits a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.waited, self.looks = 50.0, 0.5, 0
        monkeypatch.setattr(turn_clock.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(turn_clock, "is_there", lambda: False)
        monkeypatch.setattr(turn_clock, "time_of_ours", self.time_of_ours)
        for name in (turn_clock.MODE, turn_clock.WALL_LIMIT, turn_clock.BANK):
            monkeypatch.delenv(name, raising=False)

    def time_of_ours(self) -> tuple[float, float]:
        """As the module's."""
        self.looks += 1
        return self.now, self.waited

    def wait(self, seconds: float) -> None:
        """Run something else for so long."""
        self.now, self.waited = self.now + seconds, self.waited + seconds


@pytest.mark.parametrize("mode", ["fair", "cpu"])
def test_a_deadline_moves_on_while_the_program_waits(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By fair and cpu clocks, a search goes on for as long as the program had to wait in its turn, and no longer."""
    machine = Waiting(monkeypatch)
    own = TurnClock(1.0, mode=mode)
    own.begin()
    machine.now += 5
    machine.wait(3)  # for its next turn: nobody's thinking time
    own.begin()
    start = machine.now
    end = end_of(100.0, own.until(), None)
    assert start + turn_clock.SPARED_SHARE == end
    machine.wait(0.5)
    assert machine.now < end
    machine.wait(0.5)
    assert machine.now < end
    machine.now = start + 1 + turn_clock.SPARED_SHARE - 0.001
    assert (machine.now < end, machine.now >= end) == (True, False)
    machine.now = start + 1 + turn_clock.SPARED_SHARE
    assert (machine.now < end, machine.now >= end) == (False, True)
    assert own.left() == pytest.approx(0)
    own.end()
    own.begin()
    assert own.until() == machine.now + turn_clock.SPARED_SHARE


def test_a_deadline_is_asked_for_the_waits_only_when_it_seems_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before its end a loop costs nothing; who asks for the time left hears of the waits shortly before it, too."""
    machine = Waiting(monkeypatch)
    own = TurnClock(1.0, mode="fair")
    own.begin()
    looks, end = machine.looks, own.until()
    for _ in range(100):
        assert machine.now < end
        assert own.left() > 0
    assert machine.looks == looks
    machine.wait(0.7)
    assert own.left() == pytest.approx(turn_clock.SPARED_SHARE)
    assert machine.looks == looks + 1


def test_a_deadline_ends_with_the_wall_clock_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the machine makes the program wait, the limit by wall time is kept: the told, else the usual."""
    machine = Waiting(monkeypatch)
    for told, most in ((None, 11.0), ("2", 2.0), ("0.5", 1.0)):
        if told is not None:
            monkeypatch.setenv(turn_clock.WALL_LIMIT, told)
        own = TurnClock(1.0, mode="fair")
        own.begin()
        start, end = machine.now, own.until()
        machine.wait(100)
        assert machine.now >= end
        assert end.at(machine.now) == pytest.approx(start + most * turn_clock.SPARED_SHARE)


@pytest.mark.parametrize(
    ("mode", "limit", "share"),
    [("fair", 1.0, 0.75), ("cpu", 0.1, 0.75), ("fair", 0.012, 2 / 3), ("fair", 0.001, 0.6)],
)
def test_the_share_where_waits_cost_nothing(mode: str, limit: float, share: float) -> None:
    """Three quarters, with some milliseconds left, and as much as by a wall clock at least; a given share stays."""
    assert TurnClock(limit, mode=mode).plan() == pytest.approx(share * limit)
    assert TurnClock(limit, mode="wall").plan() == pytest.approx(0.6 * limit)
    assert TurnClock(limit, share=0.9, mode=mode).plan() == pytest.approx(0.9 * limit)


def test_a_wall_clock_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a wall clock, and without a word about the clock, the end stays where it was."""
    machine = Waiting(monkeypatch)
    for mode in ("wall", None):
        own = TurnClock(1.0, mode=mode)
        own.begin()
        end = own.until()
        machine.wait(turn_clock.SHARE)
        assert machine.now >= end
        assert own.left() <= 0


def test_a_start_that_was_on_the_clock_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first line was there before the program, what it took to start is taken off the first turn."""
    monkeypatch.setattr(turn_clock.time, "monotonic", lambda: 50.0)
    monkeypatch.setattr(turn_clock, "since_start", lambda: 0.3)
    monkeypatch.setattr(turn_clock, "is_there", lambda: True)
    monkeypatch.setattr(turn_clock, "time_of_ours", lambda: (1.0, 0.0))
    own = TurnClock(0.1, 1.0)
    own.ready()
    own.begin()
    assert own.until() == pytest.approx(50 - 0.3 + turn_clock.SHARE)
    own.begin()
    assert own.until() == pytest.approx(50 + 0.1 * turn_clock.SHARE)


@pytest.mark.parametrize("mode", ["fair", "wall"])
@pytest.mark.parametrize("increment", [0.0, 0.02])
def test_time_for_the_match_never_runs_out(mode: str, increment: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who uses all that a turn has still has time in the end, though each turn costs more than is seen."""
    machine = Waiting(monkeypatch)
    own, left = TurnClock(2 / 40 + increment, mode=mode, bank=2.0), 2.0
    assert own.limit == 2 / 40 + increment
    for _ in range(1000 if increment else 150):
        own.begin()
        used = own.plan()
        machine.now += used
        left += increment - used - 0.0005
        assert left >= 0
        own.end()
    assert used > 0.5 * increment


def test_the_limits_of_a_match_are_what_dohyo_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who gives a Thinker no limits has the match's; by hand, and set to nonsense, the game's usual ones."""
    game = piles.game()
    usual = game.usual_clock()
    for name in (turn_clock.LIMIT, turn_clock.FIRST_LIMIT):
        monkeypatch.delenv(name, raising=False)
    assert turn_clock.told_limits(game) == (usual.limit(False), usual.limit(True))
    monkeypatch.setenv(turn_clock.LIMIT, "0.25")
    assert turn_clock.told_limits(game) == (0.25, 0.25)
    monkeypatch.setenv(turn_clock.FIRST_LIMIT, "3")
    assert turn_clock.told_limits(game) == (0.25, 3.0)
    monkeypatch.setenv(turn_clock.LIMIT, "soon")
    assert turn_clock.told_limits(game) == (usual.limit(False), 3.0)


def test_a_shorter_clock_counts_for_limits_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program with limits of its own thinks less by a shorter clock, and no longer by a longer one or by hand."""
    game = piles.game()
    for name in (turn_clock.LIMIT, turn_clock.FIRST_LIMIT):
        monkeypatch.delenv(name, raising=False)
    assert turn_clock.limits_within(game, 0.05, 1.0) == (0.05, 1.0)
    monkeypatch.setenv(turn_clock.LIMIT, "0.1")
    assert turn_clock.limits_within(game, 0.05, 1.0) == (0.05, 0.1)
    assert turn_clock.limits_within(game, None, None) == (0.1, 0.1)
    monkeypatch.setenv(turn_clock.FIRST_LIMIT, "20")
    assert turn_clock.limits_within(game, 0.2, 1.0) == (0.1, 1.0)
    assert turn_clock.limits_within(game, 0.05, None) == (0.05, 0.05)


def test_how_long_a_process_has_lived() -> None:
    """The system's own word for it lies between nothing and the time since the machine started."""
    assert 0 <= turn_clock.since_start() < time.clock_gettime(time.CLOCK_MONOTONIC) + 1e6


def test_a_deadline_that_is_copied_is_its_moment() -> None:
    """In another process the waits are others; and nobody's copy looks at this turn's."""
    own = TurnClock(1.0, mode="fair")
    own.begin()
    until = own.until()
    for made in (copy.copy(until), pickle.loads(pickle.dumps(until))):
        assert type(made) is float
        assert made == until
