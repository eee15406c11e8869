"""Brackets and hills in reports and sites: what is drawn, how it looks on a desk and on a phone, where it leads."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.cli.conftest import Type
from tests.guests.reports.test_report import OpenReport
from tests.guests.reports.test_report import show as show
from tests.series.made_contests import HOSTILE, NAMES, hold
from tests.web.conftest import DESKTOP, PHONE

WIDE = 1280
# Where a line into a pairing starts less high or low than the middle of those that lead to it, in pixels.
CROOKED = """() => {
    const middle = (cell) => { const box = cell.getBoundingClientRect(); return (box.top + box.bottom) / 2 };
    const off = [];
    for (const tree of document.querySelectorAll(".tree")) {
        const rounds = [...tree.querySelectorAll(".round")].map((round) => [...round.querySelectorAll("li")]);
        for (let at = 1; at < rounds.length; at++) {
            const each = rounds[at - 1].length / rounds[at].length;
            rounds[at].forEach((cell, number) => {
                const before = rounds[at - 1].slice(number * each, (number + 1) * each).map(middle);
                off.push(Math.abs(middle(cell) - before.reduce((a, b) => a + b) / each));
            });
        }
    }
    return Math.max(...off);
}"""
OVERLAPS = """() => [...document.querySelectorAll(".bracket .rounds")].some((rounds) => {
    const boxes = [...rounds.querySelectorAll(".pairing")].map((each) => each.getBoundingClientRect());
    return boxes.some((one, at) => boxes.slice(at + 1).some((other) =>
        one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom));
})"""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of stores: knock-outs of eight, one of 29 after two rounds, a hill with one who came late."""
    where = tmp_path_factory.mktemp("brackets")
    students = [f"student{number:02}" for number in range(29)]
    hold(where / "single.db", kind="single-elimination", rounds=2)
    hold(where / "double.db", kind="double-elimination", names=[*NAMES, *students[:8]], rounds=1)
    hold(where / "open.db", kind="single-elimination", names=students, rounds=2, batches=2)
    hold(where / "tables.db", game="drop-block", kind="single-elimination", names=students[:16], rounds=1)
    names = [*students[:2], HOSTILE, "late"]
    hold(where / "hill.db", game="abotcalypse", kind="king-of-the-hill", names=names, rounds=150, late={"late": 1})
    return where


def pairings(page: Page, state: str) -> list[str]:
    """The texts of pairings in a state, each in one line."""
    return [" ".join(text.split()) for text in page.locator(f".pairing.{state}").all_inner_texts()]


def test_a_bracket_shows_each_series(show: OpenReport, stores: Path) -> None:
    """Each series stands there with seeds, names, what each came to, who goes on and which matches it was."""
    page = show(stores / "single.db")
    assert page.locator(".round").count() == 3
    assert page.locator(".pairing.over").count() == 7
    assert page.locator(".pairing .slot.on").count() == 7
    final = page.locator(".pairing").last
    assert "matches 24-27" in final.inner_text()
    assert page.locator(".champion a").inner_text() == final.locator(".on a").inner_text()
    assert page.locator(".round h4").all_inner_texts() == ["Round 1", "Round 2", "Final"]
    assert page.locator(".bracket img").count() == 0


def test_what_is_not_played_is_shown_as_such(show: OpenReport, stores: Path) -> None:
    """Byes, series that are next, and those whose bots are not known yet."""
    page = show(stores / "open.db")
    assert len(pairings(page, "bye")) == 3
    assert [text.split()[-4:] for text in pairings(page, "open")] == [["0", "of", "4", "matches"]] * 4
    assert pairings(page, "later") == ["not known yet not known yet not played yet"] * 3
    assert page.locator(".champion").count() == 0
    japanese = show(stores / "open.db", language="ja")
    assert pairings(japanese, "later") == ["未定 未定 未対戦"] * 3
    assert japanese.inner_text(".bracket h2") == "組み合わせ表"


@pytest.mark.parametrize("name", ["single", "double", "open", "tables"])
def test_pairings_stand_beside_each_other_on_a_desk(show: OpenReport, stores: Path, name: str) -> None:
    """At 1280 everything is to be seen, nothing lies upon another, and lines run to the middle of what they join."""
    page = show(stores / f"{name}.db", size=(WIDE, 800))
    assert page.evaluate("document.documentElement.scrollWidth") == WIDE
    assert not page.evaluate(OVERLAPS)
    assert page.evaluate("() => [...document.querySelectorAll('.bracket .wide')]"
                         ".every((each) => each.scrollWidth <= each.clientWidth)")  # fmt: skip
    if name != "tables":
        assert page.evaluate(CROOKED) < 1
    rounds = page.locator(".rounds").first.locator(".round")
    first, second = rounds.nth(0).bounding_box(), rounds.nth(1).bounding_box()
    assert first is not None
    assert second is not None
    assert first["x"] + first["width"] < second["x"]


