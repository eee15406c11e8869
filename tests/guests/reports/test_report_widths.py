"""A report of many bots: names in one piece, and everything to be seen or announced."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guests.reports.test_report import OpenReport
from tests.guests.reports.test_report import show as show
from tests.series.made_contests import hold
from tests.web.conftest import DESKTOP, PHONE

NAMES = ["antonio", "yokozuna", "rusher2000", "sakura-san", *(f"student{number:02}" for number in range(25))]

BROKEN = """() => [...document.querySelectorAll("table bdi, .standings-table .line bdi")]
    .filter((name) => name.textContent.length <= 10 && name.getClientRects().length
        && name.getBoundingClientRect().height > 2 * parseFloat(getComputedStyle(name).fontSize))
    .map((name) => name.textContent)"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a round-robin of 29 bots."""
    where = tmp_path_factory.mktemp("many") / "many.db"
    hold(where, game="drop-block", names=NAMES, rounds=2)
    return where


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_short_name_is_never_broken(show: OpenReport, many: Path, size: tuple[int, int]) -> None:
    """A name of ten letters stands on one line in every table, on a desk and on a phone."""
    assert show(many, size=size).evaluate(BROKEN) == []


def test_who_beat_whom_has_room_on_a_desk(show: OpenReport, many: Path) -> None:
    """All 29 columns are to be seen at 1280; on a phone, where they are not, the page says how many there are."""
    page = show(many, size=(1280, 800))
    assert (
        page.evaluate(
            "() => { const e = document.querySelector('.cross .wide'); return e.scrollWidth - e.clientWidth }"
        )
        <= 0
    )
    assert "29; where they do not fit, scroll sideways" in page.inner_text(".cross .note")


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_row_leads_to_its_matches(show: OpenReport, many: Path, size: tuple[int, int]) -> None:
    """A name in the standing leads to that bot's latest matches, which are to be seen then, and in full width."""
    page = show(many, size=size)
    assert page.locator(".latest table:visible").count() == 0
    page.click(".standings-table .line:nth-child(3) a")
    view = page.locator(".latest table:visible")
    assert view.count() == 1
    assert view.locator("tbody tr").count() == 8
    assert page.locator(".latest > div:target a").inner_text() in NAMES
    assert page.evaluate("() => { const e = document.querySelector('.latest > div:target .wide');"
                         " return e.scrollWidth - e.clientWidth }") <= 0  # fmt: skip
    assert "dohyo contest matches STORE --bot NAME" in page.inner_text("section.latest")
