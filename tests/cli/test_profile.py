"""`dohyo profile`: tables, files, the page; the bot under cProfile."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.match.play import Interrupted, play_match
from dohyo.match.replays import recorded, replays
from tests.cli.conftest import Type

THINKING = """import sys
def look(count):
    return sum(number * number for number in range(2000 * count))
def think(count):
    return look(count) + look(3)
print("READY", flush=True)
count = 0
for line in sys.stdin:
    if line.strip() == "EOD":
        count += 1
        think(count)
        print("URDL"[count % 4], flush=True)
"""
SETUP = ("--setup", "turns=24", "--clock", "60")
MATCH = ("profile", "drop-block", "thinking.py", "./still", "./still", "./still", *SETUP)


@pytest.fixture
def bot(folder: Path) -> Path:
    """A bot that thinks a little, longer from turn to turn."""
    path = folder / "thinking.py"
    path.write_text(THINKING)
    return path


def test_a_profile(typed: Type, bot: Path, folder: Path) -> None:
    """Tables, the slowest turns with commands that show them, a page and stacks; all in the sandbox."""
    files = ("--save", "slow", "--html", "p.html", "--stacks", "s.txt")
    status, out, err = typed(*MATCH, "--matches", "2", "--with", "cprofile", *files, "--python", sys.executable)
    assert (status, err) == (0, "")
    assert "2 matches, 12 turns" in out
    assert "later turns" in out
    assert "No turn took more than half of its limit" in out
    assert "Memory: " in out
    (again,) = [line.partition(": ")[2] for line in out.splitlines() if line.startswith("The bot on the same input")]
    assert again.endswith(f" --python {sys.executable}")
    assert typed(*again.split()[1:], "--trust").status == 0
    (input_,) = [line.partition(": ")[2] for line in out.splitlines() if line.startswith("What it was sent")]
    assert typed(*input_.split()[1:]).out.endswith("EOD\n")
    assert again in (folder / "p.html").read_text()
    assert "think (thinking.py:4)" in out
    lines = (folder / "s.txt").read_text().splitlines()
    assert any("thinking.py;think (thinking.py:4);look (thinking.py:2);" in line for line in lines)
    page = (folder / "p.html").read_text()
    assert "Time of each turn" in page
    assert "look (thinking.py:2)" in page
    assert "Start-up, before the first input was read, took" in out
    assert "Start-up, before the first input was read, took" in page
    assert "<script" not in page


def test_times_are_those_of_the_replays(typed: Type, bot: Path, folder: Path) -> None:
    """There is no second clock: each turn has the time, the processor time and the input of the recorded match."""
    status, out, _ = typed(*MATCH, "--matches", "2", "--save", "slow", "--json", "--trust")
    assert status == 0
    found = json.loads(out)
    assert [match["seat"] for match in found["matches"]] == [0, 1]
    game, told = games.find("drop-block"), []
    for match in found["matches"]:
        replay = replays.load(str(folder / match["replay"]))
        told += [
            (match["number"], asked.turn, asked.move.seconds, asked.move.cpu, len(asked.prompt))
            for asked in recorded.asked(game, replay, match["seat"])
        ]
    assert [(t["match"], t["turn"], t["seconds"], t.get("cpu"), t["sent"]) for t in found["turns"]] == told
    assert found["first"]["turns"] == 2
    assert found["usual"]["turns"] == len(told) - 2
    longest = max(turn["seconds"] for turn in found["turns"] if "is_first" not in turn)
    assert found["usual"]["longest"] == pytest.approx(longest)


def test_the_seed_is_a_new_one_and_is_told(typed: Type, bot: Path) -> None:
    """As with other commands: two profiles are of different matches, and the printed seed plays one of them again."""
    words = (*MATCH, "--matches", "1", "--trust")
    first, second = (json.loads(typed(*words, "--json").out) for _ in range(2))
    assert first["seed"] != second["seed"]
    again = json.loads(typed(*words, "--json", "--seed", str(first["seed"])).out)
    assert again["matches"][0]["seed"] == first["matches"][0]["seed"]
    assert "The same command with --seed 7 plays" in typed(*words, "--seed", "7").out


def test_mistakes(typed: Type, bot: Path, folder: Path) -> None:
    """Wrong words are told before any match; a profiler for another language after the tables."""
    (folder / "notes.html").write_text("my notes")
    for words, sentence in (
        (("--with", "gprof"), "There is no profiler 'gprof'"),
        (("--stacks", "s.txt"), "add --with"),
        (("--html", "notes.html"), "is not a page of ours"),
        (("--with", "cprofile", "--stacks", "notes.html"), "is there already; give --stacks another name"),
        (("--with", "cprofile", "--stacks", "x", "--html", "./x"), "--html and --stacks both name"),
        (("--save", "d", "--html", "d/profile-2.replay"), "--html and --save both name"),
        (("--save", "d", "--matches", "1000000000"), "--matches takes a number"),
        (("--matches", "0"), "--matches takes a number"),
    ):
        status, out, err = typed(*MATCH, *words, "--trust")
        assert (status, out, sentence in err) == (2, "", True)
    assert (folder / "notes.html").read_text() == "my notes"
    words = [word if word != "thinking.py" else "./still" for word in MATCH]
    status, out, err = typed(*words, "--matches", "1", "--with", "cprofile", "--trust")
    assert (status, "1 match, " in out, "cProfile is for bots" in err) == (2, True, True)


def test_in_japanese(typed: Type, bot: Path) -> None:
    """Every sentence is there."""
    status, out, _ = typed(*MATCH, "--matches", "1", "--trust", "--lang", "ja")
    assert status == 0
    assert "最も遅いターン" in out
    assert "profile." not in out


def test_an_interrupt(typed: Type, bot: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was measured before Ctrl-C is told, and replays so far are kept; the exit status says what it was."""
    played = []

    def play(*words: Any, **options: Any) -> Replay:
        played.append(play_match(*words, **options))
        if len(played) == 2:
            raise Interrupted(played[-1]) from KeyboardInterrupt()
        return played[-1]

    monkeypatch.setattr("dohyo.guests.profile.measure.play_match", play)
    status, out, _ = typed(*MATCH, "--matches", "9", "--save", "slow", "--html", "p.html", "--trust")
    assert (status, "2 matches, 12 turns" in out) == (130, True)
    assert sorted(path.name for path in (folder / "slow").iterdir()) == ["profile-1.replay", "profile-2.replay"]
    assert "Time of each turn" in (folder / "p.html").read_text()
    status, out, _ = typed(*MATCH, "--matches", "1", "--json", "--trust")
    assert (status, json.loads(out)["interrupted"]) == (0, False)


