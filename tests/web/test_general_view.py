"""The general drawing in a browser: every field by its shape, as the frames say, for a game that brings no view."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo import games
from dohyo.core.game import GAMES_VARIABLE
from dohyo.core.playback import beginning, moments
from dohyo.laws.matches import play
from tests.core import test_smallest_game as smallest
from tests.web.conftest import PHONE, Open, drawn_at

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize(("name", "size"), [("tic_tac_toe", (1280, 800)), ("goofspiel", PHONE)])
def test_drawn_agrees_with_frames(
    show: Open, monkeypatch: pytest.MonkeyPatch, name: str, size: tuple[int, int]
) -> None:
    """In every turn each value stands in its cell, what changed is marked, and a seat's view has nothing hidden."""
    monkeypatch.setenv(GAMES_VARIABLE, str(EXAMPLES / f"{name}.py"))
    game = games.find(name.replace("_", "-"))
    replay = play(game, 3).replay
    seats = len(replay.header.seats)
    played = [moment for moment in moments(game, replay) if moment.turn.moves]
    first = beginning(game, replay) if not played else played[0].before
    page = show(replay, size=size)
    for view, seat in enumerate([None] if name == "tic_tac_toe" else [None, 0]):
        page.evaluate("view => dohyo.show(view)", view)
        frames = [game.frame(first, [None] * seats, (), first, seat)]
        frames += [game.frame(each.before, each.actions, each.events, each.after, seat) for each in played]
        for at, drawn in drawn_at(page, range(len(frames))):
            frame = frames[at]
            changed = {(field, place) for field, place in frame["changed"]}
            shown = {(each["name"], each["at"]): each for each in drawn}
            for field, told in frame["fields"].items():
                count = len(told["values"]) * seats // told["shape"][0] if told.get("bySeat") else len(told["values"])
                for place, value in enumerate(told["values"][:count]):
                    signs = told.get("signs", "")
                    text = "?" if value is None else signs[value] if signs else str(value)
                    cell = shown[field, place]
                    assert cell["text"] == ("" if told.get("owners") and value == 0 else text)
                    assert cell["changed"] == ((field, place) in changed)
    page.evaluate("dohyo.seek(1)")
    inside = page.evaluate(
        """() => {
            const host = document.querySelector('.board').getBoundingClientRect();
            return [...document.querySelectorAll('.general rect, .general text')].every((node) => {
                const box = node.getBoundingClientRect();
                const beside = box.left < host.left - 1 || box.right > host.right + 1;
                return !box.width || !(beside || box.bottom > host.bottom + 1);
            });
        }"""
    )
    assert inside, "something is drawn outside of the board"


def test_a_game_without_frames_is_drawn_too(show: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is a number or a row of some in the plain frame of a state is drawn by its name."""
    monkeypatch.setattr(games, "find", lambda name: smallest.NIM)
    page = show(smallest.played())
    assert [drawn for _, drawn in drawn_at(page, [0, 3])] == [
        [
            {"name": "sticks", "at": 0, "text": "30", "changed": False},
            {"name": "turn", "at": 0, "text": "0", "changed": False},
        ],
        [
            {"name": "sticks", "at": 0, "text": "27", "changed": True},
            {"name": "turn", "at": 0, "text": "3", "changed": True},
        ],
    ]


def test_a_checkered_board_and_fields_have_words(show: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neighbours on a checkered board have two colours, a1 the darker one; fields stand by what people call them."""
    page = show(play(games.find("chess"), 3).replay)
    fills = page.locator(".general .cell").evaluate_all("nodes => nodes.map((node) => getComputedStyle(node).fill)")
    assert len(set(fills)) == 2
    assert all(fill == fills[(at // 8 + at % 8) % 2] for at, fill in enumerate(fills))
    assert fills[56] == page.locator(".general .cell.dark").first.evaluate("node => getComputedStyle(node).fill")
    assert page.locator(".general .name").all_text_contents() == [
        "board",
        "plies",
        "plies since a capture or a pawn moved",
    ]
    file = tmp_path / "named_pits.py"
    file.write_text(KALAH + 'LABELS = {"pits": "stones in each pit"}\n')
    monkeypatch.setenv(GAMES_VARIABLE, str(file))
    page = show(play(games.find("named-pits"), 3).replay)
    assert "stones in each pit" in page.locator(".general .name").all_text_contents()


def test_chess_has_its_pieces_and_names_of_squares(show: Open) -> None:
    """White's pieces are white and black's black on a light and on a dark page; letters are below, numbers beside."""
    page = show(play(games.find("chess"), 3).replay)
    edges = page.locator(".general .edge").all_text_contents()
    assert edges == [*"abcdefgh", *"87654321"]
    for side, from_rank in (("white", 6), ("black", 0)):
        pieces = page.locator(f".general .value.{side}")
        assert pieces.count() == 16
        assert {text[0] for text in pieces.all_text_contents()} == set("\u265a\u265b\u265c\u265d\u265e\u265f")
        tops = [pieces.nth(at).evaluate("node => Number(node.getAttribute('y'))") for at in range(16)]
        assert min(tops) >= from_rank
    fills = {
        page.locator(f".value.{side}").first.evaluate("node => getComputedStyle(node).fill")
        for side in ("white", "black")
    }
    page.emulate_media(color_scheme="dark")
    dark = {
        page.locator(f".value.{side}").first.evaluate("node => getComputedStyle(node).fill")
        for side in ("white", "black")
    }
    assert len(fills) == 2
    assert fills == dark


KALAH = """
from dohyo.core.flat import Layout
SEATS = 2
ACTIONS = 6
LAYOUT = Layout("Kalah", ("turn", "i2", 0), ("ended", "i1", 0), ("pits", "i1", (2, 6)), ("stores", "i1", 2))
PER_SEAT = ("pits",)
EDGES = {"pits": (("", ""), "abcdef")}
FACING = ("pits",)


def start(s, setup, seats):
    for at in range(12):
        s.pits[at] = at


def is_legal(s, seat, action):
    return True


def step(s, actions, events):
    s.turn += 1
    if s.turn == 4:
        s.ended = 1


def winner(s):
    return 0
"""


def test_sides_face_each_other(show: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two rows that face each other, seat 1's is above and turned round; both have the names of their columns."""
    (tmp_path / "kalah_sides.py").write_text(KALAH)
    monkeypatch.setenv(GAMES_VARIABLE, str(tmp_path / "kalah_sides.py"))
    page = show(play(games.find("kalah-sides"), 3).replay)
    cells = page.evaluate("""() => [...document.querySelectorAll(".general .value")].map(node =>
        [node.textContent, Number(node.getAttribute("x")), Number(node.getAttribute("y"))])""")
    where = {text: (x, y) for text, x, y in cells if text in {"0", "5", "6", "11"} and x}
    assert where["6"][1] < where["5"][1], "seat 1 sits above"
    assert where["6"][0] > where["11"][0], "and reads from its own left to its own right"
    names = page.evaluate("""() => [...document.querySelectorAll(".general .edge")].map(node =>
        [Number(node.getAttribute("y")), Number(node.getAttribute("x")), node.textContent])""")
    assert "".join(text for _, _, text in sorted(names)) == "fedcbaabcdef"
