"""`dohyo rerun`: what is printed, and a bot under a debugger on a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from dohyo.core.clock import Clock
from dohyo.match.play import play_match
from dohyo.match.replays import replays
from tests import skips
from tests.cli.conftest import Type
from tests.cli.typed import PATIENCE, environment

# It counts its turns: what it answers depends on all that it was sent.
COUNTING = """import sys
count = 0
print("READY", flush=True)
for line in sys.stdin:
    if line.strip() == "EOD":
        count += 1
        answer = "URDL"[count % 4]
        print(answer, flush=True)
"""
IN_C = r"""#include <stdio.h>
#include <string.h>
int main(int many, char **words) {
    char line[256]; int count = 0;
    puts("READY"); fflush(stdout);
    while (fgets(line, sizeof line, stdin))
        if (!strcmp(line, "EOD\n")) { count++; puts("N"); fflush(stdout); }
    fprintf(stderr, "turns=%d arguments=%d\n", count, many - 1);
    return 7;
}
"""
MATCH = ("--setup", "turns=24", "--seed", "4", "--save", "m.replay", "--clock", "60", "--trust")


@pytest.fixture
def recorded(typed: Type, folder: Path) -> str:
    """The replay of a match in which a bot in Python that counts its turns sat on seat 0."""
    (folder / "counting.py").write_text(COUNTING)
    assert typed("play", "drop-block", "counting.py", "./still", "./still", "./still", *MATCH).status == 0
    return "m.replay"


STUCK = """def think():
    while True: pass
