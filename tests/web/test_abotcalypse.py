"""aBOTcalypse in a browser: drawn as Python's frames say, small enough to send, with the window of one bot."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page

from dohyo.core.game import Frame
from dohyo.core.playback import moments
from dohyo.core.replay import Replay
from dohyo.games.abotcalypse import GAME
from dohyo.web.page import html
from tests.covering import covering
from tests.games.abotcalypse.matches import RESTLESS, play
from tests.web.conftest import DESKTOP, PHONE, Open, drawn_at

MAX_BYTES = 3_000_000


def frames_of(replay: Replay) -> list[Frame]:
    """The frames of a replay, made here once more: before the first turn, then after each."""
    played = list(moments(GAME, replay))
    nobody = [None] * len(replay.header.seats)
    first = GAME.frame(played[0].before, nobody, (), played[0].before)
    return [first, *(GAME.frame(each.before, each.actions, each.events, each.after) for each in played)]


def expected(frame: Frame) -> dict[str, Any]:
    """What a scene must show of a frame."""
    bots = frame["bots"]
    marks = frame["marks"]
    return {
        "columns": frame["columns"],
        "bots": [[bot["x"], bot["y"]] if bot["alive"] else None for bot in bots],
        "meteors": [[pytest.approx(x, abs=0.011), pytest.approx(y, abs=0.011)] for x, y, _, _ in frame["meteors"]],
        "throws": [mark[1] for mark in marks if mark[0] == "throw"],
        "hits": [mark[1:3] for mark in marks if mark[0] == "hit"],
        "deaths": [
            {"seat": seat, "at": [bots[seat]["x"], bots[seat]["y"]], "cause": cause}
            for kind, seat, cause, *_ in (mark for mark in marks if mark[0] == "died")
            if kind
        ],
        "sight": None,
    }


def drawn(page: Page, position: int) -> Any:
    """What the scene shows at a position."""
    return page.evaluate("position => { dohyo.seek(position); return dohyo.drawn(); }", position)


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_ground_and_sky_end_together(show: Open, size: tuple[int, int]) -> None:
    """The ground is as wide as the sky; on a phone, a bot's own square is large enough to be seen."""
    page = show(play(2, bots=2, turns=30), size=size)
    page.evaluate("dohyo.seek(dohyo.player.last)")
    sky, floor = (page.locator(f".abotcalypse .{name}").bounding_box() for name in ("sky", "floor"))
    assert sky is not None
    assert floor is not None
    assert (sky["x"], sky["width"]) == pytest.approx((floor["x"], floor["width"]))
    living = [box["width"] for one in page.locator(".abotcalypse .own-square").all() if (box := one.bounding_box())]
    assert min(living, default=9) >= 4


@pytest.mark.parametrize(("bots", "rules"), [(10, "post"), (100, "post"), (12, "classic")])
def test_drawn_agrees_with_frames(show: Open, bots: int, rules: str) -> None:
    """At 20 random turns and wherever a bot dies, the scene shows what Python's frame says."""
    replay = play(2, bots=bots, turns=120, rules=rules)
    frames = frames_of(replay)
    page = show(replay)
    deaths = [at for at, frame in enumerate(frames) if frame["highlights"]]
    assert {mark[0] for frame in frames for mark in frame["marks"]} == {"throw", "hit", "rock", "died"}
    by_chance = random.Random(20).sample(range(len(frames)), 20)
    for position, scene in drawn_at(page, [0, len(frames) - 1, *deaths[:12], *by_chance]):
        assert scene == expected(frames[position]), position


