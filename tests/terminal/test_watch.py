"""Watching in a terminal: stepping, pausing, leaving; and a terminal that is as it was before."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

import dohyo
from dohyo import games
from dohyo.i18n import ENGLISH
from dohyo.terminal.watch import Scenes, Texts
from tests.cli.conftest import Type
from tests.cli.screens import LEAVES_SCREEN, SHOWS_CURSOR, Screen
from tests.covering import covering
from tests.web import matches

FOUR = ("./still",) * 4
TURNS = 40
RIGHT, LEFT, HOME, END, DOWN = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[B"


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
        screen.wait_for(r"turn 1 of 39   playing, 10 turns a second")
        screen.press(" ")
        screen.wait_for("paused")
        for keys, place in (
            (HOME, "start   paused"),
            (RIGHT, "turn 0 of 39   paused"),
            ("n", "turn 1 of 39   paused"),
            ("\x1bOC", "turn 2 of 39   paused"),
            (LEFT, "turn 1 of 39   paused"),
            ("p", "turn 0 of 39   paused"),
            ("\x1b[4~", "turn 39 of 39   the end: turn limit"),
            (LEFT, "turn 38 of 39   paused"),
            (HOME + LEFT, "start   paused"),
            ("?", "start   paused"),
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
        drawn = screen.wait_for(r"turn 0 of 39   paused(.|\n)*q leave").splitlines()[-24:]
        assert sum(line.count(". ") for line in drawn) > 250
        board = "\n".join(drawn)
        assert "mumbler" in board
        assert "plays N" in board
        assert "mumbler: malformed" in board
        screen.press("q")
        assert screen.wait_for_end() == 0


def test_what_bots_wrote_and_were_sent(recorded: Path, typed: Type) -> None:
    """A key shows, in place of the board, what the bot answered, wrote and was sent; it goes back and forth."""
    talker = (
        "echo READY; while read word; do if [ $word = EOD ]; then echo '[b]because[/b] \x1b[2J' >&2; echo N; fi; done"
    )
    (recorded / "talker").write_text(f"#!/bin/sh\n{talker}\n")
    (recorded / "talker").chmod(0o755)
    typed("play", "drop-block", "./talker", *FOUR[1:], "--setup", "turns=9", "--seed", "4", "--save", "t.replay")
    with Screen(recorded, "replay", "t.replay", "--watch") as screen:
        screen.wait_for("playing")
        screen.press(" " + HOME)
        screen.wait_for("start   paused")
        screen.press("e")
        screen.wait_for("Nothing was written or sent(.|\n)*e board")
        screen.press(RIGHT)
        shown = screen.wait_for(r"turn 0 of 8   paused(.|\n)*lines 1 to 21 of \d+(.|\n)*q leave")
        assert "talker (0): nothing" in shown
        assert "[b]because[/b]" in shown
        assert re.search(r"it had been sent: *\r\n    0 *\r\n", shown)
        screen.press(DOWN + DOWN)
        screen.wait_for(r"lines 3 to 23 of")
        screen.press("\x1b[6~" * 3)
        screen.wait_for(r"lines \d+ to (\d+) of \1")
        screen.press("1")
        screen.wait_for("Nothing was written or sent")
        screen.press(RIGHT)
        screen.wait_for(r"turn 1 of 8   paused(.|\n)*still \(1\)")
        screen.press("e" + LEFT)
        board = screen.wait_for(r"turn 0 of 8   paused(.|\n)*e input, stderr")
        assert board.count(". ") > 250
        screen.press("q")
        assert screen.wait_for_end() == 0
        assert "\x1b[2J" not in screen.raw.replace("\x1b[2J\x1b[H", "")


def test_texts_where_there_is_little_room() -> None:
    """On a screen of a few lines there are as many as fit, and one at least; a long line is broken, not cut."""
    game = games.find("drop-block")
    replay = matches.play(1, letters="UDLR", setup={"turns": 8})
    maker = Scenes(game, ENGLISH)
    scenes = list(maker.new(replay))
    for room in (1, 5, 40):
        texts = Texts()
        for key in ("down", "page down", "0", "0", "up", "9", "a", "x"):
            texts.obey(key, 4, room)
            body = texts.body(maker, scenes[3], (), room, 20)
            assert len(body) == room + 1
            assert all(line.cell_len <= 20 for line in body[:-1])
    assert "it had been sent" in " ".join(line.plain for line in body)


def test_to_the_end_and_again(recorded: Path) -> None:
    """At the end it stays; space begins again."""
    with Screen(recorded, "replay", "m.replay", "--watch") as screen:
        screen.wait_for("playing")
        screen.press("+++")
        screen.wait_for("the end: turn limit")
        screen.press(" ")
        screen.wait_for(r"turn 0 of 39   playing")
        screen.press("Q")
        assert screen.wait_for_end() == 0


def test_a_live_match(folder: Path) -> None:
    """A live match goes on at the viewer's pace: it waits while paused, shows what was, and no bot pays."""
    words = ("play", "drop-block", *FOUR, "--setup", "turns=12", "--clock", "0.5", "--save", "m.replay", "--watch")
    with Screen(folder, *words) as screen:
        screen.wait_for(r"turn 0   playing")
        screen.press(" ")
        screen.wait_for("paused")
        screen.press(HOME)
        screen.wait_for("start   paused")
        screen.press(RIGHT * 6)
        screen.wait_for("turn 5   paused")
        assert not (folder / "m.replay").exists()
        screen.press(END + " +")
        screen.wait_for("turn 11 of 11   the end: turn limit")
        assert (folder / "m.replay").exists()
        screen.press("q")
        screen.wait_for("Drop-Block: turn limit, after 12 turns")
        assert screen.wait_for_end() == 0
        assert_given_back(screen)
    assert not any(move.faults for turn in dohyo.load(folder / "m.replay").turns for move in turn.moves)


