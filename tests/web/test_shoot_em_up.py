"""Shoot-Em-Up in a browser: drawn as Python's frames say, with everybody's eyes and with each robot's."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Frame
from dohyo.core.options import resolve
from dohyo.core.playback import moments
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Replay, Seat
from dohyo.games.shoot_em_up import GAME
from dohyo.games.shoot_em_up.rules import random_action
from tests.web.conftest import PHONE, TITLE_IS_WHOLE, Open, drawn_at

SIZES = ((1280, 800), PHONE)
HOSTILE = "/ <b>here</b>\n/ \x1b[31mred\u202e\n"


def play(seed: int, lines: Sequence[str] = (), **given: Any) -> Replay:
    """A combat by dice, or one that begins with these lines; after "!" a program fails."""
    setup = resolve(GAME.options, given)
    referee = Referee(GAME, setup, 2, seed)
    chance = GAME.source(seed + 1)
    while not referee.over:
        (seat,) = referee.pending()
        if referee.turn < len(lines):
            line = lines[referee.turn]
        else:
            line = GAME.protocol.text(random_action(referee.state, seat, chance))
        answer = Answer(line, seconds=0.001, comments=HOSTILE if referee.turn == 2 else "")
        referee.submit({seat: Answer(None, (Fault(FaultKind.CLOSED),), 1.0) if line == "!" else answer})
    header = Header(
        game=GAME.name,
        rules=GAME.version,
        setup=setup,
        seats=(Seat("left"), Seat("right")),
        clock=GAME.clocks["text"],
        seed=seed,
        software="dohyo test",
    )
    return Replay(header, referee.turns, referee.result())


@cache
def lively() -> Replay:
    """A combat of some length that ends by the third hit, in which both were hit, and met on one square."""
    for seed in range(1000):
        replay = play(seed)
        robots = [frame["robots"] for frame in frames_of(replay)]
        met = any((one["x"], one["y"]) == (other["x"], other["y"]) for one, other in robots)
        if len(robots) > 100 and met and all(robot["hits"] for robot in robots[-1]):
            return replay
    raise AssertionError("no combat has everything")


def frames_of(replay: Replay, seat: int | None = None) -> list[Frame]:
    """The frames of a replay as a seat sees them, made here once more."""
    played = list(moments(GAME, replay))
    first = GAME.frame(played[0].before, [None] * 2, (), played[0].before, seat)
    return [first, *(GAME.frame(each.before, each.actions, each.events, each.after, seat) for each in played)]


def square(x: int, y: int) -> dict[str, int]:
    """A square as the scene tells it."""
    return {"x": x, "y": y}


def expected(frame: Frame) -> dict[str, Any]:
    """What a scene must show of a frame."""
    left = {mark[1]: mark[2:] for mark in frame["marks"] if mark[0] == "left"}

    def robot(p: int, told: dict[str, Any]) -> dict[str, Any] | None:
        if told["x"] is None:
            return None
        dx, dy = left.get(p) or (0, 0)
        return {
            **square(told["x"] + dx, told["y"] + dy),
            "hits": told["hits"],
            "ready": told["ready"],
            "acted": frame["mover"] == p,
            "lost": told["lost"] is not None,
        }

    def shot(p: int, told: dict[str, Any]) -> dict[str, Any] | None:
        if told["shot"] is None:
            return None
        crossed = [square(*each) for each in told["shot"]["squares"]]
        return {"power": told["shot"]["power"], "fresh": frame["mover"] == p, "squares": crossed}

    robots = list(enumerate(frame["robots"]))
    seen = {p: told for p, told in robots if told["x"] is not None}
    hit = [(p, told) for p, told in seen.items() if told["hit"]]
    return {
        "robots": [robot(p, told) for p, told in robots],
        "shots": [shot(p, told) for p, told in robots],
        "flashes": [square(seen[m[1]]["x"], seen[m[1]]["y"]) for m in frame["marks"] if m[0] == "hit"],
        "arrows": [{"seat": p, **square(told["x"], told["y"]), "toward": told["hit"]} for p, told in hit],
        "lines": len(hit) if len(seen) == 1 else 0,
    }


def test_drawn_agrees_with_frames(show: Open) -> None:
    """At 20 random turns, at the ends and at every hit, the scene shows what Python's frame says, in any view."""
    replay = lively()
    page = show(replay)
    for view in (None, 0, 1):
        frames = frames_of(replay, view)
        page.evaluate("at => dohyo.show(at)", 0 if view is None else view + 1)
        hits = [at for at, frame in enumerate(frames) if any(mark[0] == "hit" for mark in frame["marks"])]
        by_chance = random.Random(20).sample(range(len(frames)), 20)
        assert hits
        for position, scene in drawn_at(page, [0, 1, len(frames) - 1, *hits, *by_chance]):
            assert scene == expected(frames[position]), (view, position)


