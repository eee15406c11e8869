"""Wondev Woman, what is drawn."""

from __future__ import annotations

import json
from typing import Any

from dohyo.core.flat import read_events
from dohyo.games.wondev_woman import GAME, rules
from dohyo.games.wondev_woman.legality import GIVE_UP, NO_MOVE, OUT
from dohyo.games.wondev_woman.terminal import terminal
from dohyo.i18n import Speaker
from tests.games.wondev_woman.boards import action, board, with_fog


def shown(s: Any, number: int | str, seat: int | None = None) -> dict[str, Any]:
    """The frame after the mover's action; the state goes on."""
    number = action(number) if isinstance(number, str) else number
    before, events = rules.LAYOUT.copy(s), GAME.new_events()
    actions: list[int | None] = [None, None]
    actions[s.mover] = number
    rules.step(s, [number] * 2, events)
    frame = GAME.frame(before, actions, read_events(events), s, seat)
    json.dumps(frame)
    return frame


def test_frame_says_all_that_is_drawn() -> None:
    """Heights with holes, units, scores, whose turn it was and is, and what happened, in order."""
    s = board("2300./00000/00000/00000/00004", "0,0/3,3")
    frame = shown(s, "MOVE&BUILD 0 E S")
    assert frame == {
        "turn": 1,
        "round": 0,
        "mover": 0,
        "action": "MOVE&BUILD 0 E S",
        "next": 1,
        "fog": False,
        "heights": [[2, 3, 0, 0, None], [0, 1, 0, 0, 0], [0] * 5, [0] * 5, [0, 0, 0, 0, 4]],
        "seen": [[True] * 5] * 5,
        "units": [[[1, 0]], [[3, 3]]],
        "scores": [1, 0],
        "out": [False, False],
        "marks": [["move", 0, 0, [0, 0], [1, 0]], ["score", 0, 0], ["build", [1, 1], 1]],
        "highlights": [["score", 0]],
        "hidden": [],
    }


def test_push_and_cancelled_work_are_marked() -> None:
    """A push names both units and both cells; what came to nothing names the cell."""
    frame = shown(board(units="0,0/0,4/1,0/4,4", league="wood1"), "PUSH&BUILD 0 E SE")
    assert frame["marks"] == [["push", 0, 0, 1, 0, [1, 0], [2, 1]], ["build", [1, 0], 1]]
    assert frame["highlights"] == [["push", 0]]
    frame = shown(with_fog(units="0,0/0,4/1,0/2,0"), "PUSH&BUILD 0 E E")
    assert frame["marks"] == [["cancel", 0, 0, [2, 0]]]


def test_going_out_is_marked_with_its_kind() -> None:
    """Giving up, having no move, and every fault."""
    marks = [shown(board(), number)["marks"] for number in (GIVE_UP, NO_MOVE, OUT)]
    assert marks == [[["out", 0, "gave-up"]], [["out", 0, "no-move"]], [["out", 0, "fault"]]]


def test_finished_match_has_nobody_next() -> None:
    """After the last turn nobody is to move."""
    frame = shown(board(league="wood3"), OUT)
    assert (frame["next"], frame["out"], frame["scores"]) == (None, [True, False], [-1, 0])


def test_seat_sees_its_surroundings_in_the_fog() -> None:
    """With fog a seat's frame has no enemy out of sight, and says where it sees; without, nothing is hidden."""
    frame = shown(with_fog(units="0,0/0,4/4,4/2,1"), "MOVE&BUILD 0 E S", 0)
    assert frame["units"] == [[[1, 0], [0, 4]], [None, [2, 1]]]
    assert [sum(row) for row in frame["seen"]] == [3, 3, 0, 2, 2]
    assert frame["scores"] == [0, None]
    assert frame["fog"]
    frame = shown(board(units="0,0/0,4/4,4/2,1", league="wood1"), "MOVE&BUILD 0 E S", 0)
    assert frame["units"][1] == [[4, 4], [2, 1]]
    assert frame["scores"] == [0, 0]


def test_seat_is_not_shown_what_an_enemy_does_out_of_sight() -> None:
    """The other's move is seen where it begins or ends in sight; its building always, since all heights are known."""
    grid = "00000/00000/00000/00032/00000"
    frame = shown(with_fog(grid, "4,3/4,0/0,0/0,4"), "MOVE&BUILD 0 W N", 1)
    assert frame["marks"] == [["build", [3, 2], 1]]
    assert (frame["action"], frame["mover"], frame["scores"]) == (None, 0, [None, 0])
    frame = shown(with_fog(grid, "4,3/4,0/2,4/0,4"), "MOVE&BUILD 0 W N", 1)
    assert frame["marks"] == [["move", 0, 0, None, [3, 3]], ["score", 0, 0], ["build", [3, 2], 1]]
    frame = shown(with_fog(grid, "1,0/4,0/0,0/0,4"), "MOVE&BUILD 0 E E", 1)
    assert frame["marks"] == [["move", 0, 0, [1, 0], None], ["build", [3, 0], 1]]
    frame = shown(with_fog(units="2,0/4,4/0,0/0,4"), "MOVE&BUILD 0 SE W", 1)
    assert frame["marks"] == [["build", [2, 1], 1]]
    frame = shown(with_fog(units="2,0/4,4/0,0/0,4"), "MOVE&BUILD 0 W W", 1)
    assert frame["marks"] == [["move", 0, 0, None, [1, 0]]]


def test_pushed_player_sees_who_pushed_it() -> None:
    """Pusher and pushed stand side by side: both see the push, wherever it ends."""
    for seat in (0, 1):
        frame = shown(with_fog(units="0,0/0,4/1,0/4,4"), "PUSH&BUILD 0 E E", seat)
        assert frame["marks"][0] == ["push", 0, 0, 1, 0, [1, 0], [2, 0]]


def test_terminal_shows_heights_units_and_scores() -> None:
    """The board beside the players, each name once; a unit has its player's letter and the number of its actions."""
    from rich.text import Text

    s = board("2300./00000/00000/00000/00004", "0,0/3,3")
    frame = shown(s, "MOVE&BUILD 0 E S")
    lines = Text.from_markup(terminal(frame, ["[red]left", "right"])).plain.split("\n")
    assert lines[0][:20] == " 2   3A0 0   0      "
    assert lines[3][12:16] == " 0B0"
    assert any("[red]left" in line for line in lines)
    assert any("MOVE&BUILD 0 E S" in line for line in lines)
    assert max(len(line) for line in lines) <= 78
    assert "得点 1" in terminal(frame, ["left", "right"], Speaker("ja"))
