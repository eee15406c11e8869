"""Battlesnake in a browser: one board, drawn as Python's frames say."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

import dohyo
from dohyo.core.game import Frame
from dohyo.core.playback import moments
from dohyo.core.replay import Replay
from dohyo.games import find
from dohyo.guests.servers.messages import PROTOCOL as HTTP
from dohyo.match.replays.sent import Sent
from tests.web.conftest import Open, drawn_at

GAME = find("battlesnake")


class Circling(dohyo.Bot):
    """Goes around in a circle of twelve places, so that nothing of it is by chance."""

    def act(self, observation: Any) -> str:
        """Three steps each way."""
        return ("up", "right", "down", "left")[observation.own_turn % 12 // 3]


@pytest.fixture(scope="module")
def replay() -> Replay:
    """Three snakes; some go out, some eat."""
    return dohyo.play("battlesnake", [Circling(), Circling(), Circling()], seed=4, setup={"turns": 40}, clock=60)


def frames_of(replay: Replay) -> list[Frame]:
    """The frames before the first turn and after each."""
    played = list(moments(GAME, replay))
    first = GAME.frame(played[0].before, [None] * 3, (), played[0].before)
    return [first, *(GAME.frame(each.before, each.actions, each.events, each.after) for each in played)]


def test_frames_tell_who_goes_out_and_who_eats(replay: Replay) -> None:
    """A snake that is out has no body; it is told once, with the place of its head."""
    frames = frames_of(replay)
    out = [seat for frame in frames for seat, *_ in frame["fallen"]]
    assert sorted(out) == [seat for seat in range(3) if frames[-1]["snakes"][seat]["out"]]
    assert out
    for before, after in pairwise(frames):
        for seat, snake in enumerate(after["snakes"]):
            assert len(snake["body"]) == (0 if snake["out"] else snake["length"])
            assert (seat in after["ate"]) == (snake["length"] > before["snakes"][seat]["length"])
    assert all([place] * 3 == snake["body"] for snake in frames[0]["snakes"] for place in snake["body"][:1])


def test_drawn_agrees_with_frames(show: Open, replay: Replay) -> None:
    """In every turn the scene shows the bodies and the food of the frame; halfway a head is between two places."""
    page = show(replay)
    frames = frames_of(replay)
    for at, drawn in drawn_at(page, range(len(frames))):
        frame = frames[at]
        assert drawn["food"] == frame["food"]
        assert [snake["body"] for snake in drawn["snakes"]] == [snake["body"] for snake in frame["snakes"]]
        marked = [seat for seat, snake in enumerate(drawn["snakes"]) if snake["fallen"]]
        assert marked == [seat for seat, *_ in frame["fallen"]]
    halfway = page.evaluate("(dohyo.draw(1, 0.5), dohyo.drawn())")
    old, new = (frame["snakes"][0]["body"][0] for frame in frames[:2])
    assert halfway["snakes"][0]["body"][0] == [(old[0] + new[0]) / 2, (old[1] + new[1]) / 2]


def test_hazards_are_drawn_where_they_are(show: Open) -> None:
    """As many as the frame has in each turn, in a browser and in a terminal; none on a map without any."""
    setup = {"turns": 12, "map": "royale", "shrink": 5, "damage": 0}
    shrinking = dohyo.play("battlesnake", [Circling(), Circling(), Circling()], seed=4, setup=setup, clock=60)
    frames = frames_of(shrinking)
    assert [bool(frame["hazards"]) for frame in frames[:7]] == [False] * 5 + [False, True]
    page = show(shrinking)
    for at, drawn in drawn_at(page, range(len(frames))):
        assert drawn["hazards"] == frames[at]["hazards"]
    shown = GAME.terminal(frames[-1], ["player 0", "player 1", "player 2"])
    assert shown.count("~") > len(frames[-1]["hazards"])
    assert "~" not in GAME.terminal(frames[0], ["player 0", "player 1", "player 2"])


def test_results_say_when_a_snake_was_out(replay: Replay) -> None:
    """Of a match that is over, for each seat."""
    last = list(moments(GAME, replay))[-1].after
    for seat in range(3):
        told = GAME.seat_outcome(last, seat)
        assert (told.key == "battlesnake.out-after") == bool(last.died[seat]), told.values
    assert "player 1" in GAME.terminal(frames_of(replay)[-1], ["player 0", "player 1", "player 2"])


def test_a_message_to_a_server_fits_beside_the_board(show: Open, replay: Replay) -> None:
    """It is shown as it was sent, one line of JSON, which is broken: nothing hangs over the panel's edge."""
    seats = (replace(replay.header.seats[0], protocol=HTTP), *replay.header.seats[1:])
    served = replace(replay, header=replace(replay.header, seats=seats))
    page = show(served, "#t=2")
    page.keyboard.press("i")
    box = page.locator("pre.input").first
    sent = Sent(GAME, served).prompt(list(moments(GAME, served))[2], 0).decode()
    assert box.evaluate("node => node.textContent") == f"{sent}\n"
    wide = "node => [node.getBoundingClientRect().right, node.closest('.panel').getBoundingClientRect().right]"
    right, edge = box.evaluate(wide)
    assert right < edge
    assert box.evaluate("node => node.scrollWidth <= node.clientWidth")
