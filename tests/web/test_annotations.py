"""What bots draw by lines on standard error: how it is read, and that it stands where it should, for whom it may."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page

from dohyo import clean, games
from dohyo.core.replay import Move, Replay
from dohyo.games import find
from dohyo.match.telling.annotations import MAX_IN_MOVE, annotation_of, broken_in
from dohyo.match.telling.annotations import drawn_in as read
from dohyo.web.content import content
from dohyo.web.page import html
from tests.covering import covering
from tests.games.abotcalypse.matches import play as abotcalypse
from tests.web.conftest import DESKTOP, PHONE, Open, page_of
from tests.web.matches import HOSTILE, decided, play
from tests.web.test_charts import charts
from tests.web.test_connect_four import played
from tests.web.test_shoot_em_up import play as shoot_em_up
from tests.web.test_wondev_woman import play as wondev_woman


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("@mark 5 3 red", ["mark", 5, 3, "#d7301f"]),
        ("@mark 5 3", ["mark", 5, 3, None]),
        ("@mark 5.5 -3 #A0b1C2\r", ["mark", 5.5, -3, "#a0b1c2"]),
        ("@arrow 0 1  2 3 Blue ", ["arrow", 0, 1, 2, 3, "#1d6fd1"]),
        ("@text 1 2 so many words", ["text", 1, 2, "so many words"]),
        ("@text 1 2 \x1b[31mred\u202e", ["text", 1, 2, "\ufffdred\ufffd"]),
        ("@value win .75", ["value", "win", 0.75]),
        ("@value depth -1.5e3", ["value", "depth", -1500.0]),
    ],
)
def test_annotations_are_read(line: str, expected: list[Any]) -> None:
    """Each form is read as the documentation says; colours become `#rrggbb`, words are cleaned."""
    assert annotation_of(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "mark 5 3 red",
        " @mark 5 3 red",
        "@mark",
        "@mark 5",
        "@mark 5 3 reddish",
        "@mark 5 3 url(#a)",
        "@mark 5 3 #12345",
        "@mark 12345 3",
        "@mark \u0663 3",
        "@mark nan 3",
        "@mark 5 3 red green",
        "@arrow 1 2 3 blue",
        "@text 1 2",
        "@value win",
        "@value win nan",
        "@value win 1e400",
        "@value win 1_0",
        "@value two words 1",
        "@unknown 1 2",
        "@text 1 2 " + "x" * 200,
    ],
)
def test_what_does_not_fit_is_plain_text(line: str) -> None:
    """A line that is not exactly of a form is no annotation."""
    assert annotation_of(line) is None


@given(st.text(st.sampled_from("@markowtexvlu 0123456789.-#e\n\x1b\u202e<"), max_size=300))
def test_any_text_is_read_within_bounds(text: str) -> None:
    """Whatever a bot writes, what is read of it is bounded and holds nothing but numbers, colours and clean text."""
    found = read(Move(0, "", stderr=text))
    assert len(found) <= MAX_IN_MOVE
    for _, *rest in found:
        for value in rest:
            assert value is None or isinstance(value, float) or clean.line(value) == value


def test_lines_that_draw_nothing_are_found() -> None:
    """What begins like an annotation and is none is found; other text, and what was cut off before, is not."""
    written = "@mark 5\n@mark 1 1\n@marks 5\nmark 5\n@value x nan\n@text 1 2 so\n@arrow\n@everybody hello"
    assert broken_in(Move(0, "U", stderr=written)) == ["@mark 5", "@value x nan", "@arrow"]
    assert broken_in(Move(0, "U", stderr=written, stderr_dropped=9)) == ["@value x nan", "@arrow"]


def test_a_move_and_a_page_have_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood of annotations is cut, for a move and for the page; names of values too."""
    flood = "@mark 1 2 red\n" * 1000
    assert len(read(Move(0, "", stderr=flood))) == MAX_IN_MOVE
    monkeypatch.setattr("dohyo.web.content.MAX_IN_PAGE", 250)
    turns = content(find("drop-block"), annotated(decided(), dict.fromkeys(range(20), flood)))["turns"]
    assert [len(moves[0].get("annotations", ())) for moves in turns[:4]] == [100, 100, 50, 0]
    names = "".join(f"@value n{number} 1\n" for number in range(40))
    assert content(find("drop-block"), annotated(decided(), {0: names}))["values"] == [f"n{at}" for at in range(12)]


