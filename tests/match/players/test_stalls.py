"""Whether a program waited for pages that the machine was slow to bring, and whether that was its own doing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dohyo.match.processes.process_tree import A_PAGE, RATE, Census, Pages, Stalls, Tree, not_its_own, pages
from dohyo.match.processes.stopwatch import AGAIN, NANO
from dohyo.system import proc
from tests.match.players.test_stopwatch import BEHIND, LIMIT, MILLI, Machine


class Stalling(Machine):
    """A machine whose disk is slow: pages of the program come late."""

    def __init__(self) -> None:
        super().__init__()
        self.faults = self.moved = self.stalled = 0
        self.awaits = self.modest = False

    def pages(self, in_doubt: bool = False) -> Pages:
        """What was read for it."""
        return Pages(self.faults, self.moved, self.awaits and in_doubt, self.stalled)

    def is_modest(self) -> bool:
        """Whether it has put itself behind others."""
        return self.modest

    def stall(self, milliseconds: float, pages: int = 1, own: bool = True) -> None:
        """Something on the machine waits for a disk for so long; the program itself for so many pages, if `own`."""
        self.sleep(milliseconds)
        self.stalled += int(milliseconds * MILLI)
        self.faults += pages if own else 0


@pytest.fixture
def machine() -> Stalling:
    """A machine on which nothing has happened."""
    return Stalling()


def test_who_waits_for_its_page_is_in_time(machine: Stalling) -> None:
    """Its code was dropped from memory, and the disk had other work for a second and a half."""
    watch = machine.stopwatch("fair")
    machine.run(LIMIT * 300)
    machine.stall(1500)
    assert not watch.is_late(machine.now, is_done=True)
    assert watch.charged <= LIMIT * 300 * MILLI + A_PAGE
    proof = watch.proof()
    assert proof is not None
    assert proof.stalled == pytest.approx(1.5 - A_PAGE / NANO)
    assert proof.wall == pytest.approx(1.53)


def test_who_waits_for_its_page_still_is_not_late_yet(machine: Stalling) -> None:
    """The system counts a page when it is there."""
    watch = machine.stopwatch("fair")
    machine.awaits = True
    machine.stall(1500, own=False)
    assert not watch.is_late(machine.now, is_done=False)
    machine.awaits = False
    machine.faults += 1
    assert not watch.is_late(machine.now, is_done=True)


@pytest.mark.parametrize(
    ("waits", "why"),
    [
        (lambda machine: machine.stall(1500, own=False), "others waited for the disk, and it slept"),
        (lambda machine: machine.stall(1500, pages=1500), "it read a file of its own through memory"),
        (lambda machine: machine.sleep(1500), "no disk had anything to do"),
        (lambda machine: machine.run(1500), "it computed"),
    ],
)
def test_who_does_something_else_is_late(machine: Stalling, waits: object, why: str) -> None:
    """What a program brings about itself is charged."""
    watch = machine.stopwatch("fair")
    waits(machine)  # type: ignore[operator]
    assert watch.is_late(machine.now, is_done=True), why


def test_who_keeps_the_disk_busy_waits_for_itself(machine: Stalling) -> None:
    """Many threads that read beside the one whose page is awaited: what they read counts by a slow disk's rate."""
    watch = machine.stopwatch("fair")
    machine.moved += RATE * 2
    machine.stall(1500)
    assert watch.is_late(machine.now, is_done=True)


def test_who_computes_by_turns_meanwhile_did_not_wait(machine: Stalling) -> None:
    """One thread waits for pages and for a busy disk, the others run one after the other, none of them for long."""
    watch = machine.stopwatch("fair", processors=16)
    for thread in range(20):
        machine.stall(LIMIT * 100)
        machine.ran += int(LIMIT * 100 * MILLI)
        machine.each[thread] = int(LIMIT * 100 * MILLI)
    assert watch.is_late(machine.now, is_done=True)


