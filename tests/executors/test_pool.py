"""The executor of local processes: real workers, killed, interrupted, left alone."""

from __future__ import annotations

import os
import random
import re
import select
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from dohyo.core import replay_format as replays
from dohyo.executors import MatchOrder, MatchReport
from dohyo.executors.pool import Pool
from dohyo.sandbox import layers
from dohyo.system import proc
from dohyo.system.proc import tree
from tests.executors.test_executors import order
from tests.match.conftest import Bot
from tests.processes import children, marked
from tests.skips import Reason, skip_for

MARK = "DOHYO_TEST_MARK"
SLOW = "sleep 1000"


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    """What workers and bots started from here bear in their environment."""
    word = uuid.uuid4().hex
    monkeypatch.setenv(MARK, word)
    return word


@pytest.fixture
def bot(bot: Bot, mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bot]:
    """Bots of which none may be left afterwards, nor a worker, nor a temporary file."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    yield bot
    assert marked(MARK, mark) == []
    assert [name for name in os.listdir(temporary) if name.startswith("dohyo")] == []


def workers() -> list[int]:
    """The worker processes."""
    return [pid for pid in children() if b"executors.pool_worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def orders(spec: str, number: int, **more: object) -> list[MatchOrder]:
    """So many orders for the same bot on all seats."""
    first = order("0", spec, **more)
    return [msgspec.structs.replace(first, key=str(key), seed=key) for key in range(number)]


def test_a_worker_plays_in_nothing_weaker_than_the_pool_chose(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own choice may have been spoiled by a bot: the match is not played, and the operator is asked to look."""
    monkeypatch.setattr(layers, "strongest", lambda: layers.Sandbox(0, "stronger than what any worker can make"))
    with Pool(1) as pool:
        (report,) = pool.play([order("k", bot(), sandbox="auto")])
        assert (report.replay, report.mend) == (b"", True)
        assert "layer 0" in report.error
        (report,) = pool.play([order("k", bot(), sandbox="none")])
        assert not report.error


def told(reports: list[MatchReport]) -> dict[str, tuple[object, ...]]:
    """What must not depend on who played: by key, how it ended and every turn's digest."""
    found = {}
    for report in reports:
        assert report.error == ""
        replay = replays.decode(report.replay)
        found[report.key] = (report.places, report.scores, report.faults, *(turn.digest for turn in replay.turns))
    assert len(found) == len(reports)
    return found


@pytest.mark.parametrize(
    "number", [pytest.param(1, marks=pytest.mark.full), 2, pytest.param(3, marks=pytest.mark.full)]
)
def test_matches_are_the_same_with_any_number_of_workers(bot: Bot, number: int) -> None:
    """Each order is reported once, with what came of it in this process too; workers stay from batch to batch."""
    from dohyo.executors.in_process import InProcess

    given = orders(bot(), 12)
    with Pool(number) as pool:
        assert workers() == []
        found = told(list(pool.play(given)))
        first = workers()
        assert len(first) == number
        assert told(list(pool.play(given[:3]))) == {key: found[key] for key in "012"}
        assert workers() == first
        assert list(pool.play([])) == []
    assert workers() == []
    assert found == told(list(InProcess().play(given)))


def test_in_the_sandbox_too(bot: Bot) -> None:
    """Workers make the sandbox themselves, and say which in the replay."""
    from dohyo import sandbox

    with Pool(2) as pool:
        reports = list(pool.play(orders(bot(), 4, sandbox="auto")))
    told(reports)
    assert {replays.decode(report.replay).header.sandbox for report in reports} == {sandbox.choose().name}


def test_no_more_workers_than_matches(bot: Bot) -> None:
    """A worker is started only when there is something for it."""
    with Pool(3) as pool:
        (report,) = pool.play(orders(bot(), 1))
        assert report.key == "0"
        assert len(workers()) == 1


def test_orders_are_taken_as_they_are_needed(bot: Bot) -> None:
    """A batch without end is played as far as the caller wants; only a little ahead of that is asked for."""
    taken = []

    def endless() -> Iterator[MatchOrder]:
        first = order("0", bot())
        while True:
            taken.append(len(taken))
            yield msgspec.structs.replace(first, key=str(len(taken)))

    with Pool(2) as pool:
        for number, _ in enumerate(pool.play(endless())):
            if number == 5:
                break
    # Six were reported; two chunks a worker are ahead, and as much more has been given out.
    assert 6 < len(taken) < 1000


@pytest.mark.parametrize("sandbox", [pytest.param("none", marks=pytest.mark.full), "auto"])
def test_bots_stay_on_their_workers_share(bot: Bot, sandbox: str) -> None:
    """With a worker for each core, every bot may use its worker's core alone; one worker has all of them."""
    if not proc.IS_LINUX:
        skip_for(Reason.KERNEL, "this system does not pin processes to cores")
    all_of_them = sorted(os.sched_getaffinity(0))
    spec = bot("grep Cpus_allowed_list /proc/self/status >&2; echo A")
    for number, wanted in ((len(all_of_them), {(core,) for core in all_of_them}), (1, {tuple(all_of_them)})):
        with Pool(number) as pool:
            reports = list(pool.play(orders(spec, 2 * number, sandbox=sandbox)))
        found: dict[str, set[tuple[int, ...]]] = {}
        for report in reports:
            found.setdefault(report.worker, set()).update(_cores(report))
        assert all(len(core_shares) == 1 for core_shares in found.values())
        assert set().union(*found.values()) <= wanted


def _cores(report: MatchReport) -> Iterator[tuple[int, ...]]:
    replay = replays.decode(report.replay)
    for word in re.findall(r"Cpus_allowed_list:\s*(\S+)", "".join(m.stderr for t in replay.turns for m in t.moves)):
        bounds = [part.split("-") for part in word.split(",")]
        yield tuple(core for bound in bounds for core in range(int(bound[0]), int(bound[-1]) + 1))


