"""Bots under a profiler: limits of the sandbox hold, and what reads a stranger's files is confined too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import dohyo
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.games import find
from dohyo.guests.profile import profilers
from dohyo.guests.profile.profilers import Found
from dohyo.guests.profile.stacks import Calls, stacks_of
from dohyo.i18n import ENGLISH
from dohyo.match.found_bots import find_bots
from dohyo.sandbox import Sandbox, at_layer
from tests import skips
from tests.skips import Reason, skip_for

STILL = "#!/bin/sh\necho READY; while read word; do if [ $word = EOD ]; then echo N; fi; done\n"
# It fills the folder that it may write its calls into.
FILLING = """import os, signal
words = open("/proc/self/cmdline").read().split("\\0")
folder = os.path.dirname(next(word for word in words if word.endswith("calls.json")))
for number in range(3):
    with open(f"{folder}/{number}", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, 30 << 20)
signal.pause()
"""
FORKING = "#!/bin/sh\ni=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i + 1)); done; wait\n"
COMPUTING = """#include <stdio.h>
volatile long sum;
__attribute__((noinline)) void prepare(void) { for (long i = 0; i < 100000000; i++) sum += i; }
__attribute__((noinline)) void look(void) { for (long i = 0; i < 50000000; i++) sum += i; }
int main(void) { prepare(); puts("READY"); fflush(stdout); getchar(); look(); return 0; }
"""
SAYS = "env >{home}/environment; pwd >{home}/folder"
PY_SPY = """#!/bin/sh
{says}
while [ $# -gt 0 ]; do case $1 in --output) file=$2;; --pid) bot=$2;; esac; shift; done
echo 'Sampling process 997 times a second'
while [ -e /proc/$bot/exe ]; do :; done
echo 'process 1:"bot";main (a.py:1) 5' >"$file"
"""
# It prints for ever.
PERF = """#!/bin/sh
if [ $1 = record ]; then
    {says}; echo "$@" >{home}/words
    while [ "$1" != -- ]; do [ "$1" = --output ] && file=$2; shift; done
    shift; echo samples >"$file"; exec "$@"
fi
name=confined
cat {home}/secret && name=$(cat {home}/secret)
touch {home}/written || touch /bot/written
while :; do printf 'bot 1/1 99999999.0: cycles:\\n\\t 55 %s (/build/a)\\n\\n' $name || exit; done
"""


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    """A short match of bots that do nothing."""
    bot = tmp_path_factory.mktemp("still") / "still"
    bot.write_text(STILL)
    bot.chmod(0o755)
    clock = Clock(turn=60.0, ready=60.0)
    return dohyo.play("drop-block", [str(bot)] * 4, seed=0, setup={"turns": 8}, clock=clock, sandbox="none")


@pytest.fixture(autouse=True)
def one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single sample is enough."""
    monkeypatch.setattr(profilers, "ENOUGH", 1)


@pytest.fixture(params=[1, 2, 3])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each layer of the sandbox."""
    return layer(request.param)


def layer(number: int) -> Sandbox:
    """The sandbox of this layer."""
    found = at_layer(number)
    if found is None:
        skip_for(Reason.KERNEL, f"layer {number} of the sandbox does not work here")
    return found


def profiled(tool: str, replay: Replay, sandbox: Sandbox, source: Path) -> Found:
    """What a profiler finds of the first seat's bot."""
    game = find("drop-block")
    (bot,) = find_bots(game, [str(source)], None, sandbox)
    return profilers.run(tool, game, replay, 0, bot, sandbox)


def written(path: Path, content: str) -> Path:
    """A program in a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(0o755)
    return path


def on_the_path(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    """Let this program be found before all others."""
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


def test_a_folder_is_filled(
    sandbox: Sandbox, replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk limit holds for the folder into which the calls are written, and is told as the reason."""
    monkeypatch.setattr(profilers, "LONGEST_RUN", 20.0)
    with pytest.raises(OperatorError) as refused:
        profiled("cprofile", replay, sandbox, written(tmp_path / "filling.py", FILLING))
    assert refused.value.key == "profiler-limit"
    assert "MiB of disk" in ENGLISH.say(refused.value.message.values["said"])


def test_limits_hold_behind_a_profiler(replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A profiler stands between us and the sandbox; what the monitor has to count is counted all the same."""
    monkeypatch.setattr(profilers, "LONGEST_RUN", 20.0)
    on_the_path(monkeypatch, written(tmp_path / "tools/bin/py-spy", PY_SPY.format(says=":")))
    with pytest.raises(OperatorError) as refused:
        profiled("py-spy", replay, layer(2), written(tmp_path / "forking", FORKING))
    assert refused.value.key == "profiler-limit"
    assert "processes" in ENGLISH.say(refused.value.message.values["said"])


def test_a_profiler_has_an_environment_of_its_own(
    sandbox: Sandbox, replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its home and its folder are ours: a bot may write to its own, and put a link there."""
    says = SAYS.format(home=tmp_path)
    on_the_path(monkeypatch, written(tmp_path / "tools/bin/py-spy", PY_SPY.format(says=says)))
    monkeypatch.setenv("DEBUGINFOD_URLS", "http://localhost:1")
    found = profiled("py-spy", replay, sandbox, written(tmp_path / "still", STILL))
    assert found.stacks == {("main (a.py:1)",): 5.0}
    of_tool = dict(line.split("=", 1) for line in (tmp_path / "environment").read_text().splitlines())
    home = (tmp_path / "folder").read_text().strip()
    assert of_tool["HOME"] == of_tool["TMPDIR"] == home
    assert Path(home).parent.name.startswith("dohyo-input-")
    assert not Path(home).parent.exists()
    assert not {"DEBUGINFOD_URLS", "DOHYO_SEED"} & of_tool.keys()


def test_a_bot_has_the_environment_of_a_match(
    replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a sandbox too it starts in its own folder, and has none of the profiler's variables."""
    on_the_path(monkeypatch, written(tmp_path / "tools/bin/py-spy", PY_SPY.format(says=":")))
    says = SAYS.format(home=tmp_path)
    profiled("py-spy", replay, layer(4), written(tmp_path / "bot/still", STILL.replace("echo", f"{says}; echo", 1)))
    of_bot = dict(line.split("=", 1) for line in (tmp_path / "environment").read_text().splitlines())
    assert of_bot["DOHYO_GAME"] == "drop-block"
    assert "dohyo-input-" not in of_bot.get("HOME", "")
    assert "dohyo-input-" not in (tmp_path / "folder").read_text()


def test_reading_samples_is_confined(
    sandbox: Sandbox, replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`perf script` reads what a stranger has compiled: it sees no other file, and what it prints has an end."""
    says = SAYS.format(home=tmp_path)
    (tmp_path / "secret").write_text("leaked")
    on_the_path(monkeypatch, written(tmp_path / "tools/bin/perf", PERF.format(home=tmp_path, says=says)))
    monkeypatch.setattr(profilers, "MAX_OUTPUT", 1 << 17)
    found = profiled("perf", replay, sandbox, written(tmp_path / "bot/still", STILL))
    assert [stack for stack in found.stacks if "leaked" in stack] == []
    assert found.stacks["confined",] > 1000
    assert not (tmp_path / "written").exists()
    assert not (tmp_path / "bot/written").exists()
    assert {"--no-buildid", "--no-buildid-cache", "--max-size"} <= set((tmp_path / "words").read_text().split())


def test_reading_samples_has_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was printed until then counts."""
    monkeypatch.setattr(profilers, "READING", 0.05)
    process = subprocess.Popen(["sleep", "1000"], stdout=subprocess.PIPE, start_new_session=True)
    assert profilers._printed(process) == b""
    profilers._end(process)
    assert process.returncode < 0


def test_perf(sandbox: Sandbox, replay: Replay, tmp_path: Path) -> None:
    """The real one: names of functions are found in each layer, those of turns and not of the start-up."""
    skips.program("cc")
    probe = [skips.program("perf"), "record", "-q", "-B", "-N", "-o", str(tmp_path / "probe"), "true"]
    if subprocess.run(probe, capture_output=True, check=False, cwd=tmp_path).returncode:
        skip_for(Reason.KERNEL, "perf may not look at processes here")
    found = profiled("perf", replay, sandbox, written(tmp_path / "computing.c", COMPUTING))
    assert found.functions(1)[0][0] == "look"
    assert any(stack[-2:] == ("main", "look") for stack in found.stacks)
    assert not any("prepare" in stack for stack in found.stacks)
    assert found.startup is not None
    assert found.startup > 0


def test_a_bot_that_is_done_too_soon(replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is run again until there are samples enough; if there are none, one sentence says why."""
    on_the_path(monkeypatch, written(tmp_path / "tools/bin/py-spy", PY_SPY.format(says=":")))
    monkeypatch.setattr(profilers, "ENOUGH", 12)
    bot = written(tmp_path / "still", STILL)
    found = profiled("py-spy", replay, layer(4), bot)
    assert (found.stacks, found.samples) == ({("main (a.py:1)",): 15.0}, 15)
    early = PERF.format(home=tmp_path, says=":").replace("99999999.0", "1.0").replace("while :", "while read x")
    on_the_path(monkeypatch, written(tmp_path / "tools/bin/perf", early))
    monkeypatch.setattr(profilers, "MAX_RUNS", 2)
    with pytest.raises(OperatorError) as refused:
        profiled("perf", replay, layer(4), bot)
    assert refused.value.key == "profiler-too-fast"
    assert "no sample of its turns in 2 runs" in refused.value.say()


READING = {
    "lines": "for line in sys.stdin: think()",
    "bytes": "while sys.stdin.buffer.readline(): think()",
    "input": "input(); think()",
    "all": "sys.stdin.read(); think()",
    "descriptor": "os.read(0, 100); think()",
    "opened": "open(0).readline(); think()",
    "thread": "t = threading.Thread(target=sys.stdin.readline); t.start(); t.join(); time.sleep(0); think()",
}
STARTING = """import os, sys, threading, time
def think():
    return [number for number in range(30000)]
def prepare():
    return [number for number in range(300000)]
prepare()
{read}
"""


@pytest.mark.parametrize("way", READING)
def test_the_start_up_is_told_apart(way: str, tmp_path: Path) -> None:
    """Of cProfile too: what runs before the first input is read is only a number, however that is read."""
    bot, out = tmp_path / "bot.py", tmp_path / "calls.json"
    bot.write_text(STARTING.format(read=READING[way]))
    words = [sys.executable, str(profilers.RUNNER), str(out), "60", str(bot)]
    done = subprocess.run(words, input=b"1\n2\n", capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
    found = msgspec.json.decode(out.read_bytes(), type=Calls)
    names = {call.name for call in found.calls}
    assert "think (bot.py:2)" in names
    assert "prepare (bot.py:4)" not in names
    assert not any("profile_to_file" in name for name in names)
    assert found.startup is not None
    assert any(stack[:2] == ("bot.py", "think (bot.py:2)") for stack in stacks_of(found))
