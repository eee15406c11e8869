"""The cache of builds: by content, proof against kills, interrupts and neighbours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo.bots import builds, cache, resolve
from dohyo.bots.build_plan import BUILD, BuildPlan, Step
from dohyo.core.errors import BuildError, OperatorError
from dohyo.system import shipped
from tests import skips
from tests.bots.conftest import PATIENCE, RESOLVE, Pipe, Write, attempts, run
from tests.bots.programs import PROGRAMS

CPP = PROGRAMS["c++"][1]


@pytest.fixture
def counted(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot folder whose build writes a line to the file `count` beside it each time it runs."""
    monkeypatch.setenv("COUNT", str(tmp_path / "count"))
    return write({"bot.toml": 'build = "echo x >> $COUNT; cp words made"\nrun = "cat made"', "words": "seen hello"})


def count(tmp_path: Path) -> int:
    """How often that build ran."""
    return len((tmp_path / "count").read_text().splitlines())


def test_bytes_count_and_times_do_not(counted: Path, empty: Path, tmp_path: Path) -> None:
    """What was built is taken from the cache until a byte changes; the time of a file is no content."""
    first = resolve([str(counted)], cache=empty)[0]
    os.utime(counted / "words", (1, 1))
    assert resolve([str(counted)], cache=empty)[0] == first
    assert count(tmp_path) == 1
    (counted / "words").write_text("seen Hello")
    second = resolve([str(counted)], cache=empty)[0]
    assert count(tmp_path) == 2
    assert (run(first), run(second)) == ("seen hello", "seen Hello")
    (counted / "words").chmod(0o755)  # a build may depend on it
    resolve([str(counted)], cache=empty)
    assert count(tmp_path) == 3


def test_headers_count(write: Write, empty: Path) -> None:
    """A changed header beside a single source builds it anew."""
    skips.program("g++")
    source = '#include "deep/a.h"\n#include <cstdio>\nint main() { puts(SEEN); }'
    folder = write({"bot.cpp": source, "deep/a.h": '#include "../b.h"', "b.h": '#define SEEN "one"', "c.h": ""})
    first = resolve([str(folder / "bot.cpp")], cache=empty)[0]
    write({"c.h": "changed"})
    assert resolve([str(folder / "bot.cpp")], cache=empty)[0] == first
    write({"b.h": '#define SEEN "two"'})
    second = resolve([str(folder / "bot.cpp")], cache=empty)[0]
    assert (run(first), run(second)) == ("one", "two")
    assert first.digest != second.digest


