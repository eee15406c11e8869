"""Watching in a terminal: stepping, pausing, leaving; and a terminal that is as it was before."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

import dohyo
from tests.cli.conftest import Type
from tests.cli.screens import LEAVES_SCREEN, SHOWS_CURSOR, Screen

FOUR = ("./still",) * 4
TURNS = 40
RIGHT, LEFT, HOME, END = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"


@pytest.fixture
def recorded(typed: Type, folder: Path) -> Path:
    """A folder with m.replay, a match of `TURNS` turns in which nobody falls."""
    typed(
        "play", "drop-block", "./mumbler", *FOUR[1:], "--setup", f"turns={TURNS}", "--seed", "4", "--save", "m.replay"
    )
    return folder


def assert_given_back(screen: Screen) -> None:
    """The terminal is set as before, shows the cursor, and is off the page that the board was drawn on."""
    assert screen.settings() == screen.before
    assert screen.raw.rindex(LEAVES_SCREEN) > screen.raw.rindex("\x1b[?1049h")
    assert screen.raw.rindex(SHOWS_CURSOR) > screen.raw.rindex("\x1b[?25l")


def test_step_and_scrub(recorded: Path) -> None:
    """A recorded match plays by itself, can be paused, stepped both ways, and jumped through; q leaves."""
    with Screen(recorded, "replay", "m.replay", "--watch") as screen:
        screen.wait_for(r"turn 2 of 40   playing, 10 turns a second")
        screen.press(" ")
        screen.wait_for("paused")
        for keys, place in (
            (HOME, "turn 0 of 40   paused"),
            (RIGHT, "turn 1 of 40   paused"),
            ("n", "turn 2 of 40   paused"),
            ("\x1bOC", "turn 3 of 40   paused"),
            (LEFT, "turn 2 of 40   paused"),
            ("p", "turn 1 of 40   paused"),
            ("\x1b[4~", "turn 40 of 40   the end: turn limit"),
            (LEFT, "turn 39 of 40   paused"),
            (HOME + LEFT, "turn 0 of 40   paused"),
            ("?", "turn 0 of 40   paused"),
        ):
            screen.press(keys)
            screen.wait_for(place)
        screen.press("+ ")
        screen.wait_for("playing, 20 turns a second")
        screen.press("--")
        screen.wait_for("playing, 5 turns a second")
        screen.press("q")
        assert screen.wait_for_end() == 0
        assert_given_back(screen)


def test_what_is_drawn(recorded: Path) -> None:
    """The board fits a terminal of 80 by 24: players with what they do, this turn's fault, the keys."""
    with Screen(recorded, "replay", "m.replay", "--watch") as screen:
        screen.wait_for("playing")
        screen.press(" " + HOME + RIGHT)
        drawn = screen.wait_for(r"turn 1 of 40   paused(.|\n)*q leave").splitlines()[-24:]
        assert sum(line.count(". ") for line in drawn) > 250
        board = "\n".join(drawn)
        assert "mumbler" in board
        assert "plays N" in board
        assert "mumbler: malformed" in board
        screen.press("q")
        assert screen.wait_for_end() == 0


def test_to_the_end_and_again(recorded: Path) -> None:
    """At the end it stays; space begins again."""
    with Screen(recorded, "replay", "m.replay", "--watch") as screen:
        screen.wait_for("playing")
        screen.press("+++")
        screen.wait_for("the end: turn limit")
        screen.press(" ")
        screen.wait_for(r"turn 1 of 40   playing")
        screen.press("Q")
        assert screen.wait_for_end() == 0


def test_a_live_match(folder: Path) -> None:
    """A live match goes on at the viewer's pace: it waits while paused, shows what was, and no bot pays."""
    words = ("play", "drop-block", *FOUR, "--setup", "turns=12", "--clock", "0.5", "--save", "m.replay", "--watch")
    with Screen(folder, *words) as screen:
        screen.wait_for(r"turn 1   playing")
        screen.press(" ")
        screen.wait_for("paused")
        screen.press(HOME)
        screen.wait_for("turn 0   paused")
        screen.press(RIGHT * 6)
        screen.wait_for("turn 6   paused")
        assert not (folder / "m.replay").exists()
        screen.press(END + " +")
        screen.wait_for("turn 12 of 12   the end: turn limit")
        assert (folder / "m.replay").exists()
        screen.press("q")
        screen.wait_for("Drop-Block: turn limit, after 12 turns")
        assert screen.wait_for_end() == 0
        assert_given_back(screen)
    assert not any(move.faults for turn in dohyo.load(folder / "m.replay").turns for move in turn.moves)


def test_leaving_a_live_match(folder: Path) -> None:
    """Who leaves stops looking; the match is played to its end, and its table follows."""
    with Screen(folder, "play", "drop-block", *FOUR, "--setup", "turns=30", "--watch") as screen:
        screen.wait_for(r"turn 1   playing")
        screen.press("q")
        screen.wait_for("Drop-Block: turn limit, after 30 turns")
        assert screen.wait_for_end() == 0
        assert_given_back(screen)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("live", [False, True], ids=["recorded", "live"])
def test_signals_give_the_terminal_back(recorded: Path, number: signal.Signals, live: bool) -> None:
    """However the command is ended, the terminal is as before."""
    words = ("play", "drop-block", *FOUR) if live else ("replay", "m.replay")
    with Screen(recorded, *words, "--watch") as screen:
        screen.wait_for("turn 1 ")
        os.kill(screen.process.pid, number)
        screen.wait_for("Interrupted; nothing is left running.")
        assert screen.wait_for_end() == 128 + number
        assert_given_back(screen)


def test_without_a_terminal(typed: Type, recorded: Path) -> None:
    """Into a file or a pipe go plain boards, one a turn, recorded or live, without a single escape."""
    status, out, err = typed("replay", "m.replay", "--watch")
    assert (status, err) == (0, "")
    assert "\x1b" not in out
    assert re.findall(r"^turn \d+$", out, re.MULTILINE) == [f"turn {turn}" for turn in range(TURNS + 1)]
    assert out.endswith("turn limit\n")
    live = typed("play", "drop-block", *FOUR, "--setup", "turns=5", "--watch").out
    assert live.count("\nturn ") == 5


def test_a_match_without_turns(typed: Type) -> None:
    """A match that is over before its first turn still has a board to look at."""
    players = "players=0,0,U/0,9,U/9,0,U/17,17,U"
    out = typed("play", "drop-block", *FOUR, "--setup", "turns=0", "--setup", players, "--save", "m.replay").out
    assert "after 0 turns" in out
    out = typed("replay", "m.replay", "--watch").out
    assert out.startswith("turn 0\n")
    assert "still" in out


def test_a_terminal_that_cannot_draw(recorded: Path) -> None:
    """Where the terminal knows no cursor, boards come one below the other, as into a file."""
    with Screen(recorded, "replay", "m.replay", "--watch", terminal="dumb") as screen:
        screen.wait_for(f"turn {TURNS}\r\n(.|\n)*turn limit")
        assert screen.wait_for_end() == 0
        assert "\x1b" not in screen.raw