def test_an_error_in_a_later_match(typed: Type, bot: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error costs its own match: what the earlier ones showed is told and written, and the error told last."""
    played = []

    def play(*words: Any, **options: Any) -> Replay:
        if played:
            raise OperatorError("cannot-write", path="there", reason="No space left on device")
        played.append(play_match(*words, **options))
        return played[-1]

    monkeypatch.setattr("dohyo.guests.profile.measure.play_match", play)
    status, out, err = typed(*MATCH, "--matches", "9", "--html", "p.html", "--json", "--trust")
    assert (status, "No space left" in err) == (2, True)
    found = json.loads(out)
    assert (found["interrupted"], len(found["matches"]), len(found["turns"])) == (True, 1, 6)
    assert "Time of each turn" in (folder / "p.html").read_text()


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt(), 130), (ZeroDivisionError("ours"), None)])
def test_an_end_under_the_profiler(
    error: BaseException, status: int | None, typed: Type, bot: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the matches showed is told and written, however the run under a profiler ends."""
    out = ""

    def run(*_: object) -> None:
        raise error

    monkeypatch.setattr("dohyo.guests.profile.profilers.run", run)
    words = (*MATCH, "--matches", "1", "--with", "cprofile", "--html", "p.html", "--json", "--trust")
    if status is None:
        with pytest.raises(ZeroDivisionError):
            typed(*words)
    else:
        done, out, _ = typed(*words)
        assert (done, json.loads(out)["interrupted"]) == (status, True)
    assert "Time of each turn" in (folder / "p.html").read_text()


def test_a_replay_that_cannot_be_written(typed: Type, bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk costs the replays, not what was measured."""

    def fail(*words: object) -> None:
        raise OperatorError("cannot-write", path="slow", reason="No space left on device")

    monkeypatch.setattr("dohyo.match.replays.replays.save", fail)
    status, out, err = typed(*MATCH, "--matches", "1", "--save", "slow", "--trust")
    assert (status, "1 match, " in out, "No space left" in err) == (2, True, True)
