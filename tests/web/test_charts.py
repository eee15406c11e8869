"""The charts beside the board, the list of faults, and what they lead to."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.referee import Answer
from dohyo.core.replay import Replay
from tests.web.conftest import DESKTOP, PHONE, Open, page_of, wait
from tests.web.matches import HOSTILE, decided, longest, play
from tests.web.test_wondev_woman import frames_of
from tests.web.test_wondev_woman import play as wondev_woman


def charts(page: Page) -> dict[str, Any]:
    """What each chart shows."""
    found: dict[str, Any] = page.evaluate("dohyo.charts()")
    return found


def press(page: Page, selector: str, part: float) -> None:
    """Press on an element, at a part of its width."""
    node = page.locator(selector)
    node.scroll_into_view_if_needed()
    box = node.bounding_box()
    assert box
    page.mouse.click(box["x"] + part * box["width"], box["y"] + box["height"] / 2)


def test_think_times_are_plotted_with_their_limit(show: Open) -> None:
    """Each seat has a line with a point for each of its turns, and the clock's limit is a line across."""
    replay = play(1, letters="UDLR", setup={"turns": 40})
    page = show(replay, "#t=20")
    time = charts(page)["time"]
    assert time["lines"] == [sum(turn.moves[0].seat == seat for turn in replay.turns) for seat in range(4)]
    assert time["limits"] == 1
    assert page.locator(".chart-name").inner_text().startswith("limit ")
    assert page.get_by_text("Think time \u00b7 logarithmic scale").count() == 1
    seconds = replay.turns[20].moves[0].seconds
    assert seconds is not None
    assert page.locator(".chart-told").inner_text().startswith("Turn 20 \u00b7 ")
    assert f"{seconds * 1000:.1f}" in page.locator(".chart-told").inner_text()


def test_long_lines_are_thinned(show: Open) -> None:
    """A line of a long match has no more points than can be seen; its longest turn is among them."""
    page = show(longest(), "#t=500")
    assert all(0 < points <= 800 for points in charts(page)["time"]["lines"])


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_chart_leads_to_its_turns(show: Open, size: tuple[int, int]) -> None:
    """A press on a chart goes to that turn, and the needle stands there."""
    replay = decided()
    page = show(replay, size=size)
    press(page, ".chart-plot", 0.5)
    assert page.evaluate("dohyo.player.turn") == pytest.approx(len(replay.turns) / 2, abs=1)
    assert charts(page)["time"]["needle"] == pytest.approx(0.5, abs=0.01)


def test_following_a_bot_pales_the_others(show: Open) -> None:
    """The line of the bot that is followed stands out."""
    page = show(decided(), "#t=20")
    page.keyboard.press("2")
    pale = page.locator(".chart-line").evaluate_all("nodes => nodes.map(node => node.classList.contains('pale'))")
    assert pale == [True, True, False, True]
    page.keyboard.press("Escape")
    assert page.locator(".chart-line.pale").count() == 0


def test_score_is_plotted_as_far_as_it_is_known(show: Open) -> None:
    """In a game with a score each seat has its line; in fog, a seat's own view has only its own."""
    replay = wondev_woman(3)
    page = show(replay)
    frames = len(frames_of(replay))
    assert charts(page)["score"]["lines"] == [frames, frames]
    page.evaluate("dohyo.show(1)")
    assert charts(page)["score"]["lines"] == [frames, 0]
    assert charts(page)["time"]["lines"][1] == 0
    assert "score" not in charts(show(decided()))


def faulty() -> Replay:
    """A match in which one program answers nonsense 9 times, and another exits."""

    def answers(turn: int, seat: int, dice: Any) -> Answer:
        if seat == 1:
            return Answer(f"{turn}{HOSTILE}", seconds=0.001)
        if (turn, seat) == (11, 3):
            return Answer(None, (Fault(FaultKind.EXITED, "it ended by itself", status=3),), 0.5)
        return Answer(dice.choice("UDLR"), seconds=0.001)

    return play(2, answers=answers, setup={"turns": 36})


def test_faults_are_listed_once_with_their_count(show: Open) -> None:
    """The same fault of a seat is one entry with its count; a press goes to its next turn, then anew."""
    page = show(faulty())
    entries = page.locator(".faults .jump")
    assert entries.count() == 2
    assert "malformed" in entries.nth(0).inner_text()
    assert "9 times" in entries.nth(0).inner_text()
    assert "exited, status 3: it ended by itself" in entries.nth(1).inner_text()
    assert page.locator(".faults summary").inner_text() == "Faults: 10"
    assert page.locator(".faults img").count() == 0
    for expected in (2, 6, 10):
        entries.nth(0).click()
        assert page.evaluate("dohyo.player.turn") == expected
    page.keyboard.press("End")
    entries.nth(0).click()
    assert page.evaluate("dohyo.player.turn") == 2
    assert not show(decided()).locator(".faults").is_visible()


