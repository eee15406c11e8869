"""What is drawn agrees with the frames that Python made; between two frames it moves from one to the other."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from dohyo.core.game import Frame
from dohyo.core.playback import moments
from dohyo.core.replay import Replay
from dohyo.games.drop_block import GAME
from dohyo.web.differences import difference
from tests.web.conftest import PHONE, Open, drawn_at
from tests.web.matches import NAMES, decided, longest, play
from tests.web.values import pairs


def frames_of(replay: Replay) -> list[Frame]:
    """The frames of a replay, made here once more: before the first turn, then after each."""
    played = list(moments(GAME, replay))
    first = GAME.frame(played[0].before, [None] * 4, (), played[0].before)
    return [first, *(GAME.frame(each.before, each.actions, each.events, each.after) for each in played)]


def expected(frame: Frame) -> dict[str, Any]:
    """What a scene must show of a frame."""
    falls = [mark[1:] for mark in frame["marks"] if mark[0] == "fall"]
    return {
        "blocks": [{"value": value, "solid": value >= 0, "cracked": value > 0} for value in frame["blocks"]],
        "players": [
            None
            if player["row"] is None
            else {key: player[key] for key in ("row", "column", "facing", "stun")} | {"name": NAMES[seat]}
            for seat, player in enumerate(frame["players"])
        ],
        "aims": [
            {"row": mark[2] // 6 * 3 + 1, "column": mark[2] % 6 * 3 + 1}
            for mark in frame["marks"]
            if mark[0] == "aim"
        ],
        "falls": [{"seat": seat, "row": row, "column": column} for seat, row, column in falls],
        "blocked": sum(mark[0] == "blocked" for mark in frame["marks"]),
    }


def chosen(frames: list[Frame]) -> list[int]:
    """The start, the end, every fall, and 20 positions by chance."""
    falls = [at for at, frame in enumerate(frames) if any(mark[0] == "fall" for mark in frame["marks"])]
    by_chance = random.Random(20).sample(range(len(frames)), 20)
    return [0, len(frames) - 1, *falls, *by_chance]


@pytest.mark.parametrize("match", [decided, longest])
def test_drawn_agrees_with_frames(show: Open, match: Any) -> None:
    """At 20 random turns, at every fall, at the start and the end, the scene shows what Python's frame says."""
    replay = match()
    frames = frames_of(replay)
    page = show(replay)
    for position, scene in drawn_at(page, chosen(frames)):
        assert scene == expected(frames[position]), position


def test_attacks_and_blocked_steps_are_drawn(show: Open) -> None:
    """Each kind of mark is drawn in a turn that has it: the test of random turns may have missed it."""
    replay = decided()
    frames = frames_of(replay)
    page = show(replay)
    for kind in ("aim", "blocked", "fall", "drop", "return"):
        turns = [at for at, frame in enumerate(frames) if any(mark[0] == kind for mark in frame["marks"])]
        for at, scene in drawn_at(page, turns[:5]):
            assert scene == expected(frames[at]), (kind, at)
        assert turns, kind


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_players_can_be_seen_where_they_stand(show: Open, size: tuple[int, int]) -> None:
    """In the middle of each player's square, as the page lays it out, that player is on top."""
    replay = decided()
    frames = frames_of(replay)
    page = show(replay, size=size)
    on_top = """([position, row, column]) => {
        dohyo.seek(position);
        document.querySelector(".banner").hidden = true;
        const board = document.querySelector(".drop-block .void").getBoundingClientRect();
        const square = board.width / 18.2;
        const x = board.left + (column + 0.6) * square, y = board.top + (row + 0.6) * square;
        return document.elementFromPoint(x, y).closest(".player")?.querySelector(".number").textContent ?? null;
    }"""
    for position in chosen(frames)[:12]:
        for seat, player in enumerate(frames[position]["players"]):
            if player["row"] is not None:
                assert page.evaluate(on_top, [position, player["row"], player["column"]]) == str(seat)


HIDDEN_NUMBERS = """apart => {
    const shown = nodes => [...nodes].filter(node => node.checkVisibility())
        .map(node => node.getBoundingClientRect());
    const hidden = [];
    let named = 0;
    for (let at = 0; at <= dohyo.player.last; at += apart) {
        dohyo.seek(at);
        const numbers = shown(document.querySelectorAll(".countdown text, .chevron.edge"));
        const labels = shown(document.querySelectorAll(".drop-block .label"));
        named += labels.length;
        for (const label of labels)
            if (numbers.some(one => label.left + 2 < one.right && one.left + 2 < label.right
                && label.top + 3 < one.bottom && one.top + 3 < label.bottom)) hidden.push(at);
    }
    return [hidden, named];
}"""