print("READY", flush=True)
while input() != "EOD": pass
think()
"""


def test_where_it_was_when_its_time_was_over(typed: Type, folder: Path) -> None:
    """A match between strangers asks nobody; `--faults` says who does, and a rerun shows the place and the stack."""
    (folder / "stuck.py").write_text(STUCK)
    bots = [str(folder / "stuck.py"), *[str(folder / "still")] * 3]
    clock = Clock(turn=60.0, first=0.2, ready=60.0)
    replay = play_match("drop-block", bots, setup={"turns": 8}, clock=clock, sandbox="none")
    replays.save(replay, str(folder / "m.replay"))
    assert "'dohyo rerun m.replay 0' says where it was" in typed("replay", "m.replay", "--faults").out
    out = typed("rerun", "m.replay", "0", "--trust").out
    assert "it was when its time was over: stuck.py:2, in think" in out
    assert "line 5 in <module>" in out
    assert "says where it was" not in out


def test_the_same_bot(typed: Type, recorded: str) -> None:
    """The bot that played is found by its name, is fed, and its answers are the same."""
    status, out, err = typed("rerun", recorded, "0", "--trust", "--strict")
    assert (status, err) == (0, "")
    assert "counting is sent what seat 0 (counting) was sent in m.replay." in out
    assert "It is the bot that played" in out
    assert "Turns are those of the match: this seat was asked in 6 of 24." in out
    assert "6 turns: every answer means what it meant in the match." in out


@pytest.mark.parametrize(
    "words", [("0", "m.replay"), ("m.replay", "counting.py", "0"), ("counting.py", "0", "m.replay"), ("0", "last")]
)
def test_words_in_another_order(words: tuple[str, ...], typed: Type, recorded: str) -> None:
    """Words that were swapped are told, with the right order."""
    right = " ".join(
        [*(word for word in words if word in (recorded, "last")), "0", *("counting.py",) * (len(words) - 2)]
    )
    status, out, err = typed("rerun", *words, "--trust")
    assert (status, out, err) == (2, "", f"First the replay, then the seat, then the bot: dohyo rerun {right}\n")


def test_another_bot(typed: Type, recorded: str, folder: Path) -> None:
    """The first difference stands with its input and a warning; then the others, standard error, a summary."""
    other = COUNTING.replace("count += 1", "count += 1; print('seen', count, file=sys.stderr, flush=True)")
    (folder / "other.py").write_text(other.replace("count % 4", "(count + count // 3) % 4"))
    status, out, _ = typed("rerun", recorded, "counting", "other.py", "--trust")
    assert status == 0
    assert "It is not what played" in out
    first = out.index("turn 8 differs: in the match 'L', now 'U'")
    assert first < out.index("it had been sent:") < out.index("From here on it is still sent what was recorded")
    assert out.count("it had been sent:") == 1
    assert out.count(" differs: in the match ") == 4
    assert "6 turns: 4 answers differ, the first in turn 8." in out
    assert "turn 4: 'D'\n  its standard error:\n    seen 2\n" in out
    assert typed("rerun", recorded, "0", "other.py", "--trust", "--strict").status == 1
    short = typed("rerun", recorded, "0", "other.py", "--trust", "--strict", "--until", "4")
    assert (short.status, "2 turns: every answer" in short.out) == (0, True)
    assert "ターン 8 で違います" in typed("rerun", recorded, "0", "other.py", "--trust", "--lang", "ja").out


def test_as_a_document(typed: Type, recorded: str, folder: Path) -> None:
    """--json prints what came of it and nothing else: each turn that is worth telling; the status is as before."""
    same = json.loads(typed("rerun", recorded, "0", "--trust", "--json").out)
    assert (same["name"], same["is_same_bot"], same["turns"], same["differing"]) == ("counting", True, 6, [])
    (folder / "other.py").write_text(COUNTING.replace("count % 4", "(count + count // 3) % 4"))
    status, out, _ = typed("rerun", recorded, "0", "other.py", "--trust", "--json", "--strict")
    other = json.loads(out)
    assert (status, other["is_same_bot"], len(other["differing"])) == (1, False, 4)
    assert other["told"][0] | {"errors": ""} == {
        "turn": 8,
        "before": "L",
        "now": "U",
        "differs": True,
        "faults": [],
        "errors": "",
    }
    refused = typed("rerun", recorded, "0", "--trust", "--json", "--debugger", "pdb")
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)


def test_an_error_about_the_end_of_its_input_is_no_mistake(typed: Type, recorded: str, folder: Path) -> None:
    """A bot that reads on when the match is over writes a traceback: it is said that this is no fault."""
    (folder / "reads.py").write_text(COUNTING + "input()\n")
    out = typed("rerun", recorded, "counting", "reads.py", "--trust").out
    assert out.index("EOFError") < out.index("an error message about that, as EOFError, is no fault")
    assert "is no fault" not in typed("rerun", recorded, "counting", "--trust").out


def test_where_a_bot_failed(typed: Type, recorded: str, folder: Path) -> None:
    """A crash is told with the line of the author's source, its whole traceback, and the input of the turn."""
    thinking = "def think(count):\n    return 1 // (count - 2)\n" + COUNTING
    (folder / "boom.py").write_text(thinking.replace("count += 1", "count += 1; think(count)"))
    assert typed("play", "drop-block", "boom.py", "./still", "./still", "./still", *MATCH).status == 0
    found = typed("rerun", "m.replay", "0", "boom.py", "--trust")
    assert (found.status, found.err, "differs" in found.out) == (0, "", False)
    where = found.out.index("  where it failed: boom.py:2, in think: ZeroDivisionError: ")
    assert (
        where < found.out.index("    Traceback (most recent call last):") < found.out.index("  it had been sent:\n")
    )
    debug = typed("rerun", recorded, "0", "--build", "debug", "--trust")
    assert (debug.status, debug.err.count("ten times as long")) == (0, 1)
    wrong = typed("rerun", recorded, "0", "--build", "fast", "--trust")
    assert (wrong.status, wrong.err) == (2, "'--build' does not take 'fast'; it takes debug.\n")


