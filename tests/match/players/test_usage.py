"""What real programs used of the machine, as the system tells it. No test here depends on how fast that is."""

from __future__ import annotations

import os
import signal
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

import pytest

from dohyo.match.processes import process_tree
from dohyo.match.processes.bot_process import BotProcess
from dohyo.match.processes.process_tree import Census, Tree
from dohyo.system import proc
from tests.match.players.living import LONG, Workshop, await_output, living
from tests.skips import Reason, skip_for

BURNED = 0.05  # seconds of processor time
BURN = f"""
import time

def burn(seconds={BURNED}):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
"""


@pytest.fixture
def census() -> Iterator[Census]:
    """A census of nobody; skips the test where there can be none."""
    if lacks := proc.missing("fair"):
        skip_for(Reason.KERNEL, f"fair clocks need {lacks}")
    return Census()


def told(workshop: Workshop, body: str) -> BotProcess:
    """A program that has said its word."""
    bot = living(workshop.start(f"{BURN}\n{textwrap.dedent(body)}\nhang()"))
    await_output(bot.stdout)
    return bot


@pytest.mark.parametrize(
    ("body", "burned"),
    [
        ("burn()", 1),
        # Threads: one that lives, one that has ended.
        ("import threading\nthreading.Thread(target=burn).start()\nburn(2 * 0.05)", 2),
        # Children: one that lives, two that were collected, one that waits to be.
        ("if os.fork() == 0:\n    burn()\n    say('on')\n    hang()", 1),
        ("for _ in range(2):\n    if os.fork() == 0:\n        burn()\n        os._exit(0)\n    os.wait()", 2),
        ("if os.fork() == 0:\n    burn()\n    os._exit(0)\nos.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)", 1),
        # A grandchild whose parent has gone, in another group.
        (
            "if os.fork() == 0:\n    if os.fork() == 0:\n        os.setpgid(0, 0)\n        burn()\n"
            "        say('on')\n        hang()\n    os._exit(0)\nos.wait()\nhang()",
            1,
        ),
    ],
)
def test_processor_time_is_that_of_all(workshop: Workshop, census: Census, body: str, burned: int) -> None:
    """Of every thread and every descendant, of those too that have ended."""
    bot = told(workshop, f"{body}\nsay('on')" if "say" not in body else body)
    used = Tree(bot.process.pid, census).look()
    for pid in census.members(bot.process.pid):
        if pid != bot.process.pid:  # one is in a group of its own, where nobody else ends it
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    assert used.ran / 1e9 >= burned * (BURNED - 0.011)  # the system tells of the collected in hundredths
    assert used.waited >= 0


def test_who_counts_all_is_believed(workshop: Workshop, census: Census) -> None:
    """Where a control group has counted more than was seen, there were children that nobody saw or collected."""
    bot = told(workshop, "say('on')")
    counted = [0.0, 5.0, 4.0]
    tree = Tree(bot.process.pid, census, lambda: counted.pop(0))
    looks = [tree._look_at_all(b"").ran / 1e9 for _ in range(3)]
    assert looks[0] < 5
    assert min(looks[1:]) >= 5


def test_what_was_never_seen_pays_for_nothing(workshop: Workshop, census: Census) -> None:
    """What unseen children ran is added to what the program itself runs later, and does not stand for it."""
    workshop.pipes("go", "gone")
    bot = told(workshop, "say('on')\nwait_for('go')\nburn()\ntell('gone')")
    tree = Tree(bot.process.pid, census, lambda: 5.0)
    before = tree.look().ran
    workshop.tell("go")
    workshop.wait_for("gone")
    assert tree.look().ran >= before + BURNED * 1e9


def test_it_never_falls(workshop: Workshop, census: Census) -> None:
    """What a descendant used stays counted when it has ended, whether or not anybody collected it."""
    workshop.pipes("go", "gone")
    body = """
    if os.fork() == 0:
        if os.fork() == 0:
            burn()
            say('on')
            wait_for('go')
            tell('gone')
            os._exit(0)
        os._exit(0)
    os.wait()
    """
    bot = told(workshop, body)
    tree = Tree(bot.process.pid, census)
    before = tree.look().ran
    workshop.tell("go")
    workshop.wait_for("gone")
    child = [pid for pid in census.members(bot.process.pid) if pid != bot.process.pid]
    poll = [os.pidfd_open(pid) for pid in child if os.path.exists(f"/proc/{pid}")]
    for descriptor in poll:
        await_output(descriptor)
        os.close(descriptor)
    assert tree.look().ran >= before >= BURNED * 1e9