@pytest.mark.parametrize(
    "lines",
    [
        ["M -1 0"],
        ["M 0 0", "M 1 -1"],
        ["M 0 0", "!"],
        ["S 1 0", "S -1 0", "S 1 0", "S -1 0", "!"],
        ["S 1 0", "M 0 0", "M 0 0", "M 0 0", "S 1 0", "M 0 0", "M 0 0", "M 0 0", "S 1 0"],
    ],
)
def test_every_end_is_drawn(show: Open, lines: list[str]) -> None:
    """Who leaves the board stands beside it, crossed out; who is shot down or fails, where it was, in any view."""
    replay = play(1, lines, places="0,0,9,0")
    page = show(replay)
    for view in (None, 0, 1):
        frames = frames_of(replay, view)
        page.evaluate("at => dohyo.show(at)", 0 if view is None else view + 1)
        for position, scene in drawn_at(page, range(len(frames))):
            assert scene == expected(frames[position]), (view, position)


def test_a_long_combat_without_hits_has_its_moments(show: Open) -> None:
    """A shot that just missed is marked; playing by moments runs over what lies between, and slows down before it."""
    lines = ["M 0 0"] * 200
    lines[120] = "S 1 0"
    page = show(play(1, lines, places="0,0,5,1", pairs=100))
    assert [(mark["at"], mark["kind"]) for mark in page.evaluate("dohyo.marks")] == [(121, "near")]
    page.get_by_role("combobox", name="Speed").select_option("moments")
    seen = page.evaluate(
        """async () => {
            dohyo.player.play();
            const seen = [];
            while (dohyo.player.position < 118.2) {
                await new Promise(requestAnimationFrame);
                seen.push(dohyo.player.position);
            }
            dohyo.player.pause();
            return seen;
        }"""
    )
    assert 118 in seen
    assert len([at for at in seen if at < 118]) < 100
    page.evaluate("dohyo.show(1)")
    assert page.evaluate("dohyo.marks") == []


def test_draw_is_shown_as_one(show: Open) -> None:
    """At the limit nobody is crossed out, and the banner says so."""
    page = show(play(1, ["M 0 0", "S 0 1"], places="0,0,9,0", pairs=1), "#t=1")
    assert [robot["lost"] for robot in page.evaluate("dohyo.drawn()")["robots"]] == [False, False]
    assert "limit of moves" in page.locator(".banner").inner_text()


@pytest.mark.parametrize("size", SIZES)
def test_robots_can_be_seen_where_they_stand(show: Open, size: tuple[int, int]) -> None:
    """On each robot's square, as the page lays it out, that robot is on top; both, where they share one."""
    replay = lively()
    frames = frames_of(replay)
    page = show(replay, size=size)
    on_top = """([position, x, y]) => {
        dohyo.seek(position);
        document.querySelector(".banner").hidden = true;
        const board = document.querySelector(".ground").getBoundingClientRect();
        const square = board.width / 10.06;
        return [-0.27, 0, 0.27].map(away => {
            const [left, top] = [board.left + (x + 0.53 + away) * square, board.top + (y + 0.53 + away) * square];
            return document.elementFromPoint(left, top).closest(".robot")?.querySelector(".number").textContent ?? "";
        });
    }"""
    shared = [at for at, frame in enumerate(frames) if same_square(frame)]
    for position in [0, *random.Random(3).sample(range(len(frames)), 12), shared[0]]:
        for seat, robot in enumerate(frames[position]["robots"]):
            assert str(seat) in page.evaluate(on_top, [position, robot["x"], robot["y"]]), position


def same_square(frame: Frame) -> bool:
    """Whether both robots stand on one square."""
    one, other = frame["robots"]
    return bool((one["x"], one["y"]) == (other["x"], other["y"]))


def test_robots_move_gradually(show: Open) -> None:
    """Half way through its movement a robot is between two squares; a charging gun's ring closes meanwhile."""
    page = show(play(1, ["M 1 1", "S 0 1", "S 1 0", "M 0 0"], places="3,3,8,8"))
    page.evaluate("dohyo.draw(1, 0.35)")
    robot = page.evaluate("dohyo.drawn()")["robots"][0]
    assert (robot["x"], robot["y"]) == (3.5, 3.5)
    ring = "Number(document.querySelectorAll('.gun')[1].getAttribute('stroke-dasharray').split(' ')[0])"
    closed = [page.evaluate(f"(dohyo.draw(4, {part}), {ring})") for part in (0, 0.5, 1)]
    assert closed[0] == 0 < closed[1] < closed[2]


