"""A game in one file that says which of its fields people are shown."""

from __future__ import annotations

import pytest

from dohyo.core.errors import OperatorError
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
