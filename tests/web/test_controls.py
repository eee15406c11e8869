"""Playing, stepping, scrubbing: by buttons, by mouse and touch, by keyboard, by address."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from dohyo.core.playback import moments
from dohyo.games.drop_block import GAME
from tests.covering import covering
from tests.web.conftest import DESKTOP, PHONE, Open, wait
from tests.web.matches import decided, play, taken_up, troubled
from tests.web.test_long_names import GAMES

BACK = ("To the start", "Previous mark", "Previous turn")


def turn(page: Page) -> int:
    """The position that is shown, or on its way to be."""
    return int(page.evaluate("dohyo.player.turn"))


def at_rest(page: Page, position: int) -> None:
    """Wait until a position is shown, and nothing moves any more."""
    wait(page, f"dohyo.player.turn === {position} && dohyo.resting")


def marks(page: Page) -> list[dict[str, Any]]:
    """The marks on the time line."""
    found: list[dict[str, Any]] = page.evaluate("dohyo.marks")
    return found


def test_buttons_step_and_jump(show: Open) -> None:
    """Each button goes where it says; at an end of the match, those that lead further are off."""
    replay = decided()
    last = len(replay.turns)
    page = show(replay)
    press = lambda name: page.get_by_role("button", name=name, exact=True).click()  # noqa: E731
    assert page.get_by_role("button", name="Previous turn").is_disabled()
    press("Next turn")
    at_rest(page, 1)
    press("Next turn")
    press("Next turn")
    at_rest(page, 3)
    press("Previous turn")
    at_rest(page, 2)
    first = next(mark["at"] for mark in marks(page) if mark["at"] > 2)
    press("Next mark")
    at_rest(page, first)
    press("To the end")
    at_rest(page, last)
    assert page.get_by_role("button", name="Next turn").is_disabled()
    press("Previous mark")
    at_rest(page, max(mark["at"] for mark in marks(page) if mark["at"] < last))
    press("To the start")
    at_rest(page, 0)


def test_ways_back_and_on_are_open_while_playing(show: Open) -> None:
    """Whoever plays from the start can go back at once, by every button; after a pause only where there is a way."""
    page = show(decided())
    back = [page.get_by_role("button", name=name, exact=True) for name in BACK]
    assert all(button.is_disabled() for button in back)
    page.keyboard.press("Space")
    wait(page, "dohyo.player.turn >= 1")
    assert all(button.is_enabled() for button in back)
    page.keyboard.press("Space")
    wait(page, "dohyo.resting")
    assert all(button.is_enabled() for button in back)
    page.keyboard.press("Home")
    assert all(button.is_disabled() for button in back)


def test_keyboard_does_everything(show: Open) -> None:
    """Every key of the help does what the help says."""
    replay = decided()
    last = len(replay.turns)
    page = show(replay)
    key = page.keyboard.press
    key("ArrowRight")
    at_rest(page, 1)
    key("Shift+ArrowRight")
    at_rest(page, 11)
    key("ArrowLeft")
    at_rest(page, 10)
    key("Shift+ArrowLeft")
    at_rest(page, 0)
    key("n")
    at_rest(page, marks(page)[0]["at"])
    key("p")
    at_rest(page, 0)
    key("End")
    at_rest(page, last)
    key("Home")
    at_rest(page, 0)
    key("+")
    assert page.evaluate("dohyo.player.speed") == 2
    key("-")
    key("-")
    assert page.evaluate("dohyo.player.speed") == 0.5
    for toggle in ("Space", "k"):
        key(toggle)
        assert page.evaluate("dohyo.player.playing")
        key(toggle)
        assert not page.evaluate("dohyo.player.playing")


def test_every_key_of_the_help_is_bound(show: Open) -> None:
    """The help opens by its key, lists the keys, and closes; while it is open the match stays where it is."""
    page = show(decided(), "#t=7")
    page.keyboard.press("?")
    help_sheet = page.locator("dialog.help")
    assert help_sheet.is_visible()
    assert help_sheet.locator("kbd").count() >= 17
    page.keyboard.press("ArrowRight")
    assert turn(page) == 8
    page.keyboard.press("Escape")
    assert not help_sheet.is_visible()
    page.get_by_role("button", name="Help").click()
    assert help_sheet.is_visible()


def test_focused_button_keeps_its_key(show: Open) -> None:
    """The space bar presses the button that has the focus; after a click with the mouse it plays."""
    page = show(decided())
    page.get_by_role("button", name="Next turn").focus()
    page.keyboard.press("Space")
    at_rest(page, 1)
    page.evaluate("document.activeElement.blur()")
    page.get_by_role("button", name="Next turn").click()
    at_rest(page, 2)
    page.keyboard.press("Space")
    assert page.evaluate("dohyo.player.playing")


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_time_line_is_scrubbed(show: Open, size: tuple[int, int]) -> None:
    """A press on the time line goes there, dragging goes along, and a hint says which turn it is."""
    replay = decided()
    last = len(replay.turns)
    page = show(replay, size=size)
    box = page.locator(".timeline").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    x = lambda part: box["x"] + 20 + part * (box["width"] - 40)  # noqa: E731
    page.mouse.move(x(0.5), y)
    page.mouse.down()
    assert turn(page) == pytest.approx(last / 2, abs=1)
    page.mouse.move(x(0.25), y)
    assert turn(page) == pytest.approx(last / 4, abs=1)
    assert f"Turn {turn(page) - 1}" in page.locator(".hint").inner_text()
    page.mouse.move(x(2), y)
    assert turn(page) == last
    page.mouse.up()
    page.mouse.move(x(0.1), y)
    assert turn(page) == last


def test_time_line_by_keyboard(show: Open) -> None:
    """The time line takes the focus, says its turn, and moves one turn by an arrow, not two."""
    page = show(decided(), "#t=10")
    slider = page.get_by_role("slider")
    slider.focus()
    assert slider.get_attribute("aria-valuetext") == "Turn 10"
    page.keyboard.press("ArrowRight")
    at_rest(page, 12)
    assert slider.get_attribute("aria-valuetext") == "Turn 11"


def test_playing_runs_to_the_end(show: Open) -> None:
    """Playing goes on by itself and stops at the end, where the result is shown; played again, it begins anew."""
    page = show(play(1, letters="UDLR", setup={"turns": 24}))
    page.get_by_role("combobox", name="Speed").select_option("16")
    page.get_by_role("button", name="Play").click()
    at_rest(page, 24)
    assert page.locator(".banner").is_visible()
    page.get_by_role("combobox", name="Speed").select_option("0.25")
    page.get_by_role("button", name="Play").click()
    wait(page, "dohyo.player.playing && dohyo.player.turn < 24")


@pytest.mark.parametrize(("game", "size"), covering(GAMES, [DESKTOP, (1024, 600), PHONE]))
def test_play_can_be_pressed_while_a_bot_is_followed(show: Open, game: str, size: tuple[int, int]) -> None:
    """In every game, whoever is followed, the board stays in its place, and a click on Play plays."""
    page = show(GAMES[game](), "#t=9", size=size)
    for seat in "01":
        page.keyboard.press(seat)
        board, footer = page.locator(".board > svg").bounding_box(), page.locator("footer").bounding_box()
        assert board
        assert footer
        assert board["height"] <= size[1]
        if size != PHONE:
            assert board["y"] + board["height"] <= footer["y"]
        page.get_by_role("button", name="Play").click(timeout=5000)
        assert page.evaluate("dohyo.player.playing")
        page.keyboard.press("Space")


def test_pause_finishes_the_turn(show: Open) -> None:
    """A pause in the middle of a turn comes to rest on a whole one."""
    page = show(decided())
    page.keyboard.press("Space")
    wait(page, "dohyo.player.turn >= 2")
    page.keyboard.press("Space")
    wait(page, "dohyo.resting")
    assert page.evaluate("Number.isInteger(dohyo.player.position)")


def test_marks_are_attacks_falls_and_faults(show: Open) -> None:
    """Every highlight of a frame and every fault of a move has its mark, at its turn and seat; nothing else has."""
    for replay, kinds in ((decided(), {"attack", "fall"}), (troubled(), {"fault"})):
        expected = set()
        for at, each in enumerate(moments(GAME, replay), start=1):
            frame = GAME.frame(each.before, each.actions, each.events, each.after)
            expected |= {(at, seat, kind) for kind, seat in frame["highlights"]}
            expected |= {(at, move.seat, "fault") for move in each.turn.moves if move.faults}
        found = {(mark["at"], mark["seat"], mark["kind"]) for mark in marks(show(replay))}
        assert found == expected
        assert {kind for _, _, kind in found} == kinds


def test_address_links_to_a_turn(show: Open) -> None:
    """`#t=` opens at a turn, follows a change of the address, and is written where the viewer comes to rest."""
    page = show(decided(), "#t=20")
    assert turn(page) == 21
    assert page.evaluate("dohyo.frame.turn") == 21
    page.evaluate("location.hash = '#t=4'")
    wait(page, "dohyo.player.turn === 5")
    page.keyboard.press("ArrowRight")
    at_rest(page, 6)
    assert page.evaluate("location.hash") == "#t=5"
    page.evaluate("location.hash = '#t=start'")
    wait(page, "dohyo.player.turn === 0")
    page.evaluate("location.hash = '#t=99999'")
    wait(page, "dohyo.player.turn === dohyo.player.last")


def test_turns_of_a_match_taken_up_are_numbered_on(show: Open) -> None:
    """Where a match was taken up at turn 20, line, panel, time line and address say 20 for its first turn."""
    whole = decided()
    page = show(taken_up(whole, 20), "#t=22")
    assert turn(page) == 3
    assert page.evaluate("dohyo.frame.turn") == 23
    assert page.locator(".count").inner_text() == f"Turn 22 / {len(whole.turns) - 1}"
    assert page.locator(".panel h2").inner_text() == "Turn 22"
    assert page.get_by_role("slider", name="Turn").get_attribute("aria-valuetext") == "Turn 22"
    page.keyboard.press("ArrowRight")
    at_rest(page, 4)
    assert page.evaluate("location.hash") == "#t=23"
    page.evaluate("location.hash = '#t=3'")
    wait(page, "dohyo.player.turn === 0")


def test_reduced_motion_is_respected(show: Open) -> None:
    """For who wants nothing to move, a step is there at once, and playing shows whole turns only."""
    page = show(decided(), reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    two_pictures = "new Promise(shown => requestAnimationFrame(() => requestAnimationFrame(shown)))"
    assert page.evaluate(f"{two_pictures}.then(() => dohyo.resting && dohyo.player.turn === 1)")
    drawn = page.evaluate("dohyo.drawn().players.filter(Boolean)")
    assert all(float(player[key]).is_integer() for player in drawn for key in ("row", "column"))
    page.keyboard.press("Space")
    seen = page.evaluate(
        """async () => {
            const seen = [];
            while (dohyo.player.turn < 6) {
                await new Promise(requestAnimationFrame);
                seen.push(...dohyo.drawn().players.filter(Boolean).flatMap(player => [player.row, player.column]));
            }
            return seen;
        }"""
    )
    assert all(float(number).is_integer() for number in seen)
