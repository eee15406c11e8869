"""Bots that fail: marked wherever a contest is told of, and last where the contest says so."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from dohyo.series.store import Store, open_store
from dohyo.series.telling import words as contest_words
from tests.cli.conftest import Type
from tests.cli.held import RUN
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
            clean = sum(not kinds for kinds in result.faults)
            for place, kinds in zip(result.places, result.faults, strict=True):
                assert not kinds or place == clean + 1
    assert places(typed) == {"a": 1, "b": 1, "c": 3, "d": 3}
    assert typed("contest", "verify", "contest.db").status == 0
    assert "a fault is the last place" in typed("contest", "show", "contest.db").out


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
