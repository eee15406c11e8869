"""Ctrl-C, SIGTERM, a closed terminal, a closed pipe: nothing is left running, and what was played is kept."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import dohyo
from tests import processes
from tests.cli.typed import PATIENCE, SOURCE, environment, start

FOUR = ("./beacon",) * 4
MARK = "DOHYO_TEST_MARK"


@pytest.fixture
def beacons(folder: Path) -> Path:
    """A folder with a bot that answers at once for ten turns of its own, then tells the world, and hangs."""
    (folder / "beacon").write_text(
        "#!/bin/sh\necho READY\nturn=0\nwhile read word; do if [ $word = EOD ]; then turn=$((turn + 1))\n"
        f"if [ $turn = 10 ]; then echo at the tenth > '{folder}/told'; exec sleep 1000; fi\necho N\nfi; done\n"
    )
    (folder / "beacon").chmod(0o755)
    subprocess.run(["mkfifo", str(folder / "told")], check=True)
    return folder


def interrupted(folder: Path, number: signal.Signals, *words: str, times: int = 1) -> tuple[int, str, str]:
    """Start a match, send it a signal when its first bot hangs; exit status, output, complaints.

    No process that it started may be left.
    """
    mark = str(folder)
    process = start(*words, "--trust", cwd=folder, env=environment(**{MARK: mark}))
    assert (folder / "told").read_text() == "at the tenth\n"
    for _ in range(times):
        process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert processes.marked(MARK, mark) == []
    return process.returncode, out, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_match_so_far_is_kept(beacons: Path, number: signal.Signals) -> None:
    """A signal ends the match: the replay and the page are written, unfinished; one sentence; no process is left."""
    words = ("play", "drop-block", *FOUR, "--clock", "1000", "--save", "m.replay", "--html", "m.html")
    status, out, err = interrupted(beacons, number, *words)
    assert status == 128 + number
    assert out == ""
    assert (
        err == "Interrupted after 36 turns; nothing is left running, and the match so far is in m.replay, m.html.\n"
    )
    match = dohyo.load(beacons / "m.replay")
    assert match.result.unfinished
    assert len(match.turns) == 36
    assert dohyo.verify(match) == 36
    assert (beacons / "m.html").stat().st_size > 10_000


def test_an_unfinished_replay_can_be_looked_at_and_taken_up(beacons: Path) -> None:
    """What was kept shows that it is unfinished, and a match can go on from it."""
    interrupted(beacons, signal.SIGINT, "play", "drop-block", *FOUR, "--clock", "1000", "--save", "m.replay")
    done = start("replay", "m.replay", cwd=beacons).communicate(timeout=PATIENCE)
    assert "interrupted before the end, after 36 turns" in done[0]
    assert done[0].count("still standing") == 4
    done = start("replay", "m.replay", "--verify", cwd=beacons).communicate(timeout=PATIENCE)
    assert "all 36 turns are what the rules say; the match was interrupted" in done[0]
    words = ("play", "drop-block", *["./still"] * 4, "--from", "m.replay@36", "--json")
    done = start(*words, cwd=beacons).communicate(timeout=PATIENCE)
    assert '"turns": 964' in done[0]


def test_without_a_file_there_is_nothing_to_keep(beacons: Path) -> None:
    """Without --save the sentence says only that nothing runs any more; impatience changes nothing."""
    words = ("play", "drop-block", *FOUR, "--clock", "1000")
    status, out, err = interrupted(beacons, signal.SIGINT, *words, times=5)
    assert (status, out, err) == (130, "", "Interrupted; nothing is left running.\n")


def test_a_signal_that_is_to_be_ignored(beacons: Path) -> None:
    """What the parent had ignored, as nohup does, stays ignored."""
    script = "trap '' HUP INT; exec \"$@\""
    command = [
        "sh",
        "-c",
        script,
        "sh",
        sys.executable,
        "-m",
        "dohyo",
        "play",
        "drop-block",
        *FOUR,
        "--clock",
        "1000",
        "--trust",
    ]
    mark = str(beacons)
    process = subprocess.Popen(
        command,
        cwd=beacons,
        env=environment(**{MARK: mark}),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert (beacons / "told").read_text() == "at the tenth\n"
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + signal.SIGTERM
    assert processes.marked(MARK, mark) == []


FINALIZER = """
import os, signal, sys
from dohyo.cli import signals
signals.listen()
class Gone:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(1000):
            pass
try:
    Gone()
    signal.pause()
except signals.Stop as stop:
    sys.exit(128 + stop.number)
"""


def test_a_signal_that_comes_while_python_tidies_up() -> None:
    """Where Python throws an exception away, in a finalizer, the signal takes effect a moment later."""
    done = subprocess.run(
        [sys.executable, "-c", FINALIZER], env=environment(), capture_output=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (128 + signal.SIGTERM, b"")


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("games", marks=pytest.mark.full),
        "games --json",
        "replay m.replay --watch",
        pytest.param("replay m.replay --faults --json", marks=pytest.mark.full),
    ],
)
def test_a_reader_that_leaves(folder: Path, words: str) -> None:
    """`dohyo ... | head -1` is quiet, whatever was still to come."""
    if "m.replay" in words:
        start("play", "drop-block", *["./mumbler"] * 4, "--save", "m.replay", cwd=folder).communicate(
            timeout=PATIENCE
        )
    process = start(*words.split(), cwd=folder)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(PATIENCE) == 128 + signal.SIGPIPE


@pytest.mark.parametrize("words", ["games", "games --json"])
def test_a_disk_that_is_full(words: str) -> None:
    """Output that cannot be written is one sentence and status 2."""
    with open("/dev/full", "w") as full:
        process = start(*words.split(), stdout=full)
        err = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 2
    assert re.fullmatch(r"The output cannot be written \(No space left on device\).*\n", err)


def test_no_output_at_all() -> None:
    """A command whose standard output is closed, as some daemons start one, does its work and ends well."""
    command = [sys.executable, "-m", "dohyo", "games"]
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *command], env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_package_is_the_one_in_this_tree() -> None:
    """What runs in a process of its own is what is tested here."""
    assert Path(dohyo.__file__).is_relative_to(SOURCE)
