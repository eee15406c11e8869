"""The better line of a turning point, played on the board: what shows it, what says that it shows the match."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page

from dohyo.core.replay import Replay
from dohyo.games.drop_block import GAME
from dohyo.guests.analysis import chances
from dohyo.series.analysed import LineTurn, TurningPoint
from tests.covering import covering
from tests.web.conftest import DESKTOP, PHONE, Open, page_of, wait
from tests.web.matches import decided
from tests.web.test_charts import analysed, faulty, press


def better_line(replay: Replay, turn: int) -> dict[str, Any]:
    """A variation of two turns, as a page has it: the seat waits in this turn, and the next one does what it did."""
    point = TurningPoint(turn, replay.turns[turn].moves[0].seat, "U", "N", 0.5, 0.4, 0.0)
    after = replay.turns[turn + 1].moves[0]
    line = (LineTurn({point.seat: "N"}), LineTurn({after.seat: "N"}))
    moments = chances.played_line(GAME, replay, msgspec.structs.replace(point, line=line))
    return chances.line_of(GAME, moments, None)


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_better_line_is_played_on_the_board(show: Open, size: tuple[int, int]) -> None:
    """The button plays the variation on the board, marked as one; Escape and the time line lead back to the match."""
    replay = decided()
    judged = analysed(replay)
    judged["points"][0]["line"] = better_line(replay, 11)
    page = show(page_of(replay, analysis=[judged]), size=size)
    page.evaluate("dohyo.seek(4)")
    page.locator(".play-line").click()
    wait(page, "dohyo.player.turn === 13 && dohyo.resting")
    assert page.evaluate("[dohyo.player.last, dohyo.variation.base]") == [13, 11]
    frames = judged["points"][0]["line"]
    assert page.evaluate("dohyo.variation.frames[12]") == frames["first"]
    assert page.evaluate("dohyo.drawn().players.length") == 4
    assert page.locator(".variation").is_visible()
    assert "not played" in page.locator(".variation").inner_text()
    assert page.locator(".varied .stage").count() == 1
    assert (page.locator(".panel .move").count(), page.locator(".panel .sent").count()) == (1, 0)
    assert page.locator(".panel .action").inner_text() == "N"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    wait(page, "dohyo.player.turn === 11 && dohyo.resting")
    assert page.locator(".varied").count() == 0
    page.keyboard.press("Escape")
    assert page.evaluate("[dohyo.player.turn, dohyo.player.last, dohyo.variation]") == [12, len(replay.turns), None]
    assert not page.locator(".variation").is_visible()
    page.locator(".play-line").click()
    press(page, ".timeline", 0.5)
    assert page.evaluate("dohyo.variation === null")
    assert page.evaluate("dohyo.player.turn") == pytest.approx(len(replay.turns) / 2, abs=1)


def varied(replay: Replay, turn: int = 11, language: str = "en") -> str:
    """A page of a match whose turn has a better line."""
    judged = analysed(replay)
    judged["points"][0] |= {"turn": turn, "seat": replay.turns[turn].moves[0].seat, "line": better_line(replay, turn)}
    return page_of(replay, language, analysis=[judged])


def play_line(page: Page) -> None:
    """Press the button, and wait for the end of the line."""
    page.locator(".play-line").click()
    wait(page, "dohyo.variation && dohyo.player.turn === dohyo.player.last && dohyo.resting")


# Where everything is on the page that can be seen, and how large: the page may be scrolled, but nothing moves on it.
PLACES = """() => Object.fromEntries([...document.querySelectorAll(
    ".stage, .board, aside, aside > *, .card, .chart-panel, .chart, .points, .play-line, footer, .controls > *, " +
    ".timeline"
)].filter(node => node.checkVisibility()).map((node, at) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return [`${at} ${node.tagName} ${node.classList[0] ?? ""}`, [left, top + scrollY, width, height].map(Math.round)];
}))"""


@pytest.mark.parametrize(("size", "at"), covering([(1024, 600), (820, 500), (1280, 2000), PHONE], [0, 40, 9999]))
def test_nothing_moves_for_a_variation(show: Open, size: tuple[int, int], at: int) -> None:
    """When a variation begins, while it plays and at its end, everything stays where it was, as large as it was."""
    page = show(varied(decided()), size=size, reduced_motion="reduce")
    page.evaluate("at => dohyo.seek(at)", at)
    page.locator(".play-line").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, 0)")
    before = page.evaluate(PLACES)
    assert len(before) > 20
    page.evaluate("document.querySelector('.play-line').click(), scrollTo(0, 0), dohyo.player.pause()")
    assert page.evaluate(PLACES) == before
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        wait(page, "dohyo.resting")
        assert page.evaluate(PLACES) == before
    page.set_viewport_size({"width": size[0], "height": size[1] + 1})


def test_what_shows_the_match_says_so(show: Open) -> None:
    """In a variation each panel that still shows the match is marked as that; what the bots did says which it is."""
    replay = faulty()
    page = show(varied(replay), "#t=35")
    signs = page.locator(".of-match")
    marked = "nodes => nodes.filter(node => node.checkVisibility({ visibilityProperty: true })).length"
    assert page.locator(".standings").is_visible()
    assert signs.evaluate_all(marked) == 0
    play_line(page)
    panels = page.locator(".banner, .standings, .chart-panel:not([hidden])")
    assert signs.evaluate_all(marked) == panels.count() == 5
    for panel in panels.all():
        assert "match, as played" in panel.inner_text()
    assert page.locator(".panel h2").inner_text().split("\n") == ["Turn 12", "Variation, not played"]
    assert page.locator(".chart-told").first.inner_text().startswith("Turn 10 ")
    assert page.locator(".card .trouble").all_inner_texts() == ["", "Faults: 3", "", ""]
    page.keyboard.press("1")  # the seat's latest move was played
    assert page.locator(".panel h2").inner_text().split("\n")[-1] == "match, as played"
    page.keyboard.press("Escape")
    assert signs.evaluate_all(marked) == 0
    assert page.locator(".variation").evaluate("node => getComputedStyle(node).visibility") == "hidden"


@pytest.mark.parametrize(
    ("size", "language"), covering([DESKTOP, (1024, 600), (761, 400), PHONE, (320, 640)], ["ja", "en"])
)
def test_way_back_is_seen_whole(show: Open, size: tuple[int, int], language: str) -> None:
    """The bar of a variation lies in the window, over no other button, and nothing sticks out of it."""
    page = show(varied(decided(), language=language), size=size)
    play_line(page)
    (bar,) = page.locator(".variation").evaluate_all(BOXES)
    left, top, right, bottom = (bar[side] for side in SIDES)
    assert left >= 0
    assert right <= size[0]
    assert bottom <= size[1]
    for box in page.locator(".variation *, .controls > *").evaluate_all(BOXES):
        is_inside = left <= box["left"] and box["right"] <= right and top <= box["top"] and box["bottom"] <= bottom
        assert is_inside == box["mine"], box
        assert is_inside or box["right"] <= left or box["top"] >= bottom, box
    assert page.locator("aside > *").evaluate_all(
        "nodes => nodes.every(node => node.scrollHeight <= node.clientHeight + 2 || node.matches('.held'))"
    )


SIDES = ("left", "top", "right", "bottom")
BOXES = """nodes => nodes.filter(node => node.checkVisibility()).map(node => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return { left, top, right, bottom, mine: Boolean(node.closest(".variation")), name: node.textContent };
})"""


def test_link_leads_into_the_variation(show: Open) -> None:
    """The address says which line is played and where in it; opened again, the page stands there."""
    replay = decided()
    page = show(varied(replay))
    play_line(page)
    seat = replay.turns[11].moves[0].seat
    assert page.evaluate("location.hash") == f"#t=12&line=11.{seat}"
    page.keyboard.press("ArrowLeft")
    wait(page, "dohyo.player.turn === 12 && dohyo.resting")
    address = page.evaluate("location.hash")
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")
    page.get_by_role("button", name="Copy a link").click()
    wait(page, "window.copied")
    assert page.evaluate("copied").endswith(f"#t=11&line=11.{seat}")

    other = show(varied(replay), address)
    assert other.evaluate("[dohyo.player.turn, dohyo.player.last, dohyo.variation.base]") == [12, 13, 11]
    assert other.evaluate("dohyo.resting")
    assert other.evaluate("dohyo.frame") == page.evaluate("dohyo.frame")
    assert other.locator(".variation").is_visible()
    other.evaluate("location.hash = '#t=20'")
    wait(other, "dohyo.variation === null && dohyo.player.turn === 21")
    for wrong in ("line=12.0", "line=11", "line=x.y", f"line=11.{seat + 1}"):
        other.evaluate("wrong => { location.hash = `#t=5&${wrong}`; }", wrong)
        wait(other, "dohyo.player.turn === 6")
        assert other.evaluate("dohyo.variation") is None
        other.evaluate("location.hash = '#t=20'")
        wait(other, "dohyo.player.turn === 21")


def test_variation_by_keyboard(show: Open) -> None:
    """A line's button says which one it is, Enter plays it, and the way back leads to that button again."""
    replay = decided()
    page = show(varied(replay))
    seat = replay.turns[11].moves[0].seat
    button = page.get_by_role(
        "button", name=f"Play the better line, turn 11, {page.locator('.card .name').nth(seat).inner_text()}"
    )
    button.focus()
    page.keyboard.press("Enter")
    wait(page, "dohyo.variation && dohyo.player.turn === 13 && dohyo.resting")
    assert page.locator("[aria-current] .play-line").count() == 1
    assert page.get_by_role("slider", name="Turn").get_attribute("aria-valuetext") == "Turn 12, Variation, not played"
    assert str(page.locator(".board").get_attribute("aria-label")).startswith("Turn 12, Variation, not played: ")
    page.get_by_role("button", name="Back to the match").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("[dohyo.variation, document.activeElement.className]") == [None, "small play-line"]
    assert page.locator("[aria-current]").count() == 0
    page.locator(".points .jump").click()  # a press of the mouse leaves the space bar to playing
    page.keyboard.press("Space")
    wait(page, "dohyo.player.playing")


def test_variation_plays_anew_from_its_beginning(show: Open) -> None:
    """At the end of a variation Play begins it again, not the match."""
    page = show(varied(decided()))
    play_line(page)
    page.keyboard.press("Space")
    assert page.evaluate("dohyo.player.position >= 11")
