"""`dohyo puzzles` as it is typed: what it finds, keeps and goes on with; what it refuses."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dohyo.core.replay_format import encode
from dohyo.guests.puzzles import command
from dohyo.series.puzzles.file import read
from dohyo.series.puzzles.puzzle import position_of
from tests.cli.conftest import Type
from tests.guests.puzzles.positions import after, played, worth

MATCHES = 8


@pytest.fixture
def matches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of some matches of a small game; nothing is compiled."""
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    for at in range(MATCHES):
        (folder / f"m{at}.replay").write_bytes(encode(played(at)))
    return folder


def test_what_is_found_is_right_and_no_double(matches: Path, typed: Type) -> None:
    """Each puzzle has one action that wins, and another command finds no more: the matches were looked through."""
    done = typed("puzzles", ".", "--out", "p.jsonl")
    assert done.status == 0
    found = read("p.jsonl")
    assert len(found.puzzles) >= 2
    assert len({one.id for one in found.puzzles}) == len(found.puzzles)
    for puzzle in found.puzzles:
        position = position_of(puzzle)
        assert position.id == puzzle.id
        legal = list(position.game.legal_actions(position.state, puzzle.seat))
        wins = [one for one in legal if worth(after(position.state, one), puzzle.seat) == 1]
        assert wins == [position.solution]
    before = Path("p.jsonl").read_bytes()
    assert f"{MATCHES} of {MATCHES}" in typed("puzzles", ".", "--out", "p.jsonl").out
    assert Path("p.jsonl").read_bytes() == before


def test_it_goes_on_where_it_stopped(matches: Path, typed: Type) -> None:
    """One puzzle is enough at first; the next command finds others; a line that was cut off is made whole."""
    typed("puzzles", ".", "--out", "p.jsonl", "--most", "1")
    assert len(read("p.jsonl").puzzles) == 1
    with open("p.jsonl", "ab") as file:
        file.write(b'{"puzzle": {"game"')
    typed("puzzles", ".", "--out", "p.jsonl")
    found = read("p.jsonl")
    assert found.left_out == 1
    assert len({one.id for one in found.puzzles}) == len(found.puzzles) >= 2


@pytest.mark.parametrize("word", [os.devnull, "text.md", "cut.replay"])
def test_a_file_that_is_no_match_is_a_mistake(matches: Path, typed: Type, word: str) -> None:
    """Alone it is one sentence, and no file of puzzles is begun; among others it is told at the end."""
    Path("text.md").write_text("hello\n")
    Path("cut.replay").write_bytes(Path("m0.replay").read_bytes()[:300])
    done = typed("puzzles", word)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"There is no match with a replay in '{word}'")
    assert not Path("puzzles.jsonl").exists()
    assert typed("puzzles", "m0.replay", "text.md", "--out", "p.jsonl").status == 0


def test_matches_at_any_path_are_looked_through(matches: Path, typed: Type) -> None:
    """A path may be long, and no text: what is found there is read again, and the match is known again."""
    place = matches / ("x" * 200) / os.fsdecode(b"\xff")
    place.mkdir(parents=True)
    for at in range(MATCHES):
        (matches / f"m{at}.replay").rename(place / os.fsdecode(b"\xfe%d.replay" % at))
    assert typed("puzzles", ".", "--out", "p.jsonl").status == 0
    found = read("p.jsonl")
    assert found.puzzles
    assert (found.left_out, len(found.looked)) == (0, MATCHES)
    before = Path("p.jsonl").read_bytes()
    typed("puzzles", ".", "--out", "p.jsonl")
    assert Path("p.jsonl").read_bytes() == before


def test_matches_of_other_games_are_still_to_be_looked_through(matches: Path, typed: Type) -> None:
    """Who looks for puzzles of one game has not looked through those of the others."""
    assert typed("puzzles", ".", "--game", "othello", "--out", "p.jsonl").status == 0
    assert read("p.jsonl").looked == set()
    typed("puzzles", ".", "--out", "p.jsonl", "--most", "1")
    assert len(read("p.jsonl").puzzles) == 1


def test_a_file_is_told(matches: Path, typed: Type) -> None:
    """How many puzzles there are of which game, as a table and as a document."""
    typed("puzzles", ".", "--out", "p.jsonl")
    count = len(read("p.jsonl").puzzles)
    assert "connectx" in typed("puzzles", "p.jsonl").out
    told = json.loads(typed("puzzles", "p.jsonl", "--json").out)
    assert told["games"]["connectx"] == {"puzzles": count, "proven": count}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("m0.replay", "--browser"), "--browser shows a file of puzzles"),
        (("nothing",), "nothing"),
        (("m0.replay", "--out", "m1.replay"), "holds no puzzles"),
    ],
)
def test_what_is_refused(matches: Path, typed: Type, words: tuple[str, ...], sentence: str) -> None:
    """One sentence says what to do instead; a file of something else is never added to."""
    before = Path("m1.replay").read_bytes()
    done = typed("puzzles", *words)
    assert done.status == 2
    assert sentence in done.err
    assert Path("m1.replay").read_bytes() == before


def test_a_bot_is_tried_on_them(matches: Path, typed: Type) -> None:
    """`dohyo check --puzzles` counts its first answers, and with --rate they are added to the file, once."""
    typed("puzzles", ".", "--out", "p.jsonl")
    count = len(read("p.jsonl").puzzles)
    told = json.loads(typed("check", "connectx", "random", "--puzzles", "p.jsonl", "--json").out)
    assert sum(told["verdicts"].values()) == told["score"]["of"] == count
    assert told["score"]["solved"] == sum(one["verdict"] == "solved" for one in told["puzzles"])
    assert all((one["verdict"] == "solved") == (one["answer"] == one["solution"]) for one in told["puzzles"])
    assert not read("p.jsonl").attempts
    assert "random solves" in typed("check", "connectx", "random", "--puzzles", "p.jsonl", "--rate").out
    assert len(read("p.jsonl").attempts) == count


def test_a_bot_that_does_not_answer_is_late(matches: Path, typed: Type) -> None:
    """It has its time for each puzzle, and the others still follow; what it would have had to do is told."""
    typed("puzzles", ".", "--out", "p.jsonl", "--most", "2")
    (matches / "mute.py").write_text("import time; time.sleep(1000)")
    status, out, err = typed("check", "connectx", "mute.py", "--puzzles", "p.jsonl", "--clock", "0.2", "--json")
    assert status == 0, err
    told = json.loads(out)
    assert told["verdicts"] == {"solved": 0, "wrong": 0, "late": 2, "fault": 0}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--each",), "--puzzles tries one bot"),
        (("--fuzz", "3"), "--puzzles tries one bot"),
        (("--setup", "rows=9"), "no puzzle of connectx"),
    ],
)
def test_what_check_refuses(matches: Path, typed: Type, words: tuple[str, ...], sentence: str) -> None:
    """What says nothing of puzzles, and a setup of which there are none."""
    typed("puzzles", ".", "--out", "p.jsonl", "--most", "1")
    status, _, err = typed("check", "connectx", "random", "--puzzles", "p.jsonl", *words)
    assert status == 2
    assert sentence in err
