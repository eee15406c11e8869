"""`dohyo watch`: in a terminal, without one, and as a page of this machine."""

from __future__ import annotations

import re
import signal
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from dohyo import games
from dohyo.guests.broadcast.screen import ARROW, Picture
from dohyo.i18n import Message, Speaker
from dohyo.series.broadcast.lines import Line
from dohyo.series.broadcast.programme import Told
from dohyo.series.broadcast.stage import Row, Table
from tests import processes
from tests.cli.conftest import Type
from tests.cli.screens import LEAVES_SCREEN, SHOWS_CURSOR, Screen
from tests.cli.typed import PATIENCE, environment, start

MARK = "DOHYO_TEST_MARK"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_without_a_terminal_it_is_sentences(typed: Type, over: Path, language: str) -> None:
    """Match after match in lines: who plays, what happens, the last board, who has won, the standings.

    It ends with the second end of a match. On a busy machine others may have been begun and left before.
    """
    status, out, err = typed("watch", str(over), "--speed", "100", "--matches", "2", "--lang", language)
    assert (status, err) == (0, "")
    kinds = "played before|just played" if language == "en" else "前の試合|いま終わった試合"
    heads = re.findall(rf"^(?:{kinds})(?:, |、).*\d+.*(?:: |：).+$", out, re.M)
    assert len(heads) >= 2
    assert (
        len(re.findall(r"wins: |share the first|A draw" if language == "en" else r"勝ちです|分け合い|引き分け", out))
        == 2
    )
    assert ("5 of 5 matches" if language == "en" else "5 戦中 5 戦") in out
    assert "broadcast." not in out


def test_a_contest_file_names_its_store(typed: Type, over: Path, folder: Path) -> None:
    """What `dohyo contest run` was given is what `dohyo watch` takes, too."""
    (folder / "c.toml").write_text(f'name = "c"\ngame = "drop-block"\nstore = "{over}"\nbots = ["x"]\n')
    status, out, _ = typed("watch", "c.toml", "--speed", "100", "--matches", "1")
    assert status == 0
    assert "played before" in out or "just played" in out


@pytest.mark.parametrize("words", [("none.db",), ("{over}", "--name", "other"), ("{over}", "--speed", "0")])
def test_what_cannot_be_watched_is_said(typed: Type, over: Path, words: tuple[str, ...]) -> None:
    """One sentence, before anything is shown."""
    status, out, err = typed("watch", *(word.format(over=over) for word in words))
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_in_a_terminal_it_is_a_picture(over: Path, tmp_path: Path) -> None:
    """A board, the standings, sentences, redrawn in place; q ends it, and leaves the terminal as it was."""
    with Screen(tmp_path, "watch", str(over), "--speed", "5") as screen:
        screen.wait_for("(played before|just played), match")
        screen.wait_for("Standings")
        screen.press("q")
        assert screen.wait_for_end() == 0
        assert LEAVES_SCREEN in screen.raw
        assert SHOWS_CURSOR in screen.raw


def test_the_page_is_served_until_ctrl_c(over: Path) -> None:
    """Its address is printed alone on a line; it answers there and nowhere else, and leaves nothing."""
    env = environment(**{MARK: (mark := "broadcast")})
    with start("watch", str(over), "--browser", "--chances", env=env) as command:
        assert command.stdout is not None
        command.stdout.readline()
        address = command.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[\w-]{22})", address)
        assert found is not None
        for path, status in ((found[2], 200), ("/", 404), (f"{found[2]}/frame", 200), (f"{found[2]}/files/x", 404)):
            connection = HTTPConnection("127.0.0.1", int(found[1]), timeout=PATIENCE)
            connection.request("GET", path)
            answer = connection.getresponse()
            assert answer.status == status, path
            assert "frame-ancestors" in (answer.getheader("Content-Security-Policy") or "")
            connection.close()
        connection = HTTPConnection("127.0.0.1", int(found[1]), timeout=PATIENCE)
        connection.request("GET", f"{found[2]}/events")
        stream = connection.getresponse()
        assert stream.readline() == b"event: table\n" or stream.readline()
        command.send_signal(signal.SIGINT)
        command.communicate(timeout=PATIENCE)
        connection.close()
    assert command.returncode == 130
    assert processes.marked(MARK, mark) == []


# --- the picture by itself


def told_match(names: tuple[str, ...] = ("a", "b", "c", "d")) -> Told:
    """A match begins."""
    seats = [{"entrant": seat, "name": name, "place": None, "elo": None} for seat, name in enumerate(names)]
    return Told("match", {"number": 3, "seats": seats, "live": True, "film": False, "count": None}, True)


def told_table(*order: int) -> Told:
    """The standings, the entrants in this order."""
    rows = tuple(Row(entrant, f"bot{entrant}", at + 1, 1500.0, 9, True) for at, entrant in enumerate(order))
    return Told("table", {"table": Table(rows, {}, 7, None)})


def drawn(picture: Picture, width: int, height: int) -> str:
    """What is on the screen."""
    console = Console(width=width, height=height, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    with console.file:
        console.print(picture.drawn(width, height))
        return console.export_text()


@pytest.fixture
def picture() -> Picture:
    """A picture with a match, its first board, standings, and something said."""
    game = games.find("drop-block")
    state = game.new_state({option.name: option.default for option in game.options}, 4)
    frame: Any = game.frame(state, [None] * 4, [], state)
    found = Picture("Spring cup", game, Speaker("en"))
    said = Line(Message("broadcast.first", {"name": "bot1"}), "table")
    found.take(
        [told_match(), told_table(0, 1, 2), Told("turns", {"rate": 1, "turns": [{"frame": frame, "turn": 4}]})]
    )
    found.take([Told("line", {"line": said}), Told("chances", {"turn": 4, "chances": [0.5, 0.3, 0.2, 0.0]})])
    return found


@pytest.mark.parametrize("size", [(80, 24), (160, 50), (40, 10)])
def test_a_picture_fits(picture: Picture, size: tuple[int, int]) -> None:
    """It has no more lines than the terminal, and says what it is about in any size."""
    shown = drawn(picture, *size)
    assert len(shown.rstrip("\n").splitlines()) <= size[1]
    assert "Spring cup" in shown
    assert "live, match 3: a, b, c, d" in shown
    assert "a 50%, b 30%" in shown


def test_arrows_say_who_moved_and_go_again(picture: Picture) -> None:
    """Whoever rose or fell has an arrow, for some time."""
    picture.take([told_table(2, 0, 1)])
    shown = drawn(picture, 160, 50)
    assert "▲2" in shown
    assert shown.count("▼1") == 2
    picture.take([told_table(2, 0, 1)] * (ARROW + 1))
    assert "▲" not in drawn(picture, 160, 50)


def test_names_command_no_terminal(picture: Picture) -> None:
    """What strangers called their bots is text, in one line."""
    picture.take([told_match(("\x1b[2Jevil\n", "b", "c", "d"))])
    shown = drawn(picture, 160, 50)
    assert "\x1b[2J" not in shown
    assert "evil" in shown
