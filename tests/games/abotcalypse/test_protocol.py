"""aBOTcalypse, what is sent and what may come back."""

from __future__ import annotations

import random

import pytest

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.options import resolve
from dohyo.games.abotcalypse import GAME, protocol
from dohyo.games.abotcalypse.board import HALF, TOP, WIDTH
from dohyo.games.abotcalypse.protocol import SIGHT, parse, put_ground, put_ground_by_loop, text
from dohyo.games.abotcalypse.rules import ACTIONS, REST
from tests.games.abotcalypse.boards import board, play

# --- the view


def test_view_is_the_window_around_the_bot() -> None:
    """20 squares in each direction, clipped one outside the board, the top row first, no newline at the end."""
    lines = GAME.prompt(board((50, 0)), 0).decode().split("\n")
    assert len(lines) == 22
    assert {len(line) for line in lines} == {41}
    assert lines[-1] == "#" * 41
    assert lines[-2] == "." * 20 + "s" + "." * 20
    corner = GAME.prompt(board((0, 0)), 0).decode().split("\n")
    assert corner[-2] == "#s" + "." * 20
    assert corner[0] == "#" + "." * 21
    high = GAME.prompt(board((50, 99), x50=99), 0).decode().split("\n")
    assert len(high) == 22
    assert high[0] == "#" * 41


def test_view_has_a_letter_for_everything() -> None:
    """Rocks, then bots (capitals on a rock, oneself over an enemy), then meteors over all."""
    s = board((50, 1), (51, 0), (52, 0), (50, 1), x50=1, x52=1, x53=2)
    lines = GAME.prompt(s, 0).decode().split("\n")
    assert lines[-2][20:24] == "&eE&"
    assert lines[-3][20:24] == "s..&"
    s = board((50, 0), (52, 0), x50=1)
    assert GAME.prompt(s, 0).decode().split("\n")[-2][20:23] == "S.e"
    s = board((50, 90), x50=90)
    play(s, meteor=(-90, 51))
    assert GAME.prompt(s, 0).decode().split("\n")[1][21] == "@"


@pytest.mark.parametrize("rules", ["post", "classic"])
def test_the_ground_is_drawn_as_it_is_square_by_square(rules: str) -> None:
    """Plain Python draws whole columns, and the same as the loop that is compiled: any rocks, edges on any side."""
    lot = random.Random(3)
    s = GAME.new_state(resolve(GAME.options, {"rules": rules}), 2)
    for _ in range(30):
        s.rocks[:] = [lot.getrandbits(HALF) for _ in s.rocks]
        s.height[:] = [lot.randrange(WIDTH + 1) for _ in s.height]
        left, bottom = lot.choice([-1, 0, lot.randrange(60)]), lot.choice([-1, 0, lot.randrange(60)])
        right, top = (lot.choice([WIDTH, TOP, near + 20, near + 2 * SIGHT]) for near in (left, bottom))
        size = (right - left + 2) * (top - bottom + 1) - 1
        drawn = [bytearray(b"?" * (size + 1)) for _ in range(2)]
        put_ground(s, drawn[0], left, right, bottom, top)
        put_ground_by_loop(s, drawn[1], left, right, bottom, top)
        assert drawn[0][:size] == drawn[1][:size]
        assert drawn[0][size:] == b"?"  # nothing behind the last line


# --- the reply


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("rest", "rest"),
        ("REST now", "rest"),
        (" \n Move\n LEFT \n", "move left"),
        ("move left 5", "move left"),
        ("move left 5 and more", "move left"),
        ("drop up", "drop up"),
        ("drop down +3", "drop down"),
        ("throw right", "throw right"),
        ("throw right 7", "throw right 7"),
        ("throw right 007", "throw right 7"),
        ("throw right +7 x", "throw right 7"),
        ("throw right -7", "throw right -1"),
        ("throw right -0", "throw right 0"),
        ("throw right 99999999999999999999", "throw right"),
        ("throw up 0", "throw up 0"),
    ],
)
def test_reply_is_read(reply: str, action: str) -> None:
    """The whole output in lower case, split at white space, newlines included; from the fourth word on ignored."""
    read_as = parse(reply, None, 0)
    assert isinstance(read_as, int)
    assert text(read_as) == action


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " \n",
        "jump",
        "move",
        "drop",
        "throw",
        "move north",
        "move 5",
        "move left x",
        "drop up 1.5",
        "throw left 1e3",
        "throw left --1",
        "throw left \u0663",
    ],
)
def test_unreadable_reply_is_malformed_and_rests(reply: str) -> None:
    """No output, an unknown action, a bad direction, a third word that is no integer: a rest that is reported."""
    fault = parse(reply, None, 0)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.MALFORMED
    assert fault.code
    assert GAME.protocol.answer(None, 0, fault) == REST
    assert not protocol.stops(fault)


def test_every_action_can_be_told_and_read() -> None:
    """The words of each action are read as that action."""
    for action in range(ACTIONS):
        assert GAME.protocol.read(text(action)) == action
    assert GAME.protocol.read("rest now") is None
