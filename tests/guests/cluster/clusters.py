"""Clusters as tests start them: real processes, on this machine or on two hosts that are none."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import pytest

from dohyo import bots
from dohyo.bots import archive
from dohyo.executors.choice import Elsewhere, elsewhere
from dohyo.guests.cluster.executor import Cluster
from dohyo.guests.cluster.keys import ClusterAccess, cluster_access
from dohyo.system import proc
from tests.executors.test_pool import await_end
from tests.processes import marked
from tests.skips import Reason, program, skip_for

MARK = "DOHYO_TEST_CLUSTER"
ONE_WORKER = pytest.mark.xdist_group("clusters")  # a cluster takes seconds to start: pytest has it once


class Started:
    """A `dohyo cluster ...` in a process of its own, with a cache of its own."""

    def __init__(self, folder: Path, *words: str, before: tuple[str, ...] = (), typed_in: Path | None = None) -> None:
        self.mark = uuid.uuid4().hex
        self.cache = folder / "cache of the cluster"
        self.temporary = folder / "temporary"
        self.temporary.mkdir(parents=True)
        environment = {
            **os.environ,
            MARK: self.mark,
            "DOHYO_CACHE": str(self.cache),
            "TMPDIR": str(self.temporary),
        }
        keys = () if "--plain-tcp" in words or "--keys" in words else ("--keys", str(folder / "keys"))
        command = [*before, sys.executable, "-m", "dohyo", "cluster", *words, *keys]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True, cwd=typed_in
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert "://" in said, self.process.communicate()
        self.address = next(word for word in said.split() if word.startswith(("tcp://", "tls://"))).rstrip(".;")
        self.keys = Path(keys[1]) if keys else None

    @property
    def access(self) -> ClusterAccess:
        """How it is used."""
        return cluster_access(self.address, self.keys and str(self.keys), self.address.startswith("tcp://"))

    def processes(self, role: str) -> list[int]:
        """Those of Dask, by what they are."""
        wanted = f"cluster.dask_process\0{role}\0".encode()
        found = []
        for pid in marked(MARK, self.mark):
            with suppress(OSError):
                if wanted in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(pid)
        return found

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Have it end, if it has not; its exit status and what it told. Nothing may be left."""
        with suppress(ProcessLookupError):
            self.process.send_signal(number)
        _, said = self.process.communicate()
        while left := marked(MARK, self.mark):
            await_end(left)
        assert os.listdir(self.temporary) == []
        return self.process.returncode, said


@contextmanager
def started(folder: Path, *words: str, **how: Any) -> Iterator[Started]:
    """Started until the block ends, at the latest."""
    own = Started(folder, *words, **how)
    try:
        yield own
    finally:
        own.process.kill()
        own.process.communicate()


def place_of(access: ClusterAccess) -> Elsewhere:
    """The cluster as the operator's words mean it."""
    place = elsewhere(access.address, access.keys, access.keys is None)
    assert place is not None
    return place


def packed(bot: bots.Bot) -> bytes:
    """What the author of a bot of these tests handed in."""
    return archive.pack(bot, {})


@contextmanager
def of_workers(folder: Path, number: int, *words: str) -> Iterator[Started]:
    """A cluster on this machine whose workers have joined."""
    if not proc.IS_LINUX:
        skip_for(Reason.KERNEL, "only Linux tells which processes a cluster has left")
    with started(folder, "local", "--workers", str(number), "--port", "0", *words) as own:
        joined = 0
        while joined < number:
            with Cluster(own.access, packed) as executor:
                joined = executor._count()
        yield own


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """A cluster of two workers with keys, which is still whole at the end, and ends at Ctrl-C."""
    with of_workers(tmp_path_factory.mktemp("local"), 2) as own:
        yield own
        status, said = own.end()
        assert (status, said.count("\n")) == (130, 1)


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """A cluster of one worker over plain TCP; what started it is killed at the end, and soon nothing is left.

    The kernel tells its scheduler and its workers.
    """
    with of_workers(tmp_path_factory.mktemp("plain"), 1, "--plain-tcp") as own:
        yield own
        assert own.end(signal.SIGKILL)[0] == -signal.SIGKILL


class Hosts:
    """Two network namespaces with a wire between them: what runs in one reaches the other, and nothing else.

    They have no names, and so no mounts that would stay: each is there as long as the process that made it.
    """

    def __init__(self) -> None:
        self._ip, self._enter, self._unshare = program("ip"), program("nsenter"), program("unshare")
        self._keepers: list[subprocess.Popen[str]] = []

    def inside(self, number: int) -> tuple[str, ...]:
        """What stands before a command that is to run on a host."""
        return (self._enter, f"--net=/proc/{self._keepers[number].pid}/ns/net", "--")

    def __enter__(self) -> Hosts:
        for _ in range(2):
            words = [self._unshare, "--net", "--", "sh", "-c", "echo made && exec cat"]
            keeper = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            self._keepers.append(keeper)
            assert keeper.stdout is not None
            assert keeper.stderr is not None
            if keeper.stdout.readline() != "made\n":
                self._give_up(keeper.stderr.read())
        ends = [f"d{os.getpid()}{end}" for end in "ab"]
        first, second = (str(keeper.pid) for keeper in self._keepers)
        self._do((), f"link add {ends[0]} netns {first} type veth peer name {ends[1]} netns {second}")
        for number, end in enumerate(ends):
            self._do(self.inside(number), f"address add 10.0.0.{number + 1}/24 dev {end}")
            for device in (end, "lo"):
                self._do(self.inside(number), f"link set {device} up")
        return self

    def _do(self, before: tuple[str, ...], step: str) -> None:
        done = subprocess.run([*before, self._ip, *step.split()], capture_output=True, text=True, check=False)
        if done.returncode:
            self._give_up(done.stderr)

    def _give_up(self, said: str) -> NoReturn:
        self.__exit__()
        skip_for(Reason.KERNEL, f"no network namespaces can be made here: {said.strip()}")

    def __exit__(self, *_: object) -> None:
        for keeper in self._keepers:
            keeper.communicate()  # which ends its input, and so itself
