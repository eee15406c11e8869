"""How a build runs: its limits, its words, how many at once, and that nothing of it stays behind."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from dohyo.bots import build_plan, building, resolve
from dohyo.core import build_notes, notices
from dohyo.core.errors import BuildError, OperatorError
from dohyo.core.sandbox import SandboxError
from dohyo.i18n import LANGUAGES, Speaker
from dohyo.system import allowance as allowance_of
from dohyo.system.allowance import Allowance
from tests.bots.conftest import PATIENCE, RESOLVE, Pipe, Write, attempts
from tests.bots.programs import PROGRAMS

CPP = PROGRAMS["c++"][1]


def test_interrupted(write: Write, empty: Path, pipe: Pipe) -> None:
    """Ctrl-C ends a build with all its processes, and leaves no attempt."""
    toml = 'build = "exec 3> $PIPE; echo started >&3; sleep 1000 & sleep 1000"\nrun = "true"'
    folder = write({"bot.toml": toml})
    process = subprocess.Popen(
        [sys.executable, "-c", RESOLVE, str(folder), str(empty)], stderr=subprocess.PIPE, start_new_session=True
    )
    pipe.wait_for_start()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGINT
    assert b"KeyboardInterrupt" in said
    pipe.wait_for_end()
    assert attempts(empty) == []


def test_wall_limit(write: Write, empty: Path, pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that sleeps is ended with all its processes when ten times its processor time is over.

    What it said is kept, and no attempt is left; the sentence names the variable for more.
    """
    toml = 'build = ["echo one", "exec 3> $PIPE; echo started >&3; sleep 1000 & sleep 1000"]\nrun = "true"'
    folder = write({"bot.toml": toml})
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + (601 if pipe.said else 0))
    monkeypatch.setattr(building, "time", clock)
    told = r"was not built within 60\d s, of which it used the processor for 0\.\d s.* DOHYO_BUILD_SECONDS"
    with pytest.raises(BuildError, match=told) as caught:
        resolve([str(folder)], cache=empty, build_seconds=60)
    assert caught.value.log == "one\n"
    pipe.wait_for_end()
    assert attempts(empty) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a program has used")
def test_processor_limit(write: Write, empty: Path) -> None:
    """A build that computes without end is ended when its processor time is over, however long that takes.

    It is that of all its processes and steps together.
    """
    spin = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"
    toml = f'build = ["{spin}", "while :; do ({spin}); done"]\nrun = "true"'
    folder = write({"bot.toml": toml})
    told = "was not built within 1 s of processor time; .* DOHYO_BUILD_SECONDS"
    with pytest.raises(BuildError, match=told):
        resolve([str(folder)], cache=empty, build_seconds=1)
    assert attempts(empty) == []