@pytest.mark.parametrize("name", ["single", "double", "open", "tables", "hill"])
def test_on_a_phone_rounds_are_lists(show: OpenReport, stores: Path, name: str) -> None:
    """At 390 nothing is cut or to be scrolled sideways: rounds stand one below the other, the hill in its width."""
    page = show(stores / f"{name}.db", size=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    assert page.evaluate("() => [...document.querySelectorAll('.bracket .wide, .hill .wide')]"
                         ".every((each) => each.scrollWidth <= each.clientWidth)")  # fmt: skip
    assert not page.evaluate(OVERLAPS)


def test_a_bracket_too_wide_for_a_desk_says_so(show: OpenReport, tmp_path: Path) -> None:
    """Eight rounds of losers scroll in their own box, which can be reached by keyboard, below a sentence."""
    hold(tmp_path / "wide.db", kind="double-elimination", names=[f"b{number}" for number in range(20)], rounds=1)
    page = show(tmp_path / "wide.db", size=(WIDE, 800))
    assert page.evaluate("document.documentElement.scrollWidth") == WIDE
    assert page.locator(".sideways").inner_text() == "Rounds: 8. Where they do not fit, scroll sideways."
    scrolled = (
        "() => [...document.querySelectorAll('.bracket .wide')]"
        ".filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.tabIndex)"
    )
    assert page.evaluate(scrolled) == [0]


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_who_held_the_hill(show: OpenReport, stores: Path, size: tuple[int, int]) -> None:
    """One line a reign, from the first match to the last without a gap; who came late has a line in its place."""
    page = show(stores / "hill.db", size=size)
    lines = page.locator(".hill tbody tr:not(.late)")
    ends = [text.split("-") for text in lines.locator(".when").all_inner_texts()]
    assert (ends[0][0], ends[-1][-1]) == ("0", "149")
    assert all(int(after[0]) == int(before[-1]) + 1 for before, after in pairwise(ends))
    assert page.locator(".hill tr.late").all_inner_texts() == ["100\tlate enters late"]
    assert page.evaluate("() => [...document.querySelectorAll('.hill .of-holder bdi')].every((name) =>"
                         " name.textContent.length > 10 || name.getBoundingClientRect().height < 30)")  # fmt: skip


def test_a_round_robin_has_neither(show: OpenReport, tmp_path: Path) -> None:
    """What is no knock-out has no bracket, and no hill."""
    hold(tmp_path / "plain.db", names=NAMES[:3], rounds=1)
    assert show(tmp_path / "plain.db").locator("section.bracket, section.hill").count() == 0


# --- in a site


RUN = ["contest", "run", "--game", "wondev-woman", "climber", "random", "狼=random", "--format", "single-elimination"]


@pytest.fixture
def site(typed: Type, folder: Path) -> Path:
    """A site of a knock-out that was really played."""
    assert typed(*RUN, "--seed", "3", "--sandbox", "none", "--store", "c.db").status == 0
    assert typed("contest", "site", "c.db", "--out", "out").status == 0
    return folder / "out"


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_site_leads_from_the_bracket_to_a_match_and_back(
    browser: Browser, site: Path, size: tuple[int, int]
) -> None:
    """A series' matches lead to their pages; from there one gets to the bots and to the contest; nothing is cut."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto((site / "index.html").as_uri())
    page.locator(".pairing .below a").first.click()
    assert page.url == (site / "matches" / "0.html").as_uri()
    page.locator(".viewer .board").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert size == PHONE or page.evaluate("document.documentElement.scrollHeight") == size[1]
    footer = page.locator("footer").bounding_box()
    assert footer
    assert footer["y"] + footer["height"] == pytest.approx(size[1], abs=2)
    links = page.locator(".around a")
    ends = page.evaluate(
        "() => [...document.querySelectorAll('.around a')].map((a) => a.getBoundingClientRect().right)"
    )
    assert max(ends) <= size[0]
    assert links.count() == 4  # the contest, its bots, the replay
    links.nth(1).click()
    assert page.url.startswith((site / "bots").as_uri())
    page.go_back()
    page.locator(".around a").first.click()
    assert page.url == (site / "index.html").as_uri()
    context.close()
    assert complaints == []
