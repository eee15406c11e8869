"""How a contest's tables look where there is little room."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.console import Console

from dohyo.core.faults import FaultKind
from dohyo.i18n import ENGLISH, Speaker
from dohyo.match.telling.fault_words import counted
from dohyo.series.standings import Row, Standings
from dohyo.terminal.screen import side_by_side
from dohyo.terminal.standings import standing_table

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
        faults={"timeout": 12},
    )
    for place in (1, 2, 3)
]


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120])
def test_columns_give_way(width: int) -> None:
    """In every width each bot has one line with its points, and no cell is cut; wide ones have all columns."""
    out = Console(width=width, record=True, file=None, force_terminal=False, quiet=False)
    with out.capture() as captured:
        out.print(standing_table(Standings(rows=ROWS, rated=True), ENGLISH, 3, width))
    heading, *lines = captured.get().splitlines()
    assert len(lines) == 3
    assert all("13.5" in line and "…" not in line for line in lines)
    assert ("1364..2257" in lines[0]) == ("95 %" in heading) == (width >= 60)
    assert ("firsts" in heading) == (width == 120)


def test_faults_are_called_as_elsewhere() -> None:
    """Listings of contests call faults as the table of a match does, and a number is told from an exit status."""
    assert counted({"exited": 4, "illegal": 1}, ENGLISH) == "exited, 4 times; illegal"
    assert "timeout" not in counted(dict.fromkeys(FaultKind, 1), Speaker("ja"))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_facts_stand_below_each_other(language: str) -> None:
    """Also behind Japanese headings, whose letters take two columns each."""
    speaker = Speaker(language)
    headings = [speaker.say(f"contest.fact.{name}") for name in ("contest", "format", "seed", "matches")]
    lines = side_by_side([(heading, "fact") for heading in headings], speaker)
    assert len({cell_len(line) for line in lines}) == 1
    assert all(line.startswith(speaker.labelled(heading)) for heading, line in zip(headings, lines, strict=True))