def test_who_hides_what_it_reads_waits_for_itself(machine: Stalling, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may keep its account from us, and a program may have more processes than are looked at."""
    assert not_its_own(Pages(), Pages(faults=1, stalled=NANO)) == NANO - A_PAGE
    assert not_its_own(Pages(), Pages(faults=1, stalled=NANO, is_whole=False)) == 0

    def hidden(pid: int) -> int:
        raise PermissionError(pid)

    if proc.IS_LINUX:
        assert pages([os.getpid()]).is_whole
        assert not pages([os.getpid()] * 100).is_whole
        monkeypatch.setattr("dohyo.match.processes.process_tree.bytes_moved", hidden)
        assert not pages([os.getpid()]).is_whole


def test_who_sleeps_after_its_page_came_is_late_soon(machine: Stalling) -> None:
    """However long the disk stays busy with others, one page excuses only what it can have taken."""
    watch = machine.stopwatch("fair")
    machine.stall(LIMIT * 500)
    while not watch.is_late(machine.now, is_done=False):
        machine.stall(max(1.0, (watch.next_look - machine.now) / MILLI), own=False)
    assert machine.now <= 2 * LIMIT * NANO + AGAIN


@pytest.mark.parametrize("modest", [False, True])
def test_who_never_got_a_processor_is_no_verdict(machine: Stalling, modest: bool) -> None:
    """Until its time is over by the watch: that is the machine's, unless the program has put itself behind others."""
    machine.modest = modest
    watch = machine.stopwatch("fair")
    while not watch.is_late(machine.now, is_done=False):
        machine.wait((watch.next_look - machine.now) / MILLI)
    assert watch.by_watch
    assert watch.is_unsure is not modest
    assert machine.now == int(BEHIND * NANO)


def test_who_was_behind_others_is_late_also_if_that_is_over(machine: Stalling) -> None:
    """A process with a low priority waited instead of it, and is ended shortly before the time is over."""
    machine.modest = True
    watch = machine.stopwatch("fair")
    while not watch.is_late(machine.now, is_done=False):
        machine.modest = machine.now < (BEHIND - 0.3) * NANO
        machine.wait((watch.next_look - machine.now) / MILLI)
    assert watch.by_watch
    assert not watch.is_unsure


def test_who_waits_for_pages_until_the_watch_ends_it_is_late(machine: Stalling) -> None:
    """A program can bring that about, so no match is set aside for it."""
    watch = machine.stopwatch("fair")
    while not watch.is_late(machine.now, is_done=False):
        machine.stall(max(500.0, (watch.next_look - machine.now) / MILLI))
    assert watch.by_watch
    assert not watch.is_unsure


def test_who_waits_for_a_processor_only_at_the_end_is_late(machine: Stalling) -> None:
    """It waited for pages before, which it can bring about: that its last wait is not told yet saves nobody."""
    watch = machine.stopwatch("fair")
    machine.run(40)
    while not watch.is_late(machine.now, is_done=False):
        if machine.now < (BEHIND - 0.08) * NANO:
            machine.stall(min(500.0, (BEHIND - 0.08) * 1000 - machine.now / MILLI))
        else:
            machine.wait((watch.next_look - machine.now) / MILLI)
    assert watch.by_watch
    assert watch.charged >= LIMIT * NANO
    assert not watch.is_unsure


def test_the_account_of_stalls(tmp_path: Path) -> None:
    """Both kinds together, by the number of processors; where the system does not tell, nothing is excused."""
    for name, told in (("io", 7), ("memory", 5)):
        (tmp_path / name).write_text(f"some avg10=0.00 avg60=0.00 avg300=0.00 total={told}\nfull total=3\n")
    assert Stalls(4, [str(tmp_path / "io"), str(tmp_path / "memory"), str(tmp_path / "none")]).look() == 48_000
    (tmp_path / "io").write_text("")
    assert Stalls(4, [str(tmp_path / "io")]).look() == 0
    assert not_its_own(Pages(), Pages(faults=3)) == 0


@pytest.mark.skipif(not proc.IS_LINUX, reason="only Linux tells")
def test_pages_of_real_processes() -> None:
    """This process's are numbers; one that has ended tells nothing."""
    assert pages([os.getpid()], in_doubt=True) >= Pages()
    assert pages([1 << 22]) == Pages()
    tree = Tree(os.getpid(), Census())
    tree.look()
    assert not tree.pages(in_doubt=True).awaits
    assert not tree.is_modest()