def test_names_hide_no_numbers(show: Open, full: bool) -> None:
    """No player's name lies over the number of a block, or over an attack's chevrons, in any turn; most have names.

    Without --full, every fourth turn is looked at: a number stands for at least four.
    """
    apart = 1 if full else 4
    replay = play(7, letters="UDLRAA", names=["fourteen words", "a bot of night", "Many, many men", "hunter of them"])
    hidden, named = show(replay).evaluate(HIDDEN_NUMBERS, apart)
    standing = sum(player["row"] is not None for frame in frames_of(replay)[::apart] for player in frame["players"])
    assert hidden == []
    assert named > 0.8 * standing


def between(page: Page, position: int, progress: float) -> Any:
    """What the scene shows on the way to a position."""
    return page.evaluate(
        "([at, progress]) => { dohyo.draw(at, progress); return dohyo.drawn(); }", [position, progress]
    )


def test_players_move_from_square_to_square(show: Open) -> None:
    """Half way through a step, a player is drawn between its two squares."""
    replay = play(1, letters="UDLR", setup={"turns": 40})
    frames = frames_of(replay)
    page = show(replay)
    steps = 0
    for at in range(1, len(frames)):
        seat = frames[at]["mover"]
        old, new = frames[at - 1]["players"][seat], frames[at]["players"][seat]
        if (old["row"], old["column"]) != (new["row"], new["column"]):
            half = between(page, at, 0.5)["players"][seat]
            assert half["row"] == (old["row"] + new["row"]) / 2
            assert half["column"] == (old["column"] + new["column"]) / 2
            steps += 1
    assert steps > 10


def test_blocks_fall_and_come_back_gradually(show: Open) -> None:
    """A block that falls, or comes back, is neither there nor gone half way; its player falls with it."""
    replay = decided()
    frames = frames_of(replay)
    page = show(replay)
    slabs = "[...document.querySelectorAll('.slab')].map(slab => Number(slab.getAttribute('opacity')))"
    for kind in ("drop", "return"):
        at = next(at for at, frame in enumerate(frames) if any(mark[0] == kind for mark in frame["marks"]))
        block = next(mark[1] for mark in frames[at]["marks"] if mark[0] == kind)
        seen = []
        for progress in (0.1, 0.3, 0.45):
            between(page, at, progress)
            seen.append(page.evaluate(slabs)[block])
        assert all(0 < opacity < 1 for opacity in seen)
        assert seen == sorted(seen, reverse=kind == "drop")
    at = next(at for at, frame in enumerate(frames) if any(mark[0] == "fall" for mark in frame["marks"]))
    seat = next(mark[1] for mark in frames[at]["marks"] if mark[0] == "fall")
    assert between(page, at, 0.8)["players"][seat] is not None
    assert between(page, at, 1)["players"][seat] is None


def test_browser_applies_differences_as_python_does(show: Open) -> None:
    """The browser's reading of differences makes the same values as Python's, for values of every shape."""
    cases = pairs(1000)
    page = show(play(1, setup={"turns": 1}))
    made = page.evaluate(
        """async cases => {
            const { apply } = await import("dohyo/decode.js");
            return cases.map(([old, change]) => JSON.stringify(apply(old, change)));
        }""",
        [[old, difference(old, new)] for old, new in cases],
    )
    for text, (old, new) in zip(made, cases, strict=True):
        assert json.dumps(json.loads(text), sort_keys=True) == json.dumps(new, sort_keys=True), (old, new)


def test_names_that_are_alike_are_told_apart_by_their_languages(show: Open) -> None:
    """Two bots of a name in two languages have these beside it; of one language, their numbers; others neither."""
    replay = play(7, names=["random", "random", "random", "hunter"])
    languages = ("python", "cpp", "python", "cpp")
    seats = (replace(seat, language=one) for seat, one in zip(replay.header.seats, languages, strict=True))
    replay.header = replace(replay.header, seats=tuple(seats))
    page = show(replay)
    assert page.locator(".card .name").all_inner_texts() == ["random python", "random cpp", "random python", "hunter"]
    told = page.evaluate(
        "[0, 1, 2, 3].map(at => { dohyo.seek(at + 1); return document.querySelector('.caption').textContent; })"
    )
    assert {
        name for name in ("random (python, 0)", "random (cpp)", "random (python, 2)") if name in " ".join(told)
    } != set()


def test_the_sentence_of_a_turn_is_not_cut(show: Open) -> None:
    """On a small laptop's page the sentence below the board is whole in every turn, with long names too."""
    replay = play(
        7, letters="UDLRAA", names=["fourteen words", "a bot of the night", "Many, many men", "hunter of them"]
    )
    cut = """() => {
        const caption = document.querySelector(".caption");
        const found = [];
        for (let at = 0; at <= dohyo.player.last; at++) {
            dohyo.seek(at);
            const isOneLine = caption.clientHeight < 1.8 * parseFloat(getComputedStyle(caption).fontSize);
            const isWhole = caption.scrollHeight <= caption.clientHeight + 1;
            if (!isWhole || (!isOneLine && caption.textContent.length < 45)) found.push(caption.textContent);
        }
        return found;
    }"""
    assert show(replay, size=(1024, 720)).evaluate(cut) == []