def test_cards_say_what_a_seat_is_by_now(show: Open) -> None:
    """From the fault on, a card says that its program was stopped, and how many faults its seat has had."""
    page = show(faulty(), "#t=10")
    trouble = page.locator(".card .trouble")
    assert trouble.all_inner_texts() == ["", "Faults: 3", "", ""]
    page.evaluate("dohyo.seek(12)")
    assert trouble.nth(3).inner_text() == "program stopped in turn 11 \u00b7 Faults: 1"


def analysed(replay: Replay, **more: Any) -> dict[str, Any]:
    """Made-up chances: seat 0 wins more and more surely."""
    last = len(replay.turns)
    part = [at / last for at in range(last + 1)]
    seats = range(len(replay.header.seats))
    return {
        "chances": [
            [[p, p - 0.05, p + 0.05] if seat == 0 else [1 - p, 0.9 - p, 1 - p] for seat in seats] for p in part
        ],
        "points": [{"turn": 11, "seat": 0, "text": f"steps left {HOSTILE}", "action": "U"}],
        **more,
    }


def test_chances_are_plotted_where_a_match_was_analysed(show: Open) -> None:
    """Each seat has a line with a band; turning points stand out, are told in words, and lead to their turns."""
    replay = decided()
    assert "chances" not in charts(show(replay))
    page = show(page_of(replay, analysis=[analysed(replay, note="by hand")]))
    chances = charts(page)["chances"]
    assert chances["bands"] == 4
    assert chances["lines"] == [len(replay.turns) + 1] * 4
    assert chances["dots"] == 1
    assert page.locator(".chart-note").inner_text() == "by hand"
    assert page.evaluate(COURSES) == {
        "rounds": [2, 3, 1],
        "together": 1,
        "level": [1, 1],
        "ends": [[0, 2], [19, 0]],
        "step": 2,
        "gaps": [1, 0, 1],
        "alone": 20,
    }
    entry = page.locator(".charts .jump")
    assert "steps left <img" in entry.inner_text()
    assert "better: U" in entry.inner_text()
    entry.click()
    wait(page, "dohyo.player.turn === 12")
    assert "hunter 11" not in page.locator(".chart-told").first.inner_text()
    assert page.locator("img").count() == 0


# A value that swings with whose turn it is, among two and among three, has a level course; the ends and a step stay.
COURSES = """async () => {
    const { course, roundOf } = await import("dohyo/course.js");
    const swing = (round) => Array.from({ length: 20 }, (_, at) => [at, at % round ? 0 : round]);
    const step = Array.from({ length: 20 }, (_, at) => [at, at < 10 ? 0 : 1]);
    const inner = (points) => points.slice(3, -3).map(([, value]) => value.toFixed(6));
    return {
        rounds: [2, 3, 1].map((seats) => roundOf(Array.from({ length: 9 }, (_, at) => [{ seat: at % seats }]))),
        together: roundOf([[{ seat: 0 }, { seat: 1 }], [{ seat: 0 }, { seat: 1 }]]),
        level: [2, 3].map((round) => new Set(inner(course(swing(round), round))).size),
        ends: [course(swing(2), 2)[0], course(swing(2), 2)[19]],
        step: course(step, 2).filter(([, value]) => value > 0 && value < 1).length,
        gaps: course([[0, 1], [2, 0], [4, 1]], 2).map(([, value]) => value),
        alone: course(swing(2), 1).length,
    };
}"""


def test_chances_of_a_seats_view_are_shown_in_it_only(show: Open) -> None:
    """An analysis of what one seat saw stands in its view, the other in that of everybody; gaps are left out."""
    replay = wondev_woman(3)
    whole, own = analysed(replay), analysed(replay, seat=1, points=[])
    own["chances"][3:5] = [None, None]
    page = show(page_of(replay, analysis=[whole, own]))
    assert charts(page)["chances"]["dots"] == 1
    page.evaluate("dohyo.show(1)")
    assert "chances" not in charts(page)
    page.evaluate("dohyo.show(2)")
    assert charts(page)["chances"]["lines"] == [len(replay.turns) - 1] * 2


def test_closed_charts_stay_closed(show: Open) -> None:
    """A chart that was closed is closed in every view, and has followed the match when it is opened again."""
    page = show(wondev_woman(3), "#t=3")
    page.locator(".chart-panel summary", has_text="Score").click()
    page.evaluate("dohyo.seek(20)")
    page.evaluate("dohyo.show(1)")
    assert page.locator(".charts .chart-panel[open]").count() == 1
    page.locator(".chart-panel summary", has_text="Score").click()
    wait(page, "document.querySelector('.chart-told').textContent.startsWith('Turn 19')")
