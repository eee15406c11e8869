"""`dohyo arena`, and `arena` alone: the programs of the games, typed in a shell."""

from __future__ import annotations

import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.system.proc import tree
from tests import processes
from tests.cli.conftest import Type
from tests.cli.typed import PATIENCE, environment, start
from tests.covering import covering
from tests.own_package import made_package

MARK = "DOHYO_TEST_MARK"
ARENA = [
    sys.executable,
    "-c",
    "import sys; sys.argv[0] = '/x/bin/arena'; from dohyo.cli.main import game_program as main; main()",
]
SHOOTER = """#!/bin/sh
while read -r what rest; do
  case $what in
    [PHN]) if [ "$ready" ]; then echo M 0 0; ready=; else echo S 0 1; ready=no; fi;;
    D*) echo "/ $what $rest";;
  esac
done
"""
FILE = "G 55\n-TEST 1\nB1\n+\n+\nDebug this\n+\n.\nR 3\n"


@pytest.fixture
def shooter(folder: Path) -> Path:
    """A folder with the program shootemup, and the file x.in."""
    (folder / "shootemup").write_text(SHOOTER)
    (folder / "shootemup").chmod(0o755)
    (folder / "x.in").write_text(FILE)
    return folder


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """What came of a line of shell, in which `arena` is the command."""
    script = f'arena() {{ {shlex.join(ARENA)} "$@"; }}\n{line}'
    return subprocess.run(["sh", "-c", script], cwd=folder, env=environment(), capture_output=True, check=False)


def test_lines_of_the_text_work_as_they_stand(shooter: Path) -> None:
    """`arena shootemup < xx.in > xx.out`; the output as input gives the same; grep gives the program's input."""
    assert shell("arena shootemup < x.in > x.out", shooter).returncode == 0
    assert shell("arena shootemup < x.out > foo", shooter).returncode == 0
    output = (shooter / "x.out").read_text()
    assert output == (shooter / "foo").read_text()
    assert output.startswith("G 55\n-TEST 1\nP 5 6\nB1\n+\nS 0 1\nN\n!\n! ...-......\n")
    assert output.count("\n/ Debug this\n") == 1
    alone = shell("grep '^[PHNWLD]' x.out > x.din; ./shootemup < x.din", shooter).stdout.decode()
    assert alone.splitlines() == [line for line in output.splitlines() if line[:1] in ("M", "S", "/")]


def test_arena_is_a_command_of_dohyo_too(shooter: Path) -> None:
    """`dohyo arena` does the same as `arena`."""
    mine = shell("arena ./shootemup < x.in", shooter)
    with (shooter / "x.in").open() as source:
        process = start("arena", "./shootemup", cwd=shooter, stdin=source)
        out, _ = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (mine.returncode, mine.stdout.decode())


def test_arguments_belong_to_the_program(folder: Path) -> None:
    """Whatever follows PROGRAM is passed on, options too."""
    (folder / "teller").write_text('#!/bin/sh\nread line\necho "/ $*"\necho M 0 0\n')
    (folder / "teller").chmod(0o755)
    done = shell("printf -- '-a\\n+\\n' | arena teller --help -x 'a b' --lang ja -- y", folder)
    assert done.stdout.decode().splitlines()[3] == "/ --help -x a b --lang ja -- y"


@pytest.mark.parametrize("program", ["nothing-such", "./plain", "orphan", "bare", "''"])
def test_program_that_cannot_be_started(folder: Path, program: str) -> None:
    """A line with ! on standard output that names it, exit status 2: no such thing, no program, no interpreter."""
    (folder / "plain").write_text("hello\n")
    (folder / "orphan").write_text("#!/nowhere/at/all\n")
    (folder / "orphan").chmod(0o755)
    (folder / "bare").mkdir()
    done = shell(f"printf 'G 55\\n-a\\n+\\n' | arena {program}", folder)
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 2
    assert lines[:2] == ["G 55", "-a"]
    assert lines[2].startswith("! ERROR: the program cannot be started: ")
    assert program.strip("'") in lines[2]
    assert len(lines) == 3
    assert done.stderr == b""


def test_without_a_program(typed: Type) -> None:
    """One sentence, exit status 2."""
    status, out, err = typed("arena")
    assert (status, out) == (2, "")
    assert "PROGRAM" in err


def test_help_says_what_it_is_for(typed: Type) -> None:
    """`dohyo arena --help` explains; `dohyo games` lists it; `dohyo aren` is corrected."""
    assert "random opponent" in " ".join(typed("arena", "--help").out.split())
    assert "dohyo arena" in typed("games").out
    assert "'arena'?" in typed("aren").err


def test_input_that_is_closed(folder: Path) -> None:
    """No input at all is an empty one."""
    assert shell("arena whatever <&-", folder).returncode == 0


def test_reader_that_leaves(shooter: Path) -> None:
    """`arena ... | head` is quiet."""
    done = shell("arena ./shootemup < x.in | head -1", shooter)
    assert (done.stdout, done.stderr) == (b"G 55\n", b"")


