"""Programs in sandboxes of every layer that this machine has."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from dohyo import sandbox
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.sandbox import MIB, Limits, Mount, SandboxError, Shown
from dohyo.match.processes.bot_process import BotProcess
from dohyo.sandbox import bubblewrap, cgroups, layers, run
from dohyo.sandbox.run import ENTERED, BoxedRun
from tests.skips import Reason, skip_for

SMALL = Limits(memory=96 * MIB, tasks=24, disk=4 * MIB)
PYTHON = os.path.realpath(sys.executable)


@pytest.fixture(params=[1, 2, 3])
def made(request: pytest.FixtureRequest) -> sandbox.Sandbox:
    """The sandbox of each layer."""
    found = sandbox.at_layer(request.param)
    if found is None:
        skip_for(Reason.KERNEL, f"no layer {request.param} of the sandbox")
    return found


def in_place(folder: Path, writable: bool = False) -> Shown:
    """A folder under its own path, and the Python of these tests."""
    return Shown(str(folder), (Mount(str(folder), str(folder), writable),), (PYTHON,))


class Run:
    """A program in a sandbox, waited for to its end: its output, and how it ended."""

    def __init__(self, made: sandbox.Sandbox, folder: Path, script: str, writable: bool = False) -> None:
        words = (PYTHON, "-I", "-S", "-c", script)
        known = {"PATH": os.environ["PATH"], "TOKEN": "secret"}
        sandbox_factory = made.factory(in_place(folder, writable), known, SMALL)
        program = BotProcess(words, str(folder), known, sandbox_factory=sandbox_factory)
        try:
            while program.stdout_open:
                os.set_blocking(program.stdout, True)
                program.read_output()
            os.waitid(os.P_PID, program.process.pid, os.WEXITED | os.WNOWAIT)
            self.ended = program.how_it_ended()
        finally:
            program.stop()
        self.said = program.take_all()


def test_it_is_known_when_the_program_began(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """After it was started, and before its first line: by the system's clock, not by when we look."""
    known = {"PATH": os.environ["PATH"]}
    words = (PYTHON, "-I", "-S", "-c", "import time; print(time.monotonic_ns(), flush=True); time.sleep(1000)")
    tick = 10_000_000  # of a kernel that writes times to files no more exactly
    started = time.monotonic_ns()
    program = BotProcess(words, str(tmp_path), known, sandbox_factory=made.factory(in_place(tmp_path), known, SMALL))
    try:
        while (line := program.take_line()) is None:
            os.set_blocking(program.stdout, True)
            program.read_output()
        began = program.began()  # only now: it may have begun before anybody could see it
        assert began is not None
        assert started - tick <= began <= int(line)
        assert program.began() == began
    finally:
        program.stop()


# Process 1 of a sandbox, which has no time for what it has to do until the shell beside it has run for a while.
SLOW_TO_CLOSE = """
sh -c "$1" dohyo echo began &
while read -r _ _ state _ _ _ _ _ _ _ _ _ _ user system _ </proc/$!/stat
do [ "$state" = Z ] || [ $((user + system)) -gt 3 ] && break; done
echo closed >&8; exec 6>&- 8>&- 9<&-; wait
"""


