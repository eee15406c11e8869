"""Bots that fail: marked wherever a contest is told of, and last where the contest says so."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from pathlib import Path

import pytest

from dohyo.bench.check import first_answer
from dohyo.bench.check.probe import Probe
from dohyo.bots import Bot
from dohyo.core.faults import Fault
from dohyo.core.game import Game
from dohyo.series import ends_early
from dohyo.series.store import Store, open_store
from dohyo.series.telling import words as contest_words
from tests.cli.conftest import Type
from tests.cli.held import RUN, SHORT
from tests.cli.typed import Typed

LAST = (*RUN, "--fault-is-last")


def places(typed: Type) -> dict[str, int]:
    """Who has which place in the standing."""
    rows = json.loads(typed("contest", "standings", "contest.db", "--json").out)["standings"]
    return {row["bot"]: row["place"] for row in rows}


def test_a_bot_that_fails_is_marked(held: Type, first_run: Typed) -> None:
    """The table, JSON and the report tell in how many matches a bot had a fault, and mark who had one in most."""
    done = first_run
    rows = [line.split() for line in done.out.splitlines() if line.split()[1:2] in (["a"], ["b"], ["c"], ["d"])]
    assert {words[1]: words[0].startswith("!") for words in rows} == {"a": False, "b": False, "c": True, "d": True}
    assert "! had a fault in most of its matches" in done.out
    assert "With --fault-is-last, given when a contest begins" in done.out
    found = json.loads(held("contest", "standings", "contest.db", "--json").out)
    told = {row["bot"]: (row["faulty"], row["fails"]) for row in found["standings"]}
    assert told["d"] == (4, True)
    assert told["a"] == (0, False)
    assert found["fault_is_last"] is False
    held("contest", "report", "contest.db", "--html", "page.html")
    page = Path("page.html").read_text(encoding="utf-8")
    assert "fault in 4 of 4 matches" in page
    assert "most of its matches" in page


REASONS = {"c": "malformed: '[red]u[/red]' is none of U R D L A N", "d": "exited, status 3: I give up"}


def test_the_table_says_why_a_bot_fails(held: Type, first_run: Typed) -> None:
    """Below it stand what was recorded in one match of each such bot, and the command that shows the whole."""
    told = [f"{bot}: {why} (match 3)" for bot, why in REASONS.items()]
    told.append("To see more: dohyo contest replay contest.db 3 --faults")
    for out in (
        first_run.out,
        held("contest", "standings", "contest.db").out,
        held("contest", "show", "contest.db").out,
    ):
        lines = out.splitlines()
        assert lines[lines.index(told[0]) :][:3] == told
    assert "I give up" in held(*told[-1].split()[4:]).out
    assert "(試合 3)" in held("contest", "standings", "contest.db", "--lang", "ja").out


def test_what_is_written_says_why_a_bot_fails(held: Type) -> None:
    """JSON, CSV, Markdown and the page have the same reason; in Markdown and HTML it is text, and nothing else."""
    found = json.loads(held("contest", "standings", "contest.db", "--json").out)["reasons"]
    assert {each["bot"]: (each["reason"], each["match"]) for each in found} == {b: (w, 3) for b, w in REASONS.items()}
    table = list(csv.DictReader(held("contest", "standings", "contest.db", "--csv").out.splitlines()))
    assert {row["bot"]: row["reason"] for row in table} == {"a": "", "b": "", **REASONS}
    assert {row["reason_match"] for row in table} == {"", "3"}
    markdown = held("contest", "standings", "contest.db", "--markdown").out
    assert r"* `c`: `malformed: '[red]u[/red]' is none of U R D L A N` \(match 3\)" in markdown
    held("contest", "report", "contest.db", "--html", "page.html")
    page = Path("page.html").read_text(encoding="utf-8")
    assert "exited, status 3: I give up (match 3)" in page


def test_a_bot_that_was_not_ready_once(held: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a reason though most of its matches were good; a bot with another fault, seldom, has none."""
    kinds = {0: {"not-ready": 1}, 1: {"timeout": 1}}
    asked: list[tuple[int, str]] = []
    monkeypatch.setattr(Store, "faults", lambda *_: kinds)
    monkeypatch.setattr(Store, "faulty", lambda *_: {0: 1, 1: 1})
    monkeypatch.setattr(Store, "last_with_fault", lambda *words: asked.append(words[2:4]))
    assert held("contest", "standings", "contest.db").status == 0
    assert asked == [(0, "not-ready")]


