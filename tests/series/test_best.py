"""Who won, who is best, and in which round others went out, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dohyo.i18n import ENGLISH, LANGUAGES, Speaker
from dohyo.series.best import MAX_NAMES, few_names, how_many, who_is_best, who_won
from dohyo.series.formats.brackets import OVER, Bracket
from dohyo.series.standings import Row, Standings, remark, why_not_by_elo
from dohyo.series.versions import shown_names
from dohyo.terminal.brackets import round_name
from tests.cli.conftest import Type, folder, typed
from tests.series.formats.contests import bots
from tests.series.formats.test_eliminations import made, play

__all__ = ["folder", "typed"]


@pytest.mark.parametrize(
    ("format_", "told"),
    [
        ("single-elimination", {"champion", "out in round 1", "lost the final"}),
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
    assert {word for row in rows for word in remark(row, ENGLISH)} == told
    assert all("batch" not in word and "バッチ" not in word for row in rows for word in remark(row, Speaker("ja")))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("entrants", [2, 3, 5, 8])
def test_who_is_out_is_told_in_the_words_of_the_bracket(entrants: int, language: str) -> None:
    """Who lost the last round has lost what the bracket calls it: the final, not its number."""
    contest, speaker = made("single-elimination", entrants), Speaker(language)
    while play(contest, bots(entrants)):
        pass
    bracket = contest.bracket(bots(entrants))
    assert bracket is not None
    out = {each.entrant: speaker.say(each.remark, round=each.at + 1) for each in contest.standing(bots(entrants))}
    for each in bracket.rounds:
        lost = [
            slot.entrant for pair in each.pairings if pair.state == OVER for slot in pair.slots if not slot.goes_on
        ]
        name = round_name(each, bracket, speaker).lower()
        assert all(name in out[bot] for bot in lost if bot is not None), (out, name)


def test_who_won_a_knock_out() -> None:
    """Told with how little it proves; nothing as long as it is open, and nothing without a bracket."""
    assert who_won(None, {}, ENGLISH) == []
    assert who_won(Bracket(()), {}, ENGLISH) == []
    (told,) = who_won(Bracket((), champion=2), {2: "Ada"}, ENGLISH)
    assert told.startswith("Ada has won the knock-out.")
    assert "prove little" in told


def row(place: int, **more: Any) -> Row:
    """A bot's line, whose entrant is its place."""
    usual = {"elo": 1500.0 - place, "low": 1400.0, "high": 1600.0, "first": 1, "last": 9, "matches": 4}
    return Row(place=place, entrant=place, bot=f"b{place}", digest="", points=0, **{**usual, **more})


def test_no_single_name_is_left_out_of_a_sentence() -> None:
    """Who may be the best is told by name, with the interval that says so; of many, the first."""
    rows = [row(at) for at in range(1, 7)] + [row(7, first=7, low=1000.0, high=1100.0)]
    names = {each.entrant: each.bot for each in rows}
    (told,) = who_is_best(rows, names, ENGLISH)
    assert told == "Who is best is not settled: by the 95 % intervals it is one of b1, b2, b3, b4, b5, b6."
    many = [f"b{at}" for at in range(MAX_NAMES + 2)]
    assert few_names(many[:-1], ENGLISH) == ", ".join(many[:-1])
    assert few_names(many, ENGLISH) == f"{', '.join(many[:MAX_NAMES])} and 2 more"


def test_those_who_no_longer_play_are_told_by_why() -> None:
    """How many are disqualified, have left, and are older versions; only those that there are."""
    states = ["playing", "pauses", "disqualified", "replaced", "replaced"]
    assert how_many(states, ENGLISH) == "2, and no longer playing: 1 disqualified, 2 older versions"
    assert how_many(states[:2], ENGLISH) == "2"
    assert how_many(states, Speaker("ja")) == "2 体(ほかに失格 1 体、旧版 2 体)"


def test_versions_have_their_numbers() -> None:
    """In the order in which they entered; a bot with one version has its plain name."""
    assert shown_names([(2, "a"), (0, "a"), (1, "b")], ENGLISH) == {0: "a (version 1)", 1: "b", 2: "a (version 2)"}


def test_a_place_that_contradicts_the_wins_is_explained() -> None:
    """On a ladder, and in a league among its own; where places are by points they follow the wins."""
    rows = [row(1, won=9), row(2, won=13, drawn=4, lost=5), row(3, won=23, drawn=2, lost=3)]
    names = {each.entrant: each.bot for each in rows}
    told = why_not_by_elo(Standings(rows=rows, rated=True, placed_by="rating"), names, ENGLISH)
    assert told.startswith(
        "b2 (place 2) has won a smaller part of its matches than b3 (place 3): places are by the lower"
    )
    assert why_not_by_elo(Standings(rows=rows, rated=True, placed_by="points"), names, ENGLISH) == ""
    assert why_not_by_elo(Standings(rows=rows, rated=True, placed_by="league"), names, ENGLISH) == told
    rows[2].points = 1
    assert why_not_by_elo(Standings(rows=rows, rated=True, placed_by="league"), names, ENGLISH) == ""


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