@pytest.mark.process
def test_a_debug_build_is_one_again(typed: Type, folder: Path) -> None:
    """A seat that a debug build had is fed to one again, on the match's clock; of another bot it is said."""
    skips.program("cc")
    (folder / "counts.c").write_text(IN_C)
    match = ("--setup", "turns=24", "--seed", "4", "--save", "m.replay", "--trust")
    played = typed("play", "drop-block", "counts.c", "./still", "./still", "./still", *match, "--build", "debug")
    assert played.status == 0
    (head, *_) = (folder / "m.replay").read_text().splitlines()
    assert [seat.get("build") for seat in json.loads(head)["seats"]] == ["debug", None, None, None]
    again = typed("rerun", "m.replay", "0", "--trust")
    assert (again.status, again.err) == (0, "")  # the clock is slow already
    assert "The match was played with a debug build, and so is this." in again.out
    other = typed("rerun", "m.replay", "0", "counts.c", "--trust")
    assert "The match was played with a debug build; this is an ordinary one" in other.out
    asked = typed("rerun", "m.replay", "0", "counts.c", "--trust", "--build", "debug")
    assert (asked.err, "and so is this" in asked.out) == ("", True)
    assert "debug build" not in typed("rerun", "m.replay", "1", "./still", "--trust").out


def test_a_bot_that_fails(typed: Type, recorded: str) -> None:
    """A fault stands below its turn, and what was left is told."""
    status, out, _ = typed("rerun", recorded, "0", "./quitter", "--trust")
    assert status == 0
    assert "now no answer" in out
    assert re.search(r"\n  exited.*3.*\n", out)
    assert out.index("  its standard error:\n") < out.index("    I give up\n")
    assert "It was stopped in turn 0; 5 turns were left." in out
    assert "1 fault in this rerun." in out
    assert typed("rerun", recorded, "0", "./quitter", "--trust", "--strict").status == 1


def test_what_cannot_be_done(typed: Type, recorded: str, folder: Path) -> None:
    """A bot that is gone, a seat that was never asked, a debugger that is not there or not for this bot."""
    (folder / "counting.py").rename(folder / "gone")
    (folder / "gone").write_text("nothing")
    for words, told in {
        ("0",): "'counting' of seat 0 is not here",
        ("7", "./still"): "no seat '7'",
        ("still", "./still"): "'still' sat on the seats 1, 2, 3; give the number of one.",
        ("0", "./still", "--until", "-3"): "--until takes the number of a turn, from 0 on, not -3.",
        ("0", "./still", "--debugger", "no-such-debugger"): "no debugger 'no-such-debugger'",
        ("0", "./still", "--debugger", "pdb"): "pdb debugs bots that are started as 'python3 FILE'",
        ("0", "./still", "--debugger", "pdb --args"): "pdb",
        ("0", "./still", "--debugger", "cat '"): "quote",
    }.items():
        done = typed("rerun", recorded, *words, "--trust")
        assert (done.status, told in done.err) == (2, True), (words, done.err)
    done = typed("rerun", recorded, "0", "./still", "--debugger", "cat", "--sandbox", "require")
    assert (done.status, "omit --sandbox require" in done.err) == (2, True)


# --- under a debugger


