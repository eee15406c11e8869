"""Bots that fail: marked wherever a contest is told of, and last where the contest says so."""

from __future__ import annotations

import json
from pathlib import Path

from dohyo.store import open_store
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
