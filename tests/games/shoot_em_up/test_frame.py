"""What is drawn of a combat, and what one robot knows of it."""

from __future__ import annotations

import json
from typing import Any

from dohyo.core.flat import read_events
from dohyo.games.shoot_em_up import GAME, rules
from dohyo.games.shoot_em_up.board import board
from dohyo.games.shoot_em_up.terminal import terminal
from dohyo.i18n import Speaker
from tests.games.shoot_em_up.combats import STAY, action, combat, play

UNKNOWN = {"x": None, "y": None, "hits": None, "ready": None, "shot": None, "hit": None, "lost": None}


def shown(s: Any, line: str, seat: int | None = None) -> dict[str, Any]:
    """The frame after the mover's action; the state goes on."""
    before, events = rules.LAYOUT.copy(s), GAME.new_events()
    actions: list[int | None] = [None, None]
    actions[s.turn % 2] = action(line)
    rules.step(s, [action(line)] * 2, events)
    frame = GAME.frame(before, actions, read_events(events), s, seat)
    json.dumps(frame)
    return frame


def test_frame_says_all_that_is_drawn() -> None:
    """Where both are, their hits and guns, the squares that a shot crossed, whom it hit."""
    s = combat(7, 0, 9, 2)
    assert shown(s, "S 1 1") == {
        "turn": 1,
        "mover": 0,
        "line": "S 1 1",
        "robots": [
            {
                "x": 7,
                "y": 0,
                "hits": 0,
                "ready": False,
                "shot": {"power": True, "squares": [[8, 1], [9, 2]]},
                "hit": None,
                "lost": None,
            },
            {"x": 9, "y": 2, "hits": 1, "ready": True, "shot": None, "hit": [-1, -1], "lost": None},
        ],
        "marks": [["shot", 0, True], ["hit", 1, -1, -1]],
        "highlights": [["hit", 1]],
        "hidden": [],
    }


def test_near_miss_is_a_highlight_for_everybody_only() -> None:
    """A shot with power past the other by one square is worth a mark; neither robot is told of it."""
    for seat, expected in ((None, [["near", 0]]), (0, []), (1, [])):
        assert shown(combat(0, 0, 5, 1), "S 1 0", seat)["highlights"] == expected
    assert shown(combat(0, 0, 5, 2), "S 1 0")["highlights"] == []
    weak = combat(0, 0, 9, 9)
    for line in ("S 0 1", "M 0 0", "S 0 1", "M 0 0", "S 0 1"):
        assert shown(weak, line)["highlights"] == []
    hit = combat(0, 0, 5, 0)
    assert shown(hit, "S 1 0")["highlights"] == [["hit", 1]]


def test_shot_stays_until_the_robot_acts_again() -> None:
    """The opponent's answer still shows what it answers; a step of the shooter ends it."""
    s = combat(0, 0, 9, 5)
    shown(s, "S 1 0")
    assert shown(s, STAY)["robots"][0]["shot"]["squares"] == [[x, 0] for x in range(1, 10)]
    assert shown(s, STAY)["robots"][0]["shot"] is None


def test_powerless_shot_says_so() -> None:
    """It is drawn too, as one without power, and hits nobody."""
    s = combat(0, 0, 9, 0)
    shown(s, "S 1 0")
    shown(s, STAY)
    frame = shown(s, "S 1 0")
    assert (frame["robots"][0]["shot"]["power"], frame["marks"]) == (False, [["shot", 0, False]])


def test_ends_are_marked() -> None:
    """Shot down, off the board, failed: with the robot, and the step that led off."""
    s = combat(0, 0, 5, 0)
    play(s, "S 1 0", *[STAY] * 3, "S 1 0", *[STAY] * 3)
    frame = shown(s, "S 1 0")
    assert frame["marks"] == [["shot", 0, True], ["hit", 1, -1, 0], ["died", 1]]
    assert [robot["lost"] for robot in frame["robots"]] == [None, "died"]
    frame = shown(combat(0, 0, 5, 0), "M -1 1")
    assert (frame["marks"], frame["robots"][0]["lost"]) == ([["left", 0, -1, 1]], "left")
    assert (frame["robots"][0]["x"], frame["robots"][0]["y"]) == (0, 0)
    frame = shown(combat(0, 0, 5, 0), "ERROR")
    assert (frame["highlights"], frame["robots"][0]["lost"]) == ([["failed", 0]], "failed")


def test_draw_marks_nobody() -> None:
    """At the limit nobody has lost."""
    frame = shown(combat(0, 0, 5, 5, pairs=1), STAY)
    assert [robot["lost"] for robot in frame["robots"]] == [None, None]


def test_seat_sees_nothing_of_the_other_but_hits() -> None:
    """A shot that misses, a step: the frame says whose turn it was, and no more."""
    s = combat(0, 0, 9, 5)
    frame = shown(s, "S 1 0", 1)
    assert (frame["mover"], frame["line"], frame["marks"], frame["robots"][0]) == (0, None, [], UNKNOWN)
    s = combat(0, 0, 5, 0)
    frame = shown(s, "S 1 0", 1)
    assert (frame["marks"], frame["robots"][1]["hit"]) == ([["hit", 1, -1, 0]], [-1, 0])
    assert frame["robots"][0] == UNKNOWN


def test_shooter_does_not_know_whether_it_hit() -> None:
    """Its own frame shows its shot, and nothing of what that met."""
    s = combat(0, 0, 5, 0)
    frame = shown(s, "S 1 0", 0)
    assert (frame["marks"], frame["highlights"], frame["robots"][1]) == ([["shot", 0, True]], [], UNKNOWN)


def test_both_know_how_it_ended() -> None:
    """W and L tell; where the other left the board they do not."""
    frame = shown(combat(0, 0, 5, 0), "M -1 0", 1)
    assert (frame["marks"], frame["robots"][0]) == ([["left", 0]], {**UNKNOWN, "lost": "left"})


def test_board_has_the_text_s_layers() -> None:
    """Opponent's shot below ours, below the opponent, below us; marks from beside the shooter to the edge."""
    s = combat(2, 0, 0, 2)
    play(s, "S -1 1", "S 1 -1")
    assert board(s)[:4] == ["!", "! ..Y.......", "! .+........", "! O........."]
    s = combat(4, 4, 4, 4)
    play(s, STAY, "S 0 1")
    assert board(s)[4:8] == ["! ..........", "! ....Y.....", "! ....-.....", "! ....-....."]


def test_terminal_draws_ten_rows() -> None:
    """The board, both robots with their names, also as one seat sees it, in both languages."""
    s = combat(0, 0, 5, 0)
    frame = shown(s, "S 1 0")
    for language, word in (("en", "gun recharging"), ("ja", "充電中")):
        rows = terminal(frame, ["[a]", "b" * 99], Speaker(language)).split("\n")
        assert len(rows) == 10
        assert word in rows[2]
        assert "\\[a]" in rows[0]
        assert "✕··" in rows[6]
    assert "?" in terminal(shown(s, STAY, 1), ["a", "b"]).split("\n")[1]