def on_a_terminal(*words: str, typing: list[tuple[str, str]]) -> str:
    """Type a command on a terminal, and for each prompt that appears after the last one what is to be typed then; all
    that the terminal showed."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "dohyo", *words]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(TERM="dumb"), start_new_session=True
    ) as process:
        os.close(theirs)
        shown, seen, end = "", 0, monotonic() + PATIENCE
        while monotonic() < end:
            if typing and typing[0][0] in shown[seen:]:
                seen += shown[seen:].index(typing[0][0]) + len(typing[0][0])
                os.write(ours, typing.pop(0)[1].encode() + b"\n")
            if not select.select([ours], [], [], 0.05)[0]:
                continue
            try:
                chunk = os.read(ours, 1 << 16)
            except OSError:
                break
            if not chunk:
                break
            shown += chunk.decode("utf-8", "replace").replace("\r\n", "\n")
        else:
            process.kill()
        os.close(ours)
    assert not typing, shown
    return shown


def test_under_pdb(recorded: str) -> None:
    """pdb has the terminal, and the bot reads the recorded input: at a breakpoint its state is that of the match."""
    typing = [
        ("(Pdb) ", "break 7, count == 2"),
        ("(Pdb) ", "continue"),
        ("(Pdb) ", "p count, line"),
        ("(Pdb) ", "clear 1"),
        ("(Pdb) ", "continue"),
    ]
    shown = on_a_terminal("rerun", recorded, "0", "--debugger", "pdb", "--trust", typing=typing)
    assert "(2, 'EOD\\n')" in shown
    assert "without a sandbox" not in shown
    assert shown.rstrip().splitlines()[-4:] == ["L", "U", "R", "D"]


def test_a_failure_under_pdb(recorded: str, folder: Path) -> None:
    """Where a bot fails, its trace is shown, and pdb stands where it failed."""
    (folder / "failing.py").write_text(COUNTING.replace("count += 1", "count += 1; 1 / (3 - count)"))
    typing = [
        ("(Pdb) ", "continue"),
        ("(Pdb) ", "p 'count is', count"),
        ("(Pdb) ", "quit"),
    ]
    shown = on_a_terminal("rerun", recorded, "0", "failing.py", "--debugger", "pdb", typing=typing)
    assert "('count is', 3)" in shown
    assert "without a sandbox" in shown


def test_pdb_up_to_a_turn(recorded: str) -> None:
    """With --until, the input ends after that turn."""
    typing = [("(Pdb) ", "continue")]
    shown = on_a_terminal("rerun", recorded, "0", "--until", "4", "--debugger", "pdb", "--trust", typing=typing)
    assert shown.rstrip().splitlines()[-3:] == ["READY", "R", "D"]


def test_under_gdb(recorded: str, folder: Path) -> None:
    """gdb has the terminal; its `run` starts the bot with its arguments and the recorded input."""
    skips.program("gdb")
    compiler = skips.program("cc")
    (folder / "bot.c").write_text(IN_C)
    subprocess.run((compiler, "-g", "-O0", "-o", "bot", "bot.c"), cwd=folder, check=True)
    typing = [
        ("(gdb) ", "set confirm off"),
        ("(gdb) ", "break 7 if count == 4"),
        ("(gdb) ", "run"),
        ("(gdb) ", "print count"),
        ("(gdb) ", "delete"),
        ("(gdb) ", "continue"),
        ("(gdb) ", "quit"),
    ]
    words = ("rerun", recorded, "0", "./bot --depth 3", "--debugger", "gdb -q -nx --args", "--trust")
    shown = on_a_terminal(*words, typing=typing)
    assert "$1 = 4" in shown
    assert "turns=6 arguments=2" in shown


def test_another_debugger_gets_the_input_itself(typed: Type, recorded: str, folder: Path) -> None:
    """Any other tool gets the bot's command behind its words, and the recorded input; its status is the command's."""
    (folder / "tool").write_text(f"#!/bin/sh\ncat > '{folder}/copied'\nexit 5\n")
    (folder / "tool").chmod(0o755)
    done = typed("rerun", recorded, "0", "./still", "--debugger", "./tool --option", "--trust")
    assert done.status == 5
    assert (folder / "copied").read_text() == typed("replay", recorded, "--inputs", "0").out


def test_a_bot_that_lives_for_a_turn(typed: Type, folder: Path) -> None:
    """The turns before the one to debug are played, so that the bot finds its files; the prompt is its last word."""
    (folder / "bot").mkdir()
    (folder / "bot" / "bot.toml").write_text('run = "sh bot.sh"\nlifetime = "turn"\n')
    (folder / "bot" / "bot.sh").write_text("echo x >> kept; echo rest\n")
    (folder / "tool").write_text(
        f"#!/bin/sh\nexec > '{folder}/seen'\n"
        'echo $DOHYO_TURN; wc -l < kept; for last; do :; done; echo "$last"; cat\n'
    )
    (folder / "tool").chmod(0o755)
    words = ("--clock", "60", "--seed", "1", "--save", "m.replay", "--trust")
    assert typed("play", "abotcalypse", "bot", "random", *words).status == 0
    nameless = typed("rerun", "m.replay", "0", "--debugger", "./tool", "--trust")
    assert (nameless.status, "--until T" in nameless.err) == (2, True)
    done = typed("rerun", "m.replay", "0", "--debugger", "./tool", "--until", "2", "--trust")
    assert done.status == 0
    prompt = typed("replay", "m.replay", "--inputs", "0", "--turn", "2").out
    number, kept, rest = (folder / "seen").read_text().split("\n", 2)
    assert (number, kept.strip(), rest) == ("2", "2", prompt + "\n")
