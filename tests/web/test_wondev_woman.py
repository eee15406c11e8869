"""Wondev Woman in a browser: drawn as Python's frames say, with everybody's eyes and with each player's."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from dohyo.core.game import Frame
from dohyo.core.options import resolve
from dohyo.core.playback import moments
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Replay, Seat
from dohyo.games.wondev_woman import GAME, protocol
from tests.web.conftest import PHONE, TITLE_IS_WHOLE, Open, drawn_at

TALK = "<b>here</b> I go"


@cache
def play(seed: int, league: str = "bronze") -> Replay:
    """A match by dice, in which pushing is liked, and somebody talks now and then."""
    dice = random.Random(seed)
    setup = resolve(GAME.options, {"league": league})
    referee = Referee(GAME, setup, 2, seed)
    while not referee.over:
        (seat,) = referee.pending()
        texts = [GAME.protocol.text(action) for action in GAME.legal_actions(referee.state, seat)]
        pushes = [text for text in texts if text.startswith("PUSH")]
        said = f" {TALK}" if dice.random() < 0.3 else ""
        referee.submit({seat: Answer(dice.choice(pushes or texts) + said, seconds=0.001)})
    header = Header(
        game=GAME.name,
        rules=GAME.version,
        setup=setup,
        seats=(Seat("left"), Seat("right")),
        clock=GAME.clocks["contest"],
        seed=seed,
        software="dohyo test",
    )
    return Replay(header, referee.turns, referee.result())


@cache
def lively() -> Replay:
    """A match of the bronze league in which everything is to be seen: pushes, points, cancelled work, goings out."""
    for seed in range(1000):
        replay = play(seed)
        kinds = {mark[0] for frame in frames_of(replay) for mark in frame["marks"]}
        if len(replay.turns) > 40 and kinds == {"move", "push", "build", "score", "cancel", "out"}:
            return replay
    raise AssertionError("no match has everything")


def frames_of(replay: Replay, seat: int | None = None) -> list[Frame]:
    """The frames of a replay as a seat sees them, made here once more."""
    played = list(moments(GAME, replay))
    first = GAME.frame(played[0].before, [None] * 2, (), played[0].before, seat)
    return [first, *(GAME.frame(each.before, each.actions, each.events, each.after, seat) for each in played)]


def expected(frame: Frame, message: str | None) -> dict[str, Any]:
    """What a scene must show of a frame."""
    marks = frame["marks"]

    def unit(seat: int, number: int, cell: Sequence[int] | None) -> dict[str, Any] | None:
        if cell is None:
            return None
        x, y = cell
        up = 0.05 * min(3, frame["heights"][y][x])
        acted = any(mark[0] in ("move", "push", "cancel") and mark[1:3] == [seat, number] for mark in marks)
        return {"x": x, "y": y, "up": pytest.approx(up), "out": frame["out"][seat], "acted": acted}

    points = [frame["units"][mark[1]][mark[2]] for mark in marks if mark[0] == "score"]
    return {
        "heights": frame["heights"],
        "seen": [
            [None if height is None else seen for height, seen in zip(*rows, strict=True)]
            for rows in zip(frame["heights"], frame["seen"], strict=True)
        ],
        "units": [[unit(p, n, cell) for n, cell in enumerate(cells)] for p, cells in enumerate(frame["units"])],
        "message": message,
        "pushes": [mark[5] for mark in marks if mark[0] == "push"],
        "points": [cell for cell in points if cell is not None],
        "cancels": [mark[3] for mark in marks if mark[0] == "cancel"],
    }


def message_of(replay: Replay, position: int, frame: Frame) -> str | None:
    """What the bubble shows: what the mover said, where its action is known."""
    if position == 0 or frame["action"] is None:
        return None
    reply = replay.turns[position - 1].moves[0].reply
    return protocol.message(reply or "") or None


def highlights(replay: Replay, seat: int | None) -> int:
    """How many highlights a seat notices."""
    return sum(len(frame["highlights"]) for frame in frames_of(replay, seat))


def test_drawn_agrees_with_frames(show: Open) -> None:
    """In any view, at 20 random turns and wherever something rare happens, the scene shows what the frame says."""
    replay = lively()
    page = show(replay)
    for view in (None, 0, 1):
        frames = frames_of(replay, view)
        page.evaluate("at => dohyo.show(at)", 0 if view is None else view + 1)
        rare = [at for at, frame in enumerate(frames) if {mark[0] for mark in frame["marks"]} & {"cancel", "out"}]
        by_chance = random.Random(20).sample(range(len(frames)), 20)
        for position, scene in drawn_at(page, [0, len(frames) - 1, *rare, *by_chance]):
            wanted = expected(frames[position], message_of(replay, position, frames[position]))
            assert scene == wanted, (view, position)


@pytest.mark.parametrize("league", ["wood3", "wood2", "wood1"])
def test_other_leagues_are_drawn(show: Open, league: str) -> None:
    """With one unit a player, without fog, and in the race the scene agrees as well."""
    replay = play(5, league)
    frames = frames_of(replay)
    page = show(replay)
    for position, scene in drawn_at(page, range(len(frames))):
        assert scene == expected(frames[position], message_of(replay, position, frames[position])), position


def test_units_move_and_towers_grow_gradually(show: Open) -> None:
    """Half way, a unit is between its two cells, and the new storey is not yet there; then it comes down."""
    replay = play(3, "wood2")
    frame = frames_of(replay)[1]
    _, seat, unit, start, goal = frame["marks"][0]
    page = show(replay)
    page.evaluate("dohyo.draw(1, 0.275)")
    token = page.evaluate("dohyo.drawn()")["units"][seat][unit]
    assert token["x"] == (start[0] + goal[0]) / 2
    built = next(mark for mark in frame["marks"] if mark[0] == "build")
    x, y = built[1]
    heights = [page.evaluate(f"(dohyo.draw(1, {part}), dohyo.drawn())")["heights"][y][x] for part in (0.5, 0.8, 1)]
    assert heights == [built[2] - 1, f"{built[2] - 1} storeys, told as {built[2]}", built[2]]


def test_what_a_player_does_not_see_is_not_shown(show: Open) -> None:
    """In a player's view the score of the other is a question mark, and its action is told in general words."""
    replay = lively()
    frames = frames_of(replay, 0)
    hidden = next(at for at, frame in enumerate(frames) if frame["mover"] == 1 and len(frame["marks"]) < 2)
    page = show(replay)
    page.get_by_role("combobox", name="Seen by").select_option("1")
    page.evaluate("position => dohyo.seek(position)", hidden)
    assert page.locator(".card .status").nth(1).inner_text() == "score ?"
    assert page.locator(".caption").inner_text() == "right acts out of sight"
    page.keyboard.press("v")
    page.keyboard.press("v")
    assert page.locator(".caption").inner_text().startswith("right: unit ")