def test_bots_and_meteors_move_gradually(show: Open) -> None:
    """A quarter of a turn on, a moving bot is between its squares, and so is a meteor."""
    replay = play(2, turns=40)
    frames = frames_of(replay)
    at, seat = next(
        (at, seat)
        for at in range(5, len(frames))
        for seat, bot in enumerate(frames[at]["bots"])
        if bot["alive"] and bot["y"] > frames[at - 1]["bots"][seat]["y"]
    )
    page = show(replay)
    page.evaluate("at => dohyo.draw(at, 0.25)", at)
    scene = page.evaluate("dohyo.drawn()")
    assert scene["bots"][seat][1] == frames[at - 1]["bots"][seat]["y"] + 0.5
    x, y, across, upward = frames[at]["meteors"][0]
    assert scene["meteors"][0] == pytest.approx([x - 0.75 * across, y - 0.75 * upward], abs=0.011)


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_followed_bot_shows_its_window(show: Open, size: tuple[int, int]) -> None:
    """Whoever follows a bot sees the outline of what it is sent, and its input below; once more, and it is gone."""
    replay = play(2, turns=40)
    page = show(replay, "#t=10", size=size)
    bot = frames_of(replay)[11]["bots"][1]
    page.keyboard.press("1")
    x, y, width, height = page.evaluate("dohyo.drawn()")["sight"]
    left, right = max(-1, bot["x"] - 20), min(101, bot["x"] + 21)
    assert (x, width) == (left, right - left)
    assert (y, height) == (100 - (bot["y"] + 21), bot["y"] + 22 - max(0, bot["y"] - 20))
    page.keyboard.press("i")
    text = page.locator(".sent pre.input").inner_text()
    assert text.rstrip("\n").splitlines()[-1].strip("#") == ""
    assert len(text.splitlines()) == 22
    page.keyboard.press("1")
    assert page.evaluate("dohyo.drawn()")["sight"] is None


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    """Where elements are on the screen, those left out that are not shown."""
    found: list[dict[str, float]] = page.locator(selector).evaluate_all(
        """nodes => nodes.map(node => node.getBoundingClientRect()).filter(({ width }) => width)
            .map(({ left, right, top, bottom, width }) => ({ left, right, top, bottom, width }))"""
    )
    return found


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_tokens_can_be_read_on_the_whole_board(show: Open, size: tuple[int, int]) -> None:
    """Where all columns are shown, a token is at least 20 pixels wide, above its bot's own square."""
    page = show(play(2, turns=60), "#t=50", size=size)
    tokens, squares = boxes(page, ".contender .token"), boxes(page, ".contender .own-square")
    assert len(tokens) == len(squares) >= 5
    for token, square in zip(tokens, squares, strict=True):
        assert token["width"] >= 20
        assert token["bottom"] <= square["top"]
        assert (token["left"] + token["right"]) == pytest.approx(square["left"] + square["right"], abs=1)


@pytest.mark.parametrize(("bots", "size"), covering([10, 100], [DESKTOP, PHONE]))
def test_the_lower_part_shows_all_that_matters(show: Open, bots: int, size: tuple[int, int]) -> None:
    """Every bot, its token, every rock and 40 rows above the highest of them are on the board at any time."""
    page = show(play(2, bots=bots, turns=80), size=size)
    for position in range(0, 81, 16):
        scene = drawn(page, position)
        highest = max([0, *(bot[1] for bot in scene["bots"] if bot)])
        highest = max([highest, *(run[1] for runs in scene["columns"] for run in runs)])
        (board,) = boxes(page, "svg.abotcalypse")
        shown = page.evaluate(
            """() => { const scene = document.querySelector("svg.abotcalypse");
                const point = new DOMPoint(0, scene.getBoundingClientRect().top);
                return 100 - point.matrixTransform(scene.getScreenCTM().inverse()).y; }"""
        )
        assert shown >= min(100, highest + 40)
        for box in boxes(page, ".contender .token, .contender .own-square, .rocks"):
            assert board["left"] <= box["left"]
            assert box["right"] <= board["right"]
            assert board["top"] <= box["top"]
            assert box["bottom"] <= board["bottom"]


def test_cards_say_that_a_bot_died(show: Open) -> None:
    """The card of a bot that is dead says so, with the cause and the turn."""
    page = show(play(2, turns=60), "#t=59")
    dead = {seat: bot["died"] for seat, bot in enumerate(page.evaluate("dohyo.frame.bots")) if not bot["alive"]}
    assert dead
    for seat, (turn, cause) in dead.items():
        assert page.locator(".card .status").nth(seat).inner_text() == f"died: {cause}, turn {turn}"


@pytest.mark.parametrize("answers", [None, RESTLESS])
def test_page_of_a_long_game_is_small(answers: list[str] | None) -> None:
    """500 turns of 10 bots, every input in it, stay under 3 MB; also when every window changes in every turn."""
    replay = play(2, answers=answers)
    assert len(replay.turns) == 500
    assert len(html(replay).encode()) < MAX_BYTES
