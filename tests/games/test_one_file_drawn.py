"""A game in one file that says which of its fields people are shown."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.text import Text

from dohyo.core.errors import OperatorError
from dohyo.i18n import ENGLISH
from tests.games.test_one_file import ALL_KINDS, SMALL, Write, write

__all__ = ["write"]


def test_only_these_fields_are_drawn_and_bots_are_sent_all(write: Write) -> None:
    """By default all are, and those that are hidden from a seat stay so."""
    every = write(ALL_KINDS, "every")
    state = every.new_state({}, 3)
    some = write(ALL_KINDS + 'DRAWN = ("hand", "board")\n', "some")
    assert list(every.frame(state, [None] * 3, [], state)["fields"]) == [field.name for field in every.fields][:11]
    after = some.new_state({}, 3)
    after.turn, after.board[1] = 1, 1
    drawn = some.frame(state, [None] * 3, [], after, 1)
    assert list(drawn["fields"]) == ["board", "hand"]
    assert drawn["changed"] == [["board", 1]]
    assert drawn["fields"]["hand"]["values"] == [None, None, 0, 0, None, None]
    assert some.prompt(after, 1) == every.prompt(after, 1)
    with pytest.raises(OperatorError, match="DRAWN"):
        write(SMALL + 'DRAWN = ("bord",)\n')


def test_edges_and_pieces(write: Write) -> None:
    """Rows and columns have the names that people use, in a terminal too; a page is told what to draw for a sign."""
    game = write(ALL_KINDS + 'EDGES = {"board": (range(9, 11), "abc")}\nPIECES = {"board": " \u2654"}\n', "edges")
    state = game.new_state({}, 3)
    state.board[1] = 1
    frame = game.frame(state, [None] * 3, [], state)
    assert frame["fields"]["board"]["edges"] == [["9", "10"], ["a", "b", "c"]]
    assert frame["fields"]["board"]["pieces"] == " \u2654"
    lines = Text.from_markup(game.terminal(frame, ["x", "y", "z"], ENGLISH)).plain.splitlines()
    at = lines.index("board")
    assert lines[at + 1 : at + 4] == [" 9 _ * _", "10 _ _ _", "   a b c"]


def test_wide_letters_stay_in_their_columns(write: Write) -> None:
    """A letter that takes two columns of a terminal, in an edge or in what a seat did, moves nothing beside it."""
    game = write(ALL_KINDS + 'EDGES = {"board": (("一", "10"), "一b三")}\n', "wide")
    state = game.new_state({}, 3)
    frame = game.frame(state, [None] * 3, [], state)
    frame["actions"] = ["右へ", "up", None]
    lines = Text.from_markup(game.terminal(frame, ["x", "山", "z"], ENGLISH)).plain.splitlines()
    at = lines.index("board")
    assert {cell_len(line) for line in lines[at + 1 : at + 4]} == {11}
    assert len({cell_len(line.partition("points")[0]) for line in lines if "points" in line}) == 1


@pytest.mark.parametrize(
    "fact",
    [
        'EDGES = {"board": ("12",)}',
        'EDGES = {"board": ("123", "ab")}',
        'EDGES = {"row": ("1", "abc")}',
        'EDGES = {"board": 3}',
        'PIECES = {"board": "abc"}',
        'PIECES = {"board": 3}',
        'EDGES = {"bord": ("12", "abc")}',
    ],
)
def test_edges_and_pieces_that_do_not_fit(write: Write, fact: str) -> None:
    """A text for each row and column of a grid, a piece for each sign: all else is one sentence with an example."""
    with pytest.raises(OperatorError, match=fact.split()[0]):
        write(f"{ALL_KINDS}{fact}\n")


TWO_SIDES = SMALL.replace('("ended", "i1", 0)', '("pits", "i1", (2, 3)), ("track", "i1", 4), ("ended", "i1", 0)')


def test_edges_of_a_row_a_seat_and_of_a_row(write: Write) -> None:
    """The columns of a field with a row a seat have their names, in a terminal too, and so have those of a row."""
    declared = (
        'PER_SEAT = ("pits",)\nEDGES = {"pits": (("", ""), "abc"), "track": ("-", "wxyz")}\nFACING = ("pits",)\n'
    )
    game = write(TWO_SIDES + declared, "sides")
    state = game.new_state({}, 2)
    frame = game.frame(state, [None] * 2, [], state)
    assert frame["fields"]["pits"]["edges"] == [["", ""], ["a", "b", "c"]]
    assert frame["fields"]["pits"]["faces"] is True
    shown = Text.from_markup(game.terminal(frame, ["one", "two"], ENGLISH)).plain
    assert shown.count("pits a:0 b:0 c:0") == 2
    assert "w x y z" in shown


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ('EDGES = {"pits": (("", ""), "ab")}\n', "EDGES"),
        ('PER_SEAT = ("pits",)\nFACING = ("track",)\n', "FACING is for a field with a row"),
        ('FACING = ("pits",)\n', "FACING is for a field with a row"),
        ('FACING = ("pit",)\n', "FACING"),
        ('CHECKERED = ("track",)\n', "CHECKERED is for grids"),
        ('LABELS = {"pit": "a pit"}\n', "LABELS"),
    ],
)
def test_what_no_field_of_its_shape_can_have(write: Write, declared: str, sentence: str) -> None:
    """Names that do not fit to the columns, and sides of what has none, are refused when the file is read."""
    with pytest.raises(OperatorError, match=sentence):
        write(TWO_SIDES + declared, "no_sides")
