"""`dohyo contest standings` as CSV and in Markdown: for a spreadsheet, for a forum."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from dohyo.series.exports.export import STANDING_COLUMNS, standings_as_csv
from dohyo.series.standings import Row, Standings
from dohyo.series.telling.markdown import code, escaped, named, place
from tests.cli.conftest import Type
from tests.cli.held import LADDER

WILD = ('=HYPERLINK("x")', "a|b`c\n| d |", "[x](javascript:1) <img src=x>", 'q"]', "\x1b[31m\u202ered", "@all #1")


@pytest.mark.parametrize("name", WILD)
def test_a_name_in_markdown(name: str) -> None:
    """It stands in a span of code, which it cannot end, nor the cell, nor the line."""
    shown = code(name)
    assert shown[0] == shown[-1] == "`"
    assert not set(shown[1:-1]) & set("`|\n\x1b\u202e")
    assert escaped("a|b_c* <x>") == r"a\|b\_c\* \<x\>"


def test_two_names_in_a_sentence_in_markdown() -> None:
    """Each stands in its span, though the first one looks like the place of the second one."""
    names = [r"x\<2\>", "<img src=//a.b/c>"]
    words: list[str] = []
    sentence = f"{place(words, names[0])} beats {place(words, names[1])}"
    assert named(sentence, words) == r"`x\<2\>` beats `<img src=//a.b/c>`"


def test_standings_as_csv(held: Type) -> None:
    """A row for each bot, in the order of the table; a name that a spreadsheet would compute is text."""
    done = held("contest", "standings", "contest.db", "--csv")
    head, *rows = csv.reader(done.out.splitlines())
    assert " ".join(head) == STANDING_COLUMNS
    document = json.loads(held("contest", "standings", "contest.db", "--json").out)
    table = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(row["place"], row["bot"]) for row in table] == [
        (str(row["place"]), row["bot"]) for row in document["standings"]
    ]
    by_bot = {row["bot"]: row for row in table}
    assert (by_bot["d"]["faulty"], by_bot["d"]["faults"]) == ("4", "exited:4")
    for row in document["standings"]:
        for name in ("elo", "low", "high"):
            shown = by_bot[row["bot"]][name]
            assert shown == ("" if row[name] is None else str(round(row[name], 2)))
    assert any(row["elo"] for row in table)
    assert held("contest", "standings", "contest.db", "--csv", "--json").status == 2
    hostile = Row(place=1, entrant=0, bot='=1+1,"\x1b[2J', digest="", points=2.5)
    row = list(standings_as_csv(Standings(rows=[hostile], rated=False, groups=[])))[1]
    assert row.startswith('1,"\'=1+1,""')
    assert "\x1b" not in row


def test_standings_as_csv_have_what_the_table_has(copy_of: Type, typed: Type) -> None:
    """Won, drawn, lost, open places, the state and which of two rows of a name is the older version."""
    assert copy_of(*LADDER).status == 0
    Path("still").write_text(Path("still").read_text() + "# newer\n")
    assert typed("contest", "add", "contest.db", "a=./still", "--trust").status == 0
    done = typed("contest", "standings", "contest.db", "--csv")
    table = list(csv.DictReader(done.out.splitlines()))
    document = json.loads(typed("contest", "standings", "contest.db", "--json").out)["standings"]
    for row, known in zip(table, document, strict=True):
        for name in ("won", "drawn", "lost", "first", "last", "longest", "state", "entrant", "digest"):
            assert row[name] == ("" if known[name] is None else str(known[name])), name
        assert row["fails"] == ("yes" if known["fails"] else "no")
    assert {row["entrant"]: row["remark"] for row in table if row["bot"] == "a"} == {"0": "older version", "4": ""}
    assert any(int(row["drawn"]) for row in table)
    told = "4, and no longer playing: 1 older version"
    assert "a (version 1, older version), b, c, d, a (version 2)\n" in typed("contest", "show", "contest.db").out
    assert f"(bots {told}" in typed("contest", "site", "contest.db", "--out", "out").out.replace("\n", " ")
    assert told in Path("out/index.html").read_text()
    shown = typed("contest", "standings", "contest.db").out
    assert "Open places count older versions and bots that have left, too" in shown
    assert "points: the lower end of the 95 % interval." in shown
    assert all(f"  a (version {number})  " in shown for number in (1, 2))
    played = typed("contest", "matches", "contest.db").out
    assert ("a (version 1) " in played, "a (version 2)" in played) == (True, False)