def test_many_bots_that_fail(held: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few of them are told of below a table, and how many more there are."""
    monkeypatch.setattr(contest_words, "MAX_REASONS", 1)
    out = held("contest", "standings", "contest.db").out
    assert "c: malformed" in out
    assert "d: exited" not in out
    assert "... and 1 more" in out


def test_a_table_without_its_replays(held: Type) -> None:
    """Where the files are gone, the table is what it was, without reasons."""
    shutil.rmtree("contest.db.files")
    done = held("contest", "standings", "contest.db")
    assert done.status == 0
    assert "! had a fault" in done.out
    assert "(match 3)" not in done.out


def test_a_fault_is_the_last_place(typed: Type, copy_of: Type) -> None:
    """With the option, a bot with a fault is last in its match, in store and standing; the store is whole."""
    assert copy_of(*LAST).status == 0
    with open_store("contest.db") as store:
        for result in store.played(store.contest().id):
            for place, kinds in zip(result.places, result.faults, strict=True):
                assert not kinds or place == len(result.places)
    assert places(typed) == {"a": 1, "b": 1, "c": 3, "d": 3}
    told = typed("contest", "standings", "contest.db")
    assert "! had a fault in most of its matches" in told.out
    assert "--fault-is-last" not in told.out
    assert "--fault-is-last" not in typed("contest", "standings", "contest.db", "--lang", "ja").out


@pytest.mark.parametrize("way", ["round-robin", "swiss", "single-elimination", "ladder"])
def test_nobody_gains_by_a_match_in_which_all_have_a_fault(typed: Type, way: str) -> None:
    """Of four that never play, nobody has a point, or a tie; the store is whole, and a table is still made.

    Of a knock-out somebody is first all the same, by lot; in a ladder all are rated the same.
    """
    bots = [f"{name}=./quitter" for name in "abcd"]
    few = ("--option", "batch=2", "--batches", "1") if way == "ladder" else ()
    command = ("contest", "run", "--game", "drop-block", *bots, *SHORT, "--fault-is-last", "--format", way, *few)
    assert typed(*command).status == 0
    told = json.loads(typed("contest", "standings", "contest.db", "--json").out)
    rows = told["standings"]
    assert {(row["won"], row["drawn"], row["lost"]) for row in rows} == {(0, 0, 0)}
    if way == "single-elimination":
        assert sorted(row["points"] for row in rows) == [0, 0, 0, 1]
    else:
        assert {row["points"] for row in rows} == {700 if way == "ladder" else 0}
    with open_store("contest.db") as store:
        assert {place for one in store.played(store.contest().id) for place in one.places} == {4}
    assert typed("verify", "contest.db").status == 0
    assert typed("contest", "verify", "contest.db").status == 0
    assert "a fault is the last place" in typed("contest", "show", "contest.db").out


# A contest of what has been handed in, in a folder.
CLASS = ("contest", "run", "--game", "drop-block", "--folder", "hand-ins", "--setup", "turns=3", "--trust")
CLASS += ("--seed", "3", "--clock", "0.1,mode=wall")


def hand_in(folder: Path, *names: str) -> None:
    """Copy some of the bots into the folder of the class; a name may be that of a bot and a number."""
    (folder / "hand-ins").mkdir()
    for name in names:
        shutil.copy(folder / name.rstrip("0123456789"), folder / "hand-ins" / name)


def ending(done: Typed) -> list[str]:
    """The lines that say whose program ends early."""
    return [line for line in done.err.splitlines() if "ends before" in line]


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a program may be started late, and here it is waited for."""
    monkeypatch.setattr(first_answer, "PATIENCE", 60.0)
    monkeypatch.setattr(ends_early, "SECONDS", 600.0)


@pytest.mark.usefixtures("patient")
def test_hand_ins_that_end_early_are_told_before_the_first_match(folder: Path, typed: Type) -> None:
    """Those that end before their first answer, with why, and how such matches count otherwise.

    Nothing is told where a fault is the last place already, but for who they are, nor when the contest goes on.
    """
    hand_in(folder, "still1", "still2", "quitter")
    killed = folder / "hand-ins" / "killed"
    killed.write_text("#!/bin/sh\nkill -SEGV $$\n")
    killed.chmod(0o755)
    told = ["'killed' ends before its first answer: killed by a signal, SIGSEGV"]
    told.append("'quitter' ends before its first answer: I give up")
    done = typed(*CLASS, "--store", "c.db")
    assert (done.status, ending(done)) == (0, told)
    assert "add --fault-is-last and begin another contest in a file of its own: --store c-2.db" in done.err
    assert not ending(typed(*CLASS, "--store", "c.db"))
    last = typed(*CLASS, "--fault-is-last", "--store", "c-2.db")
    assert (ending(last), "add --fault-is-last" in last.err) == (told, False)


def test_hand_ins_that_wait_are_not_told(folder: Path, typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that has not answered yet may be slow, or the machine busy; it is asked, and not for long."""
    monkeypatch.setattr(first_answer, "PATIENCE", 0.01)
    hand_in(folder, "still1", "still2", "still3", "sleeper")
    done = typed(*CLASS, "--store", "c.db")
    assert (done.status, ending(done)) == (0, [])


def test_a_contest_of_many_hand_ins_begins_soon(folder: Path, typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are tried for seconds, all together, and a person in a terminal is told so; no more are started."""
    now, tried = [0.0], []

    def slow(game: Game, bot: Bot, *more: object) -> None:
        tried.append((bot.digest, more[-1]))
        now[0] += 4.0

    monkeypatch.setattr(ends_early, "monotonic", lambda: now[0])
    monkeypatch.setattr(ends_early, "first_failure", slow)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    hand_in(folder, *(f"still{number}" for number in range(1, 5)))
    done = typed(*CLASS, "--store", "c.db")
    assert (done.status, len(tried), {until for _, until in tried}) == (0, 3, {10.0})
    assert "Trying whether hand-ins answer once (4, in at most 10 s)" in done.err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    assert "Trying" not in typed(*CLASS, "--store", "c-2.db").err


def test_what_is_left_of_the_time_bounds_each_wait(
    folder: Path, typed: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line is waited for when the time of all of them is over, however patient the contest is with each."""
    waits, read = [], Probe.read_line

    def noted(probe: Probe, seconds: float) -> bytes | Fault:
        waits.append(seconds)
        return read(probe, seconds)

    monkeypatch.setattr(ends_early, "monotonic", lambda: 0.0)
    monkeypatch.setattr(first_answer, "monotonic", lambda: 9.75)
    monkeypatch.setattr(first_answer, "PATIENCE", 60.0)
    monkeypatch.setattr(Probe, "read_line", noted)
    hand_in(folder, "still1", "still2", "still3", "sleeper")
    assert typed(*CLASS, "--store", "c.db").status == 0
    assert set(waits) == {0.25}


def test_it_is_a_term_of_the_contest(typed: Type, copy_of: Type, folder: Path) -> None:
    """A contest goes on as it was begun: without the flag, or in a file that says otherwise, it is refused."""
    assert copy_of(*LAST).status == 0
    refused = typed(*RUN)
    assert refused.status == 2
    assert "fault_is_last = yes" in refused.err
    assert typed("contest", "run", "contest.db", "--trust").status == 0
    bots = ", ".join(f'"./{name}"' for name in ("still", "mumbler", "quitter", "sleeper"))
    text = f'game = "drop-block"\nbots = [{bots}]\nfault_is_last = true\nseed = 3\nclock = "1,mode=wall"\n'
    (folder / "class.toml").write_text(text + "[setup]\nturns = 8\n")
    assert typed("contest", "run", "class.toml", "--trust").status == 0
    with open_store("class.db") as store:
        assert store.contest().spec["fault_is_last"] is True