def test_a_program_begins_when_nothing_of_its_sandbox_is_open_any_more(tmp_path: Path) -> None:
    """Process 1 of bubblewrap may be late to close its descriptors: by them a program could write to `entered`."""
    found = bubblewrap.programs()
    if not found or sandbox.at_layer(2) is None:
        skip_for(Reason.KERNEL, "no layer 2 of the sandbox")
    opened = 'exec "$@" 6>"$0" 7</dev/null 8>&1 9</dev/null >/dev/null'
    box = [found[0], "--unshare-user", "--unshare-pid", "--as-pid-1", "--ro-bind", "/", "/", "--dev", "/dev"]
    box += ["--proc", "/proc"]
    words = ["sh", "-c", opened, tmp_path / "entered", *box, "sh", "-c", SLOW_TO_CLOSE, "one"]
    done = subprocess.run([*words, bubblewrap.inner(SMALL, True)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["closed", "began"]
    assert (tmp_path / "entered").stat().st_size == ENTERED


def test_a_program_does_not_begin_earlier_because_we_lose_the_processor(
    memory_file: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the readings of two clocks we may not run for long: that is not charged to the program."""
    os.write(memory_file, b"ok")
    written = os.fstat(memory_file).st_mtime_ns
    clock = [written]

    def read(zero: int) -> int:
        clock[0] += 100_000_000
        return clock[0] - zero

    monkeypatch.setattr(run, "time_ns", lambda: read(0))
    monkeypatch.setattr(run, "monotonic_ns", lambda: read(written))
    began = BoxedRun(("x",), {}, "/", SMALL, files=[memory_file], group=None).began()
    assert began is not None
    assert began >= 0


def test_what_tells_when_a_program_began_stays() -> None:
    """Nobody can make it shorter, whoever has it open."""
    file = layers.in_memory("entered", b"ok")
    try:
        with open(layers.path_of(file), "r+b") as opened, pytest.raises(PermissionError):
            opened.truncate(0)
    finally:
        os.close(file)


def test_a_program_reads_and_writes_as_ever(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """It runs in its folder, can read what is there, has a /tmp of its own, and its exit status is told."""
    (tmp_path / "book.txt").write_text("opening")
    script = (
        "import os\nprint(open('book.txt').read(), os.getcwd())\n"
        "with open(os.environ['TMPDIR'] + '/a', 'w') as a: a.write('x')\nraise SystemExit(3)"
    )
    run = Run(made, tmp_path, script)
    assert run.said == f"opening {tmp_path}\n"
    assert run.ended == Fault(FaultKind.EXITED, FaultCode.EXIT, status=3)


def test_a_signal_is_told_as_a_signal(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """A program that ends by a signal was killed by it, though bubblewrap ends with an exit status then."""
    run = Run(made, tmp_path, "import os; os.abort()")
    assert run.ended == Fault(FaultKind.KILLED, FaultCode.SIGNAL, status=6)


def test_closed_output_is_seen(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """A program that closes its standard output and lives on ends the stream: the sandbox does not hold it open."""
    run_script = "import os, sys; os.close(1); sys.stdin.read()"
    words = (PYTHON, "-I", "-S", "-c", run_script)
    program = BotProcess(words, str(tmp_path), {}, sandbox_factory=made.factory(in_place(tmp_path), {}, SMALL))
    try:
        os.set_blocking(program.stdout, True)
        program.read_output()
        assert not program.stdout_open
        assert program.how_it_ended() is None
    finally:
        program.stop()


def test_the_folder_is_read_only_unless_it_is_private(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """A bot cannot change its author's folder; in a private copy it can."""
    script = "open('note', 'w').write('x')"
    assert Run(made, tmp_path, script).ended == Fault(FaultKind.EXITED, FaultCode.EXIT, status=1)
    assert not (tmp_path / "note").exists()
    assert Run(made, tmp_path, script, writable=True).ended == Fault(FaultKind.EXITED, FaultCode.EXIT, status=0)
    assert (tmp_path / "note").read_text() == "x"


def test_the_kernels_settings_are_out_of_reach(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """No setting of the kernel's can be opened for writing, also by a bot of root's. (Nothing is written here.)"""
    script = "import os; os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY)"
    run = Run(made, tmp_path, script)
    assert run.ended is not None
    assert run.ended.status == 1


def test_no_terminals_can_be_made(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """A bot can take none of the kernel's terminals, of which it has few for the whole machine."""
    script = "import os\nfor _ in range(3): os.open('/dev/ptmx', os.O_RDWR | os.O_NOCTTY)\nprint('got')"
    run = Run(made, tmp_path, script)
    assert run.said == ""
    assert run.ended == Fault(FaultKind.EXITED, FaultCode.EXIT, status=1)


def test_nobody_runs_before_others(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """A bot's limits leave it no way to more of the processor, whatever the operator himself may do."""
    script = (
        "import os, resource\nprint(resource.getrlimit(resource.RLIMIT_RTPRIO))\n"
        "try: os.setpriority(os.PRIO_PROCESS, 0, -5)\nexcept PermissionError as error: print(error.errno)"
    )
    assert Run(made, tmp_path, script).said == f"(0, 0)\n{errno.EPERM}\n"


def test_the_environment_holds_no_secret(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """Neither a program's own environment nor that of process 1 holds what was ours alone."""
    script = "import os; print(sorted(os.environ)); print('TOKEN' in str(open('/proc/1/environ', 'rb').read()))"
    said = Run(made, tmp_path, script).said
    assert "TOKEN" not in said
    assert "True" not in said


def test_memory_is_limited(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """What takes more memory than it may is stopped, and told to have taken too much."""
    script = (
        "import mmap\nkeep = []\n"
        "while True:\n    m = mmap.mmap(-1, 1 << 22); m.write(b'x' * (1 << 22)); keep.append(m)"
    )
    run = Run(made, tmp_path, script)
    assert run.ended is not None
    assert run.ended.kind is FaultKind.MEMORY


def test_tasks_are_limited(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """What starts more processes than it may is stopped, or cannot, and is told to have started too many."""
    script = (
        "import os, time\nfor _ in range(200):\n    if os.fork() == 0:\n"
        "        os.close(1); time.sleep(60)\ntime.sleep(60)"
    )
    run = Run(made, tmp_path, script)
    assert run.ended is not None
    assert run.ended.kind is FaultKind.TASKS


def test_one_large_file_is_too_much(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """A file larger than the disk ends the program, and the disk is named as the reason."""
    script = (
        "import os, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "with open(os.environ['TMPDIR'] + '/big', 'wb') as file:\n    while True: file.write(b'x' * 65536)"
    )
    run = Run(made, tmp_path, script)
    assert run.ended is not None
    assert run.ended.kind is FaultKind.DISK


def test_files_kept_by_a_page_are_found_by_their_old_names(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """In every sandbox, a file in the private folder has the same path as outside, also when it has lost it."""
    script = (
        "import ctypes, os, time\nmap = ctypes.CDLL(None).mmap\nfor _ in range(8):\n"
        "    file = os.open('file', os.O_CREAT | os.O_RDWR)\n    os.unlink('file')\n"
        "    os.write(file, b'x' * (3 << 20))\n"
        "    map(None, ctypes.c_size_t(4096), 1, 1, file, ctypes.c_long(0))\n    os.close(file)\n"
        "time.sleep(30)"
    )
    run = Run(made, tmp_path, script, writable=True)
    assert run.ended is not None
    assert run.ended.kind is FaultKind.DISK


def test_nothing_is_left(made: sandbox.Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a program that left another one behind, no control group and no file of its sandbox is there."""
    groups = cgroups.find()
    folders = [] if groups is None else list(groups.parents.values())
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))  # other tests make theirs at the same time
    Run(made, tmp_path, "import os\nif os.fork() == 0:\n    import time; os.close(1); os.close(2); time.sleep(60)")
    mine = f"dohyo-{os.getpid()}-"
    assert [entry for folder in folders for entry in os.listdir(folder) if entry.startswith(mine)] == []
    assert os.listdir(tmp_path / "temporary") == []


@pytest.mark.parametrize("how", ["gone", "closed", "a file", "part of it gone"])
def test_a_folder_that_the_program_has_spoilt_is_its_own_fault(tmp_path: Path, memory_file: int, how: str) -> None:
    """Where no sandbox can be made because the program has spoilt a folder of its own, that is its own fault."""
    home, inner = tmp_path / "home", tmp_path / "home" / "inner"
    inner.mkdir(parents=True)
    files: list[int] = [memory_file]
    own, shown = [Mount(str(home), "/build", True)], [Mount(str(inner), "/build/inner"), Mount("/usr", "/usr")]
    room = BoxedRun(("x",), {}, "/", SMALL, files=files, group=None, writable=own, shown=shown)
    ended = Fault(FaultKind.EXITED, FaultCode.EXIT, status=1)
    with pytest.raises(SandboxError):
        room.verdict(ended)
    inner.rmdir()
    if how == "closed":
        inner.mkdir()
        home.chmod(0)
    elif how != "part of it gone":
        home.rmdir()
    if how == "a file":
        home.touch()
    assert room.verdict(ended).kind is FaultKind.FILES
    room.close()


@pytest.fixture
def memory_file() -> int:
    """An empty file that is only in memory, as for a sign of having entered."""
    return os.memfd_create("entered")


def test_what_fails_before_the_program_starts_is_our_defect(memory_file: int) -> None:
    """A sandbox that could not be made is an exception, and no fault of the bot's."""
    room = BoxedRun(("x",), {}, "/", SMALL, files=[memory_file], group=None)
    with pytest.raises(SandboxError):
        room.verdict(Fault(FaultKind.EXITED, FaultCode.EXIT, status=1))
    os.write(memory_file, b"ok")
    assert room.verdict(Fault(FaultKind.EXITED, FaultCode.EXIT, status=1)).kind is FaultKind.EXITED
    room.close()
    assert room.verdict(Fault(FaultKind.ILLEGAL)).kind is FaultKind.ILLEGAL


def test_words_that_no_sandbox_takes_are_the_bots_fault(made: sandbox.Sandbox, tmp_path: Path) -> None:
    """Where a sandbox can be made, but not for the bot's own words, the match goes on: it is the bot's fault."""
    build = made.factory(in_place(tmp_path), {}, SMALL)
    program = BotProcess(("/bin/sh", "-c", "exit 3", *["a"] * 9500), str(tmp_path), {}, sandbox_factory=build)
    try:
        os.waitid(os.P_PID, program.process.pid, os.WEXITED | os.WNOWAIT)
        ended = program.how_it_ended()
        assert ended is not None
        assert ended == program.how_it_ended()
    finally:
        program.stop()
    assert ended.kind is FaultKind.EXITED
    assert (ended.code == FaultCode.NO_START) == (made.layer < 3)


@pytest.mark.parametrize(("with_them", "without"), [(True, True), (False, False)])
def test_what_goes_wrong_once_or_for_all_is_no_bots_fault(memory_file: int, with_them: bool, without: bool) -> None:
    """Where a second sandbox can be made for the same words, or none at all, it is a defect of ours."""
    tries = {True: with_them, False: without}
    room = BoxedRun(("x",), {}, "/", SMALL, files=[memory_file], group=None, try_with=tries.__getitem__)
    with pytest.raises(SandboxError):
        room.verdict(Fault(FaultKind.EXITED, FaultCode.EXIT, status=1))
    room.close()
