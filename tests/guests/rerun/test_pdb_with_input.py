"""The runner for bots under pdb: it begins anew on request, and the end of the recording looks like no crash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from dohyo.guests.rerun.debugger import RUNNER

ECHO = "while True:\n    print('read', input(), flush=True)\n"


def debugged(folder: Path, program: str, commands: str) -> subprocess.CompletedProcess[str]:
    """What a debugged program and pdb print, with these commands; its input has two lines."""
    (folder / "bot.py").write_text(program)
    (folder / "in.txt").write_text("one\ntwo\n")
    words = [sys.executable, str(RUNNER), "in.txt", "bot.py"]
    return subprocess.run(words, cwd=folder, input=commands, text=True, capture_output=True, check=False)


def test_the_input_s_end_is_no_crash(tmp_path: Path) -> None:
    """Where the recording ends, a bot that waits for more is told of in a sentence."""
    ended = debugged(tmp_path, ECHO, "continue\n")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.endswith(
        "read one\nread two\nThe recorded input ends here: from here on the bot was not asked.\n"
    )


def test_restart_begins_with_the_first_line_again(tmp_path: Path) -> None:
    """`restart` runs the program again, from its input's beginning; also after a crash."""
    crash = "print('read', input(), flush=True)\n1 / 0\n"
    ended = debugged(tmp_path, crash, "continue\nrestart\ncontinue\nquit\n")
    assert ended.stdout.count("read one\n") == 2
    assert "Restart" not in ended.stderr
    assert ended.stderr.count("ZeroDivisionError") == 2


def test_a_program_that_does_not_parse(tmp_path: Path) -> None:
    """A syntax error is one line, with its place in the bot."""
    ended = debugged(tmp_path, "x = 1\nif x\n", "")
    assert ended.returncode == 1
    assert ended.stderr.startswith("bot.py does not parse: line 2: ")
    assert ended.stderr.count("\n") == 1