def test_a_build_that_others_keep_waiting(
    write: Write, empty: Path, pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that gets little of a busy machine has its time all the same.

    Of 500 seconds by the clock, in which it hardly ran, none counts for its 60.
    """
    toml = 'build = "exec 3> $PIPE; echo started >&3; until [ -e $PIPE.seen ]; do sleep 0.01; done"\nrun = "true"'
    folder = write({"bot.toml": toml})

    def late() -> float:
        """The clock of a machine on which the build stood for long; it goes on once that was seen."""
        if not pipe.said:
            return time.monotonic()
        pipe.path.with_suffix(".seen").touch()
        return time.monotonic() + 500

    monkeypatch.setattr(building, "time", SimpleNamespace(monotonic=late))
    assert resolve([str(folder)], cache=empty, build_seconds=60)


def test_the_operator_says_how_long_a_build_may_take(
    write: Write, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a variable, which builds are told; what is no time is refused in a sentence."""
    folder = write({"bot.toml": f'build = "echo ${build_plan.ALLOWED}"\nrun = "true"'})
    assert resolve([str(folder)], cache=empty / "usual")[0].log == "60\n"
    monkeypatch.setenv(build_plan.ALLOWED, "600")
    assert resolve([str(folder)], cache=empty / "longer")[0].log == "600\n"
    for word in ("soon", "0", "-1", "nan", "inf"):
        monkeypatch.setenv(build_plan.ALLOWED, word)
        with pytest.raises(OperatorError, match=f"'{word}', which is no time for a build"):
            resolve([str(folder)], cache=empty)


@pytest.mark.parametrize("word", build_notes.KEYS)
def test_what_a_build_says_of_the_bot_is_told(write: Write, empty: Path, word: str) -> None:
    """Each time that the bot is used, once in a command, in both languages; the bot plays all the same."""
    folder = write({"bot.toml": f'name = "slow"\nbuild = "echo {build_notes.line(word)}"\nrun = "true"'})
    told: list[str] = []
    for _ in range(2):
        with notices.heard_by(
            lambda key, details: told.extend(Speaker(each).say(key, **details) for each in LANGUAGES)
        ):
            for _ in range(2):
                resolve([str(folder)], cache=empty)
    assert len(told) == 2 * len(LANGUAGES)
    assert told[0].startswith("The bot 'slow' plays weaker than it could: ")
    assert told[1].startswith("ボット「slow」は本来より弱くなります。")


def test_who_waits_for_a_build_is_told(
    write: Write, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a build that takes long, once, with the bot's name: here it goes on when that was said."""
    monkeypatch.setattr(building, "SILENT", 0.0)
    os.mkfifo(tmp_path / "go")
    monkeypatch.setenv("GO", str(tmp_path / "go"))
    told: list[tuple[str, object]] = []

    def hear(key: str, details: dict[str, object]) -> None:
        told.append((key, details["of"]))
        (tmp_path / "go").write_text("on\n")

    folder = write({"bot.toml": 'name = "slow"\nbuild = "cat $GO"\nrun = "true"'})
    with notices.heard_by(hear):
        assert resolve([str(folder)], cache=empty, build_seconds=60)[0].log == "on\n"
        resolve([str(folder)], cache=empty)
    assert told == [("building-of", "slow")]


def test_what_a_build_leaves_running(write: Write, empty: Path, pipe: Pipe) -> None:
    """A server that a build leaves in the background neither holds it up nor lives on."""
    toml = 'build = "exec 3> $PIPE; sleep 1000 & echo done"\nrun = "true"'
    assert resolve([str(write({"bot.toml": toml}))], cache=empty)[0].log == "done\n"
    pipe.wait_for_end()


def test_talkative_builds(write: Write, empty: Path) -> None:
    """Of a flood of messages the first and the last are kept, and how much is missing is said."""
    toml = 'build = "echo first; yes | head -c 3000000; echo last; exit 1"\nrun = "true"'
    with pytest.raises(BuildError) as caught:
        resolve([str(write({"bot.toml": toml}))], cache=empty)
    log = caught.value.log
    assert log.startswith("first\ny\n")
    assert log.endswith("y\nlast\n")
    whole = len("first\nlast\n") + 3_000_000
    assert f"[... {whole - building.LOG_HEAD - building.LOG_TAIL} bytes ...]" in log
    assert len(log) <= 64 * 1024
    folder = write({"bot.toml": f'build = {["yes | head -c 60000"] * 9}\nrun = "true"'})
    assert len(resolve([str(folder)], cache=empty)[0].log) <= 64 * 1024


def test_whose_words_are_shown(write: Write, empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every standard fails, the author reads about the newest, and names of files as the author knows them."""
    compiler = '#!/bin/sh\necho "$PWD/bot.cpp: $2 $3 does not like it"\nexit 1\n'
    folder = write({"bin/g++": compiler, "bot.cpp": CPP})
    monkeypatch.setenv("PATH", f"{folder}/bin{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(BuildError) as caught:
        resolve([str(folder / "bot.cpp")], cache=empty)
    assert caught.value.log == "bot.cpp: -std=gnu++20 -o does not like it\n"


def test_temporary_files_are_swept(write: Write, empty: Path) -> None:
    """What compilers put into their temporary folder is gone after the build, and never was anywhere else."""
    toml = 'build = "mktemp; echo x > $TMPDIR/x; pwd"\nrun = "true"'
    log = resolve([str(write({"bot.toml": toml}))], cache=empty)[0].log
    temporary, here = log.splitlines()
    assert Path(temporary).is_relative_to(empty)
    assert not Path(temporary).exists()
    assert attempts(empty) == [Path(here)]


def test_side_by_side(write: Write, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Different bots are built at the same time: here each waits for the other."""
    for name in ("there", "back"):
        os.mkfifo(tmp_path / name)
        monkeypatch.setenv(name.upper(), str(tmp_path / name))
    monkeypatch.setattr("dohyo.bots.building.cores", lambda: 2)
    folder = write(
        {
            "a/bot.toml": 'build = "echo a > $THERE; cat $BACK"\nrun = "true"',
            "b/bot.toml": 'build = "cat $THERE; echo b > $BACK"\nrun = "true"',
        }
    )
    bots = resolve([str(folder / "a"), str(folder / "b")], cache=empty)
    assert [bot.log for bot in bots] == ["b\n", "a\n"]


def test_no_more_at_once_than_cores(
    write: Write, empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one core, one build ends before the next begins."""
    monkeypatch.setattr("dohyo.bots.building.cores", lambda: 1)
    monkeypatch.setenv("SAID", str(tmp_path / "said"))
    text = 'name = "{}"\nbuild = "echo begin >> $SAID; ls / > /dev/null; echo end >> $SAID"\nrun = "true"'
    folder = write({f"{name}/bot.toml": text.format(name) for name in "abc"})
    resolve([str(folder / name) for name in "abc"], cache=empty)
    assert (tmp_path / "said").read_text() == "begin\nend\n" * 3


def test_first_of_several_failures(write: Write, empty: Path) -> None:
    """The error is that of the first bot that does not build; the others were built all the same."""
    toml = 'name = "{}"\nbuild = "echo {}; {}"\nrun = "true"'
    states = {"a": "true", "b": "false", "c": "false", "d": "true"}
    folder = write({f"{name}/bot.toml": toml.format(name, name, state) for name, state in states.items()})
    with pytest.raises(BuildError, match="/b' does not build") as caught:
        resolve([str(folder / name) for name in states], cache=empty)
    assert caught.value.log == "b\n"
    assert len(attempts(empty)) == 2


def test_a_failure_is_not_remembered(write: Write, empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What did not build, for want of something outside it, is tried again."""
    folder = write({"bot.toml": 'build = "$WORKS"\nrun = "true"'})
    monkeypatch.setenv("WORKS", "false")
    with pytest.raises(BuildError):
        resolve([str(folder)], cache=empty)
    monkeypatch.setenv("WORKS", "true")
    assert resolve([str(folder)], cache=empty)


def test_a_house_that_fails_when_the_command_runs(tmp_path: Path) -> None:
    """A build's command that runs already is ended, when what looks after it cannot be started."""
    sandboxed = SimpleNamespace(command=("sleep", "1000"), folder=str(tmp_path), environment=None, pid=0)

    def started(pid: int) -> None:
        sandboxed.pid = pid
        raise OSError(errno.EAGAIN, "no room")

    sandboxed.started = started
    with pytest.raises(OSError, match="no room"):
        building._run(("sleep", "1000"), tmp_path, {}, Allowance(60), threading.Event(), sandboxed)  # type: ignore[arg-type]
    with pytest.raises(ProcessLookupError):
        os.kill(sandboxed.pid, 0)


def test_a_house_that_cannot_be_made(tmp_path: Path) -> None:
    """A command whose sandbox could not be made is a command that fails, with a line that says so."""

    def verdict(_: object) -> None:
        raise SandboxError("the sandbox could not be made: exit status 1")

    sandboxed = SimpleNamespace(
        processor_seconds=lambda: None, command=("false",), folder=str(tmp_path), environment=None, verdict=verdict
    )
    sandboxed.started = lambda _: None
    said, status = building._run(("x",), tmp_path, {}, Allowance(60), threading.Event(), sandboxed)  # type: ignore[arg-type]
    assert (said, status) == ("[dohyo] the sandbox could not be made: exit status 1\n", 1)


@pytest.mark.parametrize("mode", ["645", "654", "011"])
def test_a_program_that_its_owner_may_not_execute(
    write: Write, empty: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """A program that its build closes to its owner, which the kernel minds for all but root, is started all the same.

    It was said of the cache that nothing could be started from it, which ended the whole class.
    """
    access = os.access

    def as_an_ordinary_user(path: str, asked: int, *, dir_fd: int | None = None) -> bool:
        may = asked != os.X_OK or bool(os.stat(path, dir_fd=dir_fd).st_mode & stat.S_IXUSR)
        return access(path, asked, dir_fd=dir_fd) and may

    monkeypatch.setattr(os, "access", as_an_ordinary_user)
    folder = write({"bot.toml": f'build = "cp bot.sh bot; chmod {mode} bot"\nrun = "./bot"', "bot.sh": "#!/bin/sh\n"})
    (bot,) = resolve([str(folder)], cache=empty)
    assert os.stat(bot.command[0]).st_mode & stat.S_IXUSR


def test_what_did_not_build_is_not_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one folder of hand-ins is taken in, a build that has failed is not tried a second time."""
    tries: list[str] = []

    def fail(order: building.Order, *_: object) -> str:
        tries.append(order.plan.spec)
        raise BuildError("bot-build-failed", "the log", bot=order.plan.spec)

    def build(spec: str) -> BuildError:
        step = build_plan.Step((("make",),), "make")
        plan = build_plan.BuildPlan(spec, "bot", ("made",), "", "digest", steps=(step,))
        with pytest.raises(BuildError) as caught:
            building.build_side_by_side({"key": build_plan.Recognised(plan)}, tmp_path, 60, None)
        return caught.value

    monkeypatch.setattr(building, "run_steps", fail)
    with building.failing_once():
        assert build("first").message.values["bot"] == "first"
        again = build("second")
    assert (again.message.values["bot"], again.log, tries) == ("second", "the log", ["first"])
    build("third")
    assert tries == ["first", "third"]


def test_a_build_may_sleep_no_longer_than_it_may_compute() -> None:
    """A build at work has the whole wall limit; one that sleeps is ended sooner, by what looks have seen."""
    now = 0.0
    allowance = Allowance(60, clock=lambda: now)

    def pass_by(seconds: int, at_work: bool) -> bool:
        nonlocal now
        for _ in range(seconds):
            now += 1
            allowance.note(at_work)
        return allowance.is_over(1.0)

    assert not pass_by(200, at_work=True)
    assert not pass_by(58, at_work=False)
    now += 300  # we were kept from looking
    assert not pass_by(1, at_work=False)
    assert pass_by(2, at_work=False)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process waits for")
def test_what_is_at_work() -> None:
    """A process that sleeps is not at work, also where its child does; one that computes is, also as a child."""
    for words, expected in (("sleep 600", False), ("while :; do :; done", True)):
        with subprocess.Popen(["/bin/sh", "-c", f"({words}); true"], start_new_session=True) as process:
            try:
                while allowance_of.is_at_work(process.pid) != expected:
                    assert process.poll() is None
            finally:
                os.killpg(process.pid, signal.SIGKILL)