def test_shots_fade(show: Open) -> None:
    """A beam flies and is gone when the turn is over; its marks pale in the next turn, and go in the one after."""
    page = show(play(1, ["S 1 0", "M 0 0", "M 0 0"], places="0,0,9,9"))
    beam = "document.querySelector('.beam')"
    assert page.evaluate(f"(dohyo.draw(1, 0.3), {beam}.getAttribute('display'))") == "inline"
    bright = page.evaluate(f"(dohyo.draw(1, 0.35), Number({beam}.getAttribute('opacity')))")
    assert page.evaluate(f"(dohyo.draw(1, 0.8), Number({beam}.getAttribute('opacity')))") < bright
    assert page.evaluate(f"(dohyo.draw(1, 1), {beam}.getAttribute('display'))") == "none"
    mark = "Number([...document.querySelectorAll('.sign.edge')].at(-1).parentNode.getAttribute('opacity'))"
    marks = [
        page.evaluate(f"(dohyo.draw({turn}, {part}), {mark})") for turn, part in ((1, 1), (2, 1), (3, 0.1), (3, 1))
    ]
    assert marks[0] == 1 > marks[1] > marks[2] > marks[3] == 0


def test_robot_knows_nothing_but_hits(show: Open) -> None:
    """In a robot's view the other is not there, its hits are a question mark, and where a hit came from is told."""
    page = show(play(1, ["M 0 0", "S -1 0", "M 0 0", "M 0 0"], places="2,5,9,5"))
    page.get_by_role("combobox", name="Seen by").select_option("1")
    page.evaluate("dohyo.seek(2)")
    assert page.locator(".caption").inner_text() == "left is hit from the right"
    assert page.locator(".card .status").all_inner_texts() == ["hits 1 \u00b7 ready", "hits ?"]
    assert page.locator(".robot:visible").count() == 1
    page.evaluate("dohyo.seek(4)")
    assert page.locator(".caption").inner_text() == "right acts, unseen"
    page.keyboard.press("v")
    page.evaluate("dohyo.seek(2)")
    assert page.locator(".caption").inner_text() == "right shoots left"
    page.keyboard.press("v")
    assert page.locator(".caption").inner_text() == "right shoots left \u00b7 left is hit"


def test_the_panel_keeps_what_a_robot_cannot_know(show: Open) -> None:
    """In a robot's view neither the other's action nor its comments stand in the panel."""
    page = show(play(1, ["M 0 0", "M 0 0", "S 1 0", "M 0 0"], places="2,5,9,5"), "#t=2")
    assert page.locator(".panel .action").inner_text() == "S 1 0"
    page.evaluate("dohyo.show(2)")
    assert page.locator(".panel").inner_text().split()[-6:] == ["left", "right", "is", "not", "told", "this."]
    page.evaluate("dohyo.show(1)")
    assert "red" in page.locator(".panel").inner_text()


def test_comments_are_shown_with_their_move(show: Open) -> None:
    """What a program said beside its move stands in the panel, as text."""
    page = show(play(1, ["M 0 0"] * 4, places="2,5,9,5"), "#t=2")
    assert "Comments" in page.locator(".written .label").first.inner_text()
    shown = page.locator(".written pre").first.inner_text()
    assert shown.startswith("/ <b>here</b>\n/ ")
    assert "\x1b" not in shown


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_turn_is_told_in_words(show: Open, language: str) -> None:
    """No turn of a combat is told by a bare key of the table of words; for each player every fifth is looked at."""
    page = show(lively(), language=language)
    for view, apart in ((0, 1), (1, 5), (2, 5)):
        told = page.evaluate(
            """([view, apart]) => {
                dohyo.show(view);
                return Array.from({ length: Math.floor(dohyo.player.last / apart) + 1 }, (_, at) => {
                    dohyo.seek(at * apart);
                    return document.querySelector(".caption").textContent;
                });
            }""",
            [view, apart],
        )
        assert all(told)
        assert not [words for words in told if "shoot-em-up." in words or "{" in words]


def test_nothing_sticks_out_on_a_phone(show: Open) -> None:
    """On a phone nothing has to be scrolled sideways, the title is whole, and the board uses the width."""
    page = show(lively(), "#t=20", size=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert page.evaluate(TITLE_IS_WHOLE)
    board = page.locator(".shoot-em-up").bounding_box()
    assert board is not None
    assert board["width"] >= 0.9 * PHONE[0]


@pytest.mark.parametrize("size", [(1280, 800), (820, 1180)])
def test_the_sign_beside_the_title_is_round(show: Open, size: tuple[int, int]) -> None:
    """Where the header has little room, the title takes two lines rather than that the ring is squeezed."""
    box = show(play(1, ["M 0 0"] * 4, places="2,5,9,5"), size=size).locator("header .ring").bounding_box()
    assert box is not None
    assert box["width"] == pytest.approx(box["height"])