def test_the_first_line_of_what_was_cut_is_left_out() -> None:
    """Where the beginning was not stored, the first line may be the end of another one."""
    lines = "@mark 1 1 red\n@mark 2 2 red\n"
    assert read(Move(0, "", stderr=lines, stderr_dropped=5)) == [["mark", 2, 2, "#d7301f"]]


def annotated(replay: Replay, lines: dict[int, str], seat: int | None = None) -> Replay:
    """The same match; in these turns the mover, or that seat, wrote these lines to standard error."""
    turns = []
    for at, turn in enumerate(replay.turns):
        moves = tuple(
            msgspec.structs.replace(move, stderr=lines.get(at, "") if seat in (None, move.seat) else "")
            for move in turn.moves
        )
        turns.append(msgspec.structs.replace(turn, moves=moves))
    return Replay(replay.header, turns, replay.result)


def middle(page: Page, selector: str) -> tuple[float, float]:
    """Where the middle of an element is on the screen."""
    x, y = page.locator(selector).first.evaluate(
        """node => { const { left, right, top, bottom } = node.getBoundingClientRect();
                     return [(left + right) / 2, (top + bottom) / 2]; }"""
    )
    return x, y


# For each game: a match, a position, and from the frame there a piece's row and column with the piece's element.
PLACES: dict[str, tuple[Any, int, str, str]] = {
    "drop-block": (decided, 9, "frame.players.map(({ row, column }) => [row, column])[0]", ".player .token"),
    "wondev-woman": (
        lambda: wondev_woman(2),
        1,
        "frame.units[0][0].toReversed()",
        ".unit .token",
    ),
    "shoot-em-up": (
        lambda: shoot_em_up(2, ["M 0 0"] * 9, places="2,3,8,5"),
        2,
        "[frame.robots[0].y, frame.robots[0].x]",
        ".robot .token",
    ),
    "abotcalypse": (
        lambda: abotcalypse(2, bots=5, turns=30),
        1,
        "[frame.bots[0].y, frame.bots[0].x]",
        ".own-square",
    ),
    "connect-four": (lambda: played("01122323353"), 2, "[5, 1]", ".connect-four .ring:not([display=none])"),
}


@pytest.mark.parametrize(("game", "size"), covering(PLACES, [DESKTOP, PHONE]))
def test_marks_stand_on_their_squares(show: Open, game: str, size: tuple[int, int]) -> None:
    """In every game, row and column as documented lead to the square on which a piece is drawn."""
    make, position, where, piece = PLACES[game]
    plain = make()
    page = show(html(plain, game=find(game)), size=size)
    row, column = page.evaluate(f"(dohyo.seek({position}), (frame => {where})(dohyo.frame))")
    lines = f"@mark {row} {column} red\n@text {row} {column} here\n@arrow {row} {column} 0 0\n@mark 999 0\n"
    page = show(html(annotated(plain, {position - 1: lines}), game=find(game)), size=size)
    page.evaluate(f"dohyo.seek({position})")
    slack = 4 if game == "wondev-woman" else 2
    assert middle(page, ".annotations .mark") == pytest.approx(middle(page, piece), abs=slack)
    assert page.locator(".annotations .mark").count() >= 1
    assert page.locator(".annotations .mark").evaluate_all(
        "nodes => nodes.every(node => node.getAttribute('stroke') === '#d7301f')"
    )
    assert "here" in page.locator(".annotations text").first.text_content()  # type: ignore[operator]
    height = page.locator(".annotations text").first.evaluate("node => node.getBoundingClientRect().height")
    assert height >= 10
    page.evaluate(f"dohyo.seek({position + 1})")
    assert page.locator(".annotations > *").count() == 0


