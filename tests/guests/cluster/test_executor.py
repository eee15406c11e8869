"""The executor of many machines: a real scheduler and real workers, killed, given up, of another version."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import cast

import msgspec
import pytest

from dohyo import bots
from dohyo.bots import archive
from dohyo.core.errors import OperatorError
from dohyo.executors import MatchOrder
from dohyo.executors.choice import executor_for
from dohyo.executors.in_process import InProcess
from dohyo.executors.pool import Pool
from dohyo.guests.cluster import executor as cluster
from dohyo.guests.cluster.executor import Cluster
from dohyo.guests.cluster.keys import ClusterAccess, made_keys
from dohyo.guests.cluster.processes import ClusterProcess, ClusterProcesses
from tests.executors.test_executors import CLOCK, order
from tests.executors.test_pool import orders, told
from tests.guests.cluster.clusters import MARK, ONE_WORKER, Hosts, Started, local, packed, place_of, plain, started
from tests.match.conftest import Bot
from tests.processes import marked

__all__ = ["local", "plain"]

pytestmark = ONE_WORKER

SLOW = "sleep 1000"


def test_matches_are_the_same_on_a_cluster(bot: Bot, local: Started) -> None:
    """Each order is reported once, with what came of it in this process too; and again in a second batch."""
    given = orders(bot(), 12)
    with executor_for(None, place_of(local.access), packed) as executor:
        reports = list(executor.play(given))
        found = told(reports)
        assert told(list(executor.play(given[:3]))) == {key: found[key] for key in "012"}
        assert list(executor.play([])) == []
        assert executor.workers == 2
    assert found == told(list(InProcess().play(given)))
    assert all(report.worker for report in reports)
    with executor_for(2, None, packed) as executor:
        assert isinstance(executor, Pool)


def test_a_bot_travels_once(bot: Bot, local: Started) -> None:
    """A worker asks for an archive that it lacks; later it has it, whoever asks; the author's file may be gone."""
    spec = bot("echo B")
    given = orders(spec, 8)
    asked: list[str] = []
    content = packed(given[0].bots[0])

    def archive_of(bot: bots.Bot) -> bytes:
        asked.append(bot.digest)
        return content

    with Cluster(local.access, archive_of) as executor:
        told(list(executor.play(given)))
    assert 2 <= len(asked) <= 3  # for its digest, and for each worker that may have lacked it
    Path(spec).unlink()
    with Cluster(local.access, archive_of) as executor:
        told(list(executor.play(given)))
    assert len(asked) <= 4
    assert {kept.read_bytes() for kept in (local.cache / "parcels").iterdir()} >= {content}


