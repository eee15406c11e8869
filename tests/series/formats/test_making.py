"""Formats by name and option, and the sentences for what cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker
from dohyo.series import formats
from dohyo.series.formats import all_formats, find, make
from tests.series.formats.contests import bots

FORMATS = (
    "comparison",
    "double-elimination",
    "gauntlet",
    "king-of-the-hill",
    "ladder",
    "league",
    "round-robin",
    "single-elimination",
    "swiss",
)


def test_formats_are_found_by_themselves() -> None:
    """Each module with a class that has an `info` is a format that bears its name."""
    assert tuple(all_formats()) == FORMATS
    folder = Path(formats.__file__).parent
    assert all((folder / f"{name.replace('-', '_')}.py").exists() for name in FORMATS)


def test_options_are_documented(root: Path) -> None:
    """The page on formats names every format and each of its options."""
    page = (root / "docs" / "formats.md").read_text()
    for name, format_ in all_formats().items():
        assert f"`{name}`" in page
        assert all(f"`{option.name}`" in page for option in format_.info.options)


WRONGS: list[tuple[str, dict[str, Any], str]] = [
    ("round-robbin", {}, "There is no format 'round-robbin' ('round-robin'?); known are: "),
    ("swiss", {"options": {"serie": 2}}, "'swiss' has no option 'serie' ('series'?)"),
    ("round-robin", {"options": {"seating": "ballanced"}}, "does not take 'ballanced' ('balanced'?)"),
    ("ladder", {"options": {"batch": 0}}, "'batch' does not take '0'"),
    ("swiss", {"rounds": 0}, "not 0"),
    ("swiss", {"seats": (4, 4), "entrants": 3}, "needs 4 bots at least for a match of 4, and there are 3"),
    ("swiss", {"seats": (4, 4), "options": {"table": 3}}, "seats exactly 4 bots, not 3; leave 'table' out"),
    ("swiss", {"seats": (3, 4), "options": {"table": 2}}, "cannot seat 2 bots; give 'table' a number from 3 to 4"),
    ("king-of-the-hill", {"seats": (4, 4)}, "seats exactly 4, not 8"),
    ("round-robin", {"seats": (1, 1)}, "this game seats one"),
    ("king-of-the-hill", {"seats": (2, 4)}, "seats 2 to 4, not 8"),
    ("king-of-the-hill", {"seats": (9, 9)}, "seats exactly 9, not 8"),
    ("round-robin", {"seats": (2, 8), "options": {"seating": "all", "table": 6}}, "a table of 6 bots"),
    ("double-elimination", {"seats": (4, 4)}, "needs matches of two bots, and this game seats 4"),
    ("double-elimination", {"seats": (1, 1)}, "this game seats one"),
    ("double-elimination", {"entrants": 1}, "there are 1"),
    ("single-elimination", {"options": {"ratings": "1,2,3"}}, "has 3 numbers for 8 bots"),
    ("single-elimination", {"options": {"ratings": "best"}}, "does not take 'best'"),
    ("gauntlet", {"options": {"candidate": "b77"}}, "names 'b77', which is no bot of this contest ('b7'?)"),
    ("league", {}, "needs its bosses"),
    ("league", {"options": {"bosses": "b1,nobody"}}, "names 'nobody'"),
    ("league", {"options": {"bosses": [1.5]}}, "does not take"),
]


@pytest.mark.parametrize(("name", "given", "said"), WRONGS)
def test_what_cannot_be_is_said(name: str, given: dict[str, Any], said: str) -> None:
    """Each mistake is one sentence that names it, and the nearest right word."""
    terms: dict[str, Any] = {"seats": (2, 2), "rounds": 1, "seed": 1, "entrants": 8, **given}
    with pytest.raises(OperatorError) as caught:
        make(name, **terms).next(bots(8))
    assert said in caught.value.say()
    assert caught.value.say(Speaker("ja")) != caught.value.say()


def test_defaults_may_be_said() -> None:
    """Saying an option's default is as good as leaving it out."""
    for name, format_ in all_formats().items():
        given = {option.name: option.default for option in format_.info.options} | (
            {"bosses": ("b0",)} if name == "league" else {}
        )
        said = make(name, seats=(2, 9), rounds=1, seed=1, entrants=6, options=given)
        options = {"bosses": "b0"} if name == "league" else {}
        silent = make(name, seats=(2, 9), rounds=1, seed=1, entrants=6, options=options)
        assert said.next(bots(6)) == silent.next(bots(6))


def test_a_ladder_says_that_it_does_not_end() -> None:
    """Who runs a contest can ask beforehand whether it ends, and whether bots may join it."""
    assert [name for name in FORMATS if not find(name).info.ends] == ["ladder"]
    assert [name for name in FORMATS if find(name).info.joins] == [
        "king-of-the-hill",
        "ladder",
        "league",
        "round-robin",
        "swiss",
    ]


def test_results_come_whole_and_in_order() -> None:
    """What is not the next batch, in order, is refused: a defect of ours, not of the operator."""
    contest = make("round-robin", seats=(2, 2), rounds=1, seed=1, entrants=3)
    with pytest.raises(ValueError, match="first"):
        contest.take([])
    batch = contest.next(bots(3))
    from tests.series.formats.contests import result

    with pytest.raises(ValueError, match="batch 0"):
        contest.take([result(fixture) for fixture in reversed(batch)])
    contest.take([result(fixture) for fixture in batch])
    with pytest.raises(ValueError, match="batch 1"):
        contest.take([result(fixture) for fixture in batch])