def test_annotations_can_be_hidden_and_follow_a_bot(show: Open) -> None:
    """A key hides them; who follows a bot sees those of its latest move."""
    replay = annotated(decided(), {0: "@mark 1 1\n@value win 0.5\n", 1: "@mark 2 2\n@mark 3 3\n@value win 0.25\n"})
    page = show(replay, "#t=1")
    count = page.locator(".annotations .mark").count
    assert count() == 2
    page.keyboard.press("0")
    assert count() == 1
    page.keyboard.press("a")
    assert count() == 0
    page.keyboard.press("a")
    assert count() == 1
    assert charts(page)["value-win"]["lines"] == [1, 1]


def test_a_flood_and_hostile_words_are_drawn_as_text(show: Open) -> None:
    """Words are text on the board, bounded in length; the page still opens with every line that there may be."""
    words = f"@text 4 4 {HOSTILE}\n@value {HOSTILE.replace(' ', '')} 1\n" + "@arrow 1 1 9 9 green\n" * 500
    page = show(annotated(decided(), dict.fromkeys(range(40), words)), "#t=5")
    assert page.locator(".annotations > *").count() == MAX_IN_MOVE - 1
    assert page.locator("img").count() == 0


def test_a_seat_sees_its_own_annotations_only(show: Open) -> None:
    """In a seat's view of a game with secrets, what the other drew is neither on the board nor plotted."""
    lines = dict.fromkeys(range(9), "@mark 1 1\n@value win 0.5\n")
    page = show(annotated(shoot_em_up(2, ["M 0 0"] * 12), lines), "#t=5")
    assert page.locator(".annotations .mark").count() == 1
    page.evaluate("dohyo.show(1)")
    assert page.locator(".annotations .mark").count() == 0
    assert charts(page)["value-win"]["lines"] == [5]
    page.evaluate("dohyo.show(2)")
    assert page.locator(".annotations .mark").count() == 1


def secrets(told: dict[str, Any], seat: int) -> list[Any]:
    """What a page's content says of other seats that their authors alone may see."""
    others = [move for moves in told["turns"] for move in moves if move["seat"] != seat]
    others += [move for move in told["result"].get("last", ()) if move["seat"] != seat]
    private = ("stderr", "comments", "annotations", "stderr_dropped", "comments_dropped")
    found: list[Any] = [move for move in others if any(name in move for name in private)]
    return found + [inputs for inputs in told["inputs"] if set(inputs) - {str(seat)}]


@pytest.mark.parametrize("seat", [0, 1])
def test_page_for_one_seat_has_what_its_author_may_see(show: Open, seat: int) -> None:
    """A page made for a seat carries that seat's view alone, and nothing private of another."""
    lines = dict.fromkeys(range(12), "@mark 1 1\n@value win 0.5\nsecret\n")
    for game, replay in (
        ("shoot-em-up", annotated(shoot_em_up(2, ["M 0 0"] * 12), lines)),
        ("drop-block", annotated(play(3, letters="UDLR", setup={"turns": 20}), lines)),
    ):
        judged = [{"seat": each, "chances": []} for each in (None, 0, 1)]
        whole = content(find(game), replay, analysis=judged)
        told = content(find(game), replay, analysis=judged, seat=seat)
        assert secrets(whole, seat)
        assert secrets(told, seat) == []
        assert [view["seat"] for view in told["views"]] == [seat]
        own = [move for moves in told["turns"] for move in moves if move["seat"] == seat]
        assert own == [move for moves in whole["turns"] for move in moves if move["seat"] == seat]
        hides = game == "shoot-em-up"
        assert [each["seat"] for each in told["analysis"]] == ([seat] if hides else [seat, seat])
        if hides:
            assert next(set(moves[0]) for moves in told["turns"] if moves[0]["seat"] != seat) == {"seat"}
        assert {"seed", "start"}.isdisjoint(told["header"])
        assert told["header"]["setup"] == ({} if hides else whole["header"]["setup"])
        page = show(page_of(replay, seat=seat), "#t=3")
        assert "seed" not in page.locator("header .about").inner_text()
        page.keyboard.press("i")
        page.keyboard.press("End")
        assert page.locator(".sent").count() == (1 if replay.turns[-1].moves[0].seat == seat else 0)


def test_every_game_has_a_board() -> None:
    """No game is left out of the test of squares."""
    assert set(games.all_games()) == set(PLACES)
