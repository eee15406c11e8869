"""Bots with long names, in every game: nothing leaves the screen, and a name of twenty letters is read whole."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import Locator

from dohyo.core.replay import Replay
from tests.covering import covering
from tests.games.abotcalypse.matches import play as abotcalypse
from tests.web.conftest import DESKTOP, PHONE, Open
from tests.web.matches import decided
from tests.web.test_shoot_em_up import play as shoot_em_up
from tests.web.test_wondev_woman import play as wondev_woman

NAMES = ("twenty_letters_of_it", "Many words in a name", "MMMMMMMMMMMMMMMMMMMM", "c" * 300)
GAMES: dict[str, Callable[[], Replay]] = {
    "abotcalypse": lambda: abotcalypse(2, bots=5, turns=30),
    "drop-block": decided,
    "shoot-em-up": lambda: shoot_em_up(2),
    "wondev-woman": lambda: wondev_woman(2),
}


LAID_OUT = """view => {
    dohyo.show(view);
    const controls = [...document.querySelectorAll("header button, header select")];
    const boxes = controls.map(control => control.getBoundingClientRect()).map(({ left, right }) => [left, right]);
    return [document.documentElement.scrollWidth, boxes];
}"""


def named(replay: Replay) -> Replay:
    """The same match, of bots with long names."""
    seats = tuple(
        msgspec.structs.replace(seat, name=NAMES[at % len(NAMES)]) for at, seat in enumerate(replay.header.seats)
    )
    return Replay(msgspec.structs.replace(replay.header, seats=seats), replay.turns, replay.result)


def cut(names: Locator) -> list[str]:
    """Those of the elements whose text is cut, names of more than twenty letters left out."""
    found: list[str] = names.evaluate_all(
        """nodes => nodes.filter(node => node.checkVisibility() && node.textContent.length <= 20)
            .filter(node => node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight)
            .map(node => node.textContent)"""
    )
    return found


@pytest.mark.parametrize(("game", "size"), covering(GAMES, [DESKTOP, PHONE]))
def test_long_names_stay_on_the_screen(show: Open, game: str, size: tuple[int, int]) -> None:
    """In every view, from start to end, the page is no wider than the screen, and the header's buttons lie on it."""
    page = show(named(GAMES[game]()), size=size)
    choices = page.get_by_role("combobox", name="Seen by").locator("option").count()
    for position in (0, 10, 9999):
        page.evaluate("position => dohyo.seek(position)", position)
        for view in range(max(1, choices)):
            width, boxes = page.evaluate(LAID_OUT, view)
            assert width <= size[0]
            assert boxes
            for left, right in boxes:
                assert left >= 0
                assert right <= size[0]
                assert right - left >= 44


@pytest.mark.parametrize(("game", "size"), covering(GAMES, [DESKTOP, PHONE]))
def test_names_of_twenty_letters_are_whole(show: Open, game: str, size: tuple[int, int]) -> None:
    """On the cards, beside each move and in the standings, names are not cut where an action and words stand by."""
    page = show(named(GAMES[game]()), size=size)
    for position in (1, 2, 11, 9999):
        page.evaluate("position => dohyo.seek(position)", position)
        assert page.locator(".move .name").count()
        assert cut(page.locator(".name")) == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_robots_line_is_whole(show: Open, size: tuple[int, int]) -> None:
    """What a robot with a name of twenty letters did is told under the board in full."""
    page = show(named(shoot_em_up(2)), size=size)
    for position in range(12):
        page.evaluate("position => dohyo.seek(position)", position)
        caption = page.locator(".caption")
        assert caption.evaluate("node => node.scrollHeight <= node.clientHeight"), caption.inner_text()