def test_the_panel_keeps_what_a_player_is_not_told(show: Open) -> None:
    """In a player's view the panel has no word of the other's actions, messages and inputs, followed or not."""
    replay = lively()
    hidden = next(at for at, frame in enumerate(frames_of(replay, 0)) if at and frame["mover"] == 1)
    own, other = replay.turns[hidden - 2].moves[0], replay.turns[hidden - 1].moves[0]
    page = show(replay)
    page.keyboard.press("i")
    panel = page.locator(".panel")
    page.evaluate("position => dohyo.seek(position)", hidden)
    assert other.action in panel.inner_text()
    page.evaluate("dohyo.show(1)")
    assert panel.locator(".move").inner_text().split() == ["1", "right", "left", "is", "not", "told", "this."]
    assert panel.locator("pre, details, .time").count() == 0
    page.evaluate("position => dohyo.seek(position)", hidden - 1)
    assert own.action in panel.inner_text()
    page.evaluate("position => dohyo.seek(position)", hidden + 1)
    page.keyboard.press("1")
    assert panel.locator(".action").count() == 0
    page.evaluate("dohyo.show(2)")
    assert panel.locator(".action").count() == 1


def test_the_time_line_keeps_what_a_player_is_not_told(show: Open) -> None:
    """In a player's view the other's marks are those that the player notices; one's own are all there."""
    unseen = (play(seed) for seed in range(1000) if highlights(play(seed), 0) < highlights(play(seed), None))
    replay = next(unseen)
    page = show(replay)
    marks = [(mark["at"], mark["seat"], mark["kind"]) for mark in page.evaluate("dohyo.marks")]
    for view in (0, 1):
        page.evaluate("at => dohyo.show(at)", view + 1)
        seen = [(mark["at"], mark["seat"], mark["kind"]) for mark in page.evaluate("dohyo.marks")]
        told = frames_of(replay, view)
        wanted = [mark for mark in marks if mark[1] == view or [mark[2], mark[1]] in told[mark[0]]["highlights"]]
        assert seen == wanted
        assert len(seen) < len(marks) or view == 1


def test_without_fog_nothing_is_kept_from_a_player(show: Open) -> None:
    """In a league without fog both players see all that is done, and the panel shows it in every view."""
    replay = play(5, "wood3")
    page = show(replay, "#t=1")
    for view in range(3):
        page.evaluate("at => dohyo.show(at)", view)
        assert page.locator(".panel .action").inner_text() == replay.turns[1].moves[0].action


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_turn_is_told_in_words(show: Open, language: str) -> None:
    """No turn of a match is told by a bare key of the table of words; for each player every fifth is looked at."""
    replay = lively()
    page = show(replay, language=language)
    for view, apart in ((0, 1), (1, 5), (2, 5)):
        told = page.evaluate(
            """([view, at]) => {
                dohyo.show(view);
                return at.map(position => {
                    dohyo.seek(position);
                    return document.querySelector(".caption").textContent;
                });
            }""",
            [view, list(range(0, len(replay.turns) + 1, apart))],
        )
        assert all(told)
        assert not [words for words in told if "wondev-woman." in words or "{" in words]


def test_nothing_sticks_out_on_a_phone(show: Open) -> None:
    """On a phone nothing has to be scrolled sideways, the title is whole, and the board uses the width."""
    page = show(lively(), "#t=20", size=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert page.evaluate(TITLE_IS_WHOLE)
    board = page.locator(".wondev-woman").bounding_box()
    assert board is not None
    assert board["width"] >= 0.9 * PHONE[0]
