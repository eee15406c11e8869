"""Who won, who is best, and in which round others went out, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.app.contest.best import who_won
from dohyo.app.contest.standings import Row, remark
from dohyo.contest.formats.brackets import Bracket
from tests.cli.conftest import Type, folder, typed
from tests.contest.formats.contests import bots
from tests.contest.formats.test_eliminations import made, play

__all__ = ["folder", "typed"]


@pytest.mark.parametrize(
    ("format_", "told"),
    [
        ("single-elimination", {"champion", "out in round 1", "out in round 2"}),
        ("double-elimination", {"champion", "lost the grand final", *(
            f"out in round {at} of the losers' side" for at in (1, 2))}),
    ],
)  # fmt: skip
def test_rounds_are_counted_as_in_the_bracket(format_: str, told: set[str]) -> None:
    """From 1, and on the side where they stand; both languages have the words."""
    contest = made(format_, 4)
    while play(contest, bots(4)):
        pass
    rows = [
        Row(place=each.place, entrant=each.entrant, bot="", digest="", points=0, remark=each.remark, at=each.at)
        for each in contest.standing(bots(4))
    ]
    assert {word for row in rows for word in remark(row, "en")} == told
    assert all("batch" not in word and "バッチ" not in word for row in rows for word in remark(row, "ja"))


def test_who_won_a_knock_out() -> None:
    """Told with how little it proves; nothing as long as it is open, and nothing without a bracket."""
    assert who_won(None, {}, "en") == []
    assert who_won(Bracket(()), {}, "en") == []
    (told,) = who_won(Bracket((), champion=2), {2: "Ada"}, "en")
    assert told.startswith("Ada has won the knock-out.")
    assert "prove little" in told


def test_the_terminal_says_it_too(typed: Type, folder: Path) -> None:
    """Below the table of a knock-out stand its winner, whether anybody is surely the best, and what columns mean."""
    words = ("--game", "wondev-woman", "a=random", "b=random", "--seed", "1", "--trust", "--setup", "league=wood3")
    out = typed("contest", "run", *words, "--format", "single-elimination").out
    lines = " ".join(out.split())
    (champion,) = [line.split()[-1] for line in out.splitlines() if line.startswith("    1  ")][:1] or [""]
    assert champion == "champion"
    assert "has won the knock-out." in lines
    assert "Who is best is not settled" in lines
    assert "95 %: where the true Elo lies" in lines
    typed("contest", "report", "contest.db", "--html", "page.html")
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert page.index("has won the knock-out") < page.index("Who is best is not settled")