def test_thefts_are_those_of_the_worst_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The most that one of them lost, and the tick that may not be told; nothing where nothing was ever told."""
    stat = tmp_path / "stat"
    monkeypatch.setattr(process_tree, "STAT", str(stat))
    monkeypatch.setattr(process_tree, "TICK", 10)
    thefts = process_tree.Thefts()
    assert thefts.since(thefts.before(), lambda stolen: False) == 0
    for first, second, told in ((5, 9, 10), (5, 11, 30), (9, 11, 50)):
        stat.write_text(f"cpu  0 0 0 0 0 0 0 {first + second} 0 0\n")
        with stat.open("a") as file:
            file.write(f"cpu0 1 2 3 4 5 6 7 {first} 0 0\ncpu1 1 2 3 4 5 6 7 {second} 0 0\nintr 5\n")
        slept = thefts.slept
        assert thefts.since([5, 9], lambda stolen: True) == told
        assert thefts.slept == slept
        assert thefts.since([5, 9], lambda stolen: False) == told
        assert thefts.slept == 10  # for the first alone: nothing was told, and something may be at the next tick


def test_neighbours_are_not_counted(workshop: Workshop, census: Census) -> None:
    """Each program pays for itself alone."""
    players = workshop.start(f"{BURN}\nsay('on')\nhang()", f"{BURN}\nburn(0.3)\nsay('on')\nhang()")
    trees = [Tree(living(players, seat).process.pid, census) for seat in range(2)]
    for seat in range(2):
        await_output(living(players, seat).stdout)
    idle, busy = (tree.look().ran / 1e9 for tree in trees)
    assert busy >= 0.3
    assert idle < busy
    assert set(census.members(living(players).process.pid)).isdisjoint(census.members(living(players, 1).process.pid))


def test_who_sleeps_is_not_runnable_and_who_computes_is(workshop: Workshop, census: Census) -> None:
    """A sleeping program has no runnable thread; a spinning one has, with the time that it ran."""
    sleeper = living(workshop.start("say('on')\nsys.stdin.read()"))
    spinner = living(workshop.start("say('on')\nwhile True: pass"))
    trees = {bot: Tree(bot.process.pid, census) for bot in (sleeper, spinner)}
    for bot, tree in trees.items():
        await_output(bot.stdout)
        tree.look()
    assert list(trees[spinner].runnable()) == [spinner.process.pid]
    for _ in range(int(LONG * 1000)):
        if not trees[sleeper].runnable():
            break
        os.sched_yield()
    assert trees[sleeper].runnable() == {}


def test_a_lonely_thread_is_read_without_a_search(
    workshop: Workshop, census: Census, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as nothing was started on the machine, /proc is not gone through."""
    bot = told(workshop, "say('on')")
    tree = Tree(bot.process.pid, census)
    tree.look()
    monkeypatch.setattr(Census, "look", lambda self: self._newest)
    monkeypatch.setattr(Tree, "_look_at_all", lambda self, word: pytest.fail("searched"))
    assert tree.look().ran > 0


def test_a_glance_shows_no_more_than_a_look(workshop: Workshop, census: Census) -> None:
    """It sees what the known threads ran and waited, searches for nobody, and counts what it saw once."""
    workshop.pipes("go", "done")
    bot = told(
        workshop,
        "import threading\nthreading.Thread(target=hang, daemon=True).start()\nsay('on')\n"
        f"wait_for('{workshop.folder}/go')\nburn()\n"
        f"if os.fork() == 0:\n    burn()\n    tell('{workshop.folder}/done')",
    )
    tree = Tree(bot.process.pid, census)
    assert tree.glance().ran == 0  # nobody is known before the first look
    before = tree.look()
    workshop.tell("go")
    workshop.wait_for("done")
    seen = tree.glance()
    assert seen.ran >= before.ran + BURNED * 10**9
    after = tree.look()
    assert after.ran >= seen.ran
    assert after.ran >= before.ran + 2 * BURNED * 10**9
    assert after.waited >= seen.waited >= before.waited


def test_one_that_is_gone_is_no_error(workshop: Workshop, census: Census) -> None:
    """A program that was collected keeps what was seen of it."""
    bot = told(workshop, "burn()\nsay('on')")
    tree = Tree(bot.process.pid, census)
    before = tree.look()
    bot.stop()
    assert tree.look().ran >= before.ran
    assert tree.runnable() == {}
    tree.close()
    assert census.members(bot.process.pid) == []


def test_our_own_time_is_that_of_all_our_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another thread of ours runs counts, and what it waits for a processor, also when it has ended since."""
    own = str(threading.get_native_id())
    monkeypatch.setattr(proc, "TASKS", str(tmp_path))
    monkeypatch.setattr(time, "process_time_ns", lambda: 1000)
    for thread, waited in ((own, 5), ("7", 50)):
        (tmp_path / thread).mkdir()
        (tmp_path / thread / "schedstat").write_text(f"99 {waited} 3\n")
    busy = proc.OwnTime()
    assert busy() == 1000
    (tmp_path / own / "schedstat").write_text("99 6 3\n")
    (tmp_path / "7" / "schedstat").write_text("99 70 3\n")
    assert busy() == 1021
    (tmp_path / "7" / "schedstat").unlink()
    assert busy() == 1021
    (tmp_path / "7" / "schedstat").write_text("99 3 3\n")  # another's number by now
    assert busy() == 1021
    monkeypatch.setattr(proc, "TASKS", str(tmp_path / "none"))
    assert busy() == 1021


def test_our_own_time_is_what_we_run() -> None:
    """As the system tells it, of a thread beside this one too."""
    busy = proc.OwnTime()
    before = busy()

    def burn() -> None:
        end = time.thread_time() + BURNED
        while time.thread_time() < end:
            pass

    thread = threading.Thread(target=burn)
    thread.start()
    thread.join()
    assert busy() >= before + BURNED * 10**9


def test_many_threads_of_one_hide_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each process some threads are looked at: one with many of them leaves the others theirs."""
    many = [(1, thread, [b"S"]) for thread in range(proc.MAX_GLANCES**2 + 1)]
    every = {1: many, 2: [(2, 2, [b"D"])]}
    monkeypatch.setattr(process_tree, "threads", lambda members: chain.from_iterable(every[pid] for pid in members))
    monkeypatch.setattr(process_tree, "_awaits_page", lambda pid, thread: True)  # in no call of its own
    assert process_tree.awaits_page([1, 2])
    every[1] = [*many[:-1], (1, 7, [b"D"])]  # behind all that are looked at
    assert not process_tree.awaits_page([1])


def test_a_thread_of_which_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread whose status is empty, since it has just ended, is none that runs, waits or is busy."""
    monkeypatch.setattr(process_tree, "threads", lambda members: iter([(1, 1, [])]))
    tree = Tree(os.getpid(), Census())
    assert tree.runnable() == {}
    assert not tree.is_busy()
    assert not process_tree.awaits_page([1])