def test_killed_workers_lose_nothing(bot: Bot, full: bool) -> None:
    """Workers are killed again and again; every order is still reported exactly once, with the same match."""
    number = 500 if full else 30
    given = orders(bot(), number)
    draw = random.Random()
    seen, killed = [], 0
    with Pool(2) as pool:
        for report in pool.play(given):
            seen.append(report)
            if len(seen) % 8 == 4 and (alive := workers()):
                os.kill(draw.choice(alive), signal.SIGKILL)
                killed += 1
    assert killed == number // 8 + (number % 8 >= 4)
    assert sorted(int(key) for key in told(seen)) == list(range(number))


def test_a_match_that_kills_its_worker_is_set_aside(bot: Bot) -> None:
    """After the third worker the order comes back as an error; the orders behind it are played."""
    fine, deadly = orders(bot(), 8), order("deadly", bot("kill -9 $PPID; sleep 1000"))
    with Pool(2) as pool:
        reports = {report.key: report for report in pool.play([*fine[:2], deadly, *fine[2:]])}
    assert len(reports) == 9
    assert "3 times" in reports.pop("deadly").error
    told(list(reports.values()))


@pytest.mark.parametrize("when", ["while matches hang", "between reports"])
def test_an_interrupt_leaves_nothing(bot: Bot, when: str, mark: str) -> None:
    """Ctrl-C while we wait, or while the caller has a report: bots and workers are gone when it goes on up."""
    presses = bot(f"kill -INT {os.getpid()}; {SLOW}")
    hangs = [order("0", presses, *[bot(SLOW)] * 3), *orders(bot(SLOW), 3)]
    given = hangs if when == "while matches hang" else orders(bot(), 200)

    def play() -> None:
        with Pool(2) as pool:
            for number, _ in enumerate(pool.play(given)):
                if number == 3:
                    signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        play()
    assert workers() == []
    assert marked(MARK, mark) == []


def test_giving_up_early_leaves_nothing(bot: Bot, mark: str) -> None:
    """A caller that wants no more reports, or raises: running matches are ended; the pool can be used again."""
    given = orders(bot(), 100)

    def fail(pool: Pool) -> None:
        for _ in pool.play(given):
            raise ZeroDivisionError

    with Pool(2) as pool:
        next(pool.play(given))
        assert len(told(list(pool.play(given[:4])))) == 4
        with pytest.raises(ZeroDivisionError):
            fail(pool)
        pool.close()
        assert marked(MARK, mark) == []
        assert len(told(list(pool.play(given[:4])))) == 4


def test_workers_that_do_not_start_are_a_defect(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """When Python itself cannot be started, that is said, instead of trying for ever."""
    given = list(orders(bot(), 3))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with Pool(2) as pool, pytest.raises(RuntimeError, match="end at their start"):
        list(pool.play(given))


PARENT = """
import sys
import msgspec
print("begins", flush=True)
from dohyo.executors import MatchOrder
from dohyo.executors.pool import Pool
from dohyo.sandbox import layers
orders = msgspec.msgpack.decode(open(sys.argv[1], "rb").read(), type=list[MatchOrder])
with Pool(2) as pool:
    for report in pool.play(orders):
        print(report.key, flush=True)
"""


@pytest.mark.parametrize("sandbox", ["none", "auto"])
def test_workers_and_bots_end_with_a_killed_parent(bot: Bot, sandbox: str, mark: str, tmp_path: Path) -> None:
    """SIGKILL of the process that has the pool: soon no worker is left, no bot, and no temporary folder."""
    if not proc.IS_LINUX:
        skip_for(Reason.KERNEL, "only Linux tells a process that its parent has ended")
    given = [*orders(bot(), 2, sandbox=sandbox), *orders(bot(SLOW), 2, sandbox=sandbox)]
    (tmp_path / "orders").write_bytes(msgspec.msgpack.encode(given))
    words = [sys.executable, "-c", PARENT, str(tmp_path / "orders")]
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        assert sorted(parent.stdout.readline() for _ in range(3)) == [b"0\n", b"1\n", b"begins\n"]
        below = tree(parent.pid)[1:]
        assert len(below) >= 2
        parent.kill()
        await_end(below)
    assert marked(MARK, mark) == []


def await_end(pids: list[int]) -> None:
    """Wait until these processes have ended."""
    for pid in pids:
        with suppress(ProcessLookupError):
            descriptor = os.pidfd_open(pid)
            assert select.select([descriptor], [], [], 60)[0], pid
            os.close(descriptor)


def test_the_parent_is_killed_at_any_moment(bot: Bot, mark: str, tmp_path: Path, full: bool) -> None:
    """While Python starts, while workers start, in a match, between two: soon nothing is left of it."""
    if not proc.IS_LINUX:
        skip_for(Reason.KERNEL, "only Linux tells a process that its parent has ended")
    given = str(tmp_path / "orders")
    Path(given).write_bytes(msgspec.msgpack.encode(orders(bot("echo A; sleep 0.01"), 40)))
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    draw = random.Random()
    for _ in range(100 if full else 6):
        with subprocess.Popen(
            [sys.executable, "-c", PARENT, given], stdout=subprocess.PIPE, env=environment
        ) as parent:
            assert parent.stdout is not None
            assert parent.stdout.readline() == b"begins\n"
            # The moment is what is random here; whatever it is, what follows must hold.
            with suppress(subprocess.TimeoutExpired):
                parent.wait(draw.random() * 0.6)
            parent.kill()
        while left := marked(MARK, mark):
            await_end(left)
