"""`dohyo replay`: a recorded match looked at, verified, made a page."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

import pytest

from dohyo.web import content
from tests.cli.conftest import Type

BOTS = ("./mumbler", "./still", "./still", "./still")


@pytest.fixture
def recorded(typed: Type) -> str:
    """The name of a short match's replay, with faults in it."""
    typed("play", "drop-block", *BOTS, "--setup", "turns=9", "--seed", "11", "--save", "m.replay")
    return "m.replay"


def test_facts_and_table(typed: Type, recorded: str) -> None:
    """By default: game, clock, seed, setup as far as it was chosen, and the same table as after the match."""
    status, out, err = typed("replay", recorded)
    assert (status, err) == (0, "")
    assert "Drop-Block, rules version 1; clock online (1 s per turn" in out
    assert "Setup: turns=9\n" in out
    assert "Drop-Block: turn limit, after 9 turns\n" in out
    assert "malformed, 3 times" in out
    assert "--faults" in out


def test_a_page_for_one_seat(typed: Type, recorded: str, folder: Path) -> None:
    """--seat makes the page of that seat's author, by its number or its bot's name; it needs --html."""
    assert typed("replay", recorded, "--html", "whole.html").status == 0
    for seat in ("0", "mumbler"):
        assert typed("replay", recorded, "--html", "own.html", "--seat", seat).status == 0
        packed = re.search(r'id="replay">(.*?)<', (folder / "own.html").read_text())
        assert packed is not None
        told = json.loads(zlib.decompress(base64.b64decode(packed[1]), -zlib.MAX_WBITS))
        assert (told["only"], "seed" in told["header"]) == (0, False)
    status, out, err = typed("replay", recorded, "--seat", "0")
    assert (status, out, err) == (2, "", "--seat needs --html PAGE; the page is made for that seat's author.\n")


def test_verify(typed: Type, recorded: str) -> None:
    """A whole replay verifies, and the number of turns is told."""
    status, out, err = typed("replay", recorded, "--verify")
    assert (status, out, err) == (0, "m.replay: all 9 turns and the result are what the rules say.\n", "")


def test_a_replay_that_breaks_the_rules(typed: Type, recorded: str, folder: Path) -> None:
    """A file that is whole but tells what the rules do not allow is refused, and the turn is named."""
    import dohyo

    match = dohyo.load(recorded)
    match.turns[5].moves[0].action = "L"
    dohyo.save(match, "forged.replay")
    status, out, err = typed("replay", "forged.replay", "--verify")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "Turn 5" in err


def test_faults(typed: Type, recorded: str) -> None:
    """Each fault is listed with its turn, the reply and the input; a clean match says that there is none."""
    out = typed("replay", recorded, "--faults").out
    assert [line for line in out.splitlines() if line.startswith("turn ")] == [
        "turn 0, seat 0, mumbler: malformed: '[red]u[/red]' is none of U R D L A N"
    ]
    assert out.count("it had been sent:") == 1
    assert "  the same 2 times more, in turn 4, 8\n" in out
    japanese = typed("replay", recorded, "--faults", "--lang", "ja").out
    assert "ターン 0、席 0、mumbler：書式誤り：'[red]u[/red]' は U R D L A N のどれでもない" in japanese
    typed("play", "drop-block", *BOTS[1:], "./still", "--setup", "turns=9", "--save", "clean.replay")
    assert typed("replay", "clean.replay", "--faults").out == "No bot misbehaved.\n"


def test_page(typed: Type, recorded: str, folder: Path) -> None:
    """--html writes the page and says where."""
    assert "page.html" in typed("replay", recorded, "--html", "page.html").out
    assert "mumbler" in (folder / "page.html").read_text()


def test_a_match_too_long_for_a_page(typed: Type, recorded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """How much of it the page shows is said; the summary is that of the whole match."""
    whole = typed("replay", recorded, "--html", "page.html")
    monkeypatch.setattr(content, "MAX_MOVES", 3)
    cut = typed("replay", recorded, "--html", "cut.html")
    assert re.search(r"The match has \d+ turns, more than a page has room for: cut.html shows the first 3\.", cut.err)
    assert (cut.out.replace("cut.html", "page.html"), whole.err) == (whole.out, "")


def test_json(typed: Type, recorded: str) -> None:
    """--json is one document; with --verify it says how many turns were compared, with --faults it has the inputs."""
    told = json.loads(typed("replay", recorded, "--json").out)
    assert told["verified_turns"] is None
    assert told["seats"][0]["name"] == "mumbler"
    told = json.loads(typed("replay", recorded, "--json", "--verify", "--faults").out)
    assert told["verified_turns"] == 9
    assert told["seats"][0]["faults"][2]["input"].startswith("0\n8\n")


def test_a_strangers_text_moves_no_terminal(typed: Type, recorded: str) -> None:
    """Names and details from a file are shown without what a terminal would obey."""
    import msgspec

    import dohyo

    match = dohyo.load(recorded)
    seats = (msgspec.structs.replace(match.header.seats[0], name="\x1b]0;mine\x07x\r"), *match.header.seats[1:])
    match.header = msgspec.structs.replace(match.header, seats=seats)
    dohyo.save(match, "odd.replay")
    for words in ((), ("--faults",), ("--watch",)):
        out = typed("replay", "odd.replay", *words).out
        assert "�x�" in out
        assert not {"\x1b", "\x07", "\r"} & set(out)


def test_inputs(typed: Type, recorded: str) -> None:
    """--inputs prints what a seat was sent, in the match or in one turn, and nothing else; a name works too."""
    whole = typed("replay", recorded, "--inputs", "0")
    assert (whole.status, whole.err) == (0, "")
    assert whole.out.count("EOD\n") == 3
    assert typed("replay", recorded, "--inputs", "mumbler").out == whole.out
    turns = [typed("replay", recorded, "--inputs", "0", "--turn", turn).out for turn in ("0", "4", "8")]
    assert "".join(turns) == whole.out
    assert turns[2].startswith("0\n8\n")


def test_inputs_that_are_not_there(typed: Type, recorded: str) -> None:
    """Another seat, a name of several, a turn in which the seat was not asked: each is a sentence with the remedy."""
    for words, told in {
        ("--inputs", "4"): "take one of 0 (mumbler), 1 (still), 2 (still), 3 (still)",
        ("--inputs", "still"): "'still' sat on the seats 1, 2, 3",
        ("--inputs", "-1"): "no seat '-1'",
        ("--inputs", "0", "--turn", "3"): "turn 4 is the nearest",
        ("--turn", "3"): "--turn needs --inputs",
        ("--inputs", "0", "--watch"): "omit the other options",
        ("--inputs", "0", "--json"): "omit the other options",
    }.items():
        done = typed("replay", recorded, *words)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), words
        assert told in done.err


def test_a_page_is_no_replay(typed: Type, folder: Path) -> None:
    """A page that somebody was given is called that, with what to ask for; it names no match by the word `last`."""
    typed("play", "drop-block", *["./still"] * 4, "--setup", "turns=12", "--seed", "1", "--html", "m.html")
    assert "analyse last" not in (folder / "m.html").read_text()
    done = typed("replay", "m.html")
    assert (done.status, "is a page to look at, and no replay" in done.err) == (2, True)