def test_leaving_a_live_match(folder: Path) -> None:
    """Who leaves stops looking; the match is played to its end, and its table follows."""
    with Screen(folder, "play", "drop-block", *FOUR, "--setup", "turns=30", "--watch") as screen:
        screen.wait_for(r"turn 0   playing")
        screen.press("q")
        screen.wait_for("Drop-Block: turn limit, after 30 turns")
        assert screen.wait_for_end() == 0
        assert_given_back(screen)


@pytest.mark.parametrize(("number", "live"), covering([signal.SIGINT, signal.SIGTERM, signal.SIGHUP], [False, True]))
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
    assert re.findall(r"^turn \d+$", out, re.MULTILINE) == [f"turn {turn}" for turn in range(TURNS)]
    assert out.startswith("start\n")
    assert out.endswith("turn limit\n")
    live = typed("play", "drop-block", *FOUR, "--setup", "turns=5", "--watch").out
    assert live.count("\nturn ") == 5


def test_a_match_without_turns(typed: Type) -> None:
    """A match that is over before its first turn still has a board to look at."""
    players = "players=0,0,U/0,9,U/9,0,U/17,17,U"
    out = typed("play", "drop-block", *FOUR, "--setup", "turns=0", "--setup", players, "--save", "m.replay").out
    assert "after 0 turns" in out
    out = typed("replay", "m.replay", "--watch").out
    assert out.startswith("start\n")
    assert "still" in out


def test_a_terminal_that_cannot_draw(recorded: Path) -> None:
    """Where the terminal knows no cursor, boards come one below the other, as into a file."""
    with Screen(recorded, "replay", "m.replay", "--watch", terminal="dumb") as screen:
        screen.wait_for(f"turn {TURNS - 1}\r\n(.|\n)*turn limit")
        assert screen.wait_for_end() == 0
        assert "\x1b" not in screen.raw