def test_the_sandbox_changes_no_line(shooter: Path) -> None:
    """What `arena` prints is the same in a sandbox and without one; options of ours stand before PROGRAM."""
    said = {
        words: shell(f"arena {words} shootemup --sandbox x < x.in", shooter)
        for words in ("", "--sandbox auto", "--sandbox none", "--trust")
    }
    assert {done.returncode for done in said.values()} == {0}
    assert len({done.stdout for done in said.values()}) == 1
    assert b"P 5 6" in said[""].stdout
    assert b"NO sandbox" in said["--sandbox none"].stderr
    assert said["--trust"].stderr == b""


IN_A_TERMINAL = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
MEDDLER = """#!/usr/bin/env python3
import os, signal, termios
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
input()
for what in (
    lambda: termios.tcsetattr(2, termios.TCSANOW, termios.tcgetattr(2)),
    lambda: os.tcsetpgrp(2, os.getpgrp()),
):
    try:
        what()
        print("/ did")
    except (OSError, termios.error):
        print("/ could not")
print("M 0 0", flush=True)
"""


@pytest.mark.parametrize("sandbox", ["auto", "none"])
def test_a_program_leaves_the_terminal_alone(folder: Path, sandbox: str) -> None:
    """Its standard error is not the operator's terminal: it can neither change how that behaves nor take it over."""
    (folder / "meddler").write_text(MEDDLER)
    (folder / "meddler").chmod(0o755)
    ours, theirs = pty.openpty()
    words = [*ARENA[:2], IN_A_TERMINAL + ARENA[2], "--sandbox", sandbox, "./meddler"]
    files = {"stdin": theirs, "stdout": subprocess.PIPE, "stderr": theirs}
    process = subprocess.Popen(words, cwd=folder, env=environment(), start_new_session=True, **files)
    os.close(theirs)
    os.write(ours, b"-a\n+\n\x04")
    out, _ = process.communicate(timeout=PATIENCE)
    os.close(ours)
    assert [line for line in out.splitlines() if line.startswith(b"/")] == [b"/ could not"] * 2


def test_a_sandbox_that_is_none_is_refused(typed: Type) -> None:
    """One sentence, exit status 2, before anything is read."""
    status, out, err = typed("arena", "--sandbox", "strong", "./still")
    assert (status, out) == (2, "")
    assert "'--sandbox' does not take 'strong'; it takes auto, require, none" in err


@pytest.mark.parametrize(
    ("number", "waits_for", "sandbox"),
    covering([signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ["the program", "the operator"], ["auto", "none"]),
)
def test_signal_leaves_no_process(folder: Path, number: signal.Signals, waits_for: str, sandbox: str) -> None:
    """Ctrl-C while a move is due, or while nobody types a command: the program and its children are gone."""
    (folder / "hang").write_text("#!/bin/sh\nsleep 1000 &\nread line\necho here >&2\nsleep 1000\n")
    (folder / "hang").chmod(0o755)
    mark = str(folder)
    words = ("arena", "--sandbox", sandbox, "./hang")
    own = environment(**{MARK: mark})
    process = start(*words, cwd=folder, env=own, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write("-a\n" + "+\n" * (waits_for == "the program"))
    process.stdin.flush()
    assert process.stderr is not None
    assert "here\n" in iter(process.stderr.readline, "")
    started = tree(process.pid)[1:]
    assert started
    process.send_signal(number)
    process.wait(PATIENCE)
    assert process.returncode == 128 + number
    assert [pid for pid in started if processes.runs(pid)] == []
    assert processes.marked(MARK, mark) == []
    process.communicate()


# --- a stranger's game


def test_a_game_of_a_stranger_brings_a_program(folder: Path, root: Path) -> None:
    """The program of the page on games works as it stands, is listed with its game and found in a wrong spelling."""
    game = made_package(folder)
    (block,) = re.findall(r"```python\n# my_game/commands\.py\n(.*?)```", (root / "docs/games.md").read_text(), re.S)
    (game / "commands.py").write_text(block)
    about = (game / "__init__.py").read_text().replace("    rules=rules,\n", "    rules=rules, commands=(TALK,),\n")
    (game / "__init__.py").write_text(
        about.replace("from dohyo.core.game", "from my_game.commands import TALK\nfrom dohyo.core.game")
    )
    (folder / "echoes").write_text('#!/bin/sh\nread line; echo "so: $line"; read line; exit 3\n')
    (folder / "echoes").chmod(0o755)

    def done(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "dohyo", *words]
        known = {**environment(), "DOHYO_GAMES": str(game)}
        return subprocess.run(
            command, cwd=folder, env=known, input="one\ntwo\n", capture_output=True, text=True, check=False
        )

    talk = done("talk", "./echoes")
    assert (talk.returncode, talk.stdout) == (0, "so: one\nno answer\n"), talk.stderr
    assert "dohyo talk" in done("games", "my-game").stdout
    assert "a talk with a program" in done("talk", "--help").stdout
    assert "'talk'?" in done("tallk").stderr
