"""How a contest's tables look where there is little room."""

from __future__ import annotations

import msgspec
import pytest
from rich.console import Console

from dohyo.app.contest.standings import Row, Standings, has_untold, why_not_by_elo
from dohyo.cli.contest_printing import faults, interval, standing_table
from dohyo.core.faults import FaultKind

ROWS = [
    Row(
        place=place,
        entrant=place,
        bot=f"pupil number {place}",
        digest="",
        points=13.5,
        elo=1500.0,
        low=1364.0,
        high=2257.0,
        first=1,
        last=3,
        matches=18,
        firsts=4,
        won=40,
        faults={"timeout": 12, "illegal": 3},
    )
    for place in (1, 2, 3)
]


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120])
def test_columns_give_way(width: int) -> None:
    """In every width each bot has one line with its points, and no cell is cut; wide ones have all columns."""
    out = Console(width=width, record=True, file=None, force_terminal=False, quiet=False)
    with out.capture() as captured:
        out.print(standing_table(Standings(rows=ROWS, rated=True), "en", 3, width))
    heading, *lines = captured.get().splitlines()
    assert len(lines) == 3
    assert all("13.5" in line and "…" not in line for line in lines)
    assert ("1364..2257" in lines[0]) == ("95 %" in heading) == (width >= 60)
    assert ("firsts" in heading) == (width == 120)


def test_faults_have_one_name() -> None:
    """In English a table names a fault as JSON, CSV and the store do; elsewhere it is translated."""
    kinds = {str(kind): 1 for kind in FaultKind}
    assert faults(kinds, "en") == ", ".join(f"{kind} 1" for kind in kinds)
    assert "timeout" not in faults(kinds, "ja")


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (1364.0, 2257.0, "1364..2257"),
        (1364.0, 5467.0, "1364.."),
        (-2467.0, 1600.0, "..1600"),
        (-2467.0, 5467.0, "?"),
    ],
)
def test_an_interval_that_says_nothing_is_not_shown(low: float, high: float, shown: str) -> None:
    """An end further off than 800 Elo is left out, and the table's reader is told of it."""
    row = msgspec.structs.replace(ROWS[0], low=low, high=high)
    assert interval(row) == shown
    assert has_untold(Standings(rows=[row], rated=True)) == (shown != "1364..2257")


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("placed_by", ["points", "rounds", "league", "rating"])
def test_places_that_are_not_in_the_order_of_elo_are_explained(placed_by: str, language: str) -> None:
    """The first two bots of which the better placed has less Elo are named; nothing is said where there are none."""
    rows = [msgspec.structs.replace(row, elo=elo) for row, elo in zip(ROWS, (1600.0, 1480.0, 1500.0), strict=True)]
    names = {row.entrant: row.bot for row in rows}
    told = why_not_by_elo(Standings(rows=rows, rated=True, placed_by=placed_by), names, language)
    assert told.index("pupil number 2") < told.index("pupil number 3")
    assert "pupil number 1" not in told
    assert why_not_by_elo(Standings(rows=rows[:2], rated=True, placed_by=placed_by), names, language) == ""