def test_another_compiler_builds_anew(write: Write, empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler's path and version are a part of what a build is kept under."""
    real = skips.program("g++")
    wrapper = '#!/bin/sh\n[ "$1" = --version ] && { cat "$0.version"; exit; }\nexec ' + real + ' "$@"\n'
    folder = write({"bin/g++": wrapper, "bin/g++.version": "g++ 1", "bot.cpp": CPP})
    monkeypatch.setenv("PATH", f"{folder}/bin{os.pathsep}{os.environ['PATH']}")

    def where() -> str:
        return resolve([str(folder / "bot.cpp")], cache=empty)[0].command[0]

    first = where()
    assert where() == first
    write({"bin/g++.version": "g++ 2"})
    assert where() != first


def test_another_processor_builds_anew(
    write: Write, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What our own interpreter builds may hold code for this processor: it is kept for no other one."""
    folder = write({"bot.toml": 'python = "dohyo"\nbuild = "python bot.py"\nrun = "python bot.py"', "bot.py": ""})
    told = tmp_path / "cpuinfo"
    monkeypatch.setattr(shipped, "CPU_INFO", str(told))

    def where(flags: str) -> str:
        told.write_text(f"model name : any\nflags : {flags}\n", encoding="utf-8")
        return resolve([str(folder)], cache=empty)[0].built

    assert where("sse avx") == where("avx sse")
    assert where("sse avx512") != where("sse avx")


def test_one_content_is_built_once(counted: Path, empty: Path, tmp_path: Path) -> None:
    """A bot that is named twice, or lies in two places, is built once; each keeps its own name."""
    copy = tmp_path / "copy"
    shutil.copytree(counted, copy)
    bots = resolve([str(counted), str(copy), str(counted)], cache=empty)
    assert count(tmp_path) == 1
    assert [bot.name for bot in bots] == [counted.name, "copy", counted.name]
    assert bots[0].command == bots[1].command


def test_two_processes_build_once(counted: Path, empty: Path, tmp_path: Path) -> None:
    """Processes that want the same at once all get it, and one of them builds."""
    command = [sys.executable, "-c", RESOLVE, str(counted), str(empty)]
    processes = [subprocess.Popen(command) for _ in range(4)]
    assert [process.wait(PATIENCE) for process in processes] == [0] * 4
    assert count(tmp_path) == 1
    assert len(attempts(empty)) == 1


def test_waiting_for_a_neighbour(empty: Path) -> None:
    """Who comes second waits, and takes what the first has made."""
    plan = BuildPlan("bot", "bot", (f"{BUILD}/made",), BUILD, "", steps=(Step((("true",),)),))
    second_waits = threading.Event()
    worked: list[Path] = []
    found: list[cache.Built] = []

    def work(folder: Path) -> str:
        worked.append(folder)
        (folder / "made").touch()
        assert second_waits.wait(PATIENCE)
        return "log"

    def one() -> None:
        found.append(builds.build(empty, plan, builds.key_of(plan), work, lambda _: second_waits.set()))

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(worked) == 1
    assert found == [cache.Built(str(worked[0]), "log")] * 2


def test_a_build_may_ask_to_be_tried_again(empty: Path) -> None:
    """What was broken off serves until a later build is whole; its folder stays for those who use it."""
    plan = BuildPlan("bot", "bot", (f"{BUILD}/made",), BUILD, "", steps=(Step((("true",),)),))
    worked: list[Path] = []

    def work(folder: Path, *names: str) -> str:
        worked.append(folder)
        for name in ("made", *names):
            (folder / name).touch()
        return f"log {len(worked)}"

    def broken_off(folder: Path) -> str:
        return work(folder, cache.AGAIN)

    def fails(folder: Path) -> str:
        work(folder)
        raise BuildError("bot-build-failed", "", bot="bot")

    def made(how: Callable[[Path], str], again: bool = False) -> cache.Built:
        if not again:
            builds._TRIED.clear()  # as in a process that begins
        return builds.build(empty, plan, builds.key_of(plan), how, lambda _: None)

    first = made(broken_off)
    assert first == cache.Built(str(worked[0]), "log 1")
    assert made(work, again=True) == first, "one command tries once"
    builds._TRIED.clear()
    assert builds.find(empty, plan, builds.key_of(plan)) is None
    assert [made(how) for how in (broken_off, fails)] == [first] * 2
    assert attempts(empty) == [worked[0]]
    whole = made(work)
    assert whole == cache.Built(str(worked[3]), "log 4")
    assert attempts(empty) == sorted([worked[0], worked[3]])
    assert made(work) == whole
    assert len(worked) == 4


def test_waiting_for_a_neighbour_s_broken_build(empty: Path) -> None:
    """Who has waited for a build that was broken off takes it, and does not try as long again."""
    plan = BuildPlan("bot", "bot", (f"{BUILD}/made",), BUILD, "", steps=(Step((("true",),)),))
    second_waits = threading.Event()
    worked: list[Path] = []

    def work(folder: Path) -> str:
        worked.append(folder)
        (folder / "made").touch()
        (folder / cache.AGAIN).touch()
        assert second_waits.wait(PATIENCE)
        return "log"

    def one() -> None:
        builds.build(empty, plan, builds.key_of(plan), work, lambda _: second_waits.set())

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(worked) == 1


def test_both_end_well_without_locks(empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file system has no locks both build at once, the first to finish counts for both."""
    monkeypatch.setattr("fcntl.flock", lambda *_: (_ for _ in ()).throw(OSError("no locks")))
    plan = BuildPlan("bot", "bot", (f"{BUILD}/made",), BUILD, "", steps=(Step((("true",),)),))
    together = threading.Barrier(2, timeout=PATIENCE)
    found: list[cache.Built] = []

    def work(folder: Path) -> str:
        (folder / "made").touch()
        together.wait()
        return "log"

    def one() -> None:
        found.append(builds.build(empty, plan, builds.key_of(plan), work, lambda _: None))

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(found) == 2
    assert found[0] == found[1]
    assert attempts(empty) == [Path(found[0].folder)]


@pytest.mark.parametrize("links", [True, False], ids=["hard links", "no hard links"])
def test_a_file_system_without_hard_links(
    links: bool, counted: Path, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is done is written down all the same, and leaves no note beside it."""
    if not links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError("no links")))
    for _ in range(2):
        assert run(resolve([str(counted)], cache=empty)[0]) == "seen hello"
    assert count(tmp_path) == 1
    assert len(list(empty.glob("builds/*/*done*"))) == 1


def test_killed_half_way(
    write: Write, empty: Path, tmp_path: Path, pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build whose process was killed leaves nothing that counts; the next one sweeps and builds."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    toml = 'build = "echo half > made; exec 3> $PIPE; echo started >&3; $NEXT; echo whole > made"\nrun = "cat made"'
    folder = write({"bot.toml": toml})
    monkeypatch.setenv("NEXT", f"cat {gate}")
    process = subprocess.Popen([sys.executable, "-c", RESOLVE, str(folder), str(empty)])
    pipe.wait_for_start()
    process.kill()
    process.wait()
    left = attempts(empty)
    assert left
    monkeypatch.setenv("NEXT", "true")
    monkeypatch.setenv("PIPE", "/dev/null")
    bot = resolve([str(folder)], cache=empty)[0]
    # The killed process could not stop its compiler; what that one still writes reaches nothing that counts.
    os.close(os.open(gate, os.O_WRONLY | os.O_NONBLOCK))
    pipe.wait_for_end()
    assert run(bot) == "whole"
    assert not set(left) & set(attempts(empty))


def test_a_lost_program_is_built_again(write: Write, empty: Path) -> None:
    """A cache from which somebody deleted is mended."""
    skips.program("g++")
    path = write({"bot.cpp": CPP}) / "bot.cpp"
    first = resolve([str(path)], cache=empty)[0]
    Path(first.command[0]).unlink()
    assert run(resolve([str(path)], cache=empty)[0]) == "seen hello"
    shutil.rmtree(next(empty.glob("builds/*/attempt-*")))
    assert run(resolve([str(path)], cache=empty)[0]) == "seen hello"
    next(empty.glob("builds/*/done")).write_bytes(b'{"fol')
    assert run(resolve([str(path)], cache=empty)[0]) == "seen hello"


def test_changed_while_being_read(counted: Path, empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source that changes between its digest and its copy is not kept under the wrong digest."""
    original = builds.place

    def place(files: object, links: object, folder: Path) -> None:
        original(files, links, folder)  # type: ignore[arg-type]
        (folder / "words").write_text("other")

    monkeypatch.setattr(builds, "place", place)
    with pytest.raises(OperatorError, match="changed while it was being read; try again"):
        resolve([str(counted)], cache=empty)
    assert attempts(empty) == []


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The operator's folder, DOHYO_CACHE, the system's cache folder, in this order."""
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DOHYO_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    assert cache.location() == Path("/home/me/.cache/dohyo")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache.location() == Path("/home/me/Library/Caches/dohyo")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache.location() == Path("/home/me/.cache/dohyo")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/x")
    assert cache.location() == Path("/var/x/dohyo")
    monkeypatch.setenv("DOHYO_CACHE", "~/y")
    assert cache.location() == Path("/home/me/y")
    assert cache.location(tmp_path) == tmp_path


def test_a_cache_that_cannot_be_used(counted: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No home, a file in the cache's place, a file system that starts nothing: a sentence names DOHYO_CACHE."""
    (tmp_path / "file").touch()
    with pytest.raises(OperatorError, match=r"cannot be kept in '.*file/x' \(Not a directory\); name another"):
        resolve([str(counted)], cache=tmp_path / "file" / "x")
    skips.program("g++")
    path = counted / "bot.cpp"
    path.write_text(CPP)
    access = os.access
    monkeypatch.setattr(os, "access", lambda name, mode: "dohyo-bot" not in str(name) and access(name, mode))
    with pytest.raises(OperatorError, match="mounted noexec"):
        resolve([str(path)], cache=tmp_path / "cache")
    for name in ("DOHYO_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda name: name)
    with pytest.raises(OperatorError, match="no home folder to keep built bots in"):
        cache.location()