def test_kept_files_travel(
    tmp_path: Path, nobody_left: None, local: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a bot keeps is sent along, and comes back; a batch ends with its last report."""
    monkeypatch.setattr(cluster, "LOOK", 1000.0)  # who waits for nothing waits too long
    folder = tmp_path / "keeper"
    folder.mkdir()
    (folder / "command.txt").write_text("sh keeper.sh")
    (folder / "keeper.sh").write_text("echo x >> storage.txt\necho 1\n")
    specs = [str(folder), "sh -c 'echo READY; cat'"]
    given = bots.resolve(specs)
    sent = MatchOrder(
        "k", "abotcalypse", tuple(given), 1, {"turns": 3}, CLOCK, "none",
        keep=("storage.txt",), kept=({"storage.txt": b"y\n"}, {}),
    )  # fmt: skip
    with Cluster(local.access, lambda bot: archive.pack(bot, {})) as executor:
        (far,) = executor.play([sent])
    (near,) = InProcess().play([sent])
    assert far.error == near.error == ""
    assert far.kept == near.kept
    assert far.kept[0]["storage.txt"].startswith(b"y\nx\n")


def test_killed_workers_lose_nothing(bot: Bot, local: Started, full: bool) -> None:
    """Dask's workers are killed again and again; every order is reported once, with a match; others take over."""
    number = 200 if full else 24
    given = orders(bot(), number)
    draw = random.Random()
    seen = []
    killed = 0
    with Cluster(local.access, packed) as executor:
        for report in executor.play(given):
            seen.append(report)
            if len(seen) % 12 == 6 and (alive := local.processes("worker")):
                os.kill(draw.choice(alive), signal.SIGKILL)
                killed += 1
    assert killed
    assert sorted(int(key) for key in told(seen)) == list(range(number))


@pytest.mark.parametrize("victim", ["the process that plays", "Dask's worker"])
def test_a_match_that_kills_its_worker_is_set_aside(bot: Bot, local: Started, victim: str) -> None:
    """After the third worker the order comes back as an error; the orders around it are played."""
    kills = "kill -9 $PPID" if victim == "the process that plays" else (
        "read -r pid name state above rest < /proc/$PPID/stat; kill -9 $above"
    )  # fmt: skip
    fine, deadly = orders(bot(), 6), order("deadly", bot(f"{kills}; {SLOW}"))
    with Cluster(local.access, packed) as executor:
        reports = list(executor.play([*fine[:2], deadly, *fine[2:]]))
    by_key = {report.key: report for report in reports}
    assert len(by_key) == len(reports) == 7
    aside = by_key.pop("deadly")
    assert aside.attempts == 3
    assert "3 times" in aside.error
    told(list(by_key.values()))


def test_a_match_beside_one_that_kills_workers_is_played(
    bot: Bot, plain: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that waits on a worker for another that kills it, again and again, is not counted for that."""
    deadly = bot("read -r pid name state above rest < /proc/$PPID/stat; kill -9 $above; sleep 1000")
    given = [order("deadly", deadly), *orders(bot(), 1)]
    with Cluster(plain.access, packed) as executor:
        executor._chunks.workers = 2  # as after the death of another worker, which nobody has noticed yet
        monkeypatch.setattr(executor, "_count", lambda: 2)
        by_key = {report.key: report for report in executor.play(given)}
    assert "3 times" in by_key.pop("deadly").error
    assert len(told(list(by_key.values()))) == 1


def test_giving_up_ends_matches_on_the_workers(bot: Bot, local: Started) -> None:
    """A caller that wants no more: matches are ended there, no bot is left, and the cluster plays on for others."""
    given = [*orders(bot(), 1), *orders(bot(SLOW), 3)]
    with Cluster(local.access, packed) as executor:
        next(executor.play(given))
        assert told(list(executor.play(given[:1])))
    bot_names = {Path(bot.command[0]).name.encode() for each in given for bot in each.bots}
    for pid in marked(MARK, local.mark):
        with suppress(OSError):
            assert not any(name in Path(f"/proc/{pid}/cmdline").read_bytes() for name in bot_names)


def test_an_interrupt_gives_up(bot: Bot, local: Started) -> None:
    """Ctrl-C while we wait for a match that hangs goes on up, and the match ends."""
    presses = bot(f"kill -INT {os.getpid()}; {SLOW}")
    with Cluster(local.access, packed) as executor, pytest.raises(KeyboardInterrupt):
        list(executor.play([order("0", presses, *[bot(SLOW)] * 3)]))
    with Cluster(local.access, packed) as executor:
        assert told(list(executor.play(orders(bot(), 1))))


def test_another_version_is_refused(bot: Bot, local: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker whose Dohyo is not ours to the letter plays nothing; the sentence names both."""
    ours = cluster.version()
    monkeypatch.setattr(cluster, "version", lambda: "0.0.1+0")
    with Cluster(local.access, packed) as executor, pytest.raises(OperatorError) as refused:
        list(executor.play(orders(bot(), 1)))
    assert refused.value.key == "cluster-other-version"
    assert ours in str(refused.value)
    assert "0.0.1+0" in str(refused.value)


def test_another_version_of_a_game_is_refused(bot: Bot, local: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker whose copy of the game is not ours plays none of its matches; the sentence names game and worker."""
    monkeypatch.setattr(cluster, "version_of_game", lambda name: "0")
    with Cluster(local.access, packed) as executor:
        (report,) = executor.play(orders(bot(), 1))
    assert report.mend
    assert "'drop-block'" in report.error
    assert report.worker in report.error


OTHER = archive.ArchivedBot("", ("true",), kind=archive.COMMAND)


def test_what_a_worker_cannot_start_is_the_operators(bot: Bot, local: Started) -> None:
    """An archive that is another bot there: a sentence that names the worker and the bot, and nothing is played."""
    with Cluster(local.access, lambda bot: msgspec.msgpack.encode(OTHER)) as executor:
        (report,) = executor.play(orders(bot("echo C"), 1))
    assert report.mend
    assert "bot0" in report.error


@pytest.mark.parametrize("address", ["tls://127.0.0.1:1", "tcp://127.0.0.1:1"])
def test_addresses_where_nobody_is(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody there: one sentence."""
    monkeypatch.setattr(cluster, "CONNECTING", 0.2)
    keys = made_keys(str(tmp_path / "keys")) if address.startswith("tls") else None
    with pytest.raises(OperatorError) as refused:
        Cluster(ClusterAccess(address, keys), packed)
    assert refused.value.key == ("cluster-unreachable" if keys else "cluster-unreachable-plain")


def test_a_lost_connection_is_closed_whatever_broke_it(local: Started) -> None:
    """When the scheduler dies while TLS begins anew, Dask's own task ends with an error that it does not expect."""
    executor = Cluster(local.access, packed)
    client = executor._client

    async def break_off() -> None:
        client._handle_report_task.cancel()
        client._handle_report_task = asyncio.ensure_future(failing())

    async def failing() -> None:
        raise ValueError("IOStream is not idle; cannot convert to SSL")

    client.sync(break_off)
    executor.close()
    assert client.status == "closed"


def test_what_dask_is_told_is_known_to_it() -> None:
    """A name that Dask does not know would be taken without a word."""
    dask = pytest.importorskip("dask")
    pytest.importorskip("distributed")
    from dohyo.guests.cluster.dask_process import QUIET

    assert [name for name in QUIET if dask.config.get(name, None) is None] == []


def test_an_interrupted_burial_is_done_in_the_end() -> None:
    """Interrupted while it clears away after a worker that has ended, a cluster does so before it ends."""

    class Ended:
        role, line, words, burials = "worker", b"joined", ["", "", "", "", ""], 0

        def terminate(self) -> None: ...

        def await_end(self, deadline: float) -> None:
            self.burials += 1
            if self.burials == 1:
                raise KeyboardInterrupt

    processes, process = ClusterProcesses(), Ended()
    processes._processes.append(cast(ClusterProcess, process))
    with pytest.raises(KeyboardInterrupt), processes:
        processes._replace(cast(ClusterProcess, process))
    assert process.burials == 2


CONTEST = """
import sys
import msgspec
from dohyo.bots import archive
from dohyo.executors import MatchOrder
from dohyo.guests.cluster import executor as cluster
from dohyo.guests.cluster.keys import cluster_access
from dohyo.core.errors import OperatorError
orders = msgspec.msgpack.decode(bytes.fromhex(sys.argv[2]), type=list[MatchOrder])
access = cluster_access(sys.argv[1], sys.argv[3], False)
cluster.LOOK, patience, cluster.WORKERLESS = 0.1, cluster.WORKERLESS, 0.0
with cluster.Cluster(access, lambda bot: archive.pack(bot, {})) as executor:
    try:
        list(executor.play(orders[:1]))
    except OperatorError as alone:
        print(alone.key, flush=True)
    cluster.WORKERLESS = patience
    for report in executor.play(orders):
        print(report.key, report.worker, report.error, flush=True)
"""


def test_two_hosts(bot: Bot, tmp_path: Path, full: bool) -> None:
    """Scheduler and contest on one host, the worker on another: bots travel over the wire, and so do reports.

    Before the worker is there nobody plays, and after a while that is said. Where no hosts can be made, all of it is
    tried on this one in a full run, before the test is skipped.
    """
    try:
        with Hosts() as hosts:
            hold_on(bot, tmp_path / "two", "10.0.0.1", hosts.inside(0), hosts.inside(1))
    except pytest.skip.Exception:
        if full:
            hold_on(bot, tmp_path / "one", "127.0.0.1", (), ())
        raise


def hold_on(bot: Bot, folder: Path, host: str, here: tuple[str, ...], there: tuple[str, ...]) -> None:
    """Start a scheduler, a contest, and then a worker, each behind the words that bring it to its host."""
    given = msgspec.msgpack.encode(orders(bot(), 10)).hex()
    with started(folder / "1", "scheduler", "--host", host, "--port", "0", before=here) as one:
        words = [*here, sys.executable, "-c", CONTEST, one.address, given, str(one.keys)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as contest:
            assert contest.stdout is not None
            assert contest.stdout.readline() == "cluster-no-workers\n"
            alone = ("worker", one.address, "--workers", "1", "--keys", str(one.keys))
            with started(folder / "2", *alone, before=there) as two:
                said, wrong = contest.communicate()
                assert (contest.returncode, wrong) == (0, "")
                told = [line.split() for line in said.splitlines()]
                assert sorted(int(words[0]) for words in told) == list(range(10))
                assert all(len(words) == 2 for words in told)
                assert len(list((two.cache / "parcels").iterdir())) == 1
                assert two.end()[0] == 130
        assert one.end(signal.SIGTERM)[0] == 143
